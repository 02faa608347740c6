/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* The helper thread of a replay: it reads the trace, decodes it, and puts what is to be
 * done into a ring, so that the worker's loop reads no file and parses nothing.
 *
 *	trace  ->  map  ->  check  ->  ring (one producer, one consumer, no lock)  ->  source
 *
 * head and tail count records since the start and never wrap.  Everything is checked
 * against the plan again: a trace that changed since then ends the job, and nothing is
 * done outside of what was planned. */
#pragma once

#include <pthread.h>
#include <stdalign.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "plan/plan.h"

struct arena;

/* One request of the trace, checked and mapped to the job's files. */
struct replay_entry {
	uint64_t due_ns; /* after the start of the replay                       */
	uint64_t offset;
	uint32_t bytes;
	uint32_t what; /* file; the kind of request (enum io_kind) above it   */
};

_Static_assert(sizeof(struct replay_entry) == REPLAY_ENTRY_BYTES, "the plan counts on it");

#define REPLAY_FILE_BITS 24
#define REPLAY_FILE_MASK ((1u << REPLAY_FILE_BITS) - 1)

/* What both threads share; each writes its own cache line. */
struct replay_ahead {
	/* the helper's */
	alignas(64) uint64_t head;
	uint32_t ended;   /* nothing comes behind head; then error is final      */
	struct err error; /* code 0: the trace ended                             */

	/* the worker's */
	alignas(64) uint64_t tail;
	uint32_t quit;

	/* const while it runs */
	alignas(64) const struct plan_replay *plan;
	struct replay_entry *slots;
	uint64_t mask;
	pthread_t thread;
	bool running;
};

/* Start it, and wait until the ring is full or the trace over.  NULL and *reterr on
 * failure. */
struct replay_ahead *replay_ahead_new(struct arena *arena, const struct plan_worker *pw,
	struct err *reterr);

/* Ask it to end; JOIN: and wait until it has. */
void replay_ahead_stop(struct replay_ahead *a, bool join);
