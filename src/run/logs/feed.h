/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* The worker's end of its logs: I/Os go in, records come out into the ring.
 *
 * A worker without logs has no feed, and pays one branch a batch.  With logs of each
 * I/O it writes 16 bytes for each; with windows it adds a batch to the sums of the
 * window, and writes them when the window is over.  Belongs to the worker's thread. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "engine/engine.h"
#include "run/logs/ring.h"

struct arena;
struct clock;
struct plan_worker;

/* Decided when it is made but for times and the ring's place; one worker's. */
struct log_feed {
	struct log_ring *ring;
	struct log_record *slots;
	uint64_t size, mask; /* records in the ring                              */
	uint64_t head;       /* not published yet                                */
	uint64_t limit;      /* up to which head may go without a look           */
	uint64_t start_ns;   /* times count from here                            */
	uint64_t last_ns;    /* the time of the record before                    */
	uint32_t unit_shift;
	bool each, windows, hist; /* what is wanted                              */
	uint64_t begin_ns;        /* times of what was issued count from here         */
	bool slat;                /* submission is stamped by itself                  */
	uint64_t deadline_ns;     /* what completes later belongs to the last window */
	uint64_t window_ns, window_due_ns;
	uint64_t hist_ns, hist_due_ns;
	bool use[DIRS];
	bool epoch;
	int32_t epoch_clock;
	const struct clock *clock;
	const uint32_t *stop;
};

/* NULL: PW has nothing that feeds a log (then *reterr is 0), or no memory. */
struct log_feed *log_feed_new(struct arena *arena, const struct plan_worker *pw,
	struct log_ring *ring, const struct clock *clock, const uint32_t *stop);

/* The job starts at START_NS: so do times of what it issues. */
void log_feed_start(struct log_feed *f, uint64_t start_ns);

/* N requests were issued at their prepared_ns: for write_iolog.  HOT. */
void log_feed_issued(struct log_feed *f, struct io *const *ios, unsigned n);

/* The measured window opened at START_NS, and ends by the clock at DEADLINE_NS at
 * the latest. */
void log_feed_open(struct log_feed *f, uint64_t start_ns, uint64_t deadline_ns);

/* N requests that share stamps, direction and size completed at T2; COUNTS is
 * LOG_RATE, LOG_LATENCY or both.  HOT. */
void log_feed_ios(struct log_feed *f, struct io *const *ios, unsigned n, uint64_t t2,
	unsigned counts);

/* The window ended at END_NS: what is left of it. */
void log_feed_close(struct log_feed *f, uint64_t end_ns);
