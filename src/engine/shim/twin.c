/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "engine/shim/twin.h"

#include "base/err.h"
#include "engine/call.h"
#include "engine/wait.h"

#include <errno.h>
#include <sched.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define TWIN_PAUSE_NS NS_PER_MS

/* ---- its queue ---- */

int twin_open(struct twin *w, struct err *reterr)
{
	const struct queue *inner = w->inner;

	w->targets = calloc(inner->targets_count + 1, sizeof(*w->targets));
	w->turn = calloc(inner->targets_count + 1, sizeof(*w->turn));
	if (!w->targets || !w->turn)
		return err_set(reterr, -ENOMEM, "no memory for %u targets in each thread",
			inner->targets_count);
	for (uint32_t i = 0; i < inner->targets_count; i++) {
		w->targets[i] = inner->targets[i];
		w->targets[i].fd = -1;
		w->targets[i].mine = NULL;
	}
	int rc = queue_twin(inner, &w->io, w->targets, &w->q, reterr);
	if (rc < 0)
		return rc;
	const struct engine *base = queue_base(w->q);
	w->performs = call_can_perform(w->q);
	w->opens = base->target != &target_posix || base->flags & ENGINE_SEATED;
	return 0;
}

/* ---- its targets ---- */

static int twin_know(struct queue *q, struct target *t, struct err *reterr)
{
	int rc = q->inner ? twin_know(q->inner, t, reterr) : 0;

	return rc == 0 && q->engine->target_added ? q->engine->target_added(q, t, reterr) : rc;
}

static void twin_forget(struct queue *q, struct target *t)
{
	if (q->engine->target_gone)
		q->engine->target_gone(q, t);
	if (q->inner)
		twin_forget(q->inner, t);
}

static void twin_leave(struct twin *w, struct target *mine)
{
	if (!(w->turn[mine->index] & 1))
		return;
	if (w->opens)
		call_target_close(w->q, mine);
	else
		twin_forget(w->q, mine);
	w->turn[mine->index] = 0;
}

/* T was opened or closed since this twin last saw it. */
static __attribute__((noinline)) int twin_follow(struct twin *w, const struct target *t,
	struct target *mine)
{
	struct target_how how = w->worker->how[t->index];
	void *keep = mine->mine;
	struct err e;

	twin_leave(w, mine);
	if (!(w->worker->turn[t->index] & 1))
		return -EBADF; /* closed: what an engine would say of its descriptor */
	*mine = *t;
	mine->mine = keep;
	how.create = how.invalidate = false; /* done when the worker opened it */
	if (w->opens)
		mine->fd = -1;
	int rc = w->opens ? call_target_open(w->q, mine, &how, &e) : twin_know(w->q, mine, &e);
	if (rc == 0)
		w->turn[t->index] = w->worker->turn[t->index];
	return rc;
}

int twin_add(struct queue *inner, struct twin_targets *worker, struct target *t,
	const struct target_how *how, struct err *reterr)
{
	int rc = call_target_open(inner, t, how, reterr);

	if (rc == 0) {
		worker->how[t->index] = *how;
		worker->turn[t->index]++;
	}
	return rc;
}

void twin_drop(struct queue *inner, struct twin_targets *worker, struct target *t)
{
	worker->turn[t->index]++;
	call_target_close(inner, t);
}

/* ---- its requests ---- */

/* reap() comes back early when the worker is to stop, and that is not the end of what is
 * in flight. */
static bool twin_wait(struct twin *w, const bool *quit)
{
	const struct timespec pause = {0, TWIN_PAUSE_NS};
	struct io *done = &w->io;

	while (call_submit(w->q, &done, 1) == 0) {
		if (__atomic_load_n(quit, __ATOMIC_RELAXED))
			return false;
		sched_yield();
	}
	while (call_reap(w->q, &done, 1, 1, UINT64_MAX) == 0) {
		if (__atomic_load_n(quit, __ATOMIC_RELAXED))
			return false;
		if (queue_stopped(w->q))
			nanosleep(&pause, NULL);
	}
	return true;
}

bool twin_do(struct twin *w, struct io *io, const bool *quit)
{
	struct target *mine = &w->targets[io->target->index];

	if (unlikely(w->turn[mine->index] != w->worker->turn[mine->index])) {
		int rc = twin_follow(w, io->target, mine);
		if (rc < 0) {
			io->res = rc;
			return true;
		}
	}
	memcpy(&w->io, io, offsetof(struct io, submitted_ns)); /* T1 is being written now */
	w->io.slot = 0;
	w->io.target = mine;
	if (w->performs)
		call_perform(w->q, &w->io);
	else if (!twin_wait(w, quit))
		return false;
	io->res = w->io.res;
	return true;
}

void twin_close(struct twin *w)
{
	for (uint32_t i = 0; w->q && i < w->inner->targets_count; i++)
		twin_leave(w, &w->targets[i]);
	queue_free(w->q);
	free(w->targets);
	free(w->turn);
	*w = (struct twin){0};
}
