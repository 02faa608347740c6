/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* threads: gives any engine a queue whose submit never blocks, by using it from threads of
 * its own, one for each request that may be in flight (io_submit_mode=offload).
 *
 *	submit ──▶ todo: first in, first out ──▶ thread: does it ──▶ done ──▶ reap
 *	           futex `posted`                                   futex `finished`
 *
 * An engine whose perform may be called in parallel is just called; of others each thread
 * has a twin (twin.h), a queue of depth 1.
 *
 * The lists have one lock, held for a few instructions.  A thread that has nothing to
 * do sleeps; the one who waits in reap() is woken by each completion. */
#include "base/bits.h"
#include "base/err.h"
#include "engine/ready.h"
#include "engine/shim/shim.h"
#include "engine/shim/twin.h"
#include "engine/wait.h"

#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define THREADS_MAX   1024
#define THREADS_STACK (128 * 1024)

struct threads_queue {
	pthread_mutex_t lock;
	struct ready todo, done;
	uint32_t posted, finished; /* futexes: count what was put into each list     */
	uint32_t asleep;           /* threads that wait for `posted`                 */
	bool quit;
	uint32_t in_flight; /* the submitter's own                            */
	uint32_t *flying;   /* likewise, by target                            */
	struct threads_seat *seats;
	uint32_t seats_count; /* threads that were made                         */
	sem_t seated;         /* posted by each thread once it is ready or failed */
	struct twin_targets targets;
};

/* A thread. */
struct threads_seat {
	pthread_t thread;
	struct queue *outer;
	struct twin twin; /* without a queue: perform is called in parallel          */
	int rc;           /* of its start                                            */
	struct err err;
};

#define THREADS_IO_SIZE (2 * READY_SLOTS * sizeof(struct io *))

static long threads_futex(uint32_t *word, int op, uint32_t v, const struct timespec *timeout)
{
	return syscall(SYS_futex, word, op | FUTEX_PRIVATE_FLAG, v, timeout, NULL, 0);
}

/* ---- a thread ---- */

/* The next request; NULL: the end. */
static struct io *threads_next(struct threads_queue *tq)
{
	struct io *io = NULL;

	for (;;) {
		pthread_mutex_lock(&tq->lock);
		uint32_t seen = tq->posted;
		bool quit = tq->quit;
		unsigned got = quit ? 0
				    : ready_take(&tq->todo, &io,
					      MIN_OF(ready_count(&tq->todo), 1u));
		tq->asleep += !got && !quit;
		pthread_mutex_unlock(&tq->lock);
		if (got || quit)
			return io;
		threads_futex(&tq->posted, FUTEX_WAIT, seen, NULL);
		pthread_mutex_lock(&tq->lock);
		tq->asleep--;
		pthread_mutex_unlock(&tq->lock);
	}
}

/* False: the end has come before the request came back. */
static bool threads_do(struct threads_seat *seat, struct io *io)
{
	struct threads_queue *tq = seat->outer->mine;

	if (seat->twin.q)
		return twin_do(&seat->twin, io, &tq->quit);
	call_perform(seat->outer->inner, io);
	return true;
}

static void *threads_main(void *arg)
{
	struct threads_seat *seat = arg;
	struct threads_queue *tq = seat->outer->mine;
	struct io *io;

	if (seat->twin.inner)
		seat->rc = twin_open(&seat->twin, &seat->err);
	sem_post(&tq->seated);
	while (seat->rc == 0 && (io = threads_next(tq)) != NULL && threads_do(seat, io)) {
		pthread_mutex_lock(&tq->lock);
		ready_add(&tq->done, io);
		pthread_mutex_unlock(&tq->lock);
		__atomic_fetch_add(&tq->finished, 1, __ATOMIC_RELEASE);
		threads_futex(&tq->finished, FUTEX_WAKE, 1, NULL);
	}
	if (seat->twin.inner)
		twin_close(&seat->twin);
	return NULL;
}

/* ---- the queue ---- */

/* Requests that no thread has begun stay undone. */
static void threads_quit(struct threads_queue *tq)
{
	pthread_mutex_lock(&tq->lock);
	__atomic_store_n(&tq->quit, true, __ATOMIC_RELAXED);
	tq->posted++;
	pthread_mutex_unlock(&tq->lock);
	threads_futex(&tq->posted, FUTEX_WAKE, INT32_MAX, NULL);
	for (uint32_t i = 0; i < tq->seats_count; i++)
		pthread_join(tq->seats[i].thread, NULL);
	tq->seats_count = 0;
}

static void threads_close(struct queue *q)
{
	struct threads_queue *tq = q->mine;

	threads_quit(tq);
	pthread_mutex_destroy(&tq->lock);
	sem_destroy(&tq->seated);
	free(tq->seats);
	free(tq->flying);
	free(tq->targets.how);
	free(tq->targets.turn);
}

/* As many as can be made; signals are for the one who owns the queue. */
static int threads_make(struct threads_queue *tq, uint32_t count)
{
	pthread_attr_t attr;
	sigset_t all, before;
	int rc = 0;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, THREADS_STACK);
	for (uint32_t i = 0; i < count && rc == 0; i++) {
		rc = pthread_create(&tq->seats[i].thread, &attr, threads_main, &tq->seats[i]);
		tq->seats_count += rc == 0;
	}
	pthread_attr_destroy(&attr);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return -rc;
}

static int threads_begin(struct threads_queue *tq, uint32_t count, struct err *e)
{
	int rc = threads_make(tq, count);

	if (rc < 0)
		return err_set(e, rc,
			"only %u of %u threads could be made: %s; use a smaller iodepth",
			tq->seats_count, count, strerror(-rc));
	for (uint32_t i = 0; i < count; i++)
		while (sem_wait(&tq->seated) < 0)
			; /* a signal */
	for (uint32_t i = 0; i < count; i++) {
		if (tq->seats[i].rc == 0)
			continue;
		if (e)
			*e = tq->seats[i].err;
		err_within(e, "thread %u of %u", i + 1, count);
		return tq->seats[i].rc;
	}
	return 0;
}

static int threads_open(struct queue *q, struct err *e)
{
	struct threads_queue *tq = q->mine;
	struct io **slots = q->ios_mine;
	uint32_t count = MIN_OF(q->depth, (uint32_t)THREADS_MAX);
	bool twins = !(q->inner->engine->flags & ENGINE_PARALLEL);

	ready_init(&tq->todo, slots, q->depth);
	ready_init(&tq->done, slots + (size_t)READY_SLOTS * q->depth, q->depth);
	pthread_mutex_init(&tq->lock, NULL);
	sem_init(&tq->seated, 0, 0);
	tq->seats = calloc(count, sizeof(*tq->seats));
	tq->flying = calloc(q->targets_count + 1, sizeof(*tq->flying));
	tq->targets.how = calloc(q->targets_count + 1, sizeof(*tq->targets.how));
	tq->targets.turn = calloc(q->targets_count + 1, sizeof(*tq->targets.turn));
	if (!tq->seats || !tq->flying || !tq->targets.how || !tq->targets.turn) {
		threads_close(q);
		return err_set(e, -ENOMEM, "no memory for %u threads; use a smaller iodepth",
			count);
	}
	for (uint32_t i = 0; i < count; i++) {
		tq->seats[i].outer = q;
		if (twins)
			tq->seats[i].twin = (struct twin){
				.inner = q->inner, .worker = &tq->targets};
	}
	int rc = threads_begin(tq, count, e);
	if (rc < 0)
		threads_close(q);
	return rc;
}

static int threads_target_open(struct queue *q, struct target *t, const struct target_how *how,
	struct err *reterr)
{
	struct threads_queue *tq = q->mine;

	return twin_add(q->inner, &tq->targets, t, how, reterr);
}

/* A target whose requests are in flight is closed only when nobody waits for them any
 * more: then nothing may touch it. */
static void threads_target_close(struct queue *q, struct target *t)
{
	struct threads_queue *tq = q->mine;

	if (tq->flying[t->index])
		threads_quit(tq);
	twin_drop(q->inner, &tq->targets, t);
}

static int threads_invalidate(struct queue *q, struct target *t, const struct target_how *how)
{
	const struct target_ops *ops = q->inner->engine->target;

	return ops->invalidate ? ops->invalidate(q->inner, t, how) : 0;
}

static const struct target_ops threads_target = {
	.open = threads_target_open,
	.close = threads_target_close,
	.invalidate = threads_invalidate,
};

static unsigned threads_submit(struct queue *q, struct io **ios, unsigned n)
{
	struct threads_queue *tq = q->mine;

	pthread_mutex_lock(&tq->lock);
	for (unsigned i = 0; i < n; i++)
		ready_add(&tq->todo, ios[i]);
	tq->posted += n;
	uint32_t wake = MIN_OF(tq->asleep, n);
	pthread_mutex_unlock(&tq->lock);
	if (wake)
		threads_futex(&tq->posted, FUTEX_WAKE, wake, NULL);
	tq->in_flight += n;
	for (unsigned i = 0; i < n; i++)
		tq->flying[ios[i]->target->index]++;
	return n;
}

static unsigned threads_collect(struct threads_queue *tq, struct io **done, unsigned max)
{
	pthread_mutex_lock(&tq->lock);
	unsigned got = ready_take(&tq->done, done, max);
	pthread_mutex_unlock(&tq->lock);
	tq->in_flight -= got;
	for (unsigned i = 0; i < got; i++)
		tq->flying[done[i]->target->index]--;
	return got;
}

static unsigned threads_reap(struct queue *q, struct io **done, unsigned max, unsigned min,
	uint64_t until_ns)
{
	struct threads_queue *tq = q->mine;
	struct timespec slice;
	unsigned got = 0;

	for (;;) {
		uint32_t seen = __atomic_load_n(&tq->finished, __ATOMIC_ACQUIRE);
		got += threads_collect(tq, done + got, max - got);
		if (got >= min || !tq->in_flight || !wait_slice(q, until_ns, &slice))
			return got;
		if (threads_futex(&tq->finished, FUTEX_WAIT, seen, &slice) < 0 &&
			errno == EINTR) {
			got += threads_collect(tq, done + got, max - got);
			return got;
		}
	}
}

const struct engine engine_threads = {
	.name = "threads",
	.help = "Give the engine inside a queue, by using it from threads",
	.flags = ENGINE_HIDDEN,
	.shim = true,
	.makes_queue = true,
	.queue_size = sizeof(struct threads_queue),
	.io_size = THREADS_IO_SIZE,
	.target = &threads_target,
	.queue_open = threads_open,
	.queue_close = threads_close,
	.submit = threads_submit,
	.reap = threads_reap,
};
