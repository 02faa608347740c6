/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Memory of workers: arenas that are lent or shared, slabs of stacks, buffers of each
 * kind. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stdalign.h>
#include <dirent.h>
#include <errno.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/bits.h"
#include "base/err.h"
#include "plan/plan.h"
#include "run/buffers.h"
#include "run/slab.h"
#include "tests/unit/emulated.h"

static bool within(const void *p, size_t bytes, const void *base, size_t room)
{
	return (uintptr_t)p >= (uintptr_t)base &&
	       (uintptr_t)p + bytes <= (uintptr_t)base + room;
}

static void test_arena_lent(void **state)
{
	static alignas(16) unsigned char mem[4096];
	struct arena a = {0};

	(void)state;
	arena_lend(&a, mem, sizeof(mem));
	void *first = arena_alloc(&a, 1000), *large = arena_alloc(&a, 8000);
	assert_true(within(first, 1000, mem, sizeof(mem)));
	assert_non_null(large);
	assert_false(within(large, 1, mem, sizeof(mem)));
	memset(large, 1, 8000);
	arena_done(&a);
	memset(mem, 2, sizeof(mem)); /* still the caller's */

	arena_lend(&a, mem, 8); /* too small for anything */
	void *other = arena_alloc(&a, 1);
	assert_false(within(other, 1, mem, sizeof(mem)));
	arena_done(&a);
}

static void test_arena_shared(void **state)
{
	struct arena a = {.shared = true};
	uint64_t *v = arena_array(&a, 100000, sizeof(*v));
	int status;

	(void)state;
	assert_non_null(v);
	assert_int_equal(v[99999], 0);
	pid_t pid = fork();
	if (pid == 0) {
		v[99999] = 42;
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(v[99999], 42);
	arena_done(&a);
	assert_true(a.shared);
}

/* Rooms and stacks of threads touch no other's, and are zero. */
static void test_slab(void **state)
{
	struct slab s;
	struct err e;
	const uint32_t count = 50;
	size_t bytes;

	(void)state;
	assert_int_equal(slab_make(&s, count, 10000, &e), 0);
	for (uint32_t k = 0; k < count; k++) {
		unsigned char *stack = slab_stack(&s, k, &bytes);
		struct slab_room room = slab_room(&s, k);
		assert_true(room.bytes >= 10000);
		assert_int_equal((uintptr_t)room.base % 4096, 0);
		for (size_t i = 0; i < room.bytes; i++)
			assert_int_equal(((unsigned char *)room.base)[i], 0);
		memset(room.base, (int)k + 1, room.bytes);
		memset(stack + 4096, (int)k + 1, bytes - 4096);
	}
	for (uint32_t k = 0; k < count; k++) {
		unsigned char *stack = slab_stack(&s, k, &bytes);
		struct slab_room room = slab_room(&s, k);
		assert_int_equal(stack[bytes - 1], k + 1);
		assert_int_equal(((unsigned char *)room.base)[room.bytes - 1], k + 1);
		assert_true(slab_intact(&s, k));
	}
	slab_done(&s);
	slab_done(&s);
}

/* Below the last byte of a stack is the end, by a signal or by a broken mark. */
static void test_overflow(void **state)
{
	struct slab s;
	struct err e;
	size_t bytes;
	int status;

	(void)state;
	if (emulated_without("guards: any advice of madvise() is taken, and none followed"))
		skip();
	assert_int_equal(slab_make(&s, 3, 0, &e), 0);
	unsigned char *stack = slab_stack(&s, 1, &bytes);
	pid_t pid = fork();
	if (pid == 0) {
		signal(SIGSEGV, SIG_DFL);
		memset(stack - 64, 1, 128);
		_exit(slab_intact(&s, 1) ? 0 : 1);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true((WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV) ||
		    (WIFEXITED(status) && WEXITSTATUS(status) == 1));
	slab_done(&s);
}

static uint32_t entries(const char *folder)
{
	DIR *d = opendir(folder);
	uint32_t n = 0;

	assert_non_null(d);
	while (readdir(d))
		n++;
	closedir(d);
	return n - 2;
}

static void test_buffers(void **state)
{
	char folder[] = "run-memory-XXXXXX", file[64], text[8] = "";

	(void)state;
	assert_non_null(mkdtemp(folder));
	snprintf(file, sizeof(file), "%s/file", folder);
	FILE *f = fopen(file, "w"); /* somebody's: it must stay */
	assert_non_null(f);
	fputs("keep", f);
	fclose(f);
	const struct plan_memory kinds[] = {
		{.word = "malloc", .kind = MEMORY_PRIVATE},
		{.word = "mmap", .kind = MEMORY_PRIVATE, .file = file},
		{.word = "mmapshared", .kind = MEMORY_SHARED},
		{.word = "mmapshared", .kind = MEMORY_SHARED, .file = file},
		{.word = "shm", .kind = MEMORY_SEGMENT},
		{.word = "malloc", .kind = MEMORY_PRIVATE, .align = 512},
		{.word = "shm", .kind = MEMORY_SEGMENT, .align = 5000},
		{.word = "malloc", .kind = MEMORY_PRIVATE, .lock_bytes = 8192},
	};
	for (size_t i = 0; i < COUNT_OF(kinds); i++) {
		struct slab_room none = {0};
		struct buffers b;
		struct err e = {0};
		if (buffers_make(&b, &kinds[i], 100000, &none, &e) < 0)
			fail_msg("%s: %s", kinds[i].word, e.text);
		assert_int_equal((uintptr_t)b.first % 4096, kinds[i].align % 4096);
		for (size_t at = 0; at < 100000; at++)
			assert_int_equal(((unsigned char *)b.first)[at], 0);
		memset(b.first, 7, 100000);
		assert_int_equal(entries(folder), 1);
		buffers_done(&b);
		buffers_done(&b);
	}
	f = fopen(file, "r");
	assert_non_null(fgets(text, sizeof(text), f));
	fclose(f);
	assert_string_equal(text, "keep");
	unlink(file);
	assert_int_equal(rmdir(folder), 0);
}

/* A room is used while it lasts, and by private memory only. */
static void test_room(void **state)
{
	static alignas(4096) unsigned char mem[65536];
	const struct plan_memory own = {.word = "malloc", .kind = MEMORY_PRIVATE};
	const struct plan_memory shared = {.word = "mmapshared", .kind = MEMORY_SHARED};
	struct slab_room room = {mem, sizeof(mem)};
	struct buffers b;
	struct err e;

	(void)state;
	assert_int_equal(buffers_make(&b, &own, 40000, &room, &e), 0);
	assert_ptr_equal(b.first, mem);
	assert_int_equal(room.bytes, sizeof(mem) - 40960);
	assert_ptr_equal(room.base, mem + 40960);
	buffers_done(&b);
	assert_int_equal(buffers_make(&b, &own, 40000, &room, &e), 0);
	assert_false(within(b.first, 1, mem, sizeof(mem)));
	buffers_done(&b);
	assert_int_equal(buffers_make(&b, &shared, 4096, &room, &e), 0);
	assert_false(within(b.first, 1, mem, sizeof(mem)));
	buffers_done(&b);
	assert_int_equal(buffers_make(&b, &own, 0, &room, &e), 0);
	assert_null(b.first);
	buffers_done(&b);
}

/* What can't be had is told, and leaves nothing. */
static void test_failures(void **state)
{
	const struct plan_memory nowhere = {
		.word = "mmap", .kind = MEMORY_PRIVATE, .file = "no/such/folder/x"};
	const struct plan_memory much = {
		.word = "malloc", .kind = MEMORY_PRIVATE, .lock_bytes = UINT64_C(1) << 60};
	struct slab_room none = {0};
	struct buffers b;
	struct err e;

	(void)state;
	assert_int_equal(buffers_make(&b, &nowhere, 4096, &none, &e), -ENOENT);
	assert_non_null(strstr(e.text, "beside \"no/such/folder/x\""));
	assert_null(b.map);
	assert_int_equal(buffers_make(&b, &much, 4096, &none, &e), -ENOMEM);
	assert_non_null(strstr(e.text, "lockmem"));
	assert_null(b.map);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_arena_lent),
		cmocka_unit_test(test_arena_shared),
		cmocka_unit_test(test_slab),
		cmocka_unit_test(test_overflow),
		cmocka_unit_test(test_buffers),
		cmocka_unit_test(test_room),
		cmocka_unit_test(test_failures),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
