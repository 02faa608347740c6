/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* exec_prerun and exec_postrun: a shell command in a process group of its own. */
#pragma once

#include <stdint.h>

struct plan_worker;

enum exec_when { EXEC_BEFORE, EXEC_AFTER };

/* The file that its output goes to: "JOB.prerun.txt".  Returns BUF. */
const char *exec_output(const struct plan_worker *pw, enum exec_when when, char *buf,
	unsigned size);

/* Run COMMAND with /bin/sh, stdin from /dev/null, all output to the file OUTPUT, and
 * wait for its end.  While *STOP is not 0 it is asked to end, and after two seconds
 * killed.  Returns its exit status, 128 + the signal that ended it, or a negative
 * errno when it could not be started: -ECANCELED when it was stopped. */
int exec_run(const char *command, const char *output, const volatile uint32_t *stop);
