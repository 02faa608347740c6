/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* One run of weir by weir: a process of its own, with the words of a command line, whose
 * result is a JSON file.  So each run begins as every other, with the guards of `run`,
 * and what happens to it happens to it alone.
 *
 * Signals: again_begin() blocks SIGINT, SIGTERM, SIGHUP, SIGQUIT and SIGCHLD in this
 * process; again_run() waits for them.  A signal from the terminal reaches the run by
 * itself, any other is passed on; the run then ends in order and has its report.  One
 * thread. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct err;

void again_begin(void);

/* Was a signal to end received, while or between runs? */
bool again_stopped(void);

/* Do `weir run --output-format=json --output=FILE WORDS...`; its words come out on stderr.
 * *ret_status is its exit status (128 and more: a signal).  0 or -errno: it could not
 * be started. */
int again_run(char *const *words, size_t count, const char *file, int *ret_status,
	struct err *reterr);
