/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "report/stream.h"

#include "base/bits.h"
#include "base/json.h"
#include "base/scope.h"
#include "base/str.h"
#include "report/json_parts.h"
#include "report/report.h"
#include "result/pulse.h"
#include "result/result.h"

static double seconds(uint64_t ns)
{
	return (double)ns / (double)NS_PER_S;
}

static void line_open(struct json *j, struct str *out, const char *type)
{
	json_init(j, out, JSON_COMPACT);
	json_object(j, NULL);
	json_text(j, "type", type);
}

void stream_begin(const struct stream_begin *begin, struct str *out)
{
	struct json j;

	line_open(&j, out, "begin");
	json_uint(&j, "weir_stream", STREAM_VERSION);
	json_text(&j, "version", begin->version);
	json_uint(&j, "time_ms", begin->time_ms);
	json_double(&j, "interval_s", seconds(begin->interval_ns));
	json_array(&j, "jobs");
	for (uint32_t i = 0; i < begin->jobs_count; i++) {
		const struct stream_job *job = &begin->jobs[i];
		json_object(&j, NULL);
		json_uint(&j, "row", job->number);
		json_text(&j, "job", job->name);
		json_uint(&j, "group", job->group);
		json_uint(&j, "workers", job->workers);
		json_text(&j, "engine", job->engine);
		json_text(&j, "rw", job->rw);
		json_array(&j, "directions");
		for (int d = 0; d < DIRS; d++)
			if (job->dirs >> d & 1)
				json_text(&j, NULL, dir_name((enum dir)d));
		json_array_end(&j);
		json_object_end(&j);
	}
	json_array_end(&j);
	json_object_end(&j);
}

void stream_phase(uint64_t t_ns, const char *phase, const char *text, struct str *out)
{
	struct json j;

	line_open(&j, out, "phase");
	json_double(&j, "t_s", seconds(t_ns));
	json_text(&j, "phase", phase);
	json_text(&j, "text", text);
	json_object_end(&j);
}

void stream_layout(uint64_t t_ns, uint64_t bytes, uint64_t total, struct str *out)
{
	struct json j;

	line_open(&j, out, "layout");
	json_double(&j, "t_s", seconds(t_ns));
	json_uint(&j, "bytes", bytes);
	json_uint(&j, "total_bytes", total);
	json_object_end(&j);
}

void stream_words(uint64_t t_ns, const char *type, const char *weight, const char *text,
	struct str *out)
{
	struct json j;

	line_open(&j, out, type);
	json_double(&j, "t_s", seconds(t_ns));
	json_text(&j, "weight", weight);
	json_text(&j, "text", text);
	json_object_end(&j);
}

void stream_fault(uint64_t t_ns, uint32_t number, const char *job, const struct result_fault *f,
	uint32_t unit_bytes, struct str *out)
{
	struct json j;

	line_open(&j, out, "fault");
	json_double(&j, "t_s", seconds(t_ns));
	json_uint(&j, "row", number);
	json_text(&j, "job", job);
	verify_json_fault(&j, "fault", f, unit_bytes);
	json_object_end(&j);
}

/* ---- intervals ---- */

static void bins(struct json *j, const char *key, const struct pulse_latency *l)
{
	if (!l->total)
		return;
	json_array(j, key);
	for (uint32_t i = 0; i < l->news.count; i++) {
		json_array(j, NULL);
		json_uint(j, NULL, histogram_bin_mid(l->news.bins[i].bin));
		json_uint(j, NULL, l->news.bins[i].count);
		json_array_end(j);
	}
	json_array_end(j);
}

static void interval(const struct pulse_row *row, int d, struct str *out)
{
	const struct pulse_dir *dir = &row->dir[d];
	struct json j;

	line_open(&j, out, "interval");
	json_double(&j, "t_s", seconds(row->from_ns));
	json_double(&j, "seconds", seconds(row->to_ns - row->from_ns));
	json_uint(&j, "row", row->number);
	json_text(&j, "job", row->name);
	json_uint(&j, "group", row->group);
	json_text(&j, "direction", dir_name((enum dir)d));
	json_uint(&j, "running", row->running);
	json_uint(&j, "in_flight", row->in_flight);
	json_uint(&j, "ios", dir->news.ios);
	json_uint(&j, "bytes", dir->news.bytes);
	json_uint(&j, "errors", dir->news.errors);
	bins(&j, "lat_ns", &dir->lat);
	bins(&j, "response_ns", &dir->response);
	json_object_end(&j);
}

/* A row that ended just after its last line has nothing more to say. */
static bool silent(const struct pulse_row *row)
{
	bool news = row->to_ns > row->from_ns;
	for (int d = 0; d < DIRS; d++) {
		const struct pulse_dir *dir = &row->dir[d];
		news |= dir->news.ios || dir->news.errors || dir->lat.news.count ||
			dir->response.news.count;
	}
	return !news;
}

void stream_pulse(const struct pulse *pulse, struct str *out)
{
	for (uint32_t i = 0; i < pulse->rows_count; i++) {
		const struct pulse_row *row = &pulse->rows[i];
		if (!row->fresh || row->hidden || silent(row))
			continue;
		for (int d = 0; d < DIRS; d++)
			if (row->dir[d].used)
				interval(row, d, out);
	}
}

/* ---- the end ---- */

void stream_result(uint64_t t_ns, const struct result *r, const struct report_how *how,
	struct str *out)
{
	scope_with(str_done) struct str doc = {0};

	report_json.print(r, how, &doc);
	report_one_line(&doc);
	out->failed |= doc.failed;
	str_addf(out,
		"{\"type\":\"%s\",\"t_s\":%.6f,\"result\":", r->final ? "result" : "interim",
		seconds(t_ns));
	str_add_bytes(out, str_text(&doc), doc.len);
	str_add(out, "}\n");
}

void stream_refused(uint64_t t_ns, const char *text, struct str *out)
{
	struct json j;

	line_open(&j, out, "refused");
	json_double(&j, "t_s", seconds(t_ns));
	json_text(&j, "text", text);
	json_object_end(&j);
}
