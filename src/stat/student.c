/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "stat/student.h"

#include <math.h>

#define FRACTION_STEPS 500
#define TINY           1e-300

/* d_m of DLMF 8.17.23: even and odd terms. */
static double fraction_term(unsigned m, double x, double a, double b)
{
	unsigned half = m / 2;
	double k = half;
	if (m % 2)
		return -(a + k) * (a + b + k) * x / ((a + 2 * k) * (a + 2 * k + 1));
	return k * (b - k) * x / ((a + 2 * k - 1) * (a + 2 * k));
}

static double not_zero(double v)
{
	return fabs(v) < TINY ? TINY : v;
}

/* 1 / (1 + d1 / (1 + d2 / (1 + ...))) */
static double beta_fraction(double x, double a, double b)
{
	double c = 1, d = 0, f = 1;

	for (unsigned m = 1; m < FRACTION_STEPS; m++) {
		double term = fraction_term(m, x, a, b);
		d = 1 / not_zero(1 + term * d);
		c = not_zero(1 + term / c);
		f *= c * d;
		if (fabs(c * d - 1) < 1e-15)
			break;
	}
	return 1 / f;
}

double beta_share(double x, double a, double b)
{
	if (!(x > 0))
		return 0;
	if (!(x < 1))
		return 1;
	if (x > (a + 1) / (a + b + 2)) /* where the fraction converges fast */
		return 1 - beta_share(1 - x, b, a);
	double scale = a * log(x) + b * log1p(-x) - log(a) - lgamma(a) - lgamma(b) +
		       lgamma(a + b);
	return exp(scale) * beta_fraction(x, a, b);
}

double student_two_sided(double t, double df)
{
	if (isnan(t))
		return 1;
	if (df > 1e8)
		return erfc(fabs(t) / sqrt(2));
	return beta_share(df / (df + t * t), df / 2, 0.5);
}

double student_cdf(double t, double df)
{
	double tail = student_two_sided(t, df) / 2;
	return t < 0 ? tail : 1 - tail;
}

double student_quantile(double p, double df)
{
	double tail = p < 0.5 ? p : 1 - p, low = 0, high = 1;

	while (student_two_sided(high, df) / 2 > tail && high < 1e12)
		high *= 2;
	for (unsigned i = 0; i < 200 && high - low > 1e-13 * high; i++) {
		double middle = (low + high) / 2;
		if (student_two_sided(middle, df) / 2 > tail)
			low = middle;
		else
			high = middle;
	}
	return p < 0.5 ? -high : high;
}
