/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* The `weir` objects of weir's own JSON: figures by their keys (see
 * report/figures.c), which are exact where fio's tree is rounded. */
#include "base/bits.h"
#include "result/import_parts.h"
#include "result/notes/notes.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum field_kind {
	FIELD_U64,
	FIELD_U32,
	FIELD_REAL,
};

struct field {
	const char *key;
	enum field_kind kind;
	size_t offset;
};

#define ROW(k, t, f)                                                                           \
	{                                                                                      \
		k, t, offsetof(struct result_row, f)                                           \
	}
#define DIR(k, f)                                                                              \
	{                                                                                      \
		k, FIELD_U64, offsetof(struct result_dir, f)                                   \
	}

static const struct field row_fields[] = {
	ROW("depth_asked", FIELD_U32, depth_asked),
	ROW("depth", FIELD_U32, depth),
	ROW("members", FIELD_U32, members),
	ROW("window_ns", FIELD_U64, runtime_ns),
	ROW("cpu_user_ms", FIELD_REAL, cpu.user_ms),
	ROW("cpu_system_ms", FIELD_REAL, cpu.system_ms),
	ROW("switches_voluntary", FIELD_U64, cpu.switches_voluntary),
	ROW("switches_involuntary", FIELD_U64, cpu.switches_involuntary),
	ROW("generator_ns", FIELD_U64, generator_ns),
	ROW("quantum_ns", FIELD_U64, quantum_ns),
	ROW("memory_bytes", FIELD_U64, memory_bytes),
	ROW("end_sync_ns", FIELD_U64, end_sync_ns),
	ROW("last_sync_ns", FIELD_U64, last_sync_ns),
	ROW("stopped_ns", FIELD_U64, stopped_ns),
	ROW("log_wait_ns", FIELD_U64, log_wait_ns),
	ROW("log_lost", FIELD_U64, log_lost),
};

static const struct field replay_fields[] = {
	ROW("records", FIELD_U64, replay.records),
	ROW("left_out", FIELD_U64, replay.left_out),
	ROW("issued", FIELD_U64, replay.issued),
	ROW("dropped", FIELD_U64, replay.dropped),
	ROW("dry", FIELD_U64, replay.dry),
	ROW("trace_ns", FIELD_U64, replay.trace_ns),
	ROW("replay_ns", FIELD_U64, replay.replay_ns),
};

static const struct field dir_fields[] = {
	DIR("ios", ios),
	DIR("bytes", bytes),
	DIR("errors", errors),
	DIR("window_ns", runtime_ns),
	DIR("due", due),
	DIR("late", late),
	DIR("missed", missed),
};

static void read_fields(struct import *in, const struct json_value *of,
	const struct field *fields, size_t count, void *to)
{
	for (size_t i = 0; i < count; i++) {
		char *at = (char *)to + fields[i].offset;
		uint64_t whole;
		double real;
		if (fields[i].kind == FIELD_REAL) {
			if (import_real(in, of, fields[i].key, &real))
				memcpy(at, &real, sizeof(real));
			continue;
		}
		if (!import_whole(in, of, fields[i].key, &whole))
			continue;
		if (fields[i].kind == FIELD_U64)
			memcpy(at, &whole, sizeof(whole));
		else
			memcpy(at, &(uint32_t){(uint32_t)MIN_OF(whole, (uint64_t)UINT32_MAX)},
				sizeof(uint32_t));
	}
}

/* ---- latencies ---- */

static bool key_whole(struct import *in, const struct json_value *of, const char *name,
	const char *tail, uint64_t *ret)
{
	char key[48];
	snprintf(key, sizeof(key), "%s_%s", name, tail);
	return import_whole(in, of, key, ret);
}

static void key_real(struct import *in, const struct json_value *of, const char *name,
	const char *tail, double *ret)
{
	char key[48];
	snprintf(key, sizeof(key), "%s_%s", name, tail);
	import_real(in, of, key, ret);
}

/* Figures of a latency that fio's tree has already, or of one that it never has. */
static void read_latency(struct import *in, const struct json_value *of, const char *name,
	struct latency **to)
{
	static const struct {
		const char *tail;
		double percent;
	} points[] = {{"p50_ns", 50}, {"p90_ns", 90}, {"p99_ns", 99}, {"p99_9_ns", 99.9},
		{"p99_99_ns", 99.99}};
	uint64_t count, ns;

	if (!key_whole(in, of, name, "samples", &count) || !count)
		return;
	if (!*to)
		*to = import_latency(in);
	if (!*to)
		return;
	struct latency_told *told = import_told(*to);
	struct moments *m = &(*to)->moments;
	told->counted = true;
	m->count = count;
	key_whole(in, of, name, "min_ns", &m->min);
	key_whole(in, of, name, "max_ns", &m->max);
	key_real(in, of, name, "mean_ns", &told->mean);
	key_real(in, of, name, "stddev_ns", &told->stddev);
	for (size_t i = 0; i < COUNT_OF(points); i++)
		if (key_whole(in, of, name, points[i].tail, &ns))
			import_point(in, *to, points[i].percent, ns);
}

void import_weir_direction(struct import *in, const struct json_value *of, struct result_dir *d)
{
	struct result_dir_told *told = import_dir_told(d);

	read_fields(in, of, dir_fields, COUNT_OF(dir_fields), d);
	import_real(in, of, "asked_ios_per_s", &d->asked_per_s);
	d->asked_bytes = import_real(in, of, "asked_bytes_per_s", &d->asked_per_s);
	read_latency(in, of, "lat", &d->lat);
	read_latency(in, of, "clat", &d->clat);
	read_latency(in, of, "slat", &d->slat);
	read_latency(in, of, "response", &d->response);
	read_latency(in, of, "lateness", &d->lateness);
	told->ios = told->errors = true;
}

/* ---- a job ---- */

static void read_end(struct import *in, const struct json_value *of, struct result_row *row)
{
	static const struct {
		const char *name;
		enum result_end end;
	} ends[] = {{"done", END_DONE}, {"error", END_ERROR}, {"stopped", END_STOPPED},
		{"killed", END_KILLED}, {"stuck", END_STUCK}, {"not run", END_NOT_RUN}};
	const char *name = import_string(in, of, "end");

	for (size_t i = 0; name && i < COUNT_OF(ends); i++)
		if (!strcmp(name, ends[i].name))
			row->end = ends[i].end;
}

static enum dir direction_named(const char *name)
{
	for (int dir = 0; name && dir < DIRS; dir++)
		if (!strcmp(name, dir_name((enum dir)dir)))
			return (enum dir)dir;
	return DIR_READ;
}

static void read_errors(struct import *in, const struct json_value *of, struct result_row *row)
{
	const struct json_value *list = import_array(in, of, "errors");

	for (const struct json_value *v = list ? list->first : NULL; v; v = v->next) {
		uint64_t count = 0;
		int code = 0;
		import_int(in, v, "errno", &code);
		import_whole(in, v, "count", &count);
		result_error_add(row, code, direction_named(import_string(in, v, "direction")),
			count);
	}
}

static void read_replay(struct import *in, const struct json_value *of, struct result_row *row)
{
	const struct json_value *replay = import_object(in, of, "replay");

	if (!replay || in->rc < 0)
		return;
	row->replay.on = true;
	import_bool(in, replay, "timed", &row->replay.timed);
	read_fields(in, replay, replay_fields, COUNT_OF(replay_fields), row);
}

void import_weir_row(struct import *in, const struct json_value *job, struct result_row *row)
{
	const struct json_value *of = import_object(in, job, "weir");

	if (!of || in->rc < 0)
		return;
	struct result_told *told = import_row_told(row);
	read_fields(in, of, row_fields, COUNT_OF(row_fields), row);
	told->cpu_ms = told->native = true;
	row->logged = json_get(of, "log_wait_ns") != NULL;
	read_end(in, of, row);
	import_bool(in, of, "partial", &row->partial);
	import_bool(in, of, "submit_synchronous", &row->submit_synchronous);
	row->what = import_string(in, of, "what");
	row->data = import_string(in, of, "data");
	row->engine = import_string(in, of, "engine");
	row->engine_used = import_string(in, of, "engine_used");
	for (int dir = 0; dir < RESULT_DIRS; dir++) {
		const struct json_value *d = import_object(in, of, result_dir_name(dir));
		if (d && in->rc == 0)
			import_weir_direction(in, d, &row->dir[dir]);
	}
	import_weir_targets(in, of, &row->targets, &row->targets_count);
	read_replay(in, of, row);
	import_weir_verify(in, of, row);
	read_errors(in, of, row);
	import_weir_series(in, of, row);
}

/* ---- the run ---- */

static enum note_weight weight_named(const char *name)
{
	for (int w = NOTE_INFO; name && w <= NOTE_INVALID; w++)
		if (!strcmp(name, note_weight_name((enum note_weight)w)))
			return (enum note_weight)w;
	return NOTE_DOUBTFUL;
}

static void read_evidence(struct import *in, const struct json_value *of,
	struct result_evidence *list, struct result_note *note)
{
	const struct json_value *v = import_object(in, of, "evidence");

	for (v = v ? v->first : NULL; v && note->evidence_count < NOTE_EVIDENCE; v = v->next)
		if (v->kind == JSON_NUMBER)
			list[note->evidence_count++] = (struct result_evidence){
				v->key, v->real};
	note->evidence = list;
}

/* "weight" is what the severity was called at first. */
static void read_notes(struct import *in, const struct json_value *of)
{
	const struct json_value *list = import_array(in, of, "notes");

	for (const struct json_value *v = list ? list->first : NULL; v && in->rc == 0;
		v = v->next) {
		const char *severity = import_string(in, v, "severity");
		const char *weight = severity ? severity : import_string(in, v, "weight");
		struct result_evidence evidence[NOTE_EVIDENCE];
		struct result_note note = {
			.id = import_string(in, v, "id"),
			.weight = weight_named(weight),
			.job = import_string(in, v, "job"),
			.target = import_string(in, v, "target"),
			.text = import_string(in, v, "text"),
			.remedy = import_string(in, v, "remedy"),
		};
		note.id = note.id ? note.id : "";
		note.text = note.text ? note.text : "";
		read_evidence(in, v, evidence, &note);
		if (result_note_put(in->r, &note) < 0)
			import_no_memory(in);
	}
}

/* In the `weir` object, or as fio beside it. */
static void read_messages(struct import *in, const struct json_value *of)
{
	const struct json_value *list = import_array(in, of, "messages");

	for (const struct json_value *v = list ? list->first : NULL; v; v = v->next)
		if (v->kind == JSON_STRING && result_message_add(in->r, v->text) < 0)
			import_no_memory(in);
}

void import_weir_run(struct import *in, const struct json_value *doc)
{
	const struct json_value *of = import_object(in, doc, "weir");
	struct result *r = in->r;

	read_messages(in, doc);
	if (!of)
		return;
	r->source = import_string(in, of, "version");
	import_bool(in, of, "final", &r->final);
	import_bool(in, of, "partial", &r->partial);
	import_int(in, of, "stop_signal", &r->stop_signal);
	r->title = import_string(in, of, "title");
	r->targets = import_string(in, of, "targets");
	r->kernel = import_string(in, of, "kernel");
	r->clock = import_string(in, of, "clock");
	import_real(in, of, "stamp_cost_ns", &r->stamp_cost_ns);
	import_real(in, of, "generator_ios_per_s", &r->ceiling_ios_per_s);
	r->devices = import_string(in, of, "devices");
	import_weir_environment(in, of);
	import_weir_watch(in, of);
	import_weir_like(in, of);
	import_weir_groups(in, of);
	read_notes(in, of);
	read_messages(in, of);
}
