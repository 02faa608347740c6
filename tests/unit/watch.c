/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What is watched during a run: reading made-up machines, the kernel's log, JSON and back, and
 * that its keys are documented.
 *
 * usage: unit-watch docs/guide/watch.md */
#include "result/watch.h"

#include "base/bits.h"
#include "base/err.h"
#include "base/json.h"
#include "base/scope.h"
#include "base/str.h"
#include "report/report.h"
#include "report/watch.h"
#include "result/import.h"
#include "result/result.h"
#include "run/observe.h"
#include "sys/kmsg.h"
#include "sys/vital.h"
#include "tests/unit/sys-tree.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/captured.h"

static const char *page;

/* ---- reading ---- */

static void test_busy_machine(void **state)
{
	struct vital_counts c;
	struct vital_task task;
	struct vital_io io;
	struct vital v;
	struct tree t;

	(void)state;
	tree_make(&t, "busy.tree");
	vital_find(&t.root, &v);
	assert_int_equal(v.cpus_count, 2);
	assert_int_equal(v.sensors_count, 3); /* not the fan's, nor the battery's */
	vital_look(&v, true, &c);
	/* 100 + 5 + 50 + 800 + 20 + 3 + 12 + 30; guest time is in user's */
	assert_int_equal(c.cpu_ticks, 1020);
	assert_int_equal(c.idle_ticks, 820);
	assert_int_equal(c.steal_ticks, 30);
	assert_int_equal(c.pressure_us[VITAL_CPU], 12345);
	assert_int_equal(c.pressure_us[VITAL_IO], 678);
	assert_true(c.pressure_us[VITAL_MEMORY] == FACT_UNKNOWN);
	assert_int_equal(c.dirty_bytes, 12 << 10);
	assert_int_equal(c.writeback_bytes, 3 << 10);
	assert_int_equal(c.frequency_khz, 800000);
	assert_int_equal(c.throttled, 1 + 2 + 4 + 8);
	assert_int_equal(c.group_throttled_us, 4321);
	assert_int_equal(c.cpu_c, 91);
	assert_int_equal(c.drive_c, 68);
	vital_look(&v, false, &c);
	assert_true(c.drive_c == FACT_UNKNOWN); /* it wasn't asked */
	assert_int_equal(c.cpu_c, 91);

	assert_int_equal(vital_task(&t.root, 42, 0, &task), 0);
	assert_true(task.run_ns == 5000000 && task.wait_ns == 700);
	assert_int_equal(vital_task(&t.root, 42, 43, &task), 0);
	assert_true(task.run_ns == 9 && task.wait_ns == 8);
	assert_true(vital_task(&t.root, 44, 0, &task) < 0);
	assert_int_equal(vital_io(&t.root, 42, &io), 0);
	assert_true(io.read_bytes == 8192 && io.written_bytes == 4096);
	tree_remove(&t);
}

/* Where nothing is told nothing is known. */
static void test_silent_machine(void **state)
{
	struct vital_counts c;
	struct vital v;
	struct tree t;

	(void)state;
	tree_make(&t, "disk.tree");
	vital_find(&t.root, &v);
	vital_look(&v, true, &c);
	for (size_t i = 0; i < sizeof(c) / sizeof(uint64_t); i++)
		assert_true(((const uint64_t *)&c)[i] == FACT_UNKNOWN);
	tree_remove(&t);
}

/* ---- the kernel's log ---- */

static void test_kernel_log(void **state)
{
	static const struct {
		const char *record, *text; /* NULL: not of interest */
	} records[] = {
		{"3,812,90012345,-;blk_update_request: I/O error, dev sda, sector 5\n SUBSYSTEM=block\n",
			"blk_update_request: I/O error, dev sda, sector 5"},
		{"4,1,2,-;nvme nvme0: I/O 3 QID 2 timeout, aborting",
			"nvme nvme0: I/O 3 QID 2 timeout, aborting"},
		{"5,1,2,-;sda: a notice", NULL},
		{"6,1,2,c;EXT4-fs (sda1): mounted", NULL},
		{"12,1,2,-;a program says sda", NULL}, /* facility 1, level 4 */
		{"nonsense", NULL},
		{"", NULL},
	};
	static const struct {
		const char *text, *name;
		bool is;
	} names[] = {
		{"I/O error, dev sda, sector 5", "sda", true},
		{"sda1: read failed", "sda", true},
		{"I/O error, dev sdaa, sector 5", "sda", false},
		{"nvme0n1p2: error", "nvme0n1", true},
		{"nvme0n12: error", "nvme0n1", false},
		{"EXT4-fs error (device loop1): x", "loop1", true},
		{"EXT4-fs error (device loop12): x", "loop1", false},
		{"msda", "sda", false},
		{"sda", "", false},
	};
	char text[256];

	(void)state;
	for (size_t i = 0; i < COUNT_OF(records); i++) {
		bool got = kmsg_text(records[i].record, text, sizeof(text));
		if (got != (records[i].text != NULL))
			fail_msg("%s", records[i].record);
		if (got)
			assert_string_equal(text, records[i].text);
	}
	for (size_t i = 0; i < COUNT_OF(names); i++)
		if (kmsg_names(names[i].text, names[i].name) != names[i].is)
			fail_msg("'%s' in '%s'", names[i].name, names[i].text);
}

/* ---- the series ---- */

/* Look I comes at second I, with I percent stolen, 1 byte read and I in flight. */
static void put_looks(struct observe *o, uint32_t from, uint32_t to)
{
	for (uint32_t i = from; i <= to; i++) {
		struct watch_second one;
		facts_forget(&watch_second_table, &one);
		one.t_s = one.steal_percent = i;
		one.device_read_bytes = one.moved_written_bytes = 1;
		one.device_written_bytes = one.moved_read_bytes = 2;
		one.dirty_bytes = one.frequency_khz = one.in_flight = i;
		observe_put(o, &one);
	}
}

/* Entry AT is of the looks FROM to TO. */
static void of_looks(const struct observe *o, uint32_t at, uint32_t from, uint32_t to)
{
	const struct watch_second *s = &o->seconds[at];
	uint32_t looks = to - from + 1;

	assert_true(s->t_s == to);
	assert_true(fabs(s->steal_percent - (from + to) / 2.0) < 1e-9);
	assert_true(isnan(s->busy_percent));
	assert_int_equal(s->device_read_bytes, looks);
	assert_int_equal(s->moved_written_bytes, looks);
	assert_int_equal(s->device_written_bytes, 2 * looks);
	assert_int_equal(s->moved_read_bytes, 2 * looks);
	assert_int_equal(s->dirty_bytes, to);
	assert_int_equal(s->frequency_khz, from);
	assert_int_equal(s->in_flight, to);
	assert_true(s->cpu_temperature_c == FACT_UNKNOWN);
}

static void test_long_series(void **state)
{
	struct observe *o = calloc(1, sizeof(*o));

	(void)state;
	assert_non_null(o);
	o->stride = 1;
	put_looks(o, 1, 512);
	assert_int_equal(o->seconds_count, 512);
	of_looks(o, 511, 512, 512);
	put_looks(o, 513, 513);
	assert_int_equal(o->seconds_count, 257);
	of_looks(o, 0, 1, 2);
	of_looks(o, 255, 511, 512);
	of_looks(o, 256, 513, 513);
	put_looks(o, 514, 1024);
	assert_int_equal(o->seconds_count, 512);
	of_looks(o, 256, 513, 514);
	of_looks(o, 511, 1023, 1024);
	put_looks(o, 1025, 1027);
	assert_int_equal(o->seconds_count, 257);
	of_looks(o, 0, 1, 4);
	of_looks(o, 256, 1025, 1027);
	put_looks(o, 1028, 1029);
	assert_int_equal(o->seconds_count, 258);
	of_looks(o, 256, 1025, 1028);
	of_looks(o, 257, 1029, 1029);
	free(o);
}

/* ---- shares ---- */

static void test_shares(void **state)
{
	struct watch_job j = {
		.buffered = 1, .moved_read_bytes = 1000, .storage_read_bytes = 250};
	struct watch_run run;

	(void)state;
	assert_true(fabs(watch_cache_share(&j) - 0.75) < 1e-12);
	j.storage_read_bytes = 1200; /* read ahead */
	assert_true(watch_cache_share(&j) == 0);
	j.buffered = 0;
	assert_true(watch_cache_share(&j) < 0);
	facts_forget(&watch_run_table, &run);
	assert_true(watch_foreign_share(&run) < 0);
	run.device_read_bytes = 700;
	run.device_written_bytes = 300;
	run.foreign_read_bytes = 50;
	assert_true(fabs(watch_foreign_share(&run) - 0.05) < 1e-12);
	run.foreign_written_bytes = 150;
	assert_true(fabs(watch_foreign_share(&run) - 0.2) < 1e-12);
}

/* ---- JSON ---- */

/* Every member known, each with a value of its own. */
static void fill(const struct fact_table *t, void *of, double *next)
{
	const char *some = "some text";

	for (size_t i = 0; i < t->count; i++, *next += 1) {
		char *at = (char *)of + t->rows[i].offset;
		switch (t->rows[i].kind) {
		case FACT_TEXT:
			memcpy(at, &some, sizeof(some));
			break;
		case FACT_COUNT:
			memcpy(at, &(uint64_t){(uint64_t)*next}, sizeof(uint64_t));
			break;
		case FACT_FLAG:
			memcpy(at, &(uint64_t){1}, sizeof(uint64_t));
			break;
		case FACT_REAL:
			memcpy(at, &(double){*next + 0.25}, sizeof(double));
			break;
		}
	}
}

static void write_watch(const struct watch *w, struct str *out)
{
	struct json j;
	json_init(&j, out, JSON_FIO);
	json_object(&j, NULL);
	report_json_watch(&j, w);
	json_object_end(&j);
}

static void test_comes_back(void **state)
{
	const char *lines[] = {"sda: reset", "sda: \"again\""};
	struct watch_device devices[2];
	struct watch_job jobs[1];
	struct watch_target targets[1];
	struct watch_drive drives[1];
	struct watch_second seconds[3];
	struct watch w = {.devices = devices,
		.jobs = jobs,
		.targets = targets,
		.drives = drives,
		.seconds = seconds,
		.kernel = lines,
		.devices_count = 2,
		.jobs_count = 1,
		.targets_count = 1,
		.drives_count = 1,
		.seconds_count = 3,
		.kernel_count = 2,
		.kernel_more = 7};
	scope_with(str_done) struct str was = {0}, is = {0}, doc = {0};
	scope_with(import_done) struct import_list list = {0};
	struct result *r = result_new();
	struct err err = {0};
	double next = 3;

	(void)state;
	fill(&watch_run_table, &w.run, &next);
	for (size_t i = 0; i < WATCH_LISTS; i++) {
		uint32_t count;
		char *v = watch_list_of(&w, &watch_lists[i], &count);
		for (uint32_t k = 0; k < count; k++)
			fill(watch_lists[i].table, v + k * watch_lists[i].size, &next);
	}
	r->final = true;
	r->watch = &w;
	const struct report_how how = {.native = true, .version = "test"};
	report_json.print(r, &how, &doc);
	assert_int_equal(import_text("doc", str_text(&doc), doc.len, &list, &err), 0);
	assert_int_equal(list.count, 1);
	assert_non_null(list.results[0]->watch);
	write_watch(&w, &was);
	write_watch(list.results[0]->watch, &is);
	assert_string_equal(str_text(&was), str_text(&is));
	assert_non_null(strstr(str_text(&is), "again"));
	result_free(r);
}

static void test_documented(void **state)
{
	(void)state;
	captured_in_page(page, "watch", &watch_run_table);
	for (size_t i = 0; i < WATCH_LISTS; i++)
		captured_in_page(page, watch_lists[i].key, watch_lists[i].table);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_busy_machine),
		cmocka_unit_test(test_silent_machine),
		cmocka_unit_test(test_kernel_log),
		cmocka_unit_test(test_long_series),
		cmocka_unit_test(test_shares),
		cmocka_unit_test(test_comes_back),
		cmocka_unit_test(test_documented),
	};
	page = argc > 1 ? argv[1] : "docs/guide/watch.md";
	return cmocka_run_group_tests(tests, NULL, NULL);
}
