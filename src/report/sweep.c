/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "report/sweep.h"

#include "report/compare_words.h"
#include "report/digits.h"
#include "report/grid.h"
#include "report/report.h"
#include "report/text.h"
#include "result/repeated.h"
#include "result/result.h"

#include <stdbool.h>
#include <string.h>

#define COLUMNS_PRESET 100

enum column {
	COL_JOB,
	COL_WHAT,
	COL_FIGURE,
	COL_VALUES, /* two a value: the mean and its interval */
};

static const struct sweep_label *label_of(const struct sweep_table *t, const char *row)
{
	for (uint32_t i = 0; i < t->labels_count; i++)
		if (strcmp(t->labels[i].row, row) == 0)
			return &t->labels[i];
	return NULL;
}

static uint32_t column_of(const struct sweep_table *t, const char *value)
{
	uint32_t i = 0;
	while (i < t->values_count && strcmp(t->values[i], value) != 0)
		i++;
	return i;
}

static void put_value(struct grid *g, uint32_t at, const struct repeated_line *line)
{
	const char *unit;
	double v = line->mean / compare_unit(line->figure, line->mean, &unit);

	if (!line->n)
		return;
	digits_add(grid_cell(g, at), v, v / line->mean * line->error);
	str_addf(grid_cell(g, at), "%s%s", *unit ? " " : "", unit);
	if (line->interval) {
		str_add(grid_cell(g, at + 1), "\xc2\xb1");
		digits_add_share(grid_cell(g, at + 1), line->half);
	}
}

/* Lines of one label and direction follow each other, but for the directions between. */
static void put_row(struct grid *g, const struct sweep_table *t, uint32_t from,
	const struct sweep_label *label)
{
	const struct repeated_line *first = &t->known->lines[from];

	grid_row(g);
	text_add(grid_cell(g, COL_JOB), label->label);
	str_add(grid_cell(g, COL_WHAT), result_dir_name(first->dir));
	str_add(grid_cell(g, COL_FIGURE), compare_figures[first->figure].title);
	for (uint32_t i = from; i < t->known->count; i++) {
		const struct repeated_line *line = &t->known->lines[i];
		const struct sweep_label *own = label_of(t, line->job);
		if (!own || line->dir != first->dir || strcmp(own->label, label->label) != 0)
			continue;
		uint32_t k = column_of(t, own->value);
		if (k < t->values_count)
			put_value(g, COL_VALUES + 2 * k, line);
	}
}

static bool is_first(const struct sweep_table *t, uint32_t at, const struct sweep_label *label)
{
	for (uint32_t i = 0; i < at; i++) {
		const struct sweep_label *own = label_of(t, t->known->lines[i].job);
		if (own && t->known->lines[i].dir == t->known->lines[at].dir &&
			strcmp(own->label, label->label) == 0)
			return false;
	}
	return true;
}

void sweep_table(const struct sweep_table *t, const struct report_how *how, struct str *out)
{
	struct grid_column columns[COL_VALUES + 2 * SWEEP_COLUMNS] = {
		[COL_JOB] = {"job", NULL, false, true},
		[COL_WHAT] = {"", NULL, false, false},
		[COL_FIGURE] = {"figure", NULL, false, false},
	};
	struct grid g;

	for (uint32_t k = 0; k < t->values_count; k++) {
		columns[COL_VALUES + 2 * k] = (struct grid_column){
			t->values[k], t->name, true, false};
		columns[COL_VALUES + 2 * k + 1] = (struct grid_column){
			"", t->name, true, false};
	}
	grid_init(&g, columns, COL_VALUES + 2 * t->values_count);
	for (uint32_t i = 0; i < t->known->count; i++) {
		const struct sweep_label *label = label_of(t, t->known->lines[i].job);
		if (label && is_first(t, i, label))
			put_row(&g, t, i, label);
	}
	grid_print(&g, how->columns ? how->columns : COLUMNS_PRESET, how->colour, out);
	out->failed |= g.failed;
	grid_done(&g);
}
