/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* The same jobs run several times: how well is a figure known?
 *
 * Runs are the units.  Where neighbouring runs are alike (a device that warms up or
 * fills) the interval is as wide as so many independent runs would make it: n / tau of
 * them, stat/autocorrelation.h; a trend over the runs is told, since then no interval
 * holds.  Pure. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "result/compare.h"

/* One job and direction. */
struct repeated_line {
	const char *job, *what;
	int dir;
	enum compare_figure figure;
	uint32_t n;             /* runs that have the figure, and were whole    */
	double last;            /* of the last of these                        */
	bool fresh;             /* which is the last of all runs               */
	double mean, deviation; /* of the runs                       */
	double error;           /* standard error of the mean, for its digits; NAN: unknown */
	bool interval;          /* low and high are there: n >= 2   */
	double low, high;       /* 95 %, of the mean                */
	double half;            /* half of it, as a share of the mean */
	double time;            /* autocorrelation, in runs         */
	bool drifting;
	double drift; /* last against first of the fitted line, as a share */
};

/* All jobs and directions that any run has; in the order of the first. */
struct repeated {
	struct arena arena; /* its text and lines                                */
	struct repeated_line *lines;
	uint32_t count;
};

#define REPEATED_MIN 5 /* runs before an interval may be believed to be narrow */

/* COMPARE_BY_JOB: response_p99 on a schedule, else iops.  NULL without memory. */
struct repeated *repeated_make(const struct compare_side *side, enum compare_figure metric);
void repeated_free(struct repeated *r);

/* Every line has at least REPEATED_MIN runs, doesn't drift, and is known to GOAL (0.02). */
bool repeated_reached(const struct repeated *r, double goal);
