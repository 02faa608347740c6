/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* steadystate: the supervisor takes a sample of each report row once an interval and
 * ends the row's workers when the last of them are steady.
 *
 *	window opens   ss_ramp   │ sample │ sample │ sample │ sample │
 *	──────────────────────────┼────────┴────────┴────────┤
 *	                          begin      ss_dur: judged, then moved on by one
 *
 * A sample is what its workers did between two looks, by the time that really passed
 * between them. */
#include "base/bits.h"
#include "base/err.h"
#include "run/supervisor.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int steadiness_begin(struct supervisor *s, struct err *reterr)
{
	for (uint32_t r = 0; r < s->plan->rows_count; r++) {
		const struct plan_steady *ps =
			&s->plan->workers[s->plan->rows[r].first_worker].steady;
		if (!ps->samples)
			continue;
		struct steadiness *se = calloc(1, sizeof(*se));
		double *v = calloc((size_t)ps->samples * STEADY_FIGURES, sizeof(*v));
		s->rows[r].settle = se;
		if (!se || !v) {
			free(v);
			return err_set(reterr, -ENOMEM,
				"out of memory for %u samples of steadystate", ps->samples);
		}
		for (int f = 0; f < STEADY_FIGURES; f++)
			se->v[f] = v + (size_t)f * ps->samples;
	}
	return 0;
}

void steadiness_done(struct steadiness *se)
{
	if (se)
		free(se->v[0]);
	free(se);
}

/* What all workers of the row did so far; false until all of them are measured, or
 * when one has ended. */
static bool steadiness_totals(const struct supervisor *s, const struct plan_row *row,
	struct steadiness_totals *ret, uint64_t *ret_open_ns)
{
	*ret = (struct steadiness_totals){0};
	*ret_open_ns = 0;
	for (uint32_t i = row->first_worker; i < row->first_worker + row->workers; i++) {
		const struct shared_worker *sh = &s->shared.workers[i];
		if (shared_phase(sh) != WORKER_RUNNING || s->workers[i].gone)
			return false;
		*ret_open_ns = MAX_OF(*ret_open_ns, sh->window_start_ns);
		for (int d = 0; d < DIRS; d++) {
			const struct shared_counts *c = &sh->count[d];
			ret->ios += __atomic_load_n(&c->live_ios, __ATOMIC_RELAXED);
			ret->bytes += __atomic_load_n(&c->live_bytes, __ATOMIC_RELAXED);
			ret->lat_sum += __atomic_load_n(&sh->lat[d].sum, __ATOMIC_RELAXED);
			ret->lat_count += __atomic_load_n(&sh->lat[d].count, __ATOMIC_RELAXED);
		}
	}
	return true;
}

static void steadiness_add(struct steadiness *se, const struct plan_steady *ps,
	const struct steadiness_totals *now, uint64_t now_ns)
{
	const struct steadiness_totals *from = &se->from;
	double seconds = (double)(now_ns - se->from_ns) / (double)NS_PER_S;
	uint64_t count = now->lat_count - from->lat_count;

	if (se->count == ps->samples) {
		for (int f = 0; f < STEADY_FIGURES; f++)
			memmove(se->v[f], se->v[f] + 1, (se->count - 1) * sizeof(double));
		se->count--;
	}
	se->v[STEADY_IOPS][se->count] = (double)(now->ios - from->ios) / seconds;
	se->v[STEADY_BW][se->count] = (double)(now->bytes - from->bytes) / seconds;
	se->v[STEADY_LAT][se->count] = count ? (double)(now->lat_sum - from->lat_sum) /
						       (double)count
					     : 0;
	se->count++;
	se->from = *now;
	se->from_ns = now_ns;
}

static void steadiness_row(struct supervisor *s, uint32_t r)
{
	const struct plan_row *row = &s->plan->rows[r];
	const struct plan_steady *ps = &s->plan->workers[row->first_worker].steady;
	struct steadiness *se = s->rows[r].settle;
	uint64_t now_ns = clock_now(&s->clock), open_ns;
	struct steadiness_totals now;

	if (se->attained || (se->begun && now_ns < se->from_ns + ps->interval_ns))
		return;
	if (!steadiness_totals(s, row, &now, &open_ns) || now_ns < open_ns + ps->ramp_ns)
		return;
	if (!se->begun) {
		se->begun = true;
		se->from = now;
		se->from_ns = now_ns;
		return;
	}
	steadiness_add(se, ps, &now, now_ns);
	if (se->count < ps->samples ||
		!steady_attained(&ps->rule, se->v[ps->rule.figure], se->count))
		return;
	se->attained = true;
	for (uint32_t i = row->first_worker; i < row->first_worker + row->workers; i++) {
		s->workers[i].steady = true;
		watch_stop(s, i, 1);
	}
}

void steadiness_look(struct supervisor *s)
{
	for (uint32_t r = 0; r < s->plan->rows_count; r++)
		if (s->rows[r].settle)
			steadiness_row(s, r);
}

/* When the next sample is due; UINT64_MAX: none. */
uint64_t steadiness_due_ns(const struct supervisor *s)
{
	uint64_t due = UINT64_MAX;

	for (uint32_t r = 0; r < s->plan->rows_count; r++) {
		const struct steadiness *se = s->rows[r].settle;
		const struct plan_row *row = &s->plan->rows[r];
		if (se && se->begun && !se->attained)
			due = MIN_OF(due,
				se->from_ns +
					s->plan->workers[row->first_worker].steady.interval_ns);
	}
	return due;
}

int steadiness_gather(const struct supervisor *s, uint32_t r, struct result *to)
{
	const struct steadiness *se = s->rows[r].settle;
	const struct plan_steady *ps = &s->plan->workers[s->plan->rows[r].first_worker].steady;

	if (!se)
		return 0;
	struct result_steady *rs = arena_alloc(&to->arena, sizeof(*rs));
	double *v = arena_array(&to->arena, (size_t)se->count * STEADY_FIGURES + 1, sizeof(*v));
	if (!rs || !v)
		return -ENOMEM;
	*rs = (struct result_steady){
		.rule = ps->rule,
		.text = ps->text,
		.window_ns = ps->window_ns,
		.count = se->count,
		.full = se->count == ps->samples,
		.attained = se->attained,
	};
	for (int f = 0; f < STEADY_FIGURES; f++) {
		rs->v[f] = v + (size_t)f * se->count;
		if (se->count)
			memcpy(rs->v[f], se->v[f], se->count * sizeof(double));
	}
	to->rows[r].steady = rs;
	return 0;
}
