/* HOT: next() and done() run once per batch or request. No option is read here.
 *
 * SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors
 *
 * The source of a plain job.
 *
 *	pattern  ──▶  ahead[]  ──▶  budget  ──▶  schedule, syncs, pauses  ──▶  io
 *
 * Requests are drawn from the pattern in batches into ahead[], so that the cost
 * of a draw is shared.  A job with none of schedule, periodic sync and pause goes
 * through plain_next(), which only converts; the others through plain_paced.c. */
#include "run/source/plain.h"

#include "base/arena.h"
#include "base/err.h"

#include <errno.h>

static void plain_budget(struct plain *p)
{
	const struct plan_amount *a = &p->plan->amount;
	p->bytes_left = a->time_based ? UINT64_MAX : a->bytes;
	p->ios_left = a->time_based ? UINT64_MAX : a->ios;
	p->passes_left = a->time_based || !a->loops ? UINT32_MAX : a->loops;
}

/* A pass that gave out nothing can't be repeated: its regions hold no whole block. */
bool plain_pass_over(struct plain *p)
{
	if (p->pass_over) {
		p->source.say = SOURCE_PASS;
		return false;
	}
	if (!p->pass_any || (p->passes_left != UINT32_MAX && --p->passes_left == 0)) {
		p->source.say = SOURCE_END;
		p->passes_left = 0;
		return false;
	}
	if (p->pass_stops) {
		p->source.say = SOURCE_PASS;
		p->pass_over = true;
		return false;
	}
	pattern_rewind(p->pattern);
	p->pass_any = false;
	return true;
}

bool plain_refill(struct plain *p)
{
	if (!p->bytes_left || !p->ios_left || !p->passes_left) {
		p->source.say = SOURCE_END;
		return false;
	}
	for (int pass = 0; pass < 2; pass++) {
		p->ahead_at = 0;
		p->ahead_n = pattern_fill(p->pattern, p->ahead, PLAIN_AHEAD);
		if (p->ahead_n) {
			p->pass_any = true;
			return true;
		}
		if (!plain_pass_over(p))
			return false;
	}
	p->source.say = SOURCE_END;
	return false;
}

static unsigned plain_next(struct source *s, uint64_t now_ns, struct io **ios, unsigned n,
	unsigned in_flight)
{
	(void)now_ns;
	(void)in_flight;
	struct plain *p = plain_of(s);
	unsigned got = 0;

	s->say = SOURCE_MORE;
	while (got < n && plain_draw(p)) {
		const struct request *r = &p->ahead[p->ahead_at];
		if (!plain_spend(p, r->bytes))
			break;
		p->ahead_at++;
		plain_convert(p, r, ios[got++]);
	}
	return got;
}

void plain_done(struct source *s, struct io *const *ios, unsigned n, uint64_t now_ns)
{
	(void)now_ns;
	struct plain *p = plain_of(s);
	for (unsigned i = 0; i < n; i++)
		if (ios[i]->target)
			fileset_release(p->files, ios[i]->target);
}

void plain_rewind(struct source *s)
{
	struct plain *p = plain_of(s);
	pattern_rewind(p->pattern);
	p->pass_any = false;
	p->pass_over = false;
}

void plain_start(struct source *s, uint64_t start_ns)
{
	plain_of(s)->schedule_start_ns = start_ns;
	plain_of(s)->think_since_ns = start_ns;
}

void plain_opened(struct source *s, uint64_t now_ns)
{
	(void)now_ns;
	plain_budget(plain_of(s));
}

static const struct source_ops plain_ops = {
	.next = plain_next,
	.rewind = plain_rewind,
	.start = plain_start,
	.opened = plain_opened,
};

static const struct source_ops plain_lru_ops = {
	.next = plain_next,
	.done = plain_done,
	.rewind = plain_rewind,
	.start = plain_start,
	.opened = plain_opened,
};

static uint64_t plain_bytes_total(const struct plain *p)
{
	const struct plan_amount *a = &p->plan->amount;
	if (a->time_based)
		return 0;
	uint64_t total = pattern_pass_bytes(&p->spec);
	if (__builtin_mul_overflow(total, (uint64_t)MAX_OF(a->loops, 1u), &total))
		total = UINT64_MAX;
	return MIN_OF(total, a->bytes);
}

struct source *source_plain_new(struct arena *arena, const struct plan_worker *pw,
	struct fileset *files, struct overlap *overlap, struct io *ios, uint32_t depth,
	struct err *reterr)
{
	struct plain *p = arena_alloc(arena, sizeof(*p));
	if (!p) {
		err_set(reterr, -ENOMEM, "out of memory for the pattern");
		return NULL;
	}
	p->plan = pw;
	p->files = files;
	p->spec = pw->pattern;
	p->pass_stops = pw->verify.rereads || pw->sync.end_fsync || pw->sync.fsync_on_close ||
			pw->sync.end_syncfs || pw->files.unlink_each ||
			(pw->files.how.invalidate && !pw->files.how.direct);
	if (p->pass_stops)
		p->spec.endless = false;
	p->pattern = pattern_new(arena, &p->spec, reterr);
	if (!p->pattern)
		return NULL;

	p->overlap = overlap;
	if (plain_paced_init(p, arena, reterr) < 0)
		return NULL;
	plain_budget(p);
	p->source.bytes_total = plain_bytes_total(p);
	p->source.ops = plain_is_paced(p) ? &plain_paced_ops
			: files->all_open ? &plain_ops
					  : &plain_lru_ops;

	p->source.buffers_moved = supply_init(&p->supply, pw, ios, depth);
	return &p->source;
}
