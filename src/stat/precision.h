/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Which digits of a figure does its uncertainty leave?  Pure.
 *
 *	445231, standard error 2000:   445000
 *	1824.3, standard error 7:      1824
 *
 * The last digit shown is the one in which the standard error begins.  JCGM 100:2008 (GUM),
 * 7.2.6 asks for a figure rounded to fit its uncertainty, of which at most two digits are to
 * be quoted; this is one of them.  Half a unit of that place is at most half a standard
 * error, and rounding (its own error is a unit / sqrt 12 as a standard deviation) makes
 * the whole at most sqrt(1 + 1/12), 4 %, less certain.
 *
 * Two digits are left at least: one alone says a figure to 50 % at worst, and a reader
 * wants to see in which half it is. */
#pragma once

#include <limits.h>

#define PRECISION_LEAST 2       /* digits                                  */
#define PRECISION_ALL   INT_MIN /* place of a figure without any uncertainty */

/* The last digit of V that may be shown, as the power of ten it counts: 3 are thousands,
 * -1 tenths.  PRECISION_ALL where ERROR (one standard error, in V's unit) isn't above zero:
 * V is exact, or (NAN) nothing is known of its error. */
int precision_place(double v, double error);

/* V to a multiple of 10^PLACE; as it is for PRECISION_ALL. */
double precision_round(double v, int place);

/* ERROR, made so large that at most DIGITS digits of V are left: what limits a figure in
 * another way, as the bins of a histogram do.  Also of an ERROR that isn't known. */
double precision_limit(double v, double error, int digits);
