/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "stat/latency.h"

#include <math.h>

void moments_merge(struct moments *m, const struct moments *from)
{
	if (!from->count)
		return;
	m->min = m->count ? MIN_OF(m->min, from->min) : from->min;
	m->max = MAX_OF(m->max, from->max);
	m->count += from->count;
	m->sum += from->sum;
	m->sum_squares += from->sum_squares;
}

double moments_mean(const struct moments *m)
{
	return m->count ? (double)m->sum / (double)m->count : 0;
}

/* The variance is (n * sum of squares - sum^2) / (n * (n - 1)).  Its numerator
 * is formed in whole numbers of 192 bits, so that a small spread around a large
 * mean is not lost; only the outcome is rounded. */
double moments_stddev(const struct moments *m)
{
	if (m->count < 2)
		return 0;
	uint128 low = (uint128)m->count * (uint64_t)m->sum_squares;
	uint128 high = (uint128)m->count * (uint64_t)(m->sum_squares >> 64) + (low >> 64);
	uint128 square = (uint128)m->sum * m->sum;

	uint64_t words[3] = {(uint64_t)low, (uint64_t)high, (uint64_t)(high >> 64)};
	uint64_t borrow_low = words[0] < (uint64_t)square;
	words[0] -= (uint64_t)square;
	uint128 rest = ((uint128)words[2] << 64 | words[1]) - (uint64_t)(square >> 64) -
		       borrow_low;

	double top = ldexp((double)rest, 64) + (double)words[0];
	return sqrt(top / (double)m->count / (double)(m->count - 1));
}

/* Count, mean and deviation, whoever says them; < 0: not known. */
struct summary {
	double n, mean, stddev;
};

static struct summary summary_of(const struct latency *l)
{
	bool counted = !l->told || l->told->counted;
	return (struct summary){.n = counted ? (double)l->moments.count : -1,
		.mean = latency_mean(l),
		.stddev = latency_stddev(l)};
}

static struct summary summary_merge(struct summary a, struct summary b)
{
	struct summary sum = {.n = a.n + b.n, .mean = -1, .stddev = -1};

	if (a.n <= 0 || b.n <= 0 || a.mean < 0 || b.mean < 0)
		return sum;
	sum.mean = (a.n * a.mean + b.n * b.mean) / sum.n;
	if (a.stddev < 0 || b.stddev < 0 || sum.n < 2)
		return sum;
	double apart = (a.mean - b.mean) * (a.mean - b.mean) * a.n * b.n / sum.n;
	double squares = (a.n - 1) * a.stddev * a.stddev + (b.n - 1) * b.stddev * b.stddev;
	sum.stddev = sqrt((squares + apart) / (sum.n - 1));
	return sum;
}

void latency_merge_told(struct latency *l, const struct latency *from,
	struct latency_told *told)
{
	if (!latency_any(from))
		return;
	if (!latency_any(l)) {
		*l = *from;
		if (from->told)
			*told = *from->told;
		l->told = from->told ? told : NULL;
		return;
	}
	if (!l->told && !from->told) {
		latency_merge(l, from);
		return;
	}
	struct summary sum = summary_merge(summary_of(l), summary_of(from));
	bool counted = summary_of(l).n >= 0 && summary_of(from).n >= 0;
	bool whole = l->histogram.count && from->histogram.count;
	l->moments = (struct moments){
		.count = l->moments.count + from->moments.count,
		.min = MIN_OF(l->moments.min, from->moments.min),
		.max = MAX_OF(l->moments.max, from->moments.max),
	};
	if (whole)
		histogram_merge(&l->histogram, &from->histogram);
	else
		histogram_reset(&l->histogram);
	*told = (struct latency_told){
		.counted = counted, .mean = sum.mean, .stddev = sum.stddev};
	l->told = told;
}

void latency_merge(struct latency *l, const struct latency *from)
{
	static const struct latency_told nothing = {.mean = -1, .stddev = -1};
	struct latency_told told;

	if (l->told || from->told) {
		latency_merge_told(l, from, &told);
		l->told = l->told == &told ? &nothing : l->told;
		return;
	}
	moments_merge(&l->moments, &from->moments);
	histogram_merge(&l->histogram, &from->histogram);
}

void latency_reset(struct latency *l)
{
	l->moments = (struct moments){0};
	histogram_reset(&l->histogram);
}

uint64_t latency_quantile(const struct latency *l, double quantile)
{
	uint64_t mid = histogram_quantile(&l->histogram, quantile);
	return MAX_OF(MIN_OF(mid, l->moments.max), l->moments.min);
}

bool latency_any(const struct latency *l)
{
	return l && (l->moments.count || l->told);
}

double latency_mean(const struct latency *l)
{
	return l->told ? l->told->mean : moments_mean(&l->moments);
}

double latency_stddev(const struct latency *l)
{
	return l->told ? l->told->stddev : moments_stddev(&l->moments);
}

#define TOLD_PRECISION 1e-7 /* percent: fio writes six decimals */

bool latency_find(const struct latency *l, double quantile, uint64_t *ret)
{
	const struct latency_told *told = l->told;

	for (uint32_t i = 0; told && i < told->count; i++) {
		if (fabs(told->points[i].percent - quantile * 100) > TOLD_PRECISION)
			continue;
		*ret = told->points[i].ns;
		return true;
	}
	if (told && !l->histogram.count)
		return false;
	*ret = latency_quantile(l, quantile);
	return true;
}

static unsigned latency_bucket(uint64_t value)
{
	static const uint16_t bounds[] = {2, 4, 10, 20, 50, 100, 250, 500, 750, 1000, 2000};
	unsigned i = 0;
	while (i < COUNT_OF(bounds) && value >= bounds[i])
		i++;
	return i;
}

void latency_spread_add(struct latency_spread *s, const struct histogram *h)
{
	if (!h->count)
		return;
	for (uint32_t bin = h->lo; bin <= h->hi; bin++) {
		uint64_t ns = histogram_bin_mid(bin);
		if (ns < NS_PER_US)
			s->ns[latency_bucket(ns)] += h->bins[bin];
		else if (ns < NS_PER_MS)
			s->us[latency_bucket(ns / NS_PER_US)] += h->bins[bin];
		else
			s->ms[latency_bucket(ns / NS_PER_MS)] += h->bins[bin];
	}
}
