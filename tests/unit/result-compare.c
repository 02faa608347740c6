/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Comparisons of made-up results: what is lined up with what, on what the answer rests,
 * and which answer is given. */
#include "report_fill.h"

#include "base/bits.h"
#include "base/err.h"
#include "base/rng.h"
#include "report/report.h"
#include "result/compare.h"
#include "result/compare/parts.h"
#include "result/environment.h"
#include "result/import.h"
#include "result/repeated.h"

#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define SECONDS 60

/* A run of one job: IOPS and p99 as told, at a time of its own. */
static struct result *run(const char *job, double iops, double p99_us, uint64_t time_ms)
{
	struct result *r = result_new();
	struct result_row *row = fill_rows(r, 1);

	row->name = job;
	row->what = "randread 4k";
	row->runtime_ns = SECONDS * NS_PER_S;
	row->cpu.user_ms = 100;
	r->time_ms = time_ms;
	r->final = true;
	r->kernel = "Linux 6.1";
	fill_dir(&row->dir[DIR_READ], (uint64_t)(iops * SECONDS), 4096, SECONDS * NS_PER_S);
	row->dir[DIR_READ].lat = fill_tail(r, 7, 1000, (uint64_t)(p99_us * 400));
	return r;
}

struct sides {
	const struct result *runs[3][16];
	struct compare_side side[3];
};

static void side_add(struct sides *s, unsigned side, struct result *r)
{
	static const char *const names[] = {"old", "new", "off"};
	s->side[side].name = names[side];
	s->side[side].runs = s->runs[side];
	s->runs[side][s->side[side].count++] = r;
}

static void sides_done(struct sides *s)
{
	for (unsigned i = 0; i < 3; i++)
		for (uint32_t k = 0; k < s->side[i].count; k++)
			result_free((struct result *)(uintptr_t)s->runs[i][k]);
}

static const struct compare_cell *cell(const struct compare *c, uint32_t line,
	enum compare_figure figure)
{
	assert_true(line < c->lines_count);
	return &c->lines[line].cells[figure];
}

static bool has_note(const struct compare *c, const char *words)
{
	for (uint32_t i = 0; i < c->notes_count; i++)
		if (strstr(c->notes[i].text, words))
			return true;
	return false;
}

static const struct result_note *note_of(const struct compare *c, const char *id)
{
	for (uint32_t i = 0; i < c->notes_count; i++)
		if (c->notes[i].id && !strcmp(c->notes[i].id, id))
			return &c->notes[i];
	return NULL;
}

static double number_of(const struct result_note *n, const char *key)
{
	for (uint32_t i = 0; n && i < n->evidence_count; i++)
		if (!strcmp(n->evidence[i].key, key))
			return n->evidence[i].value;
	return NAN;
}

/* N runs of about IOPS each on SIDE, at times START + k * STEP. */
static void runs_add(struct sides *s, unsigned side, unsigned n, double iops, uint64_t start,
	uint64_t step)
{
	static const double noise[] = {0.1, -0.7, 0.5, -0.2, 0.9, -0.4, 0.3, -0.5};
	for (unsigned i = 0; i < n; i++)
		side_add(s, side,
			run("db", iops * (1 + 0.01 * noise[(i + 3 * side) % 8]), 100,
				start + i * step));
}

static void test_runs(void **state)
{
	(void)state;
	struct sides s = {0};
	runs_add(&s, 0, 5, 1000, 1000, 10);
	runs_add(&s, 1, 6, 1100, 2000, 10);
	runs_add(&s, 2, 5, 1001, 3000, 10);
	struct compare *c = compare_make(s.side, 3, COMPARE_BY_JOB, 0.03);
	assert_non_null(c);
	assert_int_equal(c->lines_count, 2);
	assert_int_equal(c->lines[0].basis, COMPARE_BY_RUNS);
	assert_int_equal(c->lines[0].units_b, 6);
	assert_int_equal(cell(c, 0, COMPARE_IOPS)->answer, ANSWER_BETTER);
	assert_true(cell(c, 0, COMPARE_IOPS)->low > 1.08 &&
		    cell(c, 0, COMPARE_IOPS)->high < 1.12);
	assert_int_equal(cell(c, 1, COMPARE_IOPS)->answer, ANSWER_SAME);
	assert_int_equal(cell(c, 0, COMPARE_MAX)->answer, ANSWER_NONE);
	assert_int_equal(cell(c, 0, COMPARE_RESPONSE_P99)->why, WHY_ABSENT);
	assert_int_equal(compare_answer(c), ANSWER_BETTER);
	assert_true(has_note(c, "all runs of one came before"));
	compare_free(c);

	c = compare_make(s.side, 2, COMPARE_CPU, 0.02); /* 10 % more I/Os of the same CPU */
	assert_int_equal(compare_answer(c), ANSWER_BETTER);
	assert_true(exp(cell(c, 0, COMPARE_CPU)->estimate.log_ratio) < 0.92);
	compare_free(c);
	sides_done(&s);
}

static void test_pairs(void **state)
{
	(void)state;
	struct sides s = {0};
	/* Both wander by 10 %, together: only pairs see that one is 2 % better. */
	for (unsigned i = 0; i < 8; i++) {
		double level = 1000 * (1 + 0.1 * sin(i)), noise = 1 + 0.001 * cos(7.0 * i);
		bool first = i % 3 == 0;
		side_add(&s, 0, run("db", level, 100, 100 * (i + 1) + first));
		side_add(&s, 1, run("db", level * 1.02 * noise, 100, 100 * (i + 1) + !first));
	}
	struct compare *c = compare_make(s.side, 2, COMPARE_BY_JOB, 0.01);
	assert_int_equal(c->lines[0].basis, COMPARE_BY_PAIRS);
	assert_int_equal(cell(c, 0, COMPARE_IOPS)->answer, ANSWER_BETTER);
	assert_true(has_note(c, "in pairs"));
	compare_free(c);
	/* The same numbers one side after the other: can't tell. */
	for (unsigned i = 0; i < 8; i++)
		((struct result *)(uintptr_t)s.runs[1][i])->time_ms += 10000;
	c = compare_make(s.side, 2, COMPARE_BY_JOB, 0.01);
	assert_int_equal(c->lines[0].basis, COMPARE_BY_RUNS);
	assert_int_equal(cell(c, 0, COMPARE_IOPS)->answer, ANSWER_UNDECIDED);
	assert_int_equal(cell(c, 0, COMPARE_IOPS)->why, WHY_WIDE);
	assert_true(cell(c, 0, COMPARE_IOPS)->more > 100);
	compare_free(c);
	sides_done(&s);
}

static void test_one(void **state)
{
	(void)state;
	struct sides s = {0};
	side_add(&s, 0, run("db", 1000, 100, 1));
	side_add(&s, 1, run("db", 2000, 100, 2));
	struct compare *c = compare_make(s.side, 2, COMPARE_BY_JOB, 0.02);
	assert_int_equal(c->lines[0].basis, COMPARE_BY_ONE);
	assert_int_equal(cell(c, 0, COMPARE_IOPS)->answer, ANSWER_UNDECIDED);
	assert_int_equal(cell(c, 0, COMPARE_IOPS)->why, WHY_ONE);
	assert_true(cell(c, 0, COMPARE_IOPS)->b == 2000);
	assert_true(has_note(c, "2 to 4 %"));
	const struct result_note *n = note_of(c, "one-run");
	assert_non_null(n);
	assert_int_equal(n->weight, NOTE_DOUBTFUL);
	assert_non_null(strstr(n->remedy, "weir repeat -n 5"));
	assert_true(number_of(n, "runs_a") == 1 && number_of(n, "runs_b") == 1);
	assert_true(fabs(number_of(n, "difference_percent") - 100) < 0.01);
	assert_true(isnan(number_of(n, "interval_percent")));
	assert_int_equal(compare_answer(c), ANSWER_UNDECIDED);
	compare_free(c);
	sides_done(&s);
}

/* ---- lining up ---- */

static void test_names(void **state)
{
	(void)state;
	struct sides s = {0};
	struct result *a = run("old-name", 1000, 100, 1), *b = run("new-name", 1000, 100, 2);
	side_add(&s, 0, a);
	side_add(&s, 1, b);
	b->rows[0].what = "randread 8k";
	b->kernel = "Linux 6.8";
	const struct result_option of_a[] = {{"bs", "4k"}, {"iodepth", "8"}, {"direct", "1"}};
	const struct result_option of_b[] = {{"bs", "8k"}, {"iodepth", "8"}, {"thread", ""}};
	a->rows[0].options = of_a;
	a->rows[0].options_count = 3;
	b->rows[0].options = of_b;
	b->rows[0].options_count = 3;
	struct compare *c = compare_make(s.side, 2, COMPARE_BY_JOB, 0.02);
	assert_int_equal(c->lines_count, 1); /* the only one of each */
	assert_true(has_note(c, "old-name of A is lined up with new-name of B"));
	assert_true(has_note(c,
		"not the same work: randread 4k q1 psync -> randread 8k q1 psync"));
	assert_true(has_note(c, "kernel of A / B differs: Linux 6.1 -> Linux 6.8"));
	assert_true(has_note(c,
		"differ: bs 4k -> 8k, direct 1 -> (not given), thread (not given) -> (set)"));
	compare_free(c);
	sides_done(&s);
}

static void test_shapes(void **state)
{
	static const char *const a_what[] = {"read 1m", "randread 4k"};
	static const char *const b_what[] = {"randread 4k", "write 1m"};
	static const char *const b_names[] = {"x", "y"};
	(void)state;
	struct sides s = {0};
	struct result *a = result_new(), *b = result_new();
	struct result_row *ra = fill_rows(a, 2), *rb = fill_rows(b, 2);
	for (unsigned i = 0; i < 2; i++) {
		ra[i].name = i ? "rand" : "seq";
		ra[i].what = a_what[i];
		rb[i].name = b_names[i];
		rb[i].what = b_what[i];
		fill_dir(&ra[i].dir[DIR_READ], 1000, 4096, NS_PER_S);
		fill_dir(&rb[i].dir[DIR_READ], 1000, 4096, NS_PER_S);
	}
	side_add(&s, 0, a);
	side_add(&s, 1, b);
	struct compare *c = compare_make(s.side, 2, COMPARE_BY_JOB, 0.02);
	assert_int_equal(c->lines_count, 1);
	assert_string_equal(c->lines[0].job, "rand");
	assert_true(has_note(c, "rand of A is lined up with x of B"));
	assert_true(has_note(c, "B has no job like seq"));
	assert_true(c->unmatched);
	compare_free(c);

	s.side[1].by_name = true;
	c = compare_make(s.side, 2, COMPARE_BY_JOB, 0.02);
	assert_int_equal(c->lines_count, 0);
	assert_true(has_note(c, "B has no job like rand"));
	assert_true(c->unmatched);
	compare_free(c);
	sides_done(&s);
}

static void test_broken(void **state)
{
	(void)state;
	struct sides s = {0};
	runs_add(&s, 0, 5, 1000, 1000, 10);
	runs_add(&s, 1, 5, 1000, 2000, 10);
	((struct result *)(uintptr_t)s.runs[1][2])->rows[0].partial = true;
	struct compare *c = compare_make(s.side, 2, COMPARE_BY_JOB, 0.02);
	assert_int_equal(c->lines[0].units_b, 4);
	assert_int_equal(cell(c, 0, COMPARE_IOPS)->answer, ANSWER_SAME);
	assert_true(has_note(c, "B: 1 of 5 runs of db are left out"));
	compare_free(c);
	for (unsigned i = 0; i < 5; i++)
		((struct result *)(uintptr_t)s.runs[1][i])->rows[0].error = EIO;
	c = compare_make(s.side, 2, COMPARE_BY_JOB, 0.02);
	assert_int_equal(cell(c, 0, COMPARE_IOPS)->answer, ANSWER_UNDECIDED);
	assert_int_equal(cell(c, 0, COMPARE_IOPS)->why, WHY_BROKEN);
	compare_free(c);
	sides_done(&s);
}

/* ---- environment ---- */

static void test_environment(void **state)
{
	(void)state;
	struct sides s = {0};
	struct result *a = run("db", 1000, 100, 1), *b = run("db", 1000, 100, 2);
	struct layer disk_a = {.id = "sda"}, disk_b = {.id = "sda"};
	struct queue_facts queue_a, queue_b;
	side_add(&s, 0, a);
	side_add(&s, 1, b);
	a->environment = environment_new();
	b->environment = environment_new();
	facts_forget(&queue_table, &queue_a);
	queue_b = queue_a;
	queue_a.scheduler = "none";
	queue_b.scheduler = "mq-deadline";
	queue_a.read_ahead_bytes = 128 << 10;
	queue_b.read_ahead_bytes = 2 << 20;
	disk_a.queue = &queue_a;
	disk_b.queue = &queue_b;
	a->environment->stack = (struct stack){&disk_a, 1, false};
	b->environment->stack = (struct stack){&disk_b, 1, false};
	a->environment->cpu.governor = "performance";
	b->environment->cpu.governor = "powersave";
	a->environment->host.uptime_s = 5; /* moves by itself, as the load does */
	b->environment->host.uptime_s = 7;
	a->environment->load.load_1min = 1;
	b->environment->load.load_1min = 2;
	a->environment->host.product = "known on one side only";
	struct compare *c = compare_make(s.side, 2, COMPARE_BY_JOB, 0.02);
	assert_true(has_note(c,
		"the machines of A / B differ: cpu.governor performance -> powersave, "
		"queue.scheduler of sda none -> mq-deadline, "
		"queue.read_ahead_bytes of sda 131072 -> 2097152"));
	assert_false(has_note(c, "uptime") || has_note(c, "load_1min") ||
		     has_note(c, "product"));
	compare_free(c);
	sides_done(&s);
}

/* The same file system on another loop device, in another directory of mktemp's, is no change;
 * a scheduler or a model is. */
static void test_names_of_places(void **state)
{
	static const struct {
		const char *a, *b;
		bool same;
	} places[] = {
		{"/dev/loop2", "/dev/loop15", true},
		{"loop2", "loop5", true},
		{"/dev/loop2p1", "/dev/loop5p1", true},
		{"/dev/loop2p1", "/dev/loop5p2", false},
		{"/dev/loop2, /dev/loop3", "/dev/loop5, /dev/loop6", true},
		{"/dev/loop2", "/dev/nbd2", false},
		{"/dev/sda", "/dev/sdb", false},
		{"/dev/nvme0n1", "/dev/nvme1n1", false},
		{"/tmp/tmp.a1/f", "/tmp/tmp.b22/f", true},
		{"/tmp/tmp.a1/f", "/tmp/tmp.b22/g", false},
		{"/srv/tmp/a/f", "/srv/tmp/b/f", false},
		{"/srv/loop1/f", "/srv/loop2/f", false},
		{"/srv/md5sum", "/srv/md4sum", false},
		{"md5sum", "md4sum", false},
		{"ext4", "xfs", false},
		{"", "x", false},
		{"", "", true},
	};
	struct sides s = {0};
	struct result *a = run("db", 1000, 100, 1), *b = run("db", 1000, 100, 2);
	struct layer layer_a = {.id = "loop2"}, layer_b = {.id = "loop5"};
	struct block_facts block_a, block_b;
	struct filesystem_facts fs_a, fs_b;

	(void)state;
	for (size_t i = 0; i < COUNT_OF(places); i++)
		if (compare_same_place(places[i].a, places[i].b) != places[i].same ||
			compare_same_place(places[i].b, places[i].a) != places[i].same)
			fail_msg("%s, %s", places[i].a, places[i].b);

	facts_forget(&block_table, &block_a);
	facts_forget(&filesystem_table, &fs_a);
	block_a.name = "loop2";
	block_a.number = "7:2";
	block_a.backing_file = "/srv/a.img";
	fs_a.source = "/dev/loop2";
	fs_a.point = "/tmp/tmp.a/mnt";
	fs_a.type = "ext4";
	block_b = block_a;
	fs_b = fs_a;
	block_b.name = "loop5";
	block_b.number = "7:5";
	block_b.backing_file = "/srv/b.img";
	fs_b.source = "/dev/loop5";
	fs_b.point = "/tmp/tmp.b/mnt";
	layer_a.block = &block_a;
	layer_b.block = &block_b;
	layer_a.filesystem = &fs_a;
	layer_b.filesystem = &fs_b;
	side_add(&s, 0, a);
	side_add(&s, 1, b);
	a->targets = "/tmp/tmp.a/mnt/f";
	b->targets = "/tmp/tmp.b/mnt/f";
	a->environment = environment_new();
	b->environment = environment_new();
	a->environment->stack = (struct stack){&layer_a, 1, false};
	b->environment->stack = (struct stack){&layer_b, 1, false};
	struct compare *c = compare_make(s.side, 2, COMPARE_BY_JOB, 0.02);
	assert_null(note_of(c, "settings-changed"));
	compare_free(c);
	fs_b.type = "xfs";
	block_b.model = "another";
	block_a.model = "one";
	c = compare_make(s.side, 2, COMPARE_BY_JOB, 0.02);
	assert_string_equal(note_of(c, "settings-changed")->text,
		"the machines of A / B differ: filesystem.type of loop2 ext4 -> xfs, "
		"device.model of loop2 one -> another");
	compare_free(c);
	sides_done(&s);
}

/* ---- series ---- */

/* Give a run of SECONDS its series: IOPS varies by 2 %, latencies with it; it goes through
 * weir's own JSON, as results of earlier do. */
static struct result *series_run(double iops, double trend, uint64_t seed)
{
	struct result *r = run("db", iops, 100, seed);
	struct result_row *row = &r->rows[0];
	struct histogram *h = calloc(1, sizeof(*h));
	struct import_list list;
	struct rng rng;
	struct err err;

	rng_init(&rng, seed);
	row->series = (struct series){.interval_ns = NS_PER_S};
	for (unsigned i = 0; i < SECONDS; i++) {
		double at = i / (double)SECONDS - 0.5;
		double n = iops * (1 + trend * at + 0.04 * (rng_unit(&rng) - 0.5));
		histogram_reset(h);
		for (unsigned k = 0; k < (unsigned)n; k++)
			histogram_record(h, (uint64_t)(1e8 / n * (0.5 + rng_unit(&rng))));
		series_add(&row->series, i * NS_PER_S, DIR_READ, (uint64_t)n,
			4096 * (uint64_t)n, h, NULL);
	}
	free(h);
	char *text = fill_text(r, &report_json,
		&(struct report_how){.native = true, .version = "weir 0.1"});
	if (import_text("made up", text, strlen(text), &list, &err) < 0)
		fail_msg("%s", err.text);
	assert_int_equal(list.count, 1);
	const struct series *back = &list.results[0]->rows[0].series;
	assert_int_equal(back->count, SECONDS);
	for (unsigned i = 0; i < SECONDS; i++) {
		const struct series_record *x = &row->series.records[i], *y = &back->records[i];
		assert_int_equal(x->ios[DIR_READ], y->ios[DIR_READ]);
		assert_int_equal(x->bytes[DIR_READ], y->bytes[DIR_READ]);
		assert_int_equal(x->lat[DIR_READ].count, y->lat[DIR_READ].count);
		assert_memory_equal(x->lat[DIR_READ].bins, y->lat[DIR_READ].bins,
			x->lat[DIR_READ].count * sizeof(struct series_bin));
	}
	struct result *back_result = list.results[0];
	list.results[0] = NULL;
	import_done(&list);
	free(text);
	result_free(r);
	return back_result;
}

static void test_series(void **state)
{
	(void)state;
	struct sides s = {0};
	side_add(&s, 0, series_run(1000, 0, 1));
	side_add(&s, 1, series_run(1100, 0, 2));
	side_add(&s, 2, series_run(1000, 0, 3));
	struct compare *c = compare_make(s.side, 3, COMPARE_BY_JOB, 0.02);
	assert_int_equal(c->lines[0].basis, COMPARE_BY_SERIES);
	assert_int_equal(cell(c, 0, COMPARE_IOPS)->answer, ANSWER_BETTER);
	assert_int_equal(cell(c, 0, COMPARE_P50)->answer, ANSWER_BETTER); /* shorter */
	assert_int_equal(cell(c, 0, COMPARE_P99)->answer, ANSWER_BETTER);
	assert_true(cell(c, 0, COMPARE_P50)->high < 0.95 &&
		    cell(c, 0, COMPARE_P50)->low > 0.85);
	assert_int_equal(cell(c, 0, COMPARE_CPU)->why, WHY_ONE); /* has no series */
	assert_int_equal(cell(c, 1, COMPARE_IOPS)->answer, ANSWER_SAME);
	assert_int_equal(cell(c, 1, COMPARE_P50)->answer, ANSWER_SAME);
	assert_true(has_note(c, "A / B: one run each") && has_note(c, "A / C: one run each"));
	/* 10 % apart: two runs may differ so much by themselves. */
	const struct result_note *n = note_of(c, "one-run");
	assert_int_equal(n->weight, NOTE_DOUBTFUL);
	assert_true(fabs(number_of(n, "difference_percent") - 10) < 1);
	assert_true(number_of(n, "interval_percent") > 0.1 &&
		    number_of(n, "interval_percent") < 2);
	compare_free(c);
	sides_done(&s);
}

/* Twice as much: no repeat is needed to believe that. */
static void test_far_apart(void **state)
{
	(void)state;
	struct sides s = {0};
	side_add(&s, 0, series_run(1000, 0, 1));
	side_add(&s, 1, series_run(2000, 0, 3));
	struct compare *c = compare_make(s.side, 2, COMPARE_BY_JOB, 0.02);
	assert_int_equal(cell(c, 0, COMPARE_IOPS)->answer, ANSWER_BETTER);
	assert_int_equal(note_of(c, "one-run")->weight, NOTE_INFO);
	compare_free(c);
	sides_done(&s);
}

/* A single run against several; several against several have no such note. */
static void test_one_of_several(void **state)
{
	(void)state;
	struct sides s = {0};
	runs_add(&s, 0, 5, 1000, 1000, 10);
	runs_add(&s, 1, 1, 1000, 2000, 10);
	runs_add(&s, 2, 5, 1000, 3000, 10);
	struct compare *c = compare_make(s.side, 3, COMPARE_BY_JOB, 0.02);
	const struct result_note *n = note_of(c, "one-run");
	assert_non_null(n);
	assert_non_null(strstr(n->text, "A / B: B has a single run"));
	assert_true(number_of(n, "runs_a") == 5 && number_of(n, "runs_b") == 1);
	assert_false(has_note(c, "A / C: C has a single run"));
	compare_free(c);
	sides_done(&s);
}

static void test_drift(void **state)
{
	(void)state;
	struct sides s = {0};
	side_add(&s, 0, series_run(1000, 0, 1));
	side_add(&s, 1, series_run(1100, 0.2, 2));
	struct compare *c = compare_make(s.side, 2, COMPARE_BY_JOB, 0.02);
	assert_int_equal(cell(c, 0, COMPARE_IOPS)->answer, ANSWER_UNDECIDED);
	assert_int_equal(cell(c, 0, COMPARE_IOPS)->why, WHY_DRIFT);
	assert_true(fabs(cell(c, 0, COMPARE_IOPS)->drift - 0.2) < 0.03);
	compare_free(c);
	sides_done(&s);
}

static void test_short(void **state)
{
	(void)state;
	struct sides s = {0};
	side_add(&s, 0, series_run(1000, 0, 1));
	side_add(&s, 1, series_run(1100, 0, 2));
	((struct result *)(uintptr_t)s.runs[1][0])->rows[0].runtime_ns = 10 * NS_PER_S;
	struct compare *c = compare_make(s.side, 2, COMPARE_BY_JOB, 0.02);
	assert_int_equal(cell(c, 0, COMPARE_IOPS)->why, WHY_SHORT);
	assert_true(cell(c, 0, COMPARE_IOPS)->length_s == 10);
	compare_free(c);
	sides_done(&s);
}

/* ---- what means hide ---- */

static struct result *run_of_kind(const struct fill_kind *k, uint64_t seed)
{
	struct result *r = run("db", 1000, 100, seed + 1);
	r->rows[0].dir[DIR_READ].lat = fill_humps(r, seed, k);
	return r;
}

static struct compare *compare_kinds(struct sides *s, const struct fill_kind *a,
	const struct fill_kind *b, uint64_t seed)
{
	for (unsigned i = 0; i < 4; i++) {
		side_add(s, 0, run_of_kind(a, seed + 2 * i));
		side_add(s, 1, run_of_kind(b, seed + 2 * i + 1));
	}
	return compare_make(s->side, 2, COMPARE_MEAN, 0.02);
}

static void test_means_hide(void **state)
{
	static const struct {
		struct fill_kind a, b;
		const char *words; /* NULL: silent */
	} cases[] = {
		{{200, 0, 0}, {200, 0, 0}, NULL},
		{{200, 0, 0}, {220, 0, 0}, NULL},
		{{200, 4000, 15}, {220, 4400, 15}, NULL},
		/* 0.985 * 130 + 0.015 * 4800 = 200 */
		{{200, 0, 0}, {130, 4800, 15}, "equal means hide the difference"},
		{{200, 0, 0}, {200, 20000, 5}, "the usual request is no different"},
		{{200, 0, 0}, {150, 20000, 8}, "opposite ways"},
		/* mean and median are better, p99 is 20 times worse: 0.985 * 100 + 0.015 * 4000
		   = 159 */
		{{200, 0, 0}, {100, 4000, 15}, "by p99"},
		/* half and half: the medians are those of one hump */
		{{200, 0, 0}, {100, 300, 500}, "equal means hide the difference"},
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct sides s = {0};
		struct compare *c = compare_kinds(&s, &cases[i].a, &cases[i].b, 100 * i);
		const struct result_note *n = note_of(c, "means-hide");
		if (!n != !cases[i].words || (n && !strstr(n->text, cases[i].words)))
			fail_msg("%zu: %s", i, n ? n->text : "silent");
		if (n) {
			assert_string_equal(n->job, "db");
			assert_true(number_of(n, "mean_low") < number_of(n, "mean_ratio"));
			assert_true(number_of(n, "slowest_percent_time_percent_a") < 2.5);
			assert_true(number_of(n, "slowest_percent_time_percent_b") > 1);
		}
		compare_free(c);
		sides_done(&s);
	}
}

/* The same on both sides: at most one comparison in twenty says that something is hidden. */
static void test_means_hide_nothing(void **state)
{
	static const struct fill_kind same = {100, 3000, 20};
	unsigned found = 0;

	(void)state;
	for (uint64_t seed = 0; seed < 60; seed++) {
		struct sides s = {0};
		struct compare *c = compare_kinds(&s, &same, &same, 1000 + 10 * seed);
		found += note_of(c, "means-hide") != NULL;
		compare_free(c);
		sides_done(&s);
	}
	assert_true(found <= 3);
}

/* ---- repeats ---- */

/* Three clones of one job and another job between groups: rates add up, counts of
 * latencies too; what differs in name or group stays apart. */
static void test_clones(void **state)
{
	(void)state;
	struct result *r = result_new();
	struct result_row *rows = fill_rows(r, 5);
	static const char *const names[] = {"db", "db", "db", "db", "log"};
	static const uint32_t groups[] = {0, 0, 0, 1, 1};

	for (unsigned i = 0; i < 5; i++) {
		rows[i].name = names[i];
		rows[i].what = "randread 4k";
		rows[i].group = groups[i];
		rows[i].members = 1;
		rows[i].runtime_ns = SECONDS * NS_PER_S;
		fill_dir(&rows[i].dir[DIR_READ], 100 * SECONDS, 4096, SECONDS * NS_PER_S);
		rows[i].dir[DIR_READ].lat = fill_tail(r, 7, 1000, 1000);
	}
	assert_int_equal(result_join_clones(r), 0);
	assert_int_equal(r->rows_count, 3);
	assert_int_equal(r->rows[0].members, 3);
	assert_float_equal(result_iops(&r->rows[0].dir[DIR_READ]), 300, 1e-9);
	assert_int_equal(r->rows[0].dir[DIR_READ].lat->moments.count,
		3 * r->rows[1].dir[DIR_READ].lat->moments.count);
	assert_int_equal(r->rows[1].group, 1);
	assert_string_equal(r->rows[2].name, "log");
	result_free(r);
}

static void test_repeated(void **state)
{
	(void)state;
	struct sides s = {0};
	for (unsigned i = 0; i < 5; i++)
		side_add(&s, 0, run("db", 1000 + 10 * (int)(i % 2), 100, i));
	struct repeated *r = repeated_make(&s.side[0], COMPARE_BY_JOB);
	/* 1000 1010 1000 1010 1000: mean 1004, sd sqrt(30), t(.975, 4) = 2.7764451 */
	assert_int_equal(r->count, 1);
	assert_int_equal(r->lines[0].n, 5);
	assert_true(fabs(r->lines[0].mean - 1004) < 1e-9);
	assert_true(fabs(r->lines[0].half - 2.7764451 * sqrt(30 / 5.0) / 1004) < 1e-9);
	assert_true(repeated_reached(r, 0.007));
	assert_false(repeated_reached(r, 0.006));
	repeated_free(r);

	for (unsigned i = 5; i < 12; i++)
		side_add(&s, 0, run("db", 1000 + 20 * i, 100, i));
	r = repeated_make(&s.side[0], COMPARE_BY_JOB);
	assert_true(r->lines[0].drifting || r->lines[0].time > 2);
	assert_false(repeated_reached(r, 0.05));
	repeated_free(r);
	sides_done(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_runs),
		cmocka_unit_test(test_pairs),
		cmocka_unit_test(test_one),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_shapes),
		cmocka_unit_test(test_broken),
		cmocka_unit_test(test_environment),
		cmocka_unit_test(test_names_of_places),
		cmocka_unit_test(test_series),
		cmocka_unit_test(test_far_apart),
		cmocka_unit_test(test_one_of_several),
		cmocka_unit_test(test_drift),
		cmocka_unit_test(test_short),
		cmocka_unit_test(test_means_hide),
		cmocka_unit_test(test_means_hide_nothing),
		cmocka_unit_test(test_clones),
		cmocka_unit_test(test_repeated),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
