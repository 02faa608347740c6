/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* rate_min and rate_iops_min: does a job keep its least rate?  The supervisor looks,
 * so it is seen when nothing comes back at all, and costs the worker nothing.  As in
 * fio the first two seconds don't count. */
#include "base/bits.h"
#include "run/supervisor.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#define FLOOR_FREE_NS (2 * NS_PER_S)

static uint64_t floor_count(const struct shared_worker *sh, int d, bool bytes)
{
	const struct shared_counts *c = &sh->count[d];
	return __atomic_load_n(bytes ? &c->live_bytes : &c->live_ios, __ATOMIC_RELAXED);
}

/* Worker I fails: the words are the result's when it has ended. */
static void floor_fail(struct supervisor *s, uint32_t i, const struct plan_floor *f, double got)
{
	struct supervised *sv = &s->workers[i];

	if (f->bytes)
		snprintf(sv->fail_text, sizeof(sv->fail_text),
			"rate_min=%" PRIu64 "B/s not met, got %.0fB/s", f->per_second, got);
	else
		snprintf(sv->fail_text, sizeof(sv->fail_text),
			"rate_iops_min=%" PRIu64 " not met, got %.0f IOPS", f->per_second, got);
	sv->fail_code = EIO;
	sv->fail_func = "check_min_rate";
	watch_stop(s, i, 1);
}

static void floor_begin(struct supervisor *s, uint32_t i, uint64_t now)
{
	struct supervised *sv = &s->workers[i];
	const struct plan_rate *pr = &s->plan->workers[i].rate;

	sv->floor_ns = now;
	for (int d = 0; d < DIRS; d++)
		sv->floor_from[d] = floor_count(&s->shared.workers[i], d, pr->floor[d].bytes);
}

static void floor_one(struct supervisor *s, uint32_t i, uint64_t now)
{
	struct supervised *sv = &s->workers[i];
	const struct shared_worker *sh = &s->shared.workers[i];
	const struct plan_rate *pr = &s->plan->workers[i].rate;

	if (!sv->floor_ns) {
		if (now >= sh->start_ns + FLOOR_FREE_NS)
			floor_begin(s, i, now);
		return;
	}
	uint64_t span = now - sv->floor_ns;
	if (span < pr->floor_ns)
		return;
	for (int d = 0; d < DIRS; d++) {
		const struct plan_floor *f = &pr->floor[d];
		uint64_t moved = floor_count(sh, d, f->bytes) - sv->floor_from[d];
		double got = (double)moved * (double)NS_PER_S / (double)span;
		if (f->per_second && got < (double)f->per_second) {
			floor_fail(s, i, f, got);
			return;
		}
	}
	floor_begin(s, i, now);
}

void floor_look(struct supervisor *s)
{
	uint64_t now = clock_now(&s->clock);

	for (uint32_t i = s->first; i < s->end; i++) {
		struct supervised *sv = &s->workers[i];
		if (!s->plan->workers[i].rate.floor_ns || sv->fail_code || sv->stop_ns)
			continue;
		if (shared_phase(&s->shared.workers[i]) == WORKER_RUNNING && !sv->gone)
			floor_one(s, i, now);
	}
}
