/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* A worker tells the state file what it writes, trims and syncs.
 *
 *	before a write or trim is issued     tell_begun()
 *	it came back                         tell_ended()
 *	around fsync() and its kind          tell_sync_begun(), tell_sync_ended()
 *
 * Most of it goes to a buffer.  It is handed to the kernel before what the reader of the state
 * must know (state.h): each trim, each write of units that may be torn; after each sync,
 * since that is what counts; and when it is 100 ms old.  One worker's, one thread. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct arena;
struct clock;
struct err;
struct plan_worker;
struct tell;
struct verify_slot;

/* FD was begun by the supervisor.  NULL and *reterr when memory is out. */
struct tell *tell_new(struct arena *arena, const struct plan_worker *pw, int fd,
	const struct clock *clock, uint64_t wall_ns, struct err *reterr);

/* S has its serial.  Returns the time that its stamps must have: none may be before what was
 * told already.  HOT. */
uint64_t tell_begun(struct tell *t, const struct verify_slot *s);

/* RES as in struct io; -ECANCELED: it may have been issued or not.  HOT. */
void tell_ended(struct tell *t, const struct verify_slot *s, int32_t res);

/* Of FILE; returns the number for its end. */
uint64_t tell_sync_begun(struct tell *t, uint32_t file);
void tell_sync_ended(struct tell *t, uint64_t number, bool failed);

/* The worker ends as it should. */
void tell_finish(struct tell *t);

/* 0, or what kept it from being written: negative errno. */
int tell_error(const struct tell *t);
