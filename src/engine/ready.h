/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* HOT.  Requests that are finished and wait for reap(): first in, first out.
 *
 *	slots   . . . a b c d . . .
 *	              ^first  ^end
 *
 * For engines in which a request can be over before reap() asks for it: one that was
 * done at once, that the kernel refused, or that came out of order.
 *
 * The storage is READY_SLOTS pointers a request, out of the queue's ios_mine.
 * Being twice as long as the queue is deep, it slides back to its start at most
 * once every DEPTH additions, which is cheaper than an index that wraps. */
#pragma once

#include "engine/engine.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

#define READY_SLOTS 2

/* One queue's, one thread.  first <= end <= room; the requests are slots[first .. end - 1]. */
struct ready {
	struct io **slots;
	uint32_t first, end, room;
};

/* SLOTS has READY_SLOTS * DEPTH places. */
static inline void ready_init(struct ready *r, void *slots, uint32_t depth)
{
	*r = (struct ready){.slots = slots, .room = READY_SLOTS * depth};
}

static inline unsigned ready_count(const struct ready *r)
{
	return r->end - r->first;
}

/* Make room for N more; there are never more than DEPTH in all. */
static inline void ready_reserve(struct ready *r, unsigned n)
{
	if (r->end + n <= r->room)
		return;
	memmove(r->slots, r->slots + r->first, ready_count(r) * sizeof(*r->slots));
	r->end -= r->first;
	r->first = 0;
	assert(r->end + n <= r->room);
}

/* Behind all others; there is room, since no request is there twice. */
static inline void ready_add(struct ready *r, struct io *io)
{
	ready_reserve(r, 1);
	r->slots[r->end++] = io;
}

/* The oldest, at most MAX, to DONE; returns how many. */
static inline unsigned ready_take(struct ready *r, struct io **done, unsigned max)
{
	unsigned n = ready_count(r) < max ? ready_count(r) : max;

	if (n == 1) /* worth a branch: a call costs more than the copy */
		done[0] = r->slots[r->first];
	else
		memcpy(done, r->slots + r->first, n * sizeof(*done));
	r->first += n;
	if (r->first == r->end)
		r->first = r->end = 0;
	return n;
}
