/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* threads: gives a synchronous engine a queue, by calling it from threads of its own,
 * one for each request that may be in flight (io_submit_mode=offload).
 *
 *	submit ──▶ todo: first in, first out ──▶ thread: perform ──▶ done ──▶ reap
 *	           futex `posted`                                   futex `finished`
 *
 * The lists have one lock, held for a few instructions.  A thread that has nothing to
 * do sleeps; the one who waits in reap() is woken by each completion. */
#include "base/bits.h"
#include "base/err.h"
#include "engine/ready.h"
#include "engine/shim/shim.h"
#include "engine/wait.h"

#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
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
	uint32_t in_flight;        /* the submitter's own                            */
	pthread_t *threads;
	uint32_t threads_count;
};

#define THREADS_IO_SIZE (2 * READY_SLOTS * sizeof(struct io *) + sizeof(pthread_t))

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
		unsigned got = quit ? 0 : ready_take(&tq->todo, &io, MIN_OF(ready_count(&tq->todo), 1u));
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

static void *threads_main(void *arg)
{
	struct queue *q = arg;
	struct threads_queue *tq = q->mine;
	struct io *io;

	while ((io = threads_next(tq)) != NULL) {
		call_perform(q->inner, io);
		pthread_mutex_lock(&tq->lock);
		ready_add(&tq->done, io);
		pthread_mutex_unlock(&tq->lock);
		__atomic_fetch_add(&tq->finished, 1, __ATOMIC_RELEASE);
		threads_futex(&tq->finished, FUTEX_WAKE, 1, NULL);
	}
	return NULL;
}

/* ---- the queue ---- */

static void threads_close(struct queue *q)
{
	struct threads_queue *tq = q->mine;

	pthread_mutex_lock(&tq->lock);
	tq->quit = true;
	tq->posted++;
	pthread_mutex_unlock(&tq->lock);
	threads_futex(&tq->posted, FUTEX_WAKE, INT32_MAX, NULL);
	for (uint32_t i = 0; i < tq->threads_count; i++)
		pthread_join(tq->threads[i], NULL);
	tq->threads_count = 0;
	pthread_mutex_destroy(&tq->lock);
}

static int threads_begin(struct queue *q, struct err *e)
{
	struct threads_queue *tq = q->mine;
	uint32_t count = MIN_OF(q->depth, (uint32_t)THREADS_MAX);
	pthread_attr_t attr;
	sigset_t all, before;
	int rc = 0;

	sigfillset(&all); /* signals are for the one who owns the queue */
	pthread_sigmask(SIG_SETMASK, &all, &before);
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, THREADS_STACK);
	for (uint32_t i = 0; i < count && rc == 0; i++) {
		rc = pthread_create(&tq->threads[i], &attr, threads_main, q);
		tq->threads_count += rc == 0;
	}
	pthread_attr_destroy(&attr);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (rc == 0)
		return 0;
	uint32_t made = tq->threads_count;
	threads_close(q);
	return err_set(e, -rc, "only %u of %u threads could be made: %s; use a smaller iodepth",
		made, count, strerror(rc));
}

static int threads_open(struct queue *q, struct err *e)
{
	struct threads_queue *tq = q->mine;
	struct io **slots = q->ios_mine;

	if (!(q->inner->engine->flags & ENGINE_PARALLEL))
		return err_set(e, -ENOTSUP, "%s can't be called from several threads; use psync or pvsync",
			q->inner->engine->name);
	ready_init(&tq->todo, slots, q->depth);
	ready_init(&tq->done, slots + (size_t)READY_SLOTS * q->depth, q->depth);
	tq->threads = (pthread_t *)(slots + (size_t)2 * READY_SLOTS * q->depth);
	pthread_mutex_init(&tq->lock, NULL);
	return threads_begin(q, e);
}

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
	return n;
}

static unsigned threads_collect(struct threads_queue *tq, struct io **done, unsigned max)
{
	pthread_mutex_lock(&tq->lock);
	unsigned got = ready_take(&tq->done, done, max);
	pthread_mutex_unlock(&tq->lock);
	tq->in_flight -= got;
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
		if (threads_futex(&tq->finished, FUTEX_WAIT, seen, &slice) < 0 && errno == EINTR) {
			got += threads_collect(tq, done + got, max - got);
			return got;
		}
	}
}

const struct engine engine_threads = {
	.name = "threads",
	.help = "Give the synchronous engine inside a queue, by calling it from threads",
	.flags = ENGINE_HIDDEN,
	.shim = true,
	.makes_queue = true,
	.queue_size = sizeof(struct threads_queue),
	.io_size = THREADS_IO_SIZE,
	.target = &target_shim,
	.queue_open = threads_open,
	.queue_close = threads_close,
	.submit = threads_submit,
	.reap = threads_reap,
};
