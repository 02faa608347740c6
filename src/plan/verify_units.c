/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* The units of verification that the targets of a run are cut into, when all workers
 * are derived: the greatest common divisor of everything that anybody may write there.
 * A worker has one unit size for all its targets, and a target one for all its
 * workers: so those that are connected in any way have the same. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "base/bits.h"
#include "base/err.h"
#include "plan/draft.h"

#define UNITS_EXCLUSIVE 4096 /* larger ones may be mixed by the kernel */

static uint64_t units_gcd(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t rest = a % b;
		a = b;
		b = rest;
	}
	return a;
}

static uint64_t units_of_sizes(const struct size_spec *s, uint64_t g)
{
	if (s->unaligned)
		return 1;
	if (!s->splits_count)
		return units_gcd(units_gcd(g, s->min), s->max);
	for (uint32_t i = 0; i < s->splits_count; i++)
		g = units_gcd(g, s->splits[i].bytes);
	return g;
}

static uint64_t units_of_dir(const struct pattern_spec *p, int dir, uint64_t g)
{
	/* trimwrite: writes have the sizes of the trims before them */
	const int sizes = p->trim_then_write ? DIR_TRIM : dir;

	g = units_of_sizes(&p->size[sizes], g);
	if (p->sequel)
		g = units_of_sizes(p->sequel, g);
	return units_gcd(g, p->align[sizes]);
}

/* Everything that W may write begins and ends at a multiple of this. */
static uint64_t units_of_worker(const struct plan_worker *w)
{
	const struct pattern_spec *p = &w->pattern;
	uint64_t g = verify_interval(w);

	for (int dir = DIR_WRITE; dir < DIRS; dir++)
		if (p->use[dir])
			g = units_of_dir(p, dir, g);
	for (uint32_t i = 0; i < p->regions_count; i++)
		g = units_gcd(g, p->regions[i].start);
	g = units_gcd(g, (uint64_t)llabs(p->stride));
	if (!p->use[DIR_WRITE])
		g = units_gcd(g, VERIFY_READ_MAX);
	if (p->zone_size) {
		g = units_gcd(g, p->zone_range);
		g = units_gcd(g, p->zone_range + p->zone_skip);
	}
	return g;
}

/* Its sizes are any number of bytes. */
static bool units_loose(const struct plan_worker *w)
{
	const struct pattern_spec *p = &w->pattern;
	return (p->use[DIR_WRITE] && p->size[DIR_WRITE].unaligned) ||
	       (p->use[DIR_TRIM] && p->size[DIR_TRIM].unaligned);
}

static bool units_writes(const struct plan_worker *w)
{
	return pattern_writes(&w->pattern) && w->pattern.regions_count;
}

/* ---- targets and workers to one another ---- */

struct units {
	struct draft *d;
	uint64_t *of_worker, *of_target; /* 0: none yet */
	bool *stamped;                   /* targets that a verifying job writes */
};

static void units_begin(struct units *u)
{
	struct plan *plan = u->d->plan;

	for (uint32_t i = 0; i < plan->workers_count; i++) {
		const struct plan_worker *w = &plan->workers[i];
		if (!units_writes(w) || w->verify.by_pieces)
			continue;
		u->of_worker[i] = units_of_worker(w);
		for (uint32_t k = 0; k < w->files.count && w->verify.stamps; k++)
			u->stamped[w->files.targets[k]] = true;
	}
}

/* Who touches no stamped target has no part in it. */
static bool units_counts(const struct units *u, const struct plan_worker *w)
{
	if (!units_writes(w) || w->verify.by_pieces)
		return false;
	for (uint32_t k = 0; k < w->files.count; k++)
		if (u->stamped[w->files.targets[k]])
			return true;
	return false;
}

/* One round; true when something became smaller. */
static bool units_spread(struct units *u)
{
	struct plan *plan = u->d->plan;
	bool moved = false;

	for (uint32_t i = 0; i < plan->workers_count; i++) {
		const struct plan_worker *w = &plan->workers[i];
		if (!units_counts(u, w))
			continue;
		uint64_t g = u->of_worker[i];
		for (uint32_t k = 0; k < w->files.count; k++)
			g = units_gcd(g, u->of_target[w->files.targets[k]]);
		moved |= g != u->of_worker[i];
		u->of_worker[i] = g;
		for (uint32_t k = 0; k < w->files.count; k++) {
			uint64_t *t = &u->of_target[w->files.targets[k]];
			moved |= *t != g;
			*t = g;
		}
	}
	return moved;
}

/* ---- what they come to ---- */

static int units_too_small(const struct plan_worker *w, uint64_t bytes, struct err *reterr)
{
	const struct unit_spec *s = &w->verify.unit;
	const uint32_t need = s->header_at + unit_header_bytes(s);

	if (bytes >= MAX_OF(unit_bytes_min(s), need))
		return 0;
	return job_fail(w->job,
		s->header_at && bytes >= unit_header_bytes(s) ? "verify_offset" : "verify",
		reterr, -EINVAL,
		"what is written to this target begins and ends at multiples of %" PRIu64
		" bytes, by all jobs that write it; a unit of so many has no room for a header "
		"and checksum of %u bytes%s; use larger blocks, or verify=pattern",
		bytes, unit_header_bytes(s), s->header_at ? " at verify_offset" : "");
}

static int units_take(struct units *u, struct plan_worker *w, struct err *reterr)
{
	const struct pattern_spec *p = &w->pattern;
	uint64_t bytes = u->of_worker[w->index];

	w->verify.unit.bytes = (uint32_t)bytes;
	int rc = units_too_small(w, bytes, reterr);
	for (uint32_t k = 0; k < p->regions_count && rc == 0; k++) {
		const struct pattern_region *r = &p->regions[k];
		struct plan_target *t = targets_at(u->d->targets, w->files.targets[k]);
		t->unit_bytes = (uint32_t)bytes;
		t->units = MAX_OF(t->units, div_up(r->start + r->bytes, bytes));
		t->unit_exclusive |= bytes > UNITS_EXCLUSIVE ||
				     (queue_flags(w) & ENGINE_NO_EXTEND) != 0;
	}
	return rc;
}

/* A job that only reads takes the size from what it finds; this is for what it can't
 * read there, and for patterns, which say none. */
static int units_of_reader(const struct units *u, struct plan_worker *w, struct err *reterr)
{
	const struct size_spec *s = &w->pattern.size[DIR_READ];
	uint64_t g = units_of_sizes(s, verify_interval(w));

	for (uint32_t k = 0; k < w->files.count; k++)
		g = units_gcd(g, u->of_target[w->files.targets[k]]);
	w->verify.unit.bytes = (uint32_t)g;
	return units_too_small(w, g, reterr);
}

/* ---- who can't write beside whom ---- */

static bool units_overlap(const struct plan_worker *a, const struct plan_worker *b)
{
	for (uint32_t i = 0; i < a->pattern.regions_count; i++) {
		const struct pattern_region *x = &a->pattern.regions[i];
		for (uint32_t k = 0; k < b->pattern.regions_count; k++) {
			const struct pattern_region *y = &b->pattern.regions[k];
			if (a->files.targets[i] == b->files.targets[k] &&
				x->start < y->start + y->bytes &&
				y->start < x->start + x->bytes)
				return true;
		}
	}
	return false;
}

static bool units_alike(const struct unit_spec *a, const struct unit_spec *b)
{
	return a->kind == b->kind && a->checksum == b->checksum && a->header_at == b->header_at;
}

/* W is verified, and OTHER writes in the same wave what W reads or writes. */
static int units_beside(const struct plan_worker *w, const struct plan_worker *other,
	struct err *reterr)
{
	if (other->wave != w->wave || other->job == w->job || !units_writes(other) ||
		(other->verify.stamps && units_alike(&w->verify.unit, &other->verify.unit)) ||
		!units_overlap(w, other))
		return 0;
	if (!other->verify.stamps)
		return job_fail(w->job, "verify", reterr, -EINVAL,
			"job \"%s\" writes to the same place at the same time without verify, so "
			"wrong data couldn't be told from its own; give it verify, other offsets, or "
			"stonewall",
			other->name);
	return job_fail(w->job, "verify", reterr, -EINVAL,
		"job \"%s\" writes to the same place at the same time with another verify or "
		"verify_offset; give both the same, other offsets, or stonewall",
		other->name);
}

static int units_conflicts(const struct draft *d, struct err *reterr)
{
	const struct plan *plan = d->plan;
	int rc = 0;

	for (uint32_t i = 0; i < plan->workers_count; i++) {
		const struct plan_worker *w = &plan->workers[i];
		if (!verify_is_on(&w->verify) || !draft_is_first(d, w))
			continue;
		for (uint32_t k = 0; k < plan->workers_count && rc == 0; k++)
			rc = units_beside(w, &plan->workers[k], reterr);
	}
	return rc;
}

/* ---- writes without a grid ---- */

/* As many as a pass writes, and what splitting makes of them. */
static uint64_t units_pieces(const struct plan_worker *w)
{
	const struct size_spec *s = &w->pattern.size[DIR_WRITE];
	uint64_t most = 0;

	for (uint32_t i = 0; i < w->pattern.regions_count; i++)
		most = MAX_OF(most, w->pattern.regions[i].bytes);
	return most / MAX_OF((s->min + s->max) / 4, 1u) + 4096;
}

static int units_by_pieces(struct draft *d, struct plan_worker *w, struct err *reterr)
{
	const struct plan *plan = d->plan;

	if (w->verify.phantom)
		return job_fail(w->job, "verify_only", reterr, -EINVAL,
			"blocks of any size (bs_unaligned) have no room for headers, so only the run "
			"that wrote them can check them; leave out verify_only");
	for (uint32_t i = 0; i < plan->workers_count; i++) {
		const struct plan_worker *other = &plan->workers[i];
		if (other != w && other->wave == w->wave && units_writes(other) &&
			units_overlap(w, other))
			return job_fail(w->job, "verify", reterr, -EINVAL,
				"\"%s\" writes to the same place, and blocks of any size "
				"(bs_unaligned) can only be checked by who alone writes there; give "
				"it other offsets, or leave out bs_unaligned",
				other->name);
	}
	w->verify.by_pieces = true;
	w->verify.unit.bytes = 0;
	w->verify.pieces_max = units_pieces(w);
	w->verify.checks = false;
	return 0;
}

/* ---- all of it ---- */

static int units_derive(struct units *u, struct err *reterr)
{
	struct plan *plan = u->d->plan;
	int rc = 0;

	for (uint32_t i = 0; i < plan->workers_count && rc == 0; i++)
		if (plan->workers[i].verify.stamps && units_loose(&plan->workers[i]))
			rc = units_by_pieces(u->d, &plan->workers[i], reterr);
	if (rc < 0)
		return rc;
	units_begin(u);
	while (units_spread(u))
		;
	for (uint32_t i = 0; i < plan->workers_count && rc == 0; i++) {
		struct plan_worker *w = &plan->workers[i];
		if (w->verify.by_pieces)
			continue;
		if (w->verify.stamps)
			rc = units_take(u, w, reterr);
		else if (verify_is_on(&w->verify) && !w->state.resume)
			rc = units_of_reader(u, w, reterr);
	}
	return rc == 0 ? units_conflicts(u->d, reterr) : rc;
}

static uint32_t units_targets(const struct plan *plan)
{
	uint32_t most = 0;

	for (uint32_t i = 0; i < plan->workers_count; i++)
		for (uint32_t k = 0; k < plan->workers[i].files.count; k++)
			most = MAX_OF(most, plan->workers[i].files.targets[k] + 1);
	return most;
}

int verify_units(struct draft *d, struct err *reterr)
{
	const struct plan *plan = d->plan;
	bool any = false;

	for (uint32_t i = 0; i < plan->workers_count; i++) {
		const struct plan_worker *w = &plan->workers[i];
		any |= verify_is_on(&w->verify);
	}
	if (!any)
		return 0;
	const uint32_t targets = units_targets(plan);
	struct units u = {
		.d = d,
		.of_worker = calloc(plan->workers_count, sizeof(*u.of_worker)),
		.of_target = calloc(targets + 1, sizeof(*u.of_target)),
		.stamped = calloc(targets + 1, sizeof(*u.stamped)),
	};
	int rc = u.of_worker && u.of_target && u.stamped
			 ? units_derive(&u, reterr)
			 : err_set(reterr, -ENOMEM, "out of memory for the units of %u targets",
				   targets);
	free(u.of_worker);
	free(u.of_target);
	free(u.stamped);
	return rc;
}

/* ---- what the map costs ---- */

/* A byte a unit, so many share a PAGE.  Cells that W can touch: all of its regions, or a page
 * for each of few writes. */
static uint64_t units_touched(const struct plan_worker *w, uint64_t page)
{
	const struct plan_amount *a = &w->amount;
	uint64_t bytes = 0, writes = a->ios;

	for (uint32_t k = 0; k < w->pattern.regions_count; k++)
		bytes += round_up(w->pattern.regions[k].bytes / w->verify.unit.bytes, page);
	if (!a->time_based && a->bytes != UINT64_MAX)
		writes = MIN_OF(writes, a->bytes / MAX_OF(block_min(&w->pattern), 1u));
	if (a->time_based || writes >= UINT64_MAX / page)
		return bytes;
	return MIN_OF(bytes, writes * page);
}

void verify_map_cost(struct plan *plan, uint64_t page_bytes)
{
	const uint64_t page = MAX_OF(page_bytes, UINT64_C(4096));
	uint64_t most = 0, touched = 0, pieces = 0;

	for (uint32_t i = 0; i < plan->targets_count; i++)
		most += round_up(plan->targets[i].units, page);
	for (uint32_t i = 0; i < plan->workers_count; i++)
		if (plan->workers[i].verify.by_pieces)
			pieces += 64 * plan->workers[i].verify.pieces_max *
				  plan->workers[i].pattern.regions_count;
		else if (plan->workers[i].verify.stamps)
			touched += units_touched(&plan->workers[i], page);
	plan->map_bytes = MIN_OF(most, touched) + pieces;
}
