/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What both loops do between I/Os: windows and intervals, sleeping, syncs, the end of a pass.
 */
#include "base/bits.h"
#include "base/err.h"
#include "base/log.h"
#include "engine/call.h"
#include "run/account.h"
#include "run/verify/tell.h"
#include "run/verify/verify.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static void worker_forget_dir(struct worker *w, int d)
{
	struct shared_counts *c = &w->sh->count[d];
	struct latency *const kinds[] = {w->at->slat[d], w->at->clat[d], w->at->lateness[d]};
	struct histogram *const sets[] = {w->filling_lat[d], w->filling_response[d]};

	*c = (struct shared_counts){
		.errors = c->errors,
		.live_ios = c->live_ios,
		.live_bytes = c->live_bytes,
	};
	for (size_t i = 0; i < COUNT_OF(kinds); i++)
		if (kinds[i] && kinds[i]->moments.count)
			latency_reset(kinds[i]);
	for (size_t i = 0; i < COUNT_OF(sets); i++)
		if (sets[i] && sets[i]->count)
			histogram_reset(sets[i]);
	w->sh->lat[d] = (struct moments){0};
	w->sh->response[d] = (struct moments){0};
	w->filling->ios[d] = 0;
	w->filling->bytes[d] = 0;
}

/* The ramp is over: nothing of it stays but errors and what the live line shows. */
static void worker_forget_ramp(struct worker *w)
{
	struct shared_worker *sh = w->sh;

	for (int d = 0; d < DIRS; d++)
		worker_forget_dir(w, d);
	if (w->at->sync && w->at->sync->moments.count)
		latency_reset(w->at->sync);
	for (int d = 0; w->by_priority && d <= DIR_WRITE; d++)
		for (uint32_t k = 0; w->at->prio[d] && k < w->plan->priority.values_count; k++)
			latency_reset(&w->at->prio[d][k]);
	if (w->by_target)
		by_target_forget(w);
	if (w->verify)
		worker_verify_forget(w);
	sh->syncs = 0;
	sh->generator_ns = 0;
	memset(sh->depths, 0, sizeof(sh->depths));
	/* What is in flight will count as a request of the window: at the depth of now. */
	if (w->in_flight)
		sh->depths[account_depth_bucket(w->in_flight)] = w->in_flight;
	memset(sh->submits, 0, sizeof(sh->submits));
	memset(sh->completes, 0, sizeof(sh->completes));
	w->filling->used = 0;
}

/* When the stop came; UINT64_MAX: none did. */
static uint64_t worker_stop_ns(const struct worker *w)
{
	return __atomic_load_n(&w->sh->stop, __ATOMIC_ACQUIRE) ? w->sh->stop_ns : UINT64_MAX;
}

void worker_open_window(struct worker *w, uint64_t now_ns)
{
	if (worker_stop_ns(w) < w->open_at_ns) {
		w->open_at_ns = UINT64_MAX;
		return;
	}
	if (w->sh->progress)
		worker_forget_ramp(w);
	w->window_start_ns = w->open_at_ns;
	w->open_at_ns = UINT64_MAX;
	if (w->plan->time.ramp_bytes && w->plan->time.runtime_ns) {
		w->deadline_ns = w->window_start_ns + w->plan->time.runtime_ns;
		w->window_end_ns = w->deadline_ns;
	}
	__atomic_store_n(&w->sh->window_start_ns, w->window_start_ns, __ATOMIC_RELEASE);
	w->set_start_ns = w->window_start_ns;
	w->set_end_ns = w->window_start_ns + w->plan->measure.interval_ns;
	w->filling->t_ns = w->set_start_ns;
	w->source->ops->opened(w->source, now_ns);
	if (w->log)
		log_feed_open(w->log, w->window_start_ns, w->deadline_ns);
	worker_usage_begin(w);
	shared_set_phase(w->sh, WORKER_RUNNING);
}

void worker_fill_set(struct worker *w, unsigned which)
{
	w->set = which;
	w->filling = &w->sh->set[which];
	w->filling_lat = w->at->set_lat[which];
	w->filling_response = w->at->set_response[which];
}

/* The supervisor takes a FULL set within a tick; should it be late, this interval's
 * figures go on into the set we have, whose time is then the earlier one's. */
void worker_turn_set(struct worker *w, uint64_t t_ns)
{
	uint64_t interval = w->plan->measure.interval_ns;
	struct shared_set *now = w->filling;
	struct shared_set *next = &w->sh->set[!w->set];

	if (now->used) {
		if (__atomic_load_n(&next->state, __ATOMIC_ACQUIRE) == SET_FULL) {
			w->set_end_ns = t_ns + interval / 16;
			return;
		}
		__atomic_store_n(&now->state, SET_FULL, __ATOMIC_RELEASE);
		worker_fill_set(w, !w->set);
	}
	w->set_start_ns += (t_ns - w->set_start_ns) / interval * interval;
	w->set_end_ns = w->set_start_ns + interval;
	w->filling->t_ns = w->set_start_ns;
}

void worker_finish_series(struct worker *w)
{
	struct shared_set *now = w->filling;
	if (now->used)
		__atomic_store_n(&now->state, SET_FULL, __ATOMIC_RELEASE);
}

/* A worker that is a process may have helpers (posixaio's threads): they count. */
static void worker_usage(const struct worker *w, struct shared_usage *ret)
{
	struct rusage ru;
	getrusage(w->plan->thread ? RUSAGE_THREAD : RUSAGE_SELF, &ru);
	*ret = (struct shared_usage){
		.user_us = (uint64_t)ru.ru_utime.tv_sec * 1000000 +
			   (uint64_t)ru.ru_utime.tv_usec,
		.system_us = (uint64_t)ru.ru_stime.tv_sec * 1000000 +
			     (uint64_t)ru.ru_stime.tv_usec,
		.voluntary = (uint64_t)ru.ru_nvcsw,
		.involuntary = (uint64_t)ru.ru_nivcsw,
		.major = (uint64_t)ru.ru_majflt,
		.minor = (uint64_t)ru.ru_minflt,
	};
}

void worker_usage_begin(struct worker *w)
{
	worker_usage(w, &w->usage_start);
}

void worker_usage_end(struct worker *w)
{
	struct shared_usage now, *from = &w->usage_start;
	worker_usage(w, &now);
	w->sh->usage = (struct shared_usage){
		.user_us = now.user_us - from->user_us,
		.system_us = now.system_us - from->system_us,
		.voluntary = now.voluntary - from->voluntary,
		.involuntary = now.involuntary - from->involuntary,
		.major = now.major - from->major,
		.minor = now.minor - from->minor,
	};
}

static void worker_nap(uint64_t until_ns)
{
	struct timespec ts = {
		.tv_sec = (time_t)(until_ns / NS_PER_S),
		.tv_nsec = (long)(until_ns % NS_PER_S),
	};
	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL);
}

#define OVERSLEEP_NAPS  8                 /* the mean is of about so many      */
#define OVERSLEEP_FIRST (500 * NS_PER_US) /* each of the first counts so much  */
#define OVERSLEEP_MORE  (50 * NS_PER_US)  /* later ones: this and twice the mean, at most */

/* Sleep until AT; returns the time after.  How late it became goes into the mean; an accident
 * counts for little, but the machine's habit is learned, however late it is. */
static uint64_t worker_oversleep(struct worker *w, uint64_t at)
{
	worker_nap(at);
	uint64_t woke = clock_now(w->clock);
	uint64_t over = woke > at ? woke - at : 0;
	if (w->naps < OVERSLEEP_NAPS) {
		w->naps++;
		over = MIN_OF(over, (uint64_t)OVERSLEEP_FIRST);
	} else {
		over = MIN_OF(over, 2 * w->oversleep_ns + OVERSLEEP_MORE);
	}
	w->oversleep_ns += ((int64_t)over - (int64_t)w->oversleep_ns) / (int64_t)w->naps;
	return woke;
}

/* The kernel wakes us late, by 20 to 300 us on a virtual machine, even with no timer
 * slack.  So the sleep ends earlier by what the last ones were late, and the rest is
 * spun: at most a tenth of the wait, so a slow schedule costs a few percent of a CPU
 * and the lateness of the load is not the tool's. */
static uint64_t worker_sleep_exactly(struct worker *w, uint64_t now, uint64_t wake)
{
	uint64_t early = MIN_OF(w->oversleep_ns + w->oversleep_ns / 2, (wake - now) / 10);
	uint64_t woke = worker_oversleep(w, wake - early);

	while (woke < wake && !__atomic_load_n(&w->sh->stop, __ATOMIC_RELAXED))
		woke = clock_now(w->clock);
	return woke;
}

/* A worker with a quantum wakes once in so long, on average. */
static uint64_t worker_sleep(struct worker *w, uint64_t until_ns)
{
	uint64_t wake = MAX_OF(until_ns, w->quantum_ns ? w->wake_ns + w->quantum_ns : 0);
	uint64_t now = clock_now(w->clock);

	wake = MIN_OF(wake, w->deadline_ns);
	if (wake > now && !w->quantum_ns)
		now = worker_sleep_exactly(w, now, wake);
	else if (wake > now)
		now = worker_oversleep(w, wake - MIN_OF(w->oversleep_ns, (wake - now) / 2));
	w->wake_ns = now;
	return now;
}

#define LEARN_NAPS  32
#define LEARN_NS    (10 * NS_PER_US)
#define LEARN_IDLE  (500 * NS_PER_US) /* so long that the CPU goes idle */
#define QUANTUM_MAX (100 * NS_PER_US)

/* A nap costs CPU time, most of it for programming the timer: 2 us on bare metal, 16
 * us were seen on a virtual machine, where each is an exit to the host.  The quantum is
 * so long that waking takes two fifths of a CPU: a spinning generator takes all of it. */
void worker_learn_naps(struct worker *w)
{
	struct timespec from, to;

	w->quantum_ns = w->plan->rate.quantum_ns;
	w->sh->quantum_ns = w->quantum_ns;
	if (!w->quantum_ns) {
		for (int i = 0; w->plan->rate.any && i < OVERSLEEP_NAPS; i++)
			worker_oversleep(w, clock_now(w->clock) + LEARN_IDLE);
		return;
	}
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &from);
	for (int i = 0; i < LEARN_NAPS; i++)
		worker_oversleep(w, clock_now(w->clock) + LEARN_NS);
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &to);
	uint64_t cost = ((uint64_t)(to.tv_sec - from.tv_sec) * NS_PER_S + (uint64_t)to.tv_nsec -
				(uint64_t)from.tv_nsec) /
			LEARN_NAPS;
	w->quantum_ns = MIN_OF(MAX_OF(w->quantum_ns, cost * 5 / 2), QUANTUM_MAX);
	w->sh->quantum_ns = w->quantum_ns;
}

/* fsync of every open file, through the engine.  It is no I/O of the job and counts
 * in no latency, as in fio; how long it took is told by itself. */
static void worker_sync_all(struct worker *w)
{
	for (uint32_t i = 0; i < w->files.count && w->why != WHY_ERROR; i++) {
		struct target *t = &w->files.targets[i];
		if (t->fd < 0)
			continue;
		struct io *io = &w->ios[0];
		io->kind = IO_FSYNC;
		io->target = t;
		io->offset = 0;
		io->bytes = 0;
		io->due_ns = 0;
		uint64_t t0 = clock_now(w->clock);
		io->prepared_ns = t0;
		if (w->verify)
			verify_sync(w->verify, io);
		if (call_can_perform(w->queue)) {
			call_perform(w->queue, io);
		} else {
			struct io *back = NULL;
			if (!call_submit(w->queue, &io, 1))
				continue;
			while (!back && __atomic_load_n(&w->sh->stop, __ATOMIC_RELAXED) < 2)
				call_reap(w->queue, &back, 1, 1, UINT64_MAX);
			if (!back)
				return;
		}
		if (w->verify)
			verify_synced(w->verify, io);
		if (io->res < 0 && !worker_failed_io(w, io, clock_now(w->clock)))
			w->why = WHY_ERROR;
		w->sh->end_sync_ns += clock_now(w->clock) - t0;
	}
}

void worker_sync_data(struct worker *w)
{
	const uint64_t before = w->sh->end_sync_ns;

	worker_sync_all(w);
	w->sh->end_sync_ns = before;
}

/* Told as a sync of each open file; returns the number of the first. */
static uint64_t worker_tell_begun(struct worker *w)
{
	uint64_t number, first = 0;

	for (uint32_t i = 0; i < w->files.count; i++) {
		if (w->files.targets[i].fd < 0)
			continue;
		number = tell_sync_begun(w->verify->tell, i);
		first = first ? first : number;
	}
	return first;
}

static void worker_tell_ended(struct worker *w, uint64_t first)
{
	for (uint32_t i = 0; i < w->files.count; i++)
		if (w->files.targets[i].fd >= 0)
			tell_sync_ended(w->verify->tell, first++, w->why == WHY_ERROR);
}

/* syncfs() of each file system that holds an open file, once. */
static void worker_sync_systems(struct worker *w)
{
	uint64_t t0 = clock_now(w->clock);
	const bool tells = w->verify && w->verify->tell;
	const uint64_t first = tells ? worker_tell_begun(w) : 0;

	for (uint32_t i = 0; i < w->files.count && w->why != WHY_ERROR; i++) {
		const struct target *t = &w->files.targets[i];
		if (t->fd < 0 || fileset_shares_system(&w->files, i))
			continue;
		if (syncfs(t->fd) == 0)
			continue;
		char text[384];
		int code = errno;
		snprintf(text, sizeof(text), "syncfs of the file system of %.200s: %s", t->path,
			strerror(code));
		worker_fail(w, code, "syncfs", text);
		w->why = WHY_ERROR;
	}
	if (tells)
		worker_tell_ended(w, first);
	w->sh->end_sync_ns += clock_now(w->clock) - t0;
}

void worker_end_pass(struct worker *w)
{
	const struct plan_sync *ps = &w->plan->sync;

	if (!ps->end_fsync && !ps->fsync_on_close && !ps->end_syncfs)
		return;
	if (!w->plan->pattern.use[DIR_WRITE])
		return;
	enum worker_phase before = shared_phase(w->sh);
	shared_set_phase(w->sh, WORKER_SYNCING);
	if (ps->end_fsync || ps->fsync_on_close)
		worker_sync_all(w);
	if (ps->end_syncfs)
		worker_sync_systems(w);
	shared_set_phase(w->sh, before);
}

void worker_last_sync(struct worker *w)
{
	const uint64_t before = w->sh->end_sync_ns;

	worker_end_pass(w);
	w->sh->last_sync_ns = w->sh->end_sync_ns - before;
}

static bool worker_make_anew(struct worker *w)
{
	struct err e;
	int rc = fileset_make_anew(&w->files, &e);

	if (rc == 0)
		return true;
	worker_fail(w, rc, "unlink", e.text);
	worker_close(w, WHY_ERROR);
	return false;
}

uint64_t worker_idle(struct worker *w, uint64_t now_ns)
{
	switch (w->source->say) {
	case SOURCE_PASS:
		worker_end_pass(w);
		if (w->reread)
			worker_reread_pass(w);
		if (w->plan->files.unlink_each && !worker_make_anew(w))
			return now_ns;
		fileset_invalidate(&w->files);
		w->source->ops->rewind(w->source);
		return clock_now(w->clock);
	case SOURCE_END:
		worker_close(w, WHY_BUDGET);
		return now_ns;
	case SOURCE_FAIL:
		worker_hear_failure(w);
		return now_ns;
	case SOURCE_WAIT:
		return worker_sleep(w, w->source->not_before_ns);
	case SOURCE_MORE:
	case SOURCE_BLOCKED:
		break;
	}
	return clock_now(w->clock);
}

/* At the moment of the stop, however late it is seen; but not before what was recorded until
 * then. Reading back is outside of the window. */
void worker_stop_window(struct worker *w)
{
	if (w->source == w->reread)
		return;
	uint64_t recorded = MAX_OF(w->last_ns, w->nested_end_ns);
	uint64_t end = MAX_OF(worker_stop_ns(w), MAX_OF(recorded, w->window_start_ns));
	w->window_end_ns = MIN_OF(w->window_end_ns, end);
}

void worker_close(struct worker *w, enum worker_why why)
{
	if (w->why != WHY_NONE)
		return;
	w->why = why;
	w->sh->why = (uint32_t)why;
	if (!w->sh->window_start_ns) {
		/* It ended within the ramp: as if there had been none, but that the ramp
		 * has no series. */
		w->sh->ramp_only = true;
		__atomic_store_n(&w->sh->window_start_ns, w->start_ns, __ATOMIC_RELEASE);
	}
	if (why == WHY_STOPPED)
		worker_stop_window(w);
}
