/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* The clock against the kernel's, over a second. */
#include "sys/clock.c" /* its inside: the counter also where the kernel distrusts it */

#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
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

/* Stamps that differ do so by a step or more (rounding to whole ns makes it less by one);
 * and it is one that the counter can have: more often than not some nanoseconds pass. */
static void check_step(const struct clock *c)
{
	uint64_t last = clock_now(c), seen = 0;

	print_message("%s: in steps of %.3f ns\n", c->name, c->step_ns);
	assert_true(c->step_ns > 0 && c->step_ns < 1e6);
	for (int i = 0; i < 1000000 && seen < 1000; i++) {
		uint64_t now = clock_now(c);
		if (now != last)
			assert_true((double)(now - last) > c->step_ns - 2);
		seen += now != last;
		last = now;
	}
	assert_true(seen > 0);
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
	assert_string_equal(c.name, c.tsc ? COUNTER : "clock_gettime");
	assert_true(c.stamp_cost_ns > 0 && c.stamp_cost_ns < 100000);
	check_step(&c);
	check_agrees(&c);
}

/* The counter and its calibration.  Emulated, the kernel's words are about the machine
 * outside, and the counter is made of its clock: good enough to be right. */
static void test_counter(void **state)
{
	struct clock c = {.tsc = true, .name = COUNTER};

	(void)state;
	if (why_not_trusted() && !getenv("WEIR_EMULATED"))
		skip();
	assert_int_equal(calibrate(&c), 0);
	c.step_ns = measure_step(&c);
	check_step(&c);
	check_agrees(&c);
}

/* Of what goes up by more than one, and of what does by one. */
static void test_divisor(void **state)
{
	(void)state;
	assert_int_equal(common_divisor(0, 0), 0);
	assert_int_equal(common_divisor(84, 0), 84);
	assert_int_equal(common_divisor(0, 42), 42);
	assert_int_equal(common_divisor(105, 42), 21);
	assert_int_equal(common_divisor(43, 42), 1);
}

static void test_system(void **state)
{
	struct clock c;
	(void)state;
	assert_int_equal(clock_init(&c, CLOCK_SYSTEM, NULL), 0);
	assert_false(c.tsc);
	assert_non_null(c.why);
	check_step(&c);
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

static void put(const char *folder, const char *path, const char *text)
{
	char full[512];

	snprintf(full, sizeof(full), "%s%s", folder, path);
	for (char *slash = strchr(full + strlen(folder) + 1, '/'); slash;
		slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(full, 0700);
		*slash = '/';
	}
	FILE *f = fopen(full, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

/* What a kernel's words about its clock mean: names of clock sources are those of Linux
 * (tsc.c, kvmclock.c, hyperv_timer.c; arm_arch_timer.c, which arm64 has in guests, too). */
static void test_distrust(void **state)
{
	static const char source[] =
		"/sys/devices/system/clocksource/clocksource0/current_clocksource";
	static const struct {
		const char *source, *flags;
		bool tsc, cntvct; /* trusted on x86-64, on arm64 */
	} cases[] = {
		{"tsc\n", "fpu tsc", true, false},
		{"hpet\n", "fpu tsc tsc_reliable nonstop_tsc", false, false},
		{"kvm-clock\n", "fpu tsc constant_tsc tsc_reliable nonstop_tsc", true, false},
		{"kvm-clock\n", "fpu tsc constant_tsc nonstop_tsc", false, false},
		{"kvm-clock\n", "fpu tsc_reliable_not nonstop_tsc", false, false},
		{"hyperv_clocksource_tsc_page\n", "tsc tsc_reliable nonstop_tsc", true, false},
		{"arch_sys_counter\n", "fp asimd crc32", false, true},
		{"jiffies\n", "fp asimd crc32", false, false},
		{NULL, "fp", false, false},
	};
	const bool arm = !strcmp(COUNTER, "cntvct");

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		char folder[] = "/tmp/weir-clock-XXXXXX", text[256], remove[64];
		assert_non_null(mkdtemp(folder));
		if (cases[i].source)
			put(folder, source, cases[i].source);
		snprintf(text, sizeof(text), "processor\t: 0\nflags\t\t: %s\n", cases[i].flags);
		put(folder, "/proc/cpuinfo", text);
		const struct sysroot root = {.prefix = folder};
		const char *why = clock_distrust(&root);
		snprintf(remove, sizeof(remove), "rm -r %s", folder);
		assert_int_equal(system(remove), 0);
		if ((why == NULL) != (arm ? cases[i].cntvct : cases[i].tsc))
			fail_msg("case %zu: %s", i, why ? why : "trusted");
	}
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
		cmocka_unit_test(test_counter),
		cmocka_unit_test(test_divisor),
		cmocka_unit_test(test_system),
		cmocka_unit_test(test_tsc),
		cmocka_unit_test(test_distrust),
		cmocka_unit_test(test_wall),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
