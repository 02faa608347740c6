/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What each file or device of a worker did, for jobs that have several (per_target). */
#pragma once

#include <stdint.h>

#include "base/dir.h"

struct result;
struct result_row;
struct plan;
struct io;
struct shared_places;
struct worker;

/* Counters of one target, the worker's; its latencies are in shared_places. */
struct shared_target {
	uint64_t ios[DIRS], bytes[DIRS]; /* completed inside the window */
	uint64_t errors[DIRS];
	uint64_t again_ios, again_bytes; /* reads of the verification, which are in no other */
};

/* The N requests of IOS came back at T2_NS.  HOT for jobs that ask for it. */
void by_target_account(struct worker *w, struct io *const *ios, unsigned n, uint64_t t2_ns);

/* A part of IO, BYTES, came back; the rest goes on. */
void by_target_short(struct worker *w, const struct io *io, uint64_t bytes, uint64_t t2_ns);

/* The ramp is over. */
void by_target_forget(struct worker *w);

/* Of worker I, into ROW, whose latencies stay in shared memory.  0 or -ENOMEM. */
int by_target_gather(struct result *r, const struct plan *plan, uint32_t i,
	const struct shared_places *at, struct result_row *row);
