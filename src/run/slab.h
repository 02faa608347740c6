/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Stacks and memory for all threads of a host process, from one mapping: a mapping
 * for each would cost thousands of system calls under one lock, and a process may
 * have only vm.max_map_count of them.
 *
 *	| guard | stack, grows down | room of the worker | guard | stack ...
 *
 * Pages are touched on first use, so what is not used costs nothing.  A guard page
 * stops a stack that overflows: where the kernel can install guards inside a mapping
 * (6.13) or there are few threads.  Elsewhere a mark is laid at the end of each stack,
 * and slab_intact() says afterwards whether it is still there. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct plan;

#define SLAB_STACK  (256 * 1024)
#define SLAB_GUARDS 4096 /* guards that may cost mappings, two each */

/* The room of a thread: requests, its view of the files, its source; and its buffers.
 * What is larger gets a mapping of its own. */
#define SLAB_ARENA   (64 * 1024)
#define SLAB_BUFFERS (1024 * 1024)

/* One host process's; the threads' until the last has ended. */
struct slab {
	unsigned char *base;
	size_t bytes, stride; /* of all, of one thread */
	uint32_t count;
	bool marks; /* instead of guards */
};

/* Memory that a worker may use as it likes: zeroed, touched by nobody yet. */
struct slab_room {
	void *base;
	size_t bytes;
};

/* For COUNT threads with ROOM bytes each (rounded up to pages). */
int slab_make(struct slab *s, uint32_t count, size_t room, struct err *reterr);
void slab_done(struct slab *s);

/* Of thread K: its stack, lowest address first, and its room. */
void *slab_stack(const struct slab *s, uint32_t k, size_t *ret_bytes);
struct slab_room slab_room(const struct slab *s, uint32_t k);

/* False: thread K has overflowed its stack. */
bool slab_intact(const struct slab *s, uint32_t k);
