/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* A worker's I/O buffers, of the kind that mem= asks for, and the memory that
 * lockmem= pins.  All pages are there when buffers_make() returns. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "run/slab.h"

struct err;
struct plan_memory;

/* One worker's.  A zeroed struct is a valid empty one. */
struct buffers {
	void *first; /* the first buffer: offset by iomem_align           */
	void *map;   /* NULL: in somebody's room                          */
	size_t map_bytes;
	bool segment; /* map is a System V segment                         */
	void *locked;
	size_t locked_bytes;
};

/* BYTES of buffers; 0: none, which is no error.  ROOM is used where it is large
 * enough and the kind is private memory; what was taken is taken off it.  On failure
 * nothing is left behind. */
int buffers_make(struct buffers *b, const struct plan_memory *pm, size_t bytes,
	struct slab_room *room, struct err *reterr);
void buffers_done(struct buffers *b);
