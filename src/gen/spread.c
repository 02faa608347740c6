/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* HOT: spread_rank() and spread_ranks() run once a request or batch. */
#include "gen/spread.h"

#include <assert.h>
#include <math.h>

#include "base/bits.h"
#include "gen/power.h"

/* ---- zipf ----
 *
 * h(x) = x^-a lies over the weights; H is its integral from 1, and inverting H
 * on a uniform number gives a point under h.  The nearest whole number is right
 * unless the point lies in the sliver by which h exceeds the weight's bar; then
 * it is drawn again.  Where the point is closer than `sure` below the number, it
 * can't be in the sliver, and that is nearly always so.
 *
 * With e = 1 - a, H(x) = (x^e - 1) / e, so a uniform v between the two ends of x^e
 * gives x = v^(1/e): one power, done for a batch at a time (gen/power.h).  Near
 * a = 1, where that says nothing any more, H is written such that it is log x at
 * a = 1.  exp() and log() are several times as fast as expm1() and log1p(), and the
 * relative error stays below 1e-11.
 *
 * A draw that is refused is followed by its own rng_mix(), so what comes after does
 * not depend on it. */

#define ZIPF_NEAR_ONE 0.01

static double zipf_expm1_over(double y)
{
	return fabs(y) > 1e-5 ? (exp(y) - 1) / y : 1 + y / 2 + y * y / 6;
}

static double zipf_log1p_over(double y)
{
	return fabs(y) > 1e-5 ? log(1 + y) / y : 1 - y / 2 + y * y / 3;
}

static double zipf_integral(const struct spread *s, double x)
{
	double log_x = log(x);
	return zipf_expm1_over((1 - s->a) * log_x) * log_x;
}

static double zipf_inverse(const struct spread *s, double y)
{
	double scaled = MAX_OF(y * (1 - s->a), -1.0); /* rounding may pass the pole */
	return exp(zipf_log1p_over(scaled) * y);
}

static double zipf_weight(const struct spread *s, double x)
{
	return exp(-s->a * log(x));
}

static void zipf_init(struct spread *s)
{
	double e = 1 - s->a;
	assert(s->a > 0);
	s->near_one = fabs(e) < ZIPF_NEAR_ONE;
	s->at_first = zipf_integral(s, 1.5) - 1;
	s->sure = 2 - zipf_inverse(s, zipf_integral(s, 2.5) - zipf_weight(s, 2));
	s->power = s->near_one ? 1 : 1 / e;
	s->v_first = 1 + e * s->at_first;
}

/* Rounding may pass the pole, and the power would be beyond all numbers. */
static void zipf_resize(struct spread *s)
{
	s->at_last = zipf_integral(s, s->size + 0.5);
	s->v_last = 1 + (1 - s->a) * s->at_last;
	s->least = MAX_OF(exp((1 - s->a) * log(4 * s->size)), 1e-299);
	if (s->a < 1)
		s->least = 1e-299;
}

static inline double spread_unit(uint64_t draw)
{
	return (double)(draw >> 11) * 0x1.0p-53;
}

static inline double zipf_start(const struct spread *s, uint64_t draw)
{
	double v = s->v_last + spread_unit(draw) * (s->v_first - s->v_last);
	return MAX_OF(v, s->least);
}

/* The rank at X = V^(1/e).  Most points are taken, whatever a and n are, so the
 * bound is for the reader.  Rank 1 has no sliver: its bar begins where the points
 * do. */
static uint64_t zipf_rank(const struct spread *s, uint64_t draw, double v, double x)
{
	for (int tries = 0; tries < 100; tries++) {
		x = MIN_OF(x, s->size);
		int64_t rank = (int64_t)(x + 0.5);
		if (rank <= 1)
			return 0;
		double k = (double)rank;
		if (likely(k - x <= s->sure) ||
			(v - 1) * s->power >= zipf_integral(s, k + 0.5) - zipf_weight(s, k))
			return (uint64_t)rank - 1;
		draw = rng_mix(draw);
		v = zipf_start(s, draw);
		x = power_of(v, s->power);
	}
	return 0;
}

static uint64_t zipf_draw_near_one(const struct spread *s, struct rng *rng)
{
	uint64_t draw = rng_next(rng);
	for (int tries = 0; tries < 100; tries++) {
		double y = s->at_last + spread_unit(draw) * (s->at_first - s->at_last);
		double x = MIN_OF(zipf_inverse(s, y), s->size);
		int64_t rank = (int64_t)(x + 0.5);
		if (rank <= 1)
			return 0;
		double k = (double)rank;
		if (k - x <= s->sure || y >= zipf_integral(s, k + 0.5) - zipf_weight(s, k))
			return (uint64_t)rank - 1;
		draw = rng_mix(draw);
	}
	return 0;
}

static uint64_t zipf_draw(const struct spread *s, struct rng *rng)
{
	if (s->near_one)
		return zipf_draw_near_one(s, rng);
	uint64_t draw = rng_next(rng);
	double v = zipf_start(s, draw);
	return zipf_rank(s, draw, v, power_of(v, s->power));
}

static void zipf_draws(const struct spread *s, struct rng *rng, uint64_t *out, unsigned n)
{
	double v[SPREAD_BATCH], x[SPREAD_BATCH];
	for (unsigned i = 0; i < n; i++) {
		out[i] = rng_next(rng);
		v[i] = x[i] = zipf_start(s, out[i]);
	}
	s->power_each(x, n, s->power);
	for (unsigned i = 0; i < n; i++)
		out[i] = zipf_rank(s, out[i], v[i], x[i]);
}

/* ---- pareto ---- */

static void pareto_init(struct spread *s)
{
	assert(s->a > 0 && s->a < 1);
	s->power = log(s->a) / log1p(-s->a);
	s->least = MAX_OF(exp(-690 / s->power), 1e-299); /* its power is as good as 0 */
}

static inline double pareto_start(const struct spread *s, struct rng *rng)
{
	return MAX_OF(1 - spread_unit(rng_next(rng)), s->least);
}

static uint64_t pareto_draw(const struct spread *s, struct rng *rng)
{
	double share = power_of(pareto_start(s, rng), s->power);
	return (uint64_t)(int64_t)(s->size * share);
}

static void pareto_draws(const struct spread *s, struct rng *rng, uint64_t *out, unsigned n)
{
	double v[SPREAD_BATCH];
	for (unsigned i = 0; i < n; i++)
		v[i] = pareto_start(s, rng);
	s->power_each(v, n, s->power);
	for (unsigned i = 0; i < n; i++)
		out[i] = (uint64_t)(int64_t)(s->size * v[i]);
}

/* ---- normal ---- */

/* Standard normal by the polar method (Marsaglia and Bray, 1964). */
static double normal_unit(struct rng *rng)
{
	for (int tries = 0; tries < 100; tries++) {
		double u = 2 * rng_unit(rng) - 1, v = 2 * rng_unit(rng) - 1;
		double r = u * u + v * v;
		if (r > 0 && r < 1)
			return u * sqrt(-2 * log(r) / r);
	}
	return 0;
}

/* A third of the draws at least fall inside when the deviation is at most 100 %. */
static uint64_t normal_draw(const struct spread *s, struct rng *rng)
{
	double middle = s->center * s->size, deviation = s->a / 100 * s->size;
	for (int tries = 0; tries < 200; tries++) {
		double x = middle + deviation * normal_unit(rng);
		if (x >= 0 && x < s->size)
			return (uint64_t)(int64_t)x;
	}
	return (uint64_t)(int64_t)middle;
}

/* ---- zoned ---- */

static uint64_t zoned_end(const struct spread *s, uint32_t zone)
{
	uint64_t end = s->ends[zone];
	if (!s->zones->bytes)
		end = end * s->hundredth + end * s->rest / 100;
	return MIN_OF(end, s->n);
}

/* One draw: what is left of it below the hundredths is as good as another one. */
static uint64_t zoned_draw(const struct spread *s, struct rng *rng)
{
	__extension__ unsigned __int128 wide = (unsigned __int128)rng_next(rng) * 100;
	uint32_t zone = s->zones->pick[(unsigned)(wide >> 64)];
	uint64_t from = zone ? MIN_OF(zoned_end(s, zone - 1), s->n - 1) : 0;
	uint64_t to = MAX_OF(zoned_end(s, zone), from + 1);
	__extension__ unsigned __int128 at = (unsigned __int128)(uint64_t)wide * (to - from);
	return from + (uint64_t)(at >> 64);
}

/* ---- all of them ---- */

void spread_init(struct spread *s, const struct spread_spec *spec)
{
	*s = (struct spread){.kind = spec->kind, .a = spec->a, .center = spec->center};
	s->power_each = power_choose();
	if (s->kind == SPREAD_ZIPF)
		zipf_init(s);
	if (s->kind == SPREAD_PARETO)
		pareto_init(s);
	if (s->kind == SPREAD_NORMAL && s->center < 0)
		s->center = 0.5;
	if (s->kind == SPREAD_ZONED) {
		s->zones = spec->zones;
		s->ends = spec->zones->end;
	}
}

static uint64_t spread_shift(const struct spread *s)
{
	if (s->center < 0)
		return 0;
	uint64_t want = MIN_OF((uint64_t)(s->center * s->size), s->n - 1);
	uint64_t hottest = permute_at(&s->place, 0);
	return want >= hottest ? want - hottest : want + (s->n - hottest);
}

void spread_resize(struct spread *s, uint64_t n, uint64_t key)
{
	if (n == s->n && key == s->key)
		return;
	bool other = n != s->n;
	s->n = n;
	s->key = key;
	s->size = (double)n;
	if (s->kind == SPREAD_ZIPF && other)
		zipf_resize(s);
	s->hundredth = n / 100;
	s->rest = n % 100;
	permute_init(&s->place, n, key);
	s->shift = spread_shift(s);
}

/* Beyond 2^53 blocks a double may round up to n. */
uint64_t spread_rank(const struct spread *s, struct rng *rng)
{
	uint64_t rank = 0;
	if (s->kind == SPREAD_ZIPF)
		rank = zipf_draw(s, rng);
	else if (s->kind == SPREAD_PARETO)
		rank = pareto_draw(s, rng);
	else if (s->kind == SPREAD_ZONED)
		rank = zoned_draw(s, rng);
	else
		rank = normal_draw(s, rng);
	return MIN_OF(rank, s->n - 1);
}

/* Fewer are quicker one by one. */
#define SPREAD_MANY 4

void spread_ranks(const struct spread *s, struct rng *rng, uint64_t *out, unsigned n)
{
	assert(n <= SPREAD_BATCH);
	bool many = n >= SPREAD_MANY;
	if (many && s->kind == SPREAD_ZIPF && !s->near_one) {
		zipf_draws(s, rng, out, n);
	} else if (many && s->kind == SPREAD_PARETO) {
		pareto_draws(s, rng, out, n);
	} else {
		for (unsigned i = 0; i < n; i++)
			out[i] = spread_rank(s, rng);
		return;
	}
	for (unsigned i = 0; i < n; i++)
		out[i] = MIN_OF(out[i], s->n - 1);
}
