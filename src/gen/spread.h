/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Blocks that are not equally likely: zipf, pareto, normal and zones over [0, n).
 *
 *   zipf     rank k (from 1) has a weight of k^-a, for any a > 0; drawn by
 *            rejection-inversion (Hoermann and Derflinger, 1996): set up in
 *            O(1), exact for any n.
 *   pareto   the first a of the blocks get 1 - a of the accesses, and so on
 *            within them (the self-similar law of Gray et al., 1994).
 *   normal   around the centre (middle, unless given), the deviation being a
 *            percent of n; what falls outside [0, n) is drawn again.
 *   zoned    a zone by its share, any of its blocks; a zone in which no block
 *            begins is the block in which it begins.
 *
 * Ranks of zipf and pareto are scattered by a keyed permutation; where a centre
 * is given, the hottest block lies there.  A normal stays a hill, and zones where
 * they are. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/rng.h"
#include "gen/pattern.h"
#include "gen/permute.h"

/* Of every kind but SPREAD_SEQUENCE, which place.c keeps. */
struct spread {
	enum spread_kind kind;
	double a;
	double center;
	uint64_t n, key; /* as last set by spread_resize() */
	double size;     /* n as a double */
	struct permute place;
	uint64_t shift; /* added to a placed rank, modulo n */
	void (*power_each)(double *v, unsigned n, double p);
	double power, least;            /* zipf, pareto: of v, which is at least LEAST */
	double at_first, at_last, sure; /* zipf */
	double v_first, v_last;         /* zipf: 1 + (1 - a) at */
	bool near_one;                  /* zipf: a is so near to 1 that v says nothing */

	const struct spread_zones *zones; /* zoned */
	const uint64_t *ends;             /* of them, in blocks or percents */
	uint64_t hundredth, rest;         /* n / 100, n % 100 */
};

/* SPEC is checked already; spread_resize() comes before the first draw. */
void spread_init(struct spread *s, const struct spread_spec *spec);

/* Work on N blocks now, placed by KEY. Cheap enough to call for each request. */
void spread_resize(struct spread *s, uint64_t n, uint64_t key);

#define SPREAD_BATCH 64

/* N ranks, at most SPREAD_BATCH: the same as N calls of spread_rank(), in less time.
 * HOT. */
void spread_ranks(const struct spread *s, struct rng *rng, uint64_t *out, unsigned n);

/* How many blocks are likelier than the one meant (normal, zoned: the block itself);
 * below n. HOT. */
uint64_t spread_rank(const struct spread *s, struct rng *rng);

/* The block of a rank. HOT. */
static inline uint64_t spread_place(const struct spread *s, uint64_t rank)
{
	if (s->kind >= SPREAD_NORMAL)
		return rank;
	uint64_t block = permute_at(&s->place, rank) + s->shift;
	return block >= s->n ? block - s->n : block;
}
