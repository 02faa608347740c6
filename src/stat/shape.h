/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What stands behind the mean of a latency: does anything happen that often takes so long, and
 * who has the time?  Shares of samples or of time, 0 to 1.  Pure. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct histogram;

/* Near the mean: within a quarter of it, either way (as a ratio). */
#define SHAPE_NEAR 1.25

struct shape {
	uint64_t count;
	double mean;         /* by the middles of the bins                        */
	double near;         /* samples near the mean                             */
	double slower;       /* samples above what is near                        */
	double slower_time;  /* of all time, what these took                      */
	double slowest_time; /* of all time, what the slowest hundredth took      */
};

/* All 0 of an empty one. */
struct shape shape_of(const struct histogram *h);

/* Is the mean one that hardly any sample is near, fewer than 2 %?  Then it lies in a gap
 * between humps, or few and slow samples made it.  Of one hump 5 % and more are near its mean,
 * up to a log-normal one whose p99 is 100 times its median. */
#define SHAPE_LEAST 1000 /* samples */

static inline bool shape_misses_mean(const struct shape *s)
{
	return s->count >= SHAPE_LEAST && s->near < 0.02;
}

/* More than a few lie beyond the gap. */
static inline bool shape_has_humps(const struct shape *s)
{
	return shape_misses_mean(s) && s->slower >= 0.05;
}
