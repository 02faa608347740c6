/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* All results of a study as one comparison.
 *
 * A side is a variant, one of its runs a round: the rows of all workloads and points, each
 * called "WORKLOAD/JOB POINT".  So all verdicts are one family, and rounds are pairs. */
#include "base/bits.h"
#include "base/err.h"
#include "base/json.h"
#include "base/scope.h"
#include "base/str.h"
#include "cmd/output.h"
#include "cmd/report_file.h"
#include "cmd/study/work.h"
#include "report/compare.h"
#include "report/repeated.h"
#include "report/report.h"
#include "report/sweep.h"
#include "result/import.h"
#include "result/repeated.h"
#include "result/result.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct sides {
	struct arena arena;
	struct result **read; /* what the rows belong to */
	uint32_t read_count;
	struct compare_side side[STUDY_VARIANTS_MOST];
	uint32_t count;
};

/* ---- gathering ---- */

static const char *row_name(const struct study_work *w, const struct study_config *c,
	const char *job, struct arena *a)
{
	const struct study_part *workload = &w->study.workloads[c->workload];
	scope_with(str_done) struct str name = {0};

	str_add(&name, workload->name);
	if (workload->job)
		str_addf(&name, "/%s", job);
	if (workload->sweeps.count)
		str_add_char(&name, ' ');
	study_point_add(workload, c->point, " ", &name);
	return name.failed ? NULL : arena_text(a, str_text(&name));
}

/* FROM's rows behind those of TO. */
static int rows_join(const struct study_work *w, const struct study_config *c,
	struct result *to, const struct result *from, struct arena *a)
{
	uint32_t count = to->rows_count + from->rows_count;
	struct result_row *rows = arena_array(a, (size_t)count + 1, sizeof(*rows));

	if (!rows)
		return -ENOMEM;
	if (to->rows_count)
		memcpy(rows, to->rows, to->rows_count * sizeof(*rows));
	for (uint32_t i = 0; i < from->rows_count; i++) {
		struct result_row *row = &rows[to->rows_count + i];
		*row = from->rows[i];
		row->name = row_name(w, c, row->name, a);
		if (!row->name)
			return -ENOMEM;
	}
	uint64_t last = MAX_OF(to->time_ms, from->time_ms);
	if (!to->rows_count)
		*to = *from;
	to->time_ms = last;
	to->stop_signal = 0;
	to->rows = rows;
	to->rows_count = count;
	return 0;
}

static int run_read(const struct study_work *w, const struct study_run *run,
	struct sides *sides, struct result *to, struct err *reterr)
{
	scope_with(import_done) struct import_list list = {0};
	scope_with(str_done) struct str path = {0};

	str_addf(&path, "%s/", w->index.dir);
	order_config_dir(&w->study, &w->order, run->config, &path);
	str_addf(&path, "/%03" PRIu32 ".json", run->round + 1);
	int rc = report_file_read(str_text(&path), &list, reterr);
	if (rc < 0)
		return rc;
	struct result *r = list.results[list.count - 1];
	list.results[list.count - 1] = NULL;
	sides->read[sides->read_count++] = r;
	if (result_join_clones(r) < 0)
		return err_set(reterr, -ENOMEM, "out of memory");
	rc = rows_join(w, &w->order.configs[run->config], to, r, &sides->arena);
	return rc < 0 ? err_set(reterr, rc, "out of memory") : 0;
}

/* The round with most rows first: jobs are lined up by it. */
static void fullest_first(const struct result **runs, uint32_t count)
{
	uint32_t most = 0;

	for (uint32_t i = 1; i < count; i++)
		if (runs[i]->rows_count > runs[most]->rows_count)
			most = i;
	const struct result *first = runs[0];
	runs[0] = runs[most];
	runs[most] = first;
}

static int side_read(const struct study_work *w, uint32_t variant, struct sides *sides,
	struct err *reterr)
{
	struct result *rounds = arena_array(&sides->arena, w->study.repeats, sizeof(*rounds));
	const struct result **runs = arena_array(&sides->arena, w->study.repeats,
		sizeof(*runs));
	uint32_t count = 0;

	if (!rounds || !runs)
		return err_set(reterr, -ENOMEM, "out of memory");
	for (uint32_t c = 0; c < w->order.configs_count; c++) {
		if (w->order.configs[c].variant != variant)
			continue;
		for (uint32_t i = 0; i < w->order.runs_count; i++) {
			const struct study_run *run = &w->order.runs[i];
			if (run->config != c || run->status != RUN_DONE)
				continue;
			int rc = run_read(w, run, sides, &rounds[run->round], reterr);
			if (rc < 0)
				return rc;
		}
	}
	for (uint32_t r = 0; r < w->study.repeats; r++)
		if (rounds[r].rows_count)
			runs[count++] = &rounds[r];
	if (!count)
		return 0;
	fullest_first(runs, count);
	sides->side[sides->count++] = (struct compare_side){
		.name = w->study.variants[variant].name,
		.runs = runs,
		.count = count,
		.by_name = true,
	};
	return 0;
}

static int sides_read(const struct study_work *w, struct sides *sides, struct err *reterr)
{
	int rc = 0;

	sides->read = calloc((size_t)w->order.runs_count + 1, sizeof(struct result *));
	if (!sides->read)
		return err_set(reterr, -ENOMEM, "out of memory");
	for (uint32_t v = 0; v < w->study.variants_count && rc == 0; v++)
		rc = side_read(w, v, sides, reterr);
	return rc;
}

static void sides_done(struct sides *sides)
{
	for (uint32_t i = 0; i < sides->read_count; i++)
		result_free(sides->read[i]);
	free(sides->read);
	arena_done(&sides->arena);
}

/* ---- what is missing ---- */

static void missing_add(const struct study_work *w, struct str *out)
{
	for (uint32_t v = 0; v < w->study.variants_count; v++) {
		uint32_t done = 0, failed = 0, all = 0;
		for (uint32_t i = 0; i < w->order.runs_count; i++) {
			const struct study_run *run = &w->order.runs[i];
			if (w->order.configs[run->config].variant != v)
				continue;
			all++;
			done += run->status == RUN_DONE;
			failed += run->status == RUN_FAILED || run->status == RUN_SETUP_FAILED;
		}
		if (done == all)
			continue;
		str_addf(out, "%s: %" PRIu32 " of %" PRIu32 " runs are done",
			w->study.variants[v].name, done, all);
		if (failed)
			str_addf(out, ", %" PRIu32 " failed (%s/logs)", failed, w->index.dir);
		str_add_char(out, '\n');
	}
}

/* ---- printing ---- */

static bool swept(const struct study *s)
{
	for (uint32_t i = 0; i < s->workloads_count; i++)
		if (s->workloads[i].sweeps.count)
			return true;
	return false;
}

static int compared_add(const struct study_work *w, const struct sides *sides,
	const struct report_how *how, struct str *out)
{
	struct compare *c = compare_make(sides->side, sides->count, w->study.metric,
		w->study.tolerance);
	if (!c)
		return -ENOMEM;
	if (w->flags.format == STUDY_JSON)
		compare_json(c, out);
	else if (w->flags.format == STUDY_MD)
		compare_markdown(c, how, out);
	else
		compare_table(c, how, out);
	compare_free(c);
	return 0;
}

/* ---- a sweep of one variant ---- */

/* Each row of the results: what stands before its last sweep, and the value of that. */
static const struct sweep_label *labels_make(const struct sides *sides, struct arena *a,
	uint32_t *ret_count)
{
	uint32_t count = 0;
	const struct result *first = sides->side[0].runs[0];
	struct sweep_label *labels = arena_array(a, first->rows_count + 1, sizeof(*labels));

	for (uint32_t i = 0; labels && i < first->rows_count; i++) {
		const char *name = first->rows[i].name, *equals = strrchr(name, '=');
		const char *blank = equals ? memrchr(name, ' ', (size_t)(equals - name)) : NULL;
		if (!blank)
			continue;
		labels[count++] = (struct sweep_label){
			.row = name,
			.label = arena_bytes(a, name, (size_t)(blank - name)),
			.value = equals + 1,
		};
		if (!labels[count - 1].label)
			return NULL;
	}
	*ret_count = count;
	return labels;
}

/* Two sweeps or more, and the last with few values: they are columns. */
static const struct study_sweep *columns_of(const struct study *s)
{
	const struct study_sweeps *sweeps = &s->workloads[0].sweeps;

	if (s->workloads_count > 1 || sweeps->count < 2)
		return NULL;
	const struct study_sweep *last = &sweeps->v[sweeps->count - 1];
	return last->count <= SWEEP_COLUMNS ? last : NULL;
}

static int sweep_add(const struct study_work *w, const struct sides *sides,
	const struct repeated *known, const struct report_how *how, struct str *out)
{
	const struct study_sweep *columns = columns_of(&w->study);
	struct arena arena = {0};
	struct sweep_table t = {.known = known,
		.values = columns->values,
		.values_count = columns->count,
		.name = columns->name};

	t.labels = labels_make(sides, &arena, &t.labels_count);
	if (t.labels)
		sweep_table(&t, how, out);
	arena_done(&arena);
	return t.labels ? 0 : -ENOMEM;
}

/* One variant: how well it is known. */
static int known_add(const struct study_work *w, const struct sides *sides,
	const struct report_how *how, struct str *out)
{
	struct repeated *known = repeated_make(&sides->side[0], w->study.metric);
	const char *name = w->study.variants_count > 1 ? sides->side[0].name : NULL;
	struct json j;
	int rc = 0;

	if (!known)
		return -ENOMEM;
	if (w->flags.format == STUDY_JSON) {
		json_init(&j, out, JSON_FIO);
		repeated_json(&j, known, name);
		str_add_char(out, '\n');
	} else if (w->flags.format == STUDY_MD) {
		repeated_markdown(known, out);
	} else if (columns_of(&w->study) && !w->flags.full) {
		rc = sweep_add(w, sides, known, how, out);
	} else {
		repeated_table(known, name, how, out);
	}
	repeated_free(known);
	return rc;
}

static int report_add(const struct study_work *w, const struct sides *sides, struct str *out,
	struct err *reterr)
{
	struct report_how how = {
		.colour = output_coloured(STDOUT_FILENO),
		.deciding_only = w->flags.brief || (swept(&w->study) && !w->flags.full),
	};

	how.columns = output_columns(STDOUT_FILENO);
	if (!sides->count)
		return err_set(reterr, -ENODATA, "%s: no run is done", w->index.dir);
	int rc = sides->count > 1 ? compared_add(w, sides, &how, out)
				  : known_add(w, sides, &how, out);
	if (rc < 0 || out->failed)
		return err_set(reterr, -ENOMEM, "out of memory");
	if (w->flags.format != STUDY_TEXT)
		return 0;
	str_add_char(out, '\n');
	missing_add(w, out);
	str_addf(out, "order: --seed=%" PRIu64 "; kept in %s\n", w->index.seed, w->index.dir);
	return 0;
}

int study_report(const struct study_work *w, struct err *reterr)
{
	scope_with(str_done) struct str out = {0};
	struct sides sides = {0};

	int rc = sides_read(w, &sides, reterr);
	if (rc == 0)
		rc = report_add(w, &sides, &out, reterr);
	sides_done(&sides);
	if (rc < 0)
		return rc;
	rc = output_write(STDOUT_FILENO, str_text(&out), out.len);
	return rc < 0 ? err_sys(reterr, rc, "standard output") : 0;
}

/* ---- before ---- */

void seconds_print(double seconds, struct str *out)
{
	uint64_t s = (uint64_t)(seconds + 0.5);

	if (s < 120)
		str_addf(out, "%" PRIu64 " s", s);
	else if (s < 7200)
		str_addf(out, "%" PRIu64 " min", (s + 30) / 60);
	else
		str_addf(out, "%" PRIu64 " h %" PRIu64 " min", s / 3600, s % 3600 / 60);
}

static void script_print(const char *variant, const char *what,
	const struct study_script *script, struct str *out)
{
	const char *at = script->text;

	while (at && *at) {
		const char *end = strchrnul(at, '\n');
		str_addf(out, "%s  %s: %.*s\n", variant, what, (int)(end - at), at);
		at = *end ? end + 1 : end;
	}
}

static void order_print(const struct study_work *w, struct str *out)
{
	for (uint32_t i = 0; i < w->order.runs_count; i++) {
		const struct study_run *run = &w->order.runs[i];
		const struct study_config *c = &w->order.configs[run->config];
		const struct study_part *workload = &w->study.workloads[c->workload];
		scope_with(str_done) struct str line = {0};
		str_addf(&line, "%5" PRIu32 "  round %-3" PRIu32 " %s  %s", i + 1,
			run->round + 1, w->study.variants[c->variant].name, workload->name);
		if (workload->sweeps.count)
			str_add(&line, "  ");
		study_point_add(workload, c->point, " ", &line);
		if (run->status != RUN_PENDING)
			str_addf(&line, "  (%s)", run_status_names[run->status]);
		else if (!w->wanted[c->variant])
			str_add(&line, "  (not now)");
		str_addf(out, "%s\n", str_text(&line));
	}
}

int study_dry_run(const struct study_work *w, struct err *reterr)
{
	const struct study *s = &w->study;
	scope_with(str_done) struct str out = {0};
	double left = order_seconds_left(s, &w->order, w->wanted);

	script_print("all", "setup", &s->global.setup, &out);
	for (uint32_t v = 0; v < s->variants_count; v++)
		script_print(s->variants[v].name, "setup", &s->variants[v].setup, &out);
	for (uint32_t v = 0; v < s->variants_count; v++)
		script_print(s->variants[v].name, "teardown", &s->variants[v].teardown, &out);
	script_print("all", "teardown", &s->global.teardown, &out);
	order_print(w, &out);
	str_addf(&out, "%" PRIu32 " runs, order: --seed=%" PRIu64 ", ", w->order.runs_count,
		w->index.seed);
	if (left > 0) {
		str_add(&out, "at least ");
		seconds_print(left, &out);
		str_add(&out, " for what is to be done now, without commands and layout\n");
	} else {
		str_add(&out, left < 0 ? "time not known before the first run (the jobs don't "
					 "say)\n"
				       : "nothing is to be done now\n");
	}
	if (out.failed)
		return err_set(reterr, -ENOMEM, "out of memory");
	int rc = output_write(STDOUT_FILENO, str_text(&out), out.len);
	return rc < 0 ? err_sys(reterr, rc, "standard output") : 0;
}
