/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Assertions, conditions, specs and verdicts; the right values are arithmetic, or of the
 * tables that are named. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/bits.h"
#include "base/err.h"
#include "cmd/check/judge.h"
#include "cmd/check/reading.h"
#include "cmd/knee_search.h"
#include "report_fill.h"

#include <errno.h>
#include <math.h>
#include <string.h>

static bool near(double got, double want, double share)
{
	return fabs(got - want) <= share * fabs(want);
}

/* ---- the grammar ---- */

static void reads_assertions(void **state)
{
	static const struct {
		const char *text, *job, *row;
		int dir;
		double quantile;
		enum comparison compare;
		double limit, confidence;
	} rows[] = {
		{"read.iops >= 430k", NULL, "iops", DIR_READ, 0, COMPARE_AT_LEAST, 430e3, 0},
		{"read.iops>=430000", NULL, "iops", DIR_READ, 0, COMPARE_AT_LEAST, 430e3, 0},
		{"read.iops >= 0.43M IOPS", NULL, NULL, 0, 0, 0, 0, 0},
		{"read.iops >= 0.43M/s", NULL, "iops", DIR_READ, 0, COMPARE_AT_LEAST, 430e3, 0},
		{"iops > 2G", NULL, "iops", PATH_NO_DIR, 0, COMPARE_ABOVE, 2e9, 0},
		{"write.bw >= 900MB/s", NULL, "bw", DIR_WRITE, 0, COMPARE_AT_LEAST, 900e6, 0},
		{"write.bw >= 900MB", NULL, "bw", DIR_WRITE, 0, COMPARE_AT_LEAST, 900e6, 0},
		{"write.bw >= 900 MiB/s", NULL, "bw", DIR_WRITE, 0, COMPARE_AT_LEAST, 943718400,
			0},
		{"read.lat.p99 < 400us @95%", NULL, "lat", DIR_READ, 0.99, COMPARE_BELOW, 400e3,
			0.95},
		{"read.lat.p99.95<=1.5ms@99", NULL, "lat", DIR_READ, 0.9995, COMPARE_AT_MOST,
			1.5e6, 0.99},
		{"read.clat.mean < 120 \xc2\xb5s", NULL, "clat", DIR_READ, 0, COMPARE_BELOW,
			120e3, 0},
		{"errors == 0", NULL, "errors", PATH_NO_DIR, 0, COMPARE_EQUAL, 0, 0},
		{"errors = 0", NULL, "errors", PATH_NO_DIR, 0, COMPARE_EQUAL, 0, 0},
		{"trim.errors != 1k", NULL, "errors", DIR_TRIM, 0, COMPARE_DIFFERENT, 1000, 0},
		{"cpu.per_io < 5us", NULL, "cpu.per_io", PATH_NO_DIR, 0, COMPARE_BELOW, 5e3, 0},
		{"sync.lat.p99 < 10ms", NULL, "sync.lat", PATH_NO_DIR, 0.99, COMPARE_BELOW,
			10e6, 0},
		{"read.lat.samples > 1k", NULL, "lat", DIR_READ, 0, COMPARE_ABOVE, 1000, 0},
		{"read.bytes >= 4GiB", NULL, "bytes", DIR_READ, 0, COMPARE_AT_LEAST, 4294967296,
			0},
		{"db.read.iops > 1", "db", "iops", DIR_READ, 0, COMPARE_ABOVE, 1, 0},
		{"a.b.read.lat.p50 > 1s", "a.b", "lat", DIR_READ, 0.5, COMPARE_ABOVE, 1e9, 0},
		{"\"my job\".iops > 1", "my job", "iops", PATH_NO_DIR, 0, COMPARE_ABOVE, 1, 0},
		{"\tread.response.p99 < 1ms \t", NULL, "response", DIR_READ, 0.99,
			COMPARE_BELOW, 1e6, 0},
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct arena arena = {0};
		struct assertion_list list;
		struct err e = {0};
		int rc = assertion_read(&arena, rows[i].text, &list, &e);
		if (!rows[i].row) {
			assert_int_equal(rc, -EINVAL);
			arena_done(&arena);
			continue;
		}
		if (rc < 0)
			fail_msg("%s: %s", rows[i].text, e.text);
		const struct assertion *a = &list.v[0];
		assert_int_equal(list.count, 1);
		assert_string_equal(a->path.row->name, rows[i].row);
		assert_int_equal(a->path.dir, rows[i].dir);
		assert_int_equal(a->compare, rows[i].compare);
		assert_true(near(a->limit, rows[i].limit, 1e-12));
		assert_true(near(a->confidence, rows[i].confidence, 1e-12));
		assert_true(near(a->path.quantile, rows[i].quantile, 1e-12));
		if (rows[i].job)
			assert_string_equal(a->path.job, rows[i].job);
		else
			assert_null(a->path.job);
		arena_done(&arena);
	}
}

static void reads_lists(void **state)
{
	struct arena arena = {0};
	struct assertion_list list;

	(void)state;
	assert_int_equal(assertion_read(&arena, "iops > 1k, errors == 0 ,read.lat.max<1s",
				 &list, NULL),
		0);
	assert_int_equal(list.count, 3);
	assert_string_equal(list.v[0].text, "iops > 1k");
	assert_string_equal(list.v[1].text, "errors == 0");
	assert_string_equal(list.v[2].text, "read.lat.max<1s");
	arena_done(&arena);
}

/* The column is the one where reading stopped, from 1. */
static void refuses_assertions(void **state)
{
	static const struct {
		const char *text, *says;
	} rows[] = {
		{"", "column 1: expected a figure"},
		{"  ", "column 3: expected a figure"},
		{">= 4", "column 1: expected a figure"},
		{"read.iops", "column 10: expected >=, <=, >, <, == or !="},
		{"read.iops 430k", "column 11: expected >=, <=, >, <, == or !="},
		{"read.iops => 430k", "column 12: expected a number"},
		{"read.iops >= ", "column 14: expected a number"},
		{"read.iops >= -3", "column 14: expected a number"},
		{"read.iops >= 4.3.2", "column 14: expected a number"},
		{"read.iops >= nan", "column 14: expected a number"},
		{"read.iops >= 430kk",
			"column 17: unit 'kk': a rate has none, k (1000), M or G"},
		{"read.iops >= 430ms", "column 17: unit 'ms': a rate has none"},
		{"read.bw >= 900", "column 15: no unit: bytes a second need one"},
		{"read.bw >= 900M", "column 15: unit 'M': bytes a second need one"},
		{"read.lat.p99 < 400", "column 19: no unit: a time needs one"},
		{"read.lat.p99 < 400m", "column 19: unit 'm': a time needs one"},
		{"read.lat < 1ms",
			"column 1: 'read.lat' is no figure; did you mean 'read.lat."},
		{"read.lat.p0 < 1ms", "column 1: 'read.lat.p0' is no figure"},
		{"read.lat.p100 < 1ms", "column 1: 'read.lat.p100' is no figure"},
		{"read.lat.p < 1ms", "column 1: 'read.lat.p' is no figure"},
		{"read.lat.p9x < 1ms", "column 1: 'read.lat.p9x' is no figure"},
		{"read.iosp >= 1", "did you mean 'read.iops'?"},
		{"db.wirte.lat.p99 < 1ms", "did you mean 'write.lat.p99'?"},
		{"read.cpu.per_io < 1us", "job"}, /* a job called read: see below */
		{"frobnication > 1", "'frobnication' is no figure; weir help paths lists them"},
		{"\"db.read.iops > 1", "column 1: this quote has no end"},
		{"\"\".read.iops > 1", "a job's name in quotes must be followed by"},
		{"\"db\"read.iops > 1", "a job's name in quotes must be followed by"},
		{"errors == 0 and", "column 13: unit 'and': a count has none"},
		{"errors == 0k and", "column 14: expected a comma"},
		{"errors == 0,", "column 13: expected a figure"},
		{"errors == 0 @", "column 14: expected a confidence"},
		{"errors == 0 @30%", "column 14: a confidence is 50 to 99.99 percent"},
		{"errors == 0 @100%", "column 14: a confidence is 50 to 99.99 percent"},
		{"errors == 0 @95%%", "column 17: expected a comma"},
		{"errors == 1e3", "column 11: expected a number"},
		{"errors == 0x3", "column 11: expected a number"},
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct arena arena = {0};
		struct assertion_list list;
		struct err e = {0};
		int rc = assertion_read(&arena, rows[i].text, &list, &e);
		if (strcmp(rows[i].says, "job") == 0) {
			assert_int_equal(rc, 0);
			assert_string_equal(list.v[0].path.job, "read");
		} else if (rc != -EINVAL || !strstr(e.text, rows[i].says)) {
			fail_msg("'%s': %d '%s', not '%s'", rows[i].text, rc, e.text,
				rows[i].says);
		}
		arena_done(&arena);
	}
}

/* One run, and nearer to the limit than runs commonly are to each other. */
static void tells_chance(void **state)
{
	static const struct {
		struct result_check check;
		bool by_chance;
	} rows[] = {
		{{.value = 103, .limit = 100, .quantity = QUANTITY_RATE}, true},
		{{.value = 97, .limit = 100, .quantity = QUANTITY_TIME}, true},
		{{.value = 97,
			 .limit = 100,
			 .quantity = QUANTITY_BANDWIDTH,
			 .verdict = CHECK_FAIL},
			true},
		{{.value = 104, .limit = 100, .quantity = QUANTITY_RATE}, false},
		{{.value = 95, .limit = 100, .quantity = QUANTITY_RATE}, false},
		{{.value = 100, .limit = 100, .quantity = QUANTITY_COUNT}, false},
		{{.value = 0, .limit = 0, .quantity = QUANTITY_RATE}, false},
		{{.value = 101,
			 .limit = 100,
			 .quantity = QUANTITY_RATE,
			 .verdict = CHECK_UNDECIDED},
			false},
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct result_check c = rows[i].check;
		c.known = true;
		c.runs = 1;
		assert_int_equal(check_by_chance(&c), rows[i].by_chance);
		c.runs = 2;
		assert_false(check_by_chance(&c));
		c.runs = 1;
		c.known = false;
		assert_false(check_by_chance(&c));
	}
}

static void decides_by_intervals(void **state)
{
	static const struct {
		enum comparison compare;
		double lo, hi, limit;
		bool decided, holds;
	} rows[] = {
		{COMPARE_AT_LEAST, 10, 20, 10, true, true},
		{COMPARE_AT_LEAST, 10, 20, 10.5, false, false},
		{COMPARE_AT_LEAST, 10, 20, 21, true, false},
		{COMPARE_ABOVE, 10, 20, 10, false, false},
		{COMPARE_BELOW, 10, 20, 20, false, false},
		{COMPARE_BELOW, 10, 20, 20.5, true, true},
		{COMPARE_AT_MOST, 10, 20, 20, true, true},
		{COMPARE_EQUAL, 10, 20, 15, false, false},
		{COMPARE_EQUAL, 10, 20, 25, true, false},
		{COMPARE_DIFFERENT, 10, 20, 25, true, true},
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		bool holds = false;
		bool decided = comparison_decided(rows[i].compare, rows[i].lo, rows[i].hi,
			rows[i].limit, &holds);
		assert_int_equal(decided, rows[i].decided);
		if (decided)
			assert_int_equal(holds, rows[i].holds);
	}
}

/* ---- intervals ---- */

/* Mean and Student's interval by hand: 8, 10, 12 has mean 10, standard deviation 2; its
 * interval is +-4.303 * 2 / sqrt(3) = 4.968 (t of 2 degrees at 95 %). */
static void repeats_have_an_interval(void **state)
{
	const double values[] = {8, 10, 12};
	struct reading r;

	(void)state;
	reading_runs(values, 3, 0.95, &r);
	assert_true(r.known && r.interval);
	assert_true(near(r.value, 10, 1e-12));
	assert_true(near(r.lo, 10 - 4.968, 1e-3));
	assert_true(near(r.hi, 10 + 4.968, 1e-3));
}

/* ---- verdicts ---- */

#define CHECKS_MOST 16

struct world {
	struct arena arena;
	struct result *results[4];
	struct judge judge;
};

/* COUNT results of one job "db" each, whose reads reach IOPS[i] in a second. */
static void world_make(struct world *w, const uint64_t *iops, uint32_t count)
{
	*w = (struct world){.judge = {.arena = &w->arena}};
	for (uint32_t i = 0; i < count; i++) {
		struct result *r = result_new();
		struct result_row *row = fill_rows(r, 1);
		row->name = "db";
		row->what = "randread 4k";
		row->depth = row->depth_asked = 32;
		fill_dir(&row->dir[DIR_READ], iops[i], 4096, NS_PER_S);
		row->dir[DIR_READ].lat = fill_tail(r, i + 1, 1000, 100000);
		w->results[i] = r;
	}
	w->judge.results = (const struct result *const *)w->results;
	w->judge.count = count;
}

static void world_done(struct world *w)
{
	for (uint32_t i = 0; i < w->judge.count; i++)
		result_free(w->results[i]);
	arena_done(&w->arena);
}

static const struct result_check *expect_one(struct world *w, const char *text)
{
	struct assertion_list list;
	struct err e = {0};

	if (assertion_read(&w->arena, text, &list, &e) < 0)
		fail_msg("%s: %s", text, e.text);
	w->judge.checks_count = 0;
	assert_int_equal(judge_expect(&w->judge, &list, NULL, "here"), 0);
	assert_int_equal(w->judge.checks_count, 1);
	return &w->judge.checks[0];
}

static void one_run_is_judged_by_its_value(void **state)
{
	static const struct {
		const char *text;
		enum check_verdict verdict;
		const char *reason;
	} rows[] = {
		{"read.iops >= 1000", CHECK_PASS, ""},
		{"read.iops > 1000", CHECK_FAIL, ""},
		{"iops == 1000", CHECK_PASS, ""},
		{"read.bw >= 4.096MB/s", CHECK_PASS, ""},
		{"read.bw > 4.1MB/s", CHECK_FAIL, ""},
		{"read.bytes == 4.096MB", CHECK_PASS, ""},
		{"db.read.ios == 1k", CHECK_PASS, ""},
		{"errors == 0", CHECK_PASS, ""},
		{"write.errors == 0", CHECK_PASS, ""},
		{"read.lat.p99 < 1s", CHECK_PASS, ""},
		{"read.lat.samples == 1k", CHECK_PASS, ""},
		{"read.lat.p99.9 < 1s", CHECK_UNDECIDED, "too few samples"},
		{"read.iops >= 1000 @95%", CHECK_UNDECIDED, "no interval"},
		{"write.iops >= 1", CHECK_UNDECIDED, "does not hold this figure"},
		{"read.response.p99 < 1s", CHECK_UNDECIDED, "does not hold this figure"},
		{"other.read.iops > 1", CHECK_UNDECIDED, "no job is called 'other'"},
	};
	struct world w;

	(void)state;
	world_make(&w, (const uint64_t[]){1000}, 1);
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		const struct result_check *c = expect_one(&w, rows[i].text);
		if (c->verdict != rows[i].verdict || !strstr(c->reason, rows[i].reason))
			fail_msg("%s: %s, '%s'", rows[i].text, check_verdict_name(c->verdict),
				c->reason);
	}
	world_done(&w);
}

/* 980, 1000 and 1020: 1000 +-49.7 at 95 %, see above. */
static void repeats_are_judged_by_their_interval(void **state)
{
	struct world w;

	(void)state;
	world_make(&w, (const uint64_t[]){980, 1000, 1020}, 3);
	const struct result_check *c = expect_one(&w, "read.iops >= 940");
	assert_int_equal(c->verdict, CHECK_PASS);
	assert_int_equal(c->runs, 3);
	assert_true(near(c->value, 1000, 1e-9));
	assert_true(near(c->lo, 950.3, 1e-3));
	assert_int_equal(expect_one(&w, "read.iops >= 960")->verdict, CHECK_UNDECIDED);
	assert_int_equal(expect_one(&w, "read.iops >= 1060")->verdict, CHECK_FAIL);
	/* at 50 % the interval is +-0.8165 * 11.55 = 9.43 */
	assert_int_equal(expect_one(&w, "read.iops >= 985 @50%")->verdict, CHECK_PASS);
	world_done(&w);
}

static void a_failed_job_passes_nothing(void **state)
{
	struct world w;

	(void)state;
	world_make(&w, (const uint64_t[]){1000}, 1);
	w.results[0]->rows[0].end = END_NOT_RUN;
	const struct result_check *c = expect_one(&w, "errors == 0");
	assert_int_equal(c->verdict, CHECK_UNDECIDED);
	assert_string_equal(c->reason, "the job never ran");
	assert_int_equal(expect_one(&w, "read.iops > 2k")->verdict, CHECK_FAIL);
	world_done(&w);
}

/* Clones of one run add up; jobs of other names stand alone. */
static void clones_add_up(void **state)
{
	struct result *r = result_new();
	struct result_row *rows = fill_rows(r, 3);
	struct world w = {.results = {r}, .judge = {.arena = &w.arena, .count = 1}};

	(void)state;
	w.judge.results = (const struct result *const *)w.results;
	for (int i = 0; i < 3; i++) {
		rows[i].name = i < 2 ? "db" : "log";
		fill_dir(&rows[i].dir[DIR_READ], 1000, 4096, NS_PER_S);
		rows[i].dir[DIR_READ].lat = fill_tail(r, 1, 1000, i == 1 ? 900000 : 100000);
	}
	assert_true(near(expect_one(&w, "db.read.iops == 2k")->value, 2000, 1e-9));
	assert_true(near(expect_one(&w, "log.read.iops == 1k")->value, 1000, 1e-9));
	/* half of them near 100 us, half near 900 */
	double p99 = expect_one(&w, "db.read.lat.p99 > 900us")->value;
	assert_true(p99 > 900e3);
	world_done(&w);
}

/* ---- conditions ---- */

static void conditions_are_met_or_not(void **state)
{
	static const struct {
		const char *text;
		enum condition_state state;
	} rows[] = {
		{"rw=randread", CONDITION_MET},
		{"rw=read", CONDITION_UNMET},
		{"rw!=read", CONDITION_MET},
		{"readwrite=randread", CONDITION_MET},
		{"bs=4k", CONDITION_MET},
		{"bs=4096", CONDITION_MET},
		{"bs>4k", CONDITION_UNMET},
		{"blocksize<=4k", CONDITION_MET},
		{"iodepth>=32", CONDITION_MET},
		{"iodepth>32", CONDITION_UNMET},
		{"depth=32", CONDITION_MET},
		{"span>=8g", CONDITION_MET},
		{"span>8g", CONDITION_UNMET},
		{"direct=1", CONDITION_MET},
		{"fdatasync=0",
			CONDITION_MET}, /* the preset: all options that were said are there */
		{"job=d*", CONDITION_MET},
		{"job=x*", CONDITION_UNMET},
		{"runtime>=60", CONDITION_UNKNOWN},
		{"preconditioned", CONDITION_UNKNOWN},
		{"filled", CONDITION_GIVEN},
		{"scheduler=none", CONDITION_GIVEN},
		{"scheduler=bfq", CONDITION_UNKNOWN},
	};
	static const struct result_option options[] = {
		{"rw", "randread"}, {"bs", "4k"}, {"size", "8g"}, {"direct", "1"}};
	struct world w;
	struct condition_list given;

	(void)state;
	world_make(&w, (const uint64_t[]){1000}, 1);
	w.results[0]->rows[0].options = options;
	w.results[0]->rows[0].options_count = COUNT_OF(options);
	assert_int_equal(condition_read(&w.arena, "filled scheduler=none", &given, NULL), 0);
	const struct condition_subject s = {.result = w.results[0],
		.row = &w.results[0]->rows[0],
		.given = &given,
		.clones = 1};
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct condition_list list;
		struct result_condition c;
		assert_int_equal(condition_read(&w.arena, rows[i].text, &list, NULL), 0);
		condition_judge(&w.arena, &list.v[0], &s, &c);
		if (c.state != rows[i].state)
			fail_msg("%s: state %d, found %s", rows[i].text, c.state,
				c.found ? c.found : "nothing");
	}
	world_done(&w);
}

/* ---- specs ---- */

static void refuses_specs(void **state)
{
	static const struct {
		const char *text, *says;
	} rows[] = {
		{"", "s:1: this is no spec: there is no [claim \"NAME\"] in it"},
		{"# nothing\n", "s:2: this is no spec"},
		{"a = b\n", "s:1: 'a = b' stands before any section"},
		{"[global]\n",
			"s:1: section 'global' is unknown; expected [product] or [claim"},
		{"[claims \"a\"]\n", "s:1: section 'claims \"a\"' is unknown"},
		{"[claim]\n", "s:1: a claim has a name"},
		{"[claim \"a\"\n", "s:1: section '[claim \"a\"' does not end in ']'"},
		{"\n[claim \"a\"]\nsays = x\n", "s:2: the claim 'a' has no expect= line"},
		{"[claim \"a\"]\nexpect\n", "s:2: 'expect': expected KEY = VALUE"},
		{"[claim \"a\"]\nexpect =\n", "s:2: expect has no value"},
		{"[claim \"a\"]\nexpect = read.iosp > 1\n",
			"s:2: expect: column 1: 'read.iosp' is no figure; did you mean 'read.iops'?"},
		{"[claim \"a\"]\nexpect = iops > 1\nwants = x\n",
			"s:3: 'wants' is unknown; a claim has says, where, needs and expect"},
		{"[claim \"a\"]\nwhere = rw=\n",
			"s:2: where: column 1: 'rw=': expected a value"},
		{"[claim \"a\"]\nwhere = a =b\n",
			"s:2: where: column 3: '=b': expected a name"},
		{"[claim \"a\"]\nneeds = bs!4k\n", "s:2: needs: column 1: 'bs!4k': expected ="},
		{"[claim \"a\"]\nwhere = a=1\nwhere = b=1\n",
			"s:3: where stands twice in this section"},
		{"[claim \"a\"]\nexpect = iops > 1\n[claim a]\n",
			"s:3: the claim 'a' is there already, in line 1"},
		{"[product]\ncolour = red\n",
			"s:2: 'colour' is unknown; [product] has name and source"},
		{"[product]\nname = x\nname = y\n", "s:3: name stands twice"},
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct spec spec;
		struct err e = {0};
		int rc = spec_read("s", rows[i].text, strlen(rows[i].text), &spec, &e);
		if (rc != -EINVAL || strncmp(e.text, rows[i].says, strlen(rows[i].says)) != 0)
			fail_msg("'%s': %d '%s'", rows[i].text, rc, e.text);
		spec_done(&spec);
	}
}

static void reads_specs(void **state)
{
	static const char text[] = "; a comment\r\n"
				   "[product]\r\n"
				   "name = \"ACME; 400 GB\"   # the drive\r\n"
				   "[ claim  \"Random # read\" ]\r\n"
				   "says=up to 430,000 IOPS\r\n"
				   "where = rw=randread  bs=4k\r\n"
				   "expect = read.iops >= 430k, errors == 0\r\n"
				   "expect = read.lat.p99 < 1ms";
	struct spec spec;

	(void)state;
	assert_int_equal(spec_read("s", text, sizeof(text) - 1, &spec, NULL), 0);
	assert_string_equal(spec.product, "ACME; 400 GB");
	assert_int_equal(spec.count, 1);
	assert_string_equal(spec.claims[0].name, "Random # read");
	assert_string_equal(spec.claims[0].says, "up to 430,000 IOPS");
	assert_int_equal(spec.claims[0].where.count, 2);
	assert_int_equal(spec.claims[0].expects_count, 2);
	assert_int_equal(spec.claims[0].expects[0].count, 2);
	assert_int_equal(spec.claims[0].expects_line[1], 8);
	spec_done(&spec);
}

/* A claim that needs what the job doesn't have is undecided, pass or not. */
static void needs_come_first(void **state)
{
	static const char text[] =
		"[claim \"a\"]\nwhere = rw=randread\nneeds = iodepth>=64 filled\n"
		"expect = read.iops >= 1k\n"
		"[claim \"b\"]\nwhere = rw=randread bs=8k\nexpect = iops >= 1\n"
		"[claim \"c\"]\nneeds = filled\nexpect = iops >= 1\n";
	struct world w;
	struct spec spec;

	(void)state;
	world_make(&w, (const uint64_t[]){1000}, 1);
	assert_int_equal(spec_read("s", text, sizeof(text) - 1, &spec, NULL), 0);
	for (uint32_t i = 0; i < spec.count; i++)
		assert_int_equal(judge_claim(&w.judge, &spec.claims[i], "s"), 0);
	const struct result_check *c = w.judge.checks;
	assert_int_equal(w.judge.checks_count, 3);
	assert_int_equal(c[0].verdict, CHECK_UNDECIDED);
	assert_string_equal(c[0].reason, "iodepth>=64 is not met: it is 32");
	assert_string_equal(c[0].place, "s:4");
	assert_string_equal(c[1].reason,
		"there is no job with rw=randread bs=8k; nearest is db; bs is 4k");
	assert_int_equal(c[2].verdict, CHECK_PASS);
	assert_int_equal(c[2].conditions[0].state, CONDITION_UNKNOWN);
	spec_done(&spec);
	world_done(&w);
}

/* ---- the knee ---- */

/* A goal that is met up to TRUTH is found to within the ratio, without a rate far
 * above it ever being offered. */
static void finds_the_knee(void **state)
{
	static const double truths[] = {30, 100, 249, 250, 251, 700, 899, 999, 1000, 1190};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(truths); i++) {
		struct knee_search s = {.capacity = 1000, .ratio = 1.05};
		double rate, highest = 0;
		int points = 0;
		while ((rate = knee_search_next(&s)) > 0 && ++points < 30) {
			assert_false(s.fail > 0 && rate >= s.fail);
			highest = MAX_OF(highest, rate);
			knee_search_tell(&s, rate, rate <= truths[i], true);
		}
		assert_in_range(points, 2, 14);
		assert_true(s.pass <= truths[i] && s.fail > truths[i]);
		assert_true(s.fail <= s.pass * 1.05 + 1e-9);
	}
}

static void knows_when_there_is_no_knee(void **state)
{
	struct knee_search never = {.capacity = 1000, .ratio = 1.05};
	struct knee_search always = never;
	double rate;

	(void)state;
	while ((rate = knee_search_next(&never)) > 0)
		knee_search_tell(&never, rate, false, true);
	assert_true(never.pass == 0 && never.fail < 1000.0 / 64);
	while ((rate = knee_search_next(&always)) > 0)
		knee_search_tell(&always, rate, true, false);
	assert_true(always.fail == 0 && always.pass == 2000 && always.sure_pass == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_assertions),
		cmocka_unit_test(reads_lists),
		cmocka_unit_test(refuses_assertions),
		cmocka_unit_test(tells_chance),
		cmocka_unit_test(decides_by_intervals),
		cmocka_unit_test(repeats_have_an_interval),
		cmocka_unit_test(one_run_is_judged_by_its_value),
		cmocka_unit_test(repeats_are_judged_by_their_interval),
		cmocka_unit_test(a_failed_job_passes_nothing),
		cmocka_unit_test(clones_add_up),
		cmocka_unit_test(conditions_are_met_or_not),
		cmocka_unit_test(refuses_specs),
		cmocka_unit_test(reads_specs),
		cmocka_unit_test(needs_come_first),
		cmocka_unit_test(finds_the_knee),
		cmocka_unit_test(knows_when_there_is_no_knee),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
