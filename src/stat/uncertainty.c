/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "stat/uncertainty.h"

#include "base/bits.h"
#include "stat/autocorrelation.h"
#include "stat/latency.h"
#include "stat/steady.h"
#include "stat/student.h"

#include <math.h>

#define ONE_SIGMA 0.8413447460685429 /* of the normal distribution lies below it */

double uncertainty_mean(const double *v, uint32_t n)
{
	double mean = steady_mean(v, n), squares = 0;

	if (n < 2)
		return NAN;
	for (uint32_t i = 0; i < n; i++)
		squares += (v[i] - mean) * (v[i] - mean);
	double time = MIN_OF(autocorrelation_time(v, n), n / 2.0);
	return student_quantile(ONE_SIGMA, n / time - 1) *
	       sqrt(squares * time / (n * (n - time)));
}

double uncertainty_count(uint64_t n, double spread)
{
	return n ? fmax(spread, 1) / sqrt((double)n) : NAN;
}

static double bin_width(uint64_t ns)
{
	uint32_t bin = histogram_bin(ns);
	return bin < 128 ? 1 : (double)(UINT64_C(1) << (bin / 64 - 1));
}

/* Half of what lies between the quantiles a RANK below and above. */
static double half_between(const struct latency *l, double q, double rank)
{
	double n = (double)l->histogram.count;
	uint64_t low = latency_quantile(l, fmax(q - rank, 0.5 / n));
	uint64_t high = latency_quantile(l, fmin(q + rank, 1));
	return (double)(high - low) / 2;
}

double uncertainty_told(uint64_t ns)
{
	return ns % NS_PER_MS == 0   ? (double)NS_PER_MS
	       : ns % NS_PER_US == 0 ? (double)NS_PER_US
				     : 1;
}

double uncertainty_quantile(const struct latency *l, double q, double rank)
{
	double n = (double)l->histogram.count, half = 0;
	uint64_t ns;

	if (!latency_find(l, q, &ns))
		return NAN;
	if (n > 0)
		half = half_between(l, q, fmax(rank, sqrt(q * (1 - q) / n)));
	else if (l->told)
		half = uncertainty_told(ns);
	return hypot(half, bin_width(ns) / sqrt(12));
}
