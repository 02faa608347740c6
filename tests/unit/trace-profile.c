/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* A binary block trace that is written is the one that is read; the profile of a load that is
 * known is that load; and where a tracepoint's fields lie is read off its description. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/bits.h"
#include "base/err.h"
#include "sys/tracepoint.h"
#include "trace/blkwrite.h"
#include "trace/profile.h"
#include "trace/trace.h"

/* ---- written and read ---- */

struct scratch {
	char dir[64], path[80];
};

static struct blkwrite *begin(struct scratch *s)
{
	struct blkwrite *b = NULL;
	struct err e;

	snprintf(s->dir, sizeof(s->dir), "/tmp/weir-unit-profile-XXXXXX");
	assert_non_null(mkdtemp(s->dir));
	snprintf(s->path, sizeof(s->path), "%s/t", s->dir);
	assert_int_equal(blkwrite_open(s->path, &b, &e), 0);
	return b;
}

static void finish(struct scratch *s)
{
	unlink(s->path);
	rmdir(s->dir);
}

static void put(struct blkwrite *b, uint64_t us, enum blkwrite_act act, const char *what,
	uint64_t sector, uint32_t bytes)
{
	assert_int_equal(blkwrite_event(b, &(struct blkwrite_event){.time_ns = us * 1000,
						   .sector = sector,
						   .bytes = bytes,
						   .device = 8 << 20 | 17,
						   .act = act,
						   .what = what}),
		0);
}

/* Letters of the kernel (blkparse(1), RWBS): of the flush that goes before there is a sync. */
static void written_is_read(void **state)
{
	static const char *const want[] = {"0 read 4096+4096", "1000 write 8192+512",
		"2000 trim 0+1048576", "3000 sync", "4000 sync", "4000 write 512+512",
		"5000 write 1024+512", "6000 read 0+512"};
	struct scratch s;
	struct blkwrite *b = begin(&s);
	struct trace_record r;
	struct trace *t;
	struct err e;

	(void)state;
	assert_int_equal(blkwrite_program(b, 9000, 77, "a program of a long name"), 0);
	put(b, 10, BLKWRITE_QUEUED, "R", 8, 4096);
	put(b, 11, BLKWRITE_QUEUED, "WS", 16, 512);
	put(b, 12, BLKWRITE_QUEUED, "DS", 0, 1 << 20);
	put(b, 13, BLKWRITE_QUEUED, "FF", 0, 0);
	put(b, 14, BLKWRITE_QUEUED, "FWFSM", 1, 512);
	put(b, 15, BLKWRITE_QUEUED, "WFS", 2, 512);
	put(b, 16, BLKWRITE_QUEUED, "RA", 0, 512);
	put(b, 17, BLKWRITE_DONE, "R", 8, 4096);
	assert_int_equal(blkwrite_message(b, 18000, 0, "a word"), 0);
	assert_int_equal(blkwrite_close(b, &e), 0);
	assert_int_equal(blkwrite_open(s.path, &b, &e), -17);
	assert_non_null(strstr(e.text, "exists already"));
	assert_int_equal(trace_open(&(struct trace_input){.path = s.path}, 1, &t, &e), 0);
	for (size_t i = 0; i < COUNT_OF(want); i++) {
		char line[128];
		assert_int_equal(trace_next(t, &r, &e), 1);
		int n = snprintf(line, sizeof(line), "%llu %s", (unsigned long long)r.time_ns,
			trace_action_name(r.action));
		if (r.action <= TRACE_TRIM)
			snprintf(line + n, sizeof(line) - (size_t)n, " %llu+%llu",
				(unsigned long long)r.offset, (unsigned long long)r.bytes);
		assert_string_equal(line, want[i]);
	}
	assert_int_equal(trace_next(t, &r, &e), 0);
	trace_free(t);
	finish(&s);
}

static void what_is_io(void **state)
{
	static const struct {
		const char *what;
		bool is;
	} cases[] = {{"R", true}, {"FF", true}, {"F", true}, {"DE", true}, {"N", false},
		{"ZR", false}, {"", false}};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++)
		assert_int_equal(blkwrite_is_io(&(struct blkwrite_event){
					 .what = cases[i].what}),
			cases[i].is);
}

/* ---- profiles ---- */

static void profile_of(const char *path, struct trace_profile *p)
{
	struct profile_look *l = profile_look_new();
	struct trace_record r;
	struct trace *t;
	struct err e;

	assert_int_equal(trace_open(&(struct trace_input){.path = path, .completions = true}, 1,
				 &t, &e),
		0);
	while (trace_next(t, &r, &e) == 1)
		assert_int_equal(profile_look_add(l, &r), 0);
	profile_look_end(l, p);
	profile_look_free(l);
	trace_free(t);
}

/* 3 random reads of 4 KiB to one write of 16 KiB in order, four in flight, 100 us apart; the
 * reads go to the last quarter of 64 MiB. */
static void load_write(struct blkwrite *b, bool issues)
{
	uint64_t us = 0, log = 0, seed = 1;
	struct {
		uint64_t sector;
		uint32_t bytes;
		const char *what;
	} flight[4] = {{0}};

	for (unsigned i = 0; i < 4000; i++, us += 100) {
		unsigned k = i % 4;
		if (flight[k].bytes)
			put(b, us, BLKWRITE_DONE, flight[k].what, flight[k].sector,
				flight[k].bytes);
		seed = seed * 6364136223846793005u + 1442695040888963407u;
		flight[k].what = k ? "R" : "WS";
		flight[k].bytes = k ? 4096 : 16384;
		flight[k].sector = k ? 98304 + (seed >> 40) % 4096 * 8 : log;
		log += k ? 0 : 32;
		put(b, us, BLKWRITE_QUEUED, flight[k].what, flight[k].sector, flight[k].bytes);
		if (issues)
			put(b, us, BLKWRITE_ISSUED, flight[k].what, flight[k].sector,
				flight[k].bytes);
	}
}

static void known_load(void **state)
{
	(void)state;
	for (int issues = 0; issues < 2; issues++) {
		struct scratch s;
		struct blkwrite *b = begin(&s);
		struct trace_profile p;
		struct err e;
		uint64_t parts = 0, zones = 0;

		load_write(b, issues);
		assert_int_equal(blkwrite_close(b, &e), 0);
		profile_of(s.path, &p);
		assert_int_equal(p.ios[TRACE_READ], 3000);
		assert_int_equal(p.ios[TRACE_WRITE], 1000);
		assert_int_equal(p.sizes_count[TRACE_READ], 1);
		assert_int_equal(p.sizes[TRACE_READ][0].bytes, 4096);
		assert_int_equal(p.sizes[TRACE_WRITE][0].bytes, 16384);
		assert_int_equal(p.sizes[TRACE_WRITE][0].ios, 1000);
		assert_int_equal(p.random[TRACE_WRITE], 1); /* the first */
		assert_true(p.random[TRACE_READ] > 2900);
		assert_int_equal(p.depth_median, 4);
		assert_int_equal(p.depth_p95, 4);
		assert_int_equal(p.depth_max, 4);
		assert_int_equal((int)(profile_iops(&p) + 0.5), 10000);
		assert_true(p.gap_variation < 0.01);
		for (unsigned i = 0; i < p.parts_count; i++)
			parts += p.parts[i];
		assert_int_equal(parts, 4000);
		for (unsigned i = PROFILE_ZONES * 3 / 4; i < PROFILE_ZONES; i++)
			zones += p.zones[i];
		assert_true(zones > 2900);
		finish(&s);
	}
}

/* Two streams that take turns are in order, each. */
static void streams(void **state)
{
	struct profile_look *l = profile_look_new();
	struct trace_profile p;

	(void)state;
	for (uint64_t i = 0; i < 1000; i++)
		assert_int_equal(profile_look_add(l,
					 &(struct trace_record){.time_ns = i * 1000,
						 .offset = i / 2 * 4096 + (i % 2 ? 1 << 30 : 0),
						 .bytes = 4096}),
			0);
	profile_look_end(l, &p);
	profile_look_free(l);
	assert_int_equal(p.random[TRACE_READ], 2);
	assert_int_equal(p.depth_max, 0); /* nothing told when one was done */
}

/* Against an array that is counted: up to 300 in flight, done in any order. */
static void depth_is_counted(void **state)
{
	struct profile_look *l = profile_look_new();
	uint64_t flying[300] = {0}, histogram[301] = {0}, sum = 0, all = 0, seed = 5, time = 0;
	struct trace_profile p;
	uint32_t median = 0, count = 0;

	(void)state;
	for (unsigned i = 0; i < 100000; i++) {
		seed = seed * 6364136223846793005u + 1442695040888963407u;
		uint64_t *at = &flying[(seed >> 33) % 300];
		struct trace_record r = {.time_ns = time++, .bytes = 512, .action = TRACE_DONE};
		r.offset = *at;
		count += *at ? -1u : 1u;
		*at = *at ? 0 : (uint64_t)(i + 1) * 512;
		if (*at) {
			r.action = TRACE_ISSUED;
			r.offset = *at;
			histogram[count]++;
			all++;
		}
		assert_int_equal(profile_look_add(l, &r), 0);
	}
	for (uint32_t i = 0; i <= 300 && sum * 2 < all; i++) {
		sum += histogram[i];
		median = i;
	}
	profile_look_end(l, &p);
	profile_look_free(l);
	assert_int_equal(p.depth_median, median);
	assert_true(p.depth_max > 150 && p.depth_max <= 300);
}

/* ---- descriptions ---- */

static const char format[] =
	"name: block_rq_issue\nID: 1207\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\n"
	"\tfield:dev_t dev;\toffset:8;\tsize:4;\tsigned:0;\n"
	"\tfield:sector_t sector;\toffset:16;\tsize:8;\tsigned:0;\n"
	"\tfield:unsigned int nr_sector;\toffset:24;\tsize:4;\tsigned:0;\n"
	"\tfield:char rwbs[10];\toffset:34;\tsize:10;\tsigned:0;\n"
	"\tfield:__data_loc char[] cmd;\toffset:60;\tsize:4;\tsigned:0;\n\n"
	"print fmt: \"%d,%d %s\", REC->dev\n";

static void fields(void **state)
{
	static const struct {
		const char *name;
		uint16_t offset, bytes;
	} cases[] = {{"common_type", 0, 2}, {"dev", 8, 4}, {"sector", 16, 8},
		{"nr_sector", 24, 4}, {"rwbs", 34, 10}};
	struct tracepoint_field f;
	uint64_t id;

	(void)state;
	assert_true(tracepoint_id(format, &id));
	assert_int_equal(id, 1207);
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		assert_true(tracepoint_find(format, cases[i].name, &f));
		assert_int_equal(f.offset, cases[i].offset);
		assert_int_equal(f.bytes, cases[i].bytes);
	}
	assert_false(tracepoint_find(format, "error", &f));
	assert_false(tracepoint_find(format, "cmd", &f)); /* its place is in each sample */
	assert_false(tracepoint_find(format, "type", &f));
	assert_false(tracepoint_find("", "dev", &f));
	assert_false(tracepoint_find("field:dev_t dev", "dev", &f));
	assert_false(tracepoint_id("name: x\n", &id));
}

#define HEAD                                                                                   \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"                 \
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"                 \
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"         \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"                           \
	"\tfield:dev_t dev;\toffset:8;\tsize:4;\tsigned:0;\n"
#define SECTORS                                                                                \
	"\tfield:sector_t sector;\toffset:16;\tsize:8;\tsigned:0;\n"                           \
	"\tfield:unsigned int nr_sector;\toffset:24;\tsize:4;\tsigned:0;\n"

/* As other kernels describe their events: Linux 5.10; 6.12, with a priority in between; one of
 * 32 bits with sectors of 32 bits. */
static void other_kernels(void **state)
{
	static const struct {
		const char *format;
		uint16_t sector, sectors, sector_bytes, error, what, program;
	} kernels[] = {
		{"name: block_rq_complete\nID: 1093\nformat:\n" HEAD SECTORS
		 "\tfield:int error;\toffset:28;\tsize:4;\tsigned:1;\n"
		 "\tfield:char rwbs[8];\toffset:32;\tsize:8;\tsigned:1;\n"
		 "\tfield:__data_loc char[] cmd;\toffset:40;\tsize:4;\tsigned:1;\n",
			16, 24, 8, 28, 32, 0},
		{"name: block_bio_queue\nID: 1083\nformat:\n" HEAD SECTORS
		 "\tfield:char rwbs[8];\toffset:28;\tsize:8;\tsigned:1;\n"
		 "\tfield:char comm[16];\toffset:36;\tsize:16;\tsigned:1;\n",
			16, 24, 8, 0, 28, 36},
		{"name: block_rq_complete\nID: 1234\nformat:\n" HEAD SECTORS
		 "\tfield:int error;\toffset:28;\tsize:4;\tsigned:1;\n"
		 "\tfield:unsigned short ioprio;\toffset:32;\tsize:2;\tsigned:0;\n"
		 "\tfield:char rwbs[8];\toffset:34;\tsize:8;\tsigned:0;\n"
		 "\tfield:__data_loc char[] cmd;\toffset:44;\tsize:4;\tsigned:0;\n",
			16, 24, 8, 28, 34, 0},
		{"name: block_bio_queue\nID: 77\nformat:\n" HEAD
		 "\tfield:sector_t sector;\toffset:12;\tsize:4;\tsigned:0;\n"
		 "\tfield:unsigned int nr_sector;\toffset:16;\tsize:4;\tsigned:0;\n"
		 "\tfield:char rwbs[8];\toffset:20;\tsize:8;\tsigned:0;\n"
		 "\tfield:char comm[16];\toffset:28;\tsize:16;\tsigned:0;\n",
			12, 16, 4, 0, 20, 28},
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(kernels); i++) {
		struct tracepoint_field f = {0};
		const char *text = kernels[i].format;
		assert_true(tracepoint_find(text, "dev", &f) && f.offset == 8);
		assert_true(tracepoint_find(text, "nr_sector", &f));
		assert_int_equal(f.offset, kernels[i].sectors);
		assert_true(tracepoint_find(text, "sector", &f));
		assert_int_equal(f.offset, kernels[i].sector);
		assert_int_equal(f.bytes, kernels[i].sector_bytes);
		assert_true(tracepoint_find(text, "rwbs", &f));
		assert_int_equal(f.offset, kernels[i].what);
		assert_int_equal(f.bytes, 8);
		assert_int_equal(tracepoint_find(text, "error", &f), kernels[i].error != 0);
		assert_true(!kernels[i].error || f.offset == kernels[i].error);
		assert_int_equal(tracepoint_find(text, "comm", &f), kernels[i].program != 0);
		assert_true(!kernels[i].program || f.offset == kernels[i].program);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(written_is_read),
		cmocka_unit_test(what_is_io),
		cmocka_unit_test(known_load),
		cmocka_unit_test(streams),
		cmocka_unit_test(depth_is_counted),
		cmocka_unit_test(fields),
		cmocka_unit_test(other_kernels),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
