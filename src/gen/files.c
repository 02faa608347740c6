/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* HOT: files_current() and files_advance() run once a request.
 *
 * In turn: one turn walks open[0 .. count-1] by `at` and writes those that stay
 * to open[0 .. kept-1], in order; what stays is the next turn's list.  A finished
 * file's place goes to the next unopened one, or closes up.
 *
 *      open   a  c  d | -  e  f  g        b is finished, d was read last
 *                     kept ^ at
 */
#include "gen/files.h"

#include <assert.h>
#include <errno.h>

#include "base/arena.h"
#include "base/bits.h"
#include "gen/spread.h"

int files_init(struct files *f, struct arena *arena, const struct pattern_spec *spec)
{
	f->how = spec->files;
	f->total = spec->regions_count;
	f->every = MAX_OF(spec->files_every, 1u);
	f->room = spec->files_open ? MIN_OF(spec->files_open, f->total) : f->total;
	if (f->how == PATTERN_SEQUENTIAL) /* in turn, one at a time */
		f->room = 1;
	if (f->spread)
		f->room = 0;
	f->open = arena_array(arena, f->room, sizeof(*f->open));
	if (!f->open && f->room)
		return -ENOMEM;
	if (f->spread && f->total <= FILES_PLACED) {
		f->placed = arena_array(arena, f->total, sizeof(*f->placed));
		if (!f->placed)
			return -ENOMEM;
		for (uint32_t i = 0; i < f->total; i++)
			f->placed[i] = (uint32_t)spread_place(f->spread, i);
	}
	files_reset(f);
	return 0;
}

void files_reset(struct files *f)
{
	f->count = f->room;
	for (uint32_t i = 0; i < f->count; i++)
		f->open[i] = i;
	f->opened = f->count;
	f->at = 0;
	f->kept = 0;
	f->left = 0;
	f->ahead_at = FILES_AHEAD;
}

/* Puts *at* where the next file stands; false when none is open. */
static bool files_pick(struct files *f, struct rng *rng)
{
	if (f->how != PATTERN_RANDOM_FILE && f->at == f->count) {
		f->count = f->kept;
		f->at = 0;
		f->kept = 0;
	}
	if (!f->count)
		return false;
	if (f->how == PATTERN_RANDOM_FILE)
		f->at = (uint32_t)rng_below(rng, f->count);
	return true;
}

uint32_t files_current(struct files *f, struct rng *rng)
{
	if (!f->left) {
		if (!files_pick(f, rng))
			return FILES_NONE;
		f->left = f->every;
	}
	return f->open[f->at];
}

/* Several at a time cost much less; the outcome is the same. */
static void files_draw_ahead(struct files *f, struct rng *rng)
{
	uint64_t ranks[FILES_AHEAD];
	spread_ranks(f->spread, rng, ranks, FILES_AHEAD);
	for (unsigned i = 0; i < FILES_AHEAD; i++)
		f->ahead[i] = f->placed ? f->placed[ranks[i]]
					: (uint32_t)spread_place(f->spread, ranks[i]);
	f->ahead_at = 0;
}

uint32_t files_draw(struct files *f, struct rng *rng)
{
	if (!f->left) {
		if (f->ahead_at == FILES_AHEAD)
			files_draw_ahead(f, rng);
		f->at = f->ahead[f->ahead_at++];
		f->left = 1;
	}
	return f->at;
}

/* In turn: keep FILE open, if it is one, and go on. */
static void files_keep(struct files *f, uint32_t file)
{
	if (file != FILES_NONE)
		f->open[f->kept++] = file;
	f->at++;
}

void files_advance(struct files *f, bool finished)
{
	assert(f->left);
	f->left--;
	if (!finished && f->left)
		return;
	f->left = 0;

	uint32_t next = f->open[f->at];
	if (finished)
		next = f->opened < f->total ? f->opened++ : FILES_NONE;
	if (f->how != PATTERN_RANDOM_FILE)
		files_keep(f, next);
	else if (next != FILES_NONE)
		f->open[f->at] = next;
	else
		f->open[f->at] = f->open[--f->count];
}
