/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "stat/resample.h"

#include "base/bits.h"
#include "base/rng.h"
#include "stat/histogram.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#define SEED       UINT64_C(0x77656972)
#define TAIL_LEAST 10 /* samples beyond a quantile */

static void sum_add(struct histogram *h, const struct series_sparse *s)
{
	for (uint32_t i = 0; i < s->count; i++)
		if (s->bins[i].count)
			histogram_record_bin(h, s->bins[i].bin, s->bins[i].count);
}

static double bin_width(uint32_t bin)
{
	return bin < 128 ? 1 : (double)(UINT64_C(1) << (bin / 64 - 1));
}

static double sum_mean(const struct histogram *h)
{
	double sum = 0;
	for (uint32_t i = h->lo; i <= h->hi; i++)
		sum += (double)h->bins[i] * (double)histogram_bin_mid(i);
	return sum / (double)h->count;
}

/* Values lie evenly in their bin: else a quantile would jump from bin to bin. */
static double sum_figure(const struct histogram *h, double q)
{
	double want = q * (double)h->count, seen = 0;

	if (!h->count)
		return 0;
	if (q == RESAMPLE_MEAN)
		return sum_mean(h);
	for (uint32_t i = h->lo; i <= h->hi; i++) {
		double own = (double)h->bins[i];
		if (own > 0 && seen + own >= want)
			return (double)histogram_bin_low(i) +
			       bin_width(i) * (want - seen) / own;
		seen += own;
	}
	return (double)histogram_bin_mid(h->hi);
}

double sparse_figure(const struct series_sparse *const *v, uint32_t n, double q)
{
	struct histogram h = {0};

	for (uint32_t i = 0; i < n; i++)
		sum_add(&h, v[i]);
	return sum_figure(&h, q);
}

struct drawing {
	const struct series_sparse *const *v;
	uint32_t n, block;
	struct rng rng;
	struct histogram sum;
};

static void draw(struct drawing *d)
{
	histogram_reset(&d->sum);
	for (uint32_t have = 0; have < d->n; have += d->block) {
		uint32_t at = (uint32_t)rng_below(&d->rng, d->n - d->block + 1);
		uint32_t take = MIN_OF(d->block, d->n - have);
		for (uint32_t i = 0; i < take; i++)
			sum_add(&d->sum, d->v[at + i]);
	}
}

/* Long enough to hold what is alike, and n^(1/3), the rate of growth with which the
 * variance is estimated best. */
static uint32_t block_length(uint32_t n, double time)
{
	double length = fmax(ceil(2 * time), ceil(cbrt(n)));
	return (uint32_t)fmin(length, n);
}

static bool tail_known(const struct histogram *h, double q)
{
	return h->count && (q == RESAMPLE_MEAN || (double)h->count * (1 - q) >= TAIL_LEAST);
}

int resample_figures(const struct series_sparse *const *v, uint32_t n, double time,
	const double *q, uint32_t count, struct resampled *ret)
{
	double sum[RESAMPLE_FIGURES] = {0}, squares[RESAMPLE_FIGURES] = {0};
	struct drawing *d = calloc(1, sizeof(*d));

	if (!d)
		return -ENOMEM;
	*d = (struct drawing){.v = v, .n = n, .block = block_length(n, time)};
	rng_init(&d->rng, SEED + n);
	for (uint32_t i = 0; i < n; i++)
		sum_add(&d->sum, v[i]);
	double blocks = d->block ? (double)n / d->block : 0;
	for (uint32_t k = 0; k < count; k++)
		ret[k] = (struct resampled){
			.known = blocks >= RESAMPLE_BLOCKS && tail_known(&d->sum, q[k]),
			.log_value = log(fmax(sum_figure(&d->sum, q[k]), 0.5)),
			.df = blocks - 1,
		};
	for (unsigned run = 0; run < RESAMPLE_RUNS && blocks >= RESAMPLE_BLOCKS; run++) {
		draw(d);
		for (uint32_t k = 0; k < count; k++) {
			double off = log(fmax(sum_figure(&d->sum, q[k]), 0.5)) -
				     ret[k].log_value;
			sum[k] += off;
			squares[k] += off * off;
		}
	}
	for (uint32_t k = 0; k < count; k++) {
		double mean = sum[k] / RESAMPLE_RUNS;
		double variance = squares[k] / RESAMPLE_RUNS - mean * mean;
		ret[k].se = sqrt(fmax(variance, 0) * blocks / (blocks - 1));
	}
	free(d);
	return 0;
}

struct estimate estimate_resampled(const struct resampled *a, const struct resampled *b)
{
	double va = a->se * a->se, vb = b->se * b->se;

	if (!a->known || !b->known)
		return (struct estimate){0};
	double parts = va * va / a->df + vb * vb / b->df;
	return (struct estimate){
		.known = true,
		.log_ratio = b->log_value - a->log_value,
		.se = sqrt(va + vb),
		.df = parts > 0 ? (va + vb) * (va + vb) / parts : fmin(a->df, b->df),
	};
}
