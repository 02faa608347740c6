/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What was written to a target: a byte for each of its units, in memory that all
 * workers share.  See docs/internals/verify.md for the bits.  Every call may come from
 * any worker at any time; each looks at one cell after the other with atomic
 * operations, so what overlaps in part is right unit by unit. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "verify/unit.h"

#define CELL_GENERATIONS 14 /* 1 .. 14, then 1 again */
#define CELL_TRIMMED     15

struct cells {
	uint8_t *cell;       /* shared mapping, zeroed                              */
	uint64_t count;
	uint32_t unit_bytes;
	bool exclusive;      /* one write of a unit at a time (units that can be mixed) */
};

/* Next generation in the cycle; GENERATION may be 0 (never written).  After a trim it is
 * 1: a trim hides what was before. */
uint8_t cells_next(uint8_t generation);

/* A write (or trim) of units [FIRST, FIRST + N) is about to be issued; their new
 * generations go to GENERATIONS (N of them).  False, and nothing is changed: one of them
 * has too many in flight, wait for a completion (of any worker).  HOT. */
bool cells_begin(struct cells *c, uint64_t first, uint32_t n, bool trim, uint8_t *generations);

/* It came back.  FAILED: what is there now is unknown, the units are not judged
 * until they were written again.  HOT. */
void cells_end(struct cells *c, uint64_t first, uint32_t n, bool failed);

/* A look at one cell, before a read is issued ... */
static inline uint8_t cells_look(const struct cells *c, uint64_t i)
{
	return __atomic_load_n(&c->cell[i], __ATOMIC_ACQUIRE);
}

/* ... and what a read that saw WAS must have brought.  False: it can't be judged: never
 * written in this run, or written meanwhile. */
bool cells_expect(const struct cells *c, uint64_t i, uint8_t was, struct unit_expect *ret);

/* The first unit at or after I that was written (or trimmed) in this run, and how many
 * follow, at most MAX; 0: none. */
uint64_t cells_written(const struct cells *c, uint64_t i, uint64_t max, uint64_t *ret_first);
