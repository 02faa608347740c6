/* HOT: done() runs once per batch. No option is read here.
 *
 * SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors
 *
 * A source with a goal for latencies, around another one.
 *
 *	max_latency      a request that took longer fails the job
 *	latency_target   the depth is searched at which requests keep it
 *
 *	 ramp │ window │ window │ ... │ found │ measured window │ end, or latency_run
 *	      depth 1      2            12           12
 *
 * The search is a ramp: the job's measured window opens when the depth is found.
 * A window judges only requests that were issued in it, so none that still waited
 * behind the depth of the one before. */
#include "run/source/source_wrap.h"

#include "base/arena.h"
#include "base/bits.h"
#include "base/err.h"
#include "plan/plan.h"
#include "run/shared.h"
#include "stat/depth_search.h"

#include <errno.h>

struct goal {
	struct source_wrap wrap;
	struct source_word *word;
	const struct plan_worker *plan;
	struct shared_goal *seen;

	uint64_t max_ns[DIRS]; /* 2^64: any                                      */
	struct depth_search search;
	unsigned given; /* requests that are out                          */
	uint64_t window_start_ns, window_end_ns;
	uint64_t ios, over; /* of this window                                 */
	bool searches;
	bool missed;   /* not even at depth 1: nothing more to find      */
	bool over_now; /* the measured window is over                    */
};

static inline struct goal *goal_of(struct source *s)
{
	return (struct goal *)s;
}

static __attribute__((noinline, cold)) void goal_fail(struct goal *g, const struct io *io,
	uint64_t took_ns, uint64_t limit_ns)
{
	struct source_word *w = g->word;

	if (w->fail_code)
		return;
	w->fail_code = -ETIMEDOUT;
	w->slow = *io;
	w->slow_ns = took_ns;
	w->limit_ns = limit_ns;
}

static unsigned goal_next(struct source *s, uint64_t now_ns, struct io **ios, unsigned n,
	unsigned in_flight)
{
	struct goal *g = goal_of(s);
	unsigned may = n;

	if (unlikely(g->word->fail_code)) {
		s->say = SOURCE_FAIL;
		return 0;
	}
	if (unlikely(g->over_now)) {
		s->say = SOURCE_END;
		return 0;
	}
	if (g->searches)
		may = MIN_OF(n, g->search.depth - MIN_OF(g->search.depth, g->given));
	if (!may) {
		s->say = SOURCE_BLOCKED;
		return 0;
	}
	unsigned got = wrap_next(s, now_ns, ios, may, in_flight);
	if (got == may && may < n && s->say == SOURCE_MORE)
		s->say = SOURCE_BLOCKED;
	g->given += got;
	return got;
}

static void goal_window(struct goal *g, uint64_t now_ns)
{
	g->window_start_ns = now_ns;
	g->window_end_ns = now_ns + g->plan->goal.window_ns;
	g->ios = g->over = 0;
}

/* The measured window begins: of a search without an answer it lasts as long as the
 * job does. */
static void goal_opens(struct goal *g, uint64_t now_ns, bool missed)
{
	*g->word->open_at_ns = now_ns;
	g->missed = missed;
	g->seen->missed = missed;
	goal_window(g, now_ns);
}

/* A window is over, or can't be saved any more. */
static __attribute__((noinline)) void goal_judge(struct goal *g, uint64_t now_ns)
{
	bool measured = g->search.found;
	enum depth_step step = DEPTH_SAME;

	if (measured) {
		g->seen->ios += g->ios;
		g->seen->over += g->over;
	}
	if (measured && !g->plan->goal.run_on && !g->missed)
		g->over_now = true;
	else if (!measured || g->plan->goal.run_on)
		step = depth_search_window(&g->search, g->ios, g->over);
	g->seen->depth = g->search.depth;
	if (step == DEPTH_FOUND || step == DEPTH_MISSED)
		goal_opens(g, now_ns, step == DEPTH_MISSED);
	else
		goal_window(g, now_ns);
}

static void goal_seek(struct goal *g, const struct io *io, uint64_t took_ns)
{
	if (io->prepared_ns < g->window_start_ns)
		return;
	g->ios++;
	if (took_ns <= g->plan->goal.target_ns)
		return;
	g->over++;
	/* The only request that may be in flight is too slow, and none may be. */
	if (g->plan->goal.percent >= 100 && g->search.depth == 1 && !g->plan->goal.run_on &&
		!g->search.found)
		goal_fail(g, io, took_ns, g->plan->goal.target_ns);
}

static void goal_done(struct source *s, struct io *const *ios, unsigned n, uint64_t now_ns)
{
	struct goal *g = goal_of(s);

	g->given -= n;
	for (unsigned i = 0; i < n; i++) {
		const struct io *io = ios[i];
		if (unlikely(io->res < 0 || io->kind >= IO_FSYNC))
			continue;
		uint64_t took_ns = now_ns - io->prepared_ns;
		if (unlikely(took_ns > g->max_ns[io->kind]))
			goal_fail(g, io, took_ns, g->max_ns[io->kind]);
		if (g->searches)
			goal_seek(g, io, took_ns);
	}
	bool lost = g->over && g->plan->goal.percent >= 100 && !g->search.found;
	if (g->searches && g->ios && (now_ns >= g->window_end_ns || lost))
		goal_judge(g, now_ns);
	wrap_done(s, ios, n, now_ns);
}

static void goal_start(struct source *s, uint64_t start_ns)
{
	struct goal *g = goal_of(s);
	goal_window(g, start_ns + g->plan->time.ramp_ns);
	wrap_start(s, start_ns);
}

static const struct source_ops goal_ops = {
	.next = goal_next,
	.done = goal_done,
	.rewind = wrap_rewind,
	.start = goal_start,
	.opened = wrap_opened,
	.missed = wrap_missed,
};

struct source *source_goal_new(struct arena *arena, const struct plan_worker *pw,
	struct source *inner, struct source_word *word, struct shared_goal *seen,
	struct err *reterr)
{
	struct goal *g = arena_alloc(arena, sizeof(*g));

	if (!g) {
		err_set(reterr, -ENOMEM, "out of memory for the latency goal");
		return NULL;
	}
	*g = (struct goal){
		.wrap = {.source = {.ops = &goal_ops, .bytes_total = inner->bytes_total},
			.inner = inner},
		.word = word,
		.plan = pw,
		.seen = seen,
		.searches = pw->goal.target_ns > 0,
	};
	for (int d = 0; d < DIRS; d++)
		g->max_ns[d] = pw->goal.max_ns[d] ? pw->goal.max_ns[d] : UINT64_MAX;
	depth_search_init(&g->search, pw->queue.depth, pw->goal.percent);
	g->seen->depth = 1;
	return &g->wrap.source;
}
