/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* The border between worker and engine: the only place engines are called from.
 * Small wrappers that assert the contract and vanish in a release build
 * (-DNDEBUG).  HOT. */
#pragma once

#include <assert.h>

#include "base/bits.h"
#include "engine/engine.h"

/* Asked once, when the loop is chosen: a shim can what the engine below it can. */
static inline bool call_can_perform(const struct queue *q)
{
	for (; q; q = q->inner)
		if (!q->engine->perform)
			return false;
	return true;
}

/* See engine_chain_can_queue(). */
static inline bool call_can_queue(const struct queue *q)
{
	for (; q; q = q->inner) {
		if (!q->engine->submit)
			return false;
		if (q->engine->makes_queue && call_can_perform(q->inner))
			return true;
	}
	return true;
}

/* What moves data returns at most its size; of a sync only the sign counts. */
static inline void call_perform(struct queue *q, struct io *io)
{
	assert(io->target && io->slot < q->depth);
	q->engine->perform(q, io);
	assert(io->res <= (int32_t)io->bytes || io->kind >= IO_FSYNC);
}

/* The first N of IOS, at least one; returns how many were taken, from the front. */
static inline unsigned call_submit(struct queue *q, struct io **ios, unsigned n)
{
	assert(n > 0 && n <= q->depth);
	unsigned taken = q->engine->submit(q, ios, n);
	assert(taken <= n);
	return taken;
}

/* At most MAX to DONE; see struct engine for what ends the wait. */
static inline unsigned call_reap(struct queue *q, struct io **done, unsigned max, unsigned min,
	uint64_t until_ns)
{
	assert(max > 0 && min <= max);
	unsigned got = q->engine->reap(q, done, max, min, until_ns);
	assert(got <= max);
	return got;
}

/* Open T and tell the engine of it, or neither.  0 or a negative errno with its text. */
static inline int call_target_open(struct queue *q, struct target *t,
	const struct target_how *how, struct err *reterr)
{
	int rc = q->engine->target->open(q, t, how, reterr);
	if (rc < 0 || !q->engine->target_added)
		return rc;
	rc = q->engine->target_added(q, t, reterr);
	if (rc < 0)
		q->engine->target->close(q, t);
	return rc;
}

/* The reverse.  No request on T is in flight. */
static inline void call_target_close(struct queue *q, struct target *t)
{
	if (q->engine->target_gone)
		q->engine->target_gone(q, t);
	q->engine->target->close(q, t);
}
