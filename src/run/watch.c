/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Stopping in order, and naming what does not come back. */
#include "base/bits.h"
#include "base/log.h"
#include "run/supervisor.h"
#include "sys/sysroot.h"
#include "sys/task.h"

#include <signal.h>
#include <string.h>

#define WATCH_KILL_WAIT_NS (2 * NS_PER_S) /* from SIGKILL to giving up */

static bool watch_alive(const struct supervisor *s, uint32_t i)
{
	const struct supervised *sv = &s->workers[i];
	return sv->started && !sv->gone && shared_phase(&s->shared.workers[i]) != WORKER_ENDED;
}

void watch_stop(struct supervisor *s, uint32_t worker, uint32_t level)
{
	struct shared_worker *sh = &s->shared.workers[worker];
	uint32_t before = __atomic_load_n(&sh->stop, __ATOMIC_RELAXED);

	if (before >= level || !watch_alive(s, worker))
		return;
	s->workers[worker].stop_ns = clock_now(&s->clock);
	if (!before)
		sh->stop_ns = s->workers[worker].stop_ns;
	__atomic_store_n(&sh->stop, level, __ATOMIC_RELEASE);
	__atomic_store_n(&sh->wait_stop, 1, __ATOMIC_RELEASE); /* whoever clears it sees stop */
	crew_wake(s, worker);
}

void watch_signals(struct supervisor *s)
{
	int count = log_stop_count;
	if (count == s->signals_seen)
		return;
	s->signals_seen = count;
	if (!s->signal) {
		s->signal = log_stop_signal;
		supervisor_say(s, RUN_INFO, "terminating on signal %d", s->signal);
	}
	s->stop_all = true;
	for (uint32_t i = s->first; i < s->end; i++)
		watch_stop(s, i, count > 1 ? 2 : 1);
}

/* "NAME (pid P): nothing came back for 30 s: in state D, call pwrite64, ..." */
static void watch_name(struct supervisor *s, uint32_t i, uint64_t silent_ns, const char *what)
{
	const struct shared_worker *sh = &s->shared.workers[i];
	struct task task = {0};
	char doing[160];

	task_look(&sysroot_real, sh->pid, sh->tid, &task);
	task_text(&task, doing, sizeof(doing));
	supervisor_say(s, RUN_WARNING, "%s (pid %d): %s for %.1f s; %u in flight; %s",
		s->plan->workers[i].name, sh->pid, what, (double)silent_ns / 1e9, sh->in_flight,
		doing);
	s->workers[i].named = true;
}

/* The kernel does not release it, not even to SIGKILL: go on without it. */
static void watch_abandon(struct supervisor *s, uint32_t i)
{
	struct supervised *sv = &s->workers[i];
	sv->gone = true;
	sv->end = END_STUCK;
	sv->died_ns = clock_now(&s->clock);
	supervisor_say(s, RUN_ERROR,
		"%s (pid %d): the kernel does not release it; weir goes on without it, the process "
		"ends when its call returns",
		s->plan->workers[i].name, s->shared.workers[i].pid);
}

static void watch_kill(struct supervisor *s, uint32_t i, uint64_t now)
{
	struct supervised *sv = &s->workers[i];
	kill(sv->pid, SIGKILL);
	sv->killed = true;
	sv->kill_ns = now;
}

/* Since when worker I should have ended: it was asked to, or its time is over.  A
 * sync at the end may take as long as it takes: much may have to be written. */
static uint64_t watch_overdue_since(const struct supervisor *s, uint32_t i)
{
	const struct supervised *sv = &s->workers[i];
	const struct shared_worker *sh = &s->shared.workers[i];
	const struct plan_time *pt = &s->plan->workers[i].time;

	if (sv->stop_ns)
		return sv->stop_ns;
	enum worker_phase phase = shared_phase(sh);
	if (pt->runtime_ns && sh->start_ns && phase != WORKER_SYNCING &&
		phase != WORKER_COMMAND && phase != WORKER_VERIFY)
		return !pt->ramp_bytes       ? sh->start_ns + pt->ramp_ns + pt->runtime_ns
		       : sh->window_start_ns ? sh->window_start_ns + pt->runtime_ns
					     : UINT64_MAX;
	return UINT64_MAX;
}

/* A worker past its end is waited for as long as something comes back.  Silence ends
 * that: soon when somebody asked for the end, after twice the time in which a hang is
 * named when nobody did (slow devices stall for half a minute). */
static void watch_overdue(struct supervisor *s, uint32_t i, uint64_t silent, uint64_t now)
{
	struct supervised *sv = &s->workers[i];
	bool hard = s->shared.workers[i].stop >= 2;
	uint64_t patience = hard          ? NS_PER_S / 2
			    : sv->stop_ns ? s->how->drain_ns
					  : 2 * s->how->hang_ns;

	if (sv->stop_ns)
		crew_wake(s, i); /* the first wake-up may have come before its call */
	if (silent <= patience)
		return;
	if (!hard || s->shared.workers[i].in_flight)
		watch_name(s, i, now - sv->moved_ns, "did not stop; silent");
	watch_kill(s, i, now);
}

static void watch_one(struct supervisor *s, uint32_t i, uint64_t now)
{
	struct supervised *sv = &s->workers[i];
	const struct shared_worker *sh = &s->shared.workers[i];
	enum worker_phase phase = shared_phase(sh);
	uint64_t progress = __atomic_load_n(&sh->progress, __ATOMIC_RELAXED) + phase;

	if (progress != sv->progress || (sv->halted_ns && !sv->stop_ns)) {
		sv->progress = progress;
		sv->moved_ns = now;
	}
	if (sv->killed) {
		if (now - sv->kill_ns > WATCH_KILL_WAIT_NS)
			watch_abandon(s, i);
		return;
	}
	uint64_t overdue = watch_overdue_since(s, i);
	bool late = overdue != UINT64_MAX && now > overdue;
	uint64_t silent = now -
			  MIN_OF(now, late ? MAX_OF(sv->moved_ns, overdue) : sv->moved_ns);
	bool waits = phase == WORKER_SETUP || phase == WORKER_SYNCING ||
		     (phase >= WORKER_RAMP && phase <= WORKER_DRAIN && sh->in_flight);

	if (waits && !sv->named && silent > s->how->hang_ns)
		watch_name(s, i, silent, "nothing came back");
	if (late)
		watch_overdue(s, i, silent, now);
}

void watch_hangs(struct supervisor *s)
{
	uint64_t now = clock_now(&s->clock);
	for (uint32_t i = s->first; i < s->end; i++)
		if (watch_alive(s, i))
			watch_one(s, i, now);
}
