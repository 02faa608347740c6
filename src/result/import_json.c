/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* fio's JSON and JSON+ of 2.1 to 3.42, `jobs` or client mode's `client_stats`.
 * The era shows in the keys: `clat` is in us, `clat_ns` in ns; without `io_kbytes`
 * io_bytes may be KiB, which bw and runtime tell. */
#include "base/bits.h"
#include "result/import_parts.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- latencies ---- */

static void read_percentiles(struct import *in, const struct json_value *list,
	struct latency *l, uint64_t unit_ns)
{
	for (const struct json_value *v = list ? list->first : NULL; v; v = v->next) {
		char *end;
		double percent = strtod(v->key, &end);
		if (*end || !(percent > 0) || percent > 100 || !v->is_whole)
			continue; /* "0.00": places that old versions didn't fill */
		import_point(in, l, percent, mul_capped(v->whole, unit_ns));
	}
}

/* Bins are believed when each key is the value of a bin, they are as many as the
 * samples, and the percentiles beside them come out of them.  (fio had other keys
 * in its first JSON+.) */
static bool bins_hold(const struct histogram *h, const struct latency *l)
{
	if (l->told->counted && h->count != l->moments.count)
		return false;
	for (uint32_t i = 0; i < l->told->count; i++) {
		const struct latency_point *p = &l->told->points[i];
		uint64_t ns = histogram_quantile(h, p->percent / 100);
		bool clamped = p->ns == l->moments.min || p->ns == l->moments.max;
		if (ns != p->ns && !clamped)
			return false;
	}
	return h->count > 0;
}

static void read_bins(const struct json_value *bins, struct latency *l)
{
	struct histogram *h = &l->histogram;

	for (const struct json_value *v = bins ? bins->first : NULL; v; v = v->next) {
		char *end;
		uint64_t ns = strtoull(v->key, &end, 10);
		bool fits = !*end && v->is_whole && v->whole &&
			    histogram_bin_mid(histogram_bin(ns)) == ns &&
			    h->count + v->whole > h->count;
		if (!fits) {
			histogram_reset(h);
			return;
		}
		histogram_record_bin(h, histogram_bin(ns), v->whole);
	}
	if (!bins_hold(h, l))
		histogram_reset(h);
}

/* NULL when nothing was measured. */
static struct latency *read_latency(struct import *in, const struct json_value *from,
	uint64_t unit_ns)
{
	uint64_t n = 0, least = 0, most = 0;
	double mean = 0, stddev = -1;

	if (!from)
		return NULL;
	bool counted = import_whole(in, from, "N", &n);
	bool any = import_whole(in, from, "max", &most);
	import_whole(in, from, "min", &least);
	any &= import_real(in, from, "mean", &mean);
	import_real(in, from, "stddev", &stddev);
	if (!any || (counted ? !n : !most && !(mean > 0)))
		return NULL;
	struct latency *l = import_latency(in);
	if (!l)
		return NULL;
	struct latency_told *told = import_told(l);
	told->counted = counted;
	told->mean = mean * (double)unit_ns;
	told->stddev = stddev < 0 ? -1 : stddev * (double)unit_ns;
	l->moments.count = n;
	l->moments.min = mul_capped(least, unit_ns);
	l->moments.max = mul_capped(most, unit_ns);
	read_percentiles(in, import_object(in, from, "percentile"), l, unit_ns);
	if (unit_ns == 1 && in->rc == 0)
		read_bins(import_object(in, from, "bins"), l);
	return l;
}

/* KIND_ns, or KIND in us. */
static struct latency *read_kind(struct import *in, const struct json_value *of,
	const char *kind, bool *ret_percentiles)
{
	char key[24];

	snprintf(key, sizeof(key), "%s_ns", kind);
	const struct json_value *from = import_object(in, of, key);
	uint64_t unit_ns = from ? 1 : NS_PER_US;
	if (!from)
		from = import_object(in, of, kind);
	*ret_percentiles |= json_get(from, "percentile") != NULL;
	return read_latency(in, from, unit_ns);
}

/* ---- a direction ---- */

static void read_samples(struct import *in, const struct json_value *of, const char *name,
	double unit, struct samples *ret)
{
	const struct {
		const char *tail;
		double *to;
	} fields[] = {{"min", &ret->min}, {"max", &ret->max}, {"mean", &ret->mean},
		{"dev", &ret->stddev}, {"stddev", &ret->stddev}};
	char key[32];

	for (size_t i = 0; i < COUNT_OF(fields); i++) {
		snprintf(key, sizeof(key), "%s_%s", name, fields[i].tail);
		if (import_real(in, of, key, fields[i].to))
			*fields[i].to *= unit;
	}
	snprintf(key, sizeof(key), "%s_samples", name);
	import_whole(in, of, key, &ret->count);
}

static void read_bytes(struct import *in, const struct json_value *of, struct result_dir *d,
	uint64_t runtime_ms)
{
	uint64_t kib_per_s = 0;

	if (!import_whole(in, of, "io_bytes", &d->bytes) || json_get(of, "io_kbytes"))
		return;
	import_whole(in, of, "bw", &kib_per_s);
	double kib = (double)kib_per_s * (double)runtime_ms / 1000;
	if ((double)d->bytes < kib * 32)
		d->bytes = mul_capped(d->bytes, 1024);
}

/* Digits behind the point of a number, as it is written. */
static unsigned decimals(const struct import *in, const struct json_value *v)
{
	const char *p = in->text + v->at;
	unsigned n = 0;

	p += strspn(p, "-0123456789");
	if (*p != '.')
		return 0;
	while (p[n + 1] >= '0' && p[n + 1] <= '9')
		n++;
	return n;
}

/* How many completed: fio has their rate over whole milliseconds, which gives the
 * count when it is written with enough digits. */
static void read_ios(struct import *in, const struct json_value *of, struct result_dir *d,
	uint64_t runtime_ms)
{
	struct result_dir_told *told = import_dir_told(d);
	const struct json_value *v = json_get(of, "iops");

	if (!import_real(in, of, "iops", &told->ios_per_s) || told->ios_per_s < 0)
		return;
	if (!d->bytes && !d->issued) {
		told->ios = true;
		return;
	}
	double ios = told->ios_per_s * (double)runtime_ms / 1000;
	double doubt = 0.5 * pow(10, -(double)decimals(in, v)) * (double)runtime_ms / 1000;
	if (v->is_whole || !runtime_ms || doubt > 0.4 || ios > 0x1p53 ||
		fabs(ios - nearbyint(ios)) > doubt + 1e-6 * (1 + ios / 1e9))
		return;
	d->ios = (uint64_t)llround(ios);
	told->ios = true;
}

static void read_prios(struct import *in, const struct json_value *of, struct result_dir *d)
{
	const struct json_value *list = import_array(in, of, "prios");

	if (!list)
		return;
	d->prios = import_alloc(in, RESULT_PRIOS * sizeof(*d->prios));
	for (const struct json_value *v = list->first; v && in->rc == 0; v = v->next) {
		uint64_t class = 0, level = 0, hint = 0;
		bool percentiles = false;
		import_whole(in, v, "prioclass", &class);
		import_whole(in, v, "prio", &level);
		import_whole(in, v, "priohint", &hint);
		d->prios_of_lat = json_get(v, "lat_ns");
		struct latency *l = read_kind(in, v, d->prios_of_lat ? "lat" : "clat",
			&percentiles);
		if (!l || d->prios_count == RESULT_PRIOS)
			continue;
		d->prios[d->prios_count++] = (struct result_prio){
			.value = (uint16_t)((class & 7) << 13 | (hint & 1023) << 3 |
					    (level & 7)),
			.latency = l,
		};
	}
}

static void read_direction(struct import *in, const struct json_value *of, struct result_dir *d,
	struct result_style *style)
{
	uint64_t ms = 0;

	if (!of)
		return;
	struct result_dir_told *told = import_dir_told(d);
	told->present = true;
	import_whole(in, of, "runtime", &ms);
	d->runtime_ns = mul_capped(ms, NS_PER_MS);
	told->issued = import_whole(in, of, "total_ios", &d->issued);
	import_whole(in, of, "short_ios", &d->short_ios);
	import_whole(in, of, "drop_ios", &d->dropped);
	read_bytes(in, of, d, ms);
	read_ios(in, of, d, ms);
	import_real(in, of, "bw_agg", &told->bw_percent);
	told->bw = json_get(of, "bw_mean");
	told->bw_count = json_get(of, "bw_samples");
	told->iops = json_get(of, "iops_mean");
	read_samples(in, of, "bw", 1024, &d->bw);
	read_samples(in, of, "iops", 1, &d->iops);
	d->slat = read_kind(in, of, "slat", &style->slat_percentiles);
	d->clat = read_kind(in, of, "clat", &style->clat_percentiles);
	d->lat = read_kind(in, of, "lat", &style->lat_percentiles);
	read_prios(in, of, d);
}

/* ---- a job ---- */

static void read_style(struct result_row *row, struct result_style *style)
{
	for (int dir = 0; dir < RESULT_DIRS; dir++) {
		import_style_take(style, row->dir[dir].clat);
		import_style_take(style, row->dir[dir].lat);
		import_style_take(style, row->dir[dir].slat);
	}
	import_style_take(style, row->sync);
	import_style_sort(style);
}

static const double *read_shares(struct import *in, const struct json_value *job,
	const char *key, const char *const *labels, uint32_t n)
{
	const struct json_value *from = import_object(in, job, key);
	double *shares = from ? import_alloc(in, n * sizeof(*shares)) : NULL;

	for (uint32_t i = 0; shares && i < n; i++)
		import_real(in, from, labels[i], &shares[i]);
	return shares;
}

static void read_distributions(struct import *in, const struct json_value *job,
	struct result_told *told)
{
	static const char *const depths[] = {"1", "2", "4", "8", "16", "32", ">=64"};
	static const char *const batches[] = {"0", "4", "8", "16", "32", "64", ">=64"};
	static const char *const spread[] = {"2", "4", "10", "20", "50", "100", "250", "500",
		"750", "1000", "2000", ">=2000"};

	told->depths = read_shares(in, job, "iodepth_level", depths, RESULT_DEPTHS);
	told->submits = read_shares(in, job, "iodepth_submit", batches, RESULT_DEPTHS);
	told->completes = read_shares(in, job, "iodepth_complete", batches, RESULT_DEPTHS);
	told->ns = read_shares(in, job, "latency_ns", spread, 10);
	told->us = read_shares(in, job, "latency_us", spread, 10);
	told->ms = read_shares(in, job, "latency_ms", spread, 12);
}

static void read_cpu(struct import *in, const struct json_value *job, struct result_row *row,
	struct result_told *told)
{
	uint64_t ms = 0;

	import_real(in, job, "usr_cpu", &told->user_percent);
	import_real(in, job, "sys_cpu", &told->system_percent);
	told->faults = import_whole(in, job, "ctx", &row->cpu.switches_voluntary);
	import_whole(in, job, "majf", &row->cpu.faults_major);
	import_whole(in, job, "minf", &row->cpu.faults_minor);
	if (!import_whole(in, job, "job_runtime", &ms))
		return;
	told->cpu_ms = told->user_percent >= 0 && told->system_percent >= 0;
	row->cpu_runtime_ms = (double)ms;
	row->cpu.user_ms = told->user_percent * (double)ms / 100;
	row->cpu.system_ms = told->system_percent * (double)ms / 100;
}

static const struct result_option *read_options(struct import *in,
	const struct json_value *from, uint32_t *ret_count)
{
	uint32_t n = 0;

	if (!from || from->kind != JSON_OBJECT)
		return NULL; /* of several servers: an array */
	for (const struct json_value *v = from->first; v; v = v->next)
		n++;
	struct result_option *options = import_alloc(in, n * sizeof(*options));
	for (const struct json_value *v = from->first; v && options; v = v->next) {
		if (v->kind != JSON_STRING)
			continue;
		options[(*ret_count)++] = (struct result_option){
			.name = import_copy(in, v->key), .value = import_copy(in, v->text)};
	}
	return options;
}

static const char *option_in(const struct result_option *options, uint32_t count,
	const char *name)
{
	const char *value = NULL;
	for (uint32_t i = 0; i < count; i++)
		if (options[i].name && !strcmp(options[i].name, name))
			value = options[i].value;
	return value;
}

static const char *option_of(const struct import *in, const struct result_row *row,
	const char *name)
{
	const char *value = option_in(row->options, row->options_count, name);
	return value ? value : option_in(in->r->globals, in->r->globals_count, name);
}

/* What the job was, by its options, where the document has them. */
static void read_what(struct import *in, struct result_row *row)
{
	const char *rw = option_of(in, row, "rw"), *bs = option_of(in, row, "bs");

	row->engine = option_of(in, row, "ioengine");
	if (rw && *rw && in->rc == 0)
		row->what = arena_printf(&in->r->arena, "%s%s%s", rw, bs ? " " : "",
			bs ? bs : "");
	if (option_of(in, row, "group_reporting"))
		row->members = 0; /* any number of them */
}

/* fio wrote targets in us before it wrote ns in the keys of latencies. */
static void read_goal(struct import *in, const struct json_value *job, struct result_row *row,
	struct result_style *style)
{
	uint64_t depth = 0, target = 0, window_us = 0;
	bool old = json_get(json_get(job, "read"), "clat") != NULL;

	import_whole(in, job, "latency_depth", &depth);
	import_row_told(row)->goal = import_whole(in, job, "latency_target", &target);
	import_whole(in, job, "latency_window", &window_us);
	style->goal_ns = mul_capped(target, old ? NS_PER_US : 1);
	style->goal_window_ns = mul_capped(window_us, NS_PER_US);
	import_real(in, job, "latency_percentile", &style->goal_percent);
	depth = MIN_OF(depth, (uint64_t)UINT32_MAX);
	if (target)
		row->goal_depth = (uint32_t)depth;
	else
		row->depth_asked = (uint32_t)depth;
}

static void read_directions(struct import *in, const struct json_value *job,
	struct result_row *row, struct result_style *style)
{
	bool any = false;

	for (int dir = 0; dir < RESULT_DIRS; dir++) {
		const struct json_value *of = import_object(in, job, result_dir_name(dir));
		read_direction(in, of, &row->dir[dir], style);
		row->runtime_ns = MAX_OF(row->runtime_ns, row->dir[dir].runtime_ns);
		if (dir < DIRS)
			any |= of != NULL;
		else if (of)
			style->unified = any ? UNIFIED_BOTH : UNIFIED_MIXED;
	}
}

static void read_host(struct import *in, const struct json_value *job,
	const struct result_row *row)
{
	const char *host = import_string(in, job, "hostname");
	uint64_t port = 0;

	if (!host || import_row_is_sum(row) || !import_whole(in, job, "port", &port))
		return;
	if (result_note_add(in->r, "host", NOTE_INFO, row->name, "ran on %s:%llu", host,
		    (unsigned long long)port) < 0)
		import_no_memory(in);
}

static void read_job(struct import *in, const struct json_value *job, struct result_row *row)
{
	struct result *r = in->r;
	uint64_t group = 0;
	bool none = false;

	if (job->kind != JSON_OBJECT) {
		import_fault(in, job, "an object for each job");
		return;
	}
	import_row_init(in, row);
	if (in->rc < 0)
		return;
	struct result_style *style = (struct result_style *)(uintptr_t)row->style;
	const char *name = import_string(in, job, "jobname");
	row->name = name ? name : "";
	import_whole(in, job, "groupid", &group);
	row->group = (uint32_t)group;
	import_whole(in, job, "job_start", &row->job_start_ms);
	import_int(in, job, "error", &row->error);
	import_whole(in, job, "elapsed", &r->elapsed_s);
	row->options = read_options(in, import_object(in, job, "job options"),
		&row->options_count);
	read_what(in, row);
	read_directions(in, job, row, style);
	const struct json_value *sync = import_object(in, job, "sync");
	import_row_told(row)->syncs = import_whole(in, sync, "total_ios", &row->syncs);
	row->sync = read_kind(in, sync, "lat", &none);
	read_cpu(in, job, row, import_row_told(row));
	read_distributions(in, job, import_row_told(row));
	row->continued_on_error = import_whole(in, job, "total_err", &row->total_errors);
	import_int(in, job, "first_error", &row->first_error);
	read_goal(in, job, row, style);
	row->description = import_string(in, job, "desc");
	import_json_steady(in, import_object(in, job, "steadystate"), row);
	read_style(row, style);
	read_host(in, job, row);
	import_weir_row(in, job, row);
}

/* ---- the run ---- */

static void read_counters(struct import *in, const struct json_value *of, const char *prefix,
	struct result_disk_counters *c, double *util)
{
	const struct {
		const char *key;
		uint64_t *to;
	} fields[] = {{"read_ios", &c->ios[0]}, {"write_ios", &c->ios[1]},
		{"read_sectors", &c->sectors[0]}, {"write_sectors", &c->sectors[1]},
		{"read_merges", &c->merges[0]}, {"write_merges", &c->merges[1]},
		{"write_merge", &c->merges[1]}, {"read_ticks", &c->ticks_ms[0]},
		{"write_ticks", &c->ticks_ms[1]}, {"in_queue", &c->in_queue_ms}};
	char key[40];

	for (size_t i = 0; i < COUNT_OF(fields); i++) {
		snprintf(key, sizeof(key), "%s%s", prefix, fields[i].key);
		import_whole(in, of, key, fields[i].to);
	}
	snprintf(key, sizeof(key), "%sutil", prefix);
	import_real(in, of, key, util);
}

static uint32_t members_of(const struct json_value *list)
{
	uint32_t n = 0;
	for (const struct json_value *v = list ? list->first : NULL; v; v = v->next)
		n++;
	return n;
}

static void read_disks(struct import *in, const struct json_value *list)
{
	struct result *r = in->r;

	if (!list)
		return;
	r->disks = import_alloc(in, members_of(list) * sizeof(*r->disks));
	for (const struct json_value *v = list->first; v && in->rc == 0; v = v->next) {
		struct result_disk *d = &r->disks[r->disks_count];
		d->name = import_string(in, v, "name");
		if (!d->name)
			continue;
		read_counters(in, v, "", &d->own, &d->own.util_percent);
		read_counters(in, v, "aggr_", &d->mean, &d->util_max);
		d->no_sectors = !json_get(v, "read_sectors");
		d->slaves = json_get(v, "aggr_util") != NULL;
		r->disks_count++;
	}
}

#define CPU_MAX 65536u

static void read_idle(struct import *in, const struct json_value *of)
{
	struct result_idle *idle = &in->r->idle;
	uint32_t cpus = 0;

	if (!of)
		return;
	idle->given = true;
	import_real(in, of, "system", &idle->system);
	import_real(in, of, "unit_mean", &idle->unit_mean_us);
	import_real(in, of, "unit_stddev", &idle->unit_stddev_us);
	for (const struct json_value *v = of->first; v; v = v->next)
		if (!strncmp(v->key, "cpu-", 4))
			cpus = MAX_OF(cpus,
				(uint32_t)strtoul(v->key + 4, NULL, 10) % CPU_MAX + 1);
	double *cpu = cpus ? import_alloc(in, cpus * sizeof(*cpu)) : NULL;
	if (!cpu)
		return;
	for (uint32_t i = 0; i < cpus; i++)
		cpu[i] = -1;
	for (const struct json_value *v = of->first; v; v = v->next)
		if (!strncmp(v->key, "cpu-", 4) && v->kind == JSON_NUMBER)
			cpu[strtoul(v->key + 4, NULL, 10) % CPU_MAX] = v->real;
	idle->cpu = cpu;
	idle->cpus = cpus;
}

static void read_time(struct import *in, const struct json_value *doc)
{
	uint64_t seconds = 0;

	if (import_whole(in, doc, "timestamp", &seconds))
		in->r->time_ms = mul_capped(seconds, 1000);
	import_whole(in, doc, "timestamp_ms", &in->r->time_ms);
}

void import_json(struct import *in, const struct json_value *doc)
{
	struct result *r = in->r;
	const struct json_value *jobs = import_array(in, doc, "jobs");

	if (!jobs)
		jobs = import_array(in, doc, "client_stats");
	r->final = true;
	r->source = import_string(in, doc, "fio version");
	read_time(in, doc);
	const struct json_value *globals = json_get(doc, "global options");
	r->globals = read_options(in, globals, &r->globals_count);
	uint32_t n = members_of(jobs);
	r->rows = import_alloc(in, n * sizeof(*r->rows));
	for (const struct json_value *v = jobs ? jobs->first : NULL; v && in->rc == 0;
		v = v->next)
		read_job(in, v, &r->rows[r->rows_count++]);
	read_disks(in, import_array(in, doc, "disk_util"));
	read_idle(in, import_object(in, doc, "cpu_idleness"));
	import_weir_run(in, doc);
}
