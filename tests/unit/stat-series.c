/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Series: intervals, doubling, merging and samples by example. */
#include <malloc.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/bits.h"
#include "base/limits.h"
#include "stat/histogram.h"
#include "stat/series.h"

#define S NS_PER_S

static void add(struct series *s, uint64_t t_ns, uint64_t ios)
{
	series_add(s, t_ns, DIR_READ, ios, ios * 4096, NULL, NULL);
}

static void test_intervals(void **state)
{
	(void)state;
	struct series s = {.interval_ns = S, .start_ns = 10 * S};
	add(&s, 10 * S, 1);
	add(&s, 11 * S - 1, 2);
	add(&s, 11 * S, 4);
	add(&s, 14 * S, 8);
	add(&s, 3 * S, 16); /* before the start */
	const uint64_t want[] = {19, 4, 0, 0, 8};
	assert_int_equal(s.count, COUNT_OF(want));
	for (unsigned i = 0; i < s.count; i++) {
		assert_int_equal(s.records[i].ios[DIR_READ], want[i]);
		assert_int_equal(s.records[i].bytes[DIR_READ], want[i] * 4096);
		assert_int_equal(s.records[i].ios[DIR_WRITE], 0);
	}
	assert_false(s.failed);
	series_done(&s);
	assert_int_equal(s.count, 0);
}

static void test_extend(void **state)
{
	(void)state;
	struct series s = {.interval_ns = S, .start_ns = 10 * S};
	series_extend(&s, 10 * S);
	assert_int_equal(s.count, 0);
	series_extend(&s, 12 * S);
	assert_int_equal(s.count, 2);
	series_extend(&s, 12 * S + 1);
	assert_int_equal(s.count, 3);
	series_extend(&s, 11 * S);
	assert_int_equal(s.count, 3);
	series_done(&s);
}

static void test_doubling(void **state)
{
	(void)state;
	struct series s = {.interval_ns = S};
	for (uint64_t i = 0; i <= LIMIT_INTERVALS; i++)
		add(&s, i * S, i);
	assert_int_equal(s.interval_ns, 2 * S);
	assert_int_equal(s.count, LIMIT_INTERVALS / 2 + 1);
	assert_int_equal(s.records[1].ios[DIR_READ], 2 + 3);
	assert_int_equal(s.records[LIMIT_INTERVALS / 2].ios[DIR_READ], LIMIT_INTERVALS);
	add(&s, UINT64_MAX, 7); /* as far as it goes */
	assert_true(s.count <= LIMIT_INTERVALS);
	assert_int_equal(s.records[s.count - 1].ios[DIR_READ], 7);
	series_done(&s);
}

/* A series that may keep fewer doubles earlier, and loses nothing by it. */
static void test_fewer(void **state)
{
	(void)state;
	struct series s = {.interval_ns = S, .most = 8};
	for (uint64_t i = 0; i < 20; i++)
		add(&s, i * S, 1);
	assert_int_equal(s.interval_ns, 4 * S);
	assert_int_equal(s.count, 5);
	for (uint32_t i = 0; i < s.count; i++)
		assert_int_equal(s.records[i].ios[DIR_READ], 4);
	series_done(&s);
}

static void test_sparse_bins_ascend_and_add_up(void **state)
{
	(void)state;
	static struct histogram a, b;
	histogram_record_bin(&a, 10, 5);
	histogram_record_bin(&a, 300, 1);
	histogram_record_bin(&b, 10, 2);
	histogram_record_bin(&b, 20, 3);
	struct series s = {.interval_ns = S};
	series_add(&s, 0, DIR_WRITE, 6, 0, &a, NULL);
	series_add(&s, 1, DIR_WRITE, 5, 0, &b, &a);
	const struct series_sparse *lat = &s.records[0].lat[DIR_WRITE];
	const struct series_bin want[] = {{10, 7}, {20, 3}, {300, 1}};
	assert_int_equal(lat->count, COUNT_OF(want));
	assert_memory_equal(lat->bins, want, sizeof(want));
	assert_int_equal(s.records[0].response[DIR_WRITE].count, 2);
	assert_int_equal(s.records[0].lat[DIR_READ].count, 0);
	series_done(&s);
}

/* A count beyond 32 bits is kept in several entries. */
static void test_sparse_counts_beyond_32_bits(void **state)
{
	(void)state;
	static struct histogram h;
	histogram_record_bin(&h, 9, UINT64_C(10000000000));
	histogram_record_bin(&h, 11, 1);
	struct series s = {.interval_ns = S};
	series_add(&s, 0, DIR_READ, 0, 0, &h, NULL);
	series_add(&s, 0, DIR_READ, 0, 0, &h, NULL);
	const struct series_sparse *lat = &s.records[0].lat[DIR_READ];
	uint64_t nines = 0, elevens = 0;
	for (unsigned i = 0; i < lat->count; i++) {
		nines += lat->bins[i].bin == 9 ? lat->bins[i].count : 0;
		elevens += lat->bins[i].bin == 11 ? lat->bins[i].count : 0;
	}
	assert_int_equal(nines, UINT64_C(20000000000));
	assert_int_equal(elevens, 2);
	series_done(&s);
}

/* A run has no end to its length, its series has one: of 64 intervals with at most 100 bins
 * each, 20000 intervals take no more memory than what 4000 took at most. */
static void test_memory_is_bounded(void **state)
{
	(void)state;
	static struct histogram h;
	struct series s = {.interval_ns = S, .most = 64};
	size_t early = 0, most = 0;

	for (uint64_t i = 0; i < 20000; i++) {
		histogram_reset(&h);
		for (uint64_t k = 0; k < 30; k++)
			histogram_record(&h, 1000 + (i * 31 + k * k * 7) % 100 * 64);
		series_add(&s, i * S, DIR_READ, 30, 30 * 4096, &h, NULL);
		size_t now = mallinfo2().uordblks; /* 0 under sanitizers */
		size_t bins = 0;
		for (uint32_t r = 0; r < s.count; r++)
			bins += s.records[r].lat[DIR_READ].count;
		assert_true(s.count <= 64 && bins <= 64 * 100);
		if (i < 4000)
			early = MAX_OF(early, now);
		most = MAX_OF(most, now);
	}
	assert_true(most <= early + 4096);
	series_done(&s);
}

static void test_merge_takes_the_coarser_interval(void **state)
{
	(void)state;
	struct series a = {.interval_ns = S}, b = {.interval_ns = 2 * S, .start_ns = S};
	for (uint64_t i = 0; i < 4; i++)
		add(&a, i * S, 1);
	add(&b, 1 * S, 10);
	add(&b, 3 * S, 20);
	series_merge(&a, &b);
	assert_int_equal(a.interval_ns, 2 * S);
	assert_int_equal(a.count, 2);
	assert_int_equal(a.records[0].ios[DIR_READ], 12);
	assert_int_equal(a.records[1].ios[DIR_READ], 22);
	series_done(&a);
	series_done(&b);
}

/* Reads per interval of 0.5 s: 1 2 3 4 0 0 ...; what the samples say. */
static const struct {
	uint64_t step_ms, end_ms;
	uint64_t count;
	double min, max, mean, stddev;
} sample_cases[] = {
	{500, 0, 0, 0, 0, 0, 0},
	{500, 240, 0, 0, 0, 0, 0}, /* less than half of one   */
	{500, 250, 1, 4, 4, 4, 0}, /* half: scaled            */
	{500, 500, 1, 2, 2, 2, 0},
	{500, 2000, 4, 2, 8, 5, 2.5819888974716112},
	{500, 2249, 4, 2, 8, 5, 2.5819888974716112},
	{500, 3000, 6, 0, 8, 20 / 6.0, 3.2659863237109041}, /* zeros count          */
	{100, 2000, 4, 2, 8, 5, 2.5819888974716112},        /* finer than the interval */
	{1000, 2000, 2, 3, 7, 5, 2.8284271247461903},
	{1000, 1400, 1, 3, 3, 3, 0},
	{1000, 1500, 2, 3, 14, 8.5, 7.7781745930520225}, /* all of 3 4 in half a second */
	{1000, 100000, 100, 0, 7, 0.1, 0.7587869106393281},
};

static void test_samples(void **state)
{
	(void)state;
	struct series s = {.interval_ns = S / 2, .start_ns = 7 * S};
	for (uint64_t i = 0; i < 4; i++)
		add(&s, 7 * S + i * S / 2, i + 1);
	for (size_t i = 0; i < COUNT_OF(sample_cases); i++) {
		uint64_t step = sample_cases[i].step_ms * NS_PER_MS;
		uint64_t end = 7 * S + sample_cases[i].end_ms * NS_PER_MS;
		struct samples got = series_samples(&s, 1u << DIR_READ, SERIES_IOS, step, end);
		assert_int_equal(got.count, sample_cases[i].count);
		assert_true(fabs(got.min - sample_cases[i].min) < 1e-9);
		assert_true(fabs(got.max - sample_cases[i].max) < 1e-9);
		assert_true(fabs(got.mean - sample_cases[i].mean) < 1e-9);
		assert_true(fabs(got.stddev - sample_cases[i].stddev) < 1e-9);
		got = series_samples(&s, 1u << DIR_READ, SERIES_BYTES, step, end);
		assert_true(fabs(got.mean - sample_cases[i].mean * 4096) < 1e-5);
	}
	series_done(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_intervals),
		cmocka_unit_test(test_extend),
		cmocka_unit_test(test_doubling),
		cmocka_unit_test(test_fewer),
		cmocka_unit_test(test_sparse_bins_ascend_and_add_up),
		cmocka_unit_test(test_sparse_counts_beyond_32_bits),
		cmocka_unit_test(test_memory_is_bounded),
		cmocka_unit_test(test_merge_takes_the_coarser_interval),
		cmocka_unit_test(test_samples),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
