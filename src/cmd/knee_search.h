/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Which rate to offer next: first a curve at shares of the capacity, then bisection
 * between the highest rate that met the goal and the lowest that didn't.  Pure.
 *
 * Rates are per second.  A rate above one that failed is never asked for: more load
 * doesn't make latencies better, and a queue that overflows costs time. */
#pragma once

#include <stdbool.h>

/* Set capacity and ratio, all else zero. */
struct knee_search {
	double capacity;             /* of the closed loop */
	double ratio;                /* done when fail / pass is no more, 1.05 */
	unsigned step;               /* of the curve, then of what lies beyond it */
	double pass, fail;           /* 0: none yet                    */
	double sure_pass, sure_fail; /* the same, decided by intervals */
};

/* The next rate, 0: done. */
double knee_search_next(struct knee_search *s);

/* What came of RATE; SURE: its interval decided. */
void knee_search_tell(struct knee_search *s, double rate, bool met, bool sure);
