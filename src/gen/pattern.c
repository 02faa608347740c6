/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* From a description to a pattern that is ready to run, and from pass to pass.
 * What happens per request is in place.c and fill.c. */
#include "gen/pattern.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "gen/state.h"

/* Units that are tiled at the same time: enough that neighbouring requests of
 * one unit are far apart in time, in 16 KiB of memory; one a region when there
 * are very many. */
#define TILES_REGION 1024
#define TILES_ALL    65536

/* ---- sizes ---- */

/* The size of a trimwrite is that of the trim; its write is the same. */
static bool spec_uses(const struct pattern_spec *spec, unsigned dir)
{
	return spec->use[dir] && !(spec->trim_then_write && dir == DIR_WRITE);
}

struct size_limits {
	uint32_t min, max;
	bool fixed; /* all requests are MIN bytes */
};

static void size_limits_of(const struct pattern_spec *spec, struct sizes sizes[DIRS],
	struct size_limits *ret)
{
	*ret = (struct size_limits){.min = UINT32_MAX};
	for (unsigned d = 0; d < DIRS; d++) {
		if (!spec_uses(spec, d))
			continue;
		sizes_init(&sizes[d], &spec->size[d]);
		ret->min = MIN_OF(ret->min, sizes[d].min);
		ret->max = MAX_OF(ret->max, sizes[d].max);
	}
	if (spec->sequel) {
		struct sizes sequel;
		sizes_init(&sequel, spec->sequel);
		ret->min = MIN_OF(ret->min, sequel.min);
		ret->max = MAX_OF(ret->max, sequel.max);
	}
	ret->fixed = ret->min == ret->max;
}

static uint64_t spec_usable(const struct pattern_spec *spec, const struct divisor *block)
{
	uint64_t sum = 0;
	for (uint32_t i = 0; i < spec->regions_count; i++)
		sum += divide(spec->regions[i].bytes, block) * block->by;
	return sum;
}

uint64_t pattern_pass_bytes(const struct pattern_spec *spec)
{
	struct sizes sizes[DIRS];
	struct size_limits limits;
	size_limits_of(spec, sizes, &limits);
	struct divisor block = divisor_of(limits.min);
	return spec_usable(spec, &block) * (spec->trim_then_write ? 2 : 1);
}

/* ---- passes ---- */

enum { /* what a stream or key derived from the seed is for */
	SEED_PLACE,
	SEED_SIZE,
	SEED_FILE,
	SEED_MIX,
	SEED_HOT,
	SEED_PASS,
};

static uint64_t seed_for(const struct pattern_spec *spec, unsigned purpose)
{
	return rng_mix(rng_mix(spec->seed) + purpose);
}

static void pattern_seed(struct pattern *p)
{
	rng_init(&p->place_rng, seed_for(p->spec, SEED_PLACE));
	rng_init(&p->size_rng, seed_for(p->spec, SEED_SIZE));
	rng_init(&p->file_rng, seed_for(p->spec, SEED_FILE));
	rng_init(&p->mix.rng, seed_for(p->spec, SEED_MIX));
	p->hot_key = seed_for(p->spec, SEED_HOT);
	p->mix.cards = 0;
	p->pass = 0;
}

static void pattern_begin(struct pattern *p)
{
	const struct pattern_spec *spec = p->spec;
	p->key = rng_mix(seed_for(spec, SEED_PASS) + p->pass);
	p->pending = false;
	p->pass_left = p->pass_bytes;
	p->sequence_base = 0;
	p->sequence_at = 0;
	memset(p->regions, 0, spec->regions_count * sizeof(*p->regions));
	if (p->rounds)
		memset(p->rounds, 0, spec->regions_count * sizeof(*p->rounds));
	for (uint32_t i = 0; i < spec->regions_count; i++) {
		p->regions[i].left = pattern_whole(p, i);
		if (p->zones)
			p->zones[i] = (struct zone_state){.at = 0, .left = spec->zone_size};
	}
	files_reset(&p->files);
	pattern_enter(p, 0);
}

void pattern_rewind(struct pattern *p)
{
	if (p->spec->repeat)
		pattern_seed(p);
	else
		p->pass++;
	pattern_begin(p);
}

bool pattern_wrap(struct pattern *p)
{
	if (!p->spec->endless || !p->pass_bytes)
		return false;
	p->pass++;
	pattern_begin(p);
	return true;
}

/* ---- making one ---- */

static enum place pattern_place(const struct pattern_spec *spec, bool fixed)
{
	if (!spec->random)
		return PLACE_SEQUENTIAL;
	bool uniform = true;
	for (unsigned d = 0; d < DIRS; d++) {
		if (!spec_uses(spec, d))
			continue;
		if (spec->jump_every > 1 || spec->sequential_percent[d])
			return PLACE_JUMP;
		uniform &= spec->spread[d].kind == SPREAD_UNIFORM;
	}
	if (!(spec->coverage || spec->lfsr) || !uniform)
		return PLACE_ANY;
	return fixed ? PLACE_COVER : PLACE_TILES;
}

static int pattern_init_tiles(struct pattern *p, struct arena *arena)
{
	uint32_t count = p->spec->regions_count;
	uint64_t units = 1;
	for (uint32_t i = 0; i < count; i++)
		units = MAX_OF(units, divide(p->spec->regions[i].bytes, &p->unit) + 1);
	uint64_t room = MIN_OF(MAX_OF(TILES_ALL / count, 1u), (uint32_t)TILES_REGION);
	p->tiles_max = (uint32_t)MIN_OF(room, units);
	p->tiles = arena_array(arena, (size_t)count * p->tiles_max, sizeof(*p->tiles));
	return p->tiles ? 0 : -ENOMEM;
}

/* Zones given in bytes end at blocks from now on. */
static int pattern_init_zoned(struct pattern *p, unsigned d, struct arena *arena)
{
	const struct spread_zones *zones = p->spec->spread[d].zones;
	uint64_t *ends = arena_array(arena, zones->count, sizeof(*ends));
	if (!ends)
		return -ENOMEM;
	for (uint32_t i = 0; i < zones->count; i++)
		ends[i] = divide(zones->end[i], &p->align[d]);
	p->spread[d].ends = ends;
	return 0;
}

static int pattern_init_memory(struct pattern *p, struct arena *arena)
{
	const struct pattern_spec *spec = p->spec;
	uint32_t count = spec->regions_count;
	p->regions = arena_array(arena, count, sizeof(*p->regions));
	if (!p->regions)
		return -ENOMEM;
	if (spec->zone_size) {
		p->zones = arena_array(arena, count, sizeof(*p->zones));
		if (!p->zones)
			return -ENOMEM;
	}
	if (spec->zone_size || p->files.spread) {
		p->rounds = arena_array(arena, count, sizeof(*p->rounds));
		if (!p->rounds)
			return -ENOMEM;
	}
	for (unsigned d = 0; d < DIRS; d++) {
		bool zoned = spec_uses(spec, d) && spec->spread[d].kind == SPREAD_ZONED;
		if (zoned && spec->spread[d].zones->bytes &&
			pattern_init_zoned(p, d, arena) < 0)
			return -ENOMEM;
	}
	if (p->place == PLACE_TILES && pattern_init_tiles(p, arena) < 0)
		return -ENOMEM;
	return files_init(&p->files, arena, spec);
}

static void pattern_init_values(struct pattern *p, const struct pattern_spec *spec)
{
	struct size_limits limits;
	size_limits_of(spec, p->sizes, &limits);
	p->spec = spec;
	p->mixed = spec->use[DIR_READ] && spec->use[DIR_WRITE];
	p->mix.percent = MIN_OF(spec->read_percent, 100u);
	p->bytes = limits.fixed ? limits.min : 0;
	p->place = pattern_place(spec, limits.fixed);
	p->block = divisor_of(limits.min);
	p->unit = divisor_of(round_up(limits.max, limits.min));
	if (spec->sequel)
		sizes_init(&p->sequel, spec->sequel);
	for (unsigned d = 0; d < DIRS; d++) {
		if (!spec_uses(spec, d))
			continue;
		p->dir = d;
		p->align[d] = divisor_of(spec->align[d] ? spec->align[d] : p->sizes[d].min);
		spread_init(&p->spread[d], &spec->spread[d]);
	}
	if (spec->files == PATTERN_SPREAD_FILE && spec->regions_count > 1) {
		spread_init(&p->file_spread, &spec->file_spread);
		spread_resize(&p->file_spread, spec->regions_count, seed_for(spec, SEED_HOT));
		p->files.spread = &p->file_spread;
	}
	p->rare = p->place == PLACE_JUMP || spec->zone_size || p->files.spread;
	p->pass_bytes = spec_usable(spec, &p->block);
}

struct pattern *pattern_new(struct arena *arena, const struct pattern_spec *spec,
	struct err *reterr)
{
	assert(spec->regions_count);
	assert(spec->use[DIR_READ] || spec->use[DIR_WRITE] || spec->use[DIR_TRIM]);
	struct pattern *p = arena_alloc(arena, sizeof(*p));
	if (p) {
		pattern_init_values(p, spec);
		if (pattern_init_memory(p, arena) == 0) {
			pattern_seed(p);
			pattern_begin(p);
			p->fill = fill_choose(p);
			return p;
		}
	}
	err_set(reterr, -ENOMEM, "no memory for the pattern of %u files", spec->regions_count);
	return NULL;
}

unsigned pattern_fill(struct pattern *p, struct request *out, unsigned n)
{
	return p->fill(p, out, n);
}
