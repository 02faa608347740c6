/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Student's t distribution with DF degrees of freedom, which need not be whole (> 0);
 * INFINITY is the normal distribution.  Pure.
 *
 *   P(|T| > t) = I_x(df/2, 1/2),  x = df / (df + t^2)        (DLMF 8.17, Abramowitz and
 *                                                            Stegun 26.7.1)
 *
 * I is the regularised incomplete beta function, by its continued fraction (DLMF
 * 8.17.22) with Lentz's method.  Quantiles are the inverse by bisection: they are
 * asked for a few times a comparison.  Relative error below 1e-9. */
#pragma once

/* P(|T| > t). */
double student_two_sided(double t, double df);

/* P(T <= t). */
double student_cdf(double t, double df);

/* t with P(T <= t) = p, 0 < P < 1. */
double student_quantile(double p, double df);

/* I_x(a, b), 0 <= x <= 1. */
double beta_share(double x, double a, double b);
