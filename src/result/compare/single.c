/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What one run can't tell. */
#include "base/bits.h"
#include "result/compare/parts.h"

#include <math.h>
#include <stdio.h>

/* The same job run twice with fio commonly differs by 2 to 4 %. */
#define COMMON_SPREAD_PERCENT 4

/* How far the interval of CELL reaches to a side, in percent; < 0: it has none. */
static double half_percent(const struct compare_cell *cell)
{
	return cell->interval ? 100 * (sqrt(cell->high / cell->low) - 1) : -1;
}

/* A difference that is several times what two runs of the same commonly have stands without
 * repeats, too. */
static bool beyond_chance(const struct compare_cell *cell)
{
	double apart = fabs(cell->estimate.log_ratio);
	return cell->interval && (cell->low > 1 || cell->high < 1) &&
	       apart > log1p(3 * COMMON_SPREAD_PERCENT / 100.0);
}

static void one_run_note(struct compare *c, const struct compare_line *line, const char *text)
{
	struct note_found f = compare_found(COMPARED_ONE_RUN);
	const struct compare_cell *cell = &line->cells[line->deciding];

	if (beyond_chance(cell))
		f.weight = NOTE_INFO;
	note_number(&f, "runs_a", line->units_a);
	note_number(&f, "runs_b", line->units_b);
	if (cell->has_a && cell->has_b && cell->a > 0)
		note_number(&f, "difference_percent", 100 * (cell->b / cell->a - 1));
	if (half_percent(cell) >= 0)
		note_number(&f, "interval_percent", half_percent(cell));
	note_number(&f, "common_spread_percent", COMMON_SPREAD_PERCENT);
	note_say(&f, "%s", text);
	compare_tell(c, COMPARED_ONE_RUN, &f);
}

/* Of all jobs of a side one note, about the one with the least difference. */
static bool least_of_side(const struct compare *c, const struct compare_line *line)
{
	const double size = fabs(line->cells[line->deciding].estimate.log_ratio);

	for (uint32_t i = 0; i < c->lines_count; i++) {
		const struct compare_line *other = &c->lines[i];
		double its = fabs(other->cells[other->deciding].estimate.log_ratio);
		if (other->side == line->side && other->basis == line->basis && other != line &&
			(its < size || (its == size && other < line)))
			return false;
	}
	return true;
}

void compare_single(struct compare *c, const struct compare_line *line)
{
	const char *a = compare_letter(0), *b = compare_letter(line->side);
	char text[512];

	if (line->basis == COMPARE_BY_ONE)
		snprintf(text, sizeof(text),
			"%s / %s: one run each (n = 1), and no series in it, can't decide: the same "
			"job run twice commonly differs by 2 to 4 %%, on flash or under other load "
			"by more",
			a, b);
	else if (line->basis == COMPARE_BY_SERIES)
		snprintf(text, sizeof(text),
			"%s / %s: one run each (n = 1). The intervals are of what varies within a "
			"run; what differs from run to run (layout, cache, placement; commonly 2 to "
			"4 %%) isn't in them",
			a, b);
	else
		snprintf(text, sizeof(text),
			"%s / %s: %s has a single run (n = 1): it is taken to vary as the %u of %s do",
			a, b, line->units_a == 1 ? a : b, MAX_OF(line->units_a, line->units_b),
			line->units_a == 1 ? b : a);
	if (least_of_side(c, line))
		one_run_note(c, line, text);
}
