/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Steadiness against values computed by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/bits.h"
#include "stat/steady.h"

#define NEAR(a, b) assert_true(fabs((a) - (b)) < 1e-9)

/* mean 100; distances 4 4 1 3 2; x - 2 = -2 -1 0 1 2, sum of (x-2)*y = -208 - 96 + 97 + 204
 * = -3 (y: 104 96 101 97 102), sum of squares 10: slope -0.3 */
static const double five[] = {104, 96, 101, 97, 102};

static void figures(void **state)
{
	(void)state;
	NEAR(steady_mean(five, 5), 100);
	NEAR(steady_deviation(five, 5), 4);
	NEAR(steady_slope(five, 5), -0.3);
	/* y = 7 + 2.5 x has that slope whatever its length */
	double line[40];
	for (int i = 0; i < 40; i++)
		line[i] = 7 + 2.5 * i;
	for (uint32_t n = 2; n <= 40; n++)
		NEAR(steady_slope(line, n), 2.5);
	NEAR(steady_slope(line, 1), 0);
	NEAR(steady_slope(line, 0), 0);
	NEAR(steady_mean(line, 0), 0);
	NEAR(steady_deviation(line, 1), 0);
	/* a document of fio: 1004 1005 1001 has slope -1.5; of the mean 3010 / 3 that is
	 * 450 / 3010 % (fio says 0.149551, cutting the mean to 1003) */
	static const double fio[] = {1004, 1005, 1001};
	NEAR(steady_slope(fio, 3), -1.5);
	struct steady_rule rule = {STEADY_IOPS, true, true, 5};
	NEAR(steady_criterion(&rule, fio, 3), -450.0 / 3010);
}

static void verdicts(void **state)
{
	static const struct {
		struct steady_rule rule;
		double criterion;
		bool attained;
	} rows[] = {
		{{STEADY_IOPS, false, false, 4}, 4, true},
		{{STEADY_IOPS, false, false, 3.9}, 4, false},
		{{STEADY_BW, false, true, 4}, 4, true}, /* 4 of 100 */
		{{STEADY_BW, false, true, 3.9}, 4, false},
		{{STEADY_LAT, true, false, 0.3}, -0.3,
			true}, /* a fall counts as much as a rise */
		{{STEADY_LAT, true, false, 0.29}, -0.3, false},
		{{STEADY_IOPS, true, true, 0.31}, -0.3, true},
	};
	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		NEAR(steady_criterion(&rows[i].rule, five, 5), rows[i].criterion);
		assert_int_equal(steady_attained(&rows[i].rule, five, 5), rows[i].attained);
	}
	static const double hung[] = {0, 0, 0};
	assert_false(steady_attained(&rows[0].rule, hung, 3));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(figures),
		cmocka_unit_test(verdicts),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
