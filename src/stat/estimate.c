/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "stat/estimate.h"

#include "base/bits.h"
#include "stat/student.h"

#include <math.h>

struct sample sample_of(const double *v, uint32_t n)
{
	struct sample s = {.n = n};
	double squares = 0;

	for (uint32_t i = 0; i < n; i++)
		s.mean += v[i] / n;
	for (uint32_t i = 0; i < n; i++)
		squares += (v[i] - s.mean) * (v[i] - s.mean);
	s.variance = n > 1 ? squares / (n - 1) : 0;
	return s;
}

/* Variance of a value as a share of the mean, squared. */
static double relative_variance(const struct sample *s)
{
	return s->variance / (s->mean * s->mean);
}

static struct estimate one_against_many(const struct sample *many, double log_ratio)
{
	double variance = relative_variance(many);
	return (struct estimate){
		.known = true,
		.log_ratio = log_ratio,
		.se = sqrt(variance * (1 + 1.0 / many->n)),
		.df = many->n - 1,
	};
}

struct estimate estimate_means(const struct sample *a, const struct sample *b)
{
	if (!(a->mean > 0) || !(b->mean > 0) || !a->n || !b->n || a->n + b->n < 3)
		return (struct estimate){0};
	double log_ratio = log(b->mean / a->mean);
	if (a->n == 1 || b->n == 1)
		return one_against_many(a->n == 1 ? b : a, log_ratio);

	double va = relative_variance(a) / a->n, vb = relative_variance(b) / b->n;
	double least = MIN_OF(a->n, b->n) - 1;
	double parts = va * va / (a->n - 1) + vb * vb / (b->n - 1);
	return (struct estimate){
		.known = true,
		.log_ratio = log_ratio,
		.se = sqrt(va + vb),
		.df = parts > 0 ? (va + vb) * (va + vb) / parts : least,
	};
}

struct estimate estimate_pairs(const double *a, const double *b, uint32_t n)
{
	double mean = 0, squares = 0;

	if (n < 2)
		return (struct estimate){0};
	for (uint32_t i = 0; i < n; i++) {
		if (!(a[i] > 0) || !(b[i] > 0))
			return (struct estimate){0};
		mean += log(b[i] / a[i]) / n;
	}
	for (uint32_t i = 0; i < n; i++)
		squares += pow(log(b[i] / a[i]) - mean, 2);
	return (struct estimate){
		.known = true,
		.log_ratio = mean,
		.se = sqrt(squares / (n - 1) / n),
		.df = n - 1,
	};
}

/* The part that is known has no end of degrees of freedom (Welch's formula again). */
void estimate_blur(struct estimate *e, double share)
{
	double seen = e->se * e->se, all = seen + share * share;

	if (!e->known || !(share > 0))
		return;
	e->df = seen > 0 ? e->df * (all / seen) * (all / seen) : 1e9;
	e->se = sqrt(all);
}

void estimate_interval(const struct estimate *e, double confidence, double *ret_low,
	double *ret_high)
{
	double half = student_quantile(0.5 + confidence / 2, e->df) * e->se;
	*ret_low = exp(e->log_ratio - half);
	*ret_high = exp(e->log_ratio + half);
}

/* Without any spread a difference is certain, and none is certain, too. */
static double steps(double distance, double se)
{
	if (se > 0)
		return distance / se;
	return distance > 0 ? INFINITY : distance < 0 ? -INFINITY : 0;
}

static double two_sided(double t, double df)
{
	return isinf(t) ? 0 : student_two_sided(t, df);
}

double estimate_p_different(const struct estimate *e)
{
	return e->known ? two_sided(steps(e->log_ratio, e->se), e->df) : 1;
}

double estimate_p_same(const struct estimate *e, double tolerance)
{
	double inside = log1p(tolerance) - fabs(e->log_ratio);

	if (!e->known || !(inside > 0))
		return 1;
	return two_sided(steps(inside, e->se), e->df);
}

enum verdict estimate_verdict(const struct estimate *e, double tolerance, double alpha)
{
	if (!e->known || !(alpha > 0))
		return VERDICT_UNDECIDED;
	if (estimate_p_same(e, tolerance) <= alpha)
		return VERDICT_SAME;
	if (estimate_p_different(e) > alpha)
		return VERDICT_UNDECIDED;
	return e->log_ratio < 0 ? VERDICT_LESS : VERDICT_MORE;
}

double estimate_claim(const struct estimate *e, double tolerance)
{
	return e->known ? MIN_OF(estimate_p_same(e, tolerance), estimate_p_different(e)) : NAN;
}

/* How many claims are better founded than the i-th; of equal ones the earlier is. */
static uint32_t claims_before(const double *p, uint32_t count, uint32_t i)
{
	uint32_t before = 0;
	for (uint32_t k = 0; k < count; k++)
		before += p[k] < p[i] || (k < i && p[k] == p[i]);
	return before;
}

/* The level of rank 0 is alpha / n, of the next alpha / (n - 1), and so on; the first
 * claim that doesn't reach its level ends the procedure. */
void holm_levels(const double *p, uint32_t count, double alpha, double *ret_alpha)
{
	uint32_t known = 0, stopped;

	for (uint32_t i = 0; i < count; i++)
		known += !isnan(p[i]);
	stopped = known;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t rank = isnan(p[i]) ? known : claims_before(p, count, i);
		ret_alpha[i] = rank < known ? alpha / (known - rank) : 0;
		if (rank < known && p[i] > ret_alpha[i])
			stopped = MIN_OF(stopped, rank);
	}
	for (uint32_t i = 0; i < count; i++)
		if (ret_alpha[i] > 0 && claims_before(p, count, i) >= stopped)
			ret_alpha[i] = 0;
}

/* Half widths that T values a side have, with the chance of 0.8. */
static double reach(double variance, uint32_t values)
{
	double df = 2.0 * values - 2;
	return (student_quantile(0.975, df) + student_quantile(0.8, df)) *
	       sqrt(variance / values);
}

uint32_t estimate_values_needed(const struct estimate *e, const struct sample *a,
	const struct sample *b, double tolerance)
{
	if (!e->known)
		return 0;
	double same = log1p(tolerance) - fabs(e->log_ratio);
	double goal = MAX_OF(same, fabs(e->log_ratio));
	double variance = relative_variance(a->n > 1 ? a : b) +
			  relative_variance(b->n > 1 ? b : a);
	uint32_t low = 1, high = VALUES_NEEDED_MAX;

	if (reach(variance, high) > goal)
		return high;
	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;
		if (reach(variance, middle) > goal)
			low = middle;
		else
			high = middle;
	}
	return high;
}
