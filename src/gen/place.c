/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* HOT: where the next request goes, one request at a time, for every spec.
 *
 * Offsets here count from the region's start.  All of them stay below `usable`,
 * the whole blocks of the region. */
#include "gen/state.h"

uint64_t pattern_whole(const struct pattern *p, uint32_t region)
{
	return divide(p->spec->regions[region].bytes, &p->block) * p->block.by;
}

/* Whole blocks of the window at AT. */
static uint64_t window_bytes(const struct pattern *p, uint32_t region, uint64_t at)
{
	uint64_t bytes = p->spec->regions[region].bytes;
	if (at >= bytes)
		return 0;
	return divide(MIN_OF(bytes - at, p->spec->zone_range), &p->block) * p->block.by;
}

void pattern_enter(struct pattern *p, uint32_t region)
{
	uint64_t key = p->key;
	p->region = region;
	p->window = 0;
	if (p->zones)
		p->window = p->zones[region].at;
	if (p->rounds)
		key += p->rounds[region] * UINT64_C(0xd1342543de82ef95);
	p->usable = p->zones ? window_bytes(p, region, p->window) : pattern_whole(p, region);
	if (!p->usable)
		return;
	if (p->place == PLACE_COVER || p->place == PLACE_TILES) {
		uint64_t units = divide(p->usable + p->unit.by - 1, &p->unit);
		permute_init(&p->permute, units, region_key(key, region));
	}
}

/* The current region, or its window, begins anew: another order, from the front. */
static void place_again(struct pattern *p, struct region_state *r)
{
	p->rounds[p->region]++;
	*r = (struct region_state){.left = r->left};
	pattern_enter(p, p->region);
}

/* ---- strided zones ---- */

static bool window_is_over(const struct pattern *p, const struct region_state *r)
{
	if (p->place == PLACE_COVER)
		return r->next == p->permute.n;
	return p->place == PLACE_TILES && r->next == p->permute.n && !r->tiling;
}

/* Into the next window where this one has got its bytes; else once more through
 * this one, where it is used up. */
static void zone_ready(struct pattern *p, struct region_state *r, enum dir dir)
{
	const struct pattern_spec *spec = p->spec;
	struct zone_state *z = &p->zones[p->region];
	if (!z->left) {
		z->at += spec->zone_range + spec->zone_skip;
		if (!window_bytes(p, p->region, z->at))
			z->at = 0;
		z->left = spec->zone_size;
		place_again(p, r);
	} else if (window_is_over(p, r)) {
		place_again(p, r);
	}
	unsigned slot = slot_of(dir);
	if (p->place == PLACE_SEQUENTIAL && r->position[slot] >= p->usable)
		r->position[slot] = 0;
}

/* A trimwrite does each request twice. */
static void zone_spend(struct pattern *p, uint32_t bytes)
{
	struct zone_state *z = &p->zones[p->region];
	z->left -= MIN_OF(z->left, (uint64_t)bytes * (p->spec->trim_then_write ? 2 : 1));
}

/* ---- sequential ---- */

/* A step beyond the end starts at 0 again, one before 0 continues from the end
 * as if it had just been reached. */
static uint64_t sequential_step(const struct pattern *p, uint64_t position, uint32_t bytes)
{
	int64_t stride = p->spec->stride, usable = (int64_t)p->usable, next;
	if (__builtin_add_overflow((int64_t)position + bytes, stride, &next))
		return 0;
	if (next < 0)
		next = MAX_OF(usable + stride, INT64_C(0));
	return next <= usable - (int64_t)p->block.by ? (uint64_t)next : 0;
}

static uint64_t place_sequential(struct pattern *p, struct region_state *r, enum dir dir,
	uint32_t *bytes)
{
	uint64_t *position = &r->position[slot_of(dir)];
	uint64_t at = *position;
	if (!p->spec->stride && !p->zones) {
		*position = at + *bytes;
		return at;
	}
	*bytes = (uint32_t)MIN_OF((uint64_t)*bytes, p->usable - at);
	*position = p->spec->stride ? sequential_step(p, at, *bytes) : at + *bytes;
	return at;
}

/* ---- any position ---- */

/* Requests of all sizes are spread over the same blocks.  Each window of a strided
 * region has hot blocks of its own. */
void place_spread(struct pattern *p, enum dir dir)
{
	uint64_t blocks = MAX_OF(divide(p->usable, &p->align[dir]), UINT64_C(1));
	spread_resize(&p->spread[dir], blocks, region_key(p->hot_key, p->region + p->window));
}

/* The next block of the list. */
static uint64_t place_listed(struct pattern *p, enum dir dir)
{
	const struct spread_spec *s = &p->spec->spread[dir];
	uint64_t blocks = MAX_OF(divide(p->usable, &p->align[dir]), UINT64_C(1));
	if (p->sequence_at >= s->sequence_count) {
		p->sequence_at = 0;
		if (s->sequence_moves)
			p->sequence_base += s->sequence_count;
	}
	return (p->sequence_base + s->sequence[p->sequence_at++]) % blocks;
}

/* A multiple of the alignment such that BYTES fit. */
static uint64_t place_any(struct pattern *p, enum dir dir, uint32_t bytes)
{
	const struct divisor *align = &p->align[dir];
	struct spread *spread = &p->spread[dir];
	uint64_t last = divide(p->usable - bytes, align);
	if (spread->kind == SPREAD_UNIFORM)
		return rng_below(&p->place_rng, last + 1) * align->by;
	if (spread->kind == SPREAD_SEQUENCE)
		return MIN_OF(place_listed(p, dir), last) * align->by;

	place_spread(p, dir);
	uint64_t rank = spread_rank(spread, &p->place_rng);
	return MIN_OF(spread_place(spread, rank), last) * align->by;
}

/* ---- jumps ---- */

/* Does the next request of DIR go on where the last one ended? */
static bool jump_goes_on(struct pattern *p, const struct region_state *r, enum dir dir)
{
	if (r->run[slot_of(dir)])
		return true;
	uint32_t percent = p->spec->sequential_percent[dir];
	return percent && rng_below(&p->place_rng, 100) < percent;
}

/* What doesn't fit behind the last one is placed anew; where all go on, in front. */
static uint64_t place_jump(struct pattern *p, struct region_state *r, enum dir dir,
	uint32_t bytes, bool goes_on)
{
	unsigned slot = slot_of(dir);
	bool fits = p->usable - r->position[slot] >= bytes;
	if (!goes_on || !fits) {
		bool never = p->spec->sequential_percent[dir] == 100;
		r->position[slot] = never ? 0 : place_any(p, dir, bytes);
		r->run[slot] = 0;
	}
	if (!r->run[slot])
		r->run[slot] = MAX_OF(p->spec->jump_every, 1u);
	uint64_t at = r->position[slot];
	r->run[slot]--;
	if (!p->spec->jump_same)
		r->position[slot] = at + bytes;
	return at;
}

/* ---- coverage ---- */

static struct tile tile_open(const struct pattern *p, struct region_state *r)
{
	uint64_t at = permute_at(&p->permute, r->next++) * p->unit.by;
	return (struct tile){.at = at, .left = (uint32_t)MIN_OF(p->unit.by, p->usable - at)};
}

/* Opens a unit as long as fewer than tiles_max are open, so a pass begins with
 * as many scattered requests; then takes one of the open ones at random. */
uint64_t place_tile(struct pattern *p, struct region_state *r, uint32_t *bytes)
{
	struct tile *open = p->tiles + (size_t)p->region * p->tiles_max;
	uint32_t pick;
	if (r->tiling < p->tiles_max && r->next < p->permute.n) {
		pick = r->tiling++;
		open[pick] = tile_open(p, r);
	} else {
		pick = (uint32_t)rng_below(&p->place_rng, r->tiling);
	}

	struct tile *t = &open[pick];
	uint64_t at = t->at;
	*bytes = MIN_OF(*bytes, t->left);
	t->at += *bytes;
	t->left -= *bytes;
	if (!t->left) {
		if (r->next < p->permute.n)
			*t = tile_open(p, r);
		else
			*t = open[--r->tiling];
	}
	return at;
}

/* ---- one request ---- */

/* The file that the spread says, or the next one that has a whole block; a finished
 * one begins again. */
static bool place_ready_spread(struct pattern *p)
{
	if (!p->pass_left && !pattern_wrap(p))
		return false;
	uint32_t count = p->spec->regions_count;
	uint32_t file = files_draw(&p->files, &p->file_rng);
	for (uint32_t i = 1; i < count && !pattern_whole(p, file); i++)
		file = file + 1 == count ? 0 : file + 1;
	struct region_state *r = &p->regions[file];
	bool finished = !r->left;
	if (file != p->region)
		pattern_enter(p, file);
	if (finished) {
		r->left = pattern_whole(p, file);
		if (!p->zones) /* windows go on as they are */
			place_again(p, r);
	}
	return true;
}

bool place_ready(struct pattern *p)
{
	if (p->spec->regions_count == 1)
		return p->regions[0].left || pattern_wrap(p);
	if (p->files.spread)
		return place_ready_spread(p);
	for (;;) {
		uint32_t file = files_current(&p->files, &p->file_rng);
		if (file == FILES_NONE) {
			if (!pattern_wrap(p))
				return false;
			continue;
		}
		if (p->regions[file].left) {
			if (file != p->region)
				pattern_enter(p, file);
			return true;
		}
		files_advance(&p->files, true); /* has no whole block */
	}
}

/* What the pass or the region can still take of BYTES. */
static uint32_t place_limit(const struct pattern *p, const struct region_state *r,
	uint32_t bytes)
{
	uint64_t most = r->left;
	if (p->files.spread)
		most = MIN_OF(most, p->pass_left);
	if (p->zones)
		most = MIN_OF(most, p->usable);
	return (uint32_t)MIN_OF((uint64_t)bytes, most);
}

/* What all requests have in common once it is known where they go. */
static inline void place_done(struct pattern *p, struct region_state *r, enum dir dir,
	struct request *out, uint64_t at, uint32_t bytes)
{
	r->left -= bytes;
	out->offset = p->spec->regions[p->region].start + at;
	out->bytes = bytes;
	out->file = p->region;
	out->dir = dir;
}

static inline uint64_t place_plain(struct pattern *p, struct region_state *r, enum dir dir,
	uint32_t *bytes)
{
	switch (p->place) {
	case PLACE_SEQUENTIAL:
		return place_sequential(p, r, dir, bytes);
	case PLACE_COVER:
		return permute_at(&p->permute, r->next++) * p->unit.by;
	case PLACE_TILES:
		return place_tile(p, r, bytes);
	case PLACE_ANY:
	case PLACE_JUMP:
		break;
	}
	return place_any(p, dir, *bytes);
}

/* Jumps, strided zones, files by a distribution. */
static void place_next_rare(struct pattern *p, enum dir dir, struct request *out)
{
	struct region_state *r = &p->regions[p->region];
	const struct sizes *sizes = &p->sizes[dir];
	bool goes_on = false;
	if (p->zones)
		zone_ready(p, r, dir);
	if (p->place == PLACE_JUMP) {
		goes_on = jump_goes_on(p, r, dir);
		if (goes_on && p->spec->sequel)
			sizes = &p->sequel;
	}
	uint32_t bytes = place_limit(p, r, sizes_draw(sizes, &p->size_rng));
	uint64_t at = p->place == PLACE_JUMP ? place_jump(p, r, dir, bytes, goes_on)
					     : place_plain(p, r, dir, &bytes);
	place_done(p, r, dir, out, p->window + at, bytes);
	if (p->zones)
		zone_spend(p, bytes);
	p->pass_left -= bytes;
	if (p->files.spread)
		files_drawn(&p->files);
	else if (p->spec->regions_count > 1)
		files_advance(&p->files, !r->left);
}

void place_next(struct pattern *p, enum dir dir, struct request *out)
{
	if (unlikely(p->rare)) {
		place_next_rare(p, dir, out);
		return;
	}
	struct region_state *r = &p->regions[p->region];
	uint32_t bytes = sizes_draw(&p->sizes[dir], &p->size_rng);
	bytes = (uint32_t)MIN_OF((uint64_t)bytes, r->left);
	uint64_t at = place_plain(p, r, dir, &bytes);
	place_done(p, r, dir, out, at, bytes);
	if (p->spec->regions_count > 1)
		files_advance(&p->files, !r->left);
}
