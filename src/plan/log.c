/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Logs: which files a worker fills while it runs, and what their lines say. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/bits.h"
#include "base/err.h"
#include "base/str.h"
#include "plan/draft.h"

/* Names are NULL when the log was not asked for, "" when the job's name is meant. */
struct log_opts {
	const char *bw, *iops, *lat, *hist, *binary;
	const char *issues;
	bool per_job;
	uint64_t window_ns, hist_ns;
	uint32_t coarseness;
	int value;
	bool offset, prio, issue_time;
	bool epoch;
	int32_t epoch_clock;
	int32_t zstd;
	uint32_t entries;
	uint64_t compression;
	struct opt_cpus compression_cpus;
};

/* ---- rows ---- */

static int log_name_parse(const struct opt *o, const char *text, void *dst,
	const struct opt_ctx *ctx, struct err *reterr)
{
	(void)o;
	char *copy = arena_text(ctx->arena, text ? text : "");
	if (!copy)
		return err_set(reterr, -ENOMEM, "out of memory");
	*(const char **)dst = copy;
	return 0;
}

static void log_name_print(const struct opt *o, const void *src, struct str *out)
{
	(void)o;
	const char *text = *(const char *const *)src;
	str_add(out, text ? text : "");
}

static const struct opt_type log_name_type = {
	.name = "PREFIX",
	.size = sizeof(const char *),
	.bare = true,
	.parse = log_name_parse,
	.print = log_name_print,
};

#define LOG_NAME(field) OPT_AS(struct log_opts, field, const char *, log_name_type)

static const struct opt_word log_values[] = {
	{"avg", PLAN_LOG_MEAN, "the mean"},
	{"0", PLAN_LOG_MEAN, "the mean"},
	{"max", PLAN_LOG_MAX, "the largest"},
	{"1", PLAN_LOG_MAX, "the largest"},
	{"both", PLAN_LOG_BOTH, "the mean, and the largest in a column behind it"},
	{0},
};

#define LOG_STREAMED                                                                           \
	"logs are written while the job runs, from memory of a fixed size: this changes nothing"

static const struct opt log_rows[] = {
	{.name = "write_bw_log",
		LOG_NAME(bw),
		.flags = OPT_CLI_VALUE,
		.help = "Log bandwidth to PREFIX_bw.N.log"},
	{.name = "write_iops_log",
		LOG_NAME(iops),
		.flags = OPT_CLI_VALUE,
		.help = "Log IOPS to PREFIX_iops.N.log"},
	{.name = "write_lat_log",
		LOG_NAME(lat),
		.flags = OPT_CLI_VALUE,
		.help = "Log latencies to PREFIX_slat.N.log, PREFIX_clat.N.log and PREFIX_lat.N.log"},
	{.name = "write_hist_log",
		LOG_NAME(hist),
		.flags = OPT_CLI_VALUE,
		.help = "Log histograms of completion latency to PREFIX_clat_hist.N.log"},
	{.name = "write_binary_log",
		LOG_NAME(binary),
		.flags = OPT_CLI_VALUE | OPT_NATIVE,
		.help = "Log each I/O in 16 bytes to PREFIX_io.N.bin, for `weir show`"},
	{.name = "write_iolog",
		OPT_TEXT(struct log_opts, issues),
		.help = "Write what was issued to this file, as a trace for read_iolog"},
	{.name = "log_zstd",
		OPT_I32(struct log_opts, zstd),
		.min = 0,
		.max = 19,
		.preset = "0",
		.flags = OPT_NATIVE,
		.help = "Compress the binary log with zstd at this level; 0: don't"},
	{.name = "per_job_logs",
		OPT_BOOL(struct log_opts, per_job),
		.preset = "1",
		.help = "0: jobs with the same prefix share a log, and add to it"},
	{.name = "log_avg_msec",
		OPT_TIME_MS(struct log_opts, window_ns),
		.preset = "0",
		.help = "A line per direction and window of this length, not per I/O"},
	{.name = "log_hist_msec",
		OPT_TIME_MS(struct log_opts, hist_ns),
		.preset = "0",
		.help = "A histogram per direction and window of this length"},
	{.name = "log_hist_coarseness",
		OPT_U32(struct log_opts, coarseness),
		.max = 6,
		.preset = "0",
		.help = "Merge 2^this bins of logged histograms"},
	{.name = "log_window_value",
		.alias = {"log_max_value"},
		OPT_WORD(struct log_opts, value),
		.words = log_values,
		.preset = "avg",
		.help = "Mean, largest or both latencies of a window"},
	{.name = "log_offset",
		OPT_BOOL(struct log_opts, offset),
		.preset = "0",
		.help = "A column with the offset"},
	{.name = "log_prio",
		OPT_BOOL(struct log_opts, prio),
		.preset = "0",
		.help = "Priorities in full, as 0x%04x"},
	{.name = "log_issue_time",
		OPT_BOOL(struct log_opts, issue_time),
		.preset = "0",
		.help = "A column with the time of issue in ns"},
	{.name = "log_alternate_epoch",
		.alias = {"log_unix_epoch"},
		OPT_BOOL(struct log_opts, epoch),
		.preset = "0",
		.help = "Times are those of a clock, not since the job's start"},
	{.name = "log_alternate_epoch_clock_id",
		OPT_I32(struct log_opts, epoch_clock),
		.min = 0,
		.max = 11,
		.preset = "0",
		.help = "That clock: 0 is the wall clock, 1 CLOCK_MONOTONIC, ..."},
	{.name = "log_entries",
		OPT_U32(struct log_opts, entries),
		.min = 1024,
		.max = 1048576,
		.help = "Room for log lines at first",
		.no_effect = LOG_STREAMED},
	{.name = "log_compression",
		OPT_BYTES(struct log_opts, compression),
		.min = 1024,
		.max = 512 << 20,
		.help = "Compress logs in memory",
		.no_effect = LOG_STREAMED},
	{.name = "log_compression_cpus",
		OPT_CPUS(struct log_opts, compression_cpus),
		.help = "CPUs that compress",
		.no_effect = LOG_STREAMED},
	{.name = "log_store_compressed",
		OPT_REFUSED(
			"fio's compressed text logs are read (--inflate-log), not made; "
			"write_binary_log with log_zstd=1 is smaller and loses nothing, and "
			"`weir show` turns it into text"),
		.help = "Write logs compressed"},
};

const struct opt_group log_group = {
	.name = "log",
	.rows = log_rows,
	.count = COUNT_OF(log_rows),
	.size = sizeof(struct log_opts),
};

/* ---- rules ---- */

static bool log_issue_alone(const struct draft *d, const struct plan_worker *w,
	const void *block, struct str *why)
{
	const struct log_opts *o = block;
	(void)d, (void)w;
	if (!o->issue_time || (o->lat && o->offset))
		return false;
	str_add(why, "needs write_lat_log and log_offset=1 beside it");
	return true;
}

static bool log_hist_alone(const struct draft *d, const struct plan_worker *w,
	const void *block, struct str *why)
{
	const struct log_opts *o = block;
	(void)d, (void)w;
	if (!o->hist || o->hist_ns)
		return false;
	str_add(why, "the log stays empty without log_hist_msec=MS");
	return true;
}

static bool log_unmeasured(const struct draft *d, const struct plan_worker *w,
	const void *block, struct str *why)
{
	const struct log_opts *o = block;
	const struct plan_measure *m = &w->measure;
	(void)d;
	if (!o->bw && !o->iops && !o->lat && !o->hist && !o->binary)
		return false;
	if (m->lat || m->clat || m->slat)
		return false;
	str_add(why, "logs stay empty: gtod_reduce=1 (or disable_lat, disable_clat and "
		     "disable_slat together) leaves an I/O without times");
	return true;
}

static const struct rule log_rules[] = {
	{"log_issue_time", RULE_ERROR, log_issue_alone},
	{"write_hist_log", RULE_NOTE, log_hist_alone},
	{"gtod_reduce", RULE_NOTE, log_unmeasured},
};

/* ---- derivation ---- */

const struct plan_log_name plan_log_names[PLAN_LOGS] = {
	[PLAN_LOG_BW] = {"write_bw_log", "bw", "bw"},
	[PLAN_LOG_IOPS] = {"write_iops_log", "iops", "iops"},
	[PLAN_LOG_SLAT] = {"write_lat_log", "slat", "slat"},
	[PLAN_LOG_CLAT] = {"write_lat_log", "clat", "clat"},
	[PLAN_LOG_LAT] = {"write_lat_log", "lat", "lat"},
	[PLAN_LOG_HIST] = {"write_hist_log", "clat_hist", "clat_hist"},
	[PLAN_LOG_BINARY] = {"write_binary_log", "io", "binary"},
	[PLAN_LOG_ISSUES] = {"write_iolog", "", "iolog"},
};

/* PREFIX_TYPE.N.log, or PREFIX_TYPE.log when jobs share it. */
static int log_path(struct draft *d, const struct plan_worker *w, const char *prefix,
	enum plan_log_kind kind, struct plan_log *l, struct err *reterr)
{
	const char *infix = plan_log_names[kind].infix;
	const char *name = *prefix ? prefix : w->name;
	bool binary = kind == PLAN_LOG_BINARY;
	const char *end = !binary ? "log" : l->zstd ? "bin.zst" : "bin";

	if (l->append && !binary)
		l->path[kind] = arena_printf(&d->plan->arena, "%s_%s.%s", name, infix, end);
	else
		l->path[kind] = arena_printf(&d->plan->arena, "%s_%s.%u.%s", name, infix,
			w->index + 1, end);
	if (!l->path[kind])
		return err_set(reterr, -ENOMEM, "out of memory for the names of logs");
	l->any = true;
	return 0;
}

static int log_paths(struct draft *d, const struct plan_worker *w, const struct log_opts *o,
	struct plan_log *l, struct err *reterr)
{
	const struct plan_measure *m = &w->measure;
	const struct {
		const char *prefix;
		bool wanted;
	} logs[PLAN_LOGS] = {
		[PLAN_LOG_BW] = {o->bw, true},
		[PLAN_LOG_IOPS] = {o->iops, true},
		[PLAN_LOG_SLAT] = {o->lat, !m->no_slat},
		[PLAN_LOG_CLAT] = {o->lat, m->clat},
		[PLAN_LOG_LAT] = {o->lat, m->lat},
		[PLAN_LOG_HIST] = {o->hist, true},
		[PLAN_LOG_BINARY] = {o->binary, true},
	};

	for (int k = 0; k < PLAN_LOG_ISSUES; k++) {
		if (!logs[k].prefix || !logs[k].wanted)
			continue;
		int rc = log_path(d, w, logs[k].prefix, (enum plan_log_kind)k, l, reterr);
		if (rc < 0)
			return rc;
	}
	return 0;
}

/* What lines need: times, and for some a figure that the job measures. */
static void log_feed(const struct plan_worker *w, struct plan_log *l)
{
	const struct plan_measure *m = &w->measure;
	bool timed = m->lat || m->clat || m->slat;
	const bool fed[PLAN_LOGS] = {
		[PLAN_LOG_BW] = timed && !m->style->no_bw,
		[PLAN_LOG_IOPS] = timed,
		[PLAN_LOG_SLAT] = m->slat,
		[PLAN_LOG_CLAT] = m->clat,
		[PLAN_LOG_LAT] = m->lat,
		[PLAN_LOG_HIST] = m->clat && l->hist_ns,
		[PLAN_LOG_BINARY] = timed,
		[PLAN_LOG_ISSUES] = true,
	};

	for (int k = 0; k < PLAN_LOGS; k++) {
		l->fed[k] = l->path[k] && fed[k];
		if (!l->fed[k] || k == PLAN_LOG_ISSUES)
			continue;
		if (k == PLAN_LOG_HIST)
			l->hist = true;
		else if (k == PLAN_LOG_BINARY || !l->window_ns)
			l->each = true;
		else
			l->windows = true;
	}
}

/* All sizes and offsets of W are multiples of 2^this; at most of 1 MiB. */
static uint32_t log_unit_shift(const struct plan_worker *w)
{
	const struct pattern_spec *p = &w->pattern;
	uint64_t all = UINT64_C(1) << 20;

	for (int i = 0; i < DIRS; i++) {
		const struct size_spec *size = &p->size[i];
		if (!p->use[i])
			continue;
		all |= size->unaligned ? 1 : size->min;
		all |= p->align[i];
		for (uint32_t k = 0; k < size->splits_count; k++)
			all |= size->splits[k].bytes;
	}
	for (uint32_t i = 0; i < p->regions_count; i++)
		all |= p->regions[i].start;
	return (uint32_t)__builtin_ctzll(all);
}

#define LOG_RING_EACH    (4u << 20)
#define LOG_RING_WINDOWS (256u << 10)
#define LOG_RINGS_MAX    (256ull << 20) /* of all workers together, if they are many */

static uint32_t log_ring_bytes(const struct draft *d, const struct plan_log *l)
{
	uint64_t share = LOG_RINGS_MAX / MAX_OF(d->plan->workers_count, 1u);
	uint32_t most = l->each || l->fed[PLAN_LOG_ISSUES] ? LOG_RING_EACH : LOG_RING_WINDOWS;

	while (most > LOG_RING_WINDOWS && most > share)
		most /= 2;
	return most;
}

static int log_derive(struct draft *d, struct plan_worker *w, const void *block,
	struct err *reterr)
{
	const struct log_opts *o = block;
	struct plan_log *l = &w->log;

	*l = (struct plan_log){
		.append = !o->per_job,
		.offset = o->offset,
		.prio = o->prio,
		.issue_time = o->issue_time,
		.value = (enum plan_log_value)o->value,
		.epoch = o->epoch,
		.epoch_clock = o->epoch_clock,
		.window_ns = o->window_ns,
		.hist_ns = o->hist_ns,
		.coarseness = o->coarseness,
		.zstd = o->zstd,
	};
	int rc = log_paths(d, w, o, l, reterr);
	if (rc == 0 && o->issues)
		rc = log_iolog_path(d, w, o->issues, reterr);
	if (rc < 0 || !l->any)
		return rc;
	log_feed(w, l);
	l->unit_shift = log_unit_shift(w);
	if (l->each || l->windows || l->hist || l->fed[PLAN_LOG_ISSUES])
		l->ring_bytes = log_ring_bytes(d, l);
	return 0;
}

const struct part log_part = {
	.group = &log_group,
	.rules = log_rules,
	.rules_count = COUNT_OF(log_rules),
	.derive = log_derive,
};
