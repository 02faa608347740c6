/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* The search on simulated devices whose answer is known by arithmetic. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/bits.h"
#include "stat/depth_search.h"

/* A device that serves SERVERS requests at a time in 100 us each: with D in flight
 * a request takes 100 us * ceil(D / SERVERS). */
static uint64_t device_us(uint32_t servers, uint32_t depth)
{
	return 100 * ((depth + servers - 1) / servers);
}

/* Windows of 1000 requests until the search has an answer; returns how many. */
static unsigned run_search(struct depth_search *s, uint32_t servers, uint64_t goal_us,
	enum depth_step *ret)
{
	for (unsigned windows = 1; windows < 100; windows++) {
		assert_in_range(s->depth, 1, s->depth_max);
		uint64_t over = device_us(servers, s->depth) > goal_us ? 1000 : 0;
		*ret = depth_search_window(s, 1000, over);
		if (*ret == DEPTH_FOUND || *ret == DEPTH_MISSED)
			return windows;
	}
	fail_msg("no answer after 100 windows");
	return 0;
}

static void finds_the_deepest(void **state)
{
	/* The deepest D with ceil(D / servers) * 100 us <= goal is
	 * servers * floor(goal / 100 us), or iodepth when that is less. */
	static const struct {
		uint32_t servers, depth_max;
		uint64_t goal_us;
		uint32_t answer;
		enum depth_step step;
	} rows[] = {
		{1, 32, 1000, 10, DEPTH_FOUND},
		{4, 128, 300, 12, DEPTH_FOUND},
		{4, 128, 399, 12, DEPTH_FOUND},
		{7, 100, 500, 35, DEPTH_FOUND},
		{8, 32, 10000, 32, DEPTH_FOUND},
		{8, 33, 10000, 33, DEPTH_FOUND},
		{1, 1, 100, 1, DEPTH_FOUND},
		{1, 64, 100, 1, DEPTH_FOUND},
		{1, 64, 50, 1, DEPTH_MISSED},
		{65536, 65536, 100, 65536, DEPTH_FOUND},
	};
	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct depth_search s;
		enum depth_step step;
		depth_search_init(&s, rows[i].depth_max, 99);
		unsigned windows = run_search(&s, rows[i].servers, rows[i].goal_us, &step);
		assert_int_equal(s.depth, rows[i].answer);
		assert_int_equal(step, rows[i].step);
		assert_true(windows <= 2 * bits_top(rows[i].depth_max) + 2);
	}
}

static void counts_shares(void **state)
{
	struct depth_search s;

	(void)state;
	depth_search_init(&s, 8, 99);
	assert_true(depth_search_meets(&s, 1000, 10));
	assert_false(depth_search_meets(&s, 1000, 11));
	depth_search_init(&s, 8, 100);
	assert_true(depth_search_meets(&s, 1000000, 0));
	assert_false(depth_search_meets(&s, 1000000, 1));
}

/* The device gets slower after the answer was found, and fast again. */
static void follows_the_device(void **state)
{
	struct depth_search s;
	enum depth_step step;

	(void)state;
	depth_search_init(&s, 64, 99);
	run_search(&s, 8, 200, &step);
	assert_int_equal(s.depth, 16);
	assert_int_equal(depth_search_window(&s, 1000, 500), DEPTH_MOVED);
	assert_int_equal(s.depth, 8);
	for (int i = 0; i < 7; i++)
		assert_int_equal(depth_search_window(&s, 1000, 0), DEPTH_SAME);
	assert_int_equal(depth_search_window(&s, 1000, 0), DEPTH_MOVED);
	assert_int_equal(s.depth, 9);
	for (int i = 0; i < 20; i++)
		depth_search_window(&s, 1000, 1000);
	assert_int_equal(s.depth, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_the_deepest),
		cmocka_unit_test(counts_shares),
		cmocka_unit_test(follows_the_device),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
