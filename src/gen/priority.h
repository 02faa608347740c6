/* HOT: priority_next() runs once a request of jobs that ask for it.
 *
 * SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors
 *
 * Which requests get an I/O priority of their own, drawn by size and share: cmdprio_percentage
 * and cmdprio_bssplit, as plan/priority.c made them ready.  Values are ioprio values
 * (sys/ioprio.h) as the kernel takes them in a request. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/dir.h"
#include "base/rng.h"

#define PRIORITY_RULES 64 /* of a direction                                     */
#define PRIORITY_MAX   32 /* different priorities of a job, its own counted      */

/* Of the requests of BYTES (0: of any size) this share has VALUE.  Shares of one size
 * add up to at most 2^32. */
struct priority_rule {
	uint32_t bytes;
	uint16_t value;
	uint64_t share; /* of 2^32 */
};

/* Const, the plan's.  `values` are all that can come, each once: what is measured by
 * priority has its places in this order. */
struct priority_spec {
	bool any;
	const struct priority_rule *rules[DIRS];
	uint32_t rules_count[DIRS];
	uint64_t seed;
	uint16_t values[PRIORITY_MAX]; /* 0 first: the job's own                      */
	uint32_t values_count;
};

/* What a request of this direction and size gets; 0: the job's own. */
static inline uint16_t priority_next(const struct priority_spec *s, struct rng *dice,
	enum dir dir, uint32_t bytes)
{
	uint64_t draw = rng_next(dice) >> 32;

	for (uint32_t i = 0; i < s->rules_count[dir]; i++) {
		const struct priority_rule *r = &s->rules[dir][i];
		if (r->bytes && r->bytes != bytes)
			continue;
		if (draw < r->share)
			return r->value;
		draw -= r->share;
	}
	return 0;
}
