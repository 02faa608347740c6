/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What lies between a worker and the writer of its logs, in shared memory: records in
 * a ring of fixed size, one producer, one consumer.  head and tail count records since
 * the start and never wrap.
 *
 * The worker never drops a record while the writer lives: when the ring is full it
 * waits, and counts that.  Only a writer that died (broken), or a stop that does not
 * wait (stop 2), makes it drop, and that is counted, too. */
#pragma once

#include <stdalign.h>
#include <stdbool.h>
#include <stdint.h>

#include "plan/plan.h"
#include "run/logs/record.h"

#define LOG_WRITERS 8 /* processes at most */

/* What a writer sleeps on; one a writer. */
struct log_bell {
	alignas(64) uint32_t rung; /* futex                           */
	uint32_t sleeping;
};

/* What became of one file; the writer's. */
struct log_outcome {
	int32_t error;       /* positive errno of the first write that failed */
	uint64_t lines_lost; /* of a text log; of a binary one records        */
};

/* Sums of the window that is open; given away as records when it ends. */
struct log_window {
	uint64_t index;
	bool used;
	struct log_sum dir[DIRS];
};

/* One worker's, of plan_log.ring_bytes; each side writes its own cache lines. */
struct log_ring {
	/* the worker's */
	alignas(64) uint64_t head;
	uint64_t start_ns; /* the window opened: times count from here; 0: not yet */
	uint64_t end_ns;   /* and ended                                         */
	uint64_t wall_ns;  /* CLOCK_REALTIME then                                */
	uint64_t epoch_ms; /* of the clock that was asked for, then              */
	uint64_t waits, wait_ns;
	uint64_t lost;                /* records                                           */
	uint64_t ios;                 /* records of I/Os, wide ones too                    */
	struct log_window window;     /* being filled                                 */
	struct histogram *hist[DIRS]; /* likewise; in shared memory, or NULL      */
	struct log_bell *bell;

	/* the writer's */
	alignas(64) uint64_t tail;
	uint32_t done; /* all is in the files                               */
	struct log_outcome outcome[PLAN_LOGS];

	/* the supervisor's */
	alignas(64) uint32_t over; /* nothing comes any more                      */
	uint32_t broken;           /* nobody reads any more                             */

	alignas(64) struct log_record slots[];
};

/* Wake its writer if that sleeps. */
void log_bell_ring(struct log_bell *bell);

/* Sleep until it is rung or NS have passed. */
void log_bell_wait(struct log_bell *bell, uint64_t ns);
