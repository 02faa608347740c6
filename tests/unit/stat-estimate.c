/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Formulas of comparisons against scipy 1.10 (Debian's python3-scipy): the command that
 * made a value stands beside it, after
 *	from scipy import stats, special; import numpy as np
 *	A = np.array([101.2, 98.7, 103.4, 99.9, 100.6])
 *	B = np.array([104.9, 106.1, 103.0, 107.7, 105.2, 104.1]) */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/bits.h"
#include "stat/autocorrelation.h"
#include "stat/batches.h"
#include "stat/estimate.h"
#include "stat/histogram.h"
#include "stat/resample.h"
#include "stat/student.h"

static const double A[] = {101.2, 98.7, 103.4, 99.9, 100.6};
static const double B[] = {104.9, 106.1, 103.0, 107.7, 105.2, 104.1};

static void near(double seen, double want)
{
	if (!(fabs(seen - want) <= 1e-9 * fabs(want)))
		fail_msg("%.15g is not %.15g", seen, want);
}

static void test_student(void **state)
{
	static const struct {
		double df, q[4]; /* stats.t.ppf([.8, .95, .975, .995], df) */
	} quantiles[] = {
		{1, {1.37638192049, 6.3137515148, 12.7062047364, 63.6567411629}},
		{2, {1.06066017178, 2.91998558036, 4.30265272991, 9.92484320092}},
		{3.5, {0.956758833801, 2.22243349365, 2.94008863798, 5.08570222353}},
		{9, {0.883403859686, 1.83311293265, 2.26215716274, 3.24983554402}},
		{18, {0.86204866799, 1.73406360662, 2.10092204024, 2.87844047271}},
		{60, {0.847653006306, 1.67064886465, 2.00029782106, 2.66028303115}},
		{1000, {0.841980822162, 1.64637881729, 1.96233908083, 2.58075469807}},
	};
	static const double p[] = {0.8, 0.95, 0.975, 0.995};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(quantiles); i++) {
		for (size_t k = 0; k < COUNT_OF(p); k++) {
			near(student_quantile(p[k], quantiles[i].df), quantiles[i].q[k]);
			near(student_quantile(1 - p[k], quantiles[i].df), -quantiles[i].q[k]);
			near(student_cdf(quantiles[i].q[k], quantiles[i].df), p[k]);
		}
	}
	/* 2 * stats.t.sf(t, df) */
	near(student_two_sided(2, 5), 0.10193947882985828);
	near(student_two_sided(0.1, 1), 0.9365489651388929);
	near(student_two_sided(-3, 9.7), 0.01378518618729021);
	near(student_two_sided(10, 30), 4.5752514082296097e-11);
	near(student_quantile(0.975, INFINITY), 1.959963984540054); /* stats.norm.ppf(.975) */
	/* special.betainc(a, b, x) */
	near(beta_share(0.3, 0.5, 0.5), 0.3690101195655454);
	near(beta_share(0.5, 2, 3), 0.6875);
	near(beta_share(0.9, 10, 0.5), 0.15164090963470997);
	near(beta_share(0.4, 30, 40), 0.31814380259056263);
}

/* va = A.var(ddof=1)/A.mean()**2/5; vb = B.var(ddof=1)/B.mean()**2/6
 * lr = np.log(B.mean()/A.mean()); se = (va+vb)**.5; df = (va+vb)**2/(va**2/4+vb**2/5)
 * np.exp(stats.t.interval(.95, df, lr, se)), 2*stats.t.sf(lr/se, df) */
static void test_means(void **state)
{
	struct sample a = sample_of(A, 5), b = sample_of(B, 6);
	double low, high;

	(void)state;
	near(a.mean, 100.76);
	near(a.variance, 3.043);
	struct estimate e = estimate_means(&a, &b);
	assert_true(e.known);
	near(e.log_ratio, 0.042804941828748645);
	near(e.se, 0.009985398213354818);
	near(e.df, 8.185329180057659);
	estimate_interval(&e, 0.95, &low, &high);
	near(low, 1.0200677086638952);
	near(high, 1.0679499514709971);
	near(estimate_p_different(&e), 0.0025258692172197153);
	near(estimate_p_same(&e, 0.1),
		0.0007113605919963099); /* 2*stats.t.sf((np.log(1.1)-lr)/se, df) */
	assert_true(estimate_p_same(&e, 0.04) == 1);

	/* Fieller's interval of the same means, with 9 degrees of freedom: 1.02047 to 1.06764
	 */
	e.df = 9;
	estimate_interval(&e, 0.95, &low, &high);
	assert_true(fabs(low - 1.0204723363307506) < 1e-3 * low);
	assert_true(fabs(high - 1.06763678782176) < 1e-3 * high);
}

static void test_pairs(void **state)
{
	double low, high;

	(void)state;
	/* d = np.log(B[:5]/A); np.exp(stats.t.interval(.95, 4, d.mean(), stats.sem(d))) */
	struct estimate e = estimate_pairs(A, B, 5);
	near(e.log_ratio, 0.04484416500610012);
	near(e.se, 0.01436563862421956);
	near(estimate_p_different(&e), 0.035470820727623247); /* stats.ttest_1samp(d, 0) */
	estimate_interval(&e, 0.95, &low, &high);
	assert_true(fabs(low - 1.00497107) < 1e-8 && fabs(high - 1.08842269) < 1e-8);
	assert_false(estimate_pairs(A, B, 1).known);
	assert_false(estimate_pairs(A, (double[]){1, 0, 1}, 3).known);
}

static void test_few(void **state)
{
	struct sample a = sample_of(A, 5), one = sample_of((double[]){110}, 1);
	struct sample none = {0}, zero = sample_of((double[]){0, 0}, 2);

	(void)state;
	/* np.log(110/A.mean()), (A.var(ddof=1)/A.mean()**2*(1+1/5))**.5 */
	struct estimate e = estimate_means(&a, &one);
	near(e.log_ratio, 0.08773891430800668);
	near(e.se, 0.018965025910214248);
	near(e.df, 4);
	assert_false(estimate_means(&one, &one).known);
	assert_false(estimate_means(&a, &none).known);
	assert_false(estimate_means(&a, &zero).known);
	/* Without any spread. */
	struct sample same = sample_of((double[]){7, 7, 7}, 3);
	struct sample other = sample_of((double[]){8, 8, 8}, 3);
	e = estimate_means(&same, &same);
	assert_int_equal(estimate_verdict(&e, 0.02, 0.05), VERDICT_SAME);
	e = estimate_means(&same, &other);
	assert_int_equal(estimate_verdict(&e, 0.02, 0.05), VERDICT_MORE);
}

static struct estimate of(double log_ratio, double se)
{
	return (struct estimate){true, log_ratio, se, 20};
}

static void test_verdicts(void **state)
{
	static const struct {
		double log_ratio, se;
		enum verdict verdict;
	} cases[] = {
		{0, 0.005, VERDICT_SAME},     /* 0.0 +- 1.0 % */
		{0.008, 0.003, VERDICT_SAME}, /* real, and too small to matter */
		{0, 0.02, VERDICT_UNDECIDED}, /* 0.0 +- 4.2 % */
		{0.03, 0.01, VERDICT_MORE},   /* 3.0 +- 2.1 % */
		{-0.03, 0.01, VERDICT_LESS},
		{0.03, 0.02, VERDICT_UNDECIDED},
		{-5, 0.1, VERDICT_LESS},
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct estimate e = of(cases[i].log_ratio, cases[i].se);
		assert_int_equal(estimate_verdict(&e, 0.02, 0.05), cases[i].verdict);
	}
	struct estimate unknown = {0};
	assert_int_equal(estimate_verdict(&unknown, 0.02, 0.05), VERDICT_UNDECIDED);
}

/* Holm's own procedure: the smallest of n claims at alpha/n, the next at alpha/(n-1), until
 * one fails. */
static void test_holm(void **state)
{
	const double p[] = {0.0103, 0.0414, 0.00029, NAN, 0.18};
	const double equal[] = {0.01, 0.01, 0.01};
	double level[COUNT_OF(p)];

	(void)state;
	holm_levels(p, COUNT_OF(p), 0.05, level);
	near(level[2], 0.05 / 4);
	near(level[0], 0.05 / 3);
	assert_true(level[1] == 0); /* 0.0414 > 0.05 / 2 */
	assert_true(level[3] == 0);
	assert_true(level[4] == 0);
	holm_levels(equal, 3, 0.05, level);
	near(level[0], 0.05 / 3);
	near(level[2], 0.05);
	/* 2 * stats.t.sf(2.83, 20) */
	struct estimate e = of(0.0283, 0.01), none = {0};
	assert_true(fabs(estimate_claim(&e, 1e-6) - 0.01034632448180085) < 1e-9);
	assert_true(isnan(estimate_claim(&none, 0.02)));
}

static void test_needed(void **state)
{
	struct sample a = sample_of(A, 5), b = sample_of(B, 6);
	struct estimate e = estimate_means(&a, &b);

	(void)state;
	/* s2 = 2*(A.var(ddof=1)/A.mean()**2 + ...)/2: the smallest n for which
	 * (t(.975, 2n-2) + t(.8, 2n-2)) * (s2/n)**.5 <= |lr| */
	assert_int_equal(estimate_values_needed(&e, &a, &b, 0.02), 4);
	struct estimate close = e;
	close.log_ratio = 0.001; /* "same" needs less than finding 0.1 % */
	uint32_t same = estimate_values_needed(&close, &a, &b, 0.02);
	assert_int_equal(same, 13); /* goal np.log(1.02) - 0.001 */
	struct estimate unknown = {0};
	assert_int_equal(estimate_values_needed(&unknown, &a, &b, 0.02), 0);
}

static void test_blur(void **state)
{
	(void)state;
	struct estimate e = of(0.01, 0.003);
	estimate_blur(&e, 0.004);
	near(e.se, 0.005);
	near(e.df, 20 * (25.0 / 9) * (25.0 / 9));
}

static void test_autocorrelation(void **state)
{
	static const double v[] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3};
	double alternating[100], step[100];

	(void)state;
	/* m = v - v.mean(); [(m[:10-k]*m[k:]).sum()/(m*m).sum() for k in (1, 2, 3)] */
	near(autocorrelation(v, 10, 1), -0.14408014571948996);
	near(autocorrelation(v, 10, 2), -0.03132969034608379);
	near(autocorrelation(v, 10, 3), 0.2744990892531876);
	assert_true(autocorrelation(v, 10, 10) == 0);
	for (unsigned i = 0; i < 100; i++) {
		alternating[i] = i % 2;
		step[i] = i / 50;
	}
	assert_true(autocorrelation_time(alternating, 100) == 1);
	assert_true(autocorrelation_time(step, 100) > 10);
	assert_true(autocorrelation_time(v, 0) == 1);
	near(trend_chance(v, 10),
		0.345071047733112); /* stats.linregress(np.arange(10), v).pvalue */
}

static void test_resample(void **state)
{
	/* 40 intervals of 100 samples at 1000 ns and one at 8000: p50 can't vary. */
	struct series_bin low = {histogram_bin(1000), 100},
			  both[2] = {low, {histogram_bin(8000), 1}};
	struct series_sparse one = {both, 2};
	const struct series_sparse *v[40];
	const double q[] = {RESAMPLE_MEAN, 0.5, 0.99, 0.999};
	struct resampled r[4], again[4];

	(void)state;
	for (unsigned i = 0; i < 40; i++)
		v[i] = &one;
	assert_int_equal(resample_figures(v, 40, 1, q, 4, r), 0);
	for (unsigned i = 0; i < 3; i++)
		assert_true(r[i].known && r[i].se < 1e-6);
	assert_true(fabs(exp(r[1].log_value) / 1000 - 1) < 0.01);
	assert_true(fabs(exp(r[0].log_value) / (108000 / 101.0) - 1) < 0.01);
	assert_false(r[3].known); /* 4 samples beyond it */
	assert_int_equal(resample_figures(v, 40, 1, q, 4, again), 0);
	assert_memory_equal(r, again, sizeof(r));
	assert_int_equal(resample_figures(v, 3, 1, q, 4, r), 0);
	assert_false(r[0].known || r[1].known);
	assert_int_equal(resample_figures(v, 0, 1, q, 4, r), 0);
	assert_false(r[0].known);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_student),
		cmocka_unit_test(test_means),
		cmocka_unit_test(test_pairs),
		cmocka_unit_test(test_few),
		cmocka_unit_test(test_verdicts),
		cmocka_unit_test(test_holm),
		cmocka_unit_test(test_needed),
		cmocka_unit_test(test_blur),
		cmocka_unit_test(test_autocorrelation),
		cmocka_unit_test(test_resample),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
