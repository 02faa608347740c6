/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* A table for each pair of sides: the first against one other. */
#include "report/compare.h"

#include "base/bits.h"
#include "base/scope.h"
#include "base/str.h"
#include "report/compare_words.h"
#include "report/digits.h"
#include "report/grid.h"
#include "report/report.h"
#include "report/text.h"
#include "result/result.h"
#include "stat/precision.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define COLUMNS_PRESET 100
#define NOTES_WIDTH    110u
#define TIMES          "\xc3\x97"

enum column {
	COL_JOB,
	COL_WHAT,
	COL_FIGURE,
	COL_A,
	COL_B,
	COL_RATIO,
	COL_INTERVAL,
	COL_ANSWER,
	COL_WHY,
	COLS,
};

struct table {
	const struct compare *c;
	struct grid grid;
	uint32_t side;
	bool deciding_only;
};

/* ---- cells ---- */

/* The unit of a line, by the smaller of its two values. */
static double unit_of(const struct compare_cell *cell, enum compare_figure figure,
	const char **ret_name)
{
	double least = cell->has_a && cell->has_b ? fmin(cell->a, cell->b)
		       : cell->has_a              ? cell->a
						  : cell->b;
	return compare_unit(figure, least, ret_name);
}

#define RATIO_MOST 3 /* decimals */

/* Three decimals below ten and fewer above; two digits of what is smaller than a tenth. */
static int ratio_form(double ratio)
{
	if (ratio > 0 && ratio < 0.0995)
		return 1 - (int)floor(log10(ratio));
	return ratio < 9.995 ? RATIO_MOST : ratio < 99.95 ? 2 : ratio < 999.5 ? 1 : 0;
}

static void put_ratio(struct str *out, double ratio, int place)
{
	digits_add_form(out, ratio, place, ratio_form(ratio));
}

#define END_LEAST 0.001
#define END_MOST  9999.0

/* An end of an interval isn't 0, however wide it is; beyond these it doesn't matter where. */
static void put_end(struct str *out, double ratio, int place)
{
	if (ratio < END_LEAST)
		str_addf(out, "<%.3f", END_LEAST);
	else if (ratio > END_MOST)
		str_addf(out, ">%.0f", END_MOST);
	else if (precision_round(ratio, place) == 0)
		put_ratio(out, ratio, (int)floor(log10(ratio)));
	else
		put_ratio(out, ratio, place);
}

/* Of the ratio as a share: that of the verdict, else what both sides leave. */
static double ratio_error(const struct compare_cell *cell)
{
	if (cell->estimate.known)
		return cell->estimate.se;
	return hypot(cell->error_a / cell->a, cell->error_b / cell->b);
}

static bool seems_one(double ratio, int place)
{
	return ratio != 1 && precision_round(ratio, place) == 1;
}

/* The digits that the ratio's error leaves; more where an end of the interval would be 1 and
 * isn't: whether 1 is in it is the answer. */
static int ratio_place(const struct compare_cell *cell, double ratio)
{
	int place = precision_place(ratio, ratio * ratio_error(cell));

	while (cell->interval && place > -RATIO_MOST &&
		(seems_one(cell->low, place) || seems_one(cell->high, place)))
		place--;
	return place;
}

static enum grid_ink answer_ink(enum compare_answer answer)
{
	static const enum grid_ink inks[] = {
		[ANSWER_NONE] = INK_PLAIN,
		[ANSWER_BETTER] = INK_BOLD,
		[ANSWER_WORSE] = INK_RED,
		[ANSWER_SAME] = INK_PLAIN,
		[ANSWER_UNDECIDED] = INK_YELLOW,
	};
	return inks[answer];
}

static void put_values(struct table *t, const struct compare_cell *cell,
	enum compare_figure figure)
{
	const char *unit;
	double size = unit_of(cell, figure, &unit);
	double ratio = cell->estimate.known ? exp(cell->estimate.log_ratio)
		       : cell->a > 0        ? cell->b / cell->a
					    : 0;
	int place = ratio_place(cell, ratio);

	str_addf(grid_cell(&t->grid, COL_FIGURE), "%s%s%s", compare_figures[figure].title,
		*unit ? ", " : "", unit);
	if (cell->has_a)
		digits_add(grid_cell(&t->grid, COL_A), cell->a / size, cell->error_a / size);
	if (cell->has_b)
		digits_add(grid_cell(&t->grid, COL_B), cell->b / size, cell->error_b / size);
	if (cell->estimate.known || (cell->has_a && cell->has_b && cell->a > 0))
		put_ratio(grid_cell(&t->grid, COL_RATIO), ratio, place);
	if (!cell->interval)
		return;
	struct str *text = grid_cell(&t->grid, COL_INTERVAL);
	put_end(text, cell->low, place);
	str_add(text, " to ");
	put_end(text, cell->high, place);
}

static void put_cell(struct table *t, const struct compare_line *line,
	enum compare_figure figure)
{
	const struct compare_cell *cell = &line->cells[figure];

	put_values(t, cell, figure);
	str_add(grid_cell(&t->grid, COL_ANSWER), compare_answer_text(cell->answer));
	grid_ink(&t->grid, COL_ANSWER, answer_ink(cell->answer));
	if (cell->answer == ANSWER_UNDECIDED)
		compare_add_why(grid_cell(&t->grid, COL_WHY), line, cell);
}

static void put_label(struct table *t, const struct compare_line *line)
{
	text_add(grid_cell(&t->grid, COL_JOB), line->job);
	struct str *what = grid_cell(&t->grid, COL_WHAT);
	if (line->what)
		text_add(what, line->what);
	if (!line->what || !strstr(line->what, result_dir_name(line->dir)))
		str_addf(what, "%s%s", line->what ? " " : "", result_dir_name(line->dir));
	if (line->members > 1)
		str_addf(what, " " TIMES "%" PRIu32, line->members);
	grid_ink(&t->grid, COL_JOB, INK_BOLD);
}

/* The deciding figure first. */
static void put_line(struct table *t, const struct compare_line *line)
{
	grid_row(&t->grid);
	put_label(t, line);
	put_cell(t, line, line->deciding);
	for (uint32_t column = COL_FIGURE; column < COL_ANSWER; column++)
		grid_ink(&t->grid, column, INK_BOLD);
	for (int f = 0; f < COMPARE_FIGURES && !t->deciding_only; f++) {
		const struct compare_cell *cell = &line->cells[f];
		if (f == (int)line->deciding || (!cell->has_a && !cell->has_b))
			continue;
		grid_row(&t->grid);
		put_cell(t, line, (enum compare_figure)f);
	}
}

static void table_grid(const struct compare *c, uint32_t side, uint32_t width,
	const struct report_how *how, struct str *out)
{
	struct table t = {.c = c, .side = side, .deciding_only = how->deciding_only};
	const char *letter = compare_letter(side);
	char ratio[8], is[8];

	snprintf(ratio, sizeof(ratio), "%s/A", letter);
	snprintf(is, sizeof(is), "%s is", letter);
	const struct grid_column columns[COLS] = {
		[COL_JOB] = {"job", NULL, false, true},
		[COL_WHAT] = {"what", NULL, false, true},
		[COL_FIGURE] = {"figure", NULL, false, false},
		[COL_A] = {"A", NULL, true, false},
		[COL_B] = {letter, NULL, true, false},
		[COL_RATIO] = {ratio, NULL, true, false},
		[COL_INTERVAL] = {"95 % interval", NULL, true, false},
		[COL_ANSWER] = {is, NULL, false, false},
		[COL_WHY] = {"", NULL, false, false},
	};

	grid_init(&t.grid, columns, COLS);
	for (uint32_t i = 0; i < c->lines_count; i++)
		if (c->lines[i].side == side)
			put_line(&t, &c->lines[i]);
	if (!t.grid.rows)
		str_add(out, "no job is on both sides\n");
	else if (width)
		grid_print(&t.grid, width, how->colour, out);
	else
		grid_print_markdown(&t.grid, out);
	out->failed |= t.grid.failed;
	grid_done(&t.grid);
}

/* ---- above and below ---- */

static void put_head(const struct compare *c, uint32_t side, struct str *out)
{
	str_add(out, "A ");
	compare_add_side(out, &c->sides[0]);
	str_addf(out, "   %s ", compare_letter(side));
	compare_add_side(out, &c->sides[side]);
	str_add(out, "\n\n");
}

/* The answer in one sentence. */
static void put_answer(const struct compare *c, struct str *out)
{
	static const char *const texts[] = {
		[ANSWER_BETTER] = "better: nothing is worse, something is better",
		[ANSWER_WORSE] = "worse: something is",
		[ANSWER_SAME] = "the same",
		[ANSWER_UNDECIDED] = "can't tell",
	};
	str_add(out, texts[compare_answer(c)]);
	if (c->lines_count)
		str_addf(out, " (by %s; the same is within %.3g %%)",
			compare_figures[c->lines[0].deciding].title, 100 * c->tolerance);
	str_add_char(out, '\n');
}

static uint32_t verdicts(const struct compare *c, bool decide)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < c->lines_count; i++)
		for (int f = 0; f < COMPARE_FIGURES; f++)
			n += c->lines[i].cells[f].estimate.known &&
			     (f == (int)c->lines[i].deciding) == decide;
	return n;
}

void compare_add_levels(const struct compare *c, bool deciding_only, struct str *out)
{
	uint32_t first = verdicts(c, true), rest = verdicts(c, false);
	if (deciding_only && first > 1)
		str_add(out,
			"The verdicts are at 5 % together (Holm), the intervals each at its own 95 %.");
	else if (!deciding_only && rest > 1)
		str_addf(out,
			"The first figure of a job decides%s; the other %" PRIu32
			" verdicts are at 5 %% together (Holm), the intervals each at its own 95 %%.",
			first > 1 ? ", at 5 % over all jobs and sides together" : "", rest);
}

static void put_line_of_note(const char *text, uint32_t width, const char *lead,
	struct str *out)
{
	str_add(out, lead);
	if (width)
		text_wrap(out, text, 2, 2, width);
	else
		text_add(out, text);
	str_add_char(out, '\n');
}

/* "db: ...; do this" */
static void put_note(const struct result_note *n, uint32_t width, const char *lead,
	struct str *out)
{
	scope_with(str_done) struct str text = {0};

	str_addf(&text, "%s%s%s%s%s", n->job ? n->job : "", n->job ? ": " : "", n->text,
		n->remedy ? "; " : "", n->remedy ? n->remedy : "");
	put_line_of_note(str_text(&text), width, lead, out);
	out->failed |= text.failed;
}

static void put_notes(const struct compare *c, uint32_t width, const char *lead,
	bool deciding_only, struct str *out)
{
	struct str levels = {0};

	compare_add_levels(c, deciding_only, &levels);
	if (c->notes_count || levels.len)
		str_addf(out, "\n%s", width ? "notes\n" : "");
	for (uint32_t i = 0; i < c->notes_count; i++)
		put_note(&c->notes[i], width, lead, out);
	if (levels.len)
		put_line_of_note(str_text(&levels), width, lead, out);
	out->failed |= levels.failed;
	str_done(&levels);
}

void compare_table(const struct compare *c, const struct report_how *how, struct str *out)
{
	uint32_t width = how->columns ? how->columns : COLUMNS_PRESET;

	for (uint32_t side = 1; side < c->sides_count; side++) {
		put_head(c, side, out);
		table_grid(c, side, width, how, out);
		str_add_char(out, '\n');
	}
	put_answer(c, out);
	put_notes(c, MIN_OF(width, NOTES_WIDTH), "  ", how->deciding_only, out);
}

void compare_markdown(const struct compare *c, const struct report_how *how, struct str *out)
{
	for (uint32_t side = 1; side < c->sides_count; side++) {
		put_head(c, side, out);
		table_grid(c, side, 0, how, out);
		str_add_char(out, '\n');
	}
	put_answer(c, out);
	put_notes(c, 0, "- ", how->deciding_only, out);
}
