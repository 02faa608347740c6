/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What I/O comes next: direction, file, offset and size of each request of a
 * job, by its description and a seed.  Pure: the same spec gives the same
 * requests, whatever the machine does and however they are fetched.
 *
 * A pass moves as many bytes as the regions have in whole blocks, whatever the
 * order; a block is the smallest size that is used.
 *
 * Laws (tests/prop):
 *   - coverage: with `coverage` a pass touches every whole block (with several
 *     sizes: every byte of them) of every region exactly once, in O(1) memory.
 *     jump_every, sequential_percent and a spread take coverage away; in strided
 *     zones and with a spread over files it holds for each visit of a window, each
 *     round of a file;
 *   - with several sizes coverage cuts what does not fit, so their shares are
 *     approximate; without coverage they are as asked, by count of requests;
 *   - the mix of directions is by count of requests, and never off by more than
 *     25 of them;
 *   - each direction of a sequential mix has its own position;
 *   - a strided zone is left when zone_size bytes went to it, the last one whole,
 *     and no request leaves its window;
 *   - a request never leaves its region; offsets of random requests are multiples
 *     of the alignment from the region's start (with coverage: of the block, if
 *     all sizes are).
 *
 * Memory: 36 bytes a region, and 16 to 16 KiB more for coverage with several
 * sizes (16 for the many); 20 more for strided zones, 4 more (and at most 16 KiB) for a spread
 * over files.  One thread at a time.
 *
 * The spec and its arrays must outlive the pattern. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/dir.h"

struct arena;
struct err;

/* What comes next, before it has a buffer or a time. */
struct request {
	uint64_t offset; /* in the file */
	uint32_t bytes;
	uint32_t file; /* index of the region */
	enum dir dir;
};

/* The part of file FILE that a job works on. Whole blocks of it are used. */
struct pattern_region {
	uint64_t start, bytes;
};

/* How big requests are: fixed (min == max), a uniform range in multiples of
 * MIN (of one byte when `unaligned`), or weighted sizes, which then hide the
 * range. */
struct size_split {
	uint32_t bytes;
	uint32_t weight; /* percent; the weights of a spec total 100 */
};

/* Sizes in bytes, MIN to MAX; with splits, one of these by weight. */
struct size_spec {
	uint32_t min, max;
	bool unaligned;
	const struct size_split *splits;
	uint32_t splits_count;
};

/* Which blocks are likelier (spread.h). */
enum spread_kind {
	SPREAD_UNIFORM,
	SPREAD_ZIPF,     /* a = theta, by rejection-inversion, placed by a permutation */
	SPREAD_PARETO,   /* a = h: 1 - h of the accesses go to h of the blocks; placed too */
	SPREAD_NORMAL,   /* a = standard deviation in percent of the region, 0 to 100 */
	SPREAD_ZONED,    /* each zone has a share of the accesses, uniform within it */
	SPREAD_SEQUENCE, /* a list of blocks, again and again; a generator, no draw */
};

#define SPREAD_ZONES 256

/* Zones lie one behind the other from the region's start on; behind the last is
 * what nobody visits. */
struct spread_zones {
	uint8_t pick[100]; /* the zone of each hundredth of the accesses */
	uint32_t count;
	bool bytes;                 /* ends are bytes, else percents of the region */
	uint64_t end[SPREAD_ZONES]; /* ascending */
};

/* A distribution over blocks, or over files; what a kind doesn't use is 0. */
struct spread_spec {
	enum spread_kind kind;
	double a;
	double center; /* 0..1 where the distribution is centred; < 0: not given */
	const struct spread_zones *zones;
	const uint64_t *sequence; /* block numbers, taken modulo what there is */
	uint32_t sequence_count;
	bool sequence_moves; /* each time round by sequence_count blocks further */
};

/* Which file is next (files.h). */
enum pattern_files {
	PATTERN_ROUNDROBIN,
	PATTERN_SEQUENTIAL,
	PATTERN_RANDOM_FILE,
	PATTERN_SPREAD_FILE, /* by file_spread; a finished file begins again */
};

/* All that decides the requests of a job, but for their times.  The plan makes it; const. */
struct pattern_spec {
	const struct pattern_region *regions; /* at least one */
	uint32_t regions_count;

	bool random;           /* random offsets, else sequential          */
	bool use[DIRS];        /* which directions                         */
	uint32_t read_percent; /* of requests, when reads and writes mix  */
	bool trim_then_write;  /* trimwrite: each trimmed, then written; sizes of trim */

	struct size_spec size[DIRS];
	uint32_t align[DIRS]; /* of random offsets; 0: the smallest size */

	bool coverage; /* random: each block once a pass          */
	bool lfsr;     /* the user asked for lfsr: the same as coverage */
	struct spread_spec spread[DIRS];

	uint32_t jump_every; /* rand*:N, a new random offset every N; 0 and 1: each */
	bool jump_same;      /* the N-1 others repeat the offset (identical)        */
	uint32_t sequential_percent[DIRS]; /* of those that would get a random offset,
					    * so many go on behind the last one instead */
	const struct size_spec *sequel;    /* size of all that go on, where some do; NULL: as
					    * the others    */
	int64_t stride; /* sequential: added to the position after each; beyond
			 * the end it starts again, before 0 it comes from the end */

	/* Strided zones; zone_size 0: none.  The window [k * (range + skip), + range) of
	 * a region is visited until zone_size bytes went to it, then comes the next, and
	 * behind the last the first. */
	uint64_t zone_size, zone_range, zone_skip;

	enum pattern_files files;
	struct spread_spec file_spread;
	uint32_t files_every; /* requests to a file before the next is picked; 0: 1 */
	uint32_t files_open;  /* only so many are cycled at a time; 0: all          */

	uint64_t seed;
	bool repeat;  /* pattern_rewind() gives the same requests again      */
	bool endless; /* no pass end, wrap in place; passes differ           */
};

/* Do requests of D come?  rwmixread leaves a direction nothing at 0 and at 100, though the job
 * is one that reads and writes. */
static inline bool pattern_moves(const struct pattern_spec *s, enum dir d)
{
	if (!s->use[DIR_READ] || !s->use[DIR_WRITE])
		return s->use[d];
	return d == DIR_READ ? s->read_percent > 0 : d == DIR_WRITE && s->read_percent < 100;
}

struct pattern;

/* NULL and *reterr on lack of memory.  All memory is ARENA's; nothing is
 * allocated later. */
struct pattern *pattern_new(struct arena *arena, const struct pattern_spec *spec,
	struct err *reterr);

/* The next requests, up to N.  Fewer than N: the pass is over (or, endless, there
 * is not a whole block). HOT. */
unsigned pattern_fill(struct pattern *p, struct request *out, unsigned n);

/* The next request in direction DIR, for schedules that pick the direction.
 * False when the pass is over for that direction, or DIR is not used.  A
 * trimwrite goes on in its order whatever DIR is: see out->dir. HOT. */
bool pattern_next_in(struct pattern *p, enum dir dir, struct request *out);

/* Begin the next pass, at any moment: the same requests again with `repeat`, else
 * other ones. */
void pattern_rewind(struct pattern *p);

/* Bytes that one full pass moves (trimwrite counts both); for budgets. */
uint64_t pattern_pass_bytes(const struct pattern_spec *spec);
