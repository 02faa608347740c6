/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Limits of control groups and memory, from captured machines; settings of a
 * thread on this one. */
#include "sys/machine.h"

#include "base/bits.h"
#include "base/err.h"
#include "run/prepare/limits.h"
#include "tests/unit/sys-tree.h"

#include <errno.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

#include <cmocka.h>

/* The tightest level counts: 100000 free at /a, 700000 at /a/b. */
static void test_cgroup_v1(void **state)
{
	struct tree t;
	struct machine_limit l;
	(void)state;
	tree_make(&t, "cgroup1.tree");
	machine_cgroup_memory(&t.root, &l);
	assert_int_equal(l.max, 1000000);
	assert_int_equal(l.used, 900000);
	machine_cgroup_pids(&t.root, &l);
	assert_true(l.max == UINT64_MAX);
	assert_int_equal(machine_memory_available(&t.root), 1500 * 1024);
	tree_remove(&t);
}

static void test_cgroup_v2(void **state)
{
	struct tree t;
	struct machine_limit l;
	(void)state;
	tree_make(&t, "cgroup2.tree");
	machine_cgroup_memory(&t.root, &l);
	assert_int_equal(l.max, 4096000);
	assert_int_equal(l.used, 4000);
	machine_cgroup_pids(&t.root, &l);
	assert_int_equal(l.max, 50);
	assert_int_equal(l.used, 10);
	assert_true(machine_memory_available(&t.root) == UINT64_MAX);
	tree_remove(&t);
}

static void test_disk_machine_has_no_limits(void **state)
{
	struct tree t;
	struct machine_limit l;
	(void)state;
	tree_make(&t, "disk.tree");
	machine_cgroup_memory(&t.root, &l);
	assert_true(l.max == UINT64_MAX);
	tree_remove(&t);
}

/* Each limit, just enough and one too many. */
static const struct {
	const char *tree;
	struct limits_need need;
	const char *says; /* NULL: it is enough */
} limit_cases[] = {
	{"cgroup1.tree", {.workers = 647}, NULL}, /* 1000 - 345 - 8 */
	{"cgroup1.tree", {.workers = 648},
		"needs 656 process numbers (kernel.pid_max), the limit is "
		"1000 of which 345 are taken; raise it with sysctl"},
	{"cgroup1.tree", {.aio = 536}, NULL},
	{"cgroup1.tree", {.aio = 537},
		"needs 537 requests in flight by libaio (fs.aio-max-nr), the "
		"limit is 65536 of which 65000 are taken"},
	{"cgroup1.tree", {.memory = 1000000}, NULL},
	{"cgroup1.tree", {.memory = 1000001},
		"bytes of memory (limit of the control group), the "
		"limit is 1000000"},
	{"cgroup1.tree", {.memory = 1536001},
		"needs 1536001 bytes of memory, the limit is 1536000"},
	{"cgroup1.tree", {.maps = 65531}, "memory mappings in one process (vm.max_map_count)"},
	{"cgroup2.tree", {.workers = 32}, NULL}, /* 50 - 10 - 8 */
	{"cgroup2.tree", {.workers = 33},
		"(pids.max of the control group), the limit is 50 of which "
		"10 are taken"},
};

static void test_limits(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT_OF(limit_cases); i++) {
		struct tree t;
		struct err e = {0};
		tree_make(&t, limit_cases[i].tree);
		int rc = limits_compare(&t.root, &limit_cases[i].need, &e);
		tree_remove(&t);
		if (limit_cases[i].says ? rc == 0 || !strstr(e.text, limit_cases[i].says)
					: rc != 0)
			fail_msg("case %zu: %d, \"%s\"", i, rc, e.text);
	}
}

static void test_cpus(void **state)
{
	cpu_set_t before, now;
	uint64_t bits[16] = {0};
	(void)state;
	assert_int_equal(sched_getaffinity(0, sizeof(before), &before), 0);
	for (size_t cpu = 0; cpu < 1024; cpu++)
		if (CPU_ISSET(cpu, &before))
			bits[cpu / 64] |= UINT64_C(1) << (cpu % 64);
	uint32_t count = (uint32_t)CPU_COUNT(&before);
	for (uint32_t k = 0; k < 2 * count; k++) {
		assert_int_equal(machine_cpus_set(bits, 16), 0);
		assert_int_equal(machine_cpus_set_one(bits, 16, k), 0);
		assert_int_equal(sched_getaffinity(0, sizeof(now), &now), 0);
		assert_int_equal(CPU_COUNT(&now), 1);
		uint32_t rank = 0, cpu = 0;
		for (; !CPU_ISSET(cpu, &now); cpu++)
			rank += CPU_ISSET(cpu, &before);
		assert_int_equal(rank, k % count);
	}
	const uint64_t none[16] = {0};
	assert_int_equal(machine_cpus_set(none, 16), -EINVAL);
	assert_int_equal(machine_cpus_set_one(none, 16, 0), -EINVAL);
	assert_int_equal(machine_cpus_set(bits, 16), 0);
}

static void test_this_machine(void **state)
{
	struct machine m;
	(void)state;
	machine_look(&m);
	assert_true(m.cpus_online >= 1 && m.cpus_configured >= m.cpus_online);
	assert_true(bits_is_power_of_2(m.page_bytes));
	assert_true(m.memory_bytes > 16u << 20);
	assert_memory_equal(m.kernel, "Linux ", 6);
	assert_int_equal(machine_timer_slack_set(1), 0);
	assert_int_equal(prctl(PR_GET_TIMERSLACK, 0, 0, 0, 0), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cgroup_v1),
		cmocka_unit_test(test_cgroup_v2),
		cmocka_unit_test(test_disk_machine_has_no_limits),
		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_cpus),
		cmocka_unit_test(test_this_machine),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
