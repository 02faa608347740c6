/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Standard errors of what one run gives: its rate, a mean, a quantile.  Pure.  NAN:
 * nothing is known. */
#pragma once

#include <stdint.h>

struct latency;

/* Of the mean of the series V[0 .. N-1], whose neighbours may be alike: so many values as
 * N / tau independent ones (tau: autocorrelation.h),
 *
 *	sqrt(sum (v - mean)^2  tau / (N (N - tau)))
 *
 * since such a series also spreads less by itself.  Few values know their spread badly: the
 * error is widened to what holds in 68 % by Student's t with N / tau - 1 degrees of
 * freedom (GUM, G.3), 1.84 times at two values, 1.14 at five.  NAN below two values. */
double uncertainty_mean(const double *v, uint32_t n);

/* Of a count of N, as a share of it.  SPREAD is the deviation of the time from one to the
 * next as a share of its mean (events that renew themselves: D. R. Cox, Renewal Theory,
 * 1962, 3.2).  Below one it counts as one, chance without memory: only a series could
 * show that events come more evenly than that. */
double uncertainty_count(uint64_t n, double spread);

/* Of L's quantile Q, in ns.  RANK is the standard error of the share of samples that lie
 * below it, where something is known that chance isn't enough for, else 0; it is at least
 * sqrt(q (1 - q) / n).  What the quantiles at q - rank and q + rank enclose is twice the
 * error: R. S. Woodruff, Confidence intervals for medians and other position measures, J.
 * Am. Stat. Assoc. 47 (1952).  To it comes the resolution of the histogram, the width of
 * a bin / sqrt 12 (GUM, 4.3.7); to one that a report only tells, the unit that it is told
 * in. */
/* The last place of a time that a report tells, which may be in whole us or ms. */
double uncertainty_told(uint64_t ns);

double uncertainty_quantile(const struct latency *l, double q, double rank);
