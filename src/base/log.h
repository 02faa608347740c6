/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* The two mutable globals of the program: how much is said, and whether to stop.
 *
 * Debug lines go to stderr, by area (--debug=plan,engine); they are allowed
 * anywhere but in files marked HOT.  Everything else that a user reads is
 * printed by cmd, which gets it as an err or through a sink. */
#pragma once

#include <signal.h>
#include <stdbool.h>

/* Bits of log_areas.  LOG_IO is each request: it puts a trace shim around the engine instead
 * of a line into the loop (plan/queue.c). */
enum log_area {
	LOG_JOB = 1u << 0,
	LOG_PLAN = 1u << 1,
	LOG_RUN = 1u << 2,
	LOG_ENGINE = 1u << 3,
	LOG_IO = 1u << 4,
	LOG_SYS = 1u << 5,
};

/* Set of enum log_area: written once, while the command line is read, before anything is
 * forked; inherited by workers. */
extern unsigned log_areas;

/* Number of the signal that asked the run to stop (0: none), written by the
 * handler that cmd installs; log_stop_count says how often it was asked. */
extern volatile sig_atomic_t log_stop_signal;
extern volatile sig_atomic_t log_stop_count;

static inline bool log_wants(enum log_area area)
{
	return (log_areas & area) != 0;
}

/* "area  pid  text" on stderr when AREA is wanted; at most 511 bytes of text, no newline in
 * FMT.  Its arguments are evaluated even when it isn't: ask log_wants() first where they
 * cost something. */
void log_debug(enum log_area area, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Parse "plan,engine", "all"; returns 0 or -EINVAL with *ret_bad at the word. */
int log_parse_areas(const char *text, unsigned *ret_areas, const char **ret_bad);
