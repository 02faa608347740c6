/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "result/known.h"

#include "base/bits.h"
#include "result/result.h"
#include "stat/histogram.h"
#include "stat/precision.h"
#include "stat/uncertainty.h"

#include <math.h>
#include <string.h>

#define PARTS_MOST     512 /* of a series: longer ones are looked at in coarser steps   */
#define PARTS_ENOUGH   5   /* seconds that can be believed; of fewer, counts are, too  */
#define HISTOGRAM_MOST 3   /* digits                                                   */
#define CPU_MOST       3
#define TOLD_ALONE                                                                             \
	0.01 /* of a rate that somebody told, and nothing beside it: three digits              \
	      */

/* ---- the series in parts ---- */

struct part {
	double sum, count; /* of what is looked at, and of I/Os */
};

struct parts {
	struct part v[PARTS_MOST];
	uint32_t n;
};

struct look {
	const struct series *series;
	unsigned dirs; /* bits */
	bool response;
	void (*take)(const struct look *look, const struct series_record *r, struct part *p);
	double limit; /* samples above it are counted */
};

/* Whole intervals, as many to a part as PARTS_MOST needs. */
static void parts_make(const struct look *look, uint64_t window_ns, struct parts *ret)
{
	const struct series *s = look->series;
	uint32_t whole = 0;

	if (s->count && s->interval_ns && s->records)
		whole = (uint32_t)MIN_OF(window_ns / s->interval_ns, (uint64_t)s->count);
	uint32_t each = MAX_OF((uint32_t)div_up(whole, PARTS_MOST), 1u);
	ret->n = whole / each;
	for (uint32_t i = 0; i < ret->n; i++) {
		ret->v[i] = (struct part){0};
		for (uint32_t k = 0; k < each; k++)
			look->take(look, &s->records[i * each + k], &ret->v[i]);
	}
}

/* Error of sum / count over all parts, and in *RET what that is; a ratio of two sums of
 * the series, by what is left of each part without it. */
static double ratio_error(const struct parts *p, double *ret)
{
	double left[PARTS_MOST], sum = 0, count = 0;

	for (uint32_t i = 0; i < p->n; i++) {
		sum += p->v[i].sum;
		count += p->v[i].count;
	}
	if (!(count > 0))
		return NAN;
	*ret = sum / count;
	for (uint32_t i = 0; i < p->n; i++)
		left[i] = p->v[i].sum - *ret * p->v[i].count;
	return uncertainty_mean(left, p->n) * p->n / count;
}

static void take_ios(const struct look *look, const struct series_record *r, struct part *p)
{
	for (int d = 0; d < DIRS; d++)
		if (look->dirs >> d & 1)
			p->sum += (double)r->ios[d];
	p->count = 1;
}

static void take_bytes(const struct look *look, const struct series_record *r, struct part *p)
{
	for (int d = 0; d < DIRS; d++)
		if (look->dirs >> d & 1)
			p->sum += (double)r->bytes[d];
	p->count = 1;
}

static const struct series_sparse *bins_of(const struct look *look,
	const struct series_record *r, int dir)
{
	static const struct series_sparse none;

	if (!(look->dirs >> dir & 1))
		return &none;
	return look->response ? &r->response[dir] : &r->lat[dir];
}

static void take_time(const struct look *look, const struct series_record *r, struct part *p)
{
	for (int d = 0; d < DIRS; d++) {
		const struct series_sparse *l = bins_of(look, r, d);
		for (uint32_t i = 0; i < l->count; i++) {
			double count = l->bins[i].count;
			p->count += count;
			p->sum += count * (double)histogram_bin_mid(l->bins[i].bin);
		}
	}
}

static void take_slower(const struct look *look, const struct series_record *r, struct part *p)
{
	for (int d = 0; d < DIRS; d++) {
		const struct series_sparse *l = bins_of(look, r, d);
		for (uint32_t i = 0; i < l->count; i++) {
			double count = l->bins[i].count;
			p->count += count;
			if ((double)histogram_bin_mid(l->bins[i].bin) > look->limit)
				p->sum += count;
		}
	}
}

/* ---- rates ---- */

/* Slot of D in ROW whose figures the series has, < 0: D is something else. */
static int slot_of(const struct result_row *row, const struct result_dir *d)
{
	for (int slot = 0; slot < RESULT_DIRS; slot++)
		if (d == &row->dir[slot])
			return slot;
	return -1;
}

static unsigned slot_dirs(int slot)
{
	return slot == RESULT_MIXED ? (1u << DIRS) - 1 : 1u << slot;
}

static double spread_of(const struct latency *l)
{
	return latency_any(l) && latency_mean(l) > 0 ? latency_stddev(l) / latency_mean(l) : 1;
}

/* What the reporter of an imported row made of its own seconds. */
static double told_error(const struct result_dir *d)
{
	const struct samples *s = d->iops.count ? &d->iops : &d->bw;

	if (s->count < PARTS_ENOUGH || !(s->mean > 0))
		return NAN;
	return s->stddev / s->mean / sqrt((double)s->count);
}

/* Of a report that has only a rate: what that makes in its time. */
static uint64_t count_of(const struct result_dir *d)
{
	double ios = result_iops(d) * (double)d->runtime_ns / (double)NS_PER_S;

	return d->told && !d->told->ios ? (uint64_t)fmax(ios, 0) : d->ios;
}

/* Of an imported row, by the option where it has it. */
static bool at_random(const struct result_row *row, const struct result_dir *d)
{
	if (d->asked_random)
		return true;
	for (uint32_t i = 0; i < row->options_count; i++)
		if (row->options[i].name && !strcmp(row->options[i].name, "rate_process"))
			return row->options[i].value &&
			       !strcmp(row->options[i].value, "poisson");
	return false;
}

/* Arrivals of a schedule are as many as it has: to one, or drawn at random. */
static double count_error(const struct result_row *row, const struct result_dir *d)
{
	uint64_t ios = count_of(d);

	if (d->asked_per_s > 0 && ios)
		return at_random(row, d) ? uncertainty_count(ios, 1) : 1 / (double)ios;
	if (!latency_any(result_latency(d)) && d->told)
		return TOLD_ALONE;
	return uncertainty_count(ios, spread_of(result_latency(d)));
}

#define KEPT_LEAST 0.99 /* of what was due */

/* Then its seconds say nothing more: what one has less the next has more. */
static bool schedule_kept(const struct result_dir *d)
{
	return d->asked_per_s > 0 && d->due && (double)d->ios >= KEPT_LEAST * (double)d->due;
}

static double series_error(const struct result_row *row, int slot, enum series_rate what,
	uint32_t *ret_parts)
{
	const struct look look = {
		.series = &row->series,
		.dirs = slot_dirs(slot),
		.take = what == SERIES_BYTES ? take_bytes : take_ios,
	};
	struct parts parts;
	double mean = 0;

	parts_make(&look, row->dir[slot].runtime_ns, &parts);
	double error = ratio_error(&parts, &mean);
	*ret_parts = mean > 0 ? parts.n : 0;
	return mean > 0 ? error / mean : NAN;
}

double known_rate(const struct result_row *row, const struct result_dir *d,
	enum series_rate what)
{
	int slot = slot_of(row, d);
	uint32_t parts = 0;
	double by_series = NAN, by_count = count_error(row, d);

	if (slot >= 0 && !schedule_kept(d))
		by_series = series_error(row, slot, what, &parts);
	if (d->asked_per_s > 0)
		return fmax(by_series, by_count);
	if (parts < PARTS_ENOUGH)
		return fmax(by_series, fmax(by_count, told_error(d)));
	return fmax(by_series, 1 / (double)count_of(d));
}

double known_target(const struct result_row *row, int slot, const struct result_dir *d,
	enum series_rate what)
{
	return fmax(known_rate(row, d, what), known_rate(row, &row->dir[slot], what));
}

double known_syncs(const struct result_row *row)
{
	double error = uncertainty_count(row->syncs, spread_of(row->sync));

	for (int dir = 0; dir < DIRS; dir++)
		if (row->dir[dir].ios)
			error = row->dir[dir].asked_per_s > 0
					? known_rate(row, &row->dir[dir], SERIES_IOS)
					: fmax(error,
						  known_rate(row, &row->dir[dir], SERIES_IOS));
	return error;
}

double known_together(const struct result *r, uint32_t group, enum dir dir,
	enum series_rate what)
{
	double squares = 0;

	for (uint32_t i = 0; i < r->rows_count; i++) {
		const struct result_row *row = &r->rows[i];
		const struct result_dir *d = &row->dir[dir];
		if (row->group != group || result_row_hidden(row) || !d->ios)
			continue;
		double rate = what == SERIES_BYTES ? result_bw(d) : result_iops(d);
		squares += pow(rate * known_rate(row, d, what), 2);
	}
	return sqrt(squares);
}

/* ---- latencies ---- */

/* The intervals' histograms of L; false: the row has none of them. */
static bool latency_look(const struct result_row *row, const struct latency *l,
	struct look *ret)
{
	for (int slot = 0; slot < RESULT_DIRS; slot++) {
		const struct result_dir *d = &row->dir[slot];
		if (l != d->lat && l != d->response)
			continue;
		*ret = (struct look){
			.series = row->bins.count ? &row->bins : &row->series,
			.dirs = slot_dirs(slot),
			.response = l == d->response,
		};
		return true;
	}
	return false;
}

double known_mean(const struct result_row *row, const struct latency *l)
{
	double deviation = latency_stddev(l), alone = NAN, mean;
	struct parts parts;
	struct look look;

	if (deviation >= 0 && l->moments.count)
		alone = deviation / sqrt((double)l->moments.count);
	if (!latency_look(row, l, &look))
		return alone;
	look.take = take_time;
	parts_make(&look, row->runtime_ns, &parts);
	return fmax(alone, ratio_error(&parts, &mean));
}

/* weir's JSON tells quantiles, and has the histograms of its seconds. */
static void latency_sum(const struct look *look, const struct latency *told,
	struct latency *ret)
{
	const struct series *s = look->series;

	ret->moments = told->moments;
	if (!ret->moments.max)
		ret->moments.max = UINT64_MAX; /* not told */
	for (uint32_t i = 0; i < s->count; i++)
		for (int d = 0; d < DIRS; d++) {
			const struct series_sparse *l = bins_of(look, &s->records[i], d);
			for (uint32_t k = 0; k < l->count; k++)
				histogram_record_bin(&ret->histogram, l->bins[k].bin,
					l->bins[k].count);
		}
}

/* RANK: of the share of samples below it, by the seconds. */
static double quantile_error(const struct look *look, const struct latency *l, double q,
	double rank)
{
	struct latency all = {0};

	if (!l->histogram.count)
		latency_sum(look, l, &all);
	return uncertainty_quantile(all.histogram.count ? &all : l, q, rank);
}

double known_quantile(const struct result_row *row, const struct latency *l, double q)
{
	struct parts parts;
	struct look look;
	double error, above;
	uint64_t ns;

	if (!latency_find(l, q, &ns))
		return NAN;
	if (latency_look(row, l, &look)) {
		look.take = take_slower;
		look.limit = (double)ns;
		parts_make(&look, row->runtime_ns, &parts);
		error = quantile_error(&look, l, q, fmax(ratio_error(&parts, &above), 0));
	} else {
		error = uncertainty_quantile(l, q, 0);
	}
	return precision_limit((double)ns, error, HISTOGRAM_MOST);
}

bool known_find(const struct latency *l, double q, uint64_t *ret_ns)
{
	if (!latency_find(l, q, ret_ns))
		return false;
	if (l->moments.max)
		*ret_ns = MIN_OF(*ret_ns, l->moments.max);
	return true;
}

static bool only_told(const struct latency *l)
{
	return l->told && !l->histogram.count;
}

uint64_t known_below(const struct latency *l, uint64_t ns)
{
	bool whole = only_told(l) && l->moments.max && l->moments.max % NS_PER_US == 0;
	return !ns && whole ? NS_PER_US : 0;
}

bool known_ran_only(const struct result_row *row)
{
	bool ran = false;

	for (int dir = 0; dir < RESULT_DIRS; dir++) {
		const struct result_dir *d = &row->dir[dir];
		bool rates = d->told && (d->told->bw || d->told->iops);
		ran |= d->runtime_ns && !rates && !result_dir_used(d);
	}
	return ran && row->told && !row->told->native && !result_row_did_io(row);
}

double known_max(const struct latency *l)
{
	return only_told(l) ? uncertainty_told(l->moments.max) : 0;
}

double known_cpu_per_io(const struct result_row *row, double ns)
{
	uint64_t ios = row->syncs;

	for (int dir = 0; dir < DIRS; dir++)
		ios += row->dir[dir].ios;
	return precision_limit(ns, ns * uncertainty_count(ios, 1), CPU_MOST);
}
