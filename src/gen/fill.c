/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* HOT: whole batches.  Most jobs have one region and one size; for these a batch
 * is a short loop without a branch that varies, with its random state in
 * registers.  Each loop gives exactly the requests that fill_any() would give
 * (tests/prop/gen-pattern.c holds it to that). */
#include "gen/state.h"

#define always_inline inline __attribute__((always_inline))

/* A trimwrite gives each request twice: trim, then the same as a write. */
static bool fill_trim_write(struct pattern *p, struct request *out)
{
	if (p->pending) {
		*out = p->trimmed;
		out->dir = DIR_WRITE;
		p->pending = false;
		return true;
	}
	if (!place_ready(p))
		return false;
	place_next(p, DIR_TRIM, out);
	p->trimmed = *out;
	p->pending = true;
	return true;
}

static unsigned fill_trims(struct pattern *p, struct request *out, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		if (!fill_trim_write(p, &out[i]))
			return i;
	}
	return n;
}

unsigned fill_any(struct pattern *p, struct request *out, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		if (!place_ready(p))
			return i;
		place_next(p, p->mixed ? mix_draw(&p->mix) : p->dir, &out[i]);
	}
	return n;
}

bool pattern_next_in(struct pattern *p, enum dir dir, struct request *out)
{
	if (!p->spec->use[dir])
		return false;
	if (p->spec->trim_then_write)
		return fill_trim_write(p, out);
	if (!place_ready(p))
		return false;
	place_next(p, dir, out);
	return true;
}

/* ---- one region, one size ---- */

static always_inline void fill_dirs(struct pattern *p, struct request *out, unsigned n)
{
	struct mix mix = p->mix;
	for (unsigned i = 0; i < n; i++)
		out[i].dir = mix_draw(&mix);
	p->mix = mix;
}

static always_inline void fill_common(const struct pattern *p, struct request *r, bool mixed)
{
	r->bytes = p->bytes;
	r->file = 0;
	if (!mixed)
		r->dir = p->dir;
}

static always_inline void fill_sequential(struct pattern *p, struct request *out, unsigned n,
	bool mixed)
{
	uint64_t start = p->spec->regions[0].start;
	uint64_t *position = p->regions[0].position;
	if (!mixed) {
		uint64_t *own = &position[slot_of(p->dir)];
		for (unsigned i = 0; i < n; i++) {
			out[i].offset = start + *own + (uint64_t)i * p->bytes;
			fill_common(p, &out[i], mixed);
		}
		*own += (uint64_t)n * p->bytes;
		return;
	}
	for (unsigned i = 0; i < n; i++) {
		uint64_t *own = &position[slot_of(out[i].dir)];
		out[i].offset = start + *own;
		*own += p->bytes;
		fill_common(p, &out[i], mixed);
	}
}

static always_inline void fill_cover(struct pattern *p, struct request *out, unsigned n,
	bool mixed)
{
	const struct permute permute = p->permute;
	uint64_t start = p->spec->regions[0].start;
	uint64_t next = p->regions[0].next;
	for (unsigned i = 0; i < n; i++) {
		out[i].offset = start + permute_at(&permute, next + i) * p->bytes;
		fill_common(p, &out[i], mixed);
	}
	p->regions[0].next = next + n;
}

static always_inline void fill_free(struct pattern *p, struct request *out, unsigned n,
	bool mixed)
{
	const struct divisor *align = &p->align[p->dir];
	uint64_t start = p->spec->regions[0].start;
	uint64_t positions = divide(p->usable - p->bytes, align) + 1;
	uint64_t by = align->by;
	struct rng rng = p->place_rng;
	for (unsigned i = 0; i < n; i++) {
		out[i].offset = start + rng_below(&rng, positions) * by;
		fill_common(p, &out[i], mixed);
	}
	p->place_rng = rng;
}

/* In several loops: each is a long chain of dependent steps per request, and the
 * processor overlaps more of them the shorter they are. */
static always_inline void fill_spread(struct pattern *p, struct request *out, unsigned n,
	bool mixed)
{
	place_spread(p, p->dir);
	const struct spread *spread = &p->spread[p->dir];
	const struct divisor *align = &p->align[p->dir];
	uint64_t start = p->spec->regions[0].start, by = align->by;
	uint64_t last = divide(p->usable - p->bytes, align);
	uint64_t ranks[SPREAD_BATCH];
	for (unsigned done = 0; done < n; done += SPREAD_BATCH) {
		unsigned some = MIN_OF(n - done, (unsigned)SPREAD_BATCH);
		spread_ranks(spread, &p->place_rng, ranks, some);
		for (unsigned i = 0; i < some; i++) {
			uint64_t block = spread_place(spread, ranks[i]);
			out[done + i].offset = start + MIN_OF(block, last) * by;
			fill_common(p, &out[done + i], mixed);
		}
	}
}

/* Sizes vary: how many may fit is known only while far from the end of the pass. */
static always_inline void fill_free_sizes(struct pattern *p, struct request *out, unsigned n,
	bool mixed)
{
	uint64_t start = p->spec->regions[0].start, usable = p->usable, moved = 0;
	struct rng place = p->place_rng, size = p->size_rng;
	for (unsigned i = 0; i < n; i++) {
		enum dir dir = mixed ? out[i].dir : p->dir;
		const struct divisor *align = &p->align[dir];
		uint32_t bytes = sizes_draw(&p->sizes[dir], &size);
		uint64_t positions = divide(usable - bytes, align) + 1;
		out[i].offset = start + rng_below(&place, positions) * align->by;
		out[i].bytes = bytes;
		out[i].file = 0;
		out[i].dir = dir;
		moved += bytes;
	}
	p->place_rng = place;
	p->size_rng = size;
	p->regions[0].left -= moved;
}

static always_inline unsigned fill_sizes(struct pattern *p, struct request *out, unsigned n,
	bool mixed)
{
	uint64_t most = MAX_OF(p->sizes[DIR_READ].max, p->sizes[DIR_WRITE].max);
	most = MAX_OF(most, p->sizes[DIR_TRIM].max);
	if (unlikely(most * n > p->regions[0].left))
		return fill_any(p, out, n);
	if (mixed)
		fill_dirs(p, out, n);
	fill_free_sizes(p, out, n, mixed);
	return n;
}

static always_inline unsigned fill_tiles(struct pattern *p, struct request *out, unsigned n,
	bool mixed)
{
	struct region_state *r = &p->regions[0];
	uint64_t start = p->spec->regions[0].start;
	for (unsigned i = 0; i < n; i++) {
		if (unlikely(!r->left) && !pattern_wrap(p))
			return i;
		enum dir dir = mixed ? mix_draw(&p->mix) : p->dir;
		uint32_t bytes = sizes_draw(&p->sizes[dir], &p->size_rng);
		bytes = (uint32_t)MIN_OF((uint64_t)bytes, r->left);
		out[i].offset = start + place_tile(p, r, &bytes);
		out[i].bytes = bytes;
		out[i].file = 0;
		out[i].dir = dir;
		r->left -= bytes;
	}
	return n;
}

static unsigned fill_tiles_one(struct pattern *p, struct request *out, unsigned n)
{
	return fill_tiles(p, out, n, false);
}

static unsigned fill_tiles_mixed(struct pattern *p, struct request *out, unsigned n)
{
	return fill_tiles(p, out, n, true);
}

static unsigned fill_sizes_one(struct pattern *p, struct request *out, unsigned n)
{
	return fill_sizes(p, out, n, false);
}

static unsigned fill_sizes_mixed(struct pattern *p, struct request *out, unsigned n)
{
	return fill_sizes(p, out, n, true);
}

/* A batch may reach over the end of a pass that wraps in place. */
static always_inline unsigned fill_simple(struct pattern *p, struct request *out, unsigned n,
	bool mixed, void (*fill)(struct pattern *, struct request *, unsigned, bool))
{
	struct region_state *r = &p->regions[0];
	unsigned done = 0;
	while (done < n) {
		unsigned some = n - done;
		if (unlikely((uint64_t)some * p->bytes > r->left))
			some = (unsigned)(r->left / p->bytes);
		if (unlikely(!some)) {
			if (!pattern_wrap(p))
				break;
			continue;
		}
		if (mixed)
			fill_dirs(p, out + done, some);
		fill(p, out + done, some, mixed);
		r->left -= (uint64_t)some * p->bytes;
		done += some;
	}
	return done;
}

static unsigned fill_sequential_one(struct pattern *p, struct request *out, unsigned n)
{
	return fill_simple(p, out, n, false, fill_sequential);
}

static unsigned fill_sequential_mixed(struct pattern *p, struct request *out, unsigned n)
{
	return fill_simple(p, out, n, true, fill_sequential);
}

static unsigned fill_cover_one(struct pattern *p, struct request *out, unsigned n)
{
	return fill_simple(p, out, n, false, fill_cover);
}

static unsigned fill_cover_mixed(struct pattern *p, struct request *out, unsigned n)
{
	return fill_simple(p, out, n, true, fill_cover);
}

static unsigned fill_free_one(struct pattern *p, struct request *out, unsigned n)
{
	return fill_simple(p, out, n, false, fill_free);
}

static unsigned fill_free_mixed(struct pattern *p, struct request *out, unsigned n)
{
	return fill_simple(p, out, n, true, fill_free);
}

static unsigned fill_spread_one(struct pattern *p, struct request *out, unsigned n)
{
	return fill_simple(p, out, n, false, fill_spread);
}

static unsigned fill_spread_mixed(struct pattern *p, struct request *out, unsigned n)
{
	return fill_simple(p, out, n, true, fill_spread);
}

static bool spread_alike(const struct spread_spec *a, const struct spread_spec *b)
{
	return a->kind == b->kind && a->a == b->a && a->center == b->center &&
	       a->zones == b->zones && a->sequence == b->sequence;
}

unsigned (*fill_choose(const struct pattern *p))(struct pattern *, struct request *, unsigned)
{
	const struct pattern_spec *spec = p->spec;
	bool alike = p->align[DIR_READ].by == p->align[DIR_WRITE].by &&
		     spread_alike(&spec->spread[DIR_READ], &spec->spread[DIR_WRITE]);
	enum spread_kind kind = p->spread[p->dir].kind;
	if (spec->trim_then_write)
		return fill_trims;
	if (spec->regions_count != 1 || spec->stride || p->zones)
		return fill_any;
	if (!p->bytes && p->place == PLACE_ANY && kind == SPREAD_UNIFORM &&
		(!p->mixed || alike))
		return p->mixed ? fill_sizes_mixed : fill_sizes_one;
	if (p->place == PLACE_TILES)
		return p->mixed ? fill_tiles_mixed : fill_tiles_one;
	if (!p->bytes)
		return fill_any;
	if (p->place == PLACE_SEQUENTIAL)
		return p->mixed ? fill_sequential_mixed : fill_sequential_one;
	if (p->place == PLACE_COVER)
		return p->mixed ? fill_cover_mixed : fill_cover_one;
	if (p->place != PLACE_ANY || kind == SPREAD_SEQUENCE || (p->mixed && !alike))
		return fill_any;
	if (kind == SPREAD_UNIFORM)
		return p->mixed ? fill_free_mixed : fill_free_one;
	return p->mixed ? fill_spread_mixed : fill_spread_one;
}
