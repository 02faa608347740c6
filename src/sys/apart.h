/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Work in a process of its own, for what may wait for a device that doesn't answer. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Call WORK in a forked child, with ROOM: SIZE zeroed bytes that both share.  What the child
 * has written there is in *ROOM afterwards, also when the time was over: then it may be
 * half of it.  The child has no standard streams, and dies with its parent.
 *
 * Returns what WORK returned, -ETIMEDOUT when it isn't done after
 * TIMEOUT_NS (it is killed, and left behind when the kernel holds it), -EIO when it died. */
int apart_run(int (*work)(void *ctx, void *room), void *ctx, void *room, size_t size,
	uint64_t timeout_ns);
