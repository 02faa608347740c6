/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "run/supervisor.h"

#include "base/bits.h"
#include "base/err.h"
#include "base/log.h"
#include "run/exec.h"
#include "run/source/flow.h"
#include "run/idleness.h"
#include "run/observe.h"
#include "run/source/lockfile.h"
#include "run/logs/logs.h"
#include "run/source/overlap.h"
#include "result/environment.h"
#include "run/prepare/cgroups.h"
#include "run/prepare/disks.h"
#include "run/prepare/environment.h"
#include "run/prepare/guard.h"
#include "run/prepare/layout.h"
#include "run/prepare/limits.h"
#include "run/prepare/schedulers.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define SUPERVISOR_TURN_NS     (50 * NS_PER_MS) /* at most so long without a look */
#define SUPERVISOR_REST_NS     (NS_PER_MS / 2)  /* and at least that between interim reports */
#define SUPERVISOR_REST_MIN_NS (20 * NS_PER_US)
#define SUPERVISOR_REST_MAX_NS (20 * NS_PER_MS)

static uint64_t supervisor_boot_ns(void)
{
	struct timespec ts;
	clock_gettime(CLOCK_BOOTTIME, &ts);
	return (uint64_t)ts.tv_sec * NS_PER_S + (uint64_t)ts.tv_nsec;
}

/* How long the machine has slept since it started. */
static uint64_t supervisor_suspended_ns(void)
{
	uint64_t boot = supervisor_boot_ns(), mono = clock_kernel_ns();
	return boot > mono ? boot - mono : 0;
}

static bool supervisor_over(const struct supervisor *s, uint32_t i)
{
	return s->workers[i].gone || shared_phase(&s->shared.workers[i]) == WORKER_ENDED;
}

/* Worker I doesn't start, because of TEXT. */
static void supervisor_refuse(struct supervisor *s, uint32_t i, int code, const char *func,
	const char *text)
{
	struct shared_worker *sh = &s->shared.workers[i];

	sh->error = -code;
	snprintf(sh->error_func, sizeof(sh->error_func), "%s", func);
	snprintf(sh->error_text, sizeof(sh->error_text), "%.*s",
		(int)sizeof(sh->error_text) - 1, text);
	s->workers[i].gone = true;
	s->workers[i].end = END_NOT_RUN;
	shared_set_phase(sh, WORKER_ENDED);
}

/* exitall and its relatives: the end of worker I stops others. */
static void supervisor_spread_end(struct supervisor *s, uint32_t i)
{
	const struct plan_worker *pw = &s->plan->workers[i];
	bool bad = s->shared.workers[i].error || s->workers[i].end == END_KILLED;

	if (!pw->end.exitall && !(pw->end.exitall_on_error && bad))
		return;
	for (uint32_t j = s->first; j < s->end; j++)
		if (j != i && (pw->end.exit_what != EXIT_GROUP ||
				      s->plan->workers[j].group == pw->group))
			watch_stop(s, j, 1);
	if (pw->end.exit_what == EXIT_ALL)
		s->stop_all = true;
}

/* fio's line about the command of worker I, when it has one. */
static void supervisor_say_command(struct supervisor *s, uint32_t i, enum exec_when when)
{
	const struct plan_worker *pw = &s->plan->workers[i];
	char file[256], text[768];

	if (!(when == EXEC_BEFORE ? pw->process.prerun : pw->process.postrun))
		return;
	snprintf(text, sizeof(text), "%.256s : Saving output of %s in %s", pw->name,
		when == EXEC_BEFORE ? "prerun" : "postrun",
		exec_output(pw, when, file, sizeof(file)));
	supervisor_phase(s, RUN_START, text);
}

/* It was ended for a reason of ours: that is its error, as if it had said so. */
static void supervisor_take_reason(struct supervisor *s, uint32_t i)
{
	struct shared_worker *sh = &s->shared.workers[i];
	const struct supervised *sv = &s->workers[i];

	if (!sv->fail_code || sh->error)
		return;
	sh->error = sv->fail_code;
	snprintf(sh->error_func, sizeof(sh->error_func), "%s", sv->fail_func);
	snprintf(sh->error_text, sizeof(sh->error_text), "%s", sv->fail_text);
}

static void supervisor_ended(struct supervisor *s, uint32_t i)
{
	s->workers[i].ended = true;
	if (s->shared.places[i].flow)
		flow_leave(s->shared.places[i].flow);
	if (s->shared.places[i].overlap)
		overlap_clear(s->shared.places[i].overlap);
	supervisor_say_dumps(s, i);
	faults_say(s, i, true);
	supervisor_take_reason(s, i);
	collect_sets(s, i, true);
	logs_worker_over(s, i);
	if (s->shared.workers[i].start_ns && s->workers[i].end != END_KILLED)
		supervisor_say_command(s, i, EXEC_AFTER);
	supervisor_say_error(s, i);
	supervisor_spread_end(s, i);
	layout_unlink(s->layout, s->plan, i);
}

/* GATE becomes true when the gate must be opened for it. */
static void supervisor_release(struct supervisor *s, uint32_t i, bool *gate)
{
	struct shared_worker *sh = &s->shared.workers[i];
	const struct plan_end *pe = &s->plan->workers[i].end;

	if (__atomic_load_n(&sh->go, __ATOMIC_RELAXED))
		return;
	for (uint32_t *k = &s->workers[i].waited; *k < pe->wait_count; *k += 1) {
		const struct supervised *other = &s->workers[pe->wait_for[*k]];
		if (!other->ended && !other->gone)
			return;
	}
	supervisor_say_command(s, i, EXEC_BEFORE);
	__atomic_store_n(&sh->go, 1, __ATOMIC_RELEASE);
	if (pe->wait_count)
		shared_wake(&sh->go);
	else
		*gate = true;
}

/* Release the wave when all of it is ready. True once that has happened. */
static bool supervisor_barrier(struct supervisor *s)
{
	for (uint32_t i = s->first; i < s->end; i++)
		if (!supervisor_over(s, i) &&
			shared_phase(&s->shared.workers[i]) < WORKER_READY)
			return false;
	return true;
}

/* One look at everything. True while the wave has workers that are not over. */
static bool supervisor_turn(struct supervisor *s, bool *released)
{
	bool busy = false, gate = false;

	crew_reap(s);
	watch_signals(s);
	if (!*released && (*released = supervisor_barrier(s))) {
		observe_wave(s);
		s->view_ns = clock_now(&s->clock);
	}
	for (uint32_t i = s->first; i < s->end; i++) {
		if (s->workers[i].ended)
			continue;
		if (supervisor_over(s, i)) {
			supervisor_ended(s, i);
			continue;
		}
		busy = true;
		if (*released)
			supervisor_release(s, i, &gate);
		collect_sets(s, i, false);
		supervisor_say_dumps(s, i);
		faults_say(s, i, false);
	}
	if (gate)
		shared_open_gate(&s->shared);
	return busy;
}

static void supervisor_tick(struct supervisor *s)
{
	const struct run_sink *sink = s->how->sink;
	uint64_t now = clock_now(&s->clock);

	watch_hangs(s);
	logs_look(s);
	floor_look(s);
	steadiness_look(s);
	if (!sink)
		return;
	if (sink->tick && s->how->tick_ns && now >= s->tick_due_ns) {
		struct run_view view;
		view_make(s, &view);
		sink->tick(sink->ctx, &view);
		s->tick_due_ns = now + s->how->tick_ns;
	}
	pulse_give(s, false);
	bool asked = signals_partial_asked();
	if (sink->partial && ((s->how->partial_ns && now >= s->partial_due_ns) || asked)) {
		struct result *r = NULL;
		if (gather_result(s, false, &r, NULL) == 0)
			sink->partial(sink->ctx, r);
		result_free(r);
		s->partial_due_ns = now + s->how->partial_ns;
	}
}

/* After a look that took from BEGAN_NS to now: wait as long again, as the news of a
 * thousand workers are cheaper to see together than one by one. */
static void supervisor_rest(const struct supervisor *s, uint64_t began_ns)
{
	uint64_t took = clock_now(&s->clock) - began_ns;
	if (took < SUPERVISOR_REST_MIN_NS)
		return;
	took = MIN_OF(took, (uint64_t)SUPERVISOR_REST_MAX_NS);
	nanosleep(&(struct timespec){.tv_nsec = (long)took}, NULL); /* a signal ends it */
}

/* Processes that ended their work are reaped; one that can't exit is left. */
static void supervisor_bury(struct supervisor *s)
{
	uint64_t until = clock_now(&s->clock) + s->how->drain_ns;
	/* SIGCHLD ends a wait, but one may come just before it: short ones first. */
	uint64_t nap = 50 * NS_PER_US;

	for (uint32_t i = s->first;;) {
		uint32_t seen = __atomic_load_n(&s->shared.head->bell, __ATOMIC_ACQUIRE);
		uint64_t began = clock_now(&s->clock);
		crew_reap(s);
		while (i < s->end && s->workers[i].gone)
			i++;
		if (i == s->end || began > until)
			return;
		supervisor_rest(s, began);
		shared_wait(&s->shared, seen, nap);
		nap = MIN_OF(2 * nap, 5 * NS_PER_MS);
	}
}

static uint64_t supervisor_patience(const struct supervisor *s)
{
	uint64_t now = clock_now(&s->clock);
	uint64_t wait = SUPERVISOR_TURN_NS;

	if (s->how->partial_ns && s->partial_due_ns > now)
		wait = MIN_OF(wait, s->partial_due_ns - now);
	uint64_t settle = steadiness_due_ns(s);
	if (settle != UINT64_MAX)
		wait = MIN_OF(wait, settle - MIN_OF(settle, now));
	wait = MIN_OF(wait, pulse_wait(s));
	return MAX_OF(wait, SUPERVISOR_REST_NS);
}

/* A job whose disks can't have the scheduler it asks for doesn't start. */
static void supervisor_schedulers(struct supervisor *s)
{
	for (uint32_t i = s->first; i < s->end; i++) {
		struct err e;
		if (s->workers[i].gone)
			continue;
		int rc = schedulers_set(&s->schedulers, s->plan, &s->plan->workers[i], &e);
		if (rc < 0) {
			supervisor_refuse(s, i, rc, "iosched_switch", e.text);
			s->workers[i].started = true; /* as much as fio's, which fails inside */
		}
	}
}

static int supervisor_wave(struct supervisor *s, struct err *reterr)
{
	bool released = false;

	int rc = guard_claims_open(s->plan, s->wave, s->how, &s->claims, reterr);
	if (rc < 0)
		return rc;
	logs_start_wave(s);
	supervisor_schedulers(s);
	pulse_start(s);
	crew_start(s);
	for (;;) {
		uint32_t seen = __atomic_load_n(&s->shared.head->bell, __ATOMIC_ACQUIRE);
		uint64_t began = clock_now(&s->clock);
		if (!supervisor_turn(s, &released))
			break;
		if (released)
			observe_look(s, false);
		supervisor_tick(s);
		supervisor_rest(s, began);
		shared_wait(&s->shared, seen, supervisor_patience(s));
	}
	supervisor_bury(s);
	observe_look(s, true);
	logs_finish_wave(s);
	guard_claims_close(s->claims);
	s->claims = NULL;
	return 0;
}

/* Jobs whose files could not be laid out don't start; the others do. */
static void supervisor_layout_errors(struct supervisor *s)
{
	for (uint32_t i = 0; i < s->plan->workers_count; i++) {
		const struct plan_files *pf = &s->plan->workers[i].files;
		struct shared_worker *sh = &s->shared.workers[i];
		for (uint32_t k = 0; k < pf->count && !sh->error; k++) {
			int rc = layout_error(s->layout, pf->targets[k]);
			if (rc == 0)
				continue;
			supervisor_refuse(s, i, rc, "layout",
				layout_error_text(s->layout, pf->targets[k]));
			s->workers[i].ended = true;
			if (log_stop_signal)
				continue; /* the layout was only stopped */
			if (rc == -ENOSPC && !s->how->native)
				supervisor_say(s, RUN_INFO,
					"ENOSPC on laying out file, stopping");
			supervisor_say_error(s, i);
		}
	}
}

static int supervisor_run(struct supervisor *s, struct result **ret, struct err *reterr)
{
	int rc = layout_run(s->plan, s->how, &s->layout, reterr);
	if (rc < 0)
		return rc;
	supervisor_layout_errors(s);

	if (s->how->environment != RUN_ENV_NONE)
		s->environment = environment_of_plan(s->plan, &s->clock,
			s->how->environment == RUN_ENV_FULL);
	s->observe = observe_begin(s);
	s->cgroups = cgroups_note(s->plan);
	s->idleness = idleness_begin(s->how->idle);
	s->disks = s->plan->disk_util ? disks_start(s->plan) : NULL;
	s->began_ns = clock_now(&s->clock);
	s->partial_due_ns = s->began_ns + s->how->partial_ns;
	s->suspended_ns = supervisor_suspended_ns();
	supervisor_phase(s, RUN_RUNNING, "");
	logs_start_total(s);
	for (s->wave = 0; s->wave < s->plan->waves_count; s->wave++) {
		for (s->first = s->end; s->end < s->plan->workers_count; s->end++)
			if (s->plan->workers[s->end].wave != s->wave)
				break;
		watch_signals(s);
		if (s->stop_all)
			break;
		rc = supervisor_wave(s, reterr);
		if (rc < 0)
			return rc;
	}
	logs_finish_total(s);
	s->suspended_ns = supervisor_suspended_ns() - s->suspended_ns;
	s->observe_over = true;
	observe_after(s);
	pulse_give(s, true);
	supervisor_phase(s, RUN_DONE, "");
	return gather_result(s, true, ret, reterr);
}

static void supervisor_done(struct supervisor *s)
{
	collect_done(s);
	observe_free(s->observe);
	environment_free(s->environment);
	schedulers_restore(s->schedulers);
	cgroups_remove(s->cgroups);
	idleness_free(s->idleness);
	if (s->shared.lock_fd >= 0)
		close(s->shared.lock_fd);
	states_done(&s->shared.states, s->plan);
	shared_done(&s->shared);
	layout_free(s->layout);
	disks_free(s->disks);
	logs_free(s->logs);
	str_done(&s->states);
	for (uint32_t i = 0; i < s->messages_count; i++)
		free((void *)(uintptr_t)s->messages[i]);
	free(s->messages);
	arena_done(&s->arena);
}

int run_plan(const struct plan *plan, const struct run_how *how, struct result **ret,
	struct err *reterr)
{
	struct supervisor s = {.plan = plan, .how = how, .arena.shared = true};

	int rc = clock_init(&s.clock, plan->clock, reterr);
	if (rc == 0)
		rc = limits_check(plan, how, reterr);
	if (rc == 0)
		rc = guard_check(plan, how, reterr);
	if (rc == 0)
		rc = logs_check(plan, how->bandwidth_log, reterr);
	if (rc < 0)
		return rc;
	s.workers = arena_array(&s.arena, plan->workers_count + 1, sizeof(*s.workers));
	if (!s.workers)
		return err_set(reterr, -ENOMEM, "out of memory for %u jobs",
			plan->workers_count);
	rc = crew_pids_make(&s, reterr);
	if (rc == 0)
		rc = shared_make(&s.shared, plan, reterr);
	if (rc == 0)
		rc = states_begin(&s.shared.states, plan, &s.clock, reterr);
	s.shared.lock_fd = rc == 0 ? lockfile_make(plan) : -1;
	if (s.shared.lock_fd < -1)
		rc = err_sys(reterr, s.shared.lock_fd, "lockfile: can't make the locks");
	if (rc == 0)
		rc = collect_begin(&s, reterr);
	if (rc == 0)
		rc = pulse_begin(&s, reterr);
	if (rc == 0)
		rc = logs_begin(&s, reterr);
	if (rc == 0)
		rc = steadiness_begin(&s, reterr);
	if (rc == 0) {
		supervisor_say_start(&s);
		rc = supervisor_run(&s, ret, reterr);
	}
	supervisor_done(&s);
	return rc;
}
