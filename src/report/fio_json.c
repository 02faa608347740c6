/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* fio's JSON: prints the result top to bottom, key by key, in the order and with
 * the number kinds of 3.42 (an int here is an int there).  weir's own objects are
 * in weir_json.c and come only in the native face. */
#include "report/json_parts.h"

#include "base/bits.h"
#include "base/json.h"
#include "report/report.h"
#include "report/scaled.h"
#include "result/result.h"
#include "result/style.h"

#include <stdio.h>
#include <math.h>
#include <string.h>

#define ETA_UNKNOWN INT64_C(2147483647) /* fio's, also for every run younger than 3 s */
#define ETA_FROM_S  3

/* ---- latencies ---- */

static void json_percentiles(struct json *j, const struct latency *l,
	const struct result_style *style)
{
	uint32_t n = MIN_OF(style->percentiles_count, (uint32_t)LIMIT_PERCENTILES);

	json_object(j, "percentile");
	for (uint32_t i = 0; i < n; i++) {
		char key[32];
		uint64_t ns;
		if (!fio_find(l, style->percentiles[i], &ns))
			continue;
		snprintf(key, sizeof(key), "%f", style->percentiles[i]);
		json_uint(j, key, ns);
	}
	json_object_end(j);
}

/* Of json+: bins that hold something, by their value; together they are N. */
static void json_bins(struct json *j, const struct latency *l)
{
	const struct histogram *h = &l->histogram;
	const uint32_t last = HISTOGRAM_FIO_BINS - 1;
	uint64_t beyond = 0;

	json_object(j, "bins");
	for (uint32_t i = h->lo; i <= h->hi; i++) {
		char key[32];
		if (i >= last)
			beyond += h->bins[i];
		if (i >= last || !h->bins[i])
			continue;
		snprintf(key, sizeof(key), "%llu", (unsigned long long)histogram_bin_mid(i));
		json_uint(j, key, h->bins[i]);
	}
	if (beyond) {
		char key[32];
		snprintf(key, sizeof(key), "%llu", (unsigned long long)histogram_bin_mid(last));
		json_uint(j, key, beyond);
	}
	json_object_end(j);
}

static void json_latency(struct json *j, const char *key, const struct latency *l,
	bool percentiles, const struct result_style *style, bool bins)
{
	static const struct latency none;
	bool any = latency_any(l);
	const struct moments *m = any ? &l->moments : &none.moments;

	json_object(j, key);
	json_uint(j, "min", m->min);
	json_uint(j, "max", m->max);
	json_double(j, "mean", MAX_OF(latency_mean(any ? l : &none), 0.0));
	json_double(j, "stddev", MAX_OF(latency_stddev(any ? l : &none), 0.0));
	if (!any || !l->told || l->told->counted)
		json_uint(j, "N", m->count);
	if (percentiles && any && style->percentiles_count && (!l->told || l->told->count))
		json_percentiles(j, l, style);
	if (bins && percentiles && any && l->histogram.count)
		json_bins(j, l);
	json_object_end(j);
}

/* ---- one direction ---- */

static void json_samples(struct json *j, const struct result *r, const struct result_row *row,
	int dir)
{
	static const struct result_dir_told all = {.bw = true, .bw_count = true, .iops = true};
	const struct samples *bw = &row->dir[dir].bw, *iops = &row->dir[dir].iops;
	const struct result_dir_told *has = row->dir[dir].told ? row->dir[dir].told : &all;

	if (!has->bw)
		return;
	json_uint(j, "bw_min", (uint64_t)(bw->min / 1024));
	json_uint(j, "bw_max", (uint64_t)(bw->max / 1024));
	json_double(j, "bw_agg", fio_bw_percent(r, row, dir));
	json_double(j, "bw_mean", bw->mean / 1024);
	json_double(j, "bw_dev", bw->stddev / 1024);
	if (has->bw_count)
		json_uint(j, "bw_samples", bw->count);
	if (!has->iops)
		return;
	json_uint(j, "iops_min", (uint64_t)iops->min);
	json_uint(j, "iops_max", (uint64_t)iops->max);
	json_double(j, "iops_mean", iops->mean);
	json_double(j, "iops_stddev", iops->stddev);
	json_uint(j, "iops_samples", iops->count);
}

/* Where there are two priorities at least. */
static void json_prios(struct json *j, const struct result_dir *d,
	const struct result_style *style, bool bins)
{
	if (d->prios_count < 2)
		return;
	json_array(j, "prios");
	for (uint32_t i = 0; i < d->prios_count; i++) {
		uint16_t v = d->prios[i].value;
		json_object(j, NULL);
		json_uint(j, "prioclass", v >> 13);
		json_uint(j, "prio", v & 7u);
		json_uint(j, "priohint", v >> 3 & 1023u);
		json_latency(j, d->prios_of_lat ? "lat_ns" : "clat_ns", d->prios[i].latency,
			d->prios_of_lat ? style->lat_percentiles : style->clat_percentiles,
			style, bins);
		json_object_end(j);
	}
	json_array_end(j);
}

static void json_direction(struct json *j, const struct result *r, const struct result_row *row,
	int dir, bool bins)
{
	const struct result_dir *d = &row->dir[dir];
	if (d->told && !d->told->present)
		return;
	const struct result_style *style = fio_style(row);
	uint64_t ms = d->ios || d->bytes ? result_runtime_ms(d) : 0;
	uint64_t bw = ms ? mul_div(d->bytes, 1000, ms) : 0;

	json_object(j, result_dir_name(dir));
	json_uint(j, "io_bytes", d->bytes);
	json_uint(j, "io_kbytes", d->bytes >> 10);
	json_uint(j, "bw_bytes", bw);
	json_uint(j, "bw", bw >> 10);
	json_double(j, "iops", fio_iops(d));
	json_uint(j, "runtime", ms);
	if (!d->told || d->told->issued) {
		json_uint(j, "total_ios", d->issued);
		json_uint(j, "short_ios", d->short_ios);
		json_uint(j, "drop_ios", d->dropped);
	}
	json_latency(j, "slat_ns", d->slat, style->slat_percentiles, style, bins);
	json_latency(j, "clat_ns", d->clat, style->clat_percentiles, style, bins);
	json_latency(j, "lat_ns", d->lat, style->lat_percentiles, style, bins);
	json_prios(j, d, style, bins);
	json_samples(j, r, row, dir);
	json_object_end(j);
}

static void json_sync(struct json *j, const struct result_row *row, bool bins)
{
	const struct result_style *style = fio_style(row);

	if (row->told && !row->told->syncs)
		return;
	json_object(j, "sync");
	json_uint(j, "total_ios", row->syncs);
	json_latency(j, "lat_ns", row->sync, style->clat_percentiles || style->lat_percentiles,
		style, bins);
	json_object_end(j);
}

/* ---- cpu and distributions ---- */

static void json_cpu(struct json *j, const struct result_row *row)
{
	const struct result_cpu *cpu = &row->cpu;
	double user, system;

	fio_cpu(row, &user, &system);
	if (!row->told || row->told->cpu_ms)
		json_uint(j, "job_runtime", (uint64_t)row->cpu_runtime_ms);
	if (!row->told || row->told->user_percent >= 0)
		json_double(j, "usr_cpu", user);
	if (!row->told || row->told->system_percent >= 0)
		json_double(j, "sys_cpu", system);
	if (row->told && !row->told->faults)
		return;
	json_uint(j, "ctx", cpu->switches_voluntary + cpu->switches_involuntary);
	json_uint(j, "majf", cpu->faults_major);
	json_uint(j, "minf", cpu->faults_minor);
}

struct buckets {
	const char *key, *const *labels;
	const double *told;
	const uint64_t *counts;
	uint32_t n;
	uint64_t total;
	double least; /* what a count that is there shows as at least */
};

static void json_buckets(struct json *j, const struct result_row *row, const struct buckets *b)
{
	if (!fio_has(row, b->told))
		return;
	json_object(j, b->key);
	for (uint32_t i = 0; i < b->n; i++)
		json_double(j, b->labels[i],
			fio_share(b->told, b->counts, i, b->total, b->least));
	json_object_end(j);
}

static const struct result_told told_none;

static uint64_t sum_of(const uint64_t *counts, uint32_t n)
{
	uint64_t sum = 0;
	for (uint32_t i = 0; i < n; i++)
		sum += counts[i];
	return sum;
}

static void json_depths(struct json *j, const struct result_row *row)
{
	static const char *const depths[] = {"1", "2", "4", "8", "16", "32", ">=64"};
	static const char *const batches[] = {"0", "4", "8", "16", "32", "64", ">=64"};

	const struct result_told *t = row->told ? row->told : &told_none;
	const struct buckets all[] = {
		{"iodepth_level", depths, t->depths, row->depths, RESULT_DEPTHS,
			fio_issued(row), 0.1},
		{"iodepth_submit", batches, t->submits, row->submits, RESULT_DEPTHS,
			sum_of(row->submits, RESULT_DEPTHS), 0.1},
		{"iodepth_complete", batches, t->completes, row->completes, RESULT_DEPTHS,
			sum_of(row->completes, RESULT_DEPTHS), 0.1},
	};

	for (size_t i = 0; i < COUNT_OF(all); i++)
		json_buckets(j, row, &all[i]);
}

static void json_spread(struct json *j, const struct result_row *row)
{
	static const char *const labels[] = {"2", "4", "10", "20", "50", "100", "250", "500",
		"750", "1000", "2000", ">=2000"};
	const struct latency_spread *s = &row->spread;
	uint64_t issued = fio_issued(row);

	const struct result_told *t = row->told ? row->told : &told_none;
	const struct buckets all[] = {
		{"latency_ns", labels, t->ns, s->ns, COUNT_OF(s->ns), issued, 0.01},
		{"latency_us", labels, t->us, s->us, COUNT_OF(s->us), issued, 0.01},
		{"latency_ms", labels, t->ms, s->ms, COUNT_OF(s->ms), issued, 0.01},
	};

	for (size_t i = 0; i < COUNT_OF(all); i++)
		json_buckets(j, row, &all[i]);
}

/* ---- one job ---- */

/* Said again further on: that one counts. */
static bool said_again(const struct result_option *options, uint32_t count, uint32_t i)
{
	for (uint32_t later = i + 1; later < count; later++)
		if (!strcmp(options[later].name, options[i].name))
			return true;
	return false;
}

/* Each name once, as strict readers want it; fio has an option that is said twice
 * twice. */
static void json_options(struct json *j, const char *key, const struct result_option *options,
	uint32_t count)
{
	json_object(j, key);
	for (uint32_t i = 0; i < count; i++)
		if (!said_again(options, count, i))
			json_text(j, options[i].name, options[i].value ? options[i].value : "");
	json_object_end(j);
}

/* fio keeps the old names of the two beside the new ones; the figures are the same. */
static void json_goal(struct json *j, const struct result_row *row)
{
	const struct result_style *style = fio_style(row);

	if (row->told && !row->told->goal)
		return;
	json_uint(j, "latency_depth", row->goal_depth ? row->goal_depth : row->depth_asked);
	json_uint(j, "latency_target", style->goal_ns);
	json_uint(j, "latency_target_ns", style->goal_ns);
	json_double(j, "latency_percentile", style->goal_ns ? style->goal_percent : 100.0);
	json_uint(j, "latency_window", style->goal_window_ns / NS_PER_US);
	json_uint(j, "latency_window_us", style->goal_window_ns / NS_PER_US);
}

static void json_settled(struct json *j, const char *key, const struct result_steady *s,
	enum steady_figure figure)
{
	json_array(j, key);
	for (uint32_t i = 0; i < s->count; i++)
		json_uint(j, NULL, (uint64_t)(s->v[figure][i] + 0.5));
	json_array_end(j);
}

/* Means are of the samples there are: fio divides by those that there should be. */
static void json_steady(struct json *j, const struct result_steady *s)
{
	const double *v = s->v[s->rule.figure];
	double criterion = result_steady_criterion(s);
	char text[64];

	snprintf(text, sizeof(text), "%f%s", isnan(criterion) ? 0 : criterion,
		s->rule.percent ? "%" : "");
	json_object(j, "steadystate");
	json_text(j, "ss", s->text);
	json_uint(j, "duration", s->window_ns / NS_PER_S);
	json_uint(j, "attained", s->attained);
	json_text(j, "criterion", text);
	json_double(j, "max_deviation", s->rule.slope ? 0 : steady_deviation(v, s->count));
	json_double(j, "slope", s->rule.slope ? steady_slope(v, s->count) : 0);
	json_object(j, "data");
	json_uint(j, "bw_mean", (uint64_t)(result_steady_mean(s, STEADY_BW) + 0.5));
	json_uint(j, "iops_mean", (uint64_t)(result_steady_mean(s, STEADY_IOPS) + 0.5));
	if (s->rule.figure == STEADY_LAT) {
		json_uint(j, "lat_mean", (uint64_t)(result_steady_mean(s, STEADY_LAT) + 0.5));
		json_settled(j, "lat_ns", s, STEADY_LAT);
	}
	json_settled(j, "iops", s, STEADY_IOPS);
	json_settled(j, "bw", s, STEADY_BW);
	json_object_end(j);
	json_object_end(j);
}

static void json_tail(struct json *j, const struct result_row *row)
{
	if (row->continued_on_error) {
		json_uint(j, "total_err", row->total_errors);
		json_int(j, "first_error", row->first_error);
	}
	json_goal(j, row);
	if (row->description && *row->description)
		json_text(j, "desc", row->description);
	if (row->steady)
		json_steady(j, row->steady);
}

static void json_job(struct json *j, const struct result *r, const struct result_row *row,
	const struct report_how *how)
{
	json_object(j, NULL);
	json_text(j, "jobname", row->name);
	json_uint(j, "groupid", row->group);
	if (row->job_start_ms || !row->told || row->told->native)
		json_uint(j, "job_start", row->job_start_ms);
	json_int(j, "error", fio_error(row));
	if (r->elapsed_s) { /* 0: imported, and not said */
		json_int(j, "eta", r->elapsed_s < ETA_FROM_S ? ETA_UNKNOWN : 0);
		json_uint(j, "elapsed", r->elapsed_s);
	}
	if (row->options)
		json_options(j, "job options", row->options, row->options_count);
	for (int dir = 0; dir < RESULT_DIRS; dir++) {
		if (dir == RESULT_MIXED && result_shows(row, DIR_READ))
			json_sync(j, row, how->bins); /* not with `mixed` alone, as in fio */
		if (result_shows(row, dir))
			json_direction(j, r, row, dir, how->bins);
	}
	json_cpu(j, row);
	json_depths(j, row);
	json_spread(j, row);
	json_tail(j, row);
	if (how->native)
		weir_json_job(j, r, row);
	json_object_end(j);
}

/* ---- disks ---- */

static void json_counters(struct json *j, const struct result_disk_counters *c, bool sectors)
{
	json_uint(j, "read_ios", c->ios[0]);
	json_uint(j, "write_ios", c->ios[1]);
	if (sectors) {
		json_uint(j, "read_sectors", c->sectors[0]);
		json_uint(j, "write_sectors", c->sectors[1]);
	}
	json_uint(j, "read_merges", c->merges[0]);
	json_uint(j, "write_merges", c->merges[1]);
	json_uint(j, "read_ticks", c->ticks_ms[0]);
	json_uint(j, "write_ticks", c->ticks_ms[1]);
	json_uint(j, "in_queue", c->in_queue_ms);
	json_double(j, "util", c->util_percent);
}

static void json_below(struct json *j, const struct result_disk *d)
{
	const struct result_disk_counters *c = &d->mean;

	json_uint(j, "aggr_read_ios", c->ios[0]);
	json_uint(j, "aggr_write_ios", c->ios[1]);
	if (!d->no_sectors) {
		json_uint(j, "aggr_read_sectors", c->sectors[0]);
		json_uint(j, "aggr_write_sectors", c->sectors[1]);
	}
	json_uint(j, "aggr_read_merges", c->merges[0]);
	json_uint(j, "aggr_write_merge", c->merges[1]); /* singular: fio's spelling */
	json_uint(j, "aggr_read_ticks", c->ticks_ms[0]);
	json_uint(j, "aggr_write_ticks", c->ticks_ms[1]);
	json_uint(j, "aggr_in_queue", c->in_queue_ms);
	json_double(j, "aggr_util", d->util_max);
}

/* --idle-prof */
static void json_idle(struct json *j, const struct result *r)
{
	const struct result_idle *idle = &r->idle;

	if (!idle->given)
		return;
	json_object(j, "cpu_idleness");
	json_double(j, "system", idle->system);
	for (uint32_t i = 0; idle->cpu && i < idle->cpus; i++) {
		char key[32];
		if (idle->cpu[i] < 0)
			continue;
		snprintf(key, sizeof(key), "cpu-%u", i);
		json_double(j, key, idle->cpu[i]);
	}
	json_double(j, "unit_mean", idle->unit_mean_us);
	json_double(j, "unit_stddev", idle->unit_stddev_us);
	json_object_end(j);
}

static void json_disks(struct json *j, const struct result *r)
{
	if (!r->disks_count)
		return;
	json_array(j, "disk_util");
	for (uint32_t i = 0; i < r->disks_count; i++) {
		json_object(j, NULL);
		json_text(j, "name", r->disks[i].name);
		json_counters(j, &r->disks[i].own, !r->disks[i].no_sectors);
		if (r->disks[i].slaves)
			json_below(j, &r->disks[i]);
		json_object_end(j);
	}
	json_array_end(j);
}

/* ---- the document ---- */

static void json_head(struct json *j, const struct result *r, const struct report_how *how)
{
	char date[64];

	fio_date(r->time_ms, date, sizeof(date));
	json_text(j, "fio version", how->native ? REPORT_FIO_VERSION : how->version);
	if (r->time_ms) { /* 0: imported, and not said */
		json_uint(j, "timestamp", r->time_ms / 1000);
		json_uint(j, "timestamp_ms", r->time_ms);
		json_text(j, "time", date);
	}
	if (r->globals_count)
		json_options(j, "global options", r->globals, r->globals_count);
}

static void fio_json_print(const struct result *r, const struct report_how *how,
	struct str *out)
{
	struct json j;

	json_init(&j, out, JSON_FIO);
	json_object(&j, NULL);
	json_head(&j, r, how);
	json_array(&j, "jobs");
	for (uint32_t i = 0; i < r->rows_count; i++)
		if (!result_row_hidden(&r->rows[i]))
			json_job(&j, r, &r->rows[i], how);
	json_array_end(&j);
	json_disks(&j, r);
	json_idle(&j, r);
	if (how->native)
		weir_json_run(&j, r, how);
	else if (r->messages_count && !how->stdout_is_mixed && !result_is_clean(r))
		weir_json_messages(&j, r);
	json_object_end(&j);
}

const struct report_format report_json = {
	.name = "json",
	.machine = true,
	.print = fio_json_print,
};
