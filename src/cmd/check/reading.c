/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "cmd/check/reading.h"

#include "base/bits.h"
#include "base/scope.h"
#include "cmd/check/path.h"
#include "result/known.h"
#include "result/result.h"
#include "stat/autocorrelation.h"
#include "stat/batches.h"
#include "stat/resample.h"
#include "stat/student.h"
#include "stat/uncertainty.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DRIFT_TOLERANCE 0.05 /* of the mean                    */
#define TAIL_MIN        5    /* samples beyond a percentile */

/* ---- several runs ---- */

/* Half the width of Student's interval of the mean. */
static double half_width(const struct sample *s, double confidence)
{
	return student_quantile((1 + confidence) / 2, s->n - 1) * sqrt(s->variance / s->n);
}

void reading_runs(const double *values, uint32_t count, double confidence, struct reading *ret)
{
	const struct sample s = sample_of(values, count);
	double half = half_width(&s, confidence);

	*ret = (struct reading){
		.known = true,
		.value = s.mean,
		.interval = true,
		.lo = MAX_OF(s.mean - half, 0.0), /* no figure is below zero */
		.hi = s.mean + half,
		.error = uncertainty_mean(values, count),
		.why = "",
	};
}

/* ---- one run ---- */

static const char *const why_short = "the run is too short for an interval: it needs 20 "
				     "intervals and 50 autocorrelation times";
static const char *const why_memory = "out of memory";

/* Intervals that are whole: the last one may not be. */
static uint32_t series_whole(const struct series *s)
{
	return s->count ? s->count - 1 : 0;
}

static double record_rate(const struct path *p, const struct series *s, uint32_t i)
{
	const struct series_record *r = &s->records[i];
	uint64_t sum = 0;

	for (int dir = 0; dir < DIRS; dir++)
		if (p->dir == PATH_NO_DIR || p->dir == dir)
			sum += p->quantity == QUANTITY_BANDWIDTH ? r->bytes[dir] : r->ios[dir];
	return (double)sum * (double)NS_PER_S / (double)s->interval_ns;
}

/* NULL: RET has an interval. */
static const char *rate_interval(const struct path *p, const struct series *s,
	double confidence, struct reading *ret)
{
	uint32_t n = series_whole(s);
	scope_mem double *v = calloc(MAX_OF(n, 1u), sizeof(*v));

	if (!v)
		return why_memory;
	for (uint32_t i = 0; i < n; i++)
		v[i] = record_rate(p, s, i);
	const struct batches b = batches_of(v, n, DRIFT_TOLERANCE);
	if (b.use == BATCHES_DRIFTING)
		return "the rate drifts during the run: no interval";
	if (b.use != BATCHES_USABLE || b.means.n < 2)
		return why_short;
	double half = half_width(&b.means, confidence);
	ret->interval = true;
	ret->lo = MAX_OF(ret->value - half, 0.0);
	ret->hi = ret->value + half;
	return NULL;
}

static const struct series_sparse *record_latency(const struct path *p,
	const struct series_record *r)
{
	return strcmp(p->row->name, "response") == 0 ? &r->response[p->dir] : &r->lat[p->dir];
}

/* By block bootstrap of the intervals' histograms. */
static const char *latency_interval(const struct path *p, const struct series *s,
	double confidence, struct reading *ret)
{
	uint32_t n = series_whole(s);
	scope_mem const struct series_sparse **list = calloc(MAX_OF(n, 1u), sizeof(*list));
	scope_mem double *means = calloc(MAX_OF(n, 1u), sizeof(*means));
	double q = p->stat == STAT_MEAN ? RESAMPLE_MEAN : p->quantile;
	struct resampled found;

	if (!list || !means)
		return why_memory;
	for (uint32_t i = 0; i < n; i++) {
		list[i] = record_latency(p, &s->records[i]);
		means[i] = sparse_figure(&list[i], 1, RESAMPLE_MEAN);
	}
	double time = n ? autocorrelation_time(means, n) : 1;
	if (n < BATCHES_RUN_MIN || n < BATCHES_RUN_TIMES * time)
		return why_short;
	if (resample_figures(list, n, time, &q, 1, &found) < 0)
		return why_memory;
	if (!found.known)
		return "too few samples beyond the percentile for an interval";
	double factor = exp(student_quantile((1 + confidence) / 2, found.df) * found.se);
	ret->interval = true;
	ret->lo = ret->value / factor;
	ret->hi = ret->value * factor;
	return NULL;
}

/* Is it a figure that the series has? */
static bool in_series(const struct path *p)
{
	if (p->row->scope == PATH_ROW || p->dir == RESULT_MIXED)
		return false;
	if (p->quantity == QUANTITY_RATE || p->quantity == QUANTITY_BANDWIDTH)
		return strcmp(p->row->name, "iops") == 0 || strcmp(p->row->name, "bw") == 0;
	return (p->stat == STAT_MEAN || p->stat == STAT_QUANTILE) &&
	       (strcmp(p->row->name, "lat") == 0 || strcmp(p->row->name, "response") == 0);
}

static const char *run_interval(const struct path *p, const struct result_row *row,
	double confidence, struct reading *ret)
{
	if (!in_series(p))
		return "there is no interval for this figure of one run";
	if (!row->series.count)
		return "the source has a summary only, and one run has no interval";
	return p->quantity == QUANTITY_TIME ? latency_interval(p, &row->series, confidence, ret)
					    : rate_interval(p, &row->series, confidence, ret);
}

/* Beyond a percentile there must be some samples for it to mean anything. */
static bool too_few(const struct path *p, const struct result_row *const *rows, uint32_t count)
{
	uint64_t samples = 0;

	if (p->stat != STAT_QUANTILE)
		return false;
	for (uint32_t i = 0; i < count; i++) {
		const struct latency *l = path_latency(p, rows[i]);
		samples += l ? l->moments.count : 0;
	}
	return samples && (1 - p->quantile) * (double)samples < TAIL_MIN;
}

/* How well one row knows VALUE; counts, sizes and extremes are exact. */
static double run_error(const struct path *p, const struct result_row *row, double value)
{
	const struct latency *l = path_latency(p, row);
	bool bytes = p->quantity == QUANTITY_BANDWIDTH;
	double squares = 0;

	if (l && p->stat == STAT_MEAN)
		return known_mean(row, l);
	if (l && p->stat == STAT_QUANTILE)
		return known_quantile(row, l, p->quantile);
	if (strcmp(p->row->name, "iops") != 0 && strcmp(p->row->name, "bw") != 0)
		return strcmp(p->row->name, "cpu.per_io") == 0 ? known_cpu_per_io(row, value)
							       : 0;
	for (int dir = 0; dir < RESULT_DIRS; dir++) {
		const struct result_dir *d = &row->dir[dir];
		if (p->dir == PATH_NO_DIR ? dir == RESULT_MIXED : dir != p->dir)
			continue;
		double rate = fmax(bytes ? result_bw(d) : result_iops(d), 0);
		if (rate > 0)
			squares += pow(rate * known_rate(row, d,
						      bytes ? SERIES_BYTES : SERIES_IOS),
				2);
	}
	return sqrt(squares);
}

void reading_run(const struct path *p, const struct result_row *const *rows, uint32_t count,
	double confidence, struct reading *ret)
{
	*ret = (struct reading){.why = ""};
	ret->known = path_value(p, rows, count, &ret->value, &ret->why);
	if (!ret->known)
		return;
	if (too_few(p, rows, count)) {
		ret->known = false;
		ret->why = "too few samples: fewer than 5 lie beyond this percentile";
		return;
	}
	ret->error = count == 1 ? run_error(p, rows[0], ret->value) : NAN;
	const char *why = count == 1 ? run_interval(p, rows[0], confidence, ret)
				     : "several jobs together have no interval";
	ret->why = why ? why : "";
}
