/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* weir's own report: a line a job and direction, one unit a column, then what is
 * wrong with the figures, in words.
 *
 * The latency shown is the total (from preparing the request to having it back):
 * it means the same for every engine, where fio's clat is the whole call of a
 * synchronous one and almost nothing of a buffered libaio one. */
#include "base/bits.h"
#include "base/plain.h"
#include "base/str.h"
#include "report/checks.h"
#include "report/digits.h"
#include "report/figures.h"
#include "report/grid.h"
#include "report/report.h"
#include "report/table_lines.h"
#include "report/text.h"
#include "result/known.h"
#include "result/result.h"
#include "stat/precision.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#define COLUMNS_PRESET 100

#define MICRO "\xc2\xb5"
#define TIMES "\xc3\x97"
#define FEW   "~" /* before a quantile with few samples beyond it */

static const struct report_unit unit_ns = {"ns", 1};
static const struct report_unit unit_us = {MICRO "s", 1e3};
static const struct report_unit unit_ms = {"ms", 1e6};
static const struct report_unit unit_mb = {"MB", 1e6};

/* ---- one unit a column ---- */

struct span {
	double least, most; /* of what will be shown; most 0: nothing */
};

struct units {
	struct span latency, cpu;
};

static void span_take(struct span *s, double least, double most)
{
	if (least > 0)
		s->least = s->most > 0 ? MIN_OF(s->least, least) : least;
	s->most = MAX_OF(s->most, most);
}

static void units_take(void *ctx, const struct line *line)
{
	struct units *u = ctx;
	struct figure_value v;

	uint64_t p50, p99;

	if (latency_any(line->latency) && line->kind != LINE_LATENESS &&
		known_find(line->latency, 0.5, &p50) && known_find(line->latency, 0.99, &p99))
		span_take(&u->latency, (double)MAX_OF(p50, known_below(line->latency, p50)),
			(double)MAX_OF(p99, known_below(line->latency, p99)));
	else if (latency_any(line->latency) && line->kind != LINE_LATENESS)
		span_take(&u->latency, latency_mean(line->latency),
			latency_mean(line->latency));
	if (line->first && figure_get(figure_find("cpu_per_io_ns"), line->row, DIR_READ, &v))
		span_take(&u->cpu, v.real, v.real);
}

/* The larger unit as long as the smallest figure keeps its digits. */
static const struct report_unit *unit_choose(const struct span *s)
{
	if (s->most < 10e3)
		return &unit_ns;
	return s->least >= 1e6 ? &unit_ms : &unit_us;
}

/* ---- cells ---- */

enum column {
	COL_JOB,
	COL_WHAT,
	COL_PART,
	COL_IOPS,
	COL_MB,
	COL_MEAN,
	COL_P50,
	COL_P99,
	COL_P99_9,
	COL_MAX,
	COL_CPU,
	COL_ERRORS,
	COLS,
};

struct table {
	const struct result *r;
	struct grid grid;
	const struct report_unit *latency, *cpu, *bandwidth;
	bool few;
};

/* ERROR is a standard error, in V's unit. */
static void put_number(struct table *t, enum column column, double v, double error)
{
	digits_add(grid_cell(&t->grid, column), v, error);
}

static void put_count(struct table *t, enum column column, uint64_t v)
{
	str_addf(grid_cell(&t->grid, column), "%" PRIu64, v);
}

/* Whole nanoseconds have no decimals. */
static void put_time_at(struct table *t, enum column column, double ns, int place)
{
	if (t->latency == &unit_ns && ns == floor(ns))
		place = MAX_OF(place, 0);
	digits_add_at(grid_cell(&t->grid, column), ns / t->latency->size, place);
}

static void put_time(struct table *t, enum column column, double ns, double error)
{
	double size = t->latency->size;

	put_time_at(t, column, ns, precision_place(ns / size, error / size));
}

static void put_label(struct table *t, const struct line *line)
{
	const struct result_row *row = line->row;
	struct str *what = grid_cell(&t->grid, COL_WHAT);

	text_add(grid_cell(&t->grid, COL_JOB), row->name);
	text_add(what, row->what && *row->what ? row->what : "?");
	if (result_depth(row) || !row->told)
		str_addf(what, "  q%" PRIu32, result_depth(row));
	if (row->members > 1)
		str_addf(what, " " TIMES "%" PRIu32, row->members);
}

static void put_end(struct table *t, const struct result_row *row)
{
	static const char *const words[] = {
		[END_DONE] = "partial",
		[END_ERROR] = "failed",
		[END_STOPPED] = "stopped early",
		[END_KILLED] = "killed, partial",
		[END_STUCK] = "stuck, partial",
		[END_NOT_RUN] = "never ran",
	};
	struct str *cell = grid_cell(&t->grid, COL_WHAT);
	bool data = row->verify && row->verify->wrong;

	str_add(cell, data && row->end == END_ERROR ? "wrong data" : words[row->end]);
	if (row->end == END_ERROR && row->error && !data)
		str_addf(cell, ", errno %d", row->error);
	grid_ink(&t->grid, COL_WHAT, INK_RED);
}

static void put_cpu(struct table *t, const struct result_row *row)
{
	struct figure_value v;

	if (!result_row_did_io(row))
		return;
	if (!figure_get(figure_find("cpu_per_io_ns"), row, DIR_READ, &v)) {
		str_add_char(grid_cell(&t->grid, COL_CPU), '-');
		return;
	}
	put_number(t, COL_CPU, v.real / t->cpu->size,
		known_cpu_per_io(row, v.real) / t->cpu->size);
	str_addf(grid_cell(&t->grid, COL_CPU), " %s", t->cpu->name);
}

static void put_part(struct table *t, const struct line *line)
{
	static const char *const parts[] = {
		[LINE_RESPONSE] = "response",
		[LINE_LATENESS] = "lateness",
		[LINE_VERIFY] = "verify",
		[LINE_SYNC] = "sync",
		[LINE_NOTHING] = "no I/O",
		[LINE_END] = "",
	};
	struct str *cell = grid_cell(&t->grid, COL_PART);
	bool named = line->kind == LINE_SERVICE || line->kind == LINE_TOGETHER ||
		     line->kind == LINE_TARGET;

	if (named && !line->only)
		str_add(cell, result_dir_name(line->slot));
	else if (line->kind == LINE_NOTHING && known_ran_only(line->row))
		str_add(cell, "not known");
	else if (!named)
		str_add(cell, parts[line->kind]);
}

/* A quantile needs ten samples beyond it: fewer, and it is the accident of a few. */
#define BEYOND_LEAST 10

static bool rests_on_few(const struct latency *l, double quantile)
{
	return (double)l->moments.count * (1 - quantile) < BEYOND_LEAST - 1e-6;
}

/* The quantile that was put last, as it is shown. */
struct shown {
	double v;
	int place;
};

#define DECIMALS_MOST 3

/* Place of the last digit of a quantile that must not seem less than the one before it or
 * more than the maximum, which is exact. */
static int place_in_order(const struct shown *before, double v, double error, double max)
{
	int place = precision_place(v, error);

	if (precision_round(v, place) < before->v)
		place = before->place;
	while (place > -DECIMALS_MOST && precision_round(v, place) > max)
		place--;
	return place;
}

/* A cell stays empty when it isn't known. */
static void put_quantile(struct table *t, enum column column, const struct line *line,
	double quantile, struct shown *last)
{
	const struct latency *l = line->latency;
	double size = t->latency->size, v;
	uint64_t ns;

	if (!known_find(l, quantile, &ns))
		return;
	if (known_below(l, ns)) {
		str_addf(grid_cell(&t->grid, column), "<%s",
			plain_number((double)known_below(l, ns) / size, 3).text);
		return;
	}
	if (l->moments.count && rests_on_few(l, quantile)) {
		str_add(grid_cell(&t->grid, column), FEW);
		t->few = true;
	}
	v = (double)ns / size;
	last->place = place_in_order(last, v, known_quantile(line->row, l, quantile) / size,
		(double)l->moments.max / size);
	last->v = precision_round(v, last->place);
	put_time_at(t, column, (double)ns, last->place);
}

static void put_latency(struct table *t, const struct line *line)
{
	const struct latency *l = line->latency;
	struct shown last = {.place = PRECISION_ALL};

	if (!latency_any(l))
		return;
	if (latency_mean(l) >= 0)
		put_time(t, COL_MEAN, latency_mean(l), known_mean(line->row, l));
	put_quantile(t, COL_P50, line, 0.5, &last);
	put_quantile(t, COL_P99, line, 0.99, &last);
	put_quantile(t, COL_P99_9, line, 0.999, &last);
	put_time(t, COL_MAX, (double)l->moments.max, known_max(l));
}

static void put_together(struct table *t, const struct line *line)
{
	const struct result_together *all = &line->together;
	double seconds = (double)(all->end_ns - all->start_ns) / (double)NS_PER_S;

	if (line->first) {
		str_addf(grid_cell(&t->grid, COL_JOB), "all %" PRIu32, all->rows);
		str_addf(grid_cell(&t->grid, COL_WHAT), "while together, %s s",
			plain_number(seconds, 3).text);
	}
	double ios = known_together(t->r, line->row->group, (enum dir)line->slot, SERIES_IOS);
	double bytes = known_together(t->r, line->row->group, (enum dir)line->slot,
		SERIES_BYTES);
	put_number(t, COL_IOPS, all->ios_per_s, ios);
	put_number(t, COL_MB, all->bytes_per_s / t->bandwidth->size,
		bytes / t->bandwidth->size);
	for (uint32_t column = 0; column < COLS; column++)
		grid_ink(&t->grid, column, INK_BOLD);
}

/* The end of a long path tells more than its start. */
#define TARGET_WIDTH 36

static void put_target(struct table *t, const char *path)
{
	struct str *cell = grid_cell(&t->grid, COL_WHAT);
	size_t len = strlen(path), at = 0;

	str_add(cell, "  ");
	if (text_width(path) > TARGET_WIDTH) {
		at = len - TARGET_WIDTH + 3;
		while (at < len && ((unsigned char)path[at] & 0xc0) == 0x80)
			at++;
		str_add(cell, "...");
	}
	text_add(cell, path + at);
	grid_ink(&t->grid, COL_WHAT, INK_DIM);
}

static double rate_error(const struct line *line, const struct result_dir *d,
	enum series_rate what)
{
	return line->kind == LINE_TARGET ? known_target(line->row, line->slot, d, what)
					 : known_rate(line->row, d, what);
}

static void put_service(struct table *t, const struct line *line, const struct result_dir *d)
{
	double ios = result_iops(d), bytes = result_bw(d) / t->bandwidth->size;

	if (ios >= 0)
		put_number(t, COL_IOPS, ios, ios * rate_error(line, d, SERIES_IOS));
	if (bytes >= 0)
		put_number(t, COL_MB, bytes, bytes * rate_error(line, d, SERIES_BYTES));
	if (d->errors) {
		put_count(t, COL_ERRORS, d->errors);
		grid_ink(&t->grid, COL_ERRORS, INK_RED);
	}
}

static void put_syncs(struct table *t, const struct result_row *row)
{
	double per_s = (double)row->syncs * (double)NS_PER_S / (double)row->runtime_ns;

	put_number(t, COL_IOPS, per_s, per_s * known_syncs(row));
}

static void put_line(void *ctx, const struct line *line)
{
	struct table *t = ctx;
	const struct result_row *row = line->row;

	grid_row(&t->grid);
	put_part(t, line);
	if (line->kind == LINE_TOGETHER) {
		put_together(t, line);
		return;
	}
	if (line->first) {
		put_label(t, line);
		put_cpu(t, row);
	}
	if (line->kind == LINE_END)
		put_end(t, row);
	if (line->kind == LINE_SERVICE || line->kind == LINE_VERIFY)
		put_service(t, line, line->dir);
	if (line->kind == LINE_TARGET) {
		if (line->target_first)
			put_target(t, line->target->path);
		put_service(t, line, &line->target->dir[line->slot]);
	}
	if (line->kind == LINE_SYNC && row->runtime_ns)
		put_syncs(t, row);
	put_latency(t, line);
}

/* ---- above and below the table ---- */

static void head(const struct result *r, const struct report_how *how, uint32_t width,
	struct str *out)
{
	const char *parts[] = {r->source ? r->source : how->version, r->title, r->targets,
		r->devices, r->kernel};
	unsigned at = 0;

	for (size_t i = 0; i < COUNT_OF(parts); i++) {
		if (!parts[i] || !*parts[i])
			continue;
		unsigned used = text_width(parts[i]);
		if (at && at + 3 + used > width) {
			str_add(out, "\n  ");
			at = 2;
		} else if (at) {
			str_add(out, "   ");
			at += 3;
		}
		ink_add(out, i ? INK_PLAIN : INK_BOLD, how->colour, parts[i]);
		at += used;
	}
	if (!r->final)
		str_addf(out, "\ninterim report, %" PRIu64 " s after the start", r->elapsed_s);
	else if (r->partial || r->stop_signal)
		str_add(out, "\npartial report: something is missing, see the notes");
	str_add(out, "\n\n");
}

/* The table in columns of WIDTH, or (0) as Markdown. */
static void table_grid(const struct result *r, const struct report_how *how, uint32_t width,
	struct str *out)
{
	struct units units = {0};
	struct table t = {.r = r};
	char span[64], rate[16];

	lines_each(r, units_take, &units);
	t.latency = how->units.latency.name ? &how->units.latency : unit_choose(&units.latency);
	t.bandwidth = how->units.bandwidth.name ? &how->units.bandwidth : &unit_mb;
	t.cpu = units.cpu.most < 1e3 ? &unit_ns : &unit_us;
	snprintf(rate, sizeof(rate), "%s/s", t.bandwidth->name);
	snprintf(span, sizeof(span), "%s, %s",
		lines_show_clat(r) ? "completion latency" : "latency", t.latency->name);
	const struct grid_column columns[COLS] = {
		[COL_JOB] = {"job", NULL, false, true},
		[COL_WHAT] = {"what", NULL, false, true},
		[COL_PART] = {"", NULL, false, false},
		[COL_IOPS] = {"IOPS", NULL, true, false},
		[COL_MB] = {rate, NULL, true, false},
		[COL_MEAN] = {"mean", span, true, false},
		[COL_P50] = {"p50", span, true, false},
		[COL_P99] = {"p99", span, true, false},
		[COL_P99_9] = {"p99.9", span, true, false},
		[COL_MAX] = {"max", span, true, false},
		[COL_CPU] = {"CPU/IO", NULL, true, false},
		[COL_ERRORS] = {"errors", NULL, true, false},
	};
	grid_init(&t.grid, columns, COLS);
	lines_each(r, put_line, &t);
	if (!t.grid.rows)
		str_add(out, "no jobs\n");
	else if (width)
		grid_print(&t.grid, width, how->colour, out);
	else
		grid_print_markdown(&t.grid, out);
	if (t.few)
		str_add(out, "\n" FEW " rests on fewer than 10 samples beyond it\n");
	if (t.grid.failed)
		out->failed = true;
	grid_done(&t.grid);
}

static void expectations(const struct result *r, const struct report_how *how, struct str *out)
{
	const struct report_checks checks = {.checks = r->checks, .count = r->checks_count};

	if (!r->checks_count)
		return;
	str_add_char(out, '\n');
	if (how->columns == UINT32_MAX)
		checks_markdown(&checks, how, out);
	else
		checks_table(&checks, how, out);
}

static void table_print(const struct result *r, const struct report_how *how, struct str *out)
{
	uint32_t width = how->columns ? how->columns : COLUMNS_PRESET;

	head(r, how, width, out);
	table_grid(r, how, width, out);
	report_notes(r, how, out);
	expectations(r, how, out);
}

static void markdown_print(const struct result *r, const struct report_how *how,
	struct str *out)
{
	const struct report_how plain = {.version = how->version};

	head(r, &plain, UINT32_MAX, out);
	table_grid(r, how, 0, out);
	report_notes_markdown(r, out);
	const struct report_how wide = {.version = how->version, .columns = UINT32_MAX};
	expectations(r, &wide, out);
}

const struct report_format report_markdown = {
	.name = "markdown",
	.machine = true,
	.print = markdown_print,
};

const struct report_format report_table = {
	.name = "table",
	.print = table_print,
};
