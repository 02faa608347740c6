/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Values that are lists, and the rows themselves.  The tables read as those of
 * opt.c do. */
#include "opt-values.h"

#include "base/arena.h"
#include "base/str.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <cmocka.h>

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
			"(a range is bsrange=4k-32k)",
			0},
		{"bs", "4k:32k", "4096,32768,32768",
			"'4k:32k' means 4k for reads and 32k for writes; write 4k,32k "
			"(a range is bsrange=4k-32k)",
			0},
		{"bs", "4k/60:64k/40", NULL,
			"'4k/60:64k/40' is a list of sizes with percentages: that is bssplit",
			0},
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
		{"bssplit", "4k/60:64k/40",
			"4096/60:65536/40,4096/60:65536/40,4096/60:65536/40", NULL, 0},
		{"bssplit", "4k/50:8k/,", "4096/50:8192/,", NULL, 0},
		{"bssplit", "4k:8k,", "4096/:8192/,", NULL, 0},
		{"bssplit", "4k,", "4096/,", NULL, 0},
		{"bssplit", "2k/100,4k/50: 8k/50", "2048/100,4096/50:8192/50,4096/50:8192/50",
			NULL, 0},
		{"bssplit", ",4k/100", ",4096/100,4096/100", NULL, 0},
		{"bssplit", "4k/20:8k/30,", "4096/20:8192/30,", NULL, 0},
		/* 6.2 point 17: fio takes the first, and refuses the last */
		{"bssplit", "4k/70:1k/60,", "4096/70:1024/60,",
			"the percentages add up to 130, not to 100", FIO},
		{"bssplit", "4k/70:1k/60,", NULL, "the percentages add up to 130, not to 100",
			NATIVE},
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
	parse_value("bssplit", str_text(&many), 0, &got);
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
		{"rw", "read:", NULL, "'read:' ends in ':'", 0},
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
	assert_int_equal(opt_parse(row_of("names"), "a\\:b:c\\\\:d\\e", &values, &ctx, NULL),
		0);
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
	assert_int_equal(opt_parse(row_of("idle_typeless"), "anything", &values, &ctx, NULL),
		0);
	assert_memory_equal(&values, &untouched, sizeof(values));
	arena_done(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
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
