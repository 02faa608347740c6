/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* verify_async: threads that check what was read, so that the one that reads goes on.
 *
 * What was read stays in its buffer, which the checkers own until they are done; the
 * request gets a spare one.  Without a spare one the worker checks by itself: so the checkers
 * can be late, but never behind by more than the spare buffers. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct err;
struct verify;
struct verify_slot;

/* Start the threads of V's plan; SPARE has COUNT buffers of STRIDE bytes, CELLS is the
 * most cells of a request. */
struct checkers *checkers_new(struct arena *arena, struct verify *v, unsigned char *spare,
	unsigned count, size_t stride, unsigned cells, struct err *reterr);

/* Hand over the buffer and cells of S, which gets others.  False: there are none. */
bool checkers_give(struct checkers *c, struct verify_slot *s);

/* Wait until all is checked. */
void checkers_drain(struct checkers *c);

/* End the threads.  NULL: nothing. */
void checkers_end(struct checkers *c);
