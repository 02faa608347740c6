/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "opt-values.h"

#include "base/arena.h"
#include "base/str.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <cmocka.h>

/* ---- a group with every type ---- */

static const struct opt_word colours[] = {
	{"red", 3, "warm"}, {"rot", 3, NULL}, {"green", 0, NULL}, {"blue", 7, NULL}, {0}};
static const struct opt_word patterns[] = {{"read", 0, NULL}, {"write", 1, NULL},
	{"randread", 2, NULL}, {"randwrite", 3, NULL}, {0}};

static const struct opt_word formats[] = {{"%o", 0, NULL}, {0}};

static const struct opt all_rows[] = {
	{.name = "flag", OPT_FLAG(struct all, flag)},
	{.name = "yes", OPT_BOOL(struct all, yes), .preset = "1"},
	{.name = "u32",
		.alias = {"iodepth", "depth"},
		OPT_U32(struct all, u32),
		.min = 1,
		.max = 65536,
		.preset = "1"},
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
	{.name = "pattern", OPT_FILLER(struct all, filler)},
	{.name = "pattern_o", OPT_FILLER(struct all, filler), .words = formats},
	{.name = "later", OPT_REFUSED("comes with a later version")},
	{.name = "idle", OPT_U32(struct all, u32), .no_effect = "nothing to do here"},
	{.name = "idle_typeless", .type = &opt_text, .no_effect = "nothing to do here"},
};
const struct opt_group all_group = {
	"all", NULL, all_rows, COUNT_OF(all_rows), sizeof(struct all)};

struct private
{
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

const struct opt *row_of(const char *name)
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

void parse_value(const char *name, const char *text, unsigned how, struct outcome *ret)
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

void check_values(const struct value_case *cases, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct value_case *c = &cases[i];
		struct outcome got;
		parse_value(c->name, c->text, c->how, &got);
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
