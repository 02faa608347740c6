/* HOT: one turn an I/O. No option is read here and nothing is allocated.
 *
 * SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors
 *
 * The loop of synchronous calls: two stamps around each, clat = lat = the call. */
#include "engine/call.h"
#include "run/account.h"

#include <errno.h>

static inline bool perform_stopped(const struct worker *w)
{
	return __atomic_load_n(&w->sh->stop, __ATOMIC_RELAXED) != 0;
}

/* Do IO, all of it: what came back short is continued. Returns the time after. */
static inline uint64_t perform_whole(struct worker *w, struct io *io)
{
	uint32_t whole = io->bytes;
	void *buf = io->buf;
	uint64_t offset = io->offset;

	call_perform(w->queue, io);
	while (unlikely(io->res > 0 && io->res < (int32_t)io->bytes)) {
		w->sh->count[io_dir((enum io_kind)io->kind)].short_ios++;
		io->offset += (uint64_t)io->res;
		io->buf = (char *)io->buf + io->res;
		io->bytes -= (uint32_t)io->res;
		call_perform(w->queue, io);
	}
	if (unlikely(io->res == 0 && io->bytes && io->kind < IO_FSYNC))
		io->res = -EIO; /* the end of the file, where there should be data */
	if (likely(io->res >= 0))
		io->res = (int32_t)whole;
	io->bytes = whole;
	io->buf = buf;
	io->offset = offset;
	return clock_now(w->clock);
}

static inline void perform_account(struct worker *w, const struct io *io, uint64_t t1)
{
	enum dir d = io_dir((enum io_kind)io->kind);

	w->sh->progress++;
	w->sh->depths[0]++;
	if (unlikely(io->res < 0)) {
		if (!worker_failed_io(w, io, t1))
			worker_close(w, WHY_ERROR);
		return;
	}
	if (unlikely(d == DIR_SYNC)) {
		w->sh->syncs++;
		if (account_in_window(w, io))
			account_latency(w->at->sync, t1 - io->prepared_ns, 1);
		w->last_ns = t1;
		return;
	}
	account_rate(w, d, 1, io->bytes, t1);
	if (unlikely(!account_in_window(w, io)))
		return;
	account_lat(w, d, t1 - io->prepared_ns, 1);
	if (io->due_ns)
		account_schedule(w, d, io, t1);
}

static __attribute__((noinline)) void perform_apart(struct worker *w, struct io *io,
	uint64_t t1)
{
	if (w->by_target)
		by_target_account(w, &io, 1, t1);
	if (w->log && io->res >= 0)
		account_log(w, &io, 1, t1);
}

void loop_perform(struct worker *w)
{
	uint64_t now = clock_now(w->clock);
	struct io *io = &w->ios[0];

	worker_look_at_ramp(w, now);
	while (w->why == WHY_NONE) {
		if (unlikely(perform_stopped(w) || now >= w->deadline_ns)) {
			worker_close(w, perform_stopped(w) ? WHY_STOPPED : WHY_TIME);
			break;
		}
		if (unlikely(!w->source->ops->next(w->source, now, &io, 1, 0))) {
			worker_look_at_ramp(w, now = worker_idle(w, now));
			continue;
		}
		uint64_t t0 = w->stamp_any ? clock_now(w->clock) : now;
		w->sh->generator_ns += t0 - now;
		io->prepared_ns = t0;
		if (likely(io->target)) {
			w->sh->in_flight = 1;
			if (unlikely(w->log_issued))
				log_feed_issued(w->log, &io, 1);
			now = perform_whole(w, io);
			w->sh->in_flight = 0;
		}
		worker_look_at_ramp(w, now);
		worker_look_at_stop(w);
		perform_account(w, io, now);
		if (unlikely(w->apart))
			perform_apart(w, io, now);
		if (w->source->ops->done)
			w->source->ops->done(w->source, &io, 1, now);
	}
	shared_set_phase(w->sh, WORKER_DRAIN);
}
