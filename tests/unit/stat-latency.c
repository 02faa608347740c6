/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Histogram, moments and latency: bins, ranks and buckets by example. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/bits.h"
#include "stat/latency.h"

static const struct {
	uint64_t ns;
	uint32_t bin;
	uint64_t low, mid;
} bin_cases[] = {
	{0, 0, 0, 0},
	{1, 1, 1, 1},
	{127, 127, 127, 127},
	{128, 128, 128, 129},
	{129, 128, 128, 129},
	{130, 129, 130, 131},
	{255, 191, 254, 255},
	{256, 192, 256, 258},
	{511, 255, 508, 510},
	{512, 256, 512, 516},
	{1000, 317, 1000, 1004},
	{1000000, 954, 999424, 1003520},
	{17179869183, 1855, UINT64_C(17045651456), UINT64_C(17112760320)},
	{17179869184, 1856, UINT64_C(17179869184), UINT64_C(17314086912)},
	{UINT64_MAX, 3775, UINT64_C(127) << 57, (UINT64_C(127) << 57) + (UINT64_C(1) << 56)},
};

static void test_bins(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT_OF(bin_cases); i++) {
		uint32_t bin = bin_cases[i].bin;
		assert_int_equal(histogram_bin(bin_cases[i].ns), bin);
		assert_int_equal(histogram_bin_low(bin), bin_cases[i].low);
		assert_int_equal(histogram_bin_mid(bin), bin_cases[i].mid);
	}
	assert_int_equal(histogram_bin(UINT64_MAX), HISTOGRAM_BINS - 1);
	assert_int_equal(histogram_fio_bin(1854), 1854);
	assert_int_equal(histogram_fio_bin(1855), 1855);
	assert_int_equal(histogram_fio_bin(HISTOGRAM_BINS - 1), 1855);
}

static void test_every_bin_holds_its_values(void **state)
{
	(void)state;
	for (uint32_t bin = 0; bin < HISTOGRAM_BINS; bin++) {
		assert_int_equal(histogram_bin(histogram_bin_low(bin)), bin);
		assert_int_equal(histogram_bin(histogram_bin_mid(bin)), bin);
		if (bin)
			assert_int_equal(histogram_bin(histogram_bin_low(bin) - 1), bin - 1);
	}
}

/* Values 1 .. count, one each: the rank is the answer. */
static const struct {
	uint64_t count;
	double quantile;
	uint64_t want;
} quantile_cases[] = {
	{100, 0.5, 50},
	{100, 0.501, 51},
	{100, 0.99, 99},
	{100, 0.999, 100},
	{100, 1, 100},
	{100, 1e-9, 1},
	{1, 0.5, 1},
	{2, 0.5, 1},
	{3, 0.5, 2},
	{10, 0.1, 1},
	{10, 0.3, 3},
	{10, 0.7, 7},
	{100, 0.07, 7},
	{100, 0.29, 29},
	{100, 0.57, 57},
	{100, 58.0 / 100, 58},
	{120, 99.9 / 100, 120},
};

static void test_quantiles(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT_OF(quantile_cases); i++) {
		static struct histogram h;
		histogram_reset(&h);
		for (uint64_t v = 1; v <= quantile_cases[i].count; v++)
			histogram_record(&h, v);
		assert_int_equal(histogram_quantile(&h, quantile_cases[i].quantile),
			quantile_cases[i].want);
	}
}

/* Each percentile that is a whole number of samples is exactly that one, however
 * the quantile was computed, also where the count is large. */
static void test_quantile_is_not_off_by_one(void **state)
{
	(void)state;
	static const uint64_t per_mille[] = {1, 10, 70, 290, 570, 580, 900, 950, 990, 995, 999};
	static const uint64_t scales[] = {1, 10, 1000000, UINT64_C(1) << 40};
	for (size_t s = 0; s < COUNT_OF(scales); s++) {
		for (size_t i = 0; i < COUNT_OF(per_mille); i++) {
			static struct histogram h;
			histogram_reset(&h);
			histogram_record_bin(&h, 1, per_mille[i] * scales[s]);
			histogram_record_bin(&h, 2, (1000 - per_mille[i]) * scales[s]);
			double q = (double)per_mille[i] / 1000;
			assert_int_equal(histogram_quantile(&h, q), 1);
			assert_int_equal(histogram_quantile(&h,
						 (double)per_mille[i] / 10 / 100),
				1);
			assert_int_equal(histogram_quantile(&h, q * 1.000001), 2);
		}
	}
}

static void test_quantile_is_clamped(void **state)
{
	(void)state;
	static struct latency l;
	assert_int_equal(latency_quantile(&l, 0.5), 0);
	latency_record(&l, 1000000);
	assert_int_equal(latency_quantile(&l, 0.5), 1000000); /* the bin's middle is 1003520 */
	latency_record(&l, 1000100);
	assert_int_equal(latency_quantile(&l, 1), 1000100);
	latency_reset(&l);
	latency_record(&l, 1007615); /* last value of the bin */
	assert_int_equal(latency_quantile(&l, 0.5), 1007615);
}

static void test_reset_leaves_nothing(void **state)
{
	(void)state;
	static struct latency l, empty;
	for (uint64_t v = 1; v < UINT64_C(1) << 40; v *= 3)
		latency_record(&l, v);
	latency_reset(&l);
	assert_memory_equal(&l, &empty, sizeof(l));
	histogram_reset(&l.histogram);
	assert_memory_equal(&l, &empty, sizeof(l));
}

static const struct {
	uint64_t values[4];
	unsigned count;
	double mean, stddev;
} moment_cases[] = {
	{{0}, 0, 0, 0},
	{{7}, 1, 7, 0},
	{{1, 3}, 2, 2, 1.4142135623730951},
	{{5, 5, 5}, 3, 5, 0},
	{{1, 2, 3, 4}, 4, 2.5, 1.2909944487358056},
	/* a small spread around a mean of 52 days must survive */
	{{UINT64_C(4500000000000001), UINT64_C(4500000000000003)}, 2, 4500000000000002.0,
		1.4142135623730951},
	{{0, UINT64_C(1) << 62}, 2, 0x1p61, 0x1p62 / 1.4142135623730951},
};

static void test_moments(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT_OF(moment_cases); i++) {
		struct moments m = {0};
		for (unsigned k = 0; k < moment_cases[i].count; k++)
			moments_record(&m, moment_cases[i].values[k]);
		double mean = moment_cases[i].mean, stddev = moment_cases[i].stddev;
		assert_true(fabs(moments_mean(&m) - mean) <= 1e-15 * mean);
		assert_true(fabs(moments_stddev(&m) - stddev) <= 1e-15 * stddev);
	}
}

static void test_merge_with_empty(void **state)
{
	(void)state;
	static struct latency a, b, empty;
	latency_record(&a, 500);
	latency_record(&a, 70);
	b = a;
	latency_merge(&a, &empty);
	assert_memory_equal(&a, &b, sizeof(a));
	latency_reset(&a);
	latency_merge(&a, &b);
	assert_memory_equal(&a, &b, sizeof(a));
	assert_int_equal(a.moments.min, 70);
}

/* fio's labels: "below N and not below the previous label". */
static const struct {
	uint64_t ns;
	char unit;
	unsigned bucket;
} spread_cases[] = {
	{0, 'n', 0},
	{1, 'n', 0},
	{2, 'n', 1},
	{3, 'n', 1},
	{4, 'n', 2},
	{9, 'n', 2},
	{10, 'n', 3},
	{19, 'n', 3},
	{20, 'n', 4},
	{99, 'n', 5},
	{100, 'n', 6},
	{120, 'n', 6},
	{300, 'n', 7},
	{700, 'n', 8},
	{800, 'n', 9},
	{990, 'n', 9},
	{1500, 'u', 0},
	{2100, 'u', 1},
	{5000, 'u', 2},
	{15000, 'u', 3},
	{30000, 'u', 4},
	{800000, 'u', 9},
	{980000, 'u', 9},
	{1100000, 'm', 0},
	{3000000, 'm', 1},
	{800000000, 'm', 9},
	{1500000000, 'm', 10},
	{2100000000, 'm', 11},
	{UINT64_C(100000000000), 'm', 11},
};

static void test_spread(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT_OF(spread_cases); i++) {
		static struct histogram h;
		struct latency_spread got = {0}, want = {0};
		histogram_reset(&h);
		histogram_record_bin(&h, histogram_bin(spread_cases[i].ns), 3);
		latency_spread_add(&got, &h);
		uint64_t *row = spread_cases[i].unit == 'n'   ? want.ns
				: spread_cases[i].unit == 'u' ? want.us
							      : want.ms;
		row[spread_cases[i].bucket] = 3;
		assert_memory_equal(&got, &want, sizeof(got));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bins),
		cmocka_unit_test(test_every_bin_holds_its_values),
		cmocka_unit_test(test_quantiles),
		cmocka_unit_test(test_quantile_is_not_off_by_one),
		cmocka_unit_test(test_quantile_is_clamped),
		cmocka_unit_test(test_reset_leaves_nothing),
		cmocka_unit_test(test_moments),
		cmocka_unit_test(test_merge_with_empty),
		cmocka_unit_test(test_spread),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
