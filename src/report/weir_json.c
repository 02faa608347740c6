/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* weir's own objects in the JSON of the native face.  Units are in the keys. */
#include "report/json_parts.h"

#include "base/bits.h"
#include "base/json.h"
#include "report/checks.h"
#include "report/environment.h"
#include "report/figures.h"
#include "report/report.h"
#include "report/watch.h"
#include "result/notes/notes.h"
#include "result/result.h"
#include "result/work.h"

#include <stdlib.h>
#include <string.h>

/* ---- series ---- */

static uint64_t sparse_total(const struct series_sparse *s)
{
	uint64_t total = 0;
	for (uint32_t i = 0; i < s->count; i++)
		total += s->bins[i].count;
	return total;
}

/* The middle of the bin that holds the quantile; S is not empty. */
static uint64_t sparse_quantile(const struct series_sparse *s, double quantile)
{
	double want = quantile * (double)sparse_total(s);
	uint64_t seen = 0;
	uint32_t i = 0;

	for (; i + 1 < s->count; i++) {
		seen += s->bins[i].count;
		if ((double)seen >= want)
			break;
	}
	return histogram_bin_mid(s->bins[i].bin);
}

static void series_latency(struct json *j, const char *const keys[3],
	const struct series_sparse *s)
{
	if (!s->count)
		return;
	json_uint(j, keys[0], sparse_quantile(s, 0.5));
	json_uint(j, keys[1], sparse_quantile(s, 0.99));
	json_uint(j, keys[2], histogram_bin_mid(s->bins[s->count - 1].bin));
}

static void series_record(struct json *j, const struct series_record *record, int dir)
{
	static const char *const lat[] = {"lat_p50_ns", "lat_p99_ns", "lat_max_ns"};
	static const char *const response[] = {
		"response_p50_ns", "response_p99_ns", "response_max_ns"};

	json_object(j, dir_name((enum dir)dir));
	json_uint(j, "ios", record->ios[dir]);
	json_uint(j, "bytes", record->bytes[dir]);
	series_latency(j, lat, &record->lat[dir]);
	series_latency(j, response, &record->response[dir]);
	json_object_end(j);
}

static void job_series(struct json *j, const struct result_row *row)
{
	const struct series *s = &row->series;
	double interval_s = (double)s->interval_ns / (double)NS_PER_S;

	json_double(j, "series_interval_s", interval_s);
	json_array(j, "series");
	for (uint32_t i = 0; i < s->count; i++) {
		json_object(j, NULL);
		json_double(j, "t_s", (double)i * interval_s);
		for (int dir = 0; dir < DIRS; dir++)
			if (result_dir_used(&row->dir[dir]))
				series_record(j, &s->records[i], dir);
		json_object_end(j);
	}
	json_array_end(j);
}

/* ---- a job ---- */

static const char *end_name(enum result_end end)
{
	static const char *const names[] = {
		[END_DONE] = "done",
		[END_ERROR] = "error",
		[END_STOPPED] = "stopped",
		[END_KILLED] = "killed",
		[END_STUCK] = "stuck",
		[END_NOT_RUN] = "not run",
	};
	return names[end];
}

static void job_errors(struct json *j, const struct result_row *row)
{
	json_array(j, "errors");
	for (uint32_t i = 0; i < row->errors_count; i++) {
		const struct result_error *e = &row->errors[i];
		json_object(j, NULL);
		json_int(j, "errno", e->code);
		json_text(j, "text", e->code ? result_error_text(e->code) : "further kinds");
		if (e->code)
			json_text(j, "direction", dir_name(e->dir));
		json_uint(j, "count", e->count);
		json_object_end(j);
	}
	json_array_end(j);
}

static void replay_lateness(struct json *j, const struct result_row *row)
{
	struct latency *all = calloc(1, sizeof(*all));

	if (all && result_replay_lateness(row, all)) {
		json_object(j, "lateness_ns");
		json_double(j, "mean", latency_mean(all));
		json_uint(j, "p50", latency_quantile(all, 0.5));
		json_uint(j, "p90", latency_quantile(all, 0.9));
		json_uint(j, "p99", latency_quantile(all, 0.99));
		json_uint(j, "p99_9", latency_quantile(all, 0.999));
		json_uint(j, "max", all->moments.max);
		json_object_end(j);
	}
	free(all);
}

static double replay_rate(uint64_t count, uint64_t ns)
{
	return ns ? (double)count * 1e9 / (double)ns : 0;
}

/* How true a replay was to its trace. */
static void job_replay(struct json *j, const struct result_row *row)
{
	const struct result_replay *p = &row->replay;

	json_object(j, "replay");
	json_bool(j, "timed", p->timed);
	json_uint(j, "records", p->records);
	json_uint(j, "left_out", p->left_out);
	json_uint(j, "issued", p->issued);
	json_uint(j, "dropped", p->dropped);
	json_uint(j, "dry", p->dry);
	json_uint(j, "trace_ns", p->trace_ns);
	json_uint(j, "replay_ns", p->replay_ns);
	if (p->timed)
		json_double(j, "asked_per_s", replay_rate(p->issued + p->dropped, p->trace_ns));
	json_double(j, "reached_per_s", replay_rate(p->issued, p->replay_ns));
	replay_lateness(j, row);
	json_object_end(j);
}

static void text_or_empty(struct json *j, const char *key, const char *text)
{
	json_text(j, key, text ? text : "");
}

/* ---- targets ---- */

static void write_targets(struct json *j, const struct result_target *list, uint32_t count)
{
	json_array(j, "targets");
	for (uint32_t i = 0; i < count; i++) {
		struct result_row row = {0}; /* figures are read from rows */
		json_object(j, NULL);
		json_text(j, "target", list[i].path);
		for (int dir = 0; dir < DIRS; dir++) {
			const struct result_dir *d = &list[i].dir[dir];
			if (!d->ios && !d->errors && !latency_any(d->lat))
				continue;
			row.dir[dir] = *d;
			json_object(j, dir_name((enum dir)dir));
			figures_write_dir(j, &row, (enum dir)dir);
			json_object_end(j);
		}
		if (list[i].again_ios) {
			json_object(j, "verify");
			json_uint(j, "ios", list[i].again_ios);
			json_uint(j, "bytes", list[i].again_bytes);
			json_object_end(j);
		}
		json_object_end(j);
	}
	json_array_end(j);
}

void weir_json_job(struct json *j, const struct result *r, const struct result_row *row)
{
	json_object(j, "weir");
	json_text(j, "end", end_name(row->end));
	json_bool(j, "partial", row->partial);
	if (row->members) /* 0: imported, and not said */
		json_uint(j, "members", row->members);
	text_or_empty(j, "what", row->what);
	if (row->data && *row->data)
		json_text(j, "data", row->data);
	text_or_empty(j, "engine", row->engine);
	text_or_empty(j, "engine_used", row->engine_used);
	if (!row->told || row->told->native)
		json_bool(j, "submit_synchronous", row->submit_synchronous);
	figures_write_row(j, row);
	for (int dir = 0; dir < RESULT_DIRS; dir++) {
		if (!result_dir_used(&row->dir[dir]))
			continue;
		json_object(j, result_dir_name(dir));
		figures_write_dir(j, row, (enum dir)dir);
		json_object_end(j);
	}
	if (row->targets_count)
		write_targets(j, row->targets, row->targets_count);
	if (row->replay.on)
		job_replay(j, row);
	verify_json(j, row);
	if (row->errors_count)
		job_errors(j, row);
	if (row->series.count)
		job_series(j, row);
	weir_json_bins(j, row, r->rows_count);
	json_object_end(j);
}

/* ---- the run ---- */

static void note_evidence(struct json *j, const struct result_note *note)
{
	json_object(j, "evidence");
	for (uint32_t i = 0; i < note->evidence_count; i++) {
		double value = note->evidence[i].value;
		if (value >= 0 && value < 1e15 && value == (double)(uint64_t)value)
			json_uint(j, note->evidence[i].key, (uint64_t)value);
		else
			json_double(j, note->evidence[i].key, value);
	}
	json_object_end(j);
}

void weir_json_note(struct json *j, const struct result_note *note)
{
	json_object(j, NULL);
	if (note->id)
		json_text(j, "id", note->id);
	json_text(j, "severity", note_weight_name(note->weight));
	if (note->job)
		json_text(j, "job", note->job);
	if (note->target)
		json_text(j, "target", note->target);
	json_text(j, "text", note->text);
	if (note->evidence_count)
		note_evidence(j, note);
	if (note->remedy)
		json_text(j, "remedy", note->remedy);
	json_object_end(j);
}

void report_json_notes(struct json *j, const struct result *r)
{
	json_array(j, "notes");
	for (uint32_t i = 0; i < r->notes_count; i++)
		weir_json_note(j, &r->notes[i]);
	json_array_end(j);
}

static void run_groups(struct json *j, const struct result *r)
{
	json_array(j, "together");
	for (uint32_t i = 0; i < r->groups_count; i++) {
		for (int dir = 0; dir < DIRS; dir++) {
			struct result_together t;
			if (!result_together(r, r->groups[i].id, (enum dir)dir, &t))
				continue;
			json_object(j, NULL);
			json_uint(j, "group", r->groups[i].id);
			json_text(j, "direction", dir_name((enum dir)dir));
			json_uint(j, "jobs", t.rows);
			json_uint(j, "window_ns", t.end_ns - t.start_ns);
			json_double(j, "ios_per_s", t.ios_per_s);
			json_double(j, "bytes_per_s", t.bytes_per_s);
			json_object_end(j);
		}
	}
	json_array_end(j);
}

static void run_group_targets(struct json *j, const struct result *r)
{
	bool any = false;

	for (uint32_t i = 0; i < r->groups_count; i++) {
		if (!r->groups[i].targets_count)
			continue;
		if (!any)
			json_array(j, "groups");
		any = true;
		json_object(j, NULL);
		json_uint(j, "group", r->groups[i].id);
		write_targets(j, r->groups[i].targets, r->groups[i].targets_count);
		json_object_end(j);
	}
	if (any)
		json_array_end(j);
}

void weir_json_messages(struct json *j, const struct result *r)
{
	json_array(j, "messages");
	for (uint32_t i = 0; i < r->messages_count; i++)
		json_text(j, NULL, r->messages[i]);
	json_array_end(j);
}

void weir_json_run(struct json *j, const struct result *r, const struct report_how *how)
{
	json_object(j, "weir");
	json_text(j, "version", r->source ? r->source : how->version);
	json_bool(j, "final", r->final);
	json_bool(j, "partial", r->partial);
	json_uint(j, "runs", 1); /* a result is one: nothing in it says how runs differ */
	if (r->stop_signal)
		json_int(j, "stop_signal", r->stop_signal);
	text_or_empty(j, "title", r->title);
	text_or_empty(j, "targets", r->targets);
	text_or_empty(j, "kernel", r->kernel);
	text_or_empty(j, "clock", r->clock);
	json_double(j, "stamp_cost_ns", r->stamp_cost_ns);
	if (r->ceiling_ios_per_s > 0)
		json_double(j, "generator_ios_per_s", r->ceiling_ios_per_s);
	if (r->devices)
		json_text(j, "devices", r->devices);
	if (r->environment)
		report_json_environment(j, r->environment, false);
	if (r->watch)
		report_json_watch(j, r->watch);
	if (r->like) {
		json_object(j, "like");
		facts_write(j, &work_table, r->like);
		json_object_end(j);
	}
	run_groups(j, r);
	run_group_targets(j, r);
	report_json_notes(j, r);
	weir_json_messages(j, r);
	if (r->checks_count)
		checks_write(j, r->checks, r->checks_count);
	json_object_end(j);
}
