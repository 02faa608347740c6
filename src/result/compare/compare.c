/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "base/bits.h"
#include "result/compare/parts.h"
#include "stat/histogram.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define CONFIDENCE 0.95
#define LEVEL      0.05
#define PAIRS_MIN  5 /* fewer lose more by their degrees of freedom than blocks give */

void *compare_alloc(struct compare *c, size_t count, size_t size)
{
	void *mem = arena_array(&c->arena, count ? count : 1, size);
	c->failed |= !mem;
	return mem;
}

/* ---- what a line looks at ---- */

static bool quantiles_known(const struct compare_units *u, const struct compare_line *line,
	enum compare_figure figure)
{
	double v;
	for (uint32_t i = 0; i < u->count; i++)
		if (!compare_value(line, figure, u->rows[i], &v))
			return false;
	return u->count > 0;
}

/* The total latency, or the completion latency where only that has percentiles (fio) or a
 * mean in all runs of both sides. */
static void latency_choose(struct compare_line *line, const struct compare_units *a,
	const struct compare_units *b)
{
	static const enum compare_figure by[] = {COMPARE_P99, COMPARE_P50, COMPARE_MEAN};

	for (size_t i = 0; i < COUNT_OF(by); i++) {
		for (int clat = 0; clat < 2; clat++) {
			line->clat = clat;
			if (quantiles_known(a, line, by[i]) && quantiles_known(b, line, by[i]))
				return;
		}
	}
	line->clat = false;
}

static bool rated(const struct compare_units *u, int dir)
{
	for (uint32_t i = 0; i < u->count; i++)
		if (!(u->rows[i]->dir[dir].asked_per_s > 0))
			return false;
	return u->count > 0;
}

static enum compare_figure deciding(const struct compare_line *line,
	const struct compare_units *a, const struct compare_units *b,
	enum compare_figure metric)
{
	if (metric != COMPARE_BY_JOB)
		return metric;
	bool on_schedule = rated(a, line->dir) && rated(b, line->dir) &&
			   quantiles_known(a, line, COMPARE_RESPONSE_P99) &&
			   quantiles_known(b, line, COMPARE_RESPONSE_P99);
	return on_schedule ? COMPARE_RESPONSE_P99 : COMPARE_IOPS;
}

/* ---- runs ---- */

/* Values of the runs that have the figure; their number. */
static uint32_t values_of(const struct compare_line *line, const struct compare_units *u,
	enum compare_figure figure, double *ret)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < u->count; i++)
		n += compare_value(line, figure, u->rows[i], &ret[n]);
	return n;
}

/* Did the runs of both sides take turns: is each next pair in time one of each? */
static bool taking_turns(const struct compare_units *a, const struct compare_units *b)
{
	if (a->count != b->count || a->count < PAIRS_MIN)
		return false;
	for (uint32_t i = 0; i < a->count; i++) {
		uint64_t ta = a->runs[i]->time_ms, tb = b->runs[i]->time_ms;
		uint64_t last = MAX_OF(ta, tb);
		if (!ta || !tb || ta == tb)
			return false;
		if (i + 1 < a->count &&
			MIN_OF(a->runs[i + 1]->time_ms, b->runs[i + 1]->time_ms) <= last)
			return false;
	}
	return true;
}

/* A percentile is known to its bin: an error that is the same in all runs. */
static double resolution(enum compare_figure figure, double v)
{
	bool quantile = figure == COMPARE_P50 || figure == COMPARE_P99 ||
			figure == COMPARE_P99_9 || figure == COMPARE_RESPONSE_P50 ||
			figure == COMPARE_RESPONSE_P99;
	if (!quantile || !(v > 0))
		return 0;
	uint32_t bin = histogram_bin((uint64_t)v);
	double width = bin < 128 ? 1 : (double)(UINT64_C(1) << (bin / 64 - 1));
	return width / sqrt(12) / v;
}

static void cell_by_runs(struct compare_cell *cell, enum compare_figure figure,
	double tolerance, const struct sample *a, const struct sample *b)
{
	double grain_a = resolution(figure, a->mean), grain_b = resolution(figure, b->mean);
	double blur = sqrt(grain_a * grain_a + grain_b * grain_b);
	uint32_t need = estimate_values_needed(&cell->estimate, a, b, tolerance);
	uint32_t have = MIN_OF(a->n, b->n);

	estimate_blur(&cell->estimate, blur);
	if (blur > cell->estimate.se / 2)
		cell->grain = sqrt(12) * fmax(grain_a, grain_b);
	cell->interval = cell->estimate.known;
	cell->more = need > have ? need - have : need ? 1 : 0;
}

static void cell_fill(struct compare *c, struct compare_line *line, enum compare_figure figure,
	const struct compare_units *a, const struct compare_units *b)
{
	struct compare_cell *cell = &line->cells[figure];
	double *va = compare_alloc(c, a->count, sizeof(*va));
	double *vb = compare_alloc(c, b->count, sizeof(*vb));

	if (!va || !vb)
		return;
	uint32_t na = values_of(line, a, figure, va), nb = values_of(line, b, figure, vb);
	struct sample sa = sample_of(va, na), sb = sample_of(vb, nb);
	cell->has_a = na;
	cell->has_b = nb;
	cell->a = sa.mean;
	cell->b = sb.mean;
	cell->error_a = compare_error(line, figure, a, va, na);
	cell->error_b = compare_error(line, figure, b, vb, nb);
	if (!na || !nb || line->basis < COMPARE_BY_RUNS || compare_figures[figure].no_verdict)
		return;
	bool pairs = line->basis == COMPARE_BY_PAIRS && na == nb && na == line->units_a;
	cell->estimate = pairs ? estimate_pairs(va, vb, na) : estimate_means(&sa, &sb);
	if (cell->estimate.known)
		cell_by_runs(cell, figure, c->tolerance, &sa, &sb);
}

/* ---- one run each ---- */

static bool has_series(const struct compare_units *u)
{
	return u->count && u->rows[0]->series.count > 1;
}

static enum compare_basis basis_of(const struct compare_units *a, const struct compare_units *b)
{
	if (a->count > 1 || b->count > 1)
		return taking_turns(a, b) ? COMPARE_BY_PAIRS : COMPARE_BY_RUNS;
	return has_series(a) && has_series(b) ? COMPARE_BY_SERIES : COMPARE_BY_ONE;
}

/* ---- verdicts ---- */

/* Why a cell can't have one, whatever its numbers are. */
static void cell_refuse(struct compare_cell *cell, const struct compare_line *line, bool broken)
{
	cell->answer = ANSWER_UNDECIDED;
	if (!cell->has_a || !cell->has_b)
		cell->why = WHY_ABSENT;
	else if (broken)
		cell->why = WHY_BROKEN;
	else
		cell->why = line->basis >= COMPARE_BY_RUNS ? WHY_WIDE : WHY_ONE;
}

static void cells_prepare(struct compare_line *line, bool broken)
{
	for (int f = 0; f < COMPARE_FIGURES; f++) {
		struct compare_cell *cell = &line->cells[f];
		bool judged = cell->answer == ANSWER_UNDECIDED; /* by its series */
		if (compare_figures[f].no_verdict)
			cell->estimate.known = false;
		else if (broken || (!cell->estimate.known && !judged))
			cell_refuse(cell, line, broken);
		if (cell->estimate.known)
			estimate_interval(&cell->estimate, CONFIDENCE, &cell->low, &cell->high);
		cell->interval &= cell->estimate.known;
	}
}

static struct compare_line line_make(struct compare *c, const struct compare_key *keys,
	uint32_t side, int dir, enum compare_figure metric)
{
	struct compare_units a = compare_units_of(c, &c->sides[0], &keys[0]);
	struct compare_units b = compare_units_of(c, &c->sides[side], &keys[side]);
	struct compare_line line = {
		.dir = dir,
		.side = side,
		.basis = basis_of(&a, &b),
		.units_a = a.count,
		.units_b = b.count,
	};
	if (!a.count || !b.count)
		return line;
	line.job = a.rows[0]->name;
	line.what = a.rows[0]->what;
	line.members = a.rows[0]->members;
	latency_choose(&line, &a, &b);
	line.deciding = deciding(&line, &a, &b, metric);
	for (int f = 0; f < COMPARE_FIGURES; f++)
		cell_fill(c, &line, (enum compare_figure)f, &a, &b);
	if (line.basis == COMPARE_BY_SERIES &&
		compare_by_series(c, &line, a.rows[0], b.rows[0]) < 0)
		c->failed = true;
	cells_prepare(&line, a.broken || b.broken);
	return line;
}

/* ---- families of verdicts ---- */

struct family {
	struct compare_cell **cells;
	bool *more; /* is better */
	double *claims;
	double *levels;
	uint32_t count;
};

static bool in_family(const struct compare_line *line, int figure, bool decide)
{
	const struct compare_cell *cell = &line->cells[figure];
	return ((int)line->deciding == figure) == decide && cell->estimate.known &&
	       cell->answer == ANSWER_NONE && !compare_figures[figure].no_verdict;
}

static void family_collect(struct compare *c, bool decide, struct family *f)
{
	for (uint32_t i = 0; i < c->lines_count; i++) {
		for (int k = 0; k < COMPARE_FIGURES; k++) {
			if (!in_family(&c->lines[i], k, decide))
				continue;
			f->cells[f->count] = &c->lines[i].cells[k];
			f->claims[f->count] = estimate_claim(&c->lines[i].cells[k].estimate,
				c->tolerance);
			f->more[f->count++] = compare_figures[k].more;
		}
	}
}

static void cell_decide(struct compare_cell *cell, double tolerance, double level, bool more)
{
	switch (estimate_verdict(&cell->estimate, tolerance, level)) {
	case VERDICT_SAME:
		cell->answer = ANSWER_SAME;
		break;
	case VERDICT_MORE:
		cell->answer = more ? ANSWER_BETTER : ANSWER_WORSE;
		break;
	case VERDICT_LESS:
		cell->answer = more ? ANSWER_WORSE : ANSWER_BETTER;
		break;
	case VERDICT_UNDECIDED:
		cell->answer = ANSWER_UNDECIDED;
		cell->why = cell->grain > 0 ? WHY_GRAIN : WHY_WIDE;
		break;
	}
}

static void decide_family(struct compare *c, bool decide)
{
	size_t most = (size_t)c->lines_count * COMPARE_FIGURES;
	struct family f = {
		.cells = compare_alloc(c, most, sizeof(struct compare_cell *)),
		.more = compare_alloc(c, most, sizeof(bool)),
		.claims = compare_alloc(c, most, sizeof(double)),
		.levels = compare_alloc(c, most, sizeof(double)),
	};
	if (c->failed)
		return;
	family_collect(c, decide, &f);
	holm_levels(f.claims, f.count, LEVEL, f.levels);
	for (uint32_t i = 0; i < f.count; i++)
		cell_decide(f.cells[i], c->tolerance, f.levels[i], f.more[i]);
}

/* ---- all ---- */

static bool dir_used(const struct compare *c, const struct compare_key *keys, int dir)
{
	const struct result_row *row = compare_row(c->sides[0].runs[0], &keys[0]);
	return row && result_shows(row, dir) && result_dir_used(&row->dir[dir]);
}

static void lines_make(struct compare *c, const struct compare_key *keys, uint32_t jobs,
	enum compare_figure metric)
{
	size_t most = (size_t)jobs * RESULT_DIRS * c->sides_count;
	c->lines = compare_alloc(c, most, sizeof(*c->lines));
	for (uint32_t side = 1; side < c->sides_count && c->lines; side++) {
		for (uint32_t job = 0; job < jobs; job++) {
			const struct compare_key *own = &keys[job * c->sides_count];
			if (!own[side].name) {
				c->unmatched = true;
				continue;
			}
			for (int dir = 0; dir < RESULT_DIRS; dir++)
				if (dir_used(c, own, dir))
					c->lines[c->lines_count++] = line_make(c, own, side,
						dir, metric);
		}
	}
}

struct compare *compare_make(const struct compare_side *sides, uint32_t count,
	enum compare_figure metric, double tolerance)
{
	struct compare *c = calloc(1, sizeof(*c));
	struct compare_key *keys = NULL;

	if (!c)
		return NULL;
	c->sides = sides;
	c->sides_count = count;
	c->tolerance = tolerance;
	uint32_t jobs = compare_keys(c, &keys);
	if (keys)
		lines_make(c, keys, jobs, metric);
	if (!c->failed) {
		decide_family(c, true);
		decide_family(c, false);
		compare_notes(c, keys, jobs);
	}
	if (!c->failed)
		return c;
	compare_free(c);
	return NULL;
}

void compare_free(struct compare *c)
{
	if (!c)
		return;
	arena_done(&c->arena);
	free(c);
}

enum compare_answer compare_answer(const struct compare *c)
{
	bool seen[ANSWER_UNDECIDED + 1] = {0};

	for (uint32_t i = 0; i < c->lines_count; i++)
		seen[compare_line_answer(&c->lines[i])] = true;
	if (seen[ANSWER_WORSE])
		return ANSWER_WORSE;
	if (seen[ANSWER_UNDECIDED] || seen[ANSWER_NONE] || c->unmatched || !c->lines_count)
		return ANSWER_UNDECIDED;
	return seen[ANSWER_BETTER] ? ANSWER_BETTER : ANSWER_SAME;
}
