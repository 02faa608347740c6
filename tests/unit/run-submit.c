/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Is a queue synchronous?  What is said of turns that are made up. */
#include "base/bits.h"
#include "run/submit_probe.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define SLOW_NS 700

static struct submit_probe begun(void)
{
	struct submit_probe p;

	submit_probe_begin(&p, SLOW_NS);
	assert_int_equal(p.stage, SUBMIT_SINGLE);
	assert_int_equal(p.room, 1);
	return p;
}

/* TURNS of all that may be issued, done at once, NS each. */
static void turns(struct submit_probe *p, unsigned count, uint64_t ns)
{
	for (unsigned i = 0; i < count && p->stage != SUBMIT_OVER; i++)
		submit_probe_turn(p, &(struct submit_turn){
					     .issued = p->room,
					     .done = true,
					     .took_ns = p->room * ns,
				     });
}

/* Copies of memory: never asleep, done whatever comes. */
static void test_memory(void **state)
{
	(void)state;
	struct submit_probe p = begun();

	turns(&p, 8, 2000);
	assert_int_equal(p.stage, SUBMIT_BATCH);
	assert_true(p.room > 1);
	turns(&p, 2, 2000);
	assert_int_equal(p.stage, SUBMIT_WATCH);
	assert_int_equal(p.room, 1);
	turns(&p, 100000, 2000);
	assert_int_equal(p.stage, SUBMIT_WATCH);
	/* Faster than a stamp is worth, now: it was worth it. */
	turns(&p, 1, 10);
	assert_int_equal(p.stage, SUBMIT_WATCH);
}

/* One that isn't done is enough, at any time. */
static void test_one_left(void **state)
{
	(void)state;
	for (unsigned before = 0; before < 20; before++) {
		struct submit_probe p = begun();
		turns(&p, before, 2000);
		submit_probe_turn(&p, &(struct submit_turn){.issued = p.room, .took_ns = 2000});
		assert_int_equal(p.stage, SUBMIT_OVER);
		assert_int_equal(p.room, 0);
	}
}

/* A call that waits for a slow device: no batch is tried, which would take as long as its
 * requests together. */
static void test_sleeps(void **state)
{
	(void)state;
	struct submit_probe p = begun();

	for (unsigned i = 0; i < 8; i++) {
		assert_int_equal(p.stage, SUBMIT_SINGLE);
		submit_probe_turn(&p, &(struct submit_turn){.issued = 1,
					      .done = true,
					      .slept = i % 4 != 0,
					      .took_ns = 8000000});
	}
	assert_int_equal(p.stage, SUBMIT_WATCH);
}

/* A device of 5 us, and a worker that loses its CPU whenever it submits: each request is
 * done when submit returns, and that says nothing. */
static void test_preempted(void **state)
{
	(void)state;
	struct submit_probe p = begun();
	const struct submit_turn turn = {
		.issued = 1, .done = true, .unsure = true, .took_ns = 3000000};
	unsigned count = 0;

	while (p.stage == SUBMIT_SINGLE && count < 1000) {
		submit_probe_turn(&p, &turn);
		count++;
	}
	assert_int_equal(p.stage, SUBMIT_OVER);
	assert_true(count < 100);

	/* Now and then it has luck, but a batch of requests isn't done at once. */
	p = begun();
	for (unsigned i = 0; i < 16; i++)
		submit_probe_turn(&p,
			&(struct submit_turn){
				.issued = 1, .done = true, .unsure = i % 2, .took_ns = 9000});
	assert_int_equal(p.stage, SUBMIT_BATCH);
	submit_probe_turn(&p,
		&(struct submit_turn){.issued = p.room, .done = false, .took_ns = 12000});
	assert_int_equal(p.stage, SUBMIT_OVER);
}

/* Done in less time than a stamp of its own is worth. */
static void test_quick(void **state)
{
	(void)state;
	struct submit_probe p = begun();

	turns(&p, 1, SLOW_NS - 1);
	assert_int_equal(p.stage, SUBMIT_OVER);
	p = begun();
	turns(&p, 8, SLOW_NS);
	assert_int_equal(p.stage, SUBMIT_BATCH);
	turns(&p, 1, SLOW_NS - 1); /* together they are quicker */
	assert_int_equal(p.stage, SUBMIT_OVER);
}

/* On a schedule several never come together; then many alone decide. */
static void test_alone(void **state)
{
	(void)state;
	struct submit_probe p = begun();
	unsigned count = 0;

	turns(&p, 8, 2000);
	while (p.stage == SUBMIT_BATCH && count < 1000) {
		submit_probe_turn(&p,
			&(struct submit_turn){.issued = 1, .done = true, .took_ns = 2000});
		count++;
	}
	assert_int_equal(p.stage, SUBMIT_WATCH);
	assert_true(count >= 32);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_memory),
		cmocka_unit_test(test_one_left),
		cmocka_unit_test(test_sleeps),
		cmocka_unit_test(test_preempted),
		cmocka_unit_test(test_quick),
		cmocka_unit_test(test_alone),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
