/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "stat/autocorrelation.h"

#include "base/bits.h"
#include "stat/steady.h"

#include <math.h>

#define WINDOW 2.5 /* times tau = 1 + 2 sum, which is Sokal's 5 times 1/2 + sum */
#define CHANCE 1.645

static double covariance(const double *v, uint32_t n, uint32_t lag, double mean)
{
	double sum = 0;
	for (uint32_t i = 0; i + lag < n; i++)
		sum += (v[i] - mean) * (v[i + lag] - mean);
	return sum;
}

double autocorrelation(const double *v, uint32_t n, uint32_t lag)
{
	double mean = steady_mean(v, n), own = covariance(v, n, 0, mean);
	return own > 0 && lag < n ? covariance(v, n, lag, mean) / own : 0;
}

double autocorrelation_time(const double *v, uint32_t n)
{
	double mean = steady_mean(v, n), own = covariance(v, n, 0, mean), time = 1;

	if (n < 3 || !(own > 0) || covariance(v, n, 1, mean) / own < CHANCE / sqrt(n))
		return 1;
	for (uint32_t lag = 1; lag < n / 2; lag++) {
		time += 2 * covariance(v, n, lag, mean) / own;
		if (lag >= WINDOW * time)
			break;
	}
	return MAX_OF(time, 1.0);
}
