/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* How big the next request of one direction is: a struct size_spec made ready,
 * so that a draw is a lookup or a multiplication.  Const after init. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/rng.h"

struct size_spec;

/* In which way a size is drawn; one that can have one value only is fixed, whatever was
 * said. */
enum sizes_kind {
	SIZES_FIXED,
	SIZES_RANGE, /* min, 2 min, ... steps min */
	SIZES_BYTES, /* min, min + 1, ...         */
	SIZES_SPLIT, /* table of percents         */
};

/* A place for each percent of a split: drawing one is drawing its index. */
#define SIZES_TABLE 100

/* Sizes in bytes. */
struct sizes {
	enum sizes_kind kind;
	uint32_t min, max; /* that can be drawn */
	uint32_t steps;
	uint32_t table[SIZES_TABLE];
};

/* SPEC was checked: min is not 0, weights total 100. */
void sizes_init(struct sizes *s, const struct size_spec *spec);

/* Bytes of the next request; a fixed size draws nothing.  HOT. */
static inline uint32_t sizes_draw(const struct sizes *s, struct rng *rng)
{
	switch (s->kind) {
	case SIZES_FIXED:
		break;
	case SIZES_RANGE:
		return s->min + s->min * (uint32_t)rng_below(rng, s->steps);
	case SIZES_BYTES:
		return s->min + (uint32_t)rng_below(rng, s->steps);
	case SIZES_SPLIT:
		return s->table[rng_below(rng, SIZES_TABLE)];
	}
	return s->min;
}
