/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "gen/permute.h"

#include <assert.h>

#include "base/bits.h"
#include "base/rng.h"

/* Three rounds leave no order among neighbours that a test on 10^6 draws can see
 * from 2^16 numbers on; five none among those a whole row apart either, where a
 * row is short enough to matter; and tables of a few numbers need seventeen until
 * all orders are equally likely (tests/prop/gen-permute.c). */
static uint16_t permute_extra(uint64_t n)
{
	if (n >= UINT64_C(1) << 20)
		return 0;
	if (n >= 256)
		return 1;
	return n >= 16 ? 3 : 7;
}

void permute_init(struct permute *p, uint64_t n, uint64_t key)
{
	assert(n >= 1 && n <= UINT64_C(1) << 63);
	p->n = n;
	p->key = rng_mix(key) | 1; /* odd: its small multiples differ */
	p->bits = (uint16_t)MAX_OF((bits_top(n) + 1) / 2, 1u);
	p->rows = (uint32_t)(((n - 1) >> p->bits) + 1);
	p->extra = permute_extra(n);
}
