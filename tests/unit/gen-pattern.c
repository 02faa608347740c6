/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Patterns whose every request is determined, by example.  A request reads
 * "f1:w8+4": file 1, write, at 8 KiB, 4 KiB long; file 0 and a length of 4 go
 * without saying. The stride cases are what fio 3.33 does. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/bits.h"
#include "base/str.h"
#include "gen/pattern.h"

#define K 1024

static struct pattern_region regions[4];

static struct pattern_spec spec_of(unsigned files, uint32_t kib)
{
	for (unsigned i = 0; i < COUNT_OF(regions); i++)
		regions[i] = (struct pattern_region){.bytes = (uint64_t)kib * K};
	struct pattern_spec spec = {
		.regions = regions,
		.regions_count = files,
		.use = {[DIR_READ] = true},
		.seed = 1,
	};
	for (unsigned d = 0; d < DIRS; d++)
		spec.size[d] = (struct size_spec){.min = 4 * K, .max = 4 * K};
	return spec;
}

static void add_text(struct str *out, const struct request *r)
{
	if (out->len)
		str_add_char(out, ' ');
	if (r->file)
		str_addf(out, "f%u:", r->file);
	str_addf(out, "%c%g", "rwt"[r->dir], (double)r -> offset / K);
	if (r->bytes != 4 * K)
		str_addf(out, "+%g", (double)r->bytes / K);
}

static void expect(const struct pattern_spec *spec, const char *want)
{
	struct arena arena = {0};
	struct pattern *p = pattern_new(&arena, spec, NULL);
	struct str got = {0};
	struct request r[3];
	assert_non_null(p);
	for (unsigned n; (n = pattern_fill(p, r, COUNT_OF(r)));) {
		for (unsigned i = 0; i < n; i++)
			add_text(&got, &r[i]);
	}
	assert_string_equal(str_text(&got), want);
	str_done(&got);
	arena_done(&arena);
}

static void test_sequential(void **state)
{
	(void)state;
	struct pattern_spec spec = spec_of(1, 19); /* the last 3 KiB are no block */
	expect(&spec, "r0 r4 r8 r12");
	regions[0].start = 100 * K;
	expect(&spec, "r100 r104 r108 r112");
	regions[0].bytes = 4095;
	expect(&spec, "");
	spec = spec_of(1, 20);
	spec.use[DIR_READ] = false;
	spec.use[DIR_WRITE] = true;
	spec.size[DIR_WRITE] = (struct size_spec){.min = 8 * K, .max = 8 * K};
	expect(&spec, "w0+8 w8+8");
}

/* What fits no more is cut, never left out. */
static void test_last_request_is_cut(void **state)
{
	(void)state;
	struct pattern_spec spec = spec_of(1, 24);
	static const struct size_split splits[] = {{16 * K, 99}, {4 * K, 1}};
	spec.size[DIR_READ] = (struct size_spec){.splits = splits, .splits_count = 2};
	expect(&spec, "r0+16 r16+8");
}

static const struct {
	int stride_kib;
	unsigned kib;
	const char *want;
} stride_cases[] = {
	{4, 64, "r0 r8 r16 r24 r32 r40 r48 r56 r0 r8 r16 r24 r32 r40 r48 r56"},
	{-8, 64, "r0 r56 r52 r48 r44 r40 r36 r32 r28 r24 r20 r16 r12 r8 r4 r0"},
	{-12, 64, "r0 r52 r44 r36 r28 r20 r12 r4 r52 r44 r36 r28 r20 r12 r4 r52"},
	{-4, 16, "r0 r0 r0 r0"},
	{1, 16, "r0 r5 r10 r0"},
	{100, 16, "r0 r0 r0 r0"},
	{-100, 16, "r0 r0 r0 r0"},
	{-2, 16, "r0 r2 r4 r6"},
};

static void test_strides(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT_OF(stride_cases); i++) {
		struct pattern_spec spec = spec_of(1, stride_cases[i].kib);
		spec.stride = stride_cases[i].stride_kib * K;
		expect(&spec, stride_cases[i].want);
	}
}

static void test_trimwrite(void **state)
{
	(void)state;
	struct pattern_spec spec = spec_of(2, 8);
	spec.use[DIR_READ] = false;
	spec.use[DIR_TRIM] = true;
	spec.use[DIR_WRITE] = true;
	spec.trim_then_write = true;
	expect(&spec, "t0 w0 f1:t0 f1:w0 t4 w4 f1:t4 f1:w4");
	assert_int_equal(pattern_pass_bytes(&spec), 32 * K);
}

/* The ends of the scale still are a mix: all reads, or none. */
static void test_mix_of_one(void **state)
{
	(void)state;
	struct pattern_spec spec = spec_of(1, 12);
	spec.use[DIR_WRITE] = true;
	spec.read_percent = 100;
	expect(&spec, "r0 r4 r8");
	spec.read_percent = 0;
	expect(&spec, "w0 w4 w8");
}

static const struct {
	enum pattern_files how;
	unsigned every, open, files;
	const char *want;
} file_cases[] = {
	{PATTERN_ROUNDROBIN, 0, 0, 3, "r0 f1:r0 f2:r0 r4 f1:r4 f2:r4 r8 f1:r8 f2:r8"},
	{PATTERN_ROUNDROBIN, 2, 0, 3, "r0 r4 f1:r0 f1:r4 f2:r0 f2:r4 r8 f1:r8 f2:r8"},
	{PATTERN_ROUNDROBIN, 1, 2, 3, "r0 f1:r0 r4 f1:r4 r8 f1:r8 f2:r0 f2:r4 f2:r8"},
	{PATTERN_ROUNDROBIN, 1, 1, 2, "r0 r4 r8 f1:r0 f1:r4 f1:r8"},
	{PATTERN_SEQUENTIAL, 0, 0, 2, "r0 r4 r8 f1:r0 f1:r4 f1:r8"},
	{PATTERN_SEQUENTIAL, 2, 2, 2, "r0 r4 r8 f1:r0 f1:r4 f1:r8"},
	{PATTERN_RANDOM_FILE, 9, 1, 2, "r0 r4 r8 f1:r0 f1:r4 f1:r8"},
};

static void test_files(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT_OF(file_cases); i++) {
		struct pattern_spec spec = spec_of(file_cases[i].files, 12);
		spec.files = file_cases[i].how;
		spec.files_every = file_cases[i].every;
		spec.files_open = file_cases[i].open;
		expect(&spec, file_cases[i].want);
	}
}

/* A shorter file drops out; one without a block is never served. */
static void test_files_of_different_size(void **state)
{
	(void)state;
	struct pattern_spec spec = spec_of(4, 12);
	regions[0].bytes = 4 * K;
	regions[2].bytes = 100;
	regions[3].bytes = 8 * K;
	expect(&spec, "r0 f1:r0 f3:r0 f1:r4 f3:r4 f1:r8");
	assert_int_equal(pattern_pass_bytes(&spec), 24 * K);
}

static void test_random_of_one_block(void **state)
{
	(void)state;
	struct pattern_spec spec = spec_of(1, 4);
	spec.random = true;
	expect(&spec, "r0");
	spec.coverage = true;
	expect(&spec, "r0");
	spec.jump_every = 3;
	expect(&spec, "r0");
	spec.jump_every = 0;
	spec.size[DIR_READ].max = 64 * K; /* larger than the file */
	expect(&spec, "r0");
}

/* rand:N: groups of N, in sequence or the same, each direction its own. */
static void test_jumps(void **state)
{
	(void)state;
	for (unsigned same = 0; same <= 1; same++) {
		struct pattern_spec spec = spec_of(1, 1024 * 1024);
		struct arena arena = {0};
		struct request r[4 * 64];
		unsigned breaks = 0;
		spec.random = true;
		spec.jump_every = 4;
		spec.jump_same = same;
		struct pattern *p = pattern_new(&arena, &spec, NULL);
		assert_non_null(p);
		assert_int_equal(pattern_fill(p, r, COUNT_OF(r)), COUNT_OF(r));
		for (unsigned i = 1; i < COUNT_OF(r); i++) {
			bool follows = r[i].offset == r[i - 1].offset + (same ? 0 : 4 * K);
			if (i % 4)
				assert_true(follows);
			else
				breaks += !follows;
		}
		assert_true(breaks >= 60); /* of 63 */
		arena_done(&arena);
	}
}

static void test_seeds(void **state)
{
	(void)state;
	struct request r[3][32];
	for (unsigned i = 0; i < 3; i++) {
		struct pattern_spec spec = spec_of(1, 1024);
		struct arena arena = {0};
		spec.random = true;
		spec.coverage = true;
		spec.seed = i / 2;
		struct pattern *p = pattern_new(&arena, &spec, NULL);
		assert_non_null(p);
		assert_int_equal(pattern_fill(p, r[i], 32), 32);
		arena_done(&arena);
	}
	unsigned same = 0;
	for (unsigned i = 0; i < 32; i++) {
		assert_int_equal(r[0][i].offset, r[1][i].offset);
		same += r[0][i].offset == r[2][i].offset;
	}
	assert_true(same < 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sequential),
		cmocka_unit_test(test_last_request_is_cut),
		cmocka_unit_test(test_strides),
		cmocka_unit_test(test_trimwrite),
		cmocka_unit_test(test_mix_of_one),
		cmocka_unit_test(test_files),
		cmocka_unit_test(test_files_of_different_size),
		cmocka_unit_test(test_random_of_one_block),
		cmocka_unit_test(test_jumps),
		cmocka_unit_test(test_seeds),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
