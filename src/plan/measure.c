/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What is measured, and how fio's formats show it. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/err.h"
#include "base/str.h"
#include "plan/draft.h"

struct measure_opts {
	int kb_base;
	int unit_base;
	bool gtod_reduce;
	bool no_lat, no_clat, no_slat, no_bw;
	bool clat_percentiles, lat_percentiles, slat_percentiles;
	struct opt_floats percentiles;
	uint32_t digits;
	uint64_t bw_step_ns, iops_step_ns;
	int unified;
	bool stats;
	bool disk_util;
	int by_target;
};

enum measure_by_target {
	BY_TARGET_NEVER,
	BY_TARGET_ALWAYS,
	BY_TARGET_AUTO,
};

/* As many are one look at a table. */
#define BY_TARGET_AUTO_MAX 8

static const struct opt_word measure_by_target[] = {
	{"auto", BY_TARGET_AUTO, "with 2 to 8 files or devices, in weir's own face"},
	{"0", BY_TARGET_NEVER, "no"},
	{"1", BY_TARGET_ALWAYS, "yes"},
	{0},
};

static const struct opt_word measure_kb_bases[] = {
	{"1024", 1024, "k is 1024 and kib is 1000, as fio has it"},
	{"1000", 1000, "k is 1000 and kib is 1024"},
	{0},
};

static const struct opt_word measure_unit_bases[] = {
	{"0", 0, "bytes"},
	{"8", 8, "bytes"},
	{"1", 1, "bits"},
	{0},
};

static const struct opt_word measure_unified[] = {
	{"none", UNIFIED_NONE, "each direction by itself"},
	{"mixed", UNIFIED_MIXED, "all directions as one"},
	{"both", UNIFIED_BOTH, "both"},
	{"0", UNIFIED_NONE, "the same as none"},
	{"1", UNIFIED_MIXED, "the same as mixed"},
	{"2", UNIFIED_BOTH, "the same as both"},
	{0},
};

static const struct opt measure_rows[] = {
	{.name = "kb_base",
		OPT_WORD(struct measure_opts, kb_base),
		.words = measure_kb_bases,
		.flags = OPT_EARLY,
		.preset = "1024",
		.help = "What k, m, g mean when read, and which figure is shown first"},
	{.name = "unit_base",
		OPT_WORD(struct measure_opts, unit_base),
		.words = measure_unit_bases,
		.flags = OPT_EARLY,
		.preset = "0",
		.help = "Show bandwidth in bytes or in bits"},
	{.name = "gtod_reduce",
		OPT_BOOL(struct measure_opts, gtod_reduce),
		.preset = "0",
		.help = "Measure no latencies and no bandwidth samples"},
	{.name = "disable_lat",
		OPT_BOOL(struct measure_opts, no_lat),
		.preset = "0",
		.help = "Do not measure total latency"},
	{.name = "disable_clat",
		OPT_BOOL(struct measure_opts, no_clat),
		.preset = "0",
		.help = "Do not measure completion latency"},
	{.name = "disable_slat",
		OPT_BOOL(struct measure_opts, no_slat),
		.preset = "0",
		.help = "Do not measure submission latency"},
	{.name = "disable_bw_measurement",
		.alias = {"disable_bw"},
		OPT_BOOL(struct measure_opts, no_bw),
		.preset = "0",
		.help = "Show no bandwidth samples"},
	{.name = "clat_percentiles",
		OPT_BOOL(struct measure_opts, clat_percentiles),
		.preset = "1",
		.help = "Show percentiles of completion latency"},
	{.name = "lat_percentiles",
		OPT_BOOL(struct measure_opts, lat_percentiles),
		.preset = "0",
		.help = "Show percentiles of total latency"},
	{.name = "slat_percentiles",
		OPT_BOOL(struct measure_opts, slat_percentiles),
		.preset = "0",
		.help = "Show percentiles of submission latency"},
	{.name = "percentile_list",
		OPT_FLOATS(struct measure_opts, percentiles),
		.max = 100,
		.preset = "1:5:10:20:30:40:50:60:70:80:90:95:99:99.5:99.9:99.95:99.99",
		.help = "Which percentiles"},
	{.name = "significant_figures",
		OPT_U32(struct measure_opts, digits),
		.min = 1,
		.max = 10,
		.preset = "4",
		.help = "Digits of figures in fio's text"},
	{.name = "bwavgtime",
		OPT_TIME_MS(struct measure_opts, bw_step_ns),
		.preset = "500",
		.help = "Length of one bandwidth sample"},
	{.name = "iopsavgtime",
		OPT_TIME_MS(struct measure_opts, iops_step_ns),
		.preset = "500",
		.help = "Length of one IOPS sample"},
	{.name = "unified_rw_reporting",
		OPT_WORD(struct measure_opts, unified),
		.words = measure_unified,
		.preset = "none",
		.help = "Report reads, writes and trims by themselves, as one (mixed), or both"},
	{.name = "stats",
		OPT_BOOL(struct measure_opts, stats),
		.preset = "1",
		.help = "0: leave the job out of the report"},
	{.name = "disk_util",
		OPT_BOOL(struct measure_opts, disk_util),
		.preset = "1",
		.help = "Report what the devices below did"},
	{.name = "per_target",
		OPT_WORD(struct measure_opts, by_target),
		.words = measure_by_target,
		.preset = "auto",
		.flags = OPT_NATIVE,
		.help = "Report each file or device of a job by itself, too"},
};

const struct opt_group measure_group = {
	.name = "measure",
	.rows = measure_rows,
	.count = COUNT_OF(measure_rows),
	.size = sizeof(struct measure_opts),
};

/* ---- style ---- */

static int measure_compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static void measure_percentiles(struct result_style *style, const struct opt_floats *list)
{
	for (uint32_t i = 0; i < list->count; i++)
		if (list->v[i] > 0 && list->v[i] <= 100)
			style->percentiles[style->percentiles_count++] = list->v[i];
	qsort(style->percentiles, style->percentiles_count, sizeof(double), measure_compare);
	style->percentile_decimals = list->decimals;
}

static const struct result_style *measure_style(struct draft *d, const struct plan_worker *w,
	const struct measure_opts *o, struct err *reterr)
{
	struct result_style *style = draft_alloc(d, 1, sizeof(*style), reterr);
	if (!style)
		return NULL;
	bool shown = !o->gtod_reduce;
	measure_percentiles(style, &o->percentiles);
	style->clat_percentiles = o->clat_percentiles && shown && !o->no_clat;
	style->lat_percentiles = o->lat_percentiles && shown && !o->no_lat;
	style->slat_percentiles = o->slat_percentiles && shown && !o->no_slat;
	style->kb_base = (uint32_t)o->kb_base;
	style->unit_base = o->unit_base == 1 ? 1 : 8;
	style->digits = o->digits;
	style->bw_step_ns = o->bw_step_ns;
	style->iops_step_ns = o->iops_step_ns;
	style->hidden = !o->stats;
	style->unified = (enum result_unified)o->unified;
	style->goal_ns = w->goal.target_ns;
	style->goal_window_ns = w->goal.window_ns;
	style->goal_percent = w->goal.target_ns ? w->goal.percent : 100;
	style->no_bw = o->no_bw || o->gtod_reduce;
	return style;
}

/* ---- derivation ---- */

#define MEASURE_INTERVAL_MAX NS_PER_S
#define MEASURE_INTERVAL_ODD (50 * NS_PER_MS)

/* An interval of which both steps are multiples, at most a second.  Odd steps
 * (500 and 333 ms) would ask for one of 1 ms: then they are not quite multiples. */
static uint64_t measure_interval(uint64_t a_ns, uint64_t b_ns)
{
	uint64_t a = a_ns ? a_ns : MEASURE_INTERVAL_MAX;
	uint64_t b = b_ns ? b_ns : a;
	uint64_t least = MIN_OF(MIN_OF(a, b), MEASURE_INTERVAL_ODD);

	while (b) {
		uint64_t rest = a % b;
		a = b;
		b = rest;
	}
	a /= div_up(a, MEASURE_INTERVAL_MAX);
	return MAX_OF(a, least);
}

static bool measure_targets(const struct draft *d, const struct plan_worker *w, int by_target)
{
	if (w->files.count < 2 || by_target == BY_TARGET_NEVER)
		return false;
	return by_target == BY_TARGET_ALWAYS ||
	       (d->facts->native && w->files.count <= BY_TARGET_AUTO_MAX);
}

static int measure_derive(struct draft *d, struct plan_worker *w, const void *block,
	struct err *reterr)
{
	const struct measure_opts *o = block;
	struct plan_measure *m = &w->measure;
	bool some = !o->gtod_reduce;

	m->lat = some && !o->no_lat;
	m->clat = some && !o->no_clat;
	m->slat = some && !o->no_slat && !w->queue.use_perform;
	m->no_slat = !some || o->no_slat;
	m->spread = m->clat;
	m->response = w->rate.any;
	m->by_target = measure_targets(d, w, o->by_target);
	m->interval_ns = measure_interval(o->bw_step_ns, o->iops_step_ns);
	m->style = draft_is_first(d, w) ? measure_style(d, w, o, reterr)
					: draft_first(d, w)->measure.style;
	d->plan->disk_util |= o->disk_util;
	return m->style ? priority_derive(d, w, reterr) : -ENOMEM;
}

const struct part measure_part = {.group = &measure_group, .derive = measure_derive};
