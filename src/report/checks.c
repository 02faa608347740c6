/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "report/checks.h"

#include "base/bits.h"
#include "base/scope.h"
#include "base/str.h"
#include "report/checks_words.h"
#include "report/grid.h"
#include "report/report.h"
#include "report/text.h"
#include "result/result.h"

#define COLUMNS_PRESET 100
#define WHY_WIDTH      110u

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
		checks_add_measured(grid_cell(g, COL_MEASURED), k);
		checks_add_interval(grid_cell(g, COL_INTERVAL), k);
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

static const char *check_name(const struct result_check *c)
{
	return c->claim ? c->claim : c->text;
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
		checks_add_conditions(&text, k);
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

static void chances(const struct report_checks *c, uint32_t width, struct str *out)
{
	bool any = false;

	for (uint32_t i = 0; i < c->count; i++) {
		scope_with(str_done) struct str text = {0};
		if (!check_by_chance(&c->checks[i]))
			continue;
		str_add(out, any ? "" : "\nnear the limit\n");
		any = true;
		checks_add_chance(&text, &c->checks[i]);
		str_add(&text, "; " CHANCE_REMEDY);
		why_line(&c->checks[i], str_text(&text), names_width(c), width, out);
		out->failed |= text.failed;
	}
}

static void totals(const struct report_checks *c, struct str *out)
{
	unsigned n[3];

	checks_count_verdicts(c, n);
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
		checks_add_conditions(&text, k);
		str_addf(&text, "%s%s", text.len && *k->reason ? "; " : "", k->reason);
		if (check_by_chance(k)) {
			str_add(&text, text.len ? "; " : "");
			checks_add_chance(&text, k);
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
