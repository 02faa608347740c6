/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Work in a process of its own, for what may wait for a device that doesn't answer. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* A child that works; zeroed: none. */
struct apart {
	void *room; /* SIZE zeroed bytes that both share */
	size_t size;
	pid_t pid;
	int from; /* its answer comes here */
};

/* Fork a child that calls WORK with ROOM.  It has no descriptors but its own, and dies with
 * its parent.  0 or a negative errno; only after 0 call apart_end(). */
int apart_begin(struct apart *a, int (*work)(void *ctx, void *room), void *ctx, size_t size);

/* Wait for it, at most TIMEOUT_NS, and copy what it has written to the shared room into ROOM
 * (NULL: nowhere), also when the time was over: then it may be half of it.
 *
 * Returns what WORK returned, -ETIMEDOUT when it isn't done (it is killed, and left behind
 * when the kernel holds it), -EIO when it died. */
int apart_end(struct apart *a, void *room, uint64_t timeout_ns);

/* Both. */
int apart_run(int (*work)(void *ctx, void *room), void *ctx, void *room, size_t size,
	uint64_t timeout_ns);
