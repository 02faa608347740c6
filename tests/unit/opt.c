/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* How values are written.  The tables read as the specification: a value, what it
 * means, or what the error says.  Meanings come from fio-options.md (sections
 * 2.5 to 2.7) and were tried on fio 3.33 where they are fio's; where weir refuses
 * what fio silently takes for something else, the fio meaning stands beside it. */
#include "base/arena.h"
#include "base/bits.h"
#include "base/err.h"
#include "base/str.h"
#include "opt/opt.h"

#include <errno.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <cmocka.h>

/* ---- a group with every type ---- */

struct all {
	bool flag, yes;
	uint32_t u32;
	int32_t i32;
	uint64_t u64, bytes, time_s, time_us, time_ms;
	double fraction;
	struct opt_range delay, filesize;
	struct opt_size size;
	struct opt_u64x3 percent, bs;
	struct opt_range3 bsrange;
	struct opt_split3 bssplit;
	int word;
	struct opt_word_arg rw;
	const char *text;
	struct opt_names names, gathered;
	struct opt_floats floats;
	struct opt_cpus cpus;
};

static const struct opt_word colours[] = {
	{"red", 3, "warm"}, {"rot", 3, NULL}, {"green", 0, NULL}, {"blue", 7, NULL}, {0}};
static const struct opt_word patterns[] = {
	{"read", 0, NULL}, {"write", 1, NULL}, {"randread", 2, NULL}, {"randwrite", 3, NULL}, {0}};

static const struct opt all_rows[] = {
	{.name = "flag", OPT_FLAG(struct all, flag)},
	{.name = "yes", OPT_BOOL(struct all, yes), .preset = "1"},
	{.name = "u32", .alias = {"iodepth", "depth"}, OPT_U32(struct all, u32), .min = 1,
		.max = 65536, .preset = "1"},
	{.name = "u32_any", OPT_U32(struct all, u32)},
	{.name = "i32", OPT_I32(struct all, i32), .min = (uint64_t)-20, .max = 19},
	{.name = "i32_any", OPT_I32(struct all, i32)},
	{.name = "u64", OPT_U64(struct all, u64)},
	{.name = "u64_min", OPT_U64(struct all, u64), .min = 1},
	{.name = "double", OPT_DOUBLE(struct all, fraction), .max = 100},
	{.name = "bytes", OPT_BYTES(struct all, bytes)},
	{.name = "block", OPT_BYTES(struct all, bytes), .min = 512, .max = 1 << 20},
	{.name = "time_s", OPT_TIME_S(struct all, time_s)},
	{.name = "time_us", OPT_TIME_US(struct all, time_us)},
	{.name = "time_ms", OPT_TIME_MS(struct all, time_ms), .min = 1000000, .max = NS_PER_S},
	{.name = "delay", OPT_TIME_RANGE_S(struct all, delay)},
	{.name = "filesize", OPT_RANGE(struct all, filesize)},
	{.name = "size", OPT_SIZE(struct all, size)},
	{.name = "percent", OPT_U64X3(struct all, percent), .max = 100},
	{.name = "bs", OPT_BYTES3(struct all, bs), .min = 1, .max = 1 << 30, .preset = "4k"},
	{.name = "bsrange", OPT_RANGE3(struct all, bsrange), .min = 1},
	{.name = "bssplit", OPT_SPLIT3(struct all, bssplit), .min = 1},
	{.name = "word", OPT_WORD(struct all, word), .words = colours},
	{.name = "rw", OPT_WORD_ARG(struct all, rw), .words = patterns, .preset = "read"},
	{.name = "text", OPT_TEXT(struct all, text)},
	{.name = "names", OPT_NAMES(struct all, names)},
	{.name = "filename", OPT_NAMES(struct all, gathered), .flags = OPT_GATHER},
	{.name = "floats", OPT_FLOATS(struct all, floats), .max = 100},
	{.name = "cpus", OPT_CPUS(struct all, cpus)},
	{.name = "later", OPT_REFUSED("comes with a later version")},
	{.name = "idle", OPT_U32(struct all, u32), .no_effect = "nothing to do here"},
	{.name = "idle_typeless", .type = &opt_text, .no_effect = "nothing to do here"},
};
static const struct opt_group all_group = {
	"all", NULL, all_rows, COUNT_OF(all_rows), sizeof(struct all)};

struct private {
	uint32_t hipri;
};
static const struct opt private_rows[] = {{.name = "hipri", OPT_U32(struct private, hipri)}};
static const struct opt_group uring_group = {
	"io_uring", "io_uring", private_rows, 1, sizeof(struct private)};
static const struct opt_group pvsync2_group = {
	"pvsync2", "pvsync2", private_rows, 1, sizeof(struct private)};

const struct opt_group *const opt_groups[] = {&all_group, &uring_group, &pvsync2_group};
const size_t opt_groups_count = COUNT_OF(opt_groups);

/* ---- parsing one value ---- */

enum how {
	FIO = 0,
	NATIVE = 1,
	BASE_1000 = 2,
};

struct outcome {
	int rc;
	char value[512]; /* as print() writes it, read back and found equal */
	char warning[256];
	struct err err;
};

static const struct opt *row_of(const char *name)
{
	struct opt_found found;
	assert_true(opt_find(name, NULL, &found));
	return found.row;
}

static void show(const struct opt *row, const struct all *values, struct str *out)
{
	row->type->print(row, (const char *)values + row->offset, out);
}

/* What print() writes must be read back to the same, in every face. */
static void check_round_trip(const struct opt *row, const char *printed, struct opt_ctx ctx)
{
	for (unsigned how = 0; how < 4; how++) {
		struct all again = {0};
		struct str text = {0};
		struct err e = {0};
		ctx.native = how & NATIVE;
		ctx.kb_base = how & BASE_1000 ? 1000 : 1024;
		ctx.warning = NULL;
		if (opt_parse(row, printed, &again, &ctx, &e) < 0 &&
			!strstr(e.text, "percentages add up"))
			fail_msg("%s=%s: %s", row->name, printed, e.text);
		else if (!e.code) {
			show(row, &again, &text);
			assert_string_equal(printed, str_text(&text));
		}
		str_done(&text);
	}
}

static void parse(const char *name, const char *text, unsigned how, struct outcome *ret)
{
	const struct opt *row = row_of(name);
	struct arena arena = {0};
	struct str warning = {0}, printed = {0};
	struct all values = {0};
	struct opt_ctx ctx = {
		.arena = &arena,
		.native = how & NATIVE,
		.kb_base = how & BASE_1000 ? 1000 : 0,
		.warning = &warning,
	};

	*ret = (struct outcome){0};
	ret->rc = opt_parse(row, text, &values, &ctx, &ret->err);
	assert_int_equal(ret->rc, ret->err.code);
	if (ret->rc == 0) {
		show(row, &values, &printed);
		if (printed.len)
			check_round_trip(row, str_text(&printed), ctx);
	} else {
		const struct all untouched = {0};
		assert_memory_equal(&values, &untouched, sizeof(values));
	}
	snprintf(ret->value, sizeof(ret->value), "%s", str_text(&printed));
	snprintf(ret->warning, sizeof(ret->warning), "%s", str_text(&warning));
	str_done(&warning);
	str_done(&printed);
	arena_done(&arena);
}

/* VALUE NULL: an error that says SAYS. Otherwise SAYS is the warning. */
struct value_case {
	const char *name, *text;
	const char *value;
	const char *says;
	unsigned how;
};

static void check_cases(const struct value_case *cases, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct value_case *c = &cases[i];
		struct outcome got;
		parse(c->name, c->text, c->how, &got);
		const char *what = c->text ? c->text : "(alone)";
		if (c->value && (got.rc < 0 || strcmp(got.value, c->value) != 0))
			fail_msg("%s=%s: got '%s' (%s), want '%s'", c->name, what, got.value,
				got.err.text, c->value);
		if (!c->value && (got.rc == 0 || !strstr(got.err.text, c->says)))
			fail_msg("%s=%s: got '%s' (%s), want an error: %s", c->name, what,
				got.value, got.err.text, c->says);
		if (c->value && strcmp(got.warning, c->says ? c->says : "") != 0)
			fail_msg("%s=%s: warned '%s', want '%s'", c->name, what, got.warning,
				c->says ? c->says : "");
	}
}

#define CHECK(cases) check_cases(cases, COUNT_OF(cases))

/* ---- numbers ---- */

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
			"'4KiB' has two readings, 4096 and (fio's) 4000: write 4k or 4000", NATIVE},
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
		{"u32", "4-8", NULL, "'4-8' is a list or a range: one number is wanted", 0}, /* fio: 4 */
		{"u32", "4.", NULL, "'4.' is not a number", 0},
		{"u32", "1.5", NULL, "has a fraction: write a whole number", 0},
		{"u32", "128*1", "128", NULL, 0}, /* clients.md 3.9 */
		{"u32_any", "4294967295", "4294967295", NULL, 0},
		{"u32_any", "4294967296", NULL, "value out of range: 4294967296 (0 to 4294967295)", 0},
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
			"'1sec' has no known unit (fio takes it for microseconds): write 1s", 0},
		{"time_s", "5min", NULL, "write 5m", 0},
		{"time_s", "2hours", NULL, "write 2h", 0},
		{"time_s", "1 day", NULL, "write 1d", 0},
		{"time_s", "3microseconds", NULL, "write 3us", 0},
		{"time_s", "1w", NULL, "'1w' is not a time: 'w' is no unit (d h m s ms us ns)", 0},
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
	parse("bytes", deep, 0, &got);
	assert_non_null(strstr(got.err.text, "is nested too deep"));
	memset(deep, '-', 399);
	deep[0] = '(';
	deep[399] = '\0';
	parse("bytes", deep, 0, &got);
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

/* ---- lists ---- */

static void test_size_share_zones(void **state)
{
	(void)state;
	static const struct value_case cases[] = {
		{"size", "1g", "1073741824", NULL, 0},
		{"size", "0", "0", NULL, 0},
		{"size", "80%", "80%", NULL, 0},
		{"size", "100%%", "100%", NULL, 0}, /* from configparser */
		{"size", " 10 %", "10%", NULL, 0},
		{"size", "0%", "0", NULL, 0}, /* unset, as fio */
		{"size", "101%", NULL, "value out of range: 101% (1% to 100%)", 0},
		{"size", "-5%", NULL, "value out of range", 0},
		{"size", "1.5%", NULL, "fraction", 0},
		{"size", "50%x", NULL, "is not a size", 0},
		{"size", "50%%%", NULL, "is not a number", 0},
		{"size", "%", NULL, "a number is missing", 0},
		{"size", "4z", "4z", NULL, 0},
		{"size", "8Z", "8z", NULL, 0},
		{"size", "-1z", NULL, "value out of range", 0},
		{"size", "z", NULL, "'z' is not a size", 0},
		{"size", "5000000000z", NULL, "value out of range", 0},
	};
	CHECK(cases);
}

static void test_triples(void **state)
{
	(void)state;
	static const struct value_case cases[] = {
		/* 2.7, and fio's header line for each */
		{"bs", "4k", "4096,4096,4096", NULL, 0},
		{"bs", "4k,8k", "4096,8192,8192", NULL, 0},
		{"bs", "4k,128k,16k", "4096,131072,16384", NULL, 0},
		{"bs", "8k,", "8192,", NULL, 0},
		{"bs", "8k,32k,", "8192,32768,", NULL, 0},
		{"bs", ",8k", ",8192,8192", NULL, 0},
		{"bs", ",,8k", ",,8192", NULL, 0},
		{"bs", "8k,,16k", "8192,,16384", NULL, 0},
		{"bs", "4k, 8k", "4096,8192,8192", NULL, 0}, /* fio: 8 bytes */
		{"bs", "4k-32k", "4096,32768,32768",
			"'4k-32k' means 4k for reads and 32k for writes; write 4k,32k "
			"(a range is bsrange=4k-32k)", 0},
		{"bs", "4k:32k", "4096,32768,32768",
			"'4k:32k' means 4k for reads and 32k for writes; write 4k,32k "
			"(a range is bsrange=4k-32k)", 0},
		{"bs", "4k/60:64k/40", NULL,
			"'4k/60:64k/40' is a list of sizes with percentages: that is bssplit", 0},
		{"bs", "4k,8k,16k,32k", NULL, "more than three values", 0},
		{"bs", ",", NULL, "a value is missing", 0},
		{"bs", "-4k", NULL, "value out of range: -4k (1 to 1g)", 0},
		{"bs", "0", NULL, "value out of range: 0 (1 to 1g)", 0},
		{"bs", "4k,0", NULL, "value out of range: 0", 0},
		{"bs", "4k,8kx", NULL, "'8kx' is not a size", 0}, /* fio: not fatal */
		{"percent", "0,33,0", "0,33,0", NULL, 0},
		{"percent", "50,101", NULL, "value out of range: 101 (0 to 100)", 0},
		{"percent", "10:20", "10,20,20",
			"'10:20' means 10 for reads and 20 for writes; write 10,20", 0},
	};
	CHECK(cases);
}

/* An empty position keeps what the defaults said. */
static void test_triples_keep(void **state)
{
	(void)state;
	const struct opt *row = row_of("bs");
	struct all values = {0};
	struct opt_ctx ctx = {0};
	assert_int_equal(opt_parse(row, "16k", &values, &ctx, NULL), 0);
	assert_int_equal(opt_parse(row, ",8k", &values, &ctx, NULL), 0);
	assert_int_equal(values.bs.v[0], 16384);
	assert_int_equal(values.bs.v[1], 8192);
	assert_int_equal(values.bs.v[2], 8192);
	assert_true(values.bs.given[0] && values.bs.given[1] && values.bs.given[2]);
}

static void test_ranges(void **state)
{
	(void)state;
	static const struct value_case cases[] = {
		{"filesize", "1m-2m", "1048576-2097152", NULL, 0},
		{"filesize", "2m-1m", "1048576-2097152", NULL, 0},
		{"filesize", "1k:2k", "1024-2048", NULL, 0},
		{"filesize", "1m", "1048576-1048576", NULL, 0},
		{"filesize", "4k-", NULL, "a size is missing", 0},
		{"filesize", "1-2-3", NULL, "is no range", 0},
		{"filesize", "1m,2m", NULL, "one size is wanted", 0},
		{"delay", "5", "5s-5s", NULL, 0},
		{"delay", "1-5", "1s-5s", NULL, 0},
		{"delay", "1s-2s", "1s-2s", NULL, 0}, /* fio: 1 us to 2 s */
		{"delay", "100ms-1m", "100ms-60s", NULL, 0},
		{"delay", "1-", NULL, "a time is missing", 0},
		{"bsrange", "1k-4k", "1024-4096,1024-4096,1024-4096", NULL, 0},
		{"bsrange", "4k-1k,8k:16k", "1024-4096,8192-16384,8192-16384", NULL, 0},
		{"bsrange", "1k-4k,", "1024-4096,", NULL, 0},
		{"bsrange", ",1k-4k", ",1024-4096,1024-4096", NULL, 0},
		{"bsrange", "4k", NULL, "'4k' is no range: write it as LOW-HIGH", 0},
		{"bsrange", "1k-4k,2k", NULL, "'2k' is no range", 0},
		{"bsrange", "1k-4kx", NULL, "'4kx' is not a size", 0},
		{"bsrange", "0-4k", NULL, "value out of range: 0 (1 or more)", 0},
	};
	CHECK(cases);
}

static void test_splits(void **state)
{
	(void)state;
	static const struct value_case cases[] = {
		{"bssplit", "4k/60:64k/40", "4096/60:65536/40,4096/60:65536/40,4096/60:65536/40",
			NULL, 0},
		{"bssplit", "4k/50:8k/,", "4096/50:8192/,", NULL, 0},
		{"bssplit", "4k:8k,", "4096/:8192/,", NULL, 0},
		{"bssplit", "4k,", "4096/,", NULL, 0},
		{"bssplit", "2k/100,4k/50: 8k/50", "2048/100,4096/50:8192/50,4096/50:8192/50", NULL, 0},
		{"bssplit", ",4k/100", ",4096/100,4096/100", NULL, 0},
		{"bssplit", "4k/20:8k/30,", "4096/20:8192/30,", NULL, 0},
		/* 6.2 point 17: fio takes the first, and refuses the last */
		{"bssplit", "4k/70:1k/60,", "4096/70:1024/60,",
			"the percentages add up to 130, not to 100", FIO},
		{"bssplit", "4k/70:1k/60,", NULL, "the percentages add up to 130, not to 100", NATIVE},
		{"bssplit", "4k/70:1k/60:2k/:3k/", NULL, "add up to 130", FIO},
		{"bssplit", "4k/101", NULL,
			"the percentage of 4k/101: value out of range: 101 (0 to 100)", 0},
		{"bssplit", "4k/-1", NULL, "value out of range: -1", 0},
		{"bssplit", "4k/33.3:8k/66.6", NULL, "has a fraction", 0},
		{"bssplit", "4k/50x", NULL, "'50x' is not a number", 0},
		{"bssplit", "4k/50/50", NULL, "'4k/50/50' is not SIZE/PERCENT", 0},
		{"bssplit", "4k-8k/50", NULL, "one size is wanted", 0},
		{"bssplit", "/50", NULL, "a size is missing", 0},
		{"bssplit", "4k/50:", NULL, "an entry is empty", 0},
		{"bssplit", ":4k/50", NULL, "an entry is empty", 0},
		{"bssplit", "0/50:4k/50", NULL, "value out of range: 0 (1 or more)", 0},
		{"bssplit", "1/1,2/1,3/1,4/1", NULL, "more than three values", 0},
	};
	CHECK(cases);

	struct str many = {0};
	for (unsigned i = 1; i <= LIMIT_SPLITS + 1; i++)
		str_addf(&many, "%s%u/1", i > 1 ? ":" : "", i);
	struct outcome got;
	parse("bssplit", str_text(&many), 0, &got);
	assert_non_null(strstr(got.err.text, "more than 64 sizes in a set"));
	str_done(&many);
}

static void test_words(void **state)
{
	(void)state;
	static const struct value_case cases[] = {
		{"word", "red", "red", NULL, 0},
		{"word", "rot", "red", NULL, 0}, /* another word for the same */
		{"word", " blue ", "blue", NULL, 0},
		{"word", "Red", NULL,
			"'Red' is not one of: red, rot, green, blue; did you mean 'red'?", 0},
		{"word", "blau", NULL, "did you mean 'blue'?", 0},
		{"word", "xyzzy", NULL, "'xyzzy' is not one of: red, rot, green, blue", 0},
		{"word", "red,", NULL, "'red,' is not one of", 0},
		{"rw", "randread", "randread", NULL, 0},
		{"rw", "read:17m", "read:17m", NULL, 0},
		{"rw", "randread:8", "randread:8", NULL, 0},
		{"rw", "read:-8k", "read:-8k", NULL, 0},
		{"rw", "read:a:b", "read:a:b", NULL, 0},
		{"rw", "read:", "read", NULL, 0},
		{"rw", "reader", NULL,
			"'reader' is not one of: read, write, randread, randwrite; did you mean 'read'?",
			0},
		{"rw", ":8", NULL, "'' is not one of", 0},
		{"text", "a b", "a b", NULL, 0},
		{"text", "", NULL, "needs a value", 0},
	};
	CHECK(cases);
}

static void test_lists(void **state)
{
	(void)state;
	static const struct value_case cases[] = {
		{"names", "a", "a", NULL, 0},
		{"names", "/dev/sda:/dev/sdb", "/dev/sda:/dev/sdb", NULL, 0},
		{"names", "a\\:b", "a\\:b", NULL, 0},
		{"names", "a\\b", "a\\b", NULL, 0},
		{"names", "a\\\\:b", "a\\\\:b", NULL, 0},
		{"names", "a::b:", "a:b", NULL, 0}, /* fio too takes two files */
		{"names", "a\\", "a\\", NULL, 0},
		{"names", "a\\\\\\:b", "a\\\\\\:b", NULL, 0},
		{"names", ":", NULL, "a name is missing", 0},
		{"floats", "99:99.9", "99.0:99.9", NULL, 0},
		{"floats", "50", "50", NULL, 0},
		{"floats", "99.90", "99.90", NULL, 0},
		{"floats", "1 : 2", "1:2", NULL, 0},
		{"floats", "1:2:3:4:5:6:7:8:9:10:11:12:13:14:15:16:17:18:19:20",
			"1:2:3:4:5:6:7:8:9:10:11:12:13:14:15:16:17:18:19:20", NULL, 0},
		/* messages that fio only prints */
		{"floats", "1:2:3:4:5:6:7:8:9:10:11:12:13:14:15:16:17:18:19:20:21", NULL,
			"the list exceeding max length 20", 0},
		{"floats", "1:101", NULL, "value out of range: 101 (0 to 100)", 0},
		{"floats", "99.9:", NULL, "'' is not a number", 0},
		{"floats", "99,99.9", NULL, "'99,99.9' is not a number", 0},
		{"floats", "1.2.3", NULL, "is not a number", 0},
		{"floats", ".", NULL, "is not a number", 0},
		{"floats", "99.9999999999999999", NULL, "more than 15 digits", 0},
		{"cpus", "0,2,4-7", "0,2,4-7", NULL, 0},
		{"cpus", "7-4", "4-7", NULL, 0},
		{"cpus", "0, 1, 3", "0-1,3", NULL, 0},
		{"cpus", "5,5,5", "5", NULL, 0},
		{"cpus", "0-1023", "0-1023", NULL, 0},
		{"cpus", "1024", NULL, "value out of range: 1024 (0 to 1023)", 0},
		{"cpus", "0-", NULL, "a number is missing", 0},
		{"cpus", "0,", NULL, "a number is missing", 0},
		{"cpus", "-1", NULL, "value out of range: -1", 0},
		{"cpus", "1-2-3", NULL, "is no range of CPUs", 0},
		{"cpus", "a", NULL, "'a' is not a number", 0},
	};
	CHECK(cases);
}

static void test_names_are_unescaped(void **state)
{
	(void)state;
	struct arena arena = {0};
	struct opt_ctx ctx = {.arena = &arena};
	struct all values = {0};
	assert_int_equal(opt_parse(row_of("names"), "a\\:b:c\\\\:d\\e", &values, &ctx, NULL), 0);
	assert_int_equal(values.names.count, 3);
	assert_string_equal(values.names.v[0], "a:b");
	assert_string_equal(values.names.v[1], "c\\");
	assert_string_equal(values.names.v[2], "d\\e");

	/* Repeated, they replace; with OPT_GATHER they add up. */
	assert_int_equal(opt_parse(row_of("names"), "x", &values, &ctx, NULL), 0);
	assert_int_equal(values.names.count, 1);
	assert_int_equal(opt_parse(row_of("filename"), "x:y", &values, &ctx, NULL), 0);
	assert_int_equal(opt_parse(row_of("filename"), "z", &values, &ctx, NULL), 0);
	assert_int_equal(values.gathered.count, 3);
	assert_string_equal(values.gathered.v[0], "x");
	assert_string_equal(values.gathered.v[2], "z");
	arena_done(&arena);
}

static void test_structs_are_filled(void **state)
{
	(void)state;
	struct arena arena = {0};
	struct opt_ctx ctx = {.arena = &arena};
	struct all v = {0};

	assert_int_equal(opt_parse(row_of("floats"), "5:99.95", &v, &ctx, NULL), 0);
	assert_int_equal(v.floats.count, 2);
	assert_int_equal(v.floats.decimals, 2);
	assert_true(v.floats.v[1] == 99.95);
	assert_int_equal(opt_parse(row_of("cpus"), "1,64-65", &v, &ctx, NULL), 0);
	assert_int_equal(v.cpus.count, 3);
	assert_int_equal(v.cpus.bits[0], 2);
	assert_int_equal(v.cpus.bits[1], 3);
	assert_int_equal(opt_parse(row_of("bssplit"), "4k/60:8k", &v, &ctx, NULL), 0);
	assert_int_equal(v.bssplit.count[0], 2);
	assert_int_equal(v.bssplit.v[0][0].bytes, 4096);
	assert_int_equal(v.bssplit.v[0][0].percent, 60);
	assert_int_equal(v.bssplit.v[2][1].percent, -1);
	assert_int_equal(opt_parse(row_of("rw"), "write:8k", &v, &ctx, NULL), 0);
	assert_int_equal(v.rw.word, 1);
	assert_string_equal(v.rw.arg, "8k");
	assert_int_equal(opt_parse(row_of("size"), "4z", &v, &ctx, NULL), 0);
	assert_int_equal(v.size.zones, 4);
	assert_int_equal(v.size.bytes, 0);
	assert_int_equal(opt_parse(row_of("time_us"), "3", &v, &ctx, NULL), 0);
	assert_int_equal(v.time_us, 3000);
	arena_done(&arena);
}

/* ---- rows ---- */

static void test_find(void **state)
{
	(void)state;
	struct opt_found found;
	assert_true(opt_find("u32", NULL, &found));
	assert_ptr_equal(found.row, row_of("iodepth"));
	assert_true(opt_find("depth", "io_uring", &found));
	assert_int_equal(found.group, 0);
	assert_false(opt_find("dept", NULL, &found));
	assert_false(opt_find("", NULL, &found));

	/* An engine's own options are known with that engine only. */
	assert_true(opt_find("hipri", "io_uring", &found));
	assert_int_equal(found.group, 1);
	assert_true(opt_find("hipri", "pvsync2", &found));
	assert_int_equal(found.group, 2);
	assert_true(opt_find("hipri", NULL, &found));
	assert_false(opt_find("hipri", "psync", &found));
}

static void test_nearest(void **state)
{
	(void)state;
	assert_string_equal(opt_nearest("bsrnage", NULL), "bsrange");
	assert_string_equal(opt_nearest("iodeph", NULL), "iodepth");
	assert_string_equal(opt_nearest("hipry", "io_uring"), "hipri");
	assert_null(opt_nearest("zzzzzzzzzzzz", NULL));
	assert_null(opt_nearest("", NULL));
}

static void test_presets(void **state)
{
	(void)state;
	struct arena arena = {0};
	struct opt_ctx ctx = {.arena = &arena, .kb_base = 1000, .native = true};
	struct all values = {0};
	assert_int_equal(opt_presets(&all_group, &values, &ctx, NULL), 0);
	assert_true(values.yes);
	assert_int_equal(values.u32, 1);
	assert_int_equal(values.bs.v[2], 4096); /* whatever the user's kb_base is */
	assert_int_equal(values.rw.word, 0);
	assert_null(values.text);

	static const struct opt bad[] = {
		{.name = "depth", OPT_U32(struct all, u32), .min = 1, .preset = "0"}};
	const struct opt_group bad_group = {"bad", NULL, bad, 1, sizeof(struct all)};
	struct err e;
	assert_int_equal(opt_presets(&bad_group, &values, &ctx, &e), -ERANGE);
	assert_non_null(strstr(e.text, "preset of depth: value out of range: 0"));
	arena_done(&arena);
}

static void test_refused_and_idle_rows(void **state)
{
	(void)state;
	static const struct value_case cases[] = {
		{"later", "1", NULL, "comes with a later version", 0},
		{"later", NULL, NULL, "comes with a later version", 0},
		{"idle", "7", "0", NULL, 0}, /* checked, not kept */
		{"idle", "x", NULL, "'x' is not a number", 0},
	};
	CHECK(cases);

	struct arena arena = {0};
	struct opt_ctx ctx = {.arena = &arena};
	struct all values = {0};
	const struct all untouched = {0};
	assert_int_equal(opt_parse(row_of("idle_typeless"), "anything", &values, &ctx, NULL), 0);
	assert_memory_equal(&values, &untouched, sizeof(values));
	arena_done(&arena);
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
		cmocka_unit_test(test_size_share_zones),
		cmocka_unit_test(test_triples),
		cmocka_unit_test(test_triples_keep),
		cmocka_unit_test(test_ranges),
		cmocka_unit_test(test_splits),
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_lists),
		cmocka_unit_test(test_names_are_unescaped),
		cmocka_unit_test(test_structs_are_filled),
		cmocka_unit_test(test_find),
		cmocka_unit_test(test_nearest),
		cmocka_unit_test(test_presets),
		cmocka_unit_test(test_refused_and_idle_rows),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
