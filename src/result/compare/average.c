/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Do the means of a line tell the same as its medians and tails?  Said where both are known by
 * intervals that don't touch: one holds "no difference", or they go opposite ways. */
#include "base/bits.h"
#include "base/plain.h"
#include "result/compare/parts.h"
#include "result/notes/notes.h"
#include "stat/shape.h"

#include <math.h>
#include <stdio.h>

/* ---- what figures say ---- */

static bool differs(const struct compare_cell *cell)
{
	return cell->interval && (cell->low > 1 || cell->high < 1) &&
	       (cell->answer == ANSWER_BETTER || cell->answer == ANSWER_WORSE);
}

static bool agrees(const struct compare_cell *cell)
{
	return cell->interval && cell->low <= 1 && cell->high >= 1;
}

/* Their intervals don't touch, and what they say differs by more than anybody calls the same.
 */
static bool apart(const struct compare *c, const struct compare_cell *x,
	const struct compare_cell *y)
{
	return x->interval && y->interval && (x->high < y->low || y->high < x->low) &&
	       fabs(x->estimate.log_ratio - y->estimate.log_ratio) > log1p(2 * c->tolerance);
}

/* ---- shapes ---- */

struct shapes {
	double slowest_time; /* mean over the runs; < 0: not known */
	bool humps;          /* in most of them                    */
};

static struct shapes shapes_of(const struct compare_line *line, const struct compare_units *u)
{
	struct shapes s = {0};
	uint32_t humps = 0;

	for (uint32_t i = 0; i < u->count; i++) {
		const struct latency *l = compare_latency(line, u->rows[i]);
		if (!l || l->histogram.count < SHAPE_LEAST)
			return (struct shapes){.slowest_time = -1};
		struct shape one = shape_of(&l->histogram);
		s.slowest_time += one.slowest_time / u->count;
		humps += shape_has_humps(&one);
	}
	s.humps = humps * 2 > u->count;
	return s;
}

static void add_shapes(const struct compare_line *line, const struct compare_units *a,
	const struct compare_units *b, char *text, size_t size, struct note_found *f)
{
	struct shapes of_a = shapes_of(line, a), of_b = shapes_of(line, b);
	const char *letter_a = compare_letter(0), *letter_b = compare_letter(line->side);

	text[0] = '\0';
	if (of_a.slowest_time < 0 || of_b.slowest_time < 0)
		return;
	note_number(f, "slowest_percent_time_percent_a", 100 * of_a.slowest_time);
	note_number(f, "slowest_percent_time_percent_b", 100 * of_b.slowest_time);
	int used = snprintf(text, size,
		"; the slowest 1 %% had %s %% of the time in %s and %s %% in %s",
		plain_number(100 * of_a.slowest_time, 2).text, letter_a,
		plain_number(100 * of_b.slowest_time, 2).text, letter_b);
	if (of_a.humps != of_b.humps && used > 0 && (size_t)used < size)
		snprintf(text + used, size - (size_t)used,
			", and in %s alone there are two humps with the mean between them",
			of_a.humps ? letter_a : letter_b);
}

/* ---- the note ---- */

static void add_ratio(struct note_found *f, const char *const keys[3],
	const struct compare_cell *cell)
{
	note_number(f, keys[0], exp(cell->estimate.log_ratio));
	note_number(f, keys[1], cell->low);
	note_number(f, keys[2], cell->high);
}

static void tell(struct compare *c, const struct compare_line *line, enum compare_figure figure,
	const char *what, const char *shapes, struct note_found *f)
{
	static const char *const of_mean[] = {"mean_ratio", "mean_low", "mean_high"};
	static const char *const of_other[] = {"other_ratio", "other_low", "other_high"};
	const struct compare_cell *mean = &line->cells[COMPARE_MEAN];
	const struct compare_cell *other = &line->cells[figure];

	add_ratio(f, of_mean, mean);
	add_ratio(f, of_other, other);
	f->job = line->job;
	note_say(f,
		"%s/%s is %.3f by the mean latency (%.3f to %.3f) and %.3f by %s (%.3f to %.3f): "
		"%s%s",
		compare_letter(line->side), compare_letter(0), exp(mean->estimate.log_ratio),
		mean->low, mean->high, exp(other->estimate.log_ratio),
		compare_figures[figure].title, other->low, other->high, what, shapes);
	compare_tell(c, COMPARED_MEANS_HIDE, f);
}

/* Of few requests a median is chance, whatever a handful of runs make of it; a tail needs ten
 * requests in it.  Where a report doesn't count them, they are taken to be enough. */
static bool enough(const struct compare_line *line, enum compare_figure figure,
	const struct compare_units *u)
{
	uint64_t least = figure == COMPARE_P99_9 ? 10000 : figure == COMPARE_P99 ? 1000 : 200;

	for (uint32_t i = 0; i < u->count; i++) {
		const struct latency *l = compare_latency(line, u->rows[i]);
		bool counted = l && (!l->told || l->told->counted);
		if (!l || (counted && l->moments.count < least))
			return false;
	}
	return true;
}

/* Of those that differ from what the means say, the one that does most: any difference where
 * the means agree, else only OPPOSITE ones. */
static enum compare_figure behind_means(const struct compare *c,
	const struct compare_line *line, const struct compare_units *a,
	const struct compare_units *b, bool opposite)
{
	static const enum compare_figure all[] = {COMPARE_P50, COMPARE_P99, COMPARE_P99_9};
	enum compare_figure found = COMPARE_FIGURES;
	double most = 0;

	for (size_t i = 0; i < COUNT_OF(all); i++) {
		const struct compare_cell *cell = &line->cells[all[i]];
		const struct compare_cell *mean = &line->cells[COMPARE_MEAN];
		double size = fabs(cell->estimate.log_ratio);
		if (!differs(cell) || !apart(c, cell, mean) || size < most ||
			(opposite && (cell->low > 1) == (mean->low > 1)) ||
			!enough(line, all[i], a) || !enough(line, all[i], b))
			continue;
		most = size;
		found = all[i];
	}
	return found;
}

void compare_means(struct compare *c, const struct compare_line *line,
	const struct compare_units *a, const struct compare_units *b)
{
	const struct compare_cell *mean = &line->cells[COMPARE_MEAN];
	const struct compare_cell *p50 = &line->cells[COMPARE_P50];
	struct note_found f = compare_found(COMPARED_MEANS_HIDE);
	enum compare_figure figure;
	char shapes[240];

	if (!enough(line, COMPARE_P50, a) || !enough(line, COMPARE_P50, b))
		return;
	if (agrees(mean)) {
		figure = behind_means(c, line, a, b, false);
		if (figure == COMPARE_FIGURES)
			return;
		add_shapes(line, a, b, shapes, sizeof(shapes), &f);
		tell(c, line, figure, "equal means hide the difference", shapes, &f);
	} else if (differs(mean) && agrees(p50) && apart(c, mean, p50)) {
		add_shapes(line, a, b, shapes, sizeof(shapes), &f);
		tell(c, line, COMPARE_P50, "the usual request is no different, slow ones are",
			shapes, &f);
	} else if (differs(mean) &&
		   (figure = behind_means(c, line, a, b, true)) != COMPARE_FIGURES) {
		add_shapes(line, a, b, shapes, sizeof(shapes), &f);
		tell(c, line, figure, "the usual request and the slow ones go opposite ways",
			shapes, &f);
	}
}
