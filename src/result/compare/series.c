/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Verdicts from the intervals of one run each. */
#include "base/bits.h"
#include "base/scope.h"
#include "result/compare/parts.h"
#include "stat/batches.h"
#include "stat/resample.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

/* One side: its whole intervals. */
struct part {
	const struct series *counts, *bins;
	uint32_t counted, binned; /* intervals that the window covers wholly */
};

static uint32_t whole_intervals(const struct series *s, const struct result_row *row)
{
	if (!s->count)
		return 0;
	return (uint32_t)MIN_OF(row->runtime_ns / s->interval_ns, (uint64_t)s->count);
}

static struct part part_of(const struct result_row *row)
{
	struct part p = {.counts = &row->series};
	p.bins = row->bins.count ? &row->bins : &row->series;
	p.counted = whole_intervals(p.counts, row);
	p.binned = whole_intervals(p.bins, row);
	return p;
}

static double seconds(const struct series *s, double intervals)
{
	return intervals * (double)s->interval_ns / (double)NS_PER_S;
}

/* The worse of both sides decides what can be said. */
static void judge(struct compare_cell *cell, const struct batches *a, const struct batches *b,
	const struct series *s)
{
	const struct batches *worse = b->use > a->use ? b : a;
	if (a->use == BATCHES_SHORT && b->use == BATCHES_SHORT && b->time > a->time)
		worse = b;
	cell->length_s = seconds(s, worse->values);
	cell->time_s = seconds(s, worse->time);
	cell->drift = worse->drift;
	cell->answer = worse->use == BATCHES_USABLE ? ANSWER_NONE : ANSWER_UNDECIDED;
	cell->why = worse->use == BATCHES_DRIFTING ? WHY_DRIFT : WHY_SHORT;
}

/* An interval that holds is known from 20 autocorrelation times on. */
static bool long_enough(const struct batches *b)
{
	return b->values >= BATCHES_MIN * BATCH_TIMES * b->time;
}

/* ---- rates ---- */

static struct batches rates_of(const struct part *p, int dir, bool bytes, double tolerance,
	double *v)
{
	for (uint32_t i = 0; i < p->counted; i++) {
		const struct series_record *r = &p->counts->records[i];
		v[i] = (double)(bytes ? r->bytes[dir] : r->ios[dir]);
	}
	return batches_of(v, p->counted, tolerance);
}

/* The batches have no unit: so many an interval. */
static struct sample per_second(const struct batches *b, const struct series *s)
{
	struct sample m = b->means;
	double scale = (double)NS_PER_S / (double)s->interval_ns;
	m.mean *= scale;
	m.variance *= scale * scale;
	return m;
}

static void compare_rates(struct compare_line *line, const struct part *a, const struct part *b,
	double tolerance, double *v)
{
	for (enum compare_figure f = COMPARE_IOPS; f <= COMPARE_BW; f++) {
		struct compare_cell *cell = &line->cells[f];
		bool bytes = f == COMPARE_BW;
		struct batches of_a = rates_of(a, line->dir, bytes, tolerance, v);
		struct batches of_b = rates_of(b, line->dir, bytes, tolerance, v);
		struct sample sample_a = per_second(&of_a, a->counts);
		struct sample sample_b = per_second(&of_b, b->counts);
		judge(cell, &of_a, &of_b, a->counts);
		if (!of_a.means.n || !of_b.means.n)
			continue;
		cell->estimate = estimate_means(&sample_a, &sample_b);
		cell->interval = cell->estimate.known && long_enough(&of_a) &&
				 long_enough(&of_b);
		cell->more = (uint32_t)div_up(estimate_values_needed(&cell->estimate, &sample_a,
						      &sample_b, tolerance),
			BATCHES_MAX);
	}
}

/* ---- latencies ---- */

struct histograms {
	const struct series_sparse **v; /* of the intervals that have any sample */
	uint32_t n;
	bool gaps; /* many have none */
};

static struct histograms histograms_of(const struct part *p, int dir, bool response,
	const struct series_sparse **room)
{
	struct histograms h = {.v = room};
	for (uint32_t i = 0; i < p->binned; i++) {
		const struct series_record *r = &p->bins->records[i];
		const struct series_sparse *s = response ? &r->response[dir] : &r->lat[dir];
		if (s->count)
			h.v[h.n++] = s;
	}
	h.gaps = h.n * 10 < p->binned * 9;
	return h;
}

/* How a quantile moved over the run; of p99.9 an interval has too little. */
static struct batches history(const struct histograms *h, double q, double tolerance, double *v)
{
	for (uint32_t i = 0; i < h->n; i++)
		v[i] = sparse_figure(&h->v[i], 1, q > 0.99 ? 0.99 : q);
	struct batches b = batches_of(v, h->n, tolerance);
	if (h->gaps && b.use == BATCHES_USABLE)
		b.use = BATCHES_SHORT;
	return b;
}

static int compare_quantile(struct compare_cell *cell, const struct histograms *a,
	const struct histograms *b, double q, double tolerance, double *v,
	const struct series *s)
{
	struct batches of_a = history(a, q, tolerance, v), of_b = history(b, q, tolerance, v);
	struct resampled ra, rb;

	if (!a->n || !b->n)
		return 0;
	judge(cell, &of_a, &of_b, s);
	int rc = resample_figures(a->v, a->n, of_a.time, &q, 1, &ra);
	if (rc == 0)
		rc = resample_figures(b->v, b->n, of_b.time, &q, 1, &rb);
	if (rc < 0)
		return rc;
	cell->estimate = estimate_resampled(&ra, &rb);
	cell->interval = cell->estimate.known && long_enough(&of_a) && long_enough(&of_b);
	if (!cell->estimate.known && cell->answer == ANSWER_NONE) {
		cell->answer = ANSWER_UNDECIDED;
		cell->why = WHY_TAIL;
	}
	return 0;
}

static const struct {
	enum compare_figure figure;
	double q;
	bool response;
} quantiles[] = {
	{COMPARE_MEAN, RESAMPLE_MEAN, false},
	{COMPARE_P50, 0.5, false},
	{COMPARE_P99, 0.99, false},
	{COMPARE_P99_9, 0.999, false},
	{COMPARE_RESPONSE_P50, 0.5, true},
	{COMPARE_RESPONSE_P99, 0.99, true},
};

static int compare_latencies(struct compare_line *line, const struct part *a,
	const struct part *b, double tolerance, double *v)
{
	scope_mem const struct series_sparse **room_a = calloc(a->binned + 1,
		sizeof(const struct series_sparse *));
	scope_mem const struct series_sparse **room_b = calloc(b->binned + 1,
		sizeof(const struct series_sparse *));
	int rc = 0;

	if (!room_a || !room_b)
		return -ENOMEM;
	for (size_t i = 0; i < COUNT_OF(quantiles) && rc == 0; i++) {
		bool response = quantiles[i].response;
		struct histograms of_a = histograms_of(a, line->dir, response, room_a);
		struct histograms of_b = histograms_of(b, line->dir, response, room_b);
		if (line->clat && !response)
			continue; /* the intervals have total latencies */
		rc = compare_quantile(&line->cells[quantiles[i].figure], &of_a, &of_b,
			quantiles[i].q, tolerance, v, a->bins);
	}
	return rc;
}

int compare_by_series(struct compare *c, struct compare_line *line, const struct result_row *a,
	const struct result_row *b)
{
	struct part of_a = part_of(a), of_b = part_of(b);
	uint32_t most = MAX_OF(MAX_OF(of_a.counted, of_b.counted),
		MAX_OF(of_a.binned, of_b.binned));
	scope_mem double *v = calloc(most + 1, sizeof(*v));

	if (!v)
		return -ENOMEM;
	if (line->dir >= DIRS)
		return 0;
	compare_rates(line, &of_a, &of_b, c->tolerance, v);
	return compare_latencies(line, &of_a, &of_b, c->tolerance, v);
}
