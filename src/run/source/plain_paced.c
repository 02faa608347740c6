/* HOT: next() and done() run once per batch or request. No option is read here.
 *
 * SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors
 *
 * A plain job with a schedule, periodic syncs, pauses or writes that must not overlap:
 * each request is looked at by itself.
 *
 * On a schedule each direction has its own arrivals.  The direction that is due
 * first comes next; while none is due, a direction without a rate goes on. */
#include "run/source/plain.h"

#include "base/arena.h"
#include "base/err.h"
#include "run/source/overlap.h"

#include <errno.h>

/* The next request of a direction that has a schedule. */
static bool plain_hold(struct plain *p, enum dir dir)
{
	if (p->held_any[dir])
		return true;
	if (!p->bytes_left || !p->ios_left || !p->passes_left) {
		p->source.say = SOURCE_END;
		return false;
	}
	for (int pass = 0; pass < 2; pass++) {
		if (pattern_next_in(p->pattern, dir, &p->held[dir])) {
			p->pass_any = true;
			p->held_any[dir] = true;
			return true;
		}
		if (!plain_pass_over(p))
			return false;
	}
	p->source.say = SOURCE_END;
	return false;
}

/* The scheduled direction that is due first; DIRS when there is none. */
static inline int plain_first_due(const struct plain *p)
{
	int first = DIRS;
	for (int d = 0; d < DIRS; d++)
		if (p->scheduled[d] &&
			(first == DIRS || p->arrival[d].due_ns < p->arrival[first].due_ns))
			first = d;
	return first;
}

/* A wait for a request of another worker is short and not heard of. */
#define PLAIN_OVERLAP_NS (20 * NS_PER_US)

/* May R be issued as IO, or does it overlap what is in flight? */
static bool plain_alone(struct plain *p, const struct request *r, const struct io *io,
	uint64_t now_ns)
{
	if (likely(!p->overlap))
		return true;
	const struct overlap_entry e = {
		.start = r->offset,
		.end = r->offset + r->bytes,
		.target = p->plan->files.targets[r->file],
		.slot = io->slot,
		.changes = r->dir != DIR_READ,
	};
	if (p->bytes_left && p->ios_left && overlap_enter(p->overlap, &e))
		return true;
	bool shared = p->overlap->lock || !p->out;
	p->source.say = !p->bytes_left || !p->ios_left ? SOURCE_END
			: shared                       ? SOURCE_WAIT
						       : SOURCE_BLOCKED;
	p->source.not_before_ns = now_ns + PLAIN_OVERLAP_NS;
	return false;
}

/* The next request of direction D as IO, or say is set. */
static bool plain_take(struct plain *p, int d, uint64_t now_ns, struct io *io)
{
	if (!plain_hold(p, (enum dir)d) || !plain_alone(p, &p->held[d], io, now_ns) ||
		!plain_spend(p, p->held[d].bytes))
		return false;
	p->held_any[d] = false;
	plain_convert(p, &p->held[d], io);
	return true;
}

/* One request by schedule: false with say set when nothing is due. */
static bool plain_scheduled(struct plain *p, uint64_t now_ns, struct io *io)
{
	int d = plain_first_due(p);
	uint64_t due = p->schedule_start_ns + p->arrival[d].due_ns;

	if (due > now_ns && p->unscheduled < DIRS)
		return plain_take(p, p->unscheduled, now_ns, io);
	if (due > now_ns) {
		p->source.say = SOURCE_WAIT;
		p->source.not_before_ns = due;
		return false;
	}
	if (!plain_take(p, d, now_ns, io))
		return false;
	arrival_advance(&p->arrival[d], p->held[d].bytes);
	io->due_ns = due;
	return true;
}

static bool plain_unpaced(struct plain *p, uint64_t now_ns, struct io *io)
{
	if (!plain_draw(p) || !plain_alone(p, &p->ahead[p->ahead_at], io, now_ns) ||
		!plain_spend(p, p->ahead[p->ahead_at].bytes))
		return false;
	plain_convert(p, &p->ahead[p->ahead_at++], io);
	return true;
}

#define PLAIN_RANGE_MAX (UINT64_C(1) << 30) /* what a request's size can hold */

/* The bytes of the last file that were written since its last sync; a longer range
 * is one to the end of the file. */
static void plain_sync_range(struct plain *p, struct io *io)
{
	struct plain_dirty *d = &p->dirty[p->last_file];
	uint64_t bytes = d->end - d->from;

	io->kind = IO_SYNC_RANGE;
	io->flags = p->plan->sync.range_flags;
	io->offset = d->from;
	io->bytes = bytes > PLAIN_RANGE_MAX ? 0 : (uint32_t)bytes;
	*d = (struct plain_dirty){.from = UINT64_MAX};
}

static inline void plain_dirtied(struct plain_dirty *d, const struct io *io)
{
	d->from = MIN_OF(d->from, io->offset);
	d->end = MAX_OF(d->end, io->offset + io->bytes);
}

static void plain_sync(struct plain *p, struct io *io)
{
	const struct plan_sync *ps = &p->plan->sync;
	bool full = ps->fsync_every && p->writes % ps->fsync_every == 0;
	bool data = ps->fdatasync_every && p->writes % ps->fdatasync_every == 0;

	p->sync_due = false;
	io->offset = 0;
	io->bytes = 0;
	io->kind = full ? IO_FSYNC : IO_FDATASYNC;
	if (!full && !data)
		plain_sync_range(p, io);
	io->target = &p->files->targets[p->last_file];
	if (!p->files->all_open)
		fileset_aim(p->files, p->last_file, io);
}

/* Is it time to pause?  Then say is set.  A pause begins when all that is in
 * flight has come back; of its end a part may be busy waiting, which the loop
 * does by asking again. */
static bool plain_pauses(struct plain *p, uint64_t now_ns, unsigned in_flight)
{
	if (p->think_due) {
		if (in_flight) {
			p->source.say = SOURCE_BLOCKED;
			return true;
		}
		p->think_due = false;
		p->think_left = p->plan->rate.think_blocks;
		p->think_from_ns = now_ns;
		p->think_until_ns = now_ns + p->plan->rate.think_ns;
	}
	if (!p->think_until_ns)
		return false;
	if (now_ns >= p->think_until_ns) {
		if (p->plan->rate.think_shifts)
			p->schedule_start_ns += now_ns - p->think_from_ns;
		p->think_until_ns = 0;
		p->think_since_ns = now_ns;
		return false;
	}
	uint64_t busy_from = p->think_until_ns - p->plan->rate.think_spin_ns;
	p->source.say = SOURCE_WAIT;
	p->source.not_before_ns = now_ns < busy_from ? busy_from : now_ns;
	return true;
}

static inline void plain_think_count(struct plain *p, unsigned n)
{
	if (!p->think_left)
		return; /* due already, or counted in time only */
	p->think_left -= MIN_OF(p->think_left, n);
	p->think_due |= !p->think_left;
}

/* CPU time for each request that came back: a decrement and a jump are a cycle. */
static void plain_burn(struct plain *p)
{
	for (uint64_t n = p->think_burn; n; n--)
		__asm__ volatile("");
	p->think_burn = 0;
}

/* What follows from having given out IO. */
static void plain_count(struct plain *p, const struct io *io)
{
	const struct plan_sync *ps = &p->plan->sync;
	const struct plan_rate *pr = &p->plan->rate;

	if (io->kind == IO_WRITE && ps->any_periodic && io->target) {
		p->writes++;
		p->last_file = io->target->index;
		p->sync_due = (ps->fsync_every && p->writes % ps->fsync_every == 0) ||
			      (ps->fdatasync_every && p->writes % ps->fdatasync_every == 0) ||
			      (ps->range_every && p->writes % ps->range_every == 0);
		if (p->dirty)
			plain_dirtied(&p->dirty[p->last_file], io);
	}
	if (pr->think_issued)
		plain_think_count(p, 1);
}

/* A sync comes before the next request, so none follows the last write. */
static bool plain_more_follows(struct plain *p)
{
	for (int d = 0; d < DIRS; d++)
		if (p->held_any[d])
			return true;
	return p->bytes_left && p->ios_left && (p->any_scheduled || plain_draw(p));
}

static unsigned plain_next_paced(struct source *s, uint64_t now_ns, struct io **ios, unsigned n,
	unsigned in_flight)
{
	struct plain *p = plain_of(s);
	unsigned got = 0;

	s->say = SOURCE_MORE;
	if (unlikely(p->think_burn))
		plain_burn(p);
	if (p->plan->rate.think_every_ns && !p->think_until_ns)
		p->think_due |= now_ns - p->think_since_ns >= p->plan->rate.think_every_ns;
	while (got < n && !plain_pauses(p, now_ns, in_flight + got)) {
		struct io *io = ios[got];
		p->out = in_flight + got;
		io->due_ns = 0;
		if (p->sync_due && plain_more_follows(p)) {
			plain_sync(p, io);
			got++;
			continue;
		}
		bool ready = p->any_scheduled ? plain_scheduled(p, now_ns, io)
					      : plain_unpaced(p, now_ns, io);
		if (!ready)
			break;
		plain_count(p, io);
		got++;
	}
	return got;
}

static void plain_paced_done(struct source *s, struct io *const *ios, unsigned n,
	uint64_t now_ns)
{
	struct plain *p = plain_of(s);
	const struct plan_rate *pr = &p->plan->rate;

	p->think_burn += n * pr->think_cycles;
	if (!pr->think_issued)
		plain_think_count(p, n);
	if (p->overlap)
		for (unsigned i = 0; i < n; i++)
			overlap_leave(p->overlap, ios[i]->slot);
	plain_done(s, ios, n, now_ns);
}

static void plain_missed(struct source *s, uint64_t end_ns,
	void (*seen)(void *ctx, enum dir dir, uint64_t due_ns), void *ctx)
{
	struct plain *p = plain_of(s);
	for (int d = 0; d < DIRS; d++) {
		if (!p->scheduled[d])
			continue;
		uint32_t bytes = p->held_any[d] ? p->held[d].bytes : p->spec.size[d].min;
		while (p->schedule_start_ns + p->arrival[d].due_ns < end_ns) {
			seen(ctx, (enum dir)d, p->schedule_start_ns + p->arrival[d].due_ns);
			arrival_advance(&p->arrival[d], bytes);
		}
	}
}

const struct source_ops plain_paced_ops = {
	.next = plain_next_paced,
	.done = plain_paced_done,
	.rewind = plain_rewind,
	.start = plain_start,
	.opened = plain_opened,
	.missed = plain_missed,
};

static void plain_schedule(struct plain *p)
{
	p->unscheduled = DIRS;
	for (int d = 0; d < DIRS; d++) {
		const struct arrival_spec *spec = &p->plan->rate.arrival[d];
		p->scheduled[d] = spec->per_second > 0;
		if (!p->scheduled[d] && pattern_moves(&p->plan->pattern, (enum dir)d))
			p->unscheduled = d;
		p->any_scheduled |= p->scheduled[d];
		if (p->scheduled[d])
			arrival_init(&p->arrival[d], spec);
	}
}

static bool plain_dirty_new(struct plain *p, struct arena *arena)
{
	uint32_t files = p->plan->files.count;

	p->dirty = arena_array(arena, files, sizeof(*p->dirty));
	for (uint32_t i = 0; p->dirty && i < files; i++)
		p->dirty[i].from = UINT64_MAX;
	return p->dirty != NULL;
}

bool plain_is_paced(const struct plain *p)
{
	const struct plan_rate *pr = &p->plan->rate;

	return p->any_scheduled || pr->think_ns || pr->think_cycles ||
	       p->plan->sync.any_periodic || p->overlap;
}

int plain_paced_init(struct plain *p, struct arena *arena, struct err *reterr)
{
	if (p->plan->sync.range_every && !plain_dirty_new(p, arena))
		return err_set(reterr, -ENOMEM, "out of memory for %u files",
			p->plan->files.count);
	plain_schedule(p);
	p->think_left = p->plan->rate.think_blocks;
	return 0;
}
