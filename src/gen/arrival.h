/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* When I/O is due: a function of its number, so that a backlog is two numbers
 * and never a list.  All times are ns after the start of the schedule.
 *
 * A schedule knows no completions: a slow device doesn't move what is due (open loop), so that
 * waiting requests show up in response times.  Sums have 64 bits of fraction: no drift, not in
 * a year.  One worker's, pure. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/rng.h"

/* How gaps are distributed. */
enum arrival_process {
	ARRIVAL_LINEAR,  /* evenly spaced, the first at 0                     */
	ARRIVAL_POISSON, /* exponential gaps of the same mean, drawn in order,
			  * one before the first too; at most 37 means        */
};

/* What a job asks of one direction, by the plan. */
struct arrival_spec {
	uint64_t per_second; /* requests, or bytes when `bytes`; 0: no schedule */
	bool bytes;
	enum arrival_process process;
	uint64_t seed;
};

/* The schedule of one direction. */
struct arrival {
	uint64_t due_ns;               /* of the next request                              */
	uint64_t fraction;             /* of a nanosecond, 2^-64                           */
	uint64_t gap_ns, gap_fraction; /* per unit (request or byte), 64.64    */
	struct rng rng;
	bool bytes, poisson;
};

/* The first request is due at 0 (linear) or after one draw. */
void arrival_init(struct arrival *a, const struct arrival_spec *spec);

/* The next request takes BYTES: move on to the one after it.  Linear arrivals
 * are exact: request k of r per second is due at floor(k * 1e9 / r) within 1 ns,
 * for any k a run can reach. HOT. */
void arrival_advance(struct arrival *a, uint64_t bytes);
