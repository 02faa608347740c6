/* HOT: a few bytes for each write, for jobs with a state file.
 *
 * SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors
 *
 * The clock is read for each record: what a batch has as its time may be older than its end,
 * and an end that is told too early would let a sync cover what it doesn't. */
#include "run/verify/tell.h"

#include <errno.h>

#include "base/arena.h"
#include "base/bits.h"
#include "base/err.h"
#include "plan/plan.h"
#include "run/verify/verify.h"
#include "sys/clock.h"
#include "verify/state.h"

#define TELL_AGE_NS (100 * NS_PER_MS)

struct tell {
	struct state_stream stream;
	const struct plan_worker *plan;
	const struct clock *clock;
	uint64_t wall_ns, flushed_ns, syncs;
	bool durable;    /* each write is synced when it is done              */
	bool each_write; /* is flushed before it                              */
	uint8_t buf[STATE_BUFFER];
};

struct tell *tell_new(struct arena *arena, const struct plan_worker *pw, int fd,
	const struct clock *clock, uint64_t wall_ns, struct err *reterr)
{
	struct tell *t = arena_alloc(arena, sizeof(*t));

	if (!t) {
		err_set(reterr, -ENOMEM, "out of memory for verify_state");
		return NULL;
	}
	const bool mapped = engine_chain_base(&pw->queue.chain)->flags & ENGINE_NO_EXTEND;
	t->plan = pw;
	t->clock = clock;
	t->wall_ns = wall_ns;
	t->durable = (pw->files.how.sync || pw->files.how.dsync) && !mapped;
	t->each_write = pw->verify.unit.bytes > pw->state.atomic;
	state_stream_init(&t->stream, fd, pw->index, t->buf);
	return t;
}

static inline uint64_t tell_now(const struct tell *t)
{
	return clock_now(t->clock) + t->wall_ns;
}

static void tell_flush(struct tell *t, uint64_t now_ns)
{
	t->flushed_ns = now_ns;
	(void)state_flush(&t->stream);
}

uint64_t tell_begun(struct tell *t, const struct verify_slot *s)
{
	const uint64_t time_ns = MAX_OF(tell_now(t), t->stream.last_ns);
	const uint32_t target = t->plan->files.targets[s->file];

	if (!s->units)
		return time_ns;
	if (s->kind == IO_TRIM)
		state_trim_begun(&t->stream, time_ns, s->serial, target, s->first, s->units);
	else
		state_write_begun(&t->stream, time_ns, s->serial, target, s->first, s->units);
	if (s->kind == IO_TRIM || unlikely(t->each_write))
		tell_flush(t, time_ns);
	return time_ns;
}

void tell_ended(struct tell *t, const struct verify_slot *s, int32_t res)
{
	if (!s->units || res == -ECANCELED)
		return;
	const uint64_t now = tell_now(t);
	state_write_ended(&t->stream, now, s->serial,
		res < 0                             ? STATE_FAILED
		: t->durable && s->kind == IO_WRITE ? STATE_DURABLE
						    : STATE_DONE);
	if (unlikely(now - t->flushed_ns > TELL_AGE_NS))
		tell_flush(t, now);
}

uint64_t tell_sync_begun(struct tell *t, uint32_t file)
{
	const uint64_t number = ++t->syncs;

	state_sync_begun(&t->stream, tell_now(t), t->plan->files.targets[file], number);
	return number;
}

void tell_sync_ended(struct tell *t, uint64_t number, bool failed)
{
	const uint64_t now = tell_now(t);

	state_sync_ended(&t->stream, now, number, failed);
	tell_flush(t, now);
}

void tell_finish(struct tell *t)
{
	state_finish(&t->stream, tell_now(t));
}

int tell_error(const struct tell *t)
{
	return t->stream.error;
}
