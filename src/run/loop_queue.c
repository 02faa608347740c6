/* HOT: one turn a batch. No option is read here and nothing is allocated.
 *
 * SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors
 *
 * The loop of engines with a queue.
 *
 *	prepare   the source fills what is free; data is generated
 *	T0
 *	submit    the engine takes what it can
 *	T1        slat = T1 - T0
 *	reap      all that is done; waits only when nothing else can be done
 *	T2        clat = T2 - T1, lat = T2 - T0
 *	account
 *
 * Invariant at the top of a turn: idle + ready + in flight = depth. A batch is what
 * is free at that moment: the loop never waits to make one bigger, unless
 * iodepth_batch says so: then until so many are ready or the queue is full. */
#include "engine/call.h"
#include "run/account.h"
#include "run/source/priority.h"

#include <errno.h>
#include <sys/resource.h>

/* A request is slow when it takes so many stamps' time: a stamp for each costs
 * little then. */
#define LOOP_SLOW_STAMPS 30

static inline bool loop_stopped(const struct worker *w)
{
	return __atomic_load_n(&w->sh->stop, __ATOMIC_RELAXED) != 0;
}

/* Switches of this thread so far. */
static __attribute__((noinline)) void loop_switches(int64_t *ret_voluntary,
	int64_t *ret_involuntary)
{
	struct rusage ru = {0};

	getrusage(RUSAGE_THREAD, &ru);
	*ret_voluntary = ru.ru_nvcsw;
	*ret_involuntary = ru.ru_nivcsw;
}

/* How many of ROOM may be issued while the queue is being judged. */
static inline unsigned loop_judged_room(struct worker *w, unsigned room)
{
	struct submit_probe *p = &w->submit;

	if (p->stage != SUBMIT_WATCH)
		loop_switches(&p->voluntary, &p->involuntary);
	return w->ready_n ? 0 : MIN_OF(room, p->room);
}

/* Let the source fill what may be filled now. */
static inline void loop_prepare(struct worker *w, uint64_t now_ns)
{
	const struct plan_queue *pq = &w->plan->queue;
	unsigned room = w->idle_n;

	if (unlikely(pq->depth_low && pq->depth_low < w->depth)) {
		if (w->in_flight + w->ready_n >= w->depth)
			w->refill = false;
		else if (w->in_flight <= pq->depth_low)
			w->refill = true;
		if (!w->refill)
			room = 0;
	}
	if (unlikely(w->submit.room))
		room = loop_judged_room(w, room);
	if (!room)
		return;

	struct io **into = w->ready + w->ready_n;
	w->idle_n -= room;
	for (unsigned i = 0; i < room; i++)
		into[i] = w->idle[w->idle_n + i];
	unsigned got = w->source->ops->next(w->source, now_ns, into, room, w->in_flight);
	for (unsigned i = room; i > got; i--)
		w->idle[w->idle_n++] = into[i - 1];
	w->ready_n += got;
}

/* Requests whose file could not be opened never reach the engine. */
static void loop_unopened(struct worker *w, uint64_t now_ns)
{
	unsigned kept = 0;
	for (unsigned i = 0; i < w->ready_n; i++) {
		struct io *io = w->ready[i];
		if (likely(io->target)) {
			w->ready[kept++] = io;
			continue;
		}
		if (!worker_failed_io(w, io, now_ns))
			worker_close(w, WHY_ERROR);
		w->source->ops->done(w->source, &io, 1, now_ns);
		w->idle[w->idle_n++] = io;
	}
	w->ready_n = kept;
}

/* Hand over up to N ready requests; returns the time after it. */
static inline uint64_t loop_submit(struct worker *w, unsigned n, uint64_t now_ns)
{
	uint64_t t0 = w->stamp_any ? clock_now(w->clock) : now_ns;
	w->sh->generator_ns += t0 - now_ns;
	for (unsigned i = 0; i < n; i++)
		w->ready[i]->prepared_ns = t0;

	unsigned taken = call_submit(w->queue, w->ready, n);
	uint64_t t1 = w->stamp_submit ? clock_now(w->clock) : t0;
	for (unsigned i = 0; i < taken; i++)
		w->ready[i]->submitted_ns = t1;

	if (taken)
		account_depths(w->sh, w->in_flight, taken);
	if (unlikely(w->log_issued))
		log_feed_issued(w->log, w->ready, taken);
	w->sh->submits[account_call_bucket(taken)]++;
	w->in_flight += taken;
	w->ready_n -= taken;
	for (unsigned i = 0; i < w->ready_n; i++)
		w->ready[i] = w->ready[taken + i];
	w->sh->in_flight = w->in_flight;
	return t1;
}

static inline void loop_account(struct worker *w, const struct io *io, uint64_t times,
	uint64_t t2);

/* A request that moved less than it should, or failed. Returns true when it is
 * over; false when its rest was made ready again. */
static bool loop_odd(struct worker *w, struct io *io, uint64_t t2)
{
	enum dir d = io_dir((enum io_kind)io->kind);

	if (io->res < 0) {
		if (!worker_failed_io(w, io, t2))
			worker_close(w, WHY_ERROR);
		return true;
	}
	if (d == DIR_SYNC) { /* of a range: its bytes are no bytes moved */
		loop_account(w, io, 1, t2);
		return true;
	}
	if (io->res == 0) {
		io->res = -EIO; /* the end of the file, where there should be data */
		return loop_odd(w, io, t2);
	}
	struct shared_counts *c = &w->sh->count[d];
	c->short_ios++;
	account_rate(w, d, 0, (uint64_t)io->res, t2);
	if (w->by_target)
		by_target_short(w, io, (uint64_t)io->res, t2);
	io->offset += (uint64_t)io->res;
	io->buf = (char *)io->buf + io->res;
	w->source->buffers_moved = true;
	io->bytes -= (uint32_t)io->res;
	w->ready[w->ready_n++] = io;
	return false;
}

/* TIMES requests that share stamps, direction and size, all complete. */
static inline void loop_account(struct worker *w, const struct io *io, uint64_t times,
	uint64_t t2)
{
	enum dir d = io_dir((enum io_kind)io->kind);

	if (unlikely(d == DIR_SYNC)) {
		w->sh->syncs += times;
		if (account_in_window(w, io))
			account_latency(w->at->sync, t2 - io->prepared_ns, times);
		w->last_ns = t2;
		return;
	}
	account_rate(w, d, times, times * io->bytes, t2);
	if (unlikely(!account_in_window(w, io)))
		return;
	account_latency(w->at->slat[d], io->submitted_ns - io->prepared_ns, times);
	account_latency(w->at->clat[d], t2 - io->submitted_ns, times);
	account_lat(w, d, t2 - io->prepared_ns, times);
	if (io->due_ns)
		account_schedule(w, d, io, t2);
}

static inline bool loop_same(const struct io *a, const struct io *b)
{
	return a->submitted_ns == b->submitted_ns && a->kind == b->kind &&
	       a->bytes == b->bytes && a->prepared_ns == b->prepared_ns && !b->due_ns &&
	       b->res == (int32_t)b->bytes;
}

/* What came back, requests from FIRST of the idle list on, by priority and by target. */
static __attribute__((noinline)) void loop_apart(struct worker *w, unsigned first, uint64_t t2)
{
	if (w->by_priority)
		priority_account(w, first, t2);
	if (w->by_target)
		by_target_account(w, w->idle + first, w->idle_n - first, t2);
}

/* GOT requests came back at T2. Those of one batch have the same stamps and are
 * recorded together. */
static void loop_take(struct worker *w, unsigned got, uint64_t t2)
{
	struct io **done = w->done;
	unsigned first = w->idle_n;

	w->in_flight -= got;
	w->sh->in_flight = w->in_flight;
	w->sh->progress += got;
	for (unsigned i = 0; i < got;) {
		struct io *io = done[i];
		if (unlikely(io->res != (int32_t)io->bytes)) {
			if (loop_odd(w, io, t2))
				w->idle[w->idle_n++] = io;
			i++;
			continue;
		}
		unsigned n = 0;
		do
			w->idle[w->idle_n++] = done[i + n++];
		while (i + n < got && loop_same(io, done[i + n]));
		loop_account(w, io, n, t2);
		if (unlikely(w->log != NULL))
			account_log(w, done + i, n, t2);
		i += n;
	}
	if (unlikely(w->apart))
		loop_apart(w, first, t2);
	if (w->source->ops->done)
		w->source->ops->done(w->source, w->idle + first, w->idle_n - first, t2);
}

/* How long and for how many to wait in this turn. */
static inline unsigned loop_patience(const struct worker *w, unsigned issued,
	uint64_t *ret_until_ns)
{
	const struct plan_queue *pq = &w->plan->queue;
	unsigned min = pq->batch_min > 1 ? MIN_OF(pq->batch_min, w->in_flight) : 1;
	bool more = w->source->say == SOURCE_MORE && w->why == WHY_NONE;

	*ret_until_ns = w->deadline_ns;
	if (w->source->say == SOURCE_WAIT)
		*ret_until_ns = MIN_OF(w->deadline_ns, w->source->not_before_ns);
	if ((w->submit.room && issued) || (more && w->idle_n && !w->ready_n && w->refill))
		min = 0;
	if (pq->batch_poll)
		min = 0;
	return min;
}

/* Is everything done when submit returns?  Found out in the first turns, and looked at
 * from then on where it is.  In this turn ISSUED requests were added to what was in flight,
 * and LEFT of all are not back. */
static __attribute__((noinline)) void loop_judge(struct worker *w, unsigned issued,
	unsigned left)
{
	struct submit_probe *p = &w->submit;
	int64_t voluntary, involuntary;

	loop_switches(&voluntary, &involuntary);
	struct submit_turn turn = {
		.issued = issued,
		.unsure = w->ready_n || involuntary != p->involuntary,
		.slept = voluntary != p->voluntary,
	};
	/* They were the first of the ready ones, and their places are as they were. */
	for (unsigned i = 0; i < issued && !w->ready_n; i++) {
		bool sync = io_dir((enum io_kind)w->ready[i]->kind) == DIR_SYNC;
		p->syncs += sync;
		turn.unsure |= sync;
		turn.took_ns = w->ready[i]->submitted_ns - w->ready[i]->prepared_ns;
	}
	turn.done = left <= p->syncs;
	p->syncs = left;
	submit_probe_turn(p, &turn);
	w->sh->synchronous_submit = p->stage == SUBMIT_WATCH;
}

/* ISSUED: added by this turn. */
static inline uint64_t loop_reap(struct worker *w, unsigned issued, uint64_t t1)
{
	const struct plan_queue *pq = &w->plan->queue;
	uint64_t until;
	unsigned min = loop_patience(w, issued, &until);
	unsigned max = pq->batch_max ? MIN_OF(pq->batch_max, w->in_flight) : w->in_flight;
	unsigned before = w->in_flight;

	unsigned got = call_reap(w->queue, w->done, max, MIN_OF(min, max), min ? until : 0);
	uint64_t t2 = w->stamp_any || min ? clock_now(w->clock) : t1;
	worker_look_at_ramp(w, t2);
	worker_look_at_stop(w);
	w->sh->completes[account_call_bucket(got)]++;
	if (unlikely(w->submit.room) && issued &&
		(w->submit.stage != SUBMIT_WATCH || got != before))
		loop_judge(w, issued, before - got);
	if (got)
		loop_take(w, got, t2);
	return t2;
}

/* No new requests: wait for those in flight. wait_stop is the worker's to clear,
 * so that this wait ends early only when it is set again. */
static void loop_drain(struct worker *w)
{
	shared_set_phase(w->sh, WORKER_DRAIN);
	(void)__atomic_exchange_n(&w->sh->wait_stop, 0, __ATOMIC_ACQ_REL); /* then `stop` */
	while (w->ready_n)
		w->idle[w->idle_n++] = w->ready[--w->ready_n];
	while (w->in_flight && __atomic_load_n(&w->sh->stop, __ATOMIC_RELAXED) < 2) {
		unsigned got = call_reap(w->queue, w->done, w->in_flight, 1, UINT64_MAX);
		if (got)
			loop_take(w, got, clock_now(w->clock));
		while (w->ready_n) /* short ones stay short now */
			w->idle[w->idle_n++] = w->ready[--w->ready_n];
	}
}

/* What a job says of its batches holds from the first turn. */
static bool loop_batches_said(const struct plan_queue *pq)
{
	return pq->batch || pq->batch_min || pq->batch_max || pq->batch_poll;
}

/* Not where the job says what its batches are. */
static void loop_probe(struct worker *w)
{
	w->submit = (struct submit_probe){0};
	if (w->depth <= 1 || loop_batches_said(&w->plan->queue))
		return;
	submit_probe_begin(&w->submit, (uint64_t)(LOOP_SLOW_STAMPS * w->clock->stamp_cost_ns));
}

void loop_queue(struct worker *w)
{
	uint64_t now = clock_now(w->clock);
	unsigned batch = w->plan->queue.batch;

	loop_probe(w);
	w->refill = true;
	worker_look_at_ramp(w, now);
	while (w->why == WHY_NONE) {
		if (unlikely(loop_stopped(w) || now >= w->deadline_ns)) {
			worker_close(w, loop_stopped(w) ? WHY_STOPPED : WHY_TIME);
			break;
		}
		loop_prepare(w, now);
		if (unlikely(w->source->ops->done != NULL))
			loop_unopened(w, now);

		unsigned chunk = batch ? batch : w->depth, flying = w->in_flight;
		bool enough = w->ready_n >= batch || !w->idle_n || !w->in_flight ||
			      w->source->say != SOURCE_MORE;
		while (w->ready_n && enough) {
			unsigned before = w->ready_n;
			now = loop_submit(w, MIN_OF(chunk, w->ready_n), now);
			if (w->ready_n == before)
				break;
		}
		if (likely(w->in_flight))
			now = loop_reap(w, w->in_flight - flying, now);
		else if (!w->ready_n)
			worker_look_at_ramp(w, now = worker_idle(w, now));
	}
	loop_drain(w);
}
