/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What was written to a target: a byte for each of its units, in memory that all
 * workers share.  See docs/internals/verify.md for the bits.  Every call may come from
 * any worker at any time; each looks at one cell after the other with atomic
 * operations, so what overlaps in part is right unit by unit. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "verify/unit.h"

#define CELL_GENERATIONS 14 /* 1 .. 14, then 1 again */
#define CELL_TRIMMED     15

#define CELLS_CHANGES 65536 /* counters; cells of a group of 64 share one */

/* Zeroed: no cells; made by cells_open(). */
struct cells {
	uint8_t *cell; /* shared mapping, zeroed                              */
	uint64_t count;
	uint32_t unit_bytes;
	bool exclusive;    /* one write of a unit at a time (units that can be mixed) */
	uint32_t *changes; /* CELLS_CHANGES of them: how often writes began       */
	int fd;            /* memfd of the mapping; 0: none, then holes are read  */
};

/* Map COUNT cells, in a memfd, shared by processes that are forked later; memory is only taken
 * where a cell is touched, a page at a time.  -ENOMEM and the like. */
int cells_open(struct cells *c, uint64_t count, uint32_t unit_bytes, bool exclusive,
	struct err *reterr);
void cells_close(struct cells *c);

/* Next generation in the cycle; GENERATION may be 0 (never written).  After a trim it is
 * 1: a trim hides what was before. */
uint8_t cells_next(uint8_t generation);

/* A write (or trim) of units [FIRST, FIRST + N) is about to be issued; their new
 * generations go to GENERATIONS (N of them).  False, and nothing is changed: one of them
 * has too many in flight, or a trim is (or would be) among them; wait for a completion (of any
 * worker).  So who has begun must issue before it waits.  HOT. */
bool cells_begin(struct cells *c, uint64_t first, uint32_t n, bool trim, uint8_t *generations);

/* It came back.  FAILED: what is there now is unknown, the units are not judged
 * until they were written again.  HOT. */
void cells_end(struct cells *c, uint64_t first, uint32_t n, bool failed);

/* Before a read is issued: first this, and then a look at each cell.  When a unit is
 * found wrong, again: not the same means that units were written meanwhile (these, or
 * some near them), maybe so often that the cell looks as before; don't judge then. */
uint64_t cells_changes(const struct cells *c, uint64_t first, uint32_t n);

/* The cell of unit I, to be given to cells_expect() when the read is back. */
static inline uint8_t cells_look(const struct cells *c, uint64_t i)
{
	return __atomic_load_n(&c->cell[i], __ATOMIC_ACQUIRE);
}

/* ... and what a read that saw WAS must have brought: sets offset, generation, span and
 * zeroes, leaves target and any_run.  False: it can't be judged: never written in this run,
 * written meanwhile, or a write of it failed.  HOT. */
bool cells_expect(const struct cells *c, uint64_t i, uint8_t was, struct unit_expect *ret);

/* The first unit at or after I that was written (or trimmed) in this run, and how many
 * follow, at most MAX; 0: none.  Untouched memory stays untouched. */
uint64_t cells_written(const struct cells *c, uint64_t i, uint64_t max, uint64_t *ret_first);
