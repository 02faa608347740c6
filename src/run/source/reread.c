/* HOT: each read of a verification.
 *
 * SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors
 *
 * Reads back what the map says was written in the job's regions, file by file in the
 * order of offsets, in blocks of the job's size.  Nothing is remembered but where it
 * stands.  Regions that several jobs share are read by each: who ends last has seen
 * all. */
#include "run/source/verify.h"

#include <errno.h>

#include "base/arena.h"
#include "base/bits.h"
#include "base/err.h"
#include "plan/plan.h"
#include "run/account.h"
#include "run/fileset.h"
#include "run/verify/by_pieces.h"
#include "run/verify/verify.h"

struct reread {
	struct source source;
	const struct plan_worker *plan;
	struct verify *verify;
	struct fileset *files;
	struct latency *latency;
	uint32_t block; /* bytes of a read, at most             */
	bool by_ring;   /* only what verify_backlog left        */

	uint32_t region;  /* where it stands                      */
	uint64_t at;      /* unit, of the target                  */
	uint64_t run_end; /* all units from there to here were written */
};

static inline struct reread *reread_of(struct source *s)
{
	return (struct reread *)s;
}

static inline void reread_enter(struct reread *r, uint32_t region)
{
	r->region = region;
	r->run_end = 0;
	r->at = 0;
	if (!r->verify->pieces && region < r->plan->pattern.regions_count)
		r->at = r->plan->pattern.regions[region].start / r->verify->spec.bytes;
}

/* A look at the map costs system calls: it is for many reads at a time. */
#define REREAD_LOOK (UINT64_C(1) << 16)

/* The next run of written units begins at r->at; false: there is none in the region. */
static bool reread_look(struct reread *r, const struct cells *c, uint64_t end)
{
	uint64_t first, n = 0;

	if (r->at < end)
		n = cells_written(c, r->at, REREAD_LOOK, &first);
	if (!n || first >= end)
		return false;
	r->at = first;
	r->run_end = MIN_OF(first + n, end);
	return true;
}

/* The next written units of region r->region, from r->at on; 0: none in any. */
static uint64_t reread_find(struct reread *r)
{
	const struct pattern_spec *p = &r->plan->pattern;
	const uint32_t unit = r->verify->spec.bytes;

	for (; r->region < p->regions_count; reread_enter(r, r->region + 1)) {
		const struct pattern_region *region = &p->regions[r->region];
		const struct cells *c = &r->verify->cells[r->plan->files.targets[r->region]];
		const uint64_t end = (region->start + region->bytes) / unit;
		if (r->at < r->run_end || reread_look(r, c, end))
			return MIN_OF(r->block / unit, r->run_end - r->at);
	}
	return 0;
}

static __attribute__((noinline)) void reread_use_file(struct reread *r, uint32_t file,
	struct io *io)
{
	struct err e;
	io->target = fileset_use(r->files, file, &e);
	if (!io->target)
		io->res = e.code;
}

static inline void reread_go(struct reread *r, struct io *io, uint32_t file, uint64_t offset,
	uint32_t bytes)
{
	io->kind = IO_READ;
	io->flags = 0;
	io->due_ns = 0;
	io->offset = offset;
	io->bytes = bytes;
	io->buf = r->verify->slots[io->slot].buf;
	io->target = &r->files->targets[file];
	if (unlikely(!r->files->all_open))
		reread_use_file(r, file, io);
	if (likely(io->target))
		verify_look(r->verify, io);
	r->verify->slots[io->slot].reread = true;
}

bool reread_oldest(struct source *s, struct io *io)
{
	struct reread *r = reread_of(s);
	struct verify *v = r->verify;

	if (!v->ring_n)
		return false;
	const struct verify_write *w = &v->ring[v->ring_at];
	v->ring_at = (v->ring_at + 1) % v->ring_room;
	v->ring_n--;
	reread_go(r, io, w->file, w->offset, w->bytes);
	return true;
}

/* So many of N units from r->at on have the same answer to: can it be known what is there?
 * A write of it failed, or is under way. */
static uint64_t reread_known(const struct reread *r, uint64_t n, bool *known)
{
	const struct cells *c = &r->verify->cells[r->plan->files.targets[r->region]];
	struct unit_expect e;
	uint64_t i = 1;

	*known = cells_expect(c, r->at, cells_look(c, r->at), &e);
	while (i < n && cells_expect(c, r->at + i, cells_look(c, r->at + i), &e) == *known)
		i++;
	return i;
}

static bool reread_by_pieces(struct reread *r, struct io *io)
{
	const struct pattern_spec *p = &r->plan->pattern;

	for (; r->region < p->regions_count; r->region++, r->at = 0) {
		const struct pattern_region *region = &p->regions[r->region];
		uint64_t at;
		uint32_t bytes = by_pieces_next(r->verify, r->region,
			MAX_OF(r->at, region->start), region->start + region->bytes, r->block,
			&at);
		if (!bytes)
			continue;
		reread_go(r, io, r->region, at, bytes);
		r->at = at + bytes;
		return true;
	}
	return false;
}

/* What can't be known isn't read: it may not even be there, as after a full disk. */
static bool reread_by_map(struct reread *r, struct io *io)
{
	const uint32_t unit = r->verify->spec.bytes;
	uint64_t units;
	bool known = false;

	while ((units = reread_find(r)) != 0) {
		units = reread_known(r, units, &known);
		if (known)
			break;
		__atomic_fetch_add(&r->verify->sh->unjudged, units, __ATOMIC_RELAXED);
		r->at += units;
	}
	if (!known)
		return false;
	reread_go(r, io, r->region, r->at * unit, (uint32_t)units * unit);
	r->at += units;
	return true;
}

static inline bool reread_more(struct source *s, struct io *io)
{
	struct reread *r = reread_of(s);

	if (unlikely(r->by_ring))
		return reread_oldest(s, io);
	return likely(!r->verify->pieces) ? reread_by_map(r, io) : reread_by_pieces(r, io);
}

static unsigned reread_next(struct source *s, uint64_t now_ns, struct io **ios, unsigned n,
	unsigned in_flight)
{
	(void)now_ns;
	(void)in_flight;
	return verify_next(s, reread_of(s)->verify, ios, n, reread_more);
}

static void reread_done(struct source *s, struct io *const *ios, unsigned n, uint64_t now_ns)
{
	struct reread *r = reread_of(s);
	struct verify *v = r->verify;

	for (unsigned i = 0; i < n; i++) {
		struct verify_slot *slot = &v->slots[ios[i]->slot];
		if (!ios[i]->target)
			continue;
		if (!r->files->all_open)
			fileset_release(r->files, ios[i]->target);
		slot->out = false;
		slot->reread = false;
		if (ios[i]->res < 0)
			continue;
		v->sh->ios++;
		v->sh->reread_bytes += slot->bytes;
		account_latency(r->latency, now_ns - ios[i]->prepared_ns, 1);
		verify_read(v, slot);
	}
}

static void reread_rewind(struct source *s)
{
	reread_enter(reread_of(s), 0);
}

static void reread_start(struct source *s, uint64_t start_ns)
{
	(void)s;
	(void)start_ns;
}

static const struct source_ops reread_ops = {
	.next = reread_next,
	.done = reread_done,
	.rewind = reread_rewind,
	.start = reread_start,
	.opened = reread_start,
};

struct source *reread_source(struct arena *arena, const struct plan_worker *pw,
	struct verify *v, struct fileset *files, const struct shared_places *at,
	struct err *reterr)
{
	struct reread *r = arena_alloc(arena, sizeof(*r));

	if (!r) {
		err_set(reterr, -ENOMEM, "out of memory to read back");
		return NULL;
	}
	r->source.ops = &reread_ops;
	r->plan = pw;
	r->verify = v;
	r->files = files;
	r->latency = at->reread;
	r->by_ring = pw->verify.backlog && pw->verify.backlog_batch >= pw->verify.backlog;
	r->block = pw->pattern.use[DIR_WRITE]
			   ? pw->pattern.size[DIR_WRITE].max
			   : MIN_OF(pw->pattern.size[DIR_TRIM].max, VERIFY_READ_MAX);
	r->block = MAX_OF(r->block, v->spec.bytes);
	return &r->source;
}
