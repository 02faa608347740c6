/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* HOT. */
#include "gen/dedupe.h"

#include <stdbool.h>

#include "base/bits.h"

/* A worker's numbers begin with its entry: more writes than this none will do. */
#define DEDUPE_WRITES_BITS 40

void dedupe_init(struct dedupe *d, const struct dedupe_spec *spec)
{
	*d = (struct dedupe){.spec = *spec};
	rng_init(&d->rng, spec->seed);
}

static inline uint64_t dedupe_number(uint32_t worker, uint64_t write)
{
	return ((uint64_t)worker << DEDUPE_WRITES_BITS) + write;
}

/* Exactly so many of each hundred: draw without putting back. */
static bool dedupe_repeats(struct dedupe *d)
{
	if (!d->left) {
		d->left = 100;
		d->repeats += d->spec.percent;
	}
	bool repeat = d->fresh && rng_below(&d->rng, d->left) < d->repeats;
	d->left--;
	d->repeats -= repeat;
	return repeat;
}

/* Other workers are about as far as this one: of their part, too, only so much is
 * taken as was written here. */
static uint64_t dedupe_pick(struct dedupe *d)
{
	const struct dedupe_spec *s = &d->spec;
	uint32_t worker = s->sets_count > 1 ? (uint32_t)rng_below(&d->rng, s->sets_count) : 0;
	if (!s->sets[worker])
		worker = s->mine;
	uint64_t there = MIN_OF(s->sets[worker], d->fresh);
	return dedupe_number(worker, rng_below(&d->rng, there));
}

uint64_t dedupe_next(struct dedupe *d)
{
	if (!dedupe_repeats(d))
		return dedupe_number(d->spec.mine, d->fresh++);
	if (!d->spec.sets_count)
		return dedupe_number(d->spec.mine, d->fresh - 1);
	return dedupe_pick(d);
}
