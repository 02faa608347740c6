/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "gen/sizes.h"

#include <assert.h>

#include "base/bits.h"
#include "gen/pattern.h"

static void sizes_init_split(struct sizes *s, const struct size_spec *spec)
{
	uint32_t filled = 0;
	s->kind = SIZES_SPLIT;
	s->min = UINT32_MAX;
	s->max = 0;
	for (uint32_t i = 0; i < spec->splits_count; i++) {
		const struct size_split *split = &spec->splits[i];
		if (!split->weight)
			continue;
		assert(split->bytes && split->weight <= SIZES_TABLE - filled);
		s->min = MIN_OF(s->min, split->bytes);
		s->max = MAX_OF(s->max, split->bytes);
		for (uint32_t k = 0; k < split->weight; k++)
			s->table[filled++] = split->bytes;
	}
	assert(filled == SIZES_TABLE);
	if (s->min == s->max)
		s->kind = SIZES_FIXED;
}

void sizes_init(struct sizes *s, const struct size_spec *spec)
{
	if (spec->splits_count) {
		sizes_init_split(s, spec);
		return;
	}
	assert(spec->min && spec->min <= spec->max);
	s->min = spec->min;
	s->max = spec->max;
	if (spec->unaligned) {
		s->kind = SIZES_BYTES;
		s->steps = spec->max - spec->min + 1;
	} else {
		s->kind = SIZES_RANGE;
		s->steps = spec->max / spec->min;
		s->max = spec->min * s->steps;
	}
	if (s->min == s->max)
		s->kind = SIZES_FIXED;
}
