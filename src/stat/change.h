/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Did a rate or a latency change while it was measured, and when?  Pure; V[0 .. N-1] are
 * equally spaced in time, none negative.
 *
 * The method works on logarithms, as what matters is a ratio.  It looks for the step that
 * explains the series best (least squares), and asks whether chance could have made
 * one: the largest distance of the cumulated sum from its expected line, in units of the
 * long-run deviation, is under a steady series that of a Brownian bridge (E. S. Page's
 * CUSUM in the form of Ploberger and Kraemer, Econometrica 60, 1992).  Neighbours in time
 * depend on each other: the long-run deviation is that of a first-order autoregression
 * fitted to what the best steps leave.  What is found is divided again (binary segmentation,
 * Scott and Knott 1974), at most into CHANGES_MAX + 1 parts.
 *
 * CHANGE_LIMIT was found by simulation: at most 5 of 100 steady AR(1) series with a
 * coefficient from 0 to 0.7 and 20 to 1000 values give a change (tests/prop/stat-change.c).
 * The asymptotic value, with known parameters and 5 %, would be 1.358.
 *
 * What goes to and fro faster than that has no step that stays.  It shows by its two levels:
 * values that are divided into two groups (2-means) of at least 15 % each, CHANGE_APART times
 * as far apart as they are wide.  Halves of a normal distribution are 2.6 times, of an even
 * one 3.5.
 *
 * Single values that stand out count with at most 5 robust deviations.  A change below
 * CHANGE_LEAST is none, whatever its significance. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define CHANGES_MAX       15
#define CHANGE_SIDE_MIN   3  /* values on each side of a change           */
#define CHANGE_VALUES_MIN 12 /* fewer aren't looked at                   */
#define CHANGE_LIMIT(n)   (2.0 + 40.0 / (n))
#define CHANGE_LEAST      0.05
#define CHANGE_APART      5.0

/* A step. */
struct change {
	uint32_t at;          /* the first value after it                          */
	double before, after; /* medians of the parts that it divides            */
};

/* What was found; all 0 in a steady series. */
struct changes {
	struct change v[CHANGES_MAX]; /* by time                                  */
	uint32_t count;
	/* A line explains the series better than one step does: then it is said so
	 * instead of steps, from what to what it goes.                              */
	bool trend;
	double from, to;
	/* It goes to and fro between two levels, TURNS times: said where there are three turns
	 * or more, and no other change. */
	uint32_t turns;
	double low, high;
};

/* 0, or -ENOMEM. */
int changes_find(const double *v, uint32_t n, struct changes *ret);

/* The rule of SNIA's Performance Test Specification (2.0.2, 2.1.25) for a window of N
 * rounds: range at most 20 % of the mean, and the line of least squares rises or falls by
 * at most 10 % of it from the first round to the last. */
bool change_steady(const double *rounds, uint32_t n);
