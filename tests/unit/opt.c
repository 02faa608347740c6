/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* How values are written.  The tables read as the specification: a value, what it
 * means, or what the error says.  Meanings come from fio(1),
 * PARAMETER TYPES, and were tried on fio 3.33 where they are fio's; where weir refuses
 * what fio silently takes for something else, the fio meaning stands beside it. */
#include "opt-values.h"

#include <errno.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <cmocka.h>

static void test_sizes(void **state)
{
	(void)state;
	static const struct value_case cases[] = {
		{"bytes", "0", "0", NULL, 0},
		{"bytes", "512", "512", NULL, 0},
		{"bytes", "4k", "4096", NULL, 0},
		{"bytes", "4K", "4096", NULL, NATIVE},
		{"bytes", "4kb", "4096", NULL, NATIVE},
		{"bytes", "1m", "1048576", NULL, 0},
		{"bytes", "1g", "1073741824", NULL, 0},
		{"bytes", "1T", "1099511627776", NULL, 0},
		{"bytes", "1PB", "1125899906842624", NULL, 0},
		{"bytes", "4194304B", "4194304", NULL, NATIVE},
		{"bytes", "0x10", "16", NULL, 0},
		{"bytes", "0X1fF", "511", NULL, 0},
		{"bytes", "0xffffffffffffffff", "18446744073709551615", NULL, 0},
		{"bytes", "18446744073709551615", "18446744073709551615", NULL, 0},
		{"bytes", "010", "10", NULL, 0}, /* decimal: no octal */
		{"bytes", "+4", "4", NULL, 0},
		{"bytes", "-0", "0", NULL, 0},
		/* bare ki is k; kib is the other base (2.6) */
		{"bytes", "16Ki", "16384", NULL, NATIVE},
		{"bytes", "4kib", "4000", NULL, FIO},
		{"bytes", "4MiB", "4000000", NULL, FIO},
		{"bytes", "4k", "4000", NULL, BASE_1000},
		{"bytes", "4ki", "4000", NULL, BASE_1000},
		{"bytes", "4kib", "4096", NULL, BASE_1000},
		{"bytes", "4KiB", "4096", NULL, BASE_1000 | NATIVE},
		{"bytes", "1tib", "1000000000000", NULL, FIO},
		{"bytes", "4KiB", NULL,
			"'4KiB' has two readings, 4096 and (fio's) 4000: write 4k or 4000",
			NATIVE},
		{"bytes", "3gib", NULL,
			"two readings, 3221225472 and (fio's) 3000000000: write 3g or 3000000000",
			NATIVE},
		/* blanks: what stands behind '=' or in front of a unit (fio: 8 bytes) */
		{"bytes", " 8k", "8192", NULL, 0},
		{"bytes", "8k ", "8192", NULL, 0},
		{"bytes", "8 k", "8192", NULL, 0},
		{"bytes", "", NULL, "needs a value behind '=' (size)", 0},
		{"bytes", NULL, NULL, "needs a value (size)", 0},
		{"bytes", "  ", NULL, "a size is missing", 0},
		/* fio reads the front and drops the rest */
		{"bytes", "1kq", NULL, "'1kq' is not a size: 'kq' is no unit (k m g t p)", 0},
		{"bytes", "1_000", NULL, "'1_000' is not a size: '_000' is no unit", 0},
		{"bytes", "5x", NULL, "'x' is no unit", 0},
		{"bytes", "5s", NULL, "'s' is no unit", 0},
		{"bytes", "1e3", NULL, "'e3' is no unit", 0},
		{"bytes", "16e", NULL, "'e' is no unit", 0},
		{"bytes", "4k/2", NULL, "arithmetic stands in parentheses", 0},
		{"bytes", "4k-8k", NULL, "'4k-8k' is a list or a range: one size is wanted", 0},
		{"bytes", "4,8", NULL, "'4,8' is a list or a range: one size is wanted", 0},
		{"bytes", "50%", NULL, "'50%' is not a size: write 50", 0},
		{"bytes", "abc", NULL, "'abc' is not a size", 0},
		{"bytes", "k", NULL, "'k' is not a size", 0},
		{"bytes", "0x", NULL, "'0x' has no digits", 0},
		{"bytes", "0x10k", NULL, "a hexadecimal number takes no unit", 0},
		{"bytes", "1.5g", NULL, "'1.5g' has a fraction: write 1536m", 0},
		{"bytes", "1.5k", NULL, "'1.5k' has a fraction: write 1536", 0},
		{"bytes", "1.5g", NULL, "write 1500m", BASE_1000},
		{"bytes", "0.3k", NULL, "write a whole number, in a smaller unit", 0},
		{"bytes", "1.", NULL, "'1.' is not a size", 0},
		{"bytes", "1.5q", NULL, "'1.5q' is not a size", 0},
		{"bytes", "99999999999999999999", NULL,
			"value out of range: '99999999999999999999' is above 2^64 - 1", 0},
		{"bytes", "20000p", NULL, "'20000p' is above 2^64 - 1", 0}, /* fio wraps */
		{"bytes", "0x10000000000000000", NULL, "above 2^64 - 1", 0},
		{"bytes", "-4k", NULL, "value out of range: -4k (0 or more)", 0},
		{"block", "1", NULL, "value out of range: 1 (512 to 1m)", 0},
		{"block", "2m", NULL, "value out of range: 2m (512 to 1m)", 0},
		{"block", "-1", NULL, "value out of range: -1 (512 to 1m)", 0},
		{"block", "512", "512", NULL, 0},
		{"block", "1m", "1048576", NULL, 0},
	};
	CHECK(cases);
}

static void test_whole_numbers(void **state)
{
	(void)state;
	static const struct value_case cases[] = {
		{"u32", "1", "1", NULL, 0},
		{"u32", "4k", "4096", NULL, 0},
		{"u32", "64k", "65536", NULL, 0},
		{"u32", "0", NULL, "value out of range: 0 (1 to 65536)", 0},
		{"u32", "65537", NULL, "value out of range: 65537 (1 to 65536)", 0},
		{"u32", "4294967297", NULL, "value out of range", 0}, /* fio: 1 */
		{"u32", "4-8", NULL, "'4-8' is a list or a range: one number is wanted",
			0}, /* fio: 4 */
		{"u32", "4.", NULL, "'4.' is not a number", 0},
		{"u32", "1.5", NULL, "has a fraction: write a whole number", 0},
		{"u32", "128*1", "128", NULL, 0}, /* as scripts write it */
		{"u32_any", "4294967295", "4294967295", NULL, 0},
		{"u32_any", "4294967296", NULL,
			"value out of range: 4294967296 (0 to 4294967295)", 0},
		{"i32", "-20", "-20", NULL, 0},
		{"i32", "19", "19", NULL, 0},
		{"i32", "0", "0", NULL, 0},
		{"i32", "-21", NULL, "value out of range: -21 (-20 to 19)", 0},
		{"i32", "20", NULL, "value out of range: 20 (-20 to 19)", 0},
		{"i32_any", "-2147483648", "-2147483648", NULL, 0},
		{"i32_any", "2147483648", NULL, "value out of range", 0},
		{"i32_any", "-18446744073709551615", NULL, "value out of range", 0},
		{"u64", "18446744073709551615", "18446744073709551615", NULL, 0},
		{"u64_min", "0", NULL, "value out of range: 0 (1 or more)", 0},
		{"double", "99.9", "99.9", NULL, 0},
		{"double", " 5e1", "50", NULL, 0},
		{"double", "0.1", "0.1", NULL, 0},
		{"double", "12.3456789012345", "12.3456789012345", NULL, 0},
		{"double", "100.1", NULL, "value out of range: 100.1 (0 to 100)", 0},
		{"double", "-1", NULL, "value out of range", 0},
		{"double", "nan", NULL, "'nan' is not a number", 0},
		{"double", "inf", NULL, "'inf' is not a number", 0},
		{"double", "0x10", NULL, "'0x10' is not a number", 0},
		{"double", "99.x", NULL, "'99.x' is not a number", 0},
		{"double", "1e999", NULL, "value out of range", 0},
		{"double", " ", NULL, "a number is missing", 0},
	};
	CHECK(cases);
}

static void test_yes_or_no(void **state)
{
	(void)state;
	static const struct value_case cases[] = {
		{"yes", "0", "0", NULL, 0},
		{"yes", "1", "1", NULL, 0},
		{"yes", "0x1", "1", NULL, 0},
		{"yes", "01", "1", NULL, 0},
		{"yes", " 1", "1", NULL, 0},
		{"yes", "2", NULL, "value out of range: 2 (0 or 1)", 0},
		{"yes", "-1", NULL, "value out of range: -1 (0 or 1)", 0},
		{"yes", "true", NULL, "'true' is not a number: write 1", 0},
		{"yes", "yes", NULL, "write 1", 0},
		{"yes", "on", NULL, "write 1", 0},
		{"yes", "off", NULL, "'off' is not a number: write 0", 0},
		{"yes", NULL, NULL, "needs a value (0 or 1)", 0},
		{"yes", "x", NULL, "'x' is not a number", 0},
		{"flag", NULL, "1", NULL, 0},
		{"flag", "0", "0", NULL, 0},
		{"flag", "10", "1", NULL, 0}, /* time_based=10 is in use */
		{"flag", "true", NULL, "write 1", 0},
		{"flag", "", NULL, "needs a value behind '='", 0},
	};
	CHECK(cases);
}

static void test_times(void **state)
{
	(void)state;
	static const struct value_case cases[] = {
		{"time_s", "1", "1s", NULL, 0},
		{"time_s", "30s", "30s", NULL, 0},
		{"time_s", "1m", "60s", NULL, 0},
		{"time_s", "2H", "7200s", NULL, 0},
		{"time_s", "1d", "86400s", NULL, 0},
		{"time_s", "100ms", "100ms", NULL, 0},
		{"time_s", "5msec", "5ms", NULL, 0},
		{"time_s", "7us", "7us", NULL, 0},
		{"time_s", "7USEC", "7us", NULL, 0},
		{"time_s", "9ns", "9ns", NULL, 0},
		{"time_s", "0", "0s", NULL, 0},
		{"time_s", " 30 s", "30s", NULL, 0},
		{"time_us", "1", "1us", NULL, 0},
		{"time_us", "1500", "1500us", NULL, 0},
		{"time_us", "2000", "2ms", NULL, 0},
		{"time_us", "1s", "1s", NULL, 0},
		{"time_ms", "500", "500ms", NULL, 0},
		/* words that fio takes for microseconds */
		{"time_s", "1sec", NULL,
			"'1sec' has no known unit (fio takes it for microseconds): write 1s",
			0},
		{"time_s", "5min", NULL, "write 5m", 0},
		{"time_s", "2hours", NULL, "write 2h", 0},
		{"time_s", "1 day", NULL, "write 1d", 0},
		{"time_s", "3microseconds", NULL, "write 3us", 0},
		{"time_s", "1w", NULL, "'1w' is not a time: 'w' is no unit (d h m s ms us ns)",
			0},
		/* fractions, which fio cuts */
		{"time_s", "1.5s", NULL, "'1.5s' has a fraction: write 1500ms", 0},
		{"time_s", "1.5", NULL, "'1.5' has a fraction: write 1500ms", 0},
		{"time_s", "0.25h", NULL, "write 900s", 0},
		{"time_us", "2.5ms", NULL, "write 2500us", 0},
		{"time_s", "-1", NULL, "value out of range: -1 (0s or more)", 0},
		{"time_s", "0x10", NULL, "'0x10' is not a time: write it in decimal", 0},
		{"time_s", "30s,", NULL, "one time is wanted", 0},
		{"time_s", "abc", NULL, "'abc' is not a time", 0},
		{"time_s", "99999999999", NULL, "more than 584 years (0 is no limit)", 0},
		{"time_ms", "0", NULL, "value out of range: 0 (1ms to 1s)", 0},
		{"time_ms", "2s", NULL, "value out of range: 2s (1ms to 1s)", 0},
	};
	CHECK(cases);

	uint64_t ns;
	assert_int_equal(opt_read_time("250ms", NS_PER_S, &ns, NULL), 0);
	assert_int_equal(ns, 250000000);
	assert_int_equal(opt_read_time("3", NS_PER_US, &ns, NULL), 0);
	assert_int_equal(ns, 3000);
	assert_int_equal(opt_read_time("3x", NS_PER_US, &ns, NULL), -EINVAL);
	assert_int_equal(ns, 3000);
}

static void test_arithmetic(void **state)
{
	(void)state;
	static const struct value_case cases[] = {
		{"bytes", "(4*1024)", "4096", NULL, 0},
		{"bytes", "(4*1024-1)*2", "8190", NULL, 0},
		{"bytes", "(1 + 2 * 3)", "7", NULL, 0},
		{"bytes", "(2^10)", "1024", NULL, 0},
		{"bytes", "(2^3^2)", "512", NULL, 0}, /* from the right */
		{"bytes", "(10%4)", "2", NULL, 0},
		{"bytes", "(-(-3))", "3", NULL, 0},
		{"bytes", "(7-10)", NULL, "value out of range: (7-10) (0 or more)", 0},
		{"bytes", "(2*4k)", "8192", NULL, 0},
		{"bytes", "2*4k", "8192", NULL, 0},
		{"bytes", "(2*4k)", "8192", NULL, BASE_1000}, /* 2.6: binary whatever kb_base */
		{"bytes", "(4kib)", "4000", NULL, 0},
		{"bytes", "(4)k", "4096", NULL, 0},
		{"bytes", "(1.5*4k)", "6144", NULL, 0},
		{"bytes", "(0x10+0x0f)", "31", NULL, 0},
		{"bytes", "(100/3)", "33", NULL, 0}, /* cut */
		{"bytes", "(0.3/0.1)", "3", NULL, 0},
		{"bytes", "(2^64)", NULL, "above 2^64 - 1", 0},
		{"bytes", "(2^64-1)", "18446744073709551615", NULL, 0},
		{"bytes", "(2^63+2^63-1)", "18446744073709551615", NULL, 0},
		{"time_s", "(1m+30)", "60000000030ns", NULL, 0}, /* a unit was named */
		{"time_s", "(2*30)", "60s", NULL, 0},            /* none: seconds */
		{"time_s", "(1.5*2)", "3s", NULL, 0},
		{"time_s", "(1m+500ms)", "60500ms", NULL, 0},
		{"u32", "(4+4)", "8", NULL, 0},
		{"i32", "(4-8)", "-4", NULL, 0},
		{"bytes", "(1/0)", NULL, "the arithmetic '(1/0)' divides by zero", 0},
		{"bytes", "(1%0)", NULL, "divides by zero", 0},
		{"bytes", "(1", NULL, "the arithmetic '(1' lacks a ')'", 0},
		{"bytes", "(1+)", NULL, "lacks a number", 0},
		{"bytes", "()", NULL, "lacks a number", 0},
		{"bytes", "(1)2", NULL, "has something left over at its end", 0},
		{"bytes", "(1q)", NULL, "has a unit that does not exist", 0},
		{"bytes", "(1kib)", NULL, "has a unit with two readings", NATIVE},
		{"bytes", "(2^0.5)", NULL, "has an exponent that is no small whole number", 0},
		{"bytes", "(2^-1)", NULL, "has an exponent", 0},
		{"bytes", "(10^4096)", NULL, "above 2^64 - 1", 0},
		{"bs", "(2*4k),8k", "8192,8192,8192", NULL, 0},
	};
	CHECK(cases);

	char deep[400];
	memset(deep, '(', 200);
	snprintf(deep + 200, 200, "1");
	struct outcome got;
	parse_value("bytes", deep, 0, &got);
	assert_non_null(strstr(got.err.text, "is nested too deep"));
	memset(deep, '-', 399);
	deep[0] = '(';
	deep[399] = '\0';
	parse_value("bytes", deep, 0, &got);
	assert_non_null(strstr(got.err.text, "is nested too deep"));
}

/* What stands around $ncpus: integers, as bc(1) has them. */
static void test_integer_arithmetic(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		int rc;
		int64_t value;
	} cases[] = {
		{"8*4096", 0, 32768},
		{"10 - 2", 0, 8},
		{"2-10", 0, -8},
		{"10/3*2", 0, 6},
		{"7/2*2", 0, 6}, /* 3*2 */
		{"2/3", 0, 0},
		{"-7/2", 0, -3},
		{"(2+1)*4", 0, 12},
		{"2^10%1000", 0, 24},
		{"9223372036854775807", 0, INT64_MAX},
		{"9223372036854775807+1", -EINVAL, 0},
		{"2*4k", -EINVAL, 0},
		{"/tmp/2-x", -EINVAL, 0},
		{"1.5*2", -EINVAL, 0},
		{"1/0", -EINVAL, 0},
		{"", -EINVAL, 0},
	};
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		int64_t v = 0;
		int rc = opt_read_arithmetic(cases[i].text, &v);
		if (rc != cases[i].rc || v != cases[i].value)
			fail_msg("'%s': rc %d, value %" PRId64, cases[i].text, rc, v);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sizes),
		cmocka_unit_test(test_whole_numbers),
		cmocka_unit_test(test_yes_or_no),
		cmocka_unit_test(test_times),
		cmocka_unit_test(test_arithmetic),
		cmocka_unit_test(test_integer_arithmetic),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
