/* HOT: two calls a request, for jobs that ask for it.
 *
 * SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "run/source/overlap.h"

#include <assert.h>
#include <sched.h>

/* A holder that dies with the lock would stop everybody: the wait is bounded, and a
 * lock that was not given back is taken.  What it guards is at worst an entry too
 * many or too few. */
#define OVERLAP_TRIES 100000

static void overlap_lock(struct overlap_lock *l)
{
	uint32_t free;

	if (!l)
		return;
	for (int i = 0; i < OVERLAP_TRIES; i++) {
		free = 0;
		if (__atomic_compare_exchange_n(&l->held, &free, 1, true, __ATOMIC_ACQUIRE,
			    __ATOMIC_RELAXED))
			return;
		sched_yield();
	}
}

static void overlap_unlock(struct overlap_lock *l)
{
	if (l)
		__atomic_store_n(&l->held, 0, __ATOMIC_RELEASE);
}

static bool overlap_hits(const struct overlap_list *list, const struct overlap_entry *e)
{
	uint32_t count = __atomic_load_n(&list->count, __ATOMIC_RELAXED); /* overlap_clear() */

	for (uint32_t i = 0; i < count; i++) {
		const struct overlap_entry *other = &list->entries[i];
		if (other->target == e->target && other->start < e->end &&
			e->start < other->end && (other->changes || e->changes))
			return true;
	}
	return false;
}

bool overlap_enter(struct overlap *o, const struct overlap_entry *e)
{
	bool hits = false;

	overlap_lock(o->lock);
	for (uint32_t i = 0; i < o->lists_count && !hits; i++)
		hits = overlap_hits(o->lists[i], e);
	if (!hits) {
		assert(o->mine->count < o->mine->room);
		o->mine->entries[o->mine->count++] = *e;
	}
	overlap_unlock(o->lock);
	return !hits;
}

void overlap_move(struct overlap *o, uint32_t from, uint32_t to)
{
	struct overlap_list *l = o->mine;

	overlap_lock(o->lock);
	for (uint32_t i = 0; i < l->count; i++) {
		if (l->entries[i].slot != from)
			continue;
		l->entries[i].slot = to;
		break;
	}
	overlap_unlock(o->lock);
}

void overlap_leave(struct overlap *o, uint32_t slot)
{
	struct overlap_list *l = o->mine;

	overlap_lock(o->lock);
	for (uint32_t i = 0; i < l->count; i++) {
		if (l->entries[i].slot != slot)
			continue;
		l->entries[i] = l->entries[--l->count];
		break;
	}
	overlap_unlock(o->lock);
}

void overlap_clear(struct overlap_list *list)
{
	__atomic_store_n(&list->count, 0, __ATOMIC_RELAXED);
}
