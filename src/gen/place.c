/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* HOT: where the next request goes, one request at a time, for every spec.
 *
 * Offsets here count from the region's start.  All of them stay below `usable`,
 * the whole blocks of the region. */
#include "gen/state.h"

void pattern_enter(struct pattern *p, uint32_t region)
{
	p->region = region;
	uint64_t bytes = p->spec->regions[region].bytes;
	p->usable = divide(bytes, &p->block) * p->block.by;
	if (!p->usable)
		return;
	if (p->place == PLACE_COVER || p->place == PLACE_TILES) {
		uint64_t units = divide(p->usable + p->unit.by - 1, &p->unit);
		permute_init(&p->permute, units, region_key(p->key, region));
	}
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
	if (!p->spec->stride) {
		*position = at + *bytes;
		return at;
	}
	*bytes = (uint32_t)MIN_OF((uint64_t)*bytes, p->usable - at);
	*position = sequential_step(p, at, *bytes);
	return at;
}

/* ---- any position ---- */

/* Requests of all sizes are spread over the same blocks. */
void place_spread(struct pattern *p, enum dir dir)
{
	uint64_t blocks = MAX_OF(divide(p->usable, &p->align[dir]), UINT64_C(1));
	spread_resize(&p->spread, blocks, region_key(p->hot_key, p->region));
}

/* A multiple of the alignment such that BYTES fit. */
static uint64_t place_any(struct pattern *p, enum dir dir, uint32_t bytes)
{
	const struct divisor *align = &p->align[dir];
	uint64_t last = divide(p->usable - bytes, align);
	if (p->spread.kind == SPREAD_UNIFORM)
		return rng_below(&p->place_rng, last + 1) * align->by;

	place_spread(p, dir);
	uint64_t rank = spread_rank(&p->spread, &p->place_rng);
	return MIN_OF(spread_place(&p->spread, rank), last) * align->by;
}

static uint64_t place_jump(struct pattern *p, struct region_state *r, enum dir dir,
	uint32_t bytes)
{
	unsigned slot = slot_of(dir);
	if (!r->run[slot] || p->usable - r->position[slot] < bytes) {
		r->position[slot] = place_any(p, dir, bytes);
		r->run[slot] = p->spec->jump_every;
	}
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
static uint64_t place_tile(struct pattern *p, struct region_state *r, uint32_t *bytes)
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

bool place_ready(struct pattern *p)
{
	if (p->spec->regions_count == 1)
		return p->regions[0].left || pattern_wrap(p);
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

void place_next(struct pattern *p, enum dir dir, struct request *out)
{
	struct region_state *r = &p->regions[p->region];
	uint32_t bytes = sizes_draw(&p->sizes[dir], &p->size_rng);
	bytes = (uint32_t)MIN_OF((uint64_t)bytes, r->left);
	uint64_t at = 0;
	switch (p->place) {
	case PLACE_SEQUENTIAL:
		at = place_sequential(p, r, dir, &bytes);
		break;
	case PLACE_COVER:
		at = permute_at(&p->permute, r->next++) * p->unit.by;
		break;
	case PLACE_TILES:
		at = place_tile(p, r, &bytes);
		break;
	case PLACE_ANY:
		at = place_any(p, dir, bytes);
		break;
	case PLACE_JUMP:
		at = place_jump(p, r, dir, bytes);
		break;
	}
	r->left -= bytes;
	out->offset = p->spec->regions[p->region].start + at;
	out->bytes = bytes;
	out->file = p->region;
	out->dir = dir;
	if (p->spec->regions_count > 1)
		files_advance(&p->files, !r->left);
}
