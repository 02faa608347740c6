/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* lockfile: jobs of this run that share a file take turns, a request at a time.
 *
 * The locks are byte ranges of one file in memory, a byte for each target of the
 * plan, locked through an open file description of the worker's own: so the kernel
 * gives back what a killed worker held, and a signal ends a wait. */
#pragma once

#include <stdint.h>

struct arena;
struct err;
struct plan;
struct plan_worker;
struct source;

/* The file; -1 when no job of PLAN asks for locks, a negative errno on failure.  The
 * supervisor makes it before it forks. */
int lockfile_make(const struct plan *plan);

/* Another description of it, for one worker: closing that gives back its locks. */
int lockfile_open(int fd, struct err *reterr);

/* INNER, one request at a time: next() has the lock of its target when it gives it
 * out, done() gives it back.  OWN is the worker's description; STOP ends a wait.
 * NULL and *reterr on failure. */
struct source *lockfile_source(struct arena *arena, const struct plan_worker *pw,
	struct source *inner, int own, const volatile uint32_t *stop, struct err *reterr);
