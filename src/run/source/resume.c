/* HOT: each read of a state's units.
 *
 * SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors
 *
 * The source of a job that reads back what a state file says was written: its files one after
 * the other, in the order of offsets, in blocks of the job's size.  Where a file ends too
 * early there are zeroes, as a file system has them after a power cut. */
#include "run/source/verify.h"

#include <errno.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/bits.h"
#include "base/err.h"
#include "plan/plan.h"
#include "run/fileset.h"
#include "run/verify/verify.h"
#include "verify/state.h"

struct resume {
	struct source source;
	const struct plan_worker *plan;
	struct verify *verify;
	struct fileset *files;
	unsigned char *zeroes; /* of one unit                                  */
	uint32_t file;         /* where it stands                              */
	uint64_t at;           /* unit                                         */
};

static inline struct resume *resume_of(struct source *s)
{
	return (struct resume *)s;
}

static inline const struct state_target *resume_target(const struct resume *r)
{
	return &r->verify->resume->head.targets[r->plan->state.targets[r->file]];
}

/* The next units that were written, at most as many as a request has; 0: none in any file. */
static uint32_t resume_find(struct resume *r, uint64_t *ret_first)
{
	for (; r->file < r->plan->files.count; r->file++, r->at = 0) {
		const uint64_t most = r->plan->queue.buffer_bytes /
				      resume_target(r)->unit_bytes;
		uint64_t n = state_written(r->verify->resume, r->plan->state.targets[r->file],
			r->at, most, ret_first);
		if (n)
			return (uint32_t)n;
	}
	return 0;
}

static struct verify_slot *resume_note(struct resume *r, uint32_t slot, uint64_t first,
	uint32_t n)
{
	struct verify_slot *s = &r->verify->slots[slot];
	const uint32_t unit = resume_target(r)->unit_bytes;

	s->offset = first * unit;
	s->bytes = n * unit;
	s->file = r->file;
	s->kind = IO_READ;
	s->out = true;
	s->look = false;
	s->first = first;
	s->units = n;
	return s;
}

/* Units that lie behind the end of their file. */
static void resume_beyond(struct resume *r, uint32_t slot, uint64_t first, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		struct verify_slot *s = resume_note(r, slot, first + i, 1);
		verify_check(r->verify, s, r->zeroes);
		s->out = false;
	}
}

/* So many of N whole units from FIRST on are in the file. */
static uint32_t resume_inside(const struct target *t, uint32_t unit, uint64_t first, uint32_t n)
{
	const uint64_t there = t->bytes / unit;

	return there <= first ? 0 : (uint32_t)MIN_OF(there - first, (uint64_t)n);
}

static inline bool resume_more(struct source *s, struct io *io)
{
	struct resume *r = resume_of(s);
	uint64_t first;
	uint32_t n;
	struct err e;

	while ((n = resume_find(r, &first)) != 0) {
		const uint32_t unit = resume_target(r)->unit_bytes;
		io->res = 0;
		io->target = r->files->all_open ? &r->files->targets[r->file]
						: fileset_use(r->files, r->file, &e);
		if (!io->target)
			io->res = e.code;
		const uint32_t inside = io->target ? resume_inside(io->target, unit, first, n)
						   : n;
		resume_beyond(r, io->slot, first + inside, n - inside);
		r->at = first + n;
		if (!inside) {
			fileset_release(r->files, io->target);
			continue;
		}
		io->kind = IO_READ;
		io->flags = 0;
		io->due_ns = 0;
		io->offset = first * unit;
		io->bytes = inside * unit;
		io->buf = resume_note(r, io->slot, first, inside)->buf;
		return true;
	}
	return false;
}

static unsigned resume_next(struct source *s, uint64_t now_ns, struct io **ios, unsigned n,
	unsigned in_flight)
{
	struct verify *v = resume_of(s)->verify;

	(void)now_ns;
	(void)in_flight;
	unsigned got = verify_next(s, v, ios, n, resume_more);
	if (s->say == SOURCE_END)
		v->sh->skipped = false;
	return got;
}

static void resume_done(struct source *s, struct io *const *ios, unsigned n, uint64_t now_ns)
{
	struct resume *r = resume_of(s);

	(void)now_ns;
	for (unsigned i = 0; i < n; i++) {
		struct verify_slot *slot = &r->verify->slots[ios[i]->slot];
		if (ios[i]->target && !r->files->all_open)
			fileset_release(r->files, ios[i]->target);
		slot->out = false;
		if (ios[i]->target && ios[i]->res >= 0)
			verify_read(r->verify, slot);
		else
			r->verify->sh->unread += slot->units;
	}
}

static void resume_rewind(struct source *s)
{
	resume_of(s)->file = 0;
	resume_of(s)->at = 0;
}

static void resume_start(struct source *s, uint64_t start_ns)
{
	(void)s;
	(void)start_ns;
}

static const struct source_ops resume_ops = {
	.next = resume_next,
	.done = resume_done,
	.rewind = resume_rewind,
	.start = resume_start,
	.opened = resume_start,
};

static uint64_t resume_bytes(const struct resume *r)
{
	uint64_t all = 0;

	for (uint32_t i = 0; i < r->plan->files.count; i++) {
		const uint32_t t = r->plan->state.targets[i];
		uint64_t first = 0, n;
		for (uint64_t at = 0;
			(n = state_written(r->verify->resume, t, at, UINT32_MAX, &first)) != 0;
			at = first + n)
			all += n * r->verify->resume->head.targets[t].unit_bytes;
	}
	return all;
}

struct source *resume_source(struct arena *arena, const struct plan_worker *pw,
	struct verify *v, struct fileset *files, struct err *reterr)
{
	struct resume *r = arena_alloc(arena, sizeof(*r));
	uint32_t most = 1;

	for (uint32_t i = 0; i < pw->files.count; i++)
		most = MAX_OF(most, v->resume->head.targets[pw->state.targets[i]].unit_bytes);
	if (r)
		r->zeroes = arena_alloc(arena, most);
	if (!r || !r->zeroes) {
		err_set(reterr, -ENOMEM, "out of memory to read back");
		return NULL;
	}
	r->source.ops = &resume_ops;
	r->plan = pw;
	r->verify = v;
	r->files = files;
	r->source.bytes_total = resume_bytes(r);
	v->sh->skipped = true; /* until all was read */
	return &r->source;
}
