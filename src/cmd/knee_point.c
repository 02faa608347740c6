/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What the result of a run says of a point of the curve.  Pure. */
#include "base/bits.h"
#include "base/scope.h"
#include "cmd/knee.h"
#include "result/known.h"
#include "result/result.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TAKEN_LEAST 0.98 /* of what was offered */

/* Where one row has all requests its seconds say more. */
static void point_response(struct knee_point *p, const struct result *r,
	const struct latency *all)
{
	const struct result_row *row = &r->rows[0];
	const struct latency *l = all;

	for (int d = 0; d < DIRS && r->rows_count == 1; d++)
		if (row->dir[d].response &&
			row->dir[d].response->moments.count == all->moments.count)
			l = row->dir[d].response;
	p->response_mean_error = known_mean(row, l);
	p->response_p50_error = known_quantile(row, l, 0.5);
	p->response_p99_error = known_quantile(row, l, 0.99);
}

static void point_latency(struct knee_point *p, const struct result *r)
{
	double ios = 0, ns = 0, squares = 0;
	scope_mem struct latency *response = calloc(1, sizeof(*response));

	for (uint32_t i = 0; i < r->rows_count; i++) {
		for (int d = 0; d < DIRS; d++) {
			const struct result_dir *dir = &r->rows[i].dir[d];
			if (dir->lat && dir->lat->moments.count) {
				double count = (double)dir->lat->moments.count;
				ios += count;
				ns += (double)dir->lat->moments.sum;
				squares += pow(count * known_mean(&r->rows[i], dir->lat), 2);
			}
			if (response && dir->response)
				latency_merge(response, dir->response);
		}
	}
	p->mean_ns = ios > 0 ? ns / ios : 0;
	p->mean_error = ios > 0 ? sqrt(squares) / ios : NAN;
	p->in_flight = p->achieved * p->mean_ns / (double)NS_PER_S;
	p->has_response = response && response->moments.count;
	if (!p->has_response)
		return;
	p->response_mean_ns = latency_mean(response);
	p->response_p50_ns = (double)latency_quantile(response, 0.5);
	p->response_p99_ns = (double)latency_quantile(response, 0.99);
	point_response(p, r, response);
}

void knee_point_take(const struct knee *k, struct knee_point *p, const struct result *r)
{
	uint64_t due = 0, done = 0;
	double squares = 0;

	for (uint32_t i = 0; i < r->rows_count; i++) {
		const struct result_row *row = &r->rows[i];
		p->runtime_ns = MAX_OF(p->runtime_ns, row->runtime_ns);
		for (int d = 0; d < DIRS; d++) {
			double iops = MAX_OF(result_iops(&row->dir[d]), 0.0);
			p->achieved += iops;
			if (iops > 0)
				squares += pow(iops * known_rate(row, &row->dir[d], SERIES_IOS),
					2);
			due += row->dir[d].due;
			done += row->dir[d].ios;
		}
	}
	p->achieved_error = sqrt(squares);
	point_latency(p, r);
	/* Against what really fell due (poisson arrivals are as many as they happen to be),
	 * less what may be in flight when the window ends. */
	p->saturated = p->offered > 0 && (double)(done + k->depth) < TAKEN_LEAST * (double)due;
	p->late = p->has_response && p->in_flight < k->depth / 2.0 &&
		  p->response_mean_ns > 2 * p->mean_ns;
}

void knee_point_judge(const struct knee *k, struct knee_point *p, const struct result *r)
{
	const struct assertion *goal = &k->goal;
	double confidence = goal->confidence > 0 ? goal->confidence : 0.95;
	scope_mem const struct result_row **rows = calloc(r->rows_count, sizeof(*rows));
	uint32_t count = 0;
	bool holds;

	for (uint32_t i = 0; rows && i < r->rows_count; i++)
		if (!goal->path.job || strcmp(goal->path.job, r->rows[i].name) == 0)
			rows[count++] = &r->rows[i];
	p->goal = (struct reading){.why = "no job has this name"};
	if (count)
		reading_run(&goal->path, rows, count, confidence, &p->goal);
	p->met = p->goal.known && comparison_holds(goal->compare, p->goal.value, goal->limit);
	p->sure = p->goal.known && p->goal.interval &&
		  comparison_decided(goal->compare, p->goal.lo, p->goal.hi, goal->limit,
			  &holds);
	if (p->saturated) {
		p->met = false;
		p->sure = true;
	}
}
