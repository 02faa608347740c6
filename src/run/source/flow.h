/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Jobs that do requests in proportion to their weights: the only state that they
 * share.  Jobs without flow have no cell and look at none.
 *
 * Each member counts what it gave out; only it writes its count.  It may give out
 * another while it is not more than one request per unit of weight ahead of any
 * other member that runs:
 *
 *	count_i * weight_j <= (count_j + 1) * weight_i        for all j
 *
 * The one that is furthest behind always may, so nobody waits for ever. */
#pragma once

#include <stdalign.h>
#include <stdbool.h>
#include <stdint.h>

/* One member's, on a cache line of its own: the others read it before each batch. */
struct flow_cell {
	alignas(64) uint64_t count;
	uint32_t weight;
	uint32_t runs; /* 0: the others don't wait for it                        */
};

/* ME joins: not behind those that run already. */
void flow_join(struct flow_cell *me, struct flow_cell *const *others, uint32_t others_count);

/* ME (or the supervisor for it, when it died) leaves. */
void flow_leave(struct flow_cell *me);

/* How many requests ME may give out now, at most N. */
unsigned flow_allows(const struct flow_cell *me, struct flow_cell *const *others,
	uint32_t others_count, unsigned n);

/* ME gave out N. */
static inline void flow_gave(struct flow_cell *me, unsigned n)
{
	__atomic_store_n(&me->count, me->count + n, __ATOMIC_RELAXED);
}
