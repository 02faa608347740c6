/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "stat/steady.h"

#include <math.h>

double steady_mean(const double *v, uint32_t n)
{
	double sum = 0;
	for (uint32_t i = 0; i < n; i++)
		sum += v[i];
	return n ? sum / n : 0;
}

double steady_deviation(const double *v, uint32_t n)
{
	double mean = steady_mean(v, n), most = 0;
	for (uint32_t i = 0; i < n; i++)
		most = fmax(most, fabs(v[i] - mean));
	return most;
}

/* With x counted from its middle the sums of x vanish from the formula, and with
 * them the loss of digits of long series. */
double steady_slope(const double *v, uint32_t n)
{
	double middle = ((double)n - 1) / 2, xy = 0, xx = 0;
	for (uint32_t i = 0; i < n; i++) {
		double x = (double)i - middle;
		xy += x * v[i];
		xx += x * x;
	}
	return xx > 0 ? xy / xx : 0;
}

double steady_criterion(const struct steady_rule *rule, const double *v, uint32_t n)
{
	double figure = rule->slope ? steady_slope(v, n) : steady_deviation(v, n);
	double mean = steady_mean(v, n);

	if (!rule->percent)
		return figure;
	if (mean > 0)
		return 100 * figure / mean;
	return figure == 0 ? 0 : INFINITY;
}

bool steady_attained(const struct steady_rule *rule, const double *v, uint32_t n)
{
	/* A device that does nothing is not steady, it hangs. */
	if (steady_mean(v, n) <= 0)
		return false;
	return fabs(steady_criterion(rule, v, n)) <= rule->limit;
}
