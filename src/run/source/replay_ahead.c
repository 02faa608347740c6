/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "run/source/replay_ahead.h"

#include "base/arena.h"
#include "base/bits.h"
#include "engine/engine.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <time.h>

#define AHEAD_NAP_NS     (NS_PER_MS / 2)
#define AHEAD_DUE_MAX    (UINT64_C(1) << 62)
#define AHEAD_PUBLISH    256                 /* records at a time                    */
#define AHEAD_TRIM_BYTES (UINT32_C(1) << 30) /* larger ones are several            */

/* The helper's own state. */
struct ahead_pass {
	struct replay_ahead *a;
	struct trace *trace;
	uint64_t head;    /* not published yet             */
	uint64_t base_ns; /* when this pass begins, at the trace's own speed */
	uint64_t records; /* of this pass                  */
};

static void ahead_nap(uint64_t ns)
{
	nanosleep(&(struct timespec){.tv_nsec = (long)ns}, NULL);
}

static bool ahead_quits(const struct replay_ahead *a)
{
	return __atomic_load_n(&a->quit, __ATOMIC_RELAXED);
}

static void ahead_publish(struct ahead_pass *p)
{
	__atomic_store_n(&p->a->head, p->head, __ATOMIC_RELEASE);
}

/* Wait for room; a quarter of the ring at once, so that waking is rare. */
static bool ahead_room(struct ahead_pass *p)
{
	struct replay_ahead *a = p->a;
	uint64_t size = a->mask + 1;

	if (p->head - __atomic_load_n(&a->tail, __ATOMIC_ACQUIRE) < size)
		return true;
	ahead_publish(p);
	while (p->head - __atomic_load_n(&a->tail, __ATOMIC_ACQUIRE) > size - size / 4) {
		if (ahead_quits(a))
			return false;
		ahead_nap(AHEAD_NAP_NS);
	}
	return true;
}

static bool ahead_put(struct ahead_pass *p, const struct replay_entry *e)
{
	if (!ahead_room(p))
		return false;
	p->a->slots[p->head++ & p->a->mask] = *e;
	if (p->head % AHEAD_PUBLISH == 0)
		ahead_publish(p);
	return true;
}

/* Is R what the plan has seen? */
static bool ahead_planned(const struct plan_replay *plan, const struct trace_record *r)
{
	if (r->name >= plan->names || plan->files[r->name] >= plan->paths_count)
		return false;
	if (r->action > TRACE_TRIM)
		return true;
	uint64_t end = plan->regions[plan->files[r->name]].bytes;
	return r->offset <= end && r->bytes <= end - r->offset && plan->ios[r->action] &&
	       (r->action == TRACE_TRIM || r->bytes <= plan->data_max);
}

/* One record; large trims are several. */
static bool ahead_record(struct ahead_pass *p, const struct trace_record *r)
{
	static const uint8_t kinds[TRACE_IO_ACTIONS] = {
		[TRACE_READ] = IO_READ,
		[TRACE_WRITE] = IO_WRITE,
		[TRACE_TRIM] = IO_TRIM,
		[TRACE_SYNC] = IO_FSYNC,
		[TRACE_DATASYNC] = IO_FDATASYNC,
	};
	const struct plan_replay *plan = p->a->plan;
	uint64_t done = 0;

	do {
		struct replay_entry e = {
			.due_ns = MIN_OF(AHEAD_DUE_MAX,
				mul_div(p->base_ns + r->time_ns, 100, plan->speed_percent)),
			.offset = r->offset + done,
			.bytes = (uint32_t)MIN_OF(r->bytes - done, (uint64_t)AHEAD_TRIM_BYTES),
			.what = plan->files[r->name] | (uint32_t)kinds[r->action]
							       << REPLAY_FILE_BITS,
		};
		if (!ahead_put(p, &e))
			return false;
		done += e.bytes;
	} while (done < r->bytes);
	p->records++;
	return true;
}

static int ahead_changed(const struct ahead_pass *p, struct err *reterr)
{
	char where[512];

	return err_set(reterr, -ESTALE,
		"%s: the trace isn't what it was when this run was planned: it changed meanwhile",
		trace_where(p->trace, where, sizeof(where)));
}

/* From the beginning of the trace to its end; false: that was all. */
static bool ahead_pass(struct ahead_pass *p, struct err *reterr)
{
	const struct plan_replay *plan = p->a->plan;
	struct trace_record r;
	int rc = 0;

	p->records = 0;
	if (trace_open(plan->inputs, plan->inputs_count, &p->trace, reterr) < 0)
		return false;
	while (!ahead_quits(p->a) && (rc = trace_next(p->trace, &r, reterr)) == 1) {
		if (r.action >= TRACE_IO_ACTIONS || !trace_map_apply(&plan->map, &r))
			continue;
		if (!ahead_planned(plan, &r))
			rc = ahead_changed(p, reterr);
		if (rc < 0 || !ahead_record(p, &r))
			break;
	}
	if (rc == 0 && !ahead_quits(p->a) && p->records != plan->records)
		rc = ahead_changed(p, reterr);
	trace_free(p->trace);
	return rc == 0 && !ahead_quits(p->a);
}

static void *ahead_main(void *arg)
{
	struct ahead_pass p = {.a = arg};
	const struct plan_replay *plan = p.a->plan;
	struct err error = {0};

	for (uint32_t pass = 0; !plan->loops || pass < plan->loops; pass++) {
		if (!ahead_pass(&p, &error))
			break;
		p.base_ns += plan->period_ns;
	}
	ahead_publish(&p);
	p.a->error = error;
	__atomic_store_n(&p.a->ended, 1, __ATOMIC_RELEASE);
	return NULL;
}

/* Signals are for the worker. */
static int ahead_start(struct replay_ahead *a)
{
	sigset_t all, before;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	int rc = pthread_create(&a->thread, NULL, ahead_main, a);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	a->running = rc == 0;
	return -rc;
}

struct replay_ahead *replay_ahead_new(struct arena *arena, const struct plan_worker *pw,
	struct err *reterr)
{
	const struct plan_replay *plan = &pw->replay;
	struct replay_ahead *a = arena_alloc(arena, sizeof(*a) + 64);
	struct replay_entry *slots = arena_array(arena, plan->ring, sizeof(*slots));

	if (!a || !slots) {
		err_set(reterr, -ENOMEM, "out of memory for the trace");
		return NULL;
	}
	a = (struct replay_ahead *)round_up((uintptr_t)a, 64);
	a->plan = plan;
	a->slots = slots;
	a->mask = plan->ring - 1;
	int rc = ahead_start(a);
	if (rc < 0) {
		err_sys(reterr, rc, "can't start the thread that reads the trace");
		return NULL;
	}
	while (!__atomic_load_n(&a->ended, __ATOMIC_ACQUIRE) &&
		__atomic_load_n(&a->head, __ATOMIC_ACQUIRE) <= a->mask)
		ahead_nap(50 * NS_PER_US);
	return a;
}

void replay_ahead_stop(struct replay_ahead *a, bool join)
{
	if (!a || !a->running)
		return;
	__atomic_store_n(&a->quit, 1, __ATOMIC_RELAXED);
	if (join)
		pthread_join(a->thread, NULL);
	a->running = !join;
}
