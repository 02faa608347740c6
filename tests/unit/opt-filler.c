/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Patterns of bytes.  What each part gives was seen in the files that fio 3.33
 * writes with buffer_pattern, and with verify_pattern for %o. */
#include "opt-values.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include <cmocka.h>

#define CHECK(cases) check_values(cases, COUNT_OF(cases))

static void test_parts(void **state)
{
	(void)state;
	static const struct value_case cases[] = {
		{"pattern", "0xdeadface", "0xdeadface", NULL, 0},
		{"pattern", "0XDEADface", "0xdeadface", NULL, 0},
		{"pattern", "0xdea", "0x0dea", NULL, 0},
		{"pattern", "0xf", "0x0f", NULL, 0},
		{"pattern", "0x0000", "0x0000", NULL, 0},
		{"pattern", "0x112233445566778899aabbccddeeff",
			"0x112233445566778899aabbccddeeff", NULL, 0},
		{"pattern", "0", "0x00", NULL, 0},
		{"pattern", "-0", "0x00", NULL, 0},
		{"pattern", "12", "0x0c", NULL, 0},
		{"pattern", "+12", "0x0c", NULL, 0},
		{"pattern", "010", "0x0a", NULL, 0}, /* decimal */
		{"pattern", "255", "0xff", NULL, 0},
		{"pattern", "256", "0x0001", NULL, 0},
		{"pattern", "70000", "0x701101", NULL, 0},
		{"pattern", "2147483647", "0xffffff7f", NULL, 0},
		{"pattern", "-1", "0xffffffff", NULL, 0},
		{"pattern", "-12", "0xf4ffffff", NULL, 0},
		{"pattern", "-129", "0x7fffffff", NULL, 0},
		{"pattern", "-2147483648", "0x00000080", NULL, 0},
		{"pattern", "\"abcd\"", "0x61626364", NULL, 0},
		{"pattern", "\"a'b%o\\n\"",
			"0x61276225"
			"6f5c6e",
			NULL, 0},
		{"pattern", "12-12", "0x0cf4ffffff", NULL, 0},
		{"pattern", "12\"a\"0x41", "0x0c6141", NULL, 0},
		{"pattern", "  \"ab\" 12 ", "0x61620c", NULL, 0},
		{"pattern_o", "%o", "%o", NULL, 0},
		{"pattern_o", "0xff%o\"abcd\"-12", "0xff%o0x61626364f4ffffff", NULL, 0},
		{"pattern_o", "%o%o", "%o%o", NULL, 0},
	};
	CHECK(cases);
}

static void test_refused(void **state)
{
	(void)state;
	static const struct value_case cases[] = {
		{"pattern", "abcd", NULL,
			"'abcd' is none of 0xHEX, a number, \"text\" and 'file'; letters are "
			"written as \"abcd\"",
			0},
		{"pattern", "%o", NULL, "'%o' can't be used here", 0},
		{"pattern_o", "%x", NULL, "'%x' can't be used here", 0},
		{"pattern_o", "%", NULL, "'%' can't be used here", 0},
		{"pattern", "\"ab", NULL, "the second \" of \"ab is missing", 0},
		{"pattern", "'ab", NULL, "the second ' of 'ab is missing", 0},
		{"pattern", "\"ab\"0x", NULL, "'0x' has no hexadecimal digit behind 0x", 0},
		{"pattern", "0x41z", NULL, "'z' is none of", 0},
		{"pattern", "0x41,", NULL, "',' is none of", 0},
		{"pattern", "12k", NULL, "'12k' is no number", 0},
		{"pattern", "-0x1", NULL, "'-0x1' is no number", 0},
		{"pattern", "-", NULL, "'-' is no number", 0},
		{"pattern", "2147483648", NULL, "from -2147483648 to 2147483647", 0},
		{"pattern", "-2147483649", NULL, "from -2147483648 to 2147483647", 0},
		{"pattern", "99999999999999999999999", NULL, "write others as 0xHEX", 0},
		{"pattern", "\"\"", NULL, "there is nothing between \" and \"", 0},
		{"pattern", "''", NULL, "there is nothing between ' and '", 0},
		{"pattern", "", NULL, "needs a value", 0},
		{"pattern", "  ", NULL, "it is empty", 0},
		{"pattern", "'no/such/file'", NULL, "can't read the file 'no/such/file'", 0},
		{"pattern", "'/'", NULL, "'/' is no regular file", 0},
		{"pattern", "'/dev/zero'", NULL, "'/dev/zero' is no regular file", 0},
	};
	CHECK(cases);
}

/* The pattern that is a file of so many bytes, and BEHIND. */
static int parse_file(size_t bytes, const char *behind, struct filler *ret, struct arena *arena,
	struct err *reterr)
{
	char path[] = "/tmp/weir-filler-XXXXXX", text[64];
	int fd = mkstemp(path);
	char *mem = malloc(bytes + 1);
	assert_true(fd >= 0 && mem);
	for (size_t i = 0; i < bytes; i++)
		mem[i] = (char)(i * 7 + i / 256);
	assert_int_equal(write(fd, mem, bytes), bytes);
	close(fd);

	struct opt_ctx ctx = {.arena = arena};
	struct all all = {0};
	snprintf(text, sizeof(text), "'%s'%s", path, behind);
	int rc = opt_parse(row_of("pattern"), text, &all, &ctx, reterr);
	unlink(path);
	if (rc == 0)
		assert_memory_equal(all.filler.bytes, mem, bytes);
	*ret = all.filler;
	free(mem);
	return rc;
}

static void test_files(void **state)
{
	(void)state;
	struct arena arena = {0};
	struct filler f;
	struct err e;

	assert_int_equal(parse_file(8, "", &f, &arena, &e), 0);
	assert_int_equal(f.count, 8);
	assert_int_equal(parse_file(5000, "0x41", &f, &arena, &e), 0);
	assert_int_equal(f.count, 5001);
	assert_int_equal(f.bytes[5000], 0x41);
	assert_int_equal(parse_file(LIMIT_FILLER, "", &f, &arena, &e), 0);
	assert_int_equal(f.count, LIMIT_FILLER);
	assert_int_equal(parse_file(LIMIT_FILLER + 1, "", &f, &arena, &e), -EFBIG);
	assert_non_null(strstr(e.text, "more than 1048576 bytes"));
	assert_int_equal(parse_file(LIMIT_FILLER, "\"a\"", &f, &arena, &e), -EFBIG);
	assert_int_equal(parse_file(0, "", &f, &arena, &e), -EINVAL);
	assert_non_null(strstr(e.text, "empty"));
	arena_done(&arena);
}

/* BYTES of PATTERN at OFFSET are EXPECTED. */
static void check_fill(const char *pattern, uint64_t offset, const char *expected, size_t bytes)
{
	struct arena arena = {0};
	struct opt_ctx ctx = {.arena = &arena};
	struct all all = {0};
	unsigned char buf[64];

	memset(buf, 0xa5, sizeof(buf));
	assert_int_equal(opt_parse(row_of("pattern_o"), pattern, &all, &ctx, NULL), 0);
	filler_fill(&all.filler, buf, bytes, offset);
	assert_memory_equal(buf, expected, bytes);
	assert_int_equal(buf[bytes], 0xa5);
	arena_done(&arena);
}

static void test_fill(void **state)
{
	(void)state;
	check_fill("\"abc\"", 0, "abcabcab", 8);
	check_fill("\"abc\"", 0, "ab", 2);
	check_fill("\"abc\"", 0, "", 0);
	check_fill("0x41", 0, "AAAAA", 5);
	check_fill("%o", 0x0102030405060708, "\x08\7\6\5\4\3\2\1\x08\7\6\5\4\3\2\1\x08", 17);
	check_fill("0xff%o\"abcd\"-12", 512,
		"\xff\0\2\0\0\0\0\0\0abcd\xf4\xff\xff\xff\xff\0\2\0\0\0\0\0\0abcd", 30);
	check_fill("\"ab\"%o", 0x4443, "abCD", 4); /* cut inside the offset */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_parts),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_files),
		cmocka_unit_test(test_fill),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
