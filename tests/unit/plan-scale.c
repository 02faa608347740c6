/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Large plans, and that a plan can't be changed. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/str.h"
#include "plan-fake.h"

/* A target is looked at once, and a quadratic step would take minutes. */
static void test_files(void **state)
{
	struct fake f;

	(void)state;
	fake_plan(&f, "name=a size=800m bs=4k rw=randwrite nrfiles=200000", NULL);
	assert_non_null(f.plan);
	assert_int_equal(f.plan->targets_count, 200000);
	assert_int_equal(f.looks, 200000);
	assert_string_equal(f.plan->targets[199999].path, "a.0.199999");
	assert_int_equal(fake_worker(&f, 0)->files.targets[199999], 199999);
	assert_int_equal(fake_worker(&f, 0)->amount.bytes, UINT64_C(200000) * 4096);
	fake_done(&f);
}

static void test_clones(void **state)
{
	struct fake f;

	(void)state;
	fake_plan(&f, "size=1m filename=x name=a numjobs=10000 name=b wait_for=a numjobs=10000",
		NULL);
	assert_non_null(f.plan);
	assert_int_equal(f.plan->workers_count, 20000);
	assert_int_equal(f.plan->targets_count, 1);
	assert_int_equal(f.looks, 1);
	assert_int_equal(fake_worker(&f, 19999)->end.wait_count, 10000);
	/* clones share what is the same for all */
	assert_ptr_equal(fake_worker(&f, 19999)->end.wait_for,
		fake_worker(&f, 10000)->end.wait_for);
	assert_ptr_equal(fake_worker(&f, 9)->files.targets, fake_worker(&f, 0)->files.targets);
	assert_ptr_equal(fake_worker(&f, 9)->measure.style, fake_worker(&f, 0)->measure.style);
	fake_done(&f);
}

#ifndef NDEBUG
static void test_sealed(void **state)
{
	struct fake f;
	int status;

	(void)state;
	fake_plan(&f, "name=a size=1m", NULL);
	assert_non_null(f.plan);
	pid_t pid = fork();
	if (pid == 0) {
		const struct rlimit none = {0};
		setrlimit(RLIMIT_CORE, &none);
		signal(SIGSEGV, SIG_DFL);
		f.plan->workers[0].queue.depth = 7;
		_exit(0);
	}
	assert_true(pid > 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
	fake_done(&f);
}
#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_files),
		cmocka_unit_test(test_clones),
#ifndef NDEBUG
		cmocka_unit_test(test_sealed),
#endif
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
