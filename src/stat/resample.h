/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* How uncertain is a quantile of one run?  By the moving block bootstrap: runs are made
 * up of blocks of the run's own intervals, drawn with replacement, and the quantile is
 * taken of each.  Blocks keep neighbours together, so that what intervals have in
 * common is kept too.  H. R. Kuensch, The jackknife and the bootstrap for general
 * stationary observations, Ann. Statist. 17 (1989).
 *
 * Pure and seeded: equal input gives equal output. */
#pragma once

#include <stdint.h>

#include "stat/estimate.h"
#include "stat/series.h"

#define RESAMPLE_RUNS    500
#define RESAMPLE_MEAN    0.0 /* instead of a quantile: the mean */
#define RESAMPLE_FIGURES 4
#define RESAMPLE_BLOCKS  4 /* fewer give nothing              */

/* A figure of one run: its logarithm, how much that varies, and of how many
 * independent parts that is known. */
struct resampled {
	bool known;
	double log_value, se, df;
};

/* Quantiles (or RESAMPLE_MEAN) Q[0 .. COUNT-1] of the histograms V[0 .. N-1], an interval
 * each, whose series has the autocorrelation time TIME.  A quantile with fewer than
 * ten samples beyond it is unknown, as is all of a run of too few blocks.  0 or
 * -ENOMEM. */
int resample_figures(const struct series_sparse *const *v, uint32_t n, double time,
	const double *q, uint32_t count, struct resampled *ret);

/* The figure of an interval or a run by itself, bins interpolated; 0: no samples. */
double sparse_figure(const struct series_sparse *const *v, uint32_t n, double q);

/* ln(B / A) of two runs. */
struct estimate estimate_resampled(const struct resampled *a, const struct resampled *b);
