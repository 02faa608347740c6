/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What notes say: which of several causes, which remedy, which figures behind it. */
#include "base/bits.h"
#include "result/work.h"
#include "tests/unit/note_world.h"
#include "tests/unit/report_fill.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- what a device can take ---- */

/* A device that takes one after the other, 1 ms each, and 32 requests at once: the first take
 * 1, 2, ... 32 ms, all others 32.  LATER_NS is what another of each second takes. */
static void one_by_one(struct world *w, uint64_t later_ns)
{
	struct histogram *h = calloc(1, sizeof(*h));
	struct series *s = &w->row->series;

	assert_non_null(h);
	world_saturated(w);
	/* one hundredth of them is no faster than the median */
	for (int d = 0; d <= DIR_WRITE; d++)
		fill_percentiles(w->row->dir[d].lat, (const double[]){1, 100},
			(const uint64_t[]){32000000, 32000000}, 2);
	series_done(s);
	*s = (struct series){.interval_ns = NS_PER_S, .start_ns = 1000};
	for (uint32_t i = 0; i < WORLD_SECONDS; i++) {
		histogram_reset(h);
		for (uint32_t k = 1; k <= 1000; k++)
			histogram_record(h, (i || k > 32 ? 32 : k) * UINT64_C(1000000));
		histogram_record(h, later_ns);
		series_add(s, 1000 + i * NS_PER_S, DIR_READ, 1001, 1001 * 4096, h, NULL);
	}
	free(h);
}

static void test_one_by_one(void **state)
{
	struct world w;

	(void)state;
	world_make(&w);
	one_by_one(&w, 32000000);
	world_ask(&w, false);
	assert_int_equal(w.r->notes_count, 1);
	assert_string_equal(w.r->notes[0].id, "saturated");
	assert_non_null(strstr(w.r->notes[0].text, "none after the start less than 32"));
	world_done(&w);

	/* fast ones all the time: those are hits of a cache */
	world_make(&w);
	one_by_one(&w, 1000000);
	world_ask(&w, false);
	assert_int_equal(w.r->notes_count, 0);
	world_done(&w);
}

/* Bytes that waited in memory when the run began are no other program's. */
static void test_waited(void **state)
{
	static const struct {
		uint64_t before_mib;
		const char *remedy;
	} runs[] = {
		{0, "stop the others, or wait for them"},
		{14, "stop the others, or wait for them"}, /* less than half of the 30 */
		{15, "run sync before it"},
		{900, "run sync before it"},
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(runs); i++) {
		struct world w;
		world_make(&w);
		w.w.run.foreign_written_bytes = 30 * MIB;
		w.w.run.dirty_before_bytes = runs[i].before_mib * MIB;
		world_ask(&w, false);
		assert_int_equal(w.r->notes_count, 1);
		assert_string_equal(w.r->notes[0].remedy, runs[i].remedy);
		world_done(&w);
	}
}

/* ---- what a change is said to be ---- */

static double warm_up(uint32_t second)
{
	return second < 8 ? 3000 : 10000;
}

static double saw(uint32_t second)
{
	return second / 8 % 2 ? 4000 : 10000;
}

static double stairs(uint32_t second)
{
	return second < 20 ? 10000 : second < 40 ? 5000 : 8000;
}

static double slope(uint32_t second)
{
	return 10000 * exp(-0.01 * second);
}

static void test_shapes(void **state)
{
	static const struct {
		double (*rate)(uint32_t second);
		bool hot, buffered;
		const char *word;
	} shapes[] = {
		{warm_up, false, false, "warmed up"},
		{world_cliff, false, false, "SLC"},
		{world_cliff, true, false, "heat"},
		{world_cliff, false, true, "memory was full"},
		{saw, false, false, "garbage collection"},
		{stairs, false, false, "changed 2 times between "},
		{slope, false, false, "steadily"},
	};
	struct world w;

	(void)state;
	for (size_t i = 0; i < COUNT_OF(shapes); i++) {
		bool found = false;
		world_make(&w);
		world_series(&w, shapes[i].rate);
		w.drive.throttled = shapes[i].hot;
		w.job.buffered = shapes[i].buffered;
		world_ask(&w, false);
		for (uint32_t k = 0; k < w.r->notes_count; k++) {
			const struct result_note *n = &w.r->notes[k];
			if (strcmp(n->id, "rate-changed") != 0)
				continue;
			found = true;
			if (!strstr(n->text, shapes[i].word))
				fail_msg("no '%s' in: %s", shapes[i].word, n->text);
			if (shapes[i].rate == world_cliff) /* within 2 s */
				assert_true(fabs(n->evidence[0].value - 30) <= 2);
		}
		if (!found)
			fail_msg("nothing found: %s", shapes[i].word);
		world_done(&w);
	}
}

/* A rate that changes while another job begins or ends has its cause in that. */
static void test_explained(void **state)
{
	static const struct {
		uint64_t begin_s, end_s; /* of the other job                       */
		bool said;
	} others[] = {
		{0, 60, true},
		{31, 60, false},
		{34, 60, true},
		{0, 29, false},
		{0, 26, true},
	};
	struct world w;

	(void)state;
	for (size_t i = 0; i < COUNT_OF(others); i++) {
		bool said = false;
		world_make(&w);
		struct result_row rows[2] = {w.r->rows[0], w.r->rows[0]}, *own = w.r->rows;
		memset(&rows[1].series, 0, sizeof(rows[1].series));
		rows[1].name = "b";
		rows[1].window_start_ns = 1000 + others[i].begin_s * NS_PER_S;
		rows[1].window_end_ns = 1000 + others[i].end_s * NS_PER_S;
		w.row = w.r->rows = rows;
		w.r->rows_count = 2;
		world_series(&w, world_cliff);
		world_ask(&w, false);
		for (uint32_t k = 0; k < w.r->notes_count; k++)
			said |= !strcmp(w.r->notes[k].id, "rate-changed");
		if (said != others[i].said)
			fail_msg("other job %zu: %d", i, said);
		own[0] = rows[0];
		w.r->rows = own;
		w.r->rows_count = 1;
		world_done(&w);
	}
}

/* Where the rate changes, too, that says it. */
static void test_tail_at_the_same_rate(void **state)
{
	(void)state;
	for (int slower = 0; slower < 2; slower++) {
		struct world w;
		world_make(&w);
		struct series *s = &w.row->series;
		series_done(s);
		*s = (struct series){.interval_ns = NS_PER_S, .start_ns = 1000};
		for (uint32_t i = 0; i < WORLD_SECONDS; i++) {
			struct histogram *h = calloc(1, sizeof(*h));
			uint64_t ios = slower && i >= 30 ? 500 : 1000;
			assert_non_null(h);
			for (uint64_t k = 0; k < ios; k++)
				histogram_record(h, k * 100 < ios * 97 ? 50000
						    : i < 30           ? 100000
								       : 400000);
			series_add(s, 1000 + i * NS_PER_S, DIR_READ, ios, ios * 4096, h, NULL);
			free(h);
		}
		world_ask(&w, false);
		assert_int_equal(w.r->notes_count, 1);
		assert_string_equal(w.r->notes[0].id, slower ? "rate-changed" : "tail-changed");
		world_done(&w);
	}
}

/* ---- what a sync would cost ---- */

static double evidence_of(const struct result_note *n, const char *key)
{
	for (uint32_t i = 0; i < n->evidence_count; i++)
		if (!strcmp(n->evidence[i].key, key))
			return n->evidence[i].value;
	return NAN;
}

/* A device that took 1000 MiB in 10 of 60 s takes the 20 MiB that are left in 0.2 s. */
static void test_sync_cost(void **state)
{
	static const struct {
		uint64_t written, read, left;
		double busy_percent, cost_s;
	} cases[] = {
		{1000 * MIB, 0, 20 * MIB, 100.0 / 6, 0.2},
		{1000 * MIB, 0, 2000 * MIB, 100.0 / 6, 20},
		{1000 * MIB, 0, 20001 * MIB, 100.0 / 6, NAN}, /* too far beyond what it did */
		{1000 * MIB, 251 * MIB, 20 * MIB, 100.0 / 6, NAN}, /* it had other work */
		{15 * MIB, 0, 20 * MIB, 100.0 / 6, NAN},
		{1000 * MIB, 0, 20 * MIB, 0.1, NAN}, /* 60 ms: nothing was seen but a cache */
		{1000 * MIB, 0, 20 * MIB, NAN, NAN},
	};
	struct watch_device device = {.name = "nvme0n1"};
	struct world w;

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		world_make(&w);
		device.written_bytes = w.w.run.device_written_bytes = cases[i].written;
		w.w.run.device_read_bytes = cases[i].read;
		w.w.run.foreign_read_bytes = w.w.run.storage_read_bytes = FACT_UNKNOWN;
		device.busy_percent = cases[i].busy_percent;
		w.w.devices = &device;
		w.w.devices_count = 1;
		w.after.dirty_bytes = cases[i].left;
		w.after.writeback_bytes = 0;
		world_ask(&w, false);
		assert_int_equal(w.r->notes_count, 1);
		const struct result_note *n = &w.r->notes[0];
		assert_string_equal(n->id, "unsynced");
		double cost_s = evidence_of(n, "sync_estimated_s");
		if (isnan(cases[i].cost_s)) {
			assert_true(isnan(cost_s));
			assert_non_null(strstr(n->text, "costs isn't known"));
		} else {
			assert_true(fabs(cost_s - cases[i].cost_s) < 1e-9);
			/* 60 s of writing, and then the sync */
			double whole = evidence_of(n, "written_bytes_per_s") * 60;
			assert_true(fabs(evidence_of(n, "with_sync_bytes_per_s") *
						    (60 + cost_s) -
					    whole) < 1e-3 * whole);
		}
		world_done(&w);
	}
}

/* ---- what helps depends on what the job has already ---- */

static void test_depth_remedies(void **state)
{
	static const struct {
		const char *engine, *kind, *fs;
		bool synchronous;
		uint64_t buffered;
		const char *has, *has_not;
	} cases[] = {
		{"libaio", "file", "ext4", true, 1, "direct=1 or io_uring", NULL},
		{"io_uring", "file", "ext4", true, 1, "direct=1", "io_uring"},
		{"libaio", "file", "ext4", true, 0, "write the file first", "use direct=1"},
		{"libaio", "file", "btrfs", true, 0, "chattr +C", "write the file first"},
		{"libaio", "block device", "ext4", true, 0, "a disk of RAM", "use direct=1"},
		{"libaio", "block device", "ext4", true, FACT_UNKNOWN, "direct=1", NULL},
		{"psync", "file", "ext4", false, 1, "libaio with direct=1", NULL},
		{"psync", "file", "ext4", false, 0, "io_uring or libaio", "direct=1"},
	};
	struct world w;

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		world_make(&w);
		w.row->engine = cases[i].engine;
		w.target.kind = cases[i].kind;
		w.fs.type = cases[i].fs;
		w.job.buffered = cases[i].buffered;
		w.row->depth_asked = 32;
		w.row->submit_synchronous = cases[i].synchronous;
		world_ask(&w, false);
		assert_int_equal(w.r->notes_count, 1);
		const char *remedy = w.r->notes[0].remedy;
		if (!strstr(remedy, cases[i].has) ||
			(cases[i].has_not && strstr(remedy, cases[i].has_not)))
			fail_msg("%s %s: %s", cases[i].engine, cases[i].kind, remedy);
		world_done(&w);
	}
}

/* ---- how much of a job is at random, against a trace ---- */

static void test_random_share(void **state)
{
	static const struct {
		const char *rw, *other, *value;
		double random; /* percent */
	} cases[] = {
		{"read", NULL, NULL, 0},
		{"randread", NULL, NULL, 100},
		{"randread:8", NULL, NULL, 12.5},
		{"randread:1", NULL, NULL, 100},
		{"randread:8", "rw_sequencer", "sequential", 12.5},
		{"randread:8", "rw_sequencer", "identical", 100},
		{"randread", "percentage_random", "40", 40},
		{"randread:4", "percentage_random", "40,100", 10},
		{"read:4k", NULL, NULL, 100},
		{"read:-4k", NULL, NULL, 100},
		{"read:0", NULL, NULL, 0},
	};
	struct world w;

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		const struct work like = {
			.trace = "db.trace",
			.ios_per_s = NAN,
			.read_percent = NAN,
			.read_bytes = NAN,
			.write_bytes = NAN,
			.random_percent = cases[i].random < 50 ? 100 : 0,
			.depth = NAN,
			.syncs_percent = NAN,
		};
		const struct result_option options[] = {
			{"rw", cases[i].rw}, {cases[i].other, cases[i].value}};
		world_make(&w);
		w.row->options = options;
		w.row->options_count = cases[i].other ? 2 : 1;
		w.row->dir[DIR_WRITE].ios = 0;
		w.r->like = &like;
		world_ask(&w, false);
		const struct result_note *n = NULL;
		for (uint32_t k = 0; k < w.r->notes_count; k++)
			if (!strcmp(w.r->notes[k].id, "unlike-work"))
				n = &w.r->notes[k];
		assert_non_null(n);
		double got = evidence_of(n, "random_percent");
		if (fabs(got - cases[i].random) > 1e-9)
			fail_msg("%s: %g %% at random, not %g %%", cases[i].rw, got,
				cases[i].random);
		world_done(&w);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one_by_one),
		cmocka_unit_test(test_waited),
		cmocka_unit_test(test_shapes),
		cmocka_unit_test(test_explained),
		cmocka_unit_test(test_tail_at_the_same_rate),
		cmocka_unit_test(test_sync_cost),
		cmocka_unit_test(test_depth_remedies),
		cmocka_unit_test(test_random_share),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
