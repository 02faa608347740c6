/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What one run alone can say: its series (a value a second) cut into a few long
 * batches, whose means are nearly independent.  Pure.
 *
 * At most ten batches, each at least five autocorrelation times long: B. Schmeiser,
 * Batch size effects in the analysis of simulation output, Oper. Res. 30 (1982)
 * shows that more than 10 to 30 batches gain next to nothing, and lose coverage
 * when they are short.  A verdict needs a run of at least 50 autocorrelation
 * times, and one that isn't drifting. */
#pragma once

#include <stdint.h>

#include "stat/estimate.h"

#define BATCHES_MAX       10
#define BATCHES_MIN       4
#define BATCH_TIMES       5  /* autocorrelation times in a batch          */
#define BATCHES_RUN_TIMES 50 /* in a run that may decide                  */
#define BATCHES_RUN_MIN   20 /* values in one                             */

/* May a verdict be built on the run? */
enum batches_use {
	BATCHES_USABLE,
	BATCHES_SHORT,    /* fewer values than 50 autocorrelation times, or than 20 */
	BATCHES_DRIFTING, /* it has a trend, or its level has moved              */
};

/* What a series gives for an interval. */
struct batches {
	enum batches_use use;
	uint32_t values;     /* of the series              */
	double time;         /* autocorrelation time       */
	double drift;        /* end against start of the fitted line, as a share of the mean */
	struct sample means; /* n 0: too few for any interval; mean is that of all values */
};

/* P of such a slope where there is none: t of the line of least squares, with as many degrees
 * of freedom as what is left without the line has independent values. */
double trend_chance(const double *v, uint32_t n);

/* A drift counts when chance gives it once in a hundred times and it is more than
 * half of TOLERANCE. */
struct batches batches_of(const double *v, uint32_t n, double tolerance);
