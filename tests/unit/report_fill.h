/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Results with given figures, for the tests of reports: whoever knows what a
 * report must say can make the measurement that says it. */
#pragma once

#include "result/result.h"
#include "result/style.h"

/* A latency with these moments (ns), to within what integers allow; its histogram
 * has all samples in the bin of MAX until fill_percentiles(). */
struct latency *fill_latency(struct result *r, uint64_t count, uint64_t min, uint64_t max,
	double mean, double stddev);

/* Make the histogram have VALUES (ns, ascending) as its N percentiles. */
void fill_percentiles(struct latency *l, const double *percentiles, const uint64_t *values,
	uint32_t n);

/* A nanosecond value whose bin is shown as MICROSECONDS by fio's rounding up. */
uint64_t fill_usec(uint64_t microseconds);

/* A latency whose histogram has SAMPLES values drawn around MEDIAN_NS with a long
 * tail, always the same for the same SEED. */
struct latency *fill_tail(struct result *r, uint64_t seed, uint64_t samples,
	uint64_t median_ns);

/* Of a thousand of 40000 requests, SLOW take about slow_us, the others usual_us; each +- 20 %,
 * and all +- 0.25 %. */
struct fill_kind {
	double usual_us, slow_us;
	unsigned slow;
};
struct latency *fill_humps(struct result *r, uint64_t seed, const struct fill_kind *kind);

/* COUNT zeroed rows, each with name, one member, engine psync, depth 1. */
struct result_row *fill_rows(struct result *r, uint32_t count);

/* A direction that moved IOS blocks of BLOCK bytes in RUNTIME_NS. */
void fill_dir(struct result_dir *d, uint64_t ios, uint64_t block, uint64_t runtime_ns);

/* One group per distinct group number of the rows. */
void fill_groups(struct result *r);

/* The text of FORMAT; the caller frees. */
struct report_format;
struct report_how;
char *fill_text(const struct result *r, const struct report_format *format,
	const struct report_how *how);
