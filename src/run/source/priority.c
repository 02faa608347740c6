/* HOT: priority_next_of() runs once a batch, priority_account(), too.
 *
 * SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "run/source/priority.h"

#include "base/arena.h"
#include "base/err.h"
#include "gen/priority.h"
#include "result/result.h"
#include "run/account.h"
#include "run/source/source_wrap.h"

#include <errno.h>

struct prioritized {
	struct source_wrap wrap; /* first */
	const struct priority_spec *spec;
	struct rng dice;
};

static unsigned priority_next_of(struct source *s, uint64_t now_ns, struct io **ios, unsigned n,
	unsigned in_flight)
{
	struct prioritized *p = (struct prioritized *)s;
	unsigned got = wrap_next(s, now_ns, ios, n, in_flight);

	for (unsigned i = 0; i < got; i++) {
		struct io *io = ios[i];
		io->prio = io->kind < IO_TRIM ? priority_next(p->spec, &p->dice,
							(enum dir)io->kind, io->bytes)
					      : 0;
	}
	return got;
}

static const struct source_ops priority_ops = {
	.next = priority_next_of,
	.done = wrap_done,
	.rewind = wrap_rewind,
	.start = wrap_start,
	.opened = wrap_opened,
	.missed = wrap_missed,
};

struct source *priority_source(struct arena *arena, const struct plan_worker *pw,
	struct source *inner, struct err *reterr)
{
	struct prioritized *p = arena_alloc(arena, sizeof(*p));

	if (!p) {
		err_set(reterr, -ENOMEM, "out of memory for priorities");
		return NULL;
	}
	*p = (struct prioritized){
		.wrap = {.source = {.ops = &priority_ops, .bytes_total = inner->bytes_total},
			.inner = inner},
		.spec = &pw->priority,
	};
	rng_init(&p->dice, pw->priority.seed);
	return &p->wrap.source;
}

void priority_account(struct worker *w, unsigned first, uint64_t t2_ns)
{
	const struct priority_spec *spec = &w->plan->priority;
	const bool of_lat = w->plan->measure.priority_of_lat;

	for (unsigned i = first; i < w->idle_n; i++) {
		const struct io *io = w->idle[i];
		if (io->kind >= IO_TRIM || io->res != (int32_t)io->bytes ||
			!account_in_window(w, io))
			continue;
		uint32_t k = 0;
		while (k + 1 < spec->values_count && spec->values[k] != io->prio)
			k++;
		account_latency(&w->at->prio[io->kind][k],
			t2_ns - (of_lat ? io->prepared_ns : io->submitted_ns), 1);
	}
}

int priority_gather(struct arena *arena, const struct plan_worker *pw,
	const struct shared_places *at, enum dir d, struct result_dir *to)
{
	const struct plan_process *process = &pw->process;

	if (d > DIR_WRITE || !at->prio[d])
		return 0;
	to->prios = arena_array(arena, pw->priority.values_count, sizeof(*to->prios));
	if (!to->prios)
		return -ENOMEM;
	to->prios_of_lat = pw->measure.priority_of_lat;
	for (uint32_t k = 0; k < pw->priority.values_count; k++) {
		uint16_t own = process->prio_given ? process->ioprio : 0;
		if (!at->prio[d][k].moments.count)
			continue;
		to->prios[to->prios_count++] = (struct result_prio){
			.value = k ? pw->priority.values[k] : own,
			.latency = &at->prio[d][k],
		};
	}
	return 0;
}
