/* HOT: next() runs once a batch. No option is read here.
 *
 * SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors
 *
 * A source that keeps step with those of other workers, around another one. */
#include "run/source/flow.h"

#include "base/arena.h"
#include "base/bits.h"
#include "base/err.h"
#include "plan/plan.h"
#include "run/shared.h"
#include "run/source/source_wrap.h"

#include <errno.h>

/* ---- the cells ---- */

static inline bool flow_runs(const struct flow_cell *c)
{
	return __atomic_load_n(&c->runs, __ATOMIC_ACQUIRE) != 0;
}

void flow_join(struct flow_cell *me, struct flow_cell *const *others, uint32_t others_count)
{
	uint64_t least = UINT64_MAX;

	for (uint32_t i = 0; i < others_count; i++)
		if (flow_runs(others[i]))
			least = MIN_OF(least,
				__atomic_load_n(&others[i]->count, __ATOMIC_RELAXED) /
					others[i]->weight);
	me->count = least == UINT64_MAX ? 0 : least * me->weight;
	__atomic_store_n(&me->runs, 1, __ATOMIC_RELEASE);
}

void flow_leave(struct flow_cell *me)
{
	__atomic_store_n(&me->runs, 0, __ATOMIC_RELEASE);
}

unsigned flow_allows(const struct flow_cell *me, struct flow_cell *const *others,
	uint32_t others_count, unsigned n)
{
	uint64_t may = n;

	for (uint32_t i = 0; i < others_count && may; i++) {
		const struct flow_cell *other = others[i];
		if (!flow_runs(other))
			continue;
		/* The largest count that still satisfies the rule. */
		uint64_t count = __atomic_load_n(&other->count, __ATOMIC_RELAXED);
		uint64_t last = (count + 1) * me->weight / other->weight;
		may = MIN_OF(may, last + 1 - MIN_OF(last + 1, me->count));
	}
	return (unsigned)may;
}

/* ---- the source ---- */

struct flow {
	struct source_wrap wrap;
	struct flow_cell *me, **others;
	uint32_t others_count;
	uint64_t sleep_ns;
};

static inline struct flow *flow_of(struct source *s)
{
	return (struct flow *)s;
}

static unsigned flow_next(struct source *s, uint64_t now_ns, struct io **ios, unsigned n,
	unsigned in_flight)
{
	struct flow *f = flow_of(s);
	unsigned may = flow_allows(f->me, f->others, f->others_count, n);

	s->not_before_ns = now_ns + f->sleep_ns;
	s->say = SOURCE_WAIT;
	if (!may)
		return 0;
	unsigned got = wrap_next(s, now_ns, ios, may, in_flight);
	flow_gave(f->me, got);
	if (got == may && may < n && s->say == SOURCE_MORE) {
		s->say = SOURCE_WAIT;
		s->not_before_ns = now_ns + f->sleep_ns;
	}
	if (unlikely(s->say == SOURCE_END || s->say == SOURCE_FAIL))
		flow_leave(f->me);
	return got;
}

static void flow_start(struct source *s, uint64_t start_ns)
{
	struct flow *f = flow_of(s);
	if (!flow_runs(f->me))
		flow_join(f->me, f->others, f->others_count);
	wrap_start(s, start_ns);
}

static const struct source_ops flow_ops = {
	.next = flow_next,
	.done = wrap_done,
	.rewind = wrap_rewind,
	.start = flow_start,
	.opened = wrap_opened,
	.missed = wrap_missed,
};

/* The cells of the other members, into FLOW's list unless that is NULL; returns
 * how many. */
static uint32_t flow_members(const struct plan *plan, const struct plan_worker *pw,
	const struct shared_places *places, struct flow_cell **list)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < plan->workers_count; i++) {
		const struct plan_worker *other = &plan->workers[i];
		if (other == pw || !other->flow.weight || other->flow.id != pw->flow.id)
			continue;
		if (list)
			list[n] = places[i].flow;
		n++;
	}
	return n;
}

struct source *source_flow_new(struct arena *arena, const struct plan *plan,
	const struct plan_worker *pw, const struct shared_places *places, struct source *inner,
	struct err *reterr)
{
	struct flow *f = arena_alloc(arena, sizeof(*f));
	uint32_t count = flow_members(plan, pw, places, NULL);
	struct flow_cell **list = arena_array(arena, count + 1, sizeof(*list));

	if (!f || !list) {
		err_set(reterr, -ENOMEM, "out of memory for a flow of %u workers", count + 1);
		return NULL;
	}
	flow_members(plan, pw, places, list);
	*f = (struct flow){
		.wrap = {.source = {.ops = &flow_ops, .bytes_total = inner->bytes_total},
			.inner = inner},
		.me = places[pw->index].flow,
		.others = list,
		.others_count = count,
		.sleep_ns = pw->flow.sleep_ns,
	};
	f->me->weight = pw->flow.weight;
	/* Those that start together wait for one another from the first request on. */
	if (!pw->time.delay_ns && !pw->end.wait_count)
		flow_join(f->me, f->others, f->others_count);
	return &f->wrap.source;
}
