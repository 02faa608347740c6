/* HOT: each request of a verifying job.
 *
 * SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors
 *
 * Around the plain source: each write is noted in the map and stamped, each read looks at the
 * map, and what comes back is checked.
 *
 *	inner ──▶ [held] ──▶ cells_begin ──▶ payload, stamps ──▶ io
 *
 * A write that has to wait for others of the same unit is held back with all that came
 * behind it, so the order stays.
 *
 * verify_only: writes are noted as if they had been done, and none is given out. */
#include "run/source/verify.h"

#include <errno.h>

#include "base/arena.h"
#include "base/bits.h"
#include "base/err.h"
#include "base/rng.h"
#include "run/fileset.h"
#include "run/account.h"
#include "run/source/overlap.h"
#include "run/source/source_wrap.h"
#include "run/verify/checkers.h"
#include "run/verify/verify.h"

/* A wait for a request of another worker is short and not heard of. */
#define STAMP_WAIT_NS (20 * NS_PER_US)

struct stamp_held {
	uint64_t offset, due_ns;
	struct target *target;
	uint32_t bytes;
	uint16_t prio;
	uint8_t kind, flags;
};

struct stamp {
	struct source_wrap wrap;
	struct verify *verify;
	bool checks;
	struct latency *own_reads; /* NULL: nobody asks */
	struct overlap *overlap;   /* NULL: whatever */
	struct stamp_held *held;   /* from held_at on */
	unsigned held_at, held_n;

	struct source *reread; /* of verify_backlog; NULL: none */
	uint32_t reading;      /* so many are still to be read  */
	struct stamp_trims {   /* trim_percentage; writes NULL: none */
		struct verify_write *writes;
		uint32_t count, at, since;
		struct rng dice;
		struct fileset *files;
	} trims;
	bool settling; /* their reads are in flight     */
};

static inline struct stamp *stamp_of(struct source *s)
{
	return (struct stamp *)s;
}

/* What was written lately, of which some is trimmed again. */
static void stamp_remember(struct stamp *st, const struct io *io)
{
	const struct plan_verify *pv = st->verify->plan;
	struct stamp_trims *t = &st->trims;

	if (t->count < pv->trim_batch)
		t->writes[t->count++] = (struct verify_write){
			.offset = io->offset, .bytes = io->bytes, .file = io->target->index};
	t->since++;
}

/* May IO go?  Then it is noted. */
static inline bool stamp_take(struct stamp *st, struct io *io, uint64_t now_ns)
{
	struct verify *v = st->verify;

	if (io->kind > IO_TRIM || unlikely(!io->target)) {
		verify_sync(v, io);
		return true; /* a sync, or it fails before it reaches the engine */
	}
	if (io->kind != IO_READ) {
		if (!verify_stamp(v, io, now_ns))
			return false;
		if (unlikely(st->trims.writes != NULL) && io->kind == IO_WRITE)
			stamp_remember(st, io);
		return true;
	}
	verify_look(v, io);
	return true;
}

/* In the table of overlaps what is held back has a slot that no request has. */
#define STAMP_SLOT(i) (UINT32_C(0x80000000) + (i))

static void stamp_hold(struct stamp *st, struct io *const *ios, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		if (st->overlap)
			overlap_move(st->overlap, ios[i]->slot, STAMP_SLOT(i));
		st->held[i] = (struct stamp_held){
			.offset = ios[i]->offset,
			.due_ns = ios[i]->due_ns,
			.target = ios[i]->target,
			.bytes = ios[i]->bytes,
			.prio = ios[i]->prio,
			.kind = ios[i]->kind,
			.flags = ios[i]->flags,
		};
	}
	st->held_at = 0;
	st->held_n = n;
}

static inline void stamp_buffer(const struct stamp *st, struct io *io)
{
	io->buf = st->verify->slots[io->slot].buf;
}

/* What was held back, from the first on; true when nothing is left of it. */
static bool stamp_held(struct stamp *st, uint64_t now_ns, struct io **ios, unsigned n,
	unsigned *got)
{
	for (; st->held_at < st->held_n && *got < n; st->held_at++) {
		const struct stamp_held *h = &st->held[st->held_at];
		struct io *io = ios[*got];
		stamp_buffer(st, io);
		io->offset = h->offset;
		io->due_ns = h->due_ns;
		io->target = h->target;
		io->bytes = h->bytes;
		io->prio = h->prio;
		io->kind = h->kind;
		io->flags = h->flags;
		if (!stamp_take(st, io, now_ns))
			return false;
		if (st->overlap)
			overlap_move(st->overlap, STAMP_SLOT(st->held_at), io->slot);
		*got += 1;
	}
	return st->held_at == st->held_n;
}

static void stamp_wait(struct source *s, uint64_t now_ns, unsigned in_flight)
{
	s->say = in_flight ? SOURCE_BLOCKED : SOURCE_WAIT;
	s->not_before_ns = now_ns + STAMP_WAIT_NS;
}

/* It is time to trim: what was written, in order, some of it.  Returns whether this turn is for
 * that. */
static bool stamp_trims(struct stamp *st, uint64_t now_ns, struct io **ios, unsigned n,
	unsigned in_flight, unsigned *got)
{
	const struct plan_verify *pv = st->verify->plan;
	struct stamp_trims *t = &st->trims;

	if (t->since < pv->trim_backlog)
		return false;
	if (in_flight) {
		st->wrap.source.say = SOURCE_BLOCKED;
		return true;
	}
	for (; t->at < t->count && *got < n; t->at++) {
		const struct verify_write *w = &t->writes[t->at];
		struct io *io = ios[*got];
		if (rng_next(&t->dice) % 100 >= pv->trim_percent)
			continue;
		stamp_buffer(st, io);
		io->kind = IO_TRIM;
		io->flags = 0;
		io->due_ns = 0;
		io->offset = w->offset;
		io->bytes = w->bytes;
		io->target = &t->files->targets[w->file];
		if (io->target->fd < 0 || !verify_stamp(st->verify, io, now_ns))
			continue; /* closed meanwhile, or written by somebody else */
		st->verify->slots[io->slot].extra = true;
		*got += 1;
	}
	if (t->at == t->count)
		*t = (struct stamp_trims){
			.writes = t->writes, .dice = t->dice, .files = t->files};
	return *got > 0;
}

/* It is time to read back: once the writes that are in flight have come back, and nothing is
 * written until the reads have: what is wrong near a unit that is being written can't be
 * judged for sure.  Returns whether this turn is for that. */
static bool stamp_reads(struct stamp *st, struct io **ios, unsigned n, unsigned in_flight,
	unsigned *got)
{
	struct verify *v = st->verify;

	if (st->settling) {
		st->settling = in_flight != 0;
		st->wrap.source.say = st->settling ? SOURCE_BLOCKED : SOURCE_MORE;
		if (st->settling)
			return true;
		if (v->checkers)
			checkers_drain(v->checkers);
	}
	if (!st->reading) {
		if (v->ring_n < v->plan->backlog)
			return false;
		if (in_flight) {
			st->wrap.source.say = SOURCE_BLOCKED;
			return true;
		}
		st->reading = MIN_OF(v->plan->backlog_batch, v->ring_n);
	}
	while (*got < n && st->reading && reread_oldest(st->reread, ios[*got])) {
		*got += 1;
		st->reading--;
	}
	st->settling = !st->reading;
	if (!st->reading && v->plan->backlog_batch < v->plan->backlog)
		v->ring_n = 0; /* the others are read at the end, with all */
	return true;
}

static unsigned stamp_next(struct source *s, uint64_t now_ns, struct io **ios, unsigned n,
	unsigned in_flight)
{
	struct stamp *st = stamp_of(s);
	unsigned got = 0;

	if (unlikely(st->verify->failed)) {
		s->say = SOURCE_FAIL;
		return 0;
	}
	s->say = SOURCE_MORE;
	if (unlikely(st->reread != NULL) && stamp_reads(st, ios, n, in_flight, &got))
		return got;
	if (unlikely(st->trims.writes != NULL) &&
		stamp_trims(st, now_ns, ios, n, in_flight, &got))
		return got;
	if (unlikely(st->held_at < st->held_n) && !stamp_held(st, now_ns, ios, n, &got)) {
		if (got < n)
			stamp_wait(s, now_ns, in_flight + got);
		return got;
	}
	unsigned from = got;
	if (got < n)
		got += wrap_next(s, now_ns, ios + got, n - got, in_flight + got);
	for (unsigned i = from; i < got; i++) {
		stamp_buffer(st, ios[i]);
		if (likely(stamp_take(st, ios[i], now_ns)))
			continue;
		stamp_hold(st, ios + i, got - i);
		stamp_wait(s, now_ns, in_flight + i);
		return i;
	}
	return got;
}

/* Writes are noted and come back at once; reads of the job are left out, too: they
 * would be compared with what an earlier run left at another time. */
static unsigned stamp_next_phantom(struct source *s, uint64_t now_ns, struct io **ios,
	unsigned n, unsigned in_flight)
{
	struct stamp *st = stamp_of(s);
	unsigned got = wrap_next(s, now_ns, ios, n, in_flight);

	for (unsigned i = 0; i < got; i++) {
		struct io *io = ios[i];
		if (io->kind == IO_WRITE && io->target) {
			struct verify_slot *slot = verify_note(st->verify, io);
			struct cells *c = verify_cells(st->verify, slot);
			if (slot->units &&
				cells_begin(c, slot->first, slot->units, false, slot->cells))
				cells_end(c, slot->first, slot->units, false);
			slot->out = false;
			st->verify->dirty = true;
		}
		io->res = (int32_t)io->bytes;
	}
	if (got)
		wrap_done(s, ios, got, now_ns);
	if (s->say == SOURCE_MORE) {
		s->say = SOURCE_WAIT;
		s->not_before_ns = now_ns;
	}
	return 0;
}

/* What the job itself has done, and what was read back for it. */
static void stamp_split(struct stamp *st, struct io *const *ios, unsigned n, uint64_t now_ns)
{
	for (unsigned i = 0; i < n; i++) {
		struct verify_slot *slot = &st->verify->slots[ios[i]->slot];
		if (slot->reread)
			st->reread->ops->done(st->reread, ios + i, 1, now_ns);
		else if (slot->extra)
			slot->extra = false;
		else
			wrap_done(&st->wrap.source, ios + i, 1, now_ns);
	}
}

static void stamp_done(struct source *s, struct io *const *ios, unsigned n, uint64_t now_ns)
{
	struct stamp *st = stamp_of(s);
	struct verify *v = st->verify;

	for (unsigned i = 0; i < n; i++) {
		struct verify_slot *slot = &v->slots[ios[i]->slot];
		if (unlikely(slot->syncing))
			verify_synced(v, ios[i]);
		if (!slot->out || slot->reread)
			continue;
		if (slot->kind != IO_READ) {
			verify_back(v, ios[i]);
			continue;
		}
		slot->out = false;
		if (ios[i]->res < 0)
			continue;
		account_latency(st->own_reads, now_ns - ios[i]->prepared_ns, 1);
		if (st->checks)
			verify_read(v, slot);
	}
	if (likely(!st->reread && !st->trims.writes))
		wrap_done(s, ios, n, now_ns);
	else
		stamp_split(st, ios, n, now_ns);
}

void stamp_backlog(struct source *stamped, struct source *reread)
{
	stamp_of(stamped)->reread = reread;
}

void stamp_pause(struct source *s)
{
	struct stamp *st = stamp_of(s);

	for (; st->held_at < st->held_n; st->held_at++) {
		struct io never = {.target = st->held[st->held_at].target, .res = -ECANCELED};
		struct io *one = &never;
		if (st->overlap)
			overlap_leave(st->overlap, STAMP_SLOT(st->held_at));
		wrap_done(s, &one, 1, 0);
	}
	verify_forget(st->verify);
}

static const struct source_ops stamp_ops = {
	.next = stamp_next,
	.done = stamp_done,
	.rewind = wrap_rewind,
	.start = wrap_start,
	.opened = wrap_opened,
	.missed = wrap_missed,
};

static const struct source_ops stamp_phantom_ops = {
	.next = stamp_next_phantom,
	.rewind = wrap_rewind,
	.start = wrap_start,
	.opened = wrap_opened,
};

struct source *stamp_source(struct arena *arena, const struct plan_worker *pw, struct verify *v,
	struct source *inner, struct overlap *overlap, struct fileset *files,
	const struct shared_places *at, struct err *reterr)
{
	struct stamp *st = arena_alloc(arena, sizeof(*st));

	if (st)
		st->held = arena_array(arena, pw->queue.depth, sizeof(*st->held));
	if (!st || !st->held) {
		err_set(reterr, -ENOMEM, "out of memory for verify");
		return NULL;
	}
	st->wrap.source.ops = pw->verify.phantom ? &stamp_phantom_ops : &stamp_ops;
	st->wrap.source.bytes_total = inner->bytes_total;
	st->wrap.inner = inner;
	st->verify = v;
	st->overlap = overlap;
	st->own_reads = at->own_reads;
	st->checks = pw->verify.checks;
	if (pw->verify.trim_percent) {
		st->trims.writes = arena_array(arena, pw->verify.trim_batch,
			sizeof(*st->trims.writes));
		st->trims.files = files;
		rng_init(&st->trims.dice, pw->pattern.seed);
		if (!st->trims.writes) {
			err_set(reterr, -ENOMEM, "out of memory for trim_backlog");
			return NULL;
		}
	}
	return &st->wrap.source;
}
