/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "stat/batches.h"

#include "base/bits.h"
#include "base/scope.h"
#include "stat/autocorrelation.h"
#include "stat/steady.h"
#include "stat/student.h"

#include <math.h>

#define DRIFT_CHANCE 0.01

/* Means of COUNT batches of equal length; what doesn't fill one is left out at the
 * beginning. */
static void means(const double *v, uint32_t n, uint32_t count, double *ret)
{
	uint32_t length = n / count, from = n - length * count;
	for (uint32_t i = 0; i < count; i++)
		ret[i] = steady_mean(v + from + i * length, length);
}

double trend_chance(const double *v, uint32_t n)
{
	double slope = steady_slope(v, n), mean = steady_mean(v, n), squares = 0;
	double x2 = (double)n * ((double)n * n - 1) / 12;
	scope_mem double *rest = malloc(n * sizeof(*rest));

	if (!rest)
		return 0;
	for (uint32_t i = 0; i < n; i++) {
		rest[i] = v[i] - mean - slope * (i - (n - 1) / 2.0);
		squares += rest[i] * rest[i];
	}
	double time = autocorrelation_time(rest, n), df = n / time - 2;
	if (df < 1 || !(squares > 0))
		return squares > 0 ? 1 : 0;
	return student_two_sided(slope / sqrt(squares / (n - 2) * time / x2), df);
}

/* P of neighbouring batches being so alike where they are independent: von Neumann's
 * ratio, normal (Fishman, Grouping observations in digital simulation, 1978). */
static double moved_chance(const double *mean, uint32_t n)
{
	struct sample s = sample_of(mean, n);
	double steps = 0, all = s.variance * (n - 1);

	for (uint32_t i = 0; i + 1 < n; i++)
		steps += pow(mean[i + 1] - mean[i], 2);
	if (!(all > 0))
		return 1;
	double c = 1 - steps / (2 * all);
	double z = c * sqrt(((double)n * n - 1) / (n - 2));
	return erfc(z / sqrt(2)) / 2;
}

static double range(const double *v, uint32_t n)
{
	double least = v[0], most = v[0];
	for (uint32_t i = 1; i < n; i++) {
		least = fmin(least, v[i]);
		most = fmax(most, v[i]);
	}
	return most - least;
}

static bool drifting(const struct batches *b, const double *v, uint32_t n, const double *batch,
	uint32_t count, double tolerance)
{
	if (fabs(b->drift) > tolerance / 2 && trend_chance(v, n) < DRIFT_CHANCE)
		return true;
	return b->means.n && range(batch, count) > tolerance / 2 * b->means.mean &&
	       moved_chance(batch, count) < DRIFT_CHANCE;
}

/* Means of batches of LENGTH that follow each other are still a little alike, so they
 * spread less than independent ones; in a series of AR(1) by this factor. */
static double alike(double time, uint32_t length)
{
	return 1 - (time * time - 1) / (2 * time * length);
}

static uint32_t batches_count(uint32_t n, double time)
{
	double fit = n / (BATCH_TIMES * time);
	if (n < 2 * BATCHES_MIN || fit < BATCHES_MIN / 2.0)
		return 0;
	return (uint32_t)MAX_OF(MIN_OF(fit, (double)BATCHES_MAX), (double)BATCHES_MIN);
}

struct batches batches_of(const double *v, uint32_t n, double tolerance)
{
	struct batches b = {.values = n, .time = autocorrelation_time(v, n)};
	double mean = steady_mean(v, n), batch[BATCHES_MAX];
	uint32_t count = batches_count(n, b.time);

	b.drift = mean > 0 ? steady_slope(v, n) * (n - 1) / mean : 0;
	if (count) {
		means(v, n, count, batch);
		b.means = sample_of(batch, count);
		b.means.mean = mean;
		b.means.variance /= alike(b.time, n / count);
	}
	if (drifting(&b, v, n, batch, count, tolerance))
		b.use = BATCHES_DRIFTING;
	else if (n < BATCHES_RUN_MIN || n < BATCHES_RUN_TIMES * b.time || !b.means.n)
		b.use = BATCHES_SHORT;
	return b;
}
