/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* A source says what comes next; the loop does it and knows no more.
 *
 *	plain, replay        what the job's pattern, or its trace, says
 *	resume, reread       what a verification reads back, in their place
 *	stamp, ramp, goal, flow, priority, lockfile
 *	                     around one of the former, in this order, each only where a job
 *	                     asks: flow(goal(plain))
 *
 * A source around another hands on what it doesn't change (source_wrap.h).  A source lives in
 * its worker's arena and is used by its worker only.  It doesn't sleep (but for a lock):
 * `say` tells the loop what to wait for.  A failure is SOURCE_FAIL, with its text in the
 * source_word. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "engine/engine.h"

struct arena;
struct err;
struct fileset;
struct overlap;
struct plan_worker;
struct source;

/* Why next() gave fewer than it was asked for. */
enum source_say {
	SOURCE_MORE,    /* no reason: ask again                                  */
	SOURCE_WAIT,    /* nothing is due before not_before_ns                   */
	SOURCE_BLOCKED, /* nothing until something in flight has completed       */
	SOURCE_PASS,    /* a pass is over: drain, end the pass, call rewind()    */
	SOURCE_END,     /* that was all                                          */
	SOURCE_FAIL,    /* the job fails: see struct source_word                 */
};

/* next, rewind, start and opened are there in all. */
struct source_ops {
	/* Fill up to N requests (kind, target, offset, bytes, due_ns and what is to
	 * be written); returns how many.  IN_FLIGHT is what the loop has not got
	 * back yet.  Fewer than N: see say.  HOT. */
	unsigned (*next)(struct source *s, uint64_t now_ns, struct io **ios, unsigned n,
		unsigned in_flight);
	/* N requests came back at NOW.  Optional.  HOT. */
	void (*done)(struct source *s, struct io *const *ios, unsigned n, uint64_t now_ns);
	/* The next pass begins. */
	void (*rewind)(struct source *s);
	/* The loop starts at START_NS: schedules begin. */
	void (*start)(struct source *s, uint64_t start_ns);
	/* The measured window opens: what was issued so far uses up no budget. */
	void (*opened)(struct source *s, uint64_t now_ns);
	/* Call SEEN for each arrival of DIR that is due by END_NS and was not given
	 * out.  Optional. */
	void (*missed)(struct source *s, uint64_t end_ns,
		void (*seen)(void *ctx, enum dir dir, uint64_t due_ns), void *ctx);
};

/* First member of each source's own struct. */
struct source {
	const struct source_ops *ops;
	enum source_say say;
	uint64_t not_before_ns;
	/* For the live line and the estimate of what is left: bytes that all passes
	 * will move, 0 when only time says it. */
	uint64_t bytes_total;
	/* io->buf isn't where it was: the loop continued a short I/O behind its
	 * beginning.  From then on next() sets it, too. */
	bool buffers_moved;
};

/* What a source tells its worker beside requests. */
struct source_word {
	uint64_t *open_at_ns; /* may be set: when the measured window opens         */
	int fail_code;        /* negative errno: the job fails ...               */
	const char *fail_func, *fail_text; /* ... because of this; NULL: a request was
					    * too slow, namely:                               */
	struct io slow;
	uint64_t slow_ns, limit_ns;
};

/* The source of a plain job: pattern, budget, schedule, syncs and pauses of PW.
 * IOS has DEPTH requests in order, with their buffers; what is written from them is
 * prepared.  With OVERLAP, no request is given out that overlaps one of that table.
 * NULL and *reterr on failure. */
struct source *source_plain_new(struct arena *arena, const struct plan_worker *pw,
	struct fileset *files, struct overlap *overlap, struct io *ios, uint32_t depth,
	struct err *reterr);

/* The source of a replay, which AHEAD feeds; how far it has come is told in SEEN. */
struct replay_ahead;
struct shared_replay;
struct source *source_replay_new(struct arena *arena, const struct plan_worker *pw,
	struct fileset *files, struct replay_ahead *ahead, struct io *ios, uint32_t depth,
	struct shared_replay *seen, struct source_word *word, struct err *reterr);

/* Sources around INNER; see their files.  Each is made only for a plan that asks
 * for it. */
struct plan;
struct shared_goal;
struct shared_places;
struct shared_worker;

struct source *source_goal_new(struct arena *arena, const struct plan_worker *pw,
	struct source *inner, struct source_word *word, struct shared_goal *seen,
	struct err *reterr);
struct source *source_flow_new(struct arena *arena, const struct plan *plan,
	const struct plan_worker *pw, const struct shared_places *places, struct source *inner,
	struct err *reterr);
struct source *source_ramp_new(struct arena *arena, const struct plan *plan,
	const struct plan_worker *pw, const struct shared_worker *workers, struct source *inner,
	struct source_word *word, struct err *reterr);
