/* HOT: each unit that was read.
 *
 * SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors
 *
 * Two ways to know what must be there: by the map, where this run wrote it, and by what the
 * unit says itself, where a job checks what others wrote. */
#include "run/verify/again.h"
#include "run/verify/by_pieces.h"
#include "run/verify/fault.h"
#include "run/verify/resume.h"
#include "run/verify/verify.h"

#include "base/bits.h"
#include "verify/unit_says.h"

/* What one read came to; added to what others see at its end. */
struct check {
	struct verify *v;
	const struct verify_slot *s;
	uint64_t units, wrong, bytes, unjudged;
};

/* What was found wrong counts unless it may have been written meanwhile. */
static void check_wrong(struct check *k, const struct unit_spec *spec,
	const struct unit_expect *e, const unsigned char *unit, uint32_t n, bool mapped)
{
	struct verify *v = k->v;
	const struct verify_slot *s = k->s;

	if (mapped && s->look) {
		const struct cells *c = verify_cells(v, s);
		if (cells_changes(c, s->first, s->units) != s->changes &&
			!verify_still_wrong(v, s, spec, e->offset / spec->bytes)) {
			k->units--;
			k->bytes -= n;
			k->unjudged++;
			return;
		}
	}
	k->wrong++;
	fault_tell(v, s, spec, e, unit, n);
}

static void check_unit(struct check *k, const struct unit_spec *spec,
	const struct unit_expect *e, const unsigned char *unit, uint32_t n, bool mapped)
{
	if (spec->kind == UNIT_NULL || (e->zeroes && !k->v->plan->trim_zero)) {
		k->unjudged++;
		return;
	}
	k->units++;
	k->bytes += n;
	if (unlikely(unit_check(spec, e, unit, n) != UNIT_RIGHT))
		check_wrong(k, spec, e, unit, n, mapped);
}

/* At most N bytes at BUF by what they say themselves; returns how many.  A header says
 * how long its unit is; what can't be is the plan's size. */
static uint32_t check_by_header(struct check *k, const unsigned char *buf, uint64_t offset,
	uint32_t n, bool zeroes)
{
	struct verify *v = k->v;
	struct unit_spec spec = v->spec;
	struct unit_word word = {0};
	struct unit_expect e = {
		.offset = offset,
		.any_run = true,
		.any_generation = true,
		.zeroes = zeroes,
	};

	bool says = unit_says(&spec, buf, n, &word);
	e.target = word.target;
	spec.bytes = says && word.bytes >= unit_bytes_min(&spec) && word.bytes <= n
			     ? word.bytes
			     : spec.bytes;
	spec.bytes = MIN_OF(spec.bytes, n);
	if (spec.bytes < unit_bytes_min(&spec)) {
		k->unjudged++;
		return n;
	}
	check_unit(k, &spec, &e, buf, spec.bytes, zeroes);
	return spec.bytes;
}

/* Unit I, which this run wrote, if nothing happened to it meanwhile. */
static void check_by_map(struct check *k, const struct cells *c, uint64_t i,
	const unsigned char *buf)
{
	struct verify *v = k->v;
	const struct verify_slot *s = k->s;
	struct unit_spec spec = v->spec;
	struct unit_expect e = {.target = v->identity[s->file]};

	if (!cells_expect(c, i, s->cells[i - s->first], &e))
		k->unjudged++;
	else if (!v->plan->by_map)
		check_by_header(k, buf, e.offset, c->unit_bytes, e.zeroes);
	else {
		spec.bytes = c->unit_bytes;
		check_unit(k, &spec, &e, buf, spec.bytes, true);
	}
}

static void check_read(struct check *k, const unsigned char *buf)
{
	struct verify *v = k->v;
	const struct verify_slot *s = k->s;
	const struct cells *c = verify_cells(v, s);

	for (uint32_t at = 0; at < s->bytes;) {
		const uint64_t offset = s->offset + at;
		const uint32_t left = s->bytes - at,
			       unit = s->look ? c->unit_bytes : v->spec.bytes;
		const uint32_t inside = (uint32_t)(offset % unit);
		const uint64_t i = offset / unit;
		if (s->look && !inside && left >= unit && s->cells[i - s->first]) {
			check_by_map(k, c, i, buf + at);
			at += unit;
		} else if (v->plan->by_header) {
			at += check_by_header(k, buf + at, offset, left, false);
		} else { /* not written in this run, or not read as a whole */
			k->unjudged++;
			at += MIN_OF(unit - inside, left);
		}
	}
}

static void check_resumed(struct check *k, const unsigned char *buf)
{
	struct resume_counts c = {0};
	struct shared_verify *sh = k->v->sh;

	resume_check(k->v, k->s, buf, &c);
	k->units = c.units;
	k->wrong = c.wrong;
	k->bytes = c.bytes;
	k->unjudged = c.unjudged;
	for (int i = 0; i < 3; i++)
		__atomic_fetch_add(&sh->age[i], c.age[i], __ATOMIC_RELAXED);
	__atomic_fetch_add(&sh->later, c.later, __ATOMIC_RELAXED);
}

void verify_check(struct verify *v, const struct verify_slot *s, const unsigned char *buf)
{
	struct check k = {.v = v, .s = s};

	if (unlikely(v->resume != NULL))
		check_resumed(&k, buf);
	else if (unlikely(v->pieces != NULL))
		k.wrong = by_pieces_check(v, s, buf, &k.units, &k.bytes);
	else
		check_read(&k, buf);
	__atomic_fetch_add(&v->sh->units, k.units, __ATOMIC_RELAXED);
	__atomic_fetch_add(&v->sh->bytes, k.bytes, __ATOMIC_RELAXED);
	__atomic_fetch_add(&v->sh->unjudged, k.unjudged, __ATOMIC_RELAXED);
	if (likely(!k.wrong))
		return;
	__atomic_fetch_add(&v->sh->wrong, k.wrong, __ATOMIC_RELEASE);
	if (!v->plan->go_on)
		__atomic_store_n(&v->failed, true, __ATOMIC_RELAXED);
}
