/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What a process is doing: from captured texts, and of a real child. */
#include "sys/task.h"

#include "base/bits.h"
#include "tests/unit/sys-tree.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static const struct {
	const char *stat, *wchan;
	long call; /* -1: in none; -2: "running" */
	const char *text;
} cases[] = {
	{"77 (weir) D 1 77", "folio_wait_bit", SYS_pwrite64,
		"in state D, call pwrite64, waiting in folio_wait_bit"},
	{"77 (a) R (b) S 1 77", "0", SYS_io_uring_enter, "in state S, call io_uring_enter"},
	{"77 (weir) R 1 77", "0", -2, "in state R"},
	{"77 (weir) D 1 77", "0", 4095, "in state D, call number 4095"},
	{"77 (weir) T 1 77", "do_signal_stop", -1, "in state T, waiting in do_signal_stop"},
};

static void put(const struct tree *t, const char *file, const char *text)
{
	char command[2048];
	snprintf(command, sizeof(command),
		"mkdir -p %s/proc/77/task/77 && printf '%%s\\n' '%s' > %s/proc/77/task/77/%s",
		t->folder, text, t->folder, file);
	assert_int_equal(system(command), 0);
}

static void test_cases(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct tree t;
		struct task task;
		char text[256], call[64];
		tree_make(&t, "cgroup2.tree");
		snprintf(call, sizeof(call), cases[i].call == -2 ? "running" : "%ld 0x3 0x7f",
			cases[i].call);
		put(&t, "stat", cases[i].stat);
		put(&t, "wchan", cases[i].wchan);
		put(&t, "syscall", call);
		assert_int_equal(task_look(&t.root, 77, 77, &task), 0);
		assert_string_equal(task_text(&task, text, sizeof(text)), cases[i].text);
		assert_int_equal(task_is_stopped(&task),
			strstr(cases[i].text, "state T") != NULL);
		tree_remove(&t);
	}
}

static void test_child(void **state)
{
	struct task task = {0};
	(void)state;
	pid_t pid = fork();
	if (pid == 0) {
		pause();
		_exit(0);
	}
	assert_true(pid > 0);
	kill(pid, SIGSTOP);
	assert_int_equal(waitpid(pid, NULL, WUNTRACED), pid);
	assert_int_equal(task_look(&sysroot_real, pid, pid, &task), 0);
	assert_true(task_is_stopped(&task));
	kill(pid, SIGKILL);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_int_equal(task_look(&sysroot_real, pid, pid, &task), -ESRCH);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cases),
		cmocka_unit_test(test_child),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
