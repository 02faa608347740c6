/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Digits and standard errors, by hand.  The factors of Student's t are those of GUM's table
 * G.2, column 68.27 %. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/scope.h"
#include "base/str.h"
#include "report/digits.h"
#include "stat/latency.h"
#include "stat/precision.h"
#include "stat/uncertainty.h"

static void places(void **state)
{
	static const struct {
		double v, error;
		int place;
	} cases[] = {
		{445231, 2000, 3},
		{445231, 9999, 3},
		{445231, 10000, 4},
		{-445231, 2000, 3},
		{1824.3, 7, 0},
		{52.83, 0.28, -1},
		{0.77, 0.05, -2},
		/* two digits at least, of what is shown: 42, 0.77, 10, 100 */
		{42, 1e6, 0},
		{0.77, 0.5, -2},
		{9.96, 5, 0},
		{99.6, 30, 1},
		{0, 3, 0},
		{1234.5, 0, PRECISION_ALL},
		{1234.5, NAN, PRECISION_ALL},
		{1234.5, INFINITY, PRECISION_ALL},
		{NAN, 1, PRECISION_ALL},
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++)
		if (precision_place(cases[i].v, cases[i].error) != cases[i].place)
			fail_msg("%g +- %g: %d, not %d", cases[i].v, cases[i].error,
				precision_place(cases[i].v, cases[i].error), cases[i].place);
}

static void rounding(void **state)
{
	(void)state;
	assert_true(precision_round(445231, 3) == 445000);
	assert_true(precision_round(22.546, -1) == 22.5);
	assert_true(precision_round(-1250, 3) == -1000);
	assert_true(precision_round(1.23456, PRECISION_ALL) == 1.23456);
	/* At most three digits: tens of 1974, tenths of 64.3, and 999.6 is 1000. */
	assert_true(precision_limit(1974, 0, 3) == 10);
	assert_true(precision_limit(1974, 200, 3) == 200);
	assert_true(fabs(precision_limit(64.3, NAN, 3) - 0.1) < 1e-12);
	assert_true(precision_limit(999.6, 0, 3) == 10);
}

static void texts(void **state)
{
	static const struct {
		double v, error;
		const char *text;
	} cases[] = {
		{445231, 2000, "445000"},
		{445231, 0, "445231"},
		{445231, NAN, "445231"},
		{12884.7, 36, "12880"},
		{52.83, 0.04, "52.8"},
		{52.83, 0.28, "52.8"},
		{52.83, 2.8, "53"},
		{22.546, 0.04, "22.5"}, /* not 22.6, by way of 22.55 */
		{0.7712, 0.00001, "0.77"},
		{0.04123, 0.0001, "0.041"},
		{9.96, 5, "10"},
		{0, 0, "0"},
		{0, 0.5, "0"},
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		scope_with(str_done) struct str out = {0};
		digits_add(&out, cases[i].v, cases[i].error);
		assert_string_equal(str_text(&out), cases[i].text);
	}
}

static void shares(void **state)
{
	static const struct {
		double share;
		const char *text;
	} cases[] = {{0.1234, "12 %"}, {0.0123, "1.2 %"}, {0.0034, "0.3 %"}, {0, "0.0 %"},
		{0.0999, "10 %"}, {1.234, "120 %"}};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		scope_with(str_done) struct str out = {0};
		digits_add_share(&out, cases[i].share);
		assert_string_equal(str_text(&out), cases[i].text);
	}
}

static void near(double seen, double wanted)
{
	if (!(fabs(seen - wanted) <= 0.005 * wanted))
		fail_msg("%g, not %g", seen, wanted);
}

static void means(void **state)
{
	static const double two[] = {1, 3}, five[] = {10, 12, 10, 12, 10},
			    same[] = {7, 7, 7, 7};

	(void)state;
	near(uncertainty_mean(two, 2), 1.84);           /* sqrt(2 / (2 * 1)) */
	near(uncertainty_mean(five, 5), 0.4899 * 1.14); /* sqrt(4.8 / (5 * 4)) */
	assert_true(uncertainty_mean(same, 4) == 0);
	assert_true(isnan(uncertainty_mean(two, 1)));
	assert_true(isnan(uncertainty_mean(two, 0)));
}

/* Whoever tells each value ten times knows no more for it. */
static void dependence(void **state)
{
	static double once[40], often[400];

	(void)state;
	for (uint32_t i = 0; i < 400; i++) {
		once[i / 10] = (double)((i / 10) * (i / 10) * (i / 10) % 101);
		often[i] = once[i / 10];
	}
	double ratio = uncertainty_mean(often, 400) / uncertainty_mean(once, 40);
	if (ratio < 0.8 || ratio > 1.3)
		fail_msg("%g times the error", ratio);
}

static void counts(void **state)
{
	(void)state;
	near(uncertainty_count(10000, 0.3), 0.01);
	near(uncertainty_count(10000, 2), 0.02);
	assert_true(isnan(uncertainty_count(0, 1)));
}

/* 1 to 100 ns, 100 times each: half of the samples are known to 0.5 %, so the median lies
 * between 50 and 51; bins of 1 ns add 1 / sqrt 12. */
static void quantiles(void **state)
{
	scope_mem struct latency *l = calloc(1, sizeof(*l));
	const struct latency_point p99 = {99, 130000};
	const struct latency_told told = {.mean = -1, .stddev = -1, .count = 1, .points = &p99};

	(void)state;
	assert_non_null(l);
	for (uint64_t ns = 1; ns <= 100; ns++)
		for (int i = 0; i < 100; i++)
			latency_record(l, ns);
	near(uncertainty_quantile(l, 0.5, 0), hypot(0.5, 0.2887));
	near(uncertainty_quantile(l, 0.5, 0.1), hypot(10, 0.2887));
	/* Only told, in whole us; the bin of 130000 is 1024 ns wide (64 to an octave of 65536).
	 */
	*l = (struct latency){.told = &told};
	near(uncertainty_quantile(l, 0.99, 0), hypot(1000, 1024 / 3.4641));
	assert_true(isnan(uncertainty_quantile(l, 0.5, 0)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(places),
		cmocka_unit_test(rounding),
		cmocka_unit_test(texts),
		cmocka_unit_test(shares),
		cmocka_unit_test(means),
		cmocka_unit_test(dependence),
		cmocka_unit_test(counts),
		cmocka_unit_test(quantiles),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
