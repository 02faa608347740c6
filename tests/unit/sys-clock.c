/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* The clock against the kernel's, over a second. */
#include "sys/clock.h"

#include "base/bits.h"
#include "base/err.h"

#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* The kernel's clock may be slewed by up to 500 ppm while a time daemon works. */
#define PPM 600.0

static void check_agrees(const struct clock *c)
{
	uint64_t start = clock_kernel_ns(), last = clock_now(c);
	assert_true(fabs(clock_drift_ns(c)) < 20000);
	while (clock_kernel_ns() - start < NS_PER_S) {
		uint64_t now = clock_now(c);
		assert_true(now >= last);
		last = now;
		usleep(1000);
	}
	double drift = clock_drift_ns(c);
	print_message(
		"%s: %.1f ns a stamp, calibrations %.2f ppm apart, %.0f ns off after 1 s\n",
		c->name, c->stamp_cost_ns, c->error_ppm, drift);
	assert_true(fabs(drift) < 1e9 * PPM / 1e6 + 5000);
}

static void test_auto(void **state)
{
	struct clock c;
	(void)state;
	uint64_t start = clock_kernel_ns();
	assert_int_equal(clock_init(&c, CLOCK_AUTO, NULL), 0);
	uint64_t took = clock_kernel_ns() - start;
	print_message("clock_init took %.1f ms\n", (double)took / 1e6);
	assert_true(took < 300 * NS_PER_MS); /* 10 ms, but the machine may be busy */
	assert_true(c.tsc == !c.why);
	assert_string_equal(c.name, c.tsc ? "tsc" : "clock_gettime");
	assert_true(c.stamp_cost_ns > 0 && c.stamp_cost_ns < 100000);
	check_agrees(&c);
}

static void test_system(void **state)
{
	struct clock c;
	(void)state;
	assert_int_equal(clock_init(&c, CLOCK_SYSTEM, NULL), 0);
	assert_false(c.tsc);
	assert_non_null(c.why);
	assert_true(fabs(clock_drift_ns(&c)) < 20000);
}

/* Asked for, it is there or refused with the reason and the remedy. */
static void test_tsc(void **state)
{
	struct clock c;
	struct err e = {0};
	(void)state;
	int rc = clock_init(&c, CLOCK_TSC, &e);
	if (rc == 0) {
		assert_true(c.tsc);
		return;
	}
	assert_int_equal(rc, -EOPNOTSUPP);
	assert_non_null(strstr(e.text, "clocksource=cpu: "));
	assert_non_null(strstr(e.text, "leave clocksource out"));
}

static void test_wall(void **state)
{
	(void)state;
	uint64_t now = (uint64_t)time(NULL) * 1000, wall = clock_wall_ms();
	assert_true(wall + 2000 > now && wall < now + 2000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_auto),
		cmocka_unit_test(test_system),
		cmocka_unit_test(test_tsc),
		cmocka_unit_test(test_wall),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
