/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "report/repeated.h"

#include "base/json.h"
#include "base/str.h"
#include "report/compare_words.h"
#include "report/digits.h"
#include "report/grid.h"
#include "report/report.h"
#include "report/text.h"
#include "result/repeated.h"
#include "result/result.h"
#include "stat/precision.h"

#include <inttypes.h>

#define COLUMNS_PRESET 100

/* V of LINE in a unit that fits its mean: "12885", "52.8".  ERROR is that of what V
 * belongs to. */
static void add_value(struct str *out, const struct repeated_line *line, double v, double error)
{
	const char *unit;
	double size = compare_unit(line->figure, line->mean, &unit);
	digits_add_at(out, v / size, precision_place(line->mean / size, error / size));
}

static void add_figure(struct str *out, const struct repeated_line *line)
{
	const char *unit;
	(void)compare_unit(line->figure, line->mean, &unit);
	str_addf(out, "%s%s%s", compare_figures[line->figure].title, *unit ? ", " : "", unit);
}

void repeated_run(const struct repeated *r, uint32_t run, const char *name, struct str *out)
{
	str_addf(out, "run %2" PRIu32, run);
	if (name) {
		str_add(out, "  ");
		text_add(out, name);
	}
	for (uint32_t i = 0; i < r->count; i++) {
		const struct repeated_line *line = &r->lines[i];
		const char *unit;
		str_add(out, "  ");
		text_add(out, line->job);
		str_addf(out, " %s ", result_dir_name(line->dir));
		if (!line->n) {
			str_add(out, "-");
			continue;
		}
		if (!line->fresh) {
			str_add(out, "left out: it failed, or was cut short");
			continue;
		}
		(void)compare_unit(line->figure, line->mean, &unit);
		add_value(out, line, line->last, line->n > 1 ? line->deviation : line->error);
		str_addf(out, " %s", *unit ? unit : compare_figures[line->figure].title);
	}
	str_add_char(out, '\n');
}

enum column {
	COL_JOB,
	COL_WHAT,
	COL_FIGURE,
	COL_RUNS,
	COL_MEAN,
	COL_HALF,
	COL_INTERVAL,
	COL_DEVIATION,
	COL_WORD,
	COLS,
};

static void put_line(struct grid *g, const struct repeated_line *line)
{
	grid_row(g);
	text_add(grid_cell(g, COL_JOB), line->job);
	str_addf(grid_cell(g, COL_WHAT), "%s", result_dir_name(line->dir));
	add_figure(grid_cell(g, COL_FIGURE), line);
	str_addf(grid_cell(g, COL_RUNS), "%" PRIu32, line->n);
	if (!line->n)
		return;
	add_value(grid_cell(g, COL_MEAN), line, line->mean, line->error);
	if (line->n > 1 && line->mean > 0)
		digits_add_share(grid_cell(g, COL_DEVIATION), line->deviation / line->mean);
	if (line->interval) {
		str_add(grid_cell(g, COL_HALF), "\xc2\xb1");
		digits_add_share(grid_cell(g, COL_HALF), line->half);
		add_value(grid_cell(g, COL_INTERVAL), line, line->low, line->error);
		str_add(grid_cell(g, COL_INTERVAL), " to ");
		add_value(grid_cell(g, COL_INTERVAL), line, line->high, line->error);
	}
	if (line->drifting)
		str_addf(grid_cell(g, COL_WORD), "drifts: %+.1f %% from first to last",
			100 * line->drift);
	else if (line->time > 1.5)
		str_addf(grid_cell(g, COL_WORD), "%.1f neighbours are alike", line->time);
}

static const struct grid_column columns[COLS] = {
	[COL_JOB] = {"job", NULL, false, true},
	[COL_WHAT] = {"", NULL, false, false},
	[COL_FIGURE] = {"figure", NULL, false, false},
	[COL_RUNS] = {"runs", NULL, true, false},
	[COL_MEAN] = {"mean", NULL, true, false},
	[COL_HALF] = {"", NULL, true, false},
	[COL_INTERVAL] = {"95 % interval", NULL, true, false},
	[COL_DEVIATION] = {"deviation", NULL, true, false},
	[COL_WORD] = {"", NULL, false, false},
};

static void grid_fill(struct grid *g, const struct repeated *r)
{
	grid_init(g, columns, COLS);
	for (uint32_t i = 0; i < r->count; i++)
		put_line(g, &r->lines[i]);
}

void repeated_table(const struct repeated *r, const char *name, const struct report_how *how,
	struct str *out)
{
	struct grid g;

	grid_fill(&g, r);
	str_add_char(out, '\n');
	if (name) {
		text_add(out, name);
		str_add_char(out, '\n');
	}
	grid_print(&g, how->columns ? how->columns : COLUMNS_PRESET, how->colour, out);
	out->failed |= g.failed;
	grid_done(&g);
}

void repeated_markdown(const struct repeated *r, struct str *out)
{
	struct grid g;

	grid_fill(&g, r);
	grid_print_markdown(&g, out);
	out->failed |= g.failed;
	grid_done(&g);
}

static void write_line(struct json *j, const struct repeated_line *line)
{
	json_object(j, NULL);
	json_text(j, "job", line->job);
	json_text(j, "direction", result_dir_name(line->dir));
	json_text(j, "figure", compare_figures[line->figure].name);
	json_uint(j, "runs", line->n);
	if (line->n)
		json_double(j, "mean", line->mean);
	if (line->n > 1)
		json_double(j, "stddev", line->deviation);
	if (line->interval) {
		json_double(j, "low", line->low);
		json_double(j, "high", line->high);
		json_double(j, "half", line->half);
		json_double(j, "autocorrelation_runs", line->time);
	}
	json_bool(j, "drifting", line->drifting);
	if (line->drifting)
		json_double(j, "drift", line->drift);
	json_object_end(j);
}

void repeated_json(struct json *j, const struct repeated *r, const char *name)
{
	json_object(j, NULL);
	if (name)
		json_text(j, "name", name);
	json_array(j, "jobs");
	for (uint32_t i = 0; i < r->count; i++)
		write_line(j, &r->lines[i]);
	json_array_end(j);
	json_object_end(j);
}
