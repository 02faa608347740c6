/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "result/repeated.h"

#include "base/bits.h"
#include "result/compare/parts.h"
#include "stat/autocorrelation.h"
#include "stat/batches.h"
#include "stat/steady.h"
#include "stat/student.h"

#include <math.h>
#include <stdlib.h>

#define TREND_MIN    6 /* runs before a trend can be seen */
#define TREND_CHANCE 0.01

static void line_interval(struct repeated_line *line, const double *v)
{
	struct sample s = sample_of(v, line->n);
	uint32_t n = line->n;

	line->mean = s.mean;
	line->deviation = sqrt(s.variance);
	line->last = v[n - 1];
	line->time = autocorrelation_time(v, n);
	double df = n / line->time - 1;
	line->interval = df > 0.5 && s.mean > 0;
	if (line->interval) {
		double half = student_quantile(0.975, df) * sqrt(s.variance * line->time / n);
		line->low = fmax(s.mean - half, 0);
		line->high = s.mean + half;
		line->half = half / s.mean;
	}
	line->drift = s.mean > 0 ? steady_slope(v, n) * (n - 1) / s.mean : 0;
	line->drifting = n >= TREND_MIN && trend_chance(v, n) < TREND_CHANCE;
}

static enum compare_figure figure_of(const struct repeated_line *line,
	const struct compare_units *u, enum compare_figure metric)
{
	const struct compare_line look = {.dir = line->dir};
	double v;

	if (metric != COMPARE_BY_JOB)
		return metric;
	bool rated = u->rows[0]->dir[line->dir].asked_per_s > 0 &&
		     compare_value(&look, COMPARE_RESPONSE_P99, u->rows[0], &v);
	return rated ? COMPARE_RESPONSE_P99 : COMPARE_IOPS;
}

static void line_make(struct compare *c, struct repeated_line *line,
	const struct compare_units *u, enum compare_figure metric)
{
	const struct compare_line look = {.dir = line->dir};
	double *v = compare_alloc(c, u->count, sizeof(*v));

	line->figure = figure_of(line, u, metric);
	for (uint32_t i = 0; v && i < u->count; i++) {
		bool known = compare_value(&look, line->figure, u->rows[i], &v[line->n]);
		line->n += known;
		line->fresh |= known && u->runs[i] == c->sides->runs[c->sides->count - 1];
	}
	if (v && line->n)
		line_interval(line, v);
	line->error = v ? compare_error(&look, line->figure, u, v, line->n) : NAN;
}

static void lines_make(struct compare *c, struct repeated *r, const struct compare_key *key,
	enum compare_figure metric)
{
	struct compare_units u = compare_units_of(c, &c->sides[0], key);

	for (int dir = 0; dir < RESULT_DIRS && u.count; dir++) {
		if (!result_shows(u.rows[0], dir) || !result_dir_used(&u.rows[0]->dir[dir]))
			continue;
		struct repeated_line *line = &r->lines[r->count++];
		line->job = u.rows[0]->name;
		line->what = u.rows[0]->what;
		line->dir = dir;
		line_make(c, line, &u, metric);
	}
}

struct repeated *repeated_make(const struct compare_side *side, enum compare_figure metric)
{
	struct compare c = {.sides = side, .sides_count = 1};
	struct repeated *r = calloc(1, sizeof(*r));
	struct compare_key *keys;

	if (!r)
		return NULL;
	uint32_t jobs = compare_keys(&c, &keys);
	r->lines = compare_alloc(&c, (size_t)jobs * RESULT_DIRS, sizeof(*r->lines));
	for (uint32_t j = 0; j < jobs && r->lines; j++)
		lines_make(&c, r, &keys[j], metric);
	r->arena = c.arena;
	if (!c.failed)
		return r;
	repeated_free(r);
	return NULL;
}

void repeated_free(struct repeated *r)
{
	if (!r)
		return;
	arena_done(&r->arena);
	free(r);
}

bool repeated_reached(const struct repeated *r, double goal)
{
	for (uint32_t i = 0; i < r->count; i++) {
		const struct repeated_line *line = &r->lines[i];
		bool drifts = line->drifting && fabs(line->drift) > goal;
		if (line->n < REPEATED_MIN || !line->interval || line->half > goal || drifts)
			return false;
	}
	return r->count > 0;
}
