/* HOT: each unit that is read back by a state file.
 *
 * SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors
 *
 * A unit says who wrote it, and the state how that worker's units look. */
#include "run/verify/resume.h"

#include "base/bits.h"
#include "run/verify/fault.h"
#include "run/verify/verify.h"
#include "verify/state.h"
#include "verify/unit_says.h"

#define RESUME_MIXTURES 1000 /* so many are looked at in a run: each reads the file */

/* The spec of who wrote UNIT; else the first for units of this size. */
static const struct unit_spec *resume_spec(const struct state_head *h, uint32_t bytes,
	const unsigned char *unit, uint64_t *ret_serial, bool *ret_own)
{
	const struct unit_spec *first = NULL;
	uint32_t worker;

	*ret_own = false;
	for (uint32_t i = 0; i < h->specs_count; i++) {
		const struct unit_spec *s = &h->specs[i];
		if (s->bytes != bytes || s->kind == UNIT_NONE)
			continue;
		first = first ? first : s;
		if (!unit_author(s, unit, bytes, &worker, ret_serial) ||
			worker >= h->workers_count || h->spec_of[worker] != i)
			continue;
		*ret_own = true;
		return s;
	}
	return first;
}

/* Where nothing was synced anything may have been before, and so be part of it.  What isn't
 * looked at isn't called wrong. */
static bool resume_may_be_mixture(struct verify *v, uint32_t target, uint64_t unit,
	const struct unit_spec *spec, const struct unit_expect *e, const unsigned char *data)
{
	return e->before_too ||
	       __atomic_fetch_add(&v->sh->mixtures, 1, __ATOMIC_RELAXED) >= RESUME_MIXTURES ||
	       resume_is_mixture(v->resume, target, unit, spec, e, data);
}

static void resume_unit(struct verify *v, const struct verify_slot *s, uint64_t unit,
	const unsigned char *data, struct resume_counts *c)
{
	struct state *st = v->resume;
	const uint32_t target = v->worker->state.targets[s->file];
	const uint32_t bytes = st->head.targets[target].unit_bytes;
	struct unit_expect e;
	uint64_t serial;
	bool own, later;
	const struct unit_spec *spec = resume_spec(&st->head, bytes, data, &serial, &own);

	if (!spec || spec->kind == UNIT_NULL || !state_expect(st, target, unit, &e)) {
		c->unjudged++;
		return;
	}
	enum unit_verdict verdict = state_check(st, spec, target, unit, data, bytes, &later);
	if (unlikely(verdict != UNIT_RIGHT) && bytes > st->head.atomic &&
		resume_may_be_mixture(v, target, unit, spec, &e, data)) {
		c->unjudged++;
		return;
	}
	c->units++;
	c->bytes += bytes;
	if (unlikely(verdict != UNIT_RIGHT)) {
		c->wrong++;
		fault_tell(v, s, spec, &e, data, bytes);
		return;
	}
	struct unit_word word = {0};
	if (own)
		(void)unit_says(spec, data, bytes, &word);
	if (later)
		c->later++;
	else
		c->age[state_age(st, target, unit, own, word.time_ns)]++;
}

void resume_check(struct verify *v, const struct verify_slot *s, const unsigned char *buf,
	struct resume_counts *c)
{
	const uint32_t bytes =
		v->resume->head.targets[v->worker->state.targets[s->file]].unit_bytes;

	for (uint32_t i = 0; i < s->units; i++)
		resume_unit(v, s, s->first + i, buf + (size_t)i * bytes, c);
}
