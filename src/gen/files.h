/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Which file is next: some are open, in turn or at random, each for a number of
 * requests; a finished one makes room for the next that was not open yet.  All
 * steps are O(1) on average, so hundreds of thousands of files cost no more per
 * request than two.  Pure; memory is the arena's of the pattern. */
#pragma once

#include <stdint.h>

#include "base/rng.h"
#include "gen/pattern.h"

#define FILES_NONE UINT32_MAX

struct spread;

/* Files drawn at a time with a spread (spread_ranks() is cheaper in batches). */
#define FILES_AHEAD  32
#define FILES_PLACED 4096 /* few: placing a small rank is slow */

/* Which files are open here is a matter of order only: whether they are open in the kernel,
 * and how many, is run/fileset.h's. */
struct files {
	enum pattern_files how;
	const struct spread *spread; /* over all files, of which none is ever closed; or NULL */
	uint32_t total;              /* files there are            */
	uint32_t every;              /* requests before the next   */
	uint32_t room;               /* of open                    */

	uint32_t *open;
	uint32_t count;  /* entries of open in this turn             */
	uint32_t at;     /* the current one                          */
	uint32_t kept;   /* entries of this turn that stay open      */
	uint32_t opened; /* files 0 .. opened-1 were open at some time */
	uint32_t left;   /* requests to the current one; 0: pick     */

	/* with a spread */
	uint32_t *placed; /* file of each rank, where there are few files */
	uint32_t ahead[FILES_AHEAD];
	uint32_t ahead_at; /* FILES_AHEAD: draw more */
};

/* F zeroed, but for `spread`. 0 or -ENOMEM. */
int files_init(struct files *f, struct arena *arena, const struct pattern_spec *spec);

/* No file is open, all can be opened. */
void files_reset(struct files *f);

/* The file of the next request, FILES_NONE when all are finished. HOT. */
uint32_t files_current(struct files *f, struct rng *rng);

/* With a spread: the file of the next request, until files_drawn(). HOT. */
uint32_t files_draw(struct files *f, struct rng *rng);

/* With a spread: a request went to that file. HOT. */
static inline void files_drawn(struct files *f)
{
	f->left = 0;
}

/* A request went to the current file, and whether that FINISHED it. HOT. */
void files_advance(struct files *f, bool finished);
