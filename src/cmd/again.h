/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Processes that a verb starts and waits for: a run of weir by weir, with the words of a
 * command line, whose result is a JSON file; and commands of the user.  So each run begins
 * as every other, with the guards of `run`, and what happens to it happens to it alone.
 *
 * Signals: again_begin() blocks SIGINT, SIGTERM, SIGHUP, SIGQUIT and SIGCHLD in this
 * process; the others wait for them.  A signal from the terminal reaches a run by
 * itself, any other is passed on; the run then ends in order and has its report.  One
 * thread. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;

/* Once, before the first run or command of this process; signals stay blocked from then on. */
void again_begin(void);

/* Was a signal to end received, while or between runs? */
bool again_stopped(void);

/* Do `weir run --output-format=json --output=FILE WORDS...`; its words come out on LOG_FD
 * (-1: stderr).  *ret_status is its exit status (128 and more: a signal).  0 or -errno: it
 * could not be started. */
int again_run(char *const *words, size_t count, const char *file, int log_fd, int *ret_status,
	struct err *reterr);

/* Do SCRIPT by /bin/sh in a session of its own, so that no Ctrl-C reaches it, with its output
 * on LOG_FD.  A signal ends it and all that it has started, and so does the death of this
 * process.  PATIENT: only a second signal does, also counting one that came before; and it
 * outlives this process. */
int again_shell(const char *script, bool patient, int log_fd, int *ret_status,
	struct err *reterr);

/* Sleep, but not once a signal to end has come. */
void again_pause(uint64_t ns);
