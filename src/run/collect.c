/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Series and total-latency histograms, taken from the workers while they run. */
#include "base/bits.h"
#include "base/err.h"
#include "base/limits.h"
#include "run/supervisor.h"

#include <errno.h>
#include <string.h>

int collect_begin(struct supervisor *s, struct err *reterr)
{
	s->rows = arena_array(&s->arena, s->plan->rows_count + 1, sizeof(*s->rows));
	if (!s->rows)
		return err_set(reterr, -ENOMEM, "out of memory for %u report rows",
			s->plan->rows_count);
	/* A busy interval is some 10 KiB: hundreds of rows would take gigabytes. */
	uint32_t most = LIMIT_INTERVALS_ALL / MAX_OF(s->plan->rows_count, 1u);
	for (uint32_t r = 0; r < s->plan->rows_count; r++) {
		const struct plan_worker *first =
			&s->plan->workers[s->plan->rows[r].first_worker];
		s->rows[r].series.interval_ns = first->measure.interval_ns;
		s->rows[r].series.most = MIN_OF(MAX_OF(most, (uint32_t)LIMIT_INTERVALS_ROW),
			(uint32_t)LIMIT_INTERVALS);
	}
	return 0;
}

void collect_done(struct supervisor *s)
{
	for (uint32_t r = 0; s->rows && r < s->plan->rows_count; r++) {
		series_done(&s->rows[r].series);
		steadiness_done(s->rows[r].settle);
	}
	s->rows = NULL;
}

static void collect_histogram(struct supervisor *s, struct histogram **into,
	const struct histogram *from)
{
	if (!from || !from->count)
		return;
	if (!*into)
		*into = arena_alloc(&s->arena, sizeof(**into));
	if (*into)
		histogram_merge(*into, from);
	else
		s->out_of_memory = true;
}

/* One set into the row, and back to the worker as empty. */
static void collect_set(struct supervisor *s, uint32_t worker, unsigned which)
{
	const struct plan_worker *pw = &s->plan->workers[worker];
	struct shared_worker *sh = &s->shared.workers[worker];
	struct shared_set *set = &sh->set[which];
	const struct shared_places *at = &s->shared.places[worker];
	struct supervised_row *row = &s->rows[pw->row];

	/* A ramp is in no series; killed in its ramp, a worker has no figures at all. */
	const bool counts = sh->window_start_ns != 0, serial = counts && !sh->ramp_only;

	if (serial && (!row->series.start_ns || sh->window_start_ns < row->series.start_ns)) {
		if (!row->series.count)
			row->series.start_ns = sh->window_start_ns;
	}
	for (int d = 0; d < DIRS; d++) {
		struct histogram *lat = at->set_lat[which][d];
		struct histogram *response = at->set_response[which][d];
		if (serial && (set->ios[d] || (lat && lat->count)))
			series_add(&row->series, set->t_ns, (enum dir)d, set->ios[d],
				set->bytes[d], lat, response);
		if (counts) {
			collect_histogram(s, &row->lat[d], lat);
			collect_histogram(s, &row->response[d], response);
		}
		if (counts && pw->queue.use_perform)
			collect_histogram(s, &row->call[d], lat);
		if (lat && lat->count)
			histogram_reset(lat);
		if (response && response->count)
			histogram_reset(response);
		set->ios[d] = 0;
		set->bytes[d] = 0;
	}
	set->used = 0;
	__atomic_store_n(&set->state, SET_EMPTY, __ATOMIC_RELEASE);
}

void collect_sets(struct supervisor *s, uint32_t worker, bool last)
{
	struct shared_worker *sh = &s->shared.workers[worker];

	for (unsigned which = 0; which < 2; which++) {
		struct shared_set *set = &sh->set[which];
		bool full = __atomic_load_n(&set->state, __ATOMIC_ACQUIRE) == SET_FULL;
		/* Of a worker that is gone, what it had not given away yet, too. */
		if (full || (last && set->used))
			collect_set(s, worker, which);
	}
}
