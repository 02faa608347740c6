/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Memory that must be set aside: what plans need, and whether a machine has it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/bits.h"
#include "plan-fake.h"
#include "run/prepare/limits.h"
#include "run/prepare/memory.h"
#include "sys-tree.h"
#include "sys/machine.h"

#define HUGE (UINT64_C(2) << 20)

/* Buffers are depth * bs in whole pages; a worker's huge pages are its own. */
static const struct {
	const char *line;
	uint64_t page_bytes, pages, segments, segments_pages,
		locked; /* segments_pages: 0: huge ones */
} needs[] = {
	{"name=a size=1m", 0, 0, 0, 0, 0},
	{"name=a size=1m mem=mmapshared", 0, 0, 0, 0, 0},
	{"name=a size=1m mem=mmaphuge", HUGE, 1, 0, 0, 0},
	{"name=a size=1m mem=mmaphuge:dir/x", 0, 0, 0, 0, 0}, /* its mount says what it has */
	{"name=a size=64m bs=1m mem=mmaphuge ioengine=io_uring iodepth=5 numjobs=3", HUGE, 9, 0,
		0, 0},
	/* one byte more than two pages hold */
	{"name=a size=64m bs=1m mem=mmaphuge ioengine=io_uring iodepth=4 iomem_align=1", HUGE,
		3, 0, 0, 0},
	{"name=a size=64m mem=mmaphuge hugepage-size=1g", UINT64_C(1) << 30, 1, 0, 0, 0},
	{"name=a size=1m mem=shm numjobs=3", 0, 0, 3, 3, 0},
	{"name=a size=1m mem=shmhuge", HUGE, 1, 1, 0, 0},
	/* waves follow each other: the larger counts */
	{"name=a size=1m mem=shm numjobs=3 name=b size=1m mem=shm stonewall", 0, 0, 3, 3, 0},
	/* a limit holds for a process: threads share one */
	{"name=a size=1m lockmem=1m numjobs=3", 0, 0, 0, 0, 1 << 20},
	{"name=a size=1m lockmem=1m numjobs=3 thread", 0, 0, 0, 0, 3 << 20},
};

static void test_needs(void **state)
{
	const uint64_t small = (uint64_t)sysconf(_SC_PAGESIZE);

	(void)state;
	for (size_t i = 0; i < COUNT_OF(needs); i++) {
		struct fake f;
		struct memory_need n;
		fake_plan(&f, needs[i].line, NULL);
		if (!f.plan)
			fail_msg("%s: %s", needs[i].line, f.err.text);
		memory_need(f.plan, HUGE, &n);
		uint64_t page = n.huge_count ? n.huge[0].page_bytes : 0;
		uint64_t pages = n.huge_count ? n.huge[0].pages : 0;
		if (page != needs[i].page_bytes || pages != needs[i].pages ||
			n.segments != needs[i].segments ||
			n.segments_bytes != (needs[i].segments_pages
							    ? needs[i].segments_pages * small
							    : n.segments * page) ||
			n.locked_bytes != needs[i].locked)
			fail_msg("%s: %lu pages of %lu, %lu segments of %lu, %lu locked",
				needs[i].line, pages, page, n.segments, n.segments_bytes,
				n.locked_bytes);
		fake_done(&f);
	}
}

/* huge.tree: 10 free - 4 reserved + 3 - 1 on demand are 8. Segments' bytes are in pages here.
 */
static const struct {
	struct memory_need need;
	const char *says; /* NULL: it is enough */
} machines[] = {
	{{.huge = {{HUGE, 8}}, .huge_count = 1}, NULL},
	{{.huge = {{HUGE, 9}}, .huge_count = 1},
		"need huge pages of 2048 KiB: 9 of them, and 8 can be had; raise the number in "
		"/proc/sys/vm/nr_hugepages by 1"},
	{{.huge = {{UINT64_C(1) << 30, 3}}, .huge_count = 1},
		"of 1048576 KiB: 3 of them, and 1 can be had; raise the number in "
		"/sys/kernel/mm/hugepages/hugepages-1048576kB/nr_hugepages by 2"},
	{{.huge = {{UINT64_C(4) << 20, 1}}, .huge_count = 1},
		"the machine has no huge pages of 4096 KiB"},
	{{.segments = 4096, .segments_bytes = 1000}, NULL},
	{{.segments = 4097}, "need 4097 System V segments, the limit is 4096"},
	{{.segments = 1, .segments_bytes = 1001}, "the limit is 1000 pages"},
	{{.locked_bytes = 1000}, NULL},
	{{.locked_bytes = 1001}, "needs 1001 bytes locked in one process, the limit is 1000"},
};

static void test_machines(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT_OF(machines); i++) {
		struct tree t;
		struct err e = {0};
		struct memory_need need = machines[i].need;
		need.segments_bytes *= (uint64_t)sysconf(_SC_PAGESIZE);
		tree_make(&t, "huge.tree");
		int rc = memory_compare(&t.root, &need, 1000, &e);
		assert_int_equal(machine_hugepage_bytes(&t.root), HUGE);
		tree_remove(&t);
		if (machines[i].says ? rc == 0 || !strstr(e.text, machines[i].says) : rc != 0)
			fail_msg("case %zu: %d, \"%s\"", i, rc, e.text);
	}
}

/* Mappings of the host process: 200 of its own. */
static const struct {
	const char *line;
	uint64_t least, most;
} maps[] = {
	{"name=a size=1m ioengine=null thread numjobs=20000", 200, 300},
	{"name=a size=1m ioengine=psync thread numjobs=20000", 200, 300},
	{"name=a size=1m ioengine=io_uring iodepth=2 thread numjobs=20000", 60000, UINT64_MAX},
	{"name=a size=1m ioengine=null mem=mmapshared thread numjobs=20000", 20000, 60000},
	{"name=a size=8m nrfiles=100 ioengine=mmap thread numjobs=100", 10000, 20000},
	{"name=a size=1m ioengine=io_uring numjobs=20000", 200, 300},
};

static void test_maps(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT_OF(maps); i++) {
		struct fake f;
		struct limits_need n;
		fake_plan(&f, maps[i].line, NULL);
		if (!f.plan)
			fail_msg("%s: %s", maps[i].line, f.err.text);
		limits_need(f.plan, &n);
		if (n.maps < maps[i].least || n.maps > maps[i].most)
			fail_msg("%s: %lu mappings", maps[i].line, n.maps);
		fake_done(&f);
	}
}

/* What a job takes grows with its buffers, and a thread takes less than a process. */
static void test_cost(void **state)
{
	struct fake one, thread, locked;

	(void)state;
	fake_plan(&one, "name=a size=1m numjobs=10", NULL);
	fake_plan(&thread, "name=a size=1m numjobs=10 thread", NULL);
	fake_plan(&locked, "name=a size=1m numjobs=10 lockmem=1m", NULL);
	assert_int_equal(one.plan->memory_bytes, 10 * fake_worker(&one, 9)->memory.cost_bytes);
	assert_true(thread.plan->memory_bytes < one.plan->memory_bytes / 2);
	assert_int_equal(locked.plan->memory_bytes, one.plan->memory_bytes + (10 << 20));
	fake_done(&one);
	fake_done(&thread);
	fake_done(&locked);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_needs),
		cmocka_unit_test(test_machines),
		cmocka_unit_test(test_maps),
		cmocka_unit_test(test_cost),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
