/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* The lines of fio's logs.
 *
 *   an I/O     TIME, VALUE, DIRECTION, BYTES[, OFFSET], PRIO[, ISSUED]
 *   a window   END,  VALUE[, LARGEST], DIRECTION, 0[, 0], PRIO[, 0]
 *   bins       END,  DIRECTION, BYTES, COUNT, COUNT, ...
 *
 * TIME and END are milliseconds.  VALUE is nanoseconds in logs of latencies; in those of
 * bandwidth bytes * 10^6 / clat for an I/O (kB/s) and KiB/s for a window; in those of IOPS
 * 1 for an I/O, and I/Os a second for a window.
 *
 * A window in which nothing completed is a zero in the logs of bandwidth and IOPS, for
 * each direction that the job uses, and no line in those of latencies: there is none. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "plan/plan.h"
#include "run/logs/decode.h"

/* What a line goes to. */
struct log_sink {
	void *ctx;
	/* LEN bytes of whole lines; LINES of them. */
	void (*put)(void *ctx, const char *text, size_t len);
};

/* How lines look: what the job's log_* options say. */
struct log_style {
	bool offset, prio, issue_time;
	enum plan_log_value value;
	uint64_t epoch_ms; /* added to times                       */
	uint64_t window_ns;
	uint32_t coarseness;
	uint16_t job_prio; /* of I/Os that have none of their own  */
	bool use[DIRS];
	uint32_t bytes_max[DIRS]; /* for lines of bins                  */
};

/* The writer of a job's text logs. */
struct log_lines {
	struct log_style style;
	struct log_sink to[PLAN_LOGS]; /* put NULL: no such log         */
	uint64_t next_window;
	bool each; /* lines of each I/O; else of windows    */
};

/* A listener that writes lines. */
struct log_listener log_lines_listener(struct log_lines *l);

/* A window's sums; ended by END_NS.  Those before it that are missing were empty. */
void log_lines_window(struct log_lines *l, enum dir dir, uint64_t index, uint64_t end_ns,
	const struct log_sum *sum);

/* Windows up to the end that nobody wrote: zeros. */
void log_lines_end(struct log_lines *l, uint64_t end_ns);
