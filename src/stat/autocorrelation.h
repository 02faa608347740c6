/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* How much do neighbours in a series have in common?  Pure; V[0 .. N-1] is equally
 * spaced in time. */
#pragma once

#include <stdint.h>

/* Of values LAG apart, by the usual estimate (sums over N, not over N - LAG); 0 where
 * the series does not vary or LAG >= N. */
double autocorrelation(const double *v, uint32_t n, uint32_t lag);

/* The autocorrelation time 1 + 2 (r1 + r2 + ...): so many values say as much as one
 * independent one.  At least 1.
 *
 * The sum ends by the window of A. Sokal, Monte Carlo Methods in Statistical
 * Mechanics (1997), 3: at the first M >= 5 tau/2.  Where r1 alone is within what
 * independent values show by chance (one-sided 5 %: 1.645 / sqrt(N)) the time is 1:
 * else half of all short series without any memory would seem to have some. */
double autocorrelation_time(const double *v, uint32_t n);
