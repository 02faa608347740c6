/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* The ways through engines that this machine doesn't take by itself: older
 * kernels' rings, a ring that can't be read, mappings in windows; and what can
 * only be seen by counting system calls.  The engines' files are part of this
 * program, so that it can reach inside. */
#include "config.h"
#include "engine/mmap.c"
#include "engine/vsync.c"
#include "tests/engine/rig.h"
#if HAVE_LIBAIO
#include "engine/libaio_setup.c"
#endif
#if HAVE_LIBURING
#include "engine/io_uring_setup.c"
#endif

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#define BLOCK 4096u
#define DEPTH 16u

/* An engine that this kernel doesn't have is not tested. */
static void need(const char *chain)
{
	struct err err;
	const struct engine *engine = engine_find(chain);

	assert_non_null(engine);
	if (engine->probe && engine->probe(&err) < 0) {
		print_message("skipped: %s\n", err.text);
		skip();
	}
}

static void open_rig(struct rig *rig, const char *chain, const char *const *opts)
{
	need(chain);
	rig_failures = 0;
	rig_open(rig, &(struct rig_want){.chain = chain,
			      .dir = "/var/tmp",
			      .depth = DEPTH,
			      .block = BLOCK,
			      .bytes = UINT64_C(64) * BLOCK,
			      .opts = opts});
}

/* Writes, then reads back, through the queue as it is. */
static void move_data(struct rig *rig, uint32_t n)
{
	for (int round = 0; round < 2; round++) {
		for (uint32_t i = 0; i < n; i++) {
			rig_io(rig, i, round ? IO_READ : IO_WRITE, 0, i * 2 * BLOCK, BLOCK);
			memset(rig_buffer(rig, i), round ? 0 : (int)i + 1, BLOCK);
		}
		rig_do_all(rig, n);
		for (uint32_t i = 0; i < n; i++) {
			assert_int_equal(rig->ios[i].res, BLOCK);
			assert_int_equal(rig_buffer(rig, i)[BLOCK - 1], i + 1);
		}
	}
	assert_int_equal(rig_failures, 0);
}

/* Read calls that this process made so far. */
static uint64_t read_calls(void)
{
	scope_file FILE *f = fopen("/proc/self/io", "re");
	char line[128];
	uint64_t calls = 0;

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "syscr: %" SCNu64, &calls) == 1)
			return calls;
	fail_msg("no syscr in /proc/self/io");
	return 0;
}

static void test_vsync_merges(void **state)
{
	static const struct {
		uint32_t step; /* from one request to the next, in blocks */
		uint64_t calls;
	} cases[] = {{1, 1}, {2, DEPTH}, {3, DEPTH}};

	(void)state;
	const uint64_t before = read_calls();
	const uint64_t own = read_calls() - before; /* what reading the count costs */
	for (size_t c = 0; c < COUNT_OF(cases); c++) {
		struct rig rig;
		open_rig(&rig, "vsync", NULL);
		for (uint32_t i = 0; i < DEPTH; i++)
			rig_io(&rig, i, IO_READ, 0, i * cases[c].step * BLOCK, BLOCK);
		assert_int_equal(call_submit(rig.queue, rig.ptr, DEPTH), DEPTH);
		const uint64_t start = read_calls();
		assert_int_equal(call_reap(rig.queue, rig.done, DEPTH, DEPTH, UINT64_MAX),
			DEPTH);
		assert_int_equal(read_calls() - start - own, cases[c].calls);
		rig_close(&rig);
	}
}

/* A run across the end of the file: whole ones, a part, and nothing. */
static void test_vsync_short(void **state)
{
	struct rig rig;

	(void)state;
	open_rig(&rig, "vsync", NULL);
	assert_int_equal(truncate(rig.paths[0], 2 * BLOCK + 100), 0);
	for (uint32_t i = 0; i < 5; i++)
		rig_io(&rig, i, IO_READ, 0, i * BLOCK, BLOCK);
	rig_do_all(&rig, 5);
	static const int32_t expected[] = {BLOCK, BLOCK, 100, 0, 0};
	for (uint32_t i = 0; i < 5; i++)
		assert_int_equal(rig.ios[i].res, expected[i]);
	rig_close(&rig);
}

static void test_mmap_windows(void **state)
{
	const uint64_t small = 4 * BLOCK;
	struct rig rig;

	(void)state;
	open_rig(&rig, "mmap", NULL);
	struct mmap_target *m = rig.targets[0].mine;
	for (uint32_t i = 0; i < 15; i++) {
		/* As if only so much could be mapped, elsewhere. */
		m->windowed = true;
		assert_int_equal(mmap_map(rig.queue, &rig.targets[0], 20 * BLOCK, small), 0);
		memset(rig_buffer(&rig, 0), (int)i + 1, BLOCK);
		rig_io(&rig, 0, IO_WRITE, 0, i * 4 * BLOCK + 7, BLOCK);
		assert_int_equal(rig_do(&rig, false, 0), BLOCK);
		assert_true(m->start <= i * 4 * BLOCK && m->start % BLOCK == 0);
		assert_int_equal(mmap_map(rig.queue, &rig.targets[0], 0, small), 0);
		rig_io(&rig, 1, IO_READ, 0, i * 4 * BLOCK + 7, BLOCK);
		assert_int_equal(rig_do(&rig, false, 1), BLOCK);
		assert_memory_equal(rig_buffer(&rig, 0), rig_buffer(&rig, 1), BLOCK);
	}
	rig_io(&rig, 0, IO_FSYNC, 0, 0, 0);
	assert_int_equal(rig_do(&rig, false, 0), 0);
	rig_close(&rig);
}

#if HAVE_LIBAIO
/* A ring of unknown form: the kernel is asked for everything. */
static void test_libaio_without_ring(void **state)
{
	struct rig rig;

	(void)state;
	open_rig(&rig, "libaio", NULL);
	struct libaio_queue *lq = rig.queue->mine;
	assert_non_null(lq->ring); /* on every kernel so far */
	assert_string_equal(rig.queue->used, "ring read in user space");
	lq->ring = NULL;
	move_data(&rig, DEPTH);
	assert_int_equal(call_reap(rig.queue, rig.done, DEPTH, 0, 0), 0);
	rig_close(&rig);
}

static void test_libaio_vectored(void **state)
{
	static const char *const opts[] = {"libaio_vectored=1", NULL};
	struct rig rig;

	(void)state;
	open_rig(&rig, "libaio", opts);
	move_data(&rig, DEPTH);
	rig_close(&rig);
}

/* More than the ring holds, so that its head and tail go round. */
static void test_libaio_ring_wraps(void **state)
{
	struct rig rig;

	(void)state;
	open_rig(&rig, "libaio", NULL);
	const struct libaio_queue *lq = rig.queue->mine;
	for (uint32_t n = 0; n < 3 * lq->ring->count; n += 7)
		move_data(&rig, 7);
	rig_close(&rig);
}

static void test_libaio_limit(void **state)
{
	struct err err = {0};

	(void)state;
	assert_int_equal(libaio_refuse(-EAGAIN, 4096, &err), -EAGAIN);
	assert_non_null(strstr(err.text, "4096 more are needed"));
	assert_non_null(strstr(err.text, "sysctl fs.aio-max-nr="));
}
#endif

#if HAVE_LIBURING
/* Every way of asking for a ring that this kernel has must work. */
static void test_uring_ways(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT_OF(uring_ways) + COUNT_OF(uring_ways_sqpoll); i++) {
		const bool sqpoll = i >= COUNT_OF(uring_ways);
		const struct uring_way *way =
			sqpoll ? &uring_ways_sqpoll[i - COUNT_OF(uring_ways)] : &uring_ways[i];
		struct rig rig;
		open_rig(&rig, "io_uring", NULL);
		struct uring_queue *u = rig.queue->mine;
		uring_target_gone(rig.queue, &rig.targets[0]);
		io_uring_queue_exit(&u->ring);
		rig.queue->used[0] = '\0';
		u->fixed_bytes = 0;
		u->fixed_files = false;
		assert_int_equal(uring_make(rig.queue, way, 1, IORING_SETUP_CLAMP), 0);
		assert_string_equal(rig.queue->used, way->name ? way->name : "");
		struct err e;
		assert_int_equal(uring_target_added(rig.queue, &rig.targets[0], &e), 0);
		move_data(&rig, DEPTH);
		rig_close(&rig);
	}
}

static void test_uring_options(void **state)
{
	static const struct {
		const char *opts[4];
		const char *used, *not_used;
	} cases[] = {
		{{NULL}, "registered ring, fixed buffers, registered files", NULL},
		{{"fixedbufs=0"}, "registered files", "fixed buffers"},
		{{"registerfiles=0"}, "fixed buffers", "registered files"},
		{{"nonvectored=0"}, "registered files", "fixed buffers"},
		{{"nonvectored=1", "fixedbufs=0"}, "registered files", "fixed buffers"},
		{{"nonvectored=0", "fixedbufs=1"}, "fixed buffers", NULL},
		{{"force_async=2"}, "fixed buffers", NULL},
		{{"sqthread_poll=1"}, "SQPOLL", "DEFER_TASKRUN"},
		{{"sqthread_poll=1", "sqthread_poll_cpu=0"}, "SQPOLL", NULL},
	};

	(void)state;
	if (!uring_may_lock_all() && uring_memlock_kib() < 8192)
		skip();
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct rig rig;
		open_rig(&rig, "io_uring", cases[i].opts);
		if (!strstr(rig.queue->used, cases[i].used) ||
			(cases[i].not_used && strstr(rig.queue->used, cases[i].not_used)))
			fail_msg("%zu: used \"%s\"", i, rig.queue->used);
		move_data(&rig, DEPTH);
		rig_close(&rig);
	}
}

/* Buffers in several registrations, as beyond 1 GiB. */
static void test_uring_pieces(void **state)
{
	struct rig rig;

	(void)state;
	open_rig(&rig, "io_uring", NULL);
	struct uring_queue *u = rig.queue->mine;
	struct iovec pieces[DEPTH / 2];
	for (size_t i = 0; i < COUNT_OF(pieces); i++)
		pieces[i] = (struct iovec){rig.buffers + i * 2 * BLOCK, 2 * BLOCK};
	assert_int_equal(io_uring_unregister_buffers(&u->ring), 0);
	assert_int_equal(io_uring_register_buffers(&u->ring, pieces, COUNT_OF(pieces)), 0);
	u->fixed_piece = 2 * BLOCK;
	move_data(&rig, DEPTH);
	rig_close(&rig);
}

static void test_uring_refusals(void **state)
{
	static const struct {
		int code;
		const char *says;
	} cases[] = {
		{-ENOSYS, "this kernel has no io_uring, or a sandbox hides it"},
		{-EPERM, "io_uring is "},
		{-ENOMEM, "raise that, or lower iodepth or numjobs"},
		{-EMFILE, "raise `ulimit -n`"},
		{-EFAULT, "can't make a ring of 8 requests: "},
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct err err = {0};
		assert_int_equal(uring_refuse(cases[i].code, 8, &err), cases[i].code);
		assert_non_null(strstr(err.text, cases[i].says));
	}
}

/* What was asked for in words and can't be had is refused. */
static void test_uring_asked_for(void **state)
{
	static const char *const hipri[] = {"hipri=1", NULL};
	static const char *const cpu[] = {"sqthread_poll=1", "sqthread_poll_cpu=1023", NULL};
	struct rig_want want = {.chain = "io_uring",
		.dir = "/var/tmp",
		.depth = 4,
		.block = BLOCK,
		.bytes = BLOCK,
		.opts = hipri};
	struct rig rig;
	struct err err = {0};

	(void)state;
	need("io_uring");
	assert_int_equal(rig_open_queue(&rig, &want, &err), -EINVAL);
	assert_string_equal(err.text,
		"ioengine=io_uring: hipri polls the device and needs direct=1");
	rig_close(&rig);
	want.opts = cpu;
	assert_int_equal(rig_open_queue(&rig, &want, &err), -EINVAL);
	assert_non_null(strstr(err.text,
		"sqthread_poll_cpu=1023: this process may not use such a CPU"));
	rig_close(&rig);
}
#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_vsync_merges),
		cmocka_unit_test(test_vsync_short),
		cmocka_unit_test(test_mmap_windows),
#if HAVE_LIBAIO
		cmocka_unit_test(test_libaio_without_ring),
		cmocka_unit_test(test_libaio_vectored),
		cmocka_unit_test(test_libaio_ring_wraps),
		cmocka_unit_test(test_libaio_limit),
#endif
#if HAVE_LIBURING
		cmocka_unit_test(test_uring_ways),
		cmocka_unit_test(test_uring_options),
		cmocka_unit_test(test_uring_pieces),
		cmocka_unit_test(test_uring_refusals),
		cmocka_unit_test(test_uring_asked_for),
#endif
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
