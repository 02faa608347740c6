/* HOT: what a request needs beside its place: a buffer, and what is written.
 *
 * SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors
 *
 * Data that are the same for each write stay in the buffers: they are put there once.
 * Where a read would overwrite them (plan: write_apart) all writes come from one buffer
 * behind the others.  Belongs to one source. */
#pragma once

#include "engine/engine.h"
#include "gen/data.h"

struct plan_worker;

struct supply {
	struct data data;
	bool fresh; /* what is written is made anew for each write */
	struct supply_buffers {
		unsigned char *base;
		size_t stride; /* 0: one for all requests */
	} buffers[2];          /* of writes: [1] */
};

/* For the DEPTH requests IOS, in order, with their buffers.  True: io->buf depends on
 * the kind of request, so that supply_buffer() sets it for each. */
bool supply_init(struct supply *s, const struct plan_worker *pw, struct io *ios,
	uint32_t depth);

/* Sets io->buf by its slot and whether it writes. */
static inline void supply_buffer(const struct supply *s, bool writes, struct io *io)
{
	const struct supply_buffers *b = &s->buffers[writes];
	io->buf = b->base + io->slot * b->stride;
}

/* What IO writes; out of line, so that reads save no registers for it. */
void supply_write(struct supply *s, struct io *io);
