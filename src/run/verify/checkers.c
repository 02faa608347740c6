/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "run/verify/checkers.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>

#include "base/arena.h"
#include "base/bits.h"
#include "base/err.h"
#include "run/verify/verify.h"

/* What is to be checked, or, while it is spare, a buffer and cells. */
struct checkers_job {
	struct verify_slot slot;
};

struct checkers {
	struct verify *verify;
	pthread_mutex_t lock;
	pthread_cond_t more, less; /* something to do; something done */
	struct checkers_job *jobs;
	struct checkers_job **todo, **spare; /* todo: a ring of `count` */
	unsigned count, todo_at, todo_n, spare_n;
	bool over;
	pthread_t *threads;
	unsigned threads_n;
};

static void *checkers_main(void *arg)
{
	struct checkers *c = arg;

	pthread_mutex_lock(&c->lock);
	for (;;) {
		while (!c->todo_n && !c->over)
			pthread_cond_wait(&c->more, &c->lock);
		if (!c->todo_n)
			break;
		struct checkers_job *job = c->todo[c->todo_at];
		c->todo_at = (c->todo_at + 1) % c->count;
		c->todo_n--;
		pthread_mutex_unlock(&c->lock);
		verify_check(c->verify, &job->slot, job->slot.buf);
		pthread_mutex_lock(&c->lock);
		c->spare[c->spare_n++] = job;
		if (c->spare_n == c->count)
			pthread_cond_signal(&c->less);
	}
	pthread_mutex_unlock(&c->lock);
	return NULL;
}

static void checkers_place(const struct checkers *c, pthread_t thread)
{
	const struct opt_cpus *cpus = &c->verify->plan->cpus;
	cpu_set_t set;

	if (!cpus->count)
		return;
	CPU_ZERO(&set);
	for (unsigned i = 0; i < LIMIT_CPUS && i < CPU_SETSIZE; i++)
		if (cpus->bits[i / 64] >> i % 64 & 1)
			CPU_SET(i, &set);
	(void)pthread_setaffinity_np(thread, sizeof(set), &set);
}

/* The signal that wakes the worker is not for them. */
static int checkers_start(struct checkers *c, unsigned threads, struct err *reterr)
{
	sigset_t all, before;
	int rc = 0;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	while (c->threads_n < threads && rc == 0) {
		rc = pthread_create(&c->threads[c->threads_n], NULL, checkers_main, c);
		if (rc == 0)
			checkers_place(c, c->threads[c->threads_n++]);
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (rc == 0)
		return 0;
	checkers_end(c);
	return err_sys(reterr, -rc, "verify_async: can't start %u threads", threads);
}

struct checkers *checkers_new(struct arena *arena, struct verify *v, unsigned char *spare,
	unsigned count, size_t stride, unsigned cells, struct err *reterr)
{
	struct checkers *c = arena_alloc(arena, sizeof(*c));
	uint8_t *bytes = arena_array(arena, count, cells);
	const unsigned threads = v->plan->threads;

	if (c) {
		c->jobs = arena_array(arena, count, sizeof(*c->jobs));
		c->todo = arena_array(arena, count, sizeof(struct checkers_job *));
		c->spare = arena_array(arena, count, sizeof(struct checkers_job *));
		c->threads = arena_array(arena, threads, sizeof(*c->threads));
	}
	if (!c || !bytes || !c->jobs || !c->todo || !c->spare || !c->threads) {
		err_set(reterr, -ENOMEM, "out of memory for verify_async=%u", threads);
		return NULL;
	}
	c->verify = v;
	c->count = count;
	pthread_mutex_init(&c->lock, NULL);
	pthread_cond_init(&c->more, NULL);
	pthread_cond_init(&c->less, NULL);
	for (unsigned i = 0; i < count; i++) {
		c->jobs[i].slot.buf = spare + i * stride;
		c->jobs[i].slot.cells = bytes + (size_t)i * cells;
		c->spare[c->spare_n++] = &c->jobs[i];
	}
	return checkers_start(c, threads, reterr) == 0 ? c : NULL;
}

bool checkers_give(struct checkers *c, struct verify_slot *s)
{
	struct checkers_job *job = NULL;

	pthread_mutex_lock(&c->lock);
	if (c->spare_n)
		job = c->spare[--c->spare_n];
	pthread_mutex_unlock(&c->lock);
	if (!job)
		return false;
	const struct verify_slot fresh = job->slot;
	job->slot = *s;
	s->buf = fresh.buf;
	s->cells = fresh.cells;
	pthread_mutex_lock(&c->lock);
	c->todo[(c->todo_at + c->todo_n++) % c->count] = job;
	pthread_cond_signal(&c->more);
	pthread_mutex_unlock(&c->lock);
	return true;
}

void checkers_drain(struct checkers *c)
{
	pthread_mutex_lock(&c->lock);
	while (c->spare_n < c->count)
		pthread_cond_wait(&c->less, &c->lock);
	pthread_mutex_unlock(&c->lock);
}

void checkers_end(struct checkers *c)
{
	if (!c)
		return;
	pthread_mutex_lock(&c->lock);
	c->over = true;
	pthread_cond_broadcast(&c->more);
	pthread_mutex_unlock(&c->lock);
	for (unsigned i = 0; i < c->threads_n; i++)
		pthread_join(c->threads[i], NULL);
	c->threads_n = 0;
}
