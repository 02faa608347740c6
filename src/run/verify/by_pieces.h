/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Verification of writes without a grid (bs_unaligned): there is no room for headers, so
 * the worker knows which write each byte is of, and compares with what it would write again.
 * Nobody else writes there. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "engine/engine.h"

struct arena;
struct err;
struct verify;
struct verify_slot;

/* One for each file of V's worker, into V. */
int by_pieces_init(struct verify *v, struct arena *arena, struct err *reterr);
void by_pieces_done(struct verify *v);

/* The write or trim of S is about to be issued.  False: it overlaps one in flight.  HOT. */
bool by_pieces_begin(struct verify *v, const struct verify_slot *s, uint64_t serial);

/* It failed, or was never issued. */
void by_pieces_undo(struct verify *v, const struct verify_slot *s);

/* The next bytes of FILE from AT on, and before END, that were written: where, and how many in
 * a row, at most MAX; 0: none. */
uint32_t by_pieces_next(const struct verify *v, uint32_t file, uint64_t at, uint64_t end,
	uint32_t max, uint64_t *ret_at);

/* Compare what the read of S brought; returns how many writes were wrong in it, and counts
 * what was compared. */
uint64_t by_pieces_check(struct verify *v, const struct verify_slot *s,
	const unsigned char *buf, uint64_t *writes, uint64_t *bytes);
