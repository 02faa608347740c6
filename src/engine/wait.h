/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Waiting that ends: for engines that wait in the kernel or in a loop.
 *
 * The stop flag lives in memory that another process may set without a signal,
 * and a kernel wait does not see it.  So no single wait is longer than a slice. */
#pragma once

#include "base/bits.h"
#include "engine/engine.h"

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/* The longest time in which a stop without a signal isn't seen. */
#define WAIT_SLICE_NS (50 * NS_PER_MS)

/* A plain load: the flag is another process's to set, and nothing else hangs on it. */
static inline bool queue_stopped(const struct queue *q)
{
	return q->stop && __atomic_load_n(q->stop, __ATOMIC_RELAXED);
}

/* NS as the kernel wants it. */
static inline struct timespec wait_timespec(uint64_t ns)
{
	return (struct timespec){
		.tv_sec = (time_t)(ns / NS_PER_S),
		.tv_nsec = (long)(ns % NS_PER_S),
	};
}

/* How long the next wait may be so that neither UNTIL_NS nor the stop flag is
 * missed, or false when there is nothing left to wait for. */
static inline bool wait_slice(const struct queue *q, uint64_t until_ns, struct timespec *ret)
{
	if (queue_stopped(q) || !until_ns)
		return false;

	uint64_t slice = WAIT_SLICE_NS;
	if (until_ns != UINT64_MAX) {
		uint64_t now = clock_now(q->clock);
		if (now >= until_ns)
			return false;
		slice = MIN_OF(slice, until_ns - now);
	}
	*ret = wait_timespec(slice);
	return true;
}
