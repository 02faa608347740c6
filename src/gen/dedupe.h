/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Which writes repeat an earlier one, and which.
 *
 * A write is known by a number, from which its bytes follow (noise.h): a new one
 * gets the next number, a repeated one an old number.  In each 100 writes exactly
 * `percent` are repeated, at places drawn anew; only the very first can't be, so with
 * 100 % it is the only new one, and what could not be repeated is made up for.
 *
 *   repeat        the new write before it once more
 *   working set   one of the first `set` new writes, each as likely; from those that
 *                 were written already
 *
 * Several workers may have one working set: each adds its own new writes to it, and
 * repeats those of all. */
#pragma once

#include <stdint.h>

#include "base/rng.h"

/* As the plan made it of dedupe_*; `sets` is in the plan's arena. */
struct dedupe_spec {
	uint32_t percent; /* 0: nothing is repeated                             */
	/* New writes of each worker that are in the working set, 0 of one that doesn't
	 * write; one entry when it isn't shared, none: repeat the last. */
	uint64_t *sets;
	uint32_t sets_count;
	uint32_t mine; /* this worker's entry                                   */
	uint64_t seed; /* of the draws; the data's own seed is shared           */
};

/* One worker's; one thread.  Its memory doesn't grow with what was written. */
struct dedupe {
	struct dedupe_spec spec;
	struct rng rng;
	uint64_t fresh;   /* new writes so far                                  */
	uint32_t left;    /* writes of this hundred                             */
	uint32_t repeats; /* of them, to repeat                                 */
};

/* SPEC is copied; its `sets` must live on. */
void dedupe_init(struct dedupe *d, const struct dedupe_spec *spec);

/* The number of the next write. HOT. */
uint64_t dedupe_next(struct dedupe *d);
