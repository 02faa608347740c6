/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "report/checks.h"

#include "base/bits.h"
#include "base/json.h"
#include "base/scope.h"
#include "base/str.h"
#include "report/digits.h"
#include "report/environment.h"
#include "report/grid.h"
#include "report/json_parts.h"
#include "report/report.h"
#include "report/text.h"
#include "report/watch.h"
#include "result/result.h"
#include "stat/precision.h"

#include <math.h>
#include <string.h>

#define COLUMNS_PRESET 100
#define WHY_WIDTH      110u

/* ---- numbers ---- */

struct step {
	double from, size;
	const char *unit;
};

static const struct step steps_count[] = {
	{1e9, 1e9, "G"}, {1e6, 1e6, "M"}, {1e4, 1e3, "k"}, {0, 1, ""}};
static const struct step steps_bytes[] = {{1e12, 1e12, " TB"}, {1e9, 1e9, " GB"},
	{1e6, 1e6, " MB"}, {1e3, 1e3, " kB"}, {0, 1, " B"}};
static const struct step steps_bandwidth[] = {
	{1e10, 1e9, " GB/s"}, {1e6, 1e6, " MB/s"}, {1e3, 1e3, " kB/s"}, {0, 1, " B/s"}};
static const struct step steps_time[] = {
	{1e9, 1e9, " s"}, {1e6, 1e6, " ms"}, {1e3, 1e3, " \xc2\xb5s"}, {0, 1, " ns"}};

void checks_value(struct str *out, enum quantity quantity, double v)
{
	checks_known(out, quantity, v, 0);
}

void checks_known(struct str *out, enum quantity quantity, double v, double error)
{
	static const struct step *const steps[] = {
		[QUANTITY_COUNT] = steps_count,
		[QUANTITY_RATE] = steps_count,
		[QUANTITY_BYTES] = steps_bytes,
		[QUANTITY_BANDWIDTH] = steps_bandwidth,
		[QUANTITY_TIME] = steps_time,
	};
	const struct step *s = steps[quantity];

	if (v < 0) {
		str_add_char(out, '-');
		v = -v;
	}
	if (quantity == QUANTITY_COUNT && v == floor(v) && v < 1e15) {
		str_addf(out, "%.0f", v);
		return;
	}
	while (v < s->from)
		s++;
	double shown = v / s->size;
	int digits = shown == floor(shown) || shown >= 999.5 ? 0 : shown >= 99.95 ? 1 : 2;
	digits_add_form(out, shown, precision_place(shown, error / s->size), digits);
	str_add(out, s->unit);
}

void checks_beside(struct str *out, enum quantity quantity, double v, double error,
	double limit)
{
	for (int i = 0; i < 15 && error > 0; i++, error /= 10) {
		double shown = precision_round(v, precision_place(v, error));
		if ((v > limit) == (shown > limit) && (v < limit) == (shown < limit))
			break;
	}
	checks_known(out, quantity, v, error);
}

static void add_measured(struct str *out, const struct result_check *c)
{
	if (!c->known) {
		str_add_char(out, '-');
		return;
	}
	checks_beside(out, c->quantity, c->value, c->error, c->limit);
	if (c->runs > 1)
		str_addf(out, ", mean of %u", c->runs);
}

static void add_interval(struct str *out, const struct result_check *c)
{
	if (!c->interval)
		return;
	checks_beside(out, c->quantity, c->lo, c->error, c->limit);
	str_add(out, " .. ");
	checks_beside(out, c->quantity, c->hi, c->error, c->limit);
	if (c->confidence > 0 && c->confidence != 0.95)
		str_addf(out, " @%.4g%%", c->confidence * 100);
}

static const char *state_word(enum condition_state s)
{
	static const char *const words[] = {
		[CONDITION_MET] = "met",
		[CONDITION_UNMET] = "not met",
		[CONDITION_UNKNOWN] = "not known",
		[CONDITION_GIVEN] = "as you say",
	};
	return words[s];
}

/* "rw=randread, bs=4k; not met: direct=1 (0); not known: preconditioned". */
static void add_conditions(struct str *out, const struct result_check *c)
{
	static const enum condition_state order[] = {
		CONDITION_MET, CONDITION_UNMET, CONDITION_GIVEN, CONDITION_UNKNOWN};

	for (size_t k = 0; k < COUNT_OF(order); k++) {
		const char *between = out->len ? "; " : "";
		for (uint32_t i = 0; i < c->conditions_count; i++) {
			const struct result_condition *cond = &c->conditions[i];
			if (cond->state != order[k])
				continue;
			str_add(out, between);
			if (*between != ',')
				str_addf(out, "%s: ", state_word(order[k]));
			text_add(out, cond->text);
			if (order[k] == CONDITION_UNMET && cond->found)
				str_addf(out, " (it is %s)", cond->found);
			between = ", ";
		}
	}
}

static void count_verdicts(const struct report_checks *c, unsigned counts[3])
{
	memset(counts, 0, 3 * sizeof(*counts));
	for (uint32_t i = 0; i < c->count; i++)
		counts[c->checks[i].verdict]++;
}

static const char *check_name(const struct result_check *c)
{
	return c->claim ? c->claim : c->text;
}

/* ---- table ---- */

enum column {
	COL_CLAIM,
	COL_SAYS,
	COL_JOB,
	COL_ASKED,
	COL_MEASURED,
	COL_INTERVAL,
	COL_VERDICT,
	COLS,
};

static const struct grid_column columns[COLS] = {
	[COL_CLAIM] = {"claim", NULL, false, true},
	[COL_SAYS] = {"says", NULL, false, true},
	[COL_JOB] = {"job", NULL, false, false},
	[COL_ASKED] = {"expected", NULL, false, false},
	[COL_MEASURED] = {"measured", NULL, true, false},
	[COL_INTERVAL] = {"95 % interval", NULL, true, false},
	[COL_VERDICT] = {"verdict", NULL, false, false},
};

static void grid_fill(struct grid *g, const struct report_checks *c)
{
	static const enum grid_ink inks[] = {[CHECK_PASS] = INK_PLAIN,
		[CHECK_FAIL] = INK_RED,
		[CHECK_UNDECIDED] = INK_YELLOW};

	for (uint32_t i = 0; i < c->count; i++) {
		const struct result_check *k = &c->checks[i];
		bool again = i && k->claim && c->checks[i - 1].claim == k->claim;
		grid_row(g);
		if (k->claim && !again)
			text_add(grid_cell(g, COL_CLAIM), k->claim);
		if (k->says && !again)
			text_add(grid_cell(g, COL_SAYS), k->says);
		text_add(grid_cell(g, COL_JOB), k->job ? k->job : "-");
		text_add(grid_cell(g, COL_ASKED), k->text);
		add_measured(grid_cell(g, COL_MEASURED), k);
		add_interval(grid_cell(g, COL_INTERVAL), k);
		str_add(grid_cell(g, COL_VERDICT), check_verdict_name(k->verdict));
		grid_ink(g, COL_VERDICT, inks[k->verdict]);
	}
}

static void head(const struct report_checks *c, struct str *out)
{
	if (!c->product && !c->source)
		return;
	text_add(out, c->product ? c->product : "");
	if (c->source) {
		str_add(out, c->product ? ", " : "");
		text_add(out, c->source);
	}
	str_add(out, "\n\n");
}

static unsigned names_width(const struct report_checks *c)
{
	unsigned width = 0;
	for (uint32_t i = 0; i < c->count; i++)
		width = MAX_OF(width, text_width(check_name(&c->checks[i])));
	return MIN_OF(width, 28u);
}

static void why_line(const struct result_check *k, const char *text, unsigned name_width,
	uint32_t width, struct str *out)
{
	unsigned used = text_width(check_name(k));

	str_add(out, "  ");
	text_add(out, check_name(k));
	text_pad(out, used < name_width ? name_width - used + 2 : 2);
	text_wrap(out, text, 2 + MAX_OF(used, name_width) + 2, name_width + 4, width);
	str_add_char(out, '\n');
}

static void conditions(const struct report_checks *c, uint32_t width, struct str *out)
{
	bool any = false;

	for (uint32_t i = 0; i < c->count; i++) {
		const struct result_check *k = &c->checks[i];
		bool again = i && k->claim && c->checks[i - 1].claim == k->claim &&
			     c->checks[i - 1].job == k->job;
		if (!k->conditions_count || again)
			continue;
		scope_with(str_done) struct str text = {0};
		add_conditions(&text, k);
		str_add(out, any ? "" : "\nconditions\n");
		any = true;
		why_line(k, str_text(&text), names_width(c), width, out);
		out->failed |= text.failed;
	}
}

static void reasons(const struct report_checks *c, uint32_t width, struct str *out)
{
	bool any = false;

	for (uint32_t i = 0; i < c->count; i++) {
		if (!*c->checks[i].reason)
			continue;
		str_add(out, any ? "" : "\nundecided\n");
		any = true;
		why_line(&c->checks[i], c->checks[i].reason, names_width(c), width, out);
	}
}

#define CHANCE_REMEDY "weir repeat -n 5 --output-dir=DIR, and check those"

/* "one run, 3.8 % from the limit: ..." */
static void add_chance(struct str *out, const struct result_check *c)
{
	str_addf(out,
		"one run (n = 1), %.2g %% from the limit: the same job run twice commonly differs by "
		"2 to 4 %%",
		100 * fabs(c->value / c->limit - 1));
}

static void chances(const struct report_checks *c, uint32_t width, struct str *out)
{
	bool any = false;

	for (uint32_t i = 0; i < c->count; i++) {
		scope_with(str_done) struct str text = {0};
		if (!check_by_chance(&c->checks[i]))
			continue;
		str_add(out, any ? "" : "\nnear the limit\n");
		any = true;
		add_chance(&text, &c->checks[i]);
		str_add(&text, "; " CHANCE_REMEDY);
		why_line(&c->checks[i], str_text(&text), names_width(c), width, out);
		out->failed |= text.failed;
	}
}

static void totals(const struct report_checks *c, struct str *out)
{
	unsigned n[3];

	count_verdicts(c, n);
	str_addf(out, "\n%u pass, %u fail, %u undecided\n", n[CHECK_PASS], n[CHECK_FAIL],
		n[CHECK_UNDECIDED]);
}

static void grid_all(const struct report_checks *c, uint32_t width, bool colour,
	struct str *out)
{
	struct grid g;

	grid_init(&g, columns, COLS);
	grid_fill(&g, c);
	if (width)
		grid_print(&g, width, colour, out);
	else
		grid_print_markdown(&g, out);
	if (g.failed)
		out->failed = true;
	grid_done(&g);
}

void checks_table(const struct report_checks *c, const struct report_how *how, struct str *out)
{
	uint32_t width = how->columns ? how->columns : COLUMNS_PRESET;
	uint32_t words = MIN_OF(width, WHY_WIDTH);

	head(c, out);
	grid_all(c, width, how->colour, out);
	conditions(c, words, out);
	reasons(c, words, out);
	chances(c, words, out);
	totals(c, out);
	if (c->run)
		report_notes(c->run, how, out);
}

void checks_markdown(const struct report_checks *c, const struct report_how *how,
	struct str *out)
{
	(void)how;
	head(c, out);
	grid_all(c, 0, false, out);
	str_add_char(out, '\n');
	for (uint32_t i = 0; i < c->count; i++) {
		const struct result_check *k = &c->checks[i];
		scope_with(str_done) struct str text = {0};
		add_conditions(&text, k);
		str_addf(&text, "%s%s", text.len && *k->reason ? "; " : "", k->reason);
		if (check_by_chance(k)) {
			str_add(&text, text.len ? "; " : "");
			add_chance(&text, k);
		}
		out->failed |= text.failed;
		if (!text.len)
			continue;
		str_add(out, "- ");
		text_add(out, check_name(k));
		str_addf(out, ": %s\n", str_text(&text));
	}
	totals(c, out);
	if (c->run)
		report_notes_markdown(c->run, out);
}

/* ---- JSON ---- */

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

	add_chance(&text, c);
	j->out->failed |= text.failed;
	json_array(j, "notes");
	weir_json_note(j, &(struct result_note){.id = "one-run",
				  .weight = NOTE_DOUBTFUL,
				  .text = str_text(&text),
				  .remedy = CHANCE_REMEDY,
				  .evidence =
					  (struct result_evidence[]){
						  {"runs", 1},
						  {"difference_percent",
							  100 * (c->value / c->limit - 1)},
						  {"common_spread_percent",
							  100 * CHECK_CHANCE},
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

	count_verdicts(c, n);
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

/* ---- JUnit ---- */

/* Of an attribute or an element; what XML 1.0 can't hold is '?'. */
static void add_xml(struct str *out, const char *text)
{
	static const struct {
		char c;
		const char *word;
	} words[] = {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}};
	scope_with(str_done) struct str plain = {0};

	text_add(&plain, text);
	out->failed |= plain.failed;
	for (const char *c = str_text(&plain); *c; c++) {
		size_t i = 0;
		while (i < COUNT_OF(words) && words[i].c != *c)
			i++;
		if (i < COUNT_OF(words))
			str_add(out, words[i].word);
		else
			str_add_char(out, *c);
	}
}

static void add_attribute(struct str *out, const char *name, const char *text)
{
	str_addf(out, " %s=\"", name);
	add_xml(out, text);
	str_add_char(out, '"');
}

static void add_sentence(struct str *out, const struct result_check *c)
{
	str_addf(out, "expected %s, measured ", c->text);
	add_measured(out, c);
	if (c->interval) {
		str_add(out, " (");
		add_interval(out, c);
		str_add_char(out, ')');
	}
	if (*c->reason)
		str_addf(out, ": %s", c->reason);
}

static void add_case(struct str *out, const struct report_checks *all,
	const struct result_check *c)
{
	static const char *const elements[] = {
		[CHECK_PASS] = "system-out",
		[CHECK_FAIL] = "failure",
		[CHECK_UNDECIDED] = "skipped",
	};
	scope_with(str_done) struct str name = {0}, sentence = {0}, conditions = {0};
	const char *element = elements[c->verdict];

	if (c->claim)
		str_addf(&name, "%s: ", c->claim);
	str_add(&name, c->text);
	if (c->job)
		str_addf(&name, " [%s]", c->job);
	add_sentence(&sentence, c);
	add_conditions(&conditions, c);
	out->failed |= name.failed || sentence.failed || conditions.failed;
	str_add(out, "  <testcase");
	add_attribute(out, "name", str_text(&name));
	add_attribute(out, "classname", all->product ? all->product : "weir");
	str_addf(out, ">\n    <%s", element);
	if (c->verdict != CHECK_PASS)
		add_attribute(out, "message", str_text(&sentence));
	str_add_char(out, '>');
	add_xml(out, c->verdict == CHECK_PASS ? str_text(&sentence) : "");
	if (conditions.len) {
		str_add(out, c->verdict == CHECK_PASS ? "; " : "");
		add_xml(out, str_text(&conditions));
	}
	str_addf(out, "</%s>\n  </testcase>\n", element);
}

void checks_junit(const struct report_checks *c, const struct report_how *how, struct str *out)
{
	unsigned n[3];

	(void)how;
	count_verdicts(c, n);
	str_add(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite");
	add_attribute(out, "name", c->product ? c->product : "weir check");
	str_addf(out, " tests=\"%u\" failures=\"%u\" errors=\"0\" skipped=\"%u\">\n", c->count,
		n[CHECK_FAIL], n[CHECK_UNDECIDED]);
	for (uint32_t i = 0; i < c->count; i++)
		add_case(out, c, &c->checks[i]);
	str_add(out, "</testsuite>\n");
}
