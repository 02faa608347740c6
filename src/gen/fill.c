/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* HOT: whole batches.  Most jobs have one region and one size; for these a batch
 * is a short loop without a branch that varies, with its random state in
 * registers.  Each loop gives exactly the requests that fill_any() would give
 * (tests/prop/pattern.c holds it to that). */
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

/* In two loops: each is a long chain of dependent steps per request, and the
 * processor overlaps more of them the shorter they are. */
static always_inline void fill_spread(struct pattern *p, struct request *out, unsigned n,
	bool mixed)
{
	place_spread(p, p->dir);
	const struct spread spread = p->spread[p->dir];
	const struct divisor *align = &p->align[p->dir];
	uint64_t start = p->spec->regions[0].start;
	uint64_t last = divide(p->usable - p->bytes, align);
	struct rng rng = p->place_rng;
	for (unsigned i = 0; i < n; i++)
		out[i].offset = spread_rank(&spread, &rng);
	for (unsigned i = 0; i < n; i++) {
		uint64_t block = spread_place(&spread, out[i].offset);
		out[i].offset = start + MIN_OF(block, last) * align->by;
		fill_common(p, &out[i], mixed);
	}
	p->place_rng = rng;
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
	if (spec->regions_count != 1 || !p->bytes || spec->stride || p->zones)
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
