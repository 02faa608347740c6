/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Laying out real files in a folder of its own: what is made, what is left alone,
 * and that nothing can hang it. */
#include "run/prepare/layout.h"

#include "base/bits.h"
#include "base/err.h"
#include "base/log.h"
#include "base/scope.h"
#include "plan/plan.h"
#include "run/run.h"
#include "sys/mark.h"
#include "tests/unit/emulated.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "folder.h"

#define MIB         (1u << 20)
#define TARGETS_MAX 8

/* ---- a folder, a plan, and what was said ---- */

struct bench {
	struct plan plan;
	struct plan_target targets[TARGETS_MAX];
	struct plan_worker workers[TARGETS_MAX];
	uint32_t indices[TARGETS_MAX];
	struct run_sink sink;
	struct run_how how;
	char said[2048];
	unsigned ticks;
	uint64_t filled, total;
};

static const struct engine files_engine = {.name = "files"};

static int teardown(void **state)
{
	log_stop_signal = 0;
	return folder_teardown(state);
}

static void hear(struct bench *b, const char *text)
{
	size_t used = strlen(b->said);
	snprintf(b->said + used, sizeof(b->said) - used, "%s\n", text);
}

static void hear_phase(void *ctx, enum run_phase phase, const char *text)
{
	assert_int_equal(phase, RUN_LAYOUT);
	hear(ctx, text);
}

static void hear_message(void *ctx, enum run_weight weight, const char *text)
{
	(void)weight;
	hear(ctx, text);
}

static void hear_tick(void *ctx, const struct run_view *view)
{
	struct bench *b = ctx;
	b->ticks++;
	assert_true(view->layout_bytes <= view->layout_total);
	assert_true(view->layout_bytes >= b->filled);
	b->filled = view->layout_bytes;
	b->total = view->layout_total;
}

static void bench_init(struct bench *b)
{
	*b = (struct bench){
		.sink = {.ctx = b,
			.phase = hear_phase,
			.message = hear_message,
			.tick = hear_tick},
	};
	b->how = (struct run_how){.sink = &b->sink, .tick_ns = NS_PER_MS};
	b->plan = (struct plan){.targets = b->targets, .workers = b->workers, .waves_count = 1};
}

/* One more file, with a worker of its own. Returns it, to be changed. */
static struct plan_target *bench_add(struct bench *b, const char *path, uint64_t bytes)
{
	uint32_t i = b->plan.targets_count++;
	b->plan.workers_count++;
	assert_true(i < TARGETS_MAX);
	b->indices[i] = i;
	b->workers[i] = (struct plan_worker){
		.index = i,
		.name = "job",
		.files = {.targets = &b->indices[i], .count = 1, .unlink = true},
	};
	b->workers[i].queue.chain = (struct engine_chain){.link = {&files_engine}, .count = 1};
	b->targets[i] = (struct plan_target){
		.path = path,
		.bytes_wanted = bytes,
		.read = true,
		.create = true,
		.fill = true,
		.sync_layout = true,
		.prealloc = PREALLOC_NATIVE,
		.layout_block = 4096,
		.first_worker = i,
	};
	look_at(path, &b->targets[i].found);
	return &b->targets[i];
}

static struct layout *bench_run(struct bench *b)
{
	struct layout *l = NULL;
	struct err e = {0};
	int rc = layout_run(&b->plan, &b->how, &l, &e);
	if (rc)
		fail_msg("layout_run: %d %s", rc, e.text);
	return l;
}

static uint64_t size_of(const char *path)
{
	struct stat st;
	return stat(path, &st) == 0 ? (uint64_t)st.st_size : UINT64_MAX;
}

static void put(const char *path, const char *text, size_t bytes)
{
	scope_file FILE *f = fopen(path, "w");
	assert_non_null(f);
	for (size_t i = 0; i < bytes; i++)
		fputc(text[i % strlen(text)], f);
}

/* The first BYTES of PATH are TEXT again and again. */
static bool holds(const char *path, const char *text, size_t bytes)
{
	scope_file FILE *f = fopen(path, "r");
	for (size_t i = 0; f && i < bytes; i++)
		if (fgetc(f) != text[i % strlen(text)])
			return false;
	return f != NULL;
}

/* Every 512 bytes differ from those before: nothing was left out. */
static bool is_filled(const char *path, uint64_t from)
{
	unsigned char last[512] = {0}, now[512];
	scope_file FILE *f = fopen(path, "r");
	if (!f || fseek(f, (long)from, SEEK_SET) < 0)
		return false;
	while (fread(now, sizeof(now), 1, f) == 1) {
		if (memcmp(now, last, sizeof(now)) == 0)
			return false;
		memcpy(last, now, sizeof(now));
	}
	return true;
}

static bool marks_work(void)
{
	put("probe", "x", 1);
	scope_fd int fd = open("probe", O_WRONLY);
	return mark_set(fd) == 0;
}

/* ---- what is made ---- */

static void test_missing(void **state)
{
	struct bench b;
	struct stat st;
	(void)state;
	bench_init(&b);
	bench_add(&b, "a/b/data", 20 * MIB + 100);
	struct layout *l = bench_run(&b);
	assert_int_equal(layout_error(l, 0), 0);
	assert_string_equal(layout_error_text(l, 0), "");
	assert_int_equal(size_of("a/b/data"), 20 * MIB + 100);
	assert_true(is_filled("a/b/data", 0));
	assert_int_equal(stat("a/b", &st), 0);
	assert_int_equal(st.st_mode & 0777, 0700);
	assert_int_equal(stat("a/b/data", &st), 0);
	assert_int_equal(st.st_mode & 0777, 0644);
	assert_true(mark_get_path("a/b/data") || !marks_work());
	assert_string_equal(b.said, "job: Laying out IO file (1 file / 20MiB)\n");
	assert_true(b.ticks > 0);
	assert_int_equal(b.total, 20 * MIB + 100);
	layout_free(l);
}

/* Several files of one job are one line; those that are there don't count. */
static void test_one_line_a_job(void **state)
{
	struct bench b;
	(void)state;
	put("there", "there", MIB);
	bench_init(&b);
	bench_add(&b, "m1", MIB);
	bench_add(&b, "there", MIB)->first_worker = 0;
	bench_add(&b, "m2", 2 * MIB)->first_worker = 0;
	bench_add(&b, "m3", MIB);
	struct layout *l = bench_run(&b);
	assert_string_equal(b.said, "job: Laying out IO files (2 files / total 3MiB)\n"
				    "job: Laying out IO file (1 file / 1MiB)\n");
	assert_true(holds("there", "there", MIB));
	layout_free(l);
}

/* A job that only writes gets the size, not the data. */
static void test_write_job(void **state)
{
	static const struct {
		const char *path;
		enum plan_prealloc how;
		uint64_t bytes;
		bool blocks;
	} cases[] = {
		{"none", PREALLOC_NONE, 0, false},
		{"native", PREALLOC_NATIVE, 4 * MIB, true},
		{"posix", PREALLOC_POSIX, 4 * MIB, true},
		{"keep", PREALLOC_KEEP, 0, true},
		{"truncate", PREALLOC_TRUNCATE, 4 * MIB, false},
	};
	struct bench b;
	(void)state;
	bench_init(&b);
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct plan_target *t = bench_add(&b, cases[i].path, 4 * MIB);
		t->fill = t->read = false;
		t->written = true;
		t->prealloc = cases[i].how;
	}
	struct layout *l = bench_run(&b);
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct stat st;
		assert_int_equal(layout_error(l, (uint32_t)i), 0);
		assert_int_equal(stat(cases[i].path, &st), 0);
		assert_int_equal(st.st_size, cases[i].bytes);
		if (cases[i].blocks != (st.st_blocks > 0))
			fail_msg("%s: %ld blocks", cases[i].path, (long)st.st_blocks);
	}
	layout_free(l);
}

/* ---- what is left alone ---- */

static void test_existing(void **state)
{
	struct bench b;
	struct stat before, after;
	(void)state;
	put("mine", "precious ", 2 * MIB);
	put("big", "big ", 3 * MIB);
	assert_int_equal(stat("mine", &before), 0);
	bench_init(&b);
	bench_add(&b, "mine", 2 * MIB);
	bench_add(&b, "big", MIB);
	struct layout *l = bench_run(&b);
	assert_int_equal(stat("mine", &after), 0);
	assert_memory_equal(&before, &after, sizeof(before));
	assert_int_equal(size_of("big"), 3 * MIB);
	assert_string_equal(b.said, "");
	layout_unlink(l, &b.plan, 0);
	layout_unlink(l, &b.plan, 1);
	assert_true(holds("mine", "precious ", 2 * MIB));
	assert_true(holds("big", "big ", 3 * MIB));
	layout_free(l);
}

/* The guard refuses such a plan; the layout doesn't trust it. */
static void test_small_and_not_ours(void **state)
{
	struct bench b;
	(void)state;
	put("small", "precious ", 1000);
	bench_init(&b);
	bench_add(&b, "small", MIB);
	struct layout *l = bench_run(&b);
	assert_int_equal(layout_error(l, 0), -ESTALE);
	assert_non_null(strstr(layout_error_text(l, 0), "isn't weir's"));
	assert_int_equal(size_of("small"), 1000);
	assert_true(holds("small", "precious ", 1000));
	layout_free(l);
}

/* The same when it appeared between plan and layout. */
static void test_appeared(void **state)
{
	struct bench b;
	(void)state;
	bench_init(&b);
	bench_add(&b, "late", MIB);
	put("late", "precious ", 1000);
	struct layout *l = bench_run(&b);
	assert_int_equal(layout_error(l, 0), -ESTALE);
	assert_true(holds("late", "precious ", 1000));
	assert_int_equal(size_of("late"), 1000);
	layout_free(l);
}

/* Our own is extended beyond its end; a file that the run writes anyway too. */
static void test_extend(void **state)
{
	struct bench b;
	(void)state;
	put("ours", "0123456789", 1000);
	put("written", "abcdefg", 1000);
	scope_fd int fd = open("ours", O_WRONLY);
	bool marks = mark_set(fd) == 0;
	bench_init(&b);
	bench_add(&b, "written", 3 * MIB)->written = true;
	if (marks)
		bench_add(&b, "ours", 3 * MIB);
	struct layout *l = bench_run(&b);
	for (uint32_t i = 0; i < b.plan.targets_count; i++) {
		assert_int_equal(layout_error(l, i), 0);
		assert_int_equal(size_of(b.targets[i].path), 3 * MIB);
		assert_true(is_filled(b.targets[i].path, 1024));
	}
	assert_true(holds("written", "abcdefg", 1000));
	assert_true(holds("ours", "0123456789", 1000));
	layout_unlink(l, &b.plan, 0);
	assert_int_equal(size_of("written"), 3 * MIB); /* not weir's, so it stays */
	if (marks) {
		layout_unlink(l, &b.plan, 1);
		assert_true(size_of("ours") == UINT64_MAX);
	}
	layout_free(l);
}

static void test_unlink(void **state)
{
	struct bench b;
	(void)state;
	put("empty", "x", 0);
	assert_int_equal(symlink("other", "link"), 0);
	put("other", "precious ", MIB);
	bench_init(&b);
	bench_add(&b, "new", MIB);
	bench_add(&b, "empty", MIB);
	bench_add(&b, "link", MIB);
	bench_add(&b, "on-open", MIB)->no_layout = true;
	bench_add(&b, "stays", MIB);
	b.workers[4].files.unlink = false;
	struct layout *l = bench_run(&b);
	assert_true(size_of("on-open") == UINT64_MAX);
	put("on-open", "job", MIB); /* as a job with create_on_open would */
	for (uint32_t i = 0; i < 5; i++)
		layout_unlink(l, &b.plan, i);
	assert_true(size_of("new") == UINT64_MAX);
	assert_true(size_of("empty") == UINT64_MAX);
	assert_true(size_of("on-open") == UINT64_MAX);
	assert_true(holds("link", "precious ", MIB));
	assert_int_equal(size_of("stays"), MIB);
	layout_free(l);
}

/* Two names of one missing file: laid out once, no harm. */
static void test_two_names(void **state)
{
	struct bench b;
	(void)state;
	bench_init(&b);
	bench_add(&b, "twice", 16 * MIB);
	bench_add(&b, "./twice", 16 * MIB + 512);
	struct layout *l = bench_run(&b);
	assert_int_equal(layout_error(l, 0), 0);
	assert_int_equal(layout_error(l, 1), 0);
	assert_int_equal(size_of("twice"), 16 * MIB + 512);
	assert_true(is_filled("twice", 0));
	layout_free(l);
}

/* ---- what goes wrong ---- */

/* One target fails, with what and how far; the others are made.  A limit of file
 * size stands for a full disk. */
static void test_full(void **state)
{
	struct bench b;
	struct rlimit before, tight;
	(void)state;
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	tight = (struct rlimit){.rlim_cur = 8 * MIB, .rlim_max = before.rlim_max};
	bench_init(&b);
	bench_add(&b, "too-big", 10 * MIB)->prealloc = PREALLOC_NONE;
	bench_add(&b, "fits", MIB);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &tight), 0);
	struct layout *l = bench_run(&b);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	assert_int_equal(layout_error(l, 0), -EFBIG);
	assert_string_equal(layout_error_text(l, 0),
		"laying out too-big failed writing it, after 8388608 of 10485760 bytes: File too large");
	assert_true(size_of("too-big") == UINT64_MAX); /* no half file stays */
	assert_int_equal(layout_error(l, 1), 0);
	assert_int_equal(size_of("fits"), MIB);
	layout_free(l);
}

/* The path became a pipe that nobody reads: its open never returns. */
static void test_hang(void **state)
{
	struct bench b;
	(void)state;
	put("stuck", "x", 0);
	bench_init(&b);
	bench_add(&b, "stuck", MIB);
	bench_add(&b, "free", MIB);
	assert_int_equal(unlink("stuck"), 0);
	assert_int_equal(mkfifo("stuck", 0600), 0);
	b.how.hang_ns = 2 * NS_PER_S; /* a busy machine is not a hang */
	struct layout *l = bench_run(&b);
	assert_int_equal(layout_error(l, 0), -ETIMEDOUT);
	assert_non_null(strstr(layout_error_text(l, 0), "hangs in state S, call "));
	if (!emulated_without("numbers of calls: /proc has those of the machine outside"))
		assert_non_null(strstr(layout_error_text(l, 0), "call openat"));
	assert_non_null(strstr(b.said, "laying out stuck: pid "));
	assert_int_equal(size_of("free"), MIB);
	layout_free(l);
}

/* A stop leaves a file whose size says how much is in it. */
static void test_stop(void **state)
{
	struct bench b;
	(void)state;
	bench_init(&b);
	bench_add(&b, "long", (uint64_t)4096 * MIB)->prealloc = PREALLOC_NONE;
	for (uint32_t i = 0; i < 3; i++)
		bench_add(&b, i ? i == 1 ? "later1" : "later2" : "later0", (uint64_t)4096 * MIB)
			->prealloc = PREALLOC_NONE;
	log_stop_signal = SIGINT;
	struct layout *l = bench_run(&b);
	log_stop_signal = 0;
	for (uint32_t i = 0; i < 4; i++) {
		uint64_t size = size_of(b.targets[i].path);
		assert_int_equal(layout_error(l, i), -EINTR);
		assert_non_null(strstr(layout_error_text(l, i), "the run was stopped"));
		assert_true(size == UINT64_MAX ||
			    (size < (uint64_t)4096 * MIB && is_filled(b.targets[i].path, 0)));
	}
	layout_free(l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_missing, folder_setup, teardown),
		cmocka_unit_test_setup_teardown(test_one_line_a_job, folder_setup, teardown),
		cmocka_unit_test_setup_teardown(test_write_job, folder_setup, teardown),
		cmocka_unit_test_setup_teardown(test_existing, folder_setup, teardown),
		cmocka_unit_test_setup_teardown(test_small_and_not_ours, folder_setup,
			teardown),
		cmocka_unit_test_setup_teardown(test_appeared, folder_setup, teardown),
		cmocka_unit_test_setup_teardown(test_extend, folder_setup, teardown),
		cmocka_unit_test_setup_teardown(test_unlink, folder_setup, teardown),
		cmocka_unit_test_setup_teardown(test_two_names, folder_setup, teardown),
		cmocka_unit_test_setup_teardown(test_full, folder_setup, teardown),
		cmocka_unit_test_setup_teardown(test_hang, folder_setup, teardown),
		cmocka_unit_test_setup_teardown(test_stop, folder_setup, teardown),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
