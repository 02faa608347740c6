/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Requests in flight, so that none is issued which overlaps one of them when either
 * changes data (serialize_overlap).
 *
 * A table has a list for each of its workers.  That of a job by itself is private to
 * its worker; with io_submit_mode=offload all workers of a run share one, with a lock
 * that is held for one look. */
#pragma once

#include <stdalign.h>
#include <stdbool.h>
#include <stdint.h>

/* A request in flight. */
struct overlap_entry {
	uint64_t start, end; /* bytes of the target                              */
	uint32_t target;     /* of the run                                       */
	uint32_t slot;       /* of the request in its worker                     */
	bool changes;        /* a write or a trim                                */
};

/* One worker's requests in flight, in no order; room for its depth. */
struct overlap_list {
	uint32_t count, room;
	struct overlap_entry entries[];
};

/* Held for one look.  One that its holder's death left locked is taken after a bounded wait. */
struct overlap_lock {
	alignas(64) uint32_t held; /* 1: somebody holds it                         */
};

/* A worker's view of the table. */
struct overlap {
	struct overlap_lock *lock; /* NULL: the table is private                */
	struct overlap_list *mine;
	struct overlap_list *const *lists; /* mine among them                      */
	uint32_t lists_count;
};

/* Bytes of a list of DEPTH entries. */
static inline uint64_t overlap_list_bytes(uint32_t depth)
{
	return sizeof(struct overlap_list) + depth * sizeof(struct overlap_entry);
}

/* Note the request as in flight, unless it overlaps one that is: then false. */
bool overlap_enter(struct overlap *o, const struct overlap_entry *e);

/* The request of slot FROM is that of slot TO now. */
void overlap_move(struct overlap *o, uint32_t from, uint32_t to);

/* It came back. */
void overlap_leave(struct overlap *o, uint32_t slot);

/* Nothing of LIST is in flight any more: its worker ended or died.  Needs no lock: who looks
 * meanwhile sees what was, or nothing. */
void overlap_clear(struct overlap_list *list);
