/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Is a series steady?  Judged over a window of equally spaced samples.  Pure.
 *
 * These are fio's rules (steadystate=).  For the rule of SNIA's test specification see
 * change_steady(), for whether a trend may be chance trend_chance(). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Per second, bytes per second, ns. */
enum steady_figure {
	STEADY_IOPS,
	STEADY_BW,
	STEADY_LAT,
};
#define STEADY_FIGURES 3

/* By the largest deviation of a sample from the mean, or by the slope of the line
 * of least squares; the limit is in the figure's own unit, a sample for the slope,
 * or a percentage of the mean. */
struct steady_rule {
	enum steady_figure figure;
	bool slope;
	bool percent;
	double limit;
};

/* Mean of V[0 .. N-1]; 0 of none. */
double steady_mean(const double *v, uint32_t n);

/* The largest distance of a sample from the mean. */
double steady_deviation(const double *v, uint32_t n);

/* Slope of the line of least squares through (0, v[0]), (1, v[1]), ...; 0 below two. */
double steady_slope(const double *v, uint32_t n);

/* What RULE judges: deviation or slope, as a percentage of the mean where it is
 * one (infinite when the mean is 0 and the figure isn't). */
double steady_criterion(const struct steady_rule *rule, const double *v, uint32_t n);

/* Whether a full window of N samples is within the limit. */
bool steady_attained(const struct steady_rule *rule, const double *v, uint32_t n);
