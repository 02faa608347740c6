/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Logs: what a worker puts in comes out, whatever its size; the lines are fio's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/bits.h"
#include "base/err.h"
#include "base/rng.h"
#include "base/str.h"
#include "run/logs/binary.h"
#include "run/logs/decode.h"
#include "run/logs/feed.h"
#include "run/logs/lines.h"
#include "sys/clock.h"

#define RING_BYTES (256u << 10)
#define START      (1000 * NS_PER_S)

/* A worker's feed, with a reader at the other end that is called by hand. */
struct pipe {
	struct plan_worker worker;
	struct log_ring *ring;
	struct log_bell bell;
	struct arena arena;
	struct clock clock;
	uint32_t stop;
	struct log_feed *feed;
	struct log_decoder decoder;
};

static struct pipe *pipe_new(uint32_t unit_shift)
{
	struct pipe *p = NULL;
	assert_int_equal(posix_memalign((void **)&p, 64, sizeof(*p)), 0);
	*p = (struct pipe){.clock = {.tsc = false}};
	p->worker = (struct plan_worker){
		.pattern.use = {true, true, true},
		.measure = {.slat = true, .clat = true, .lat = true},
		.log = {.each = true,
			.ring_bytes = RING_BYTES,
			.unit_shift = unit_shift,
			.window_ns = 100 * NS_PER_MS,
			.hist_ns = 100 * NS_PER_MS},
	};
	void *mem = NULL;
	assert_int_equal(posix_memalign(&mem, 64, sizeof(struct log_ring) + RING_BYTES), 0);
	p->ring = mem;
	memset(p->ring, 0, sizeof(*p->ring));
	p->ring->bell = &p->bell;
	p->decoder.unit_shift = unit_shift;
	return p;
}

static void pipe_begin(struct pipe *p)
{
	p->feed = log_feed_new(&p->arena, &p->worker, p->ring, &p->clock, &p->stop);
	assert_non_null(p->feed);
	log_feed_open(p->feed, START, UINT64_MAX);
}

static void pipe_read(struct pipe *p)
{
	uint64_t mask = RING_BYTES / sizeof(struct log_record) - 1;
	for (; p->ring->tail != p->ring->head; p->ring->tail++)
		log_decode(&p->decoder, &p->ring->slots[p->ring->tail & mask], 1);
}

static void pipe_free(struct pipe *p)
{
	arena_done(&p->arena);
	free(p->ring);
	free(p);
}

/* ---- a record ---- */

struct seen {
	struct log_io io[64];
	unsigned count;
};

static void see_io(void *ctx, const struct log_io *io)
{
	struct seen *s = ctx;
	assert_true(s->count < COUNT_OF(s->io));
	s->io[s->count++] = *io;
}

/* Each limit of a record from both sides (record.h): what does not fit is wide, and
 * comes out the same. */
static void test_limits(void **state)
{
	(void)state;
	static const struct {
		uint64_t delta, lat, slat, offset;
		uint32_t bytes;
		uint16_t prio;
		unsigned records;
	} cases[] = {
		{1000, 500, 100, 4096, 4096, 0, 1},
		{(1 << 28) - 1, 500, 100, 0, 4096, 0, 1},
		{1 << 28, 500, 100, 0, 4096, 0, 3},
		{1000, UINT32_MAX, 100, 0, 4096, 0, 1},
		{1000, UINT64_C(1) << 32, 100, 0, 4096, 0, 3},
		{1000, 200000, (1 << 17) - 1, 0, 4096, 0, 1},
		{1000, 200000, 1 << 17, 0, 4096, 0, 3},
		{1000, 500, 100, ((UINT64_C(1) << 35) - 1) << 9, 4096, 0, 1},
		{1000, 500, 100, UINT64_C(1) << 44, 4096, 0, 3},
		{1000, 500, 100, 513, 4096, 0, 3},
		{1000, 500, 100, 512, 4095 * 512, 0, 1},
		{1000, 500, 100, 512, 4096 * 512, 0, 3},
		{1000, 500, 100, 512, 1000, 0, 3},
		{1000, 500, 100, 512, 512, 0x2001, 3},
	};
	for (unsigned i = 0; i < COUNT_OF(cases); i++) {
		struct pipe *p = pipe_new(9);
		struct seen seen = {0};
		p->decoder.to = (struct log_listener){.ctx = &seen, .io = see_io};
		pipe_begin(p);
		uint64_t t2 = START + cases[i].delta;
		struct io io = {.kind = IO_WRITE,
			.offset = cases[i].offset,
			.bytes = cases[i].bytes,
			.prio = cases[i].prio,
			.prepared_ns = t2 - cases[i].lat,
			.submitted_ns = t2 - cases[i].lat + cases[i].slat};
		struct io *ios[] = {&io};
		log_feed_ios(p->feed, ios, 1, t2, LOG_RATE | LOG_LATENCY);
		assert_int_equal(p->ring->head, cases[i].records);
		pipe_read(p);
		assert_int_equal(seen.count, 1);
		const struct log_io *got = &seen.io[0];
		assert_int_equal(got->time_ns, cases[i].delta);
		assert_int_equal(got->lat_ns, cases[i].lat);
		assert_int_equal(got->slat_ns, cases[i].slat);
		assert_int_equal(got->clat_ns, cases[i].lat - cases[i].slat);
		assert_int_equal(got->offset, cases[i].offset);
		assert_int_equal(got->bytes, cases[i].bytes);
		assert_int_equal(got->prio, cases[i].prio);
		assert_int_equal(got->dir, DIR_WRITE);
		assert_true(got->rate && got->latency);
		pipe_free(p);
	}
}

static void test_counts(void **state)
{
	(void)state;
	for (unsigned wide = 0; wide < 2; wide++) {
		struct pipe *p = pipe_new(9);
		struct seen seen = {0};
		p->decoder.to = (struct log_listener){.ctx = &seen, .io = see_io};
		pipe_begin(p);
		struct io io = {.kind = IO_TRIM,
			.bytes = wide ? 100 : 512,
			.prepared_ns = START,
			.submitted_ns = START};
		struct io *ios[] = {&io};
		log_feed_ios(p->feed, ios, 1, START + 1, LOG_RATE);
		log_feed_ios(p->feed, ios, 1, START + 1, LOG_LATENCY);
		pipe_read(p);
		assert_int_equal(seen.count, 2);
		assert_true(seen.io[0].rate && !seen.io[0].latency);
		assert_true(!seen.io[1].rate && seen.io[1].latency);
		pipe_free(p);
	}
}

/* ---- law: what goes in comes out, in order ---- */

struct totals {
	uint64_t ios, bytes, lat, slat, offsets, last;
	bool disordered;
};

static void total_io(void *ctx, const struct log_io *io)
{
	struct totals *t = ctx;
	t->ios++;
	t->bytes += io->bytes;
	t->lat += io->lat_ns;
	t->slat += io->slat_ns;
	t->offsets ^= io->offset * (t->ios | 1);
	t->disordered |= io->time_ns < t->last;
	t->last = io->time_ns;
}

static void test_all_comes_out(void **state)
{
	(void)state;
	struct pipe *p = pipe_new(9);
	struct totals want = {0}, got = {0};
	static struct io io[2000];
	static struct io *ios[2000];
	struct rng rng;
	rng_init(&rng, 7);
	p->decoder.to = (struct log_listener){.ctx = &got, .io = total_io};
	pipe_begin(p);

	uint64_t now = START;
	for (unsigned round = 0; round < 2000; round++) {
		/* Now and then something beyond a limit; bits: latency up to 2^40. */
		now += rng_below(&rng, UINT64_C(1) << rng_below(&rng, 32));
		uint64_t lat = rng_below(&rng, UINT64_C(1) << rng_below(&rng, 40));
		uint64_t slat = lat / 3;
		unsigned n = 1 + (unsigned)rng_below(&rng, round % 10 ? 40 : 2000);
		uint32_t bytes = (uint32_t)(1 + rng_below(&rng, 5000)) *
				 (round % 7 ? 512 : 100);
		for (unsigned i = 0; i < n; i++) {
			uint64_t offset = rng_below(&rng, UINT64_C(1) << 45);
			io[i] = (struct io){.kind = (uint8_t)(round % 3),
				.bytes = bytes,
				.offset = round % 5 ? offset & ~UINT64_C(511) : offset,
				.prepared_ns = now - lat,
				.submitted_ns = now - lat + slat};
			ios[i] = &io[i];
			want.ios++;
			want.bytes += bytes;
			want.lat += lat;
			want.slat += slat;
			want.offsets ^= io[i].offset * (want.ios | 1);
		}
		log_feed_ios(p->feed, ios, n, now, LOG_RATE | LOG_LATENCY);
		pipe_read(p);
	}
	log_feed_close(p->feed, now);
	pipe_read(p);
	assert_int_equal(got.ios, want.ios);
	assert_int_equal(got.bytes, want.bytes);
	assert_int_equal(got.lat, want.lat);
	assert_int_equal(got.slat, want.slat);
	assert_int_equal(got.offsets, want.offsets);
	assert_false(got.disordered);
	assert_int_equal(got.last, now - START);
	assert_int_equal(p->ring->ios, want.ios);
	assert_int_equal(p->decoder.ios, want.ios);
	assert_true(p->decoder.ended);
	assert_int_equal(p->ring->lost, 0);
	pipe_free(p);
}

/* A reader that is gone must not hold the worker; what is dropped is counted. */
static void test_broken(void **state)
{
	(void)state;
	struct pipe *p = pipe_new(9);
	pipe_begin(p);
	p->ring->broken = 1;
	struct io io = {.bytes = 512, .prepared_ns = START, .submitted_ns = START};
	struct io *ios[] = {&io};
	uint64_t size = RING_BYTES / sizeof(struct log_record);
	for (uint64_t i = 0; i < size + 100; i++)
		log_feed_ios(p->feed, ios, 1, START + i, LOG_RATE);
	assert_int_equal(p->ring->head + p->ring->lost, size + 100);
	assert_true(p->ring->lost >= 100);
	pipe_free(p);
}

static void test_damaged(void **state)
{
	(void)state;
	struct log_decoder *d = calloc(1, sizeof(*d));
	const struct log_record bad[] = {{0}, {LOG_KIND_OTHER | 9 << 2, 0}, {0}};
	log_decode(d, bad, 3);
	assert_true(d->broken);
	assert_int_equal(d->ios, 1);
	free(d);
}

/* Whatever is in a file: nothing breaks, and time ends the reading. */
static void test_any_records(void **state)
{
	(void)state;
	struct rng rng;
	rng_init(&rng, 11);
	for (unsigned round = 0; round < 200; round++) {
		struct log_decoder *d = calloc(1, sizeof(*d));
		struct totals got = {0};
		d->unit_shift = round % 21;
		d->to = (struct log_listener){.ctx = &got, .io = total_io};
		for (unsigned i = 0; i < 2000 && !d->broken; i++) {
			struct log_record r = {rng_next(&rng), rng_next(&rng)};
			if (round % 4 && (r.a & 3) == LOG_KIND_OTHER) /* plausible ones */
				r.a &= ~UINT64_C(0xfffc);
			if (round % 4 == 2 && (r.a & 3) == LOG_KIND_OTHER)
				r.a |= LOG_BIN << 2;
			if (round % 4 == 3 && (r.a & 3) == LOG_KIND_OTHER)
				r.a |= (LOG_WIDE_RECORDS - 1) << 8;
			log_decode(d, &r, 1);
		}
		assert_int_equal(got.ios, d->ios);
		free(d);
	}
}

/* ---- lines ---- */

static void put_str(void *ctx, const char *text, size_t len)
{
	str_add_bytes(ctx, text, len);
}

static const struct log_io one_io = {
	.time_ns = 1999999,
	.lat_ns = 58748,
	.slat_ns = 10559,
	.clat_ns = 48189,
	.offset = 61440,
	.bytes = 4096,
	.dir = DIR_WRITE,
	.rate = true,
	.latency = true,
};

/* The figures and forms of real fio's logs (fixtures fio-3.42/logs 01, 05, 06, 07). */
static void test_io_lines(void **state)
{
	(void)state;
	static const struct {
		struct log_style style;
		enum plan_log_kind kind;
		const char *want;
	} cases[] = {
		{{0}, PLAN_LOG_BW, "1, 84998, 1, 4096, 0\n"},
		{{0}, PLAN_LOG_IOPS, "1, 1, 1, 4096, 0\n"},
		{{0}, PLAN_LOG_SLAT, "1, 10559, 1, 4096, 0\n"},
		{{0}, PLAN_LOG_CLAT, "1, 48189, 1, 4096, 0\n"},
		{{0}, PLAN_LOG_LAT, "1, 58748, 1, 4096, 0\n"},
		{{.offset = true}, PLAN_LOG_CLAT, "1, 48189, 1, 4096, 61440, 0\n"},
		{{.prio = true, .job_prio = 0x4003}, PLAN_LOG_LAT,
			"1, 58748, 1, 4096, 0x4003\n"},
		{{.prio = true}, PLAN_LOG_LAT, "1, 58748, 1, 4096, 0x0000\n"},
		{{.job_prio = 0x2004}, PLAN_LOG_LAT, "1, 58748, 1, 4096, 1\n"},
		{{.offset = true, .issue_time = true}, PLAN_LOG_CLAT,
			"1, 48189, 1, 4096, 61440, 0, 1951810\n"},
		{{.offset = true, .issue_time = true}, PLAN_LOG_SLAT,
			"1, 10559, 1, 4096, 61440, 0, 1951810\n"},
		{{.offset = true, .issue_time = true}, PLAN_LOG_BW,
			"1, 84998, 1, 4096, 61440, 0, 0\n"},
		{{.epoch_ms = 1796056643711}, PLAN_LOG_CLAT,
			"1796056643712, 48189, 1, 4096, 0\n"},
	};
	for (unsigned i = 0; i < COUNT_OF(cases); i++) {
		struct str out = {0};
		struct log_lines lines = {.style = cases[i].style, .each = true};
		lines.to[cases[i].kind] = (struct log_sink){&out, put_str};
		struct log_listener l = log_lines_listener(&lines);
		l.io(l.ctx, &one_io);
		assert_string_equal(str_text(&out), cases[i].want);
		str_done(&out);
	}
}

static void test_numbers(void **state)
{
	(void)state;
	static const uint64_t values[] = {0, 9, 10, 99, 100, 101, 12345, 999999999,
		UINT64_C(9999999999999999999), UINT64_C(10000000000000000000), UINT64_MAX};
	for (unsigned i = 0; i < COUNT_OF(values); i++) {
		struct str out = {0};
		struct log_lines lines = {.each = true};
		lines.to[PLAN_LOG_LAT] = (struct log_sink){&out, put_str};
		struct log_listener l = log_lines_listener(&lines);
		struct log_io io = {.lat_ns = values[i], .latency = true};
		char want[80];
		l.io(l.ctx, &io);
		snprintf(want, sizeof(want), "0, %llu, 0, 0, 0\n",
			(unsigned long long)values[i]);
		assert_string_equal(str_text(&out), want);
		str_done(&out);
	}
}

/* Two directions, four windows of 100 ms and a rest of 50 ms; nothing in the second
 * and third, no write in the fourth. */
static void test_windows(void **state)
{
	(void)state;
	struct str bw = {0}, iops = {0}, lat = {0};
	struct log_lines lines = {
		.style = {.window_ns = 100 * NS_PER_MS,
			.use = {true, true, false},
			.value = PLAN_LOG_BOTH},
	};
	lines.to[PLAN_LOG_BW] = (struct log_sink){&bw, put_str};
	lines.to[PLAN_LOG_IOPS] = (struct log_sink){&iops, put_str};
	lines.to[PLAN_LOG_LAT] = (struct log_sink){&lat, put_str};
	struct log_sum some = {
		.ios = 20, .bytes = 20 * 4096, .count = 2, .lat_sum = 301, .lat_max = 200};
	struct log_sum none = {0};

	log_lines_window(&lines, DIR_READ, 0, 100 * NS_PER_MS, &some);
	log_lines_window(&lines, DIR_WRITE, 0, 100 * NS_PER_MS, &some);
	log_lines_window(&lines, DIR_READ, 3, 400 * NS_PER_MS, &some);
	log_lines_window(&lines, DIR_WRITE, 3, 400 * NS_PER_MS, &none);
	log_lines_end(&lines, 450 * NS_PER_MS);
	assert_string_equal(str_text(&bw), "100, 800, 800, 0, 0, 0\n100, 800, 800, 1, 0, 0\n"
					   "200, 0, 0, 0, 0, 0\n200, 0, 0, 1, 0, 0\n"
					   "300, 0, 0, 0, 0, 0\n300, 0, 0, 1, 0, 0\n"
					   "400, 800, 800, 0, 0, 0\n400, 0, 0, 1, 0, 0\n"
					   "450, 0, 0, 0, 0, 0\n450, 0, 0, 1, 0, 0\n");
	assert_string_equal(str_text(&iops), "100, 200, 200, 0, 0, 0\n100, 200, 200, 1, 0, 0\n"
					     "200, 0, 0, 0, 0, 0\n200, 0, 0, 1, 0, 0\n"
					     "300, 0, 0, 0, 0, 0\n300, 0, 0, 1, 0, 0\n"
					     "400, 200, 200, 0, 0, 0\n400, 0, 0, 1, 0, 0\n"
					     "450, 0, 0, 0, 0, 0\n450, 0, 0, 1, 0, 0\n");
	/* To the nearest: 150.5 is 151. */
	assert_string_equal(str_text(&lat),
		"100, 151, 200, 0, 0, 0\n100, 151, 200, 1, 0, 0\n400, 151, 200, 0, 0, 0\n");
	str_done(&bw);
	str_done(&iops);
	str_done(&lat);
}

/* The feed's own windows: sums, the turn, what completes behind the deadline. */
static void test_feed_windows(void **state)
{
	(void)state;
	struct pipe *p = pipe_new(9);
	struct str bw = {0}, clat = {0};
	struct log_lines lines = {.style = {.window_ns = 100 * NS_PER_MS, .use = {true}}};
	p->worker.log.each = false;
	p->worker.log.windows = true;
	p->worker.pattern.use[DIR_WRITE] = p->worker.pattern.use[DIR_TRIM] = false;
	lines.to[PLAN_LOG_BW] = (struct log_sink){&bw, put_str};
	lines.to[PLAN_LOG_CLAT] = (struct log_sink){&clat, put_str};
	p->decoder.to = log_lines_listener(&lines);
	pipe_begin(p);
	p->feed->deadline_ns = START + 300 * NS_PER_MS;

	struct io io = {.bytes = 10240};
	struct io *ios[] = {&io, &io};
	for (unsigned ms = 0; ms < 300; ms += 10) {
		if (ms >= 100 && ms < 200)
			continue;
		uint64_t t2 = START + ms * NS_PER_MS;
		io.prepared_ns = t2 - 150;
		io.submitted_ns = t2 - 100 - ms;
		log_feed_ios(p->feed, ios, 2, t2, LOG_RATE | LOG_LATENCY);
	}
	io.submitted_ns = START + 300 * NS_PER_MS - 10000;
	io.prepared_ns = io.submitted_ns - 50;
	log_feed_ios(p->feed, ios, 1, START + 310 * NS_PER_MS, LOG_LATENCY);
	log_feed_close(p->feed, START + 300 * NS_PER_MS);
	pipe_read(p);
	/* 20 * 10 KiB in 100 ms; (100 + ... + 190) / 10; 20 of about 345, one of 10010000. */
	assert_string_equal(str_text(&bw),
		"100, 2000, 0, 0, 0\n200, 0, 0, 0, 0\n300, 2000, 0, 0, 0\n");
	assert_string_equal(str_text(&clat), "100, 145, 0, 0, 0\n300, 476995, 0, 0, 0\n");
	assert_true(p->decoder.ended);
	str_done(&bw);
	str_done(&clat);
	pipe_free(p);
}

static unsigned columns(const char *line)
{
	unsigned n = 1;
	for (; *line && *line != '\n'; line++)
		n += *line == ',';
	return n;
}

static void test_hist(void **state)
{
	(void)state;
	for (unsigned coarseness = 0; coarseness <= 6; coarseness++) {
		struct str out = {0};
		struct log_lines lines = {
			.style = {.coarseness = coarseness, .bytes_max = {4096}}};
		uint64_t bins[HISTOGRAM_FIO_BINS] = {0};
		lines.to[PLAN_LOG_HIST] = (struct log_sink){&out, put_str};
		struct log_listener l = log_lines_listener(&lines);
		bins[0] = 3;
		bins[63] = 4;
		bins[1855] = 5;
		l.hist(l.ctx, DIR_READ, 1500 * NS_PER_MS, bins);
		/* fio: 1856 bins, halved per step. */
		assert_int_equal(columns(str_text(&out)), 3 + (1856 >> coarseness));
		assert_true(str_starts(str_text(&out), coarseness == 6 ? "1500, 0, 4096, 7, 0"
						       : coarseness == 5
							       ? "1500, 0, 4096, 3, 4"
							       : "1500, 0, 4096, 3, 0"));
		assert_true(str_ends(str_text(&out), ", 5\n"));
		str_done(&out);
	}
}

/* ---- the head of a binary log ---- */

static void test_head(void **state)
{
	(void)state;
	struct plan_worker w = {
		.name = "a=b\nc",
		.rw = "randread",
		.index = 4,
		.queue.engine = "io_uring",
		.measure = {.slat = true, .lat = true},
		.log = {.unit_shift = 12, .offset = true},
	};
	struct log_ring ring = {.wall_ns = 123456789, .epoch_ms = 77};
	struct str out = {0};
	struct log_head head;
	struct err err;

	log_binary_head(&w, &ring, &out);
	assert_int_equal(out.len % 16, 0);
	size_t size = log_binary_size((const unsigned char *)out.text, &err);
	assert_int_equal(size, out.len);
	assert_int_equal(log_binary_read(out.text + 16, size - 16, &head, &err), 0);
	assert_string_equal(head.job, "a=b c");
	assert_string_equal(head.rw, "randread");
	assert_string_equal(head.engine, "io_uring");
	assert_int_equal(head.worker, 5);
	assert_int_equal(head.unit_shift, 12);
	assert_true(head.slat && head.lat && !head.clat && head.offset && !head.prio);
	assert_int_equal(head.epoch_ms, 77);
	assert_int_equal(head.start_unix_ns, 123456789);

	out.text[8] = 2;
	assert_int_equal(log_binary_size((const unsigned char *)out.text, &err), 0);
	assert_non_null(strstr(err.text, "version 2"));
	out.text[0] = 'W';
	assert_int_equal(log_binary_size((const unsigned char *)out.text, &err), 0);
	assert_true(log_binary_read("unit_bytes=3\n", 13, &head, &err) < 0);
	str_done(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_counts),
		cmocka_unit_test(test_all_comes_out),
		cmocka_unit_test(test_broken),
		cmocka_unit_test(test_damaged),
		cmocka_unit_test(test_any_records),
		cmocka_unit_test(test_io_lines),
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_windows),
		cmocka_unit_test(test_feed_windows),
		cmocka_unit_test(test_hist),
		cmocka_unit_test(test_head),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
