/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "base/json.h"
#include "base/scope.h"
#include "base/str.h"
#include "report/checks.h"
#include "report/checks_words.h"
#include "report/environment.h"
#include "report/json_parts.h"
#include "report/report.h"
#include "report/watch.h"
#include "result/result.h"

static void maybe_text(struct json *j, const char *key, const char *text)
{
	if (text)
		json_text(j, key, text);
}

static void write_conditions(struct json *j, const struct result_check *c)
{
	static const char *const states[] = {
		[CONDITION_MET] = "met",
		[CONDITION_UNMET] = "not met",
		[CONDITION_UNKNOWN] = "unknown",
		[CONDITION_GIVEN] = "given",
	};

	json_array(j, "conditions");
	for (uint32_t i = 0; i < c->conditions_count; i++) {
		json_object(j, NULL);
		json_text(j, "condition", c->conditions[i].text);
		json_text(j, "state", states[c->conditions[i].state]);
		maybe_text(j, "found", c->conditions[i].found);
		json_object_end(j);
	}
	json_array_end(j);
}

/* As in the results themselves. */
static void write_chance(struct json *j, const struct result_check *c)
{
	scope_with(str_done) struct str text = {0};

	checks_add_chance(&text, c);
	j->out->failed |= text.failed;
	json_array(j, "notes");
	weir_json_note(j,
		&(struct result_note){.id = "one-run",
			.weight = NOTE_DOUBTFUL,
			.text = str_text(&text),
			.remedy = CHANCE_REMEDY,
			.evidence =
				(struct result_evidence[]){
					{"runs", 1},
					{"difference_percent", 100 * (c->value / c->limit - 1)},
					{"common_spread_percent", 100 * CHECK_CHANCE},
				},
			.evidence_count = 3});
	json_array_end(j);
}

static void write_check(struct json *j, const struct result_check *c)
{
	static const char *const units[] = {
		[QUANTITY_COUNT] = "count",
		[QUANTITY_RATE] = "per_s",
		[QUANTITY_BYTES] = "bytes",
		[QUANTITY_BANDWIDTH] = "bytes_per_s",
		[QUANTITY_TIME] = "ns",
	};

	json_object(j, NULL);
	maybe_text(j, "claim", c->claim);
	maybe_text(j, "says", c->says);
	maybe_text(j, "place", c->place);
	maybe_text(j, "source", c->source);
	maybe_text(j, "job", c->job);
	json_text(j, "expected", c->text);
	json_text(j, "path", c->path);
	json_text(j, "op", c->op);
	json_double(j, "limit", c->limit);
	json_text(j, "unit", units[c->quantity]);
	if (c->confidence > 0)
		json_double(j, "confidence", c->confidence);
	if (c->known) {
		json_double(j, "measured", c->value);
		json_uint(j, "runs", c->runs);
	}
	if (c->interval) {
		json_double(j, "low", c->lo);
		json_double(j, "high", c->hi);
	}
	json_text(j, "verdict", check_verdict_name(c->verdict));
	if (*c->reason)
		json_text(j, "reason", c->reason);
	if (check_by_chance(c))
		write_chance(j, c);
	if (c->conditions_count)
		write_conditions(j, c);
	json_object_end(j);
}

void checks_write(struct json *j, const struct result_check *checks, uint32_t count)
{
	json_array(j, "checks");
	for (uint32_t i = 0; i < count; i++)
		write_check(j, &checks[i]);
	json_array_end(j);
}

/* The same members as in the document of a run. */
static void write_run(struct json *j, const struct result *r)
{
	json_object(j, "weir");
	if (r->environment)
		report_json_environment(j, r->environment, false);
	if (r->watch)
		report_json_watch(j, r->watch);
	report_json_notes(j, r);
	json_object_end(j);
}

void checks_json(const struct report_checks *c, const struct report_how *how, struct str *out)
{
	struct json j;
	unsigned n[3];

	checks_count_verdicts(c, n);
	json_init(&j, out, JSON_FIO);
	json_object(&j, NULL);
	json_text(&j, "version", how->version);
	maybe_text(&j, "product", c->product);
	maybe_text(&j, "source", c->source);
	json_text(&j, "verdict", check_verdict_name(check_verdict_of(c->checks, c->count)));
	json_uint(&j, "pass", n[CHECK_PASS]);
	json_uint(&j, "fail", n[CHECK_FAIL]);
	json_uint(&j, "undecided", n[CHECK_UNDECIDED]);
	checks_write(&j, c->checks, c->count);
	if (c->run)
		write_run(&j, c->run);
	json_object_end(&j);
}
