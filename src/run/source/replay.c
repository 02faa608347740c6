/* HOT: next() runs once per batch. No option is read here.
 *
 * SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors
 *
 * The source of a replay: requests from the ring that a helper thread fills
 * (replay_ahead.h), each at its own time.
 *
 * Due times are absolute: start + time in the trace, at the replay's speed.  What a
 * request takes moves none of the others; after a stall the backlog is issued as fast
 * as depth allows, as on any schedule, and how late each one was is recorded. */
#include "run/source/source.h"

#include "base/arena.h"
#include "base/bits.h"
#include "base/err.h"
#include "plan/plan.h"
#include "run/fileset.h"
#include "run/shared.h"
#include "run/source/replay_ahead.h"
#include "run/source/supply.h"

#include <errno.h>
#include <time.h>

#define REPLAY_DRY_NS    (20 * NS_PER_US) /* before it looks again into an empty ring */
#define REPLAY_MISSED_NS (2 * NS_PER_S)   /* to find out what else was due            */

struct replay {
	struct source source;
	const struct plan_worker *plan;
	struct fileset *files;
	struct supply supply;
	struct replay_ahead *ahead;
	struct shared_replay *seen;
	struct source_word *word;
	uint64_t start_ns;
	uint64_t at, limit; /* next record; up to which the ring was seen to be filled */
	bool timed, apart;  /* buffers of reads and writes are                        */
	bool over;          /* the job does nothing (create_only)                    */
};

static inline struct replay *replay_of(struct source *s)
{
	return (struct replay *)s;
}

/* The ring is empty: say why. */
static __attribute__((noinline)) void replay_dry(struct replay *r, uint64_t now_ns)
{
	struct replay_ahead *a = r->ahead;
	bool ended = __atomic_load_n(&a->ended, __ATOMIC_ACQUIRE);

	r->limit = __atomic_load_n(&a->head, __ATOMIC_ACQUIRE);
	if (r->limit != r->at)
		return;
	if (!ended) {
		r->source.say = SOURCE_WAIT;
		r->source.not_before_ns = now_ns + REPLAY_DRY_NS;
		r->seen->dry++;
		return;
	}
	r->source.say = SOURCE_END;
	if (!a->error.code)
		return;
	r->source.say = SOURCE_FAIL;
	r->word->fail_code = a->error.code;
	r->word->fail_func = "read_iolog";
	r->word->fail_text = a->error.text;
}

/* Is there a record?  Then it is at r->at. */
static inline bool replay_any(struct replay *r, uint64_t now_ns)
{
	if (likely(r->at != r->limit))
		return true;
	r->limit = __atomic_load_n(&r->ahead->head, __ATOMIC_ACQUIRE);
	if (r->at == r->limit)
		replay_dry(r, now_ns);
	return r->at != r->limit;
}

static inline void replay_convert(struct replay *r, const struct replay_entry *e, struct io *io)
{
	uint32_t file = e->what & REPLAY_FILE_MASK;

	io->kind = (uint8_t)(e->what >> REPLAY_FILE_BITS);
	io->offset = e->offset;
	io->bytes = e->bytes;
	io->due_ns = r->timed ? r->start_ns + e->due_ns : 0;
	if (r->apart || r->source.buffers_moved)
		supply_buffer(&r->supply, io->kind == IO_WRITE, io);
	io->target = &r->files->targets[file];
	if (unlikely(!r->files->all_open))
		fileset_aim(r->files, file, io);
	if (io->kind == IO_WRITE && r->supply.fresh)
		supply_write(&r->supply, io);
}

static unsigned replay_next(struct source *s, uint64_t now_ns, struct io **ios, unsigned n,
	unsigned in_flight)
{
	struct replay *r = replay_of(s);
	uint64_t due = 0;
	unsigned got = 0;

	(void)in_flight;
	s->say = SOURCE_MORE;
	if (unlikely(r->over)) {
		s->say = SOURCE_END;
		return 0;
	}
	while (got < n && replay_any(r, now_ns)) {
		const struct replay_entry *e = &r->ahead->slots[r->at & r->ahead->mask];
		if (r->timed && r->start_ns + e->due_ns > now_ns) {
			s->say = SOURCE_WAIT;
			s->not_before_ns = r->start_ns + e->due_ns;
			break;
		}
		due = e->due_ns;
		replay_convert(r, e, ios[got++]);
		r->at++;
	}
	if (!got)
		return 0;
	__atomic_store_n(&r->ahead->tail, r->at, __ATOMIC_RELEASE);
	r->seen->issued += got;
	r->seen->due_ns = due;
	r->seen->issued_ns = now_ns - r->start_ns;
	return got;
}

static void replay_done(struct source *s, struct io *const *ios, unsigned n, uint64_t now_ns)
{
	struct replay *r = replay_of(s);

	(void)now_ns;
	for (unsigned i = 0; i < n; i++)
		if (ios[i]->target)
			fileset_release(r->files, ios[i]->target);
}

static void replay_rewind(struct source *s)
{
	(void)s; /* passes follow one another in the ring */
}

static void replay_start(struct source *s, uint64_t start_ns)
{
	replay_of(s)->start_ns = start_ns;
}

static void replay_opened(struct source *s, uint64_t now_ns)
{
	(void)s;
	(void)now_ns;
}

/* What was due and not issued: in the ring, and what the helper still finds. */
static void replay_missed(struct source *s, uint64_t end_ns,
	void (*seen)(void *ctx, enum dir dir, uint64_t due_ns), void *ctx)
{
	struct replay *r = replay_of(s);
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	time_t until = ts.tv_sec + (time_t)(REPLAY_MISSED_NS / NS_PER_S);
	while (r->timed && ts.tv_sec <= until) {
		if (!replay_any(r, 0)) {
			if (r->source.say != SOURCE_WAIT)
				return;
			nanosleep(&(struct timespec){.tv_nsec = REPLAY_DRY_NS}, NULL);
			clock_gettime(CLOCK_MONOTONIC, &ts);
			continue;
		}
		const struct replay_entry *e = &r->ahead->slots[r->at & r->ahead->mask];
		if (r->start_ns + e->due_ns >= end_ns)
			return;
		enum dir dir = io_dir((enum io_kind)(e->what >> REPLAY_FILE_BITS));
		if (dir < DIRS)
			seen(ctx, dir, r->start_ns + e->due_ns);
		r->seen->dropped++;
		r->at++;
		__atomic_store_n(&r->ahead->tail, r->at, __ATOMIC_RELEASE);
	}
}

static const struct source_ops replay_ops = {
	.next = replay_next,
	.rewind = replay_rewind,
	.start = replay_start,
	.opened = replay_opened,
	.missed = replay_missed,
};

static const struct source_ops replay_lru_ops = {
	.next = replay_next,
	.done = replay_done,
	.rewind = replay_rewind,
	.start = replay_start,
	.opened = replay_opened,
	.missed = replay_missed,
};

struct source *source_replay_new(struct arena *arena, const struct plan_worker *pw,
	struct fileset *files, struct replay_ahead *ahead, struct io *ios, uint32_t depth,
	struct shared_replay *seen, struct source_word *word, struct err *reterr)
{
	struct replay *r = arena_alloc(arena, sizeof(*r));

	if (!r) {
		err_set(reterr, -ENOMEM, "out of memory for the replay");
		return NULL;
	}
	*r = (struct replay){
		.source = {.ops = files->all_open ? &replay_ops : &replay_lru_ops,
			.bytes_total = pw->replay.bytes * pw->replay.loops},
		.plan = pw,
		.files = files,
		.ahead = ahead,
		.seen = seen,
		.word = word,
		.timed = pw->replay.timed,
		.over = !pw->amount.bytes,
	};
	*seen = (struct shared_replay){0};
	r->apart = supply_init(&r->supply, pw, ios, depth);
	return &r->source;
}
