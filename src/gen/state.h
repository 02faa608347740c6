/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Inside of a pattern, for the files of gen that implement it:
 *
 *   pattern.c  makes one, rewinds it, chooses the fill
 *   place.c    where the next request of a direction goes, for every spec
 *   fill.c     whole batches of the common specs, the same requests as place.c
 *
 * Directions, sizes, places and files each have a random stream of their own,
 * so that one doesn't depend on how often another was asked.
 *
 * Sizes of regions are only ever divided by the block, the unit and the alignments, all known
 * when the pattern is made: so there is no division per request (struct divisor). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/bits.h"
#include "base/rng.h"
#include "gen/files.h"
#include "gen/pattern.h"
#include "gen/permute.h"
#include "gen/sizes.h"
#include "gen/spread.h"

/* How offsets come about; chosen once by what the spec asks. */
enum place {
	PLACE_SEQUENTIAL,
	PLACE_COVER, /* a permutation of blocks of one size            */
	PLACE_TILES, /* a permutation of units, each tiled by requests */
	PLACE_ANY,   /* any position, each time anew                   */
	PLACE_JUMP,  /* any position, every N requests or by chance    */
};

/* Division by a number known in advance: one multiplication. */
struct divisor {
	uint64_t by;
	uint64_t inverse; /* floor((2^64 - 1) / by) */
};

/* BY must not be 0.  A division, so once and not per request. */
static inline struct divisor divisor_of(uint64_t by)
{
	return (struct divisor){.by = by, .inverse = UINT64_MAX / by};
}

/* X / d->by, any X. */
static inline uint64_t divide(uint64_t x, const struct divisor *d)
{
	__extension__ unsigned __int128 wide = (unsigned __int128)x * d->inverse;
	uint64_t q = (uint64_t)(wide >> 64); /* right, or one too small */
	return q + (x - q * d->by >= d->by);
}

/* What a pass has still to do in one region. */
struct region_state {
	uint64_t left; /* bytes that the pass still owes */
	union {
		struct { /* sequential, jump; by slot: writes have their own */
			uint64_t position[2];
			uint32_t run[2]; /* jump: requests before the next one */
		};
		struct {                 /* cover, tiles */
			uint64_t next;   /* of the permutation */
			uint32_t tiling; /* units open now     */
		};
	};
};

/* Strided: which window of a region is visited, and how many bytes more. */
struct zone_state {
	uint64_t at, left;
};

/* A unit that is partly tiled. */
struct tile {
	uint64_t at;   /* in the region */
	uint32_t left; /* bytes         */
};

/* Directions are dealt from packs of 100 in random order, so that their shares
 * are exact in the long run. */
struct mix {
	struct rng rng;
	uint32_t cards, reads; /* left in the pack */
	uint32_t percent;
};

/* All of it is the worker's, one thread. */
struct pattern {
	const struct pattern_spec *spec;
	unsigned (*fill)(struct pattern *p, struct request *out, unsigned n);
	enum place place;
	bool mixed;     /* reads and writes */
	bool rare;      /* jumps, strided zones or files by a distribution */
	bool pending;   /* trimwrite: `trimmed` is still to be written */
	enum dir dir;   /* when not mixed   */
	uint32_t bytes; /* of every request, 0: they differ   */
	uint64_t pass;  /* its number: part of the key        */
	uint64_t pass_bytes;
	uint64_t key;     /* of this pass */
	uint64_t hot_key; /* of spread    */

	struct divisor block; /* smallest size: whole ones of a region are used */
	struct divisor unit;  /* cover, tiles */
	struct divisor align[DIRS];
	struct sizes sizes[DIRS];
	struct sizes sequel; /* spec->sequel, if there is one */
	struct spread spread[DIRS];
	struct files files;
	struct spread file_spread;
	struct region_state *regions;
	struct zone_state *zones; /* NULL: no strided zones */
	uint32_t *rounds;   /* of each region, or of its windows, begun in this pass; or NULL */
	uint64_t pass_left; /* spread over files: bytes that the pass still owes */
	struct tile *tiles; /* tiles_max for each region */
	uint32_t tiles_max;
	uint64_t sequence_base; /* spread: sequence */
	uint32_t sequence_at;

	/* of the region that was last used */
	uint32_t region;
	uint64_t window; /* where what is used of it begins: 0, but in strided zones */
	uint64_t usable; /* bytes from there on */
	struct permute permute;

	struct rng place_rng, size_rng, file_rng;
	struct mix mix;
	struct request trimmed;
};

/* Slot of a direction in region_state. */
static inline unsigned slot_of(enum dir dir)
{
	return dir == DIR_WRITE;
}

/* Deals a card; a new pack when the last is dealt. */
static inline enum dir mix_draw(struct mix *m)
{
	if (!m->cards) {
		m->cards = 100;
		m->reads = m->percent;
	}
	bool read = rng_below(&m->rng, m->cards) < m->reads;
	m->cards--;
	m->reads -= read;
	return read ? DIR_READ : DIR_WRITE;
}

/* Key of the permutation in region FILE. */
static inline uint64_t region_key(uint64_t key, uint64_t file)
{
	return key + file * UINT64_C(0x9e3779b97f4a7c15);
}

/* The pass is over: begin another one in place if the pattern is endless and
 * has something to do. */
bool pattern_wrap(struct pattern *p);

/* What a pass owes REGION at its start: its whole blocks. */
uint64_t pattern_whole(const struct pattern *p, uint32_t region);

/* Make REGION the one that was last used: window, `usable`, permutation. */
void pattern_enter(struct pattern *p, uint32_t region);

/* Make the spread ready for the current region and DIR's alignment. HOT. */
void place_spread(struct pattern *p, enum dir dir);

/* Make the region of the next request the current one. False when the pass is
 * over. HOT. */
bool place_ready(struct pattern *p);

/* Coverage with several sizes: where the next request of at most *BYTES goes in the
 * current region R; *BYTES is cut to what fits. HOT. */
uint64_t place_tile(struct pattern *p, struct region_state *r, uint32_t *bytes);

/* The next request, in direction DIR, whatever the spec; place_ready() said true
 * just before. HOT. */
void place_next(struct pattern *p, enum dir dir, struct request *out);

/* Fills; see fill_choose(). HOT. */
unsigned fill_any(struct pattern *p, struct request *out, unsigned n);

/* The quickest fill that does what P asks for. */
unsigned (*fill_choose(const struct pattern *p))(struct pattern *, struct request *, unsigned);
