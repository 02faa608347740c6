/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* A figure with the interval that it is known to.
 *
 * Where several runs measured it, the runs are the units: their mean, and Student's
 * interval of it.  Within one run rates are known by batches of its series
 * (stat/batches.h), latencies by a bootstrap of its histograms (stat/resample.h); there is
 * an interval only when the run is at least 50 autocorrelation times long and doesn't
 * drift.  A report that has a summary only has no interval. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct path;
struct result_row;

/* In the unit of the path's quantity.  LO and HI hold with the confidence asked for. */
struct reading {
	bool known;
	double value;
	bool interval; /* else WHY says why not */
	double lo, hi;
	double error; /* one standard error, for the digits shown; NAN: not known, 0: exact */
	const char *why; /* also why the value is not known; static text */
};

/* Of one run: ROWS are the clones of one job. */
void reading_run(const struct path *p, const struct result_row *const *rows, uint32_t count,
	double confidence, struct reading *ret);

/* Of the mean of COUNT runs, at least 2. */
void reading_runs(const double *values, uint32_t count, double confidence, struct reading *ret);
