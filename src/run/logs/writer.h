/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* The writer of logs: a process of its own, forked by the supervisor before the wave's
 * workers.  It empties their rings into files while they run; a log's disk that is full
 * or hangs hurts neither workers nor supervisor.  It ends when all its rings are over
 * and empty, or when the supervisor is gone. */
#pragma once

#include <stdint.h>
#include <sys/types.h>

struct log_bell;
struct log_ring;
struct plan_target;
struct plan_worker;
struct shared;

/* A worker, and the ring that comes from it. */
struct log_stream {
	const struct plan_worker *worker;
	struct log_ring *ring;
	const struct plan_target *targets; /* of the run                          */
};

/* Runs in the writer's process. PARENT is the supervisor. */
void log_writer_main(struct shared *shared, const struct log_stream *streams, uint32_t count,
	struct log_bell *bell, pid_t parent);
