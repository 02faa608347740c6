/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* One kind of latency of one direction: exact moments beside the histogram.
 *
 * The moments are integers (count, sum, 128-bit sum of squares, min, max), so
 * merging is exact and order does not matter.  A zeroed struct is empty.
 * One writer; see histogram.h for size and merging. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "stat/histogram.h"

__extension__ typedef unsigned __int128 uint128; /* the one typedef: C has no name for it */

/* Of values in ns.  Sums are exact: 64 bits of ns are 584 years in all, and squares have 128
 * bits. */
struct moments {
	uint64_t count;
	uint64_t sum;
	uint64_t min, max; /* meaningful when count > 0 */
	uint128 sum_squares;
};

static inline void moments_record(struct moments *m, uint64_t v)
{
	m->min = m->count ? MIN_OF(m->min, v) : v;
	m->max = MAX_OF(m->max, v);
	m->count++;
	m->sum += v;
	m->sum_squares += (uint128)v * v;
}

/* As if both streams had been recorded into M. */
void moments_merge(struct moments *m, const struct moments *from);
double moments_mean(const struct moments *m);

/* Sample standard deviation (n - 1); 0 below two values. */
double moments_stddev(const struct moments *m);

/* What a report of somebody else says of a latency: its samples are gone, only some
 * figures are left.  Only these are known; nothing between them is made up. */
struct latency_told {
	bool counted;        /* moments.count is one of them                  */
	double mean, stddev; /* < 0: not said                                  */
	uint32_t count;      /* quantiles                                      */
	const struct latency_point *points;
};

/* A quantile that was told. */
struct latency_point {
	double percent; /* 0 < percent <= 100 */
	uint64_t ns;
};

/* Told ones have min and max in their moments, no sums, and a histogram only when
 * the report had one. */
struct latency {
	struct moments moments;
	struct histogram histogram;
	const struct latency_told *told; /* NULL: samples were recorded here */
};

/* One value; account.h has the same for several at once, in its parts. */
static inline void latency_record(struct latency *l, uint64_t ns)
{
	moments_record(&l->moments, ns);
	histogram_record(&l->histogram, ns);
}

/* Where one of them was told and the other isn't empty, what can't be had of both isn't
 * known afterwards: quantiles unless both have histograms, and here also the mean. */
void latency_merge(struct latency *l, const struct latency *from);

/* The same with TOLD, which becomes L's where one of them was told and lives as long as L:
 * mean and deviation are kept where both are counted (that of the union of two samples
 * by their means and squares). Points stay FROM's. */
void latency_merge_told(struct latency *l, const struct latency *from,
	struct latency_told *told);
void latency_reset(struct latency *l);

/* The histogram's quantile clamped to [min, max]. */
uint64_t latency_quantile(const struct latency *l, double quantile);

/* Is anything known of L, which may be NULL? */
bool latency_any(const struct latency *l);

/* Whatever it is made of; < 0: a report that didn't say. */
double latency_mean(const struct latency *l);
double latency_stddev(const struct latency *l);

/* The quantile of samples, of a histogram, or as told; false: it isn't known. */
bool latency_find(const struct latency *l, double quantile, uint64_t *ret);

/* How many samples are in each of fio's distribution buckets: 10 of ns, 10 of
 * us, 12 of ms (upper bounds 2 4 10 20 50 100 250 500 750 1000, and for ms also
 * 2000 and "more").  A bin that straddles a bound counts by its middle. */
struct latency_spread {
	uint64_t ns[10], us[10], ms[12];
};
void latency_spread_add(struct latency_spread *s, const struct histogram *h);
