/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* fio's JSON and JSON+ of 2.1 to 3.42, `jobs` or client mode's `client_stats`.
 * The era shows in the keys: `clat` is in us, `clat_ns` in ns; without `io_kbytes`
 * io_bytes may be KiB, which bw and runtime tell. */
#include "base/bits.h"
#include "result/import_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
		import_json_direction(in, of, &row->dir[dir], style);
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
	row->sync = import_json_latency(in, sync, "lat", &none);
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
