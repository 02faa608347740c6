/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* HOT: arrival_advance() runs once a request. */
#include "gen/arrival.h"

#include <math.h>

#include "base/bits.h"

void arrival_init(struct arrival *a, const struct arrival_spec *spec)
{
	*a = (struct arrival){
		.bytes = spec->bytes,
		.poisson = spec->process == ARRIVAL_POISSON,
	};
	rng_init(&a->rng, spec->seed);
	if (!spec->per_second)
		return;
	__extension__ unsigned __int128 second = (unsigned __int128)NS_PER_S << 64;
	second /= spec->per_second;
	a->gap_ns = (uint64_t)(second >> 64);
	a->gap_fraction = (uint64_t)second;
	if (a->poisson) /* the first one comes after a gap too */
		arrival_advance(a, 1);
}

/* -log of a uniform number in (0, 1] of 53 bits: exponential, below 37. */
static double arrival_draw(struct arrival *a)
{
	return -log(1 - rng_unit(&a->rng));
}

void arrival_advance(struct arrival *a, uint64_t bytes)
{
	__extension__ unsigned __int128 due = (unsigned __int128)a->due_ns << 64 | a->fraction;
	__extension__ unsigned __int128 gap = (unsigned __int128)a->gap_ns << 64 |
					      a->gap_fraction;
	if (a->bytes)
		gap *= bytes;
	if (a->poisson) {
		double mean = (double)(uint64_t)(gap >> 64) + (double)(uint64_t)gap * 0x1p-64;
		double ns = MIN_OF(mean * arrival_draw(a), 0x1p62);
		int64_t whole = (int64_t)ns;
		gap = (unsigned __int128)(uint64_t)whole << 64;
		gap |= (uint64_t)((ns - (double)whole) * 0x1p63) << 1;
	}
	due += gap;
	a->due_ns = (uint64_t)(due >> 64);
	a->fraction = (uint64_t)due;
}
