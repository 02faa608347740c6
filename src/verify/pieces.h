/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Which write each byte of a target is of: for jobs whose writes have no grid, where units
 * would be too small for a header.  One worker's; one thread.  A write's bytes follow from its
 * serial (unit_payload() of a spec with bytes 0), so they can be made again and compared.
 *
 * Extents don't overlap and lie in order, in leaves of 4 KiB; memory is reserved for all
 * that may come and taken page by page: 32 bytes for each write that isn't covered yet, 128 at
 * the worst, and as much again for one in whose middle another was written. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/* Bytes of a target that are all of one write, or of what is left of it. */
struct piece {
	uint64_t start, serial; /* of the first byte in the target; of the write       */
	uint32_t bytes;
	uint32_t into;   /* first byte in the write, which began at start - into */
	uint32_t length; /* of the whole write: its bytes depend on it, too     */
};

struct pieces_leaf;

struct pieces {
	struct pieces_leaf *leaf; /* all there may be                              */
	uint32_t *order;          /* those in use, by the starts in them           */
	uint32_t used;            /* of order                                      */
	uint32_t touched, room;   /* leaves that were ever used; all               */
	uint32_t spare;           /* the first of those given back + 1; 0: none    */
	uint64_t count;           /* pieces                                       */
};

/* A place among them: end when leaf == used. */
struct pieces_at {
	uint32_t leaf, i;
};

/* Room for at least MAX pieces.  -ENOMEM. */
int pieces_init(struct pieces *x, uint64_t max, struct err *reterr);
void pieces_done(struct pieces *x);

/* A write of BYTES > 0 at START.  False: there is no room for it, and it isn't known what lies
 * there.  HOT. */
bool pieces_insert(struct pieces *x, uint64_t start, uint32_t bytes, uint64_t serial);

/* Nothing is known of these BYTES any more: trimmed, or a write failed.  False as above; what
 * is there is cut even so, or not known to be left.  HOT. */
bool pieces_remove(struct pieces *x, uint64_t start, uint64_t bytes);

/* The first that ends behind BYTE; NULL: none. */
const struct piece *pieces_find(const struct pieces *x, uint64_t byte,
	struct pieces_at *ret_at);
const struct piece *pieces_next(const struct pieces *x, struct pieces_at *at);
