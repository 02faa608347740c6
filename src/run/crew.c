/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "base/bits.h"
#include "base/err.h"
#include "base/log.h"
#include "run/logs/logs.h"
#include "run/prepare/guard.h"
#include "run/prepare/limits.h"
#include "run/slab.h"
#include "run/observe.h"
#include "run/supervisor.h"
#include "run/worker.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void crew_woken(int sig)
{
	(void)sig; /* its only purpose is to end a system call with EINTR */
}

static void crew_signals(void)
{
	static const int ignored[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGPIPE};
	struct sigaction sa = {.sa_handler = SIG_IGN};

	for (size_t i = 0; i < COUNT_OF(ignored); i++)
		sigaction(ignored[i], &sa, NULL);
	sa.sa_handler = crew_woken; /* no SA_RESTART */
	sigaction(SIGUSR2, &sa, NULL);
	sa.sa_handler = SIG_DFL;
	sigaction(SIGCHLD, &sa, NULL);
	sigset_t none;
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

/* A child obeys the stop flag, not the terminal; it dies with the supervisor. */
static void crew_child_signals(pid_t parent)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	crew_signals();
}

/* A worker that the kernel does not release must not keep the reader of our
 * stdout waiting: it lets go of it, and of stderr unless something in it talks. */
static void crew_let_go(bool talks)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	if (null < 0)
		return;
	dup2(null, STDIN_FILENO);
	dup2(null, STDOUT_FILENO);
	if (!talks && !log_areas)
		dup2(null, STDERR_FILENO);
	close(null);
}

void crew_become_helper(struct supervisor *s)
{
	crew_signals();
	crew_let_go(false);
	guard_claims_close(s->claims);
}

static bool crew_talks(const struct plan_worker *pw)
{
	const struct engine_chain *c = &pw->queue.chain;
	for (uint32_t i = 0; i < c->count; i++)
		if (c->link[i]->flags & ENGINE_TALKS)
			return true;
	return false;
}

static void crew_work(struct supervisor *s, uint32_t index, struct slab_room room)
{
	worker_main(&s->shared, s->plan, index, &s->clock, s->open_limit, s->how->started_ns,
		room);
}

/* Says so in its shared state; the supervisor itself also counts it as gone. */
static void crew_not_started(struct supervisor *s, uint32_t index, int code, const char *what)
{
	struct shared_worker *sh = &s->shared.workers[index];

	sh->error = -code;
	snprintf(sh->error_func, sizeof(sh->error_func), "%.31s", what);
	snprintf(sh->error_text, sizeof(sh->error_text), "%s: %s", what, strerror(-code));
	shared_set_phase(sh, WORKER_ENDED);
	shared_arrive(&s->shared);
}

/* ---- which worker is a process? ---- */

int crew_pids_make(struct supervisor *s, struct err *reterr)
{
	uint32_t slots = 64;

	while (slots < 2 * s->plan->workers_count)
		slots *= 2;
	s->pids = arena_array(&s->arena, slots, sizeof(*s->pids));
	if (!s->pids)
		return err_set(reterr, -ENOMEM, "out of memory for %u jobs",
			s->plan->workers_count);
	s->pids_mask = slots - 1;
	return 0;
}

static uint32_t crew_pid_slot(const struct supervisor *s, pid_t pid)
{
	return (uint32_t)pid * UINT32_C(2654435761) & s->pids_mask;
}

static void crew_pid_add(struct supervisor *s, pid_t pid, uint32_t index)
{
	uint32_t at = crew_pid_slot(s, pid);
	while (s->pids[at])
		at = (at + 1) & s->pids_mask;
	s->pids[at] = index + 1;
}

/* The worker, or the first thread of the host, whose process PID is; numbers of
 * processes that are gone may come again. */
static bool crew_pid_find(const struct supervisor *s, pid_t pid, uint32_t *ret)
{
	for (uint32_t at = crew_pid_slot(s, pid); s->pids[at]; at = (at + 1) & s->pids_mask) {
		const struct supervised *sv = &s->workers[s->pids[at] - 1];
		if (sv->pid != pid || sv->gone)
			continue;
		*ret = s->pids[at] - 1;
		return true;
	}
	return false;
}

/* ---- starting ---- */

static void crew_fork_process(struct supervisor *s, uint32_t index)
{
	struct supervised *sv = &s->workers[index];
	pid_t parent = getpid();
	pid_t pid = fork();

	if (pid < 0) {
		crew_not_started(s, index, -errno, "fork");
		sv->gone = true;
		return;
	}
	if (pid == 0) {
		crew_child_signals(parent);
		crew_let_go(crew_talks(&s->plan->workers[index]));
		guard_claims_close(s->claims); /* a stuck worker must not keep the device */
		s->open_limit = limits_open_files_of(s->plan, index);
		s->shared.workers[index].pid = getpid();
		crew_work(s, index, (struct slab_room){0});
		_exit(0);
	}
	sv->pid = pid;
	crew_pid_add(s, pid, index);
}

/* One thread of a host. */
struct crew_thread {
	struct supervisor *s;
	pthread_t thread;
	uint32_t index;
	struct slab_room room;
};

static void *crew_thread_main(void *arg)
{
	struct crew_thread *t = arg;
	crew_work(t->s, t->index, t->room);
	return NULL;
}

/* All that the largest of the wave's threads needs in its room. */
static size_t crew_room(const struct supervisor *s)
{
	uint64_t most = 0;

	for (uint32_t i = s->first; i < s->end; i++) {
		const struct plan_worker *pw = &s->plan->workers[i];
		uint64_t bytes = worker_buffers_bytes(pw) + pw->memory.align;
		if (pw->thread && bytes <= SLAB_BUFFERS)
			most = MAX_OF(most, bytes);
	}
	return SLAB_ARENA + most;
}

static int crew_thread_start(struct crew_thread *t, const struct slab *slab, uint32_t k)
{
	pthread_attr_t attr;
	size_t bytes;
	void *stack = slab_stack(slab, k, &bytes);

	int rc = pthread_attr_init(&attr);
	if (rc)
		return rc;
	rc = pthread_attr_setstack(&attr, stack, bytes);
	if (!rc)
		rc = pthread_create(&t->thread, &attr, crew_thread_main, t);
	pthread_attr_destroy(&attr);
	return rc;
}

static void crew_host_join(const struct crew_thread *t, const struct slab *slab, uint32_t k)
{
	struct shared_worker *sh = &t->s->shared.workers[t->index];

	pthread_join(t->thread, NULL);
	if (slab_intact(slab, k) || sh->error)
		return;
	sh->error = EFAULT;
	snprintf(sh->error_func, sizeof(sh->error_func), "stack");
	snprintf(sh->error_text, sizeof(sh->error_text),
		"the thread overflowed its stack of %d KiB: its figures can't be trusted; leave out "
		"thread",
		SLAB_STACK >> 10);
}

/* The host process of a wave's threads: makes them and waits for them. */
static void crew_host(struct supervisor *s, uint32_t count)
{
	struct arena arena = {0};
	struct crew_thread *threads = arena_array(&arena, count, sizeof(*threads));
	struct slab slab = {0};
	struct err e = {0};
	uint32_t n = 0;
	bool told = false;

	/* One heap for all: else the first threads would map one each. */
	mallopt(M_ARENA_MAX, 1);
	int made = slab_make(&slab, count, crew_room(s), &e);
	for (uint32_t i = s->first; i < s->end; i++) {
		if (!s->plan->workers[i].thread || s->workers[i].gone)
			continue;
		s->shared.workers[i].pid = getpid();
		int rc = threads ? -made : ENOMEM;
		if (!rc) {
			threads[n] = (struct crew_thread){
				.s = s, .index = i, .room = slab_room(&slab, n)};
			rc = crew_thread_start(&threads[n], &slab, n);
		}
		if (rc) {
			crew_not_started(s, i, -rc, made < 0 ? "mmap" : "pthread_create");
			if (made < 0) /* one sentence, which is about all of them */
				snprintf(s->shared.workers[i].error_text,
					sizeof(s->shared.workers[i].error_text), "%.383s",
					told ? "" : e.text);
			told = true;
			shared_ring(&s->shared);
			continue;
		}
		n++;
	}
	for (uint32_t i = 0; i < n; i++)
		crew_host_join(&threads[i], &slab, i);
}

static void crew_fork_host(struct supervisor *s, uint32_t count)
{
	pid_t parent = getpid();
	pid_t pid = fork();

	if (pid == 0) {
		bool talks = false;
		crew_child_signals(parent);
		for (uint32_t i = s->first; i < s->end; i++) {
			if (!s->plan->workers[i].thread)
				continue;
			talks |= crew_talks(&s->plan->workers[i]);
			if (!s->open_limit) /* the same for all of one host */
				s->open_limit = limits_open_files_of(s->plan, i);
		}
		crew_let_go(talks);
		guard_claims_close(s->claims);
		crew_host(s, count);
		_exit(0);
	}
	int code = -errno;
	bool known = false;
	for (uint32_t i = s->first; i < s->end; i++) {
		if (!s->plan->workers[i].thread || s->workers[i].gone)
			continue;
		if (pid < 0) {
			crew_not_started(s, i, code, "fork");
			s->workers[i].gone = true;
		} else if (!known)
			crew_pid_add(s, pid, i);
		known = true;
		s->workers[i].pid = pid;
	}
}

void crew_start(struct supervisor *s)
{
	uint32_t threads = 0, all = 0;

	for (uint32_t i = s->first; i < s->end; i++)
		all += !s->workers[i].gone;
	shared_expect(&s->shared, all);
	fflush(NULL); /* or children would hold a copy of what is buffered */
	for (uint32_t i = s->first; i < s->end; i++) {
		if (s->workers[i].gone)
			continue;
		s->workers[i].started = true;
		s->workers[i].moved_ns = clock_now(&s->clock);
		if (s->plan->workers[i].thread)
			threads++;
		else
			crew_fork_process(s, i);
	}
	if (threads)
		crew_fork_host(s, threads);
}

/* SIGNAL ended it; 0: it ended by itself. */
static void crew_child_ended(struct supervisor *s, struct supervised *sv, int signal)
{
	uint32_t index = (uint32_t)(sv - s->workers);
	struct shared_worker *sh = &s->shared.workers[index];

	sv->gone = true;
	sv->died_ns = clock_now(&s->clock);
	if (shared_phase(sh) == WORKER_ENDED)
		return;
	sv->end = END_KILLED;
	sv->signal = signal;
}

static bool crew_halts(const siginfo_t *news)
{
	return news->si_code == CLD_STOPPED || news->si_code == CLD_TRAPPED;
}

static bool crew_ends(const siginfo_t *news)
{
	return !crew_halts(news) && news->si_code != CLD_CONTINUED;
}

static int crew_signal(const siginfo_t *news)
{
	return news->si_code == CLD_EXITED ? 0 : news->si_status;
}

static void crew_child_changed(struct supervisor *s, const siginfo_t *news)
{
	uint64_t now = clock_now(&s->clock);
	uint32_t first;

	if (!crew_pid_find(s, news->si_pid, &first))
		return;
	for (uint32_t i = first; i < s->end; i++) {
		struct supervised *sv = &s->workers[i];
		if (sv->pid != news->si_pid || sv->gone)
			continue;
		if (crew_ends(news)) {
			crew_child_ended(s, sv, crew_signal(news));
		} else if (crew_halts(news)) {
			sv->halted_ns = now;
		} else {
			if (sv->halted_ns)
				sv->halted_total_ns += now - sv->halted_ns;
			sv->halted_ns = 0;
		}
		if (!s->plan->workers[i].thread)
			break;
	}
}

/* What /proc tells of an ended process is gone when it was waited for: so each is looked at
 * first, and then it and no other is waited for, as more may have ended meanwhile. */
void crew_reap(struct supervisor *s)
{
	for (;;) {
		siginfo_t news = {0};
		if (waitid(P_ALL, 0, &news,
			    WEXITED | WSTOPPED | WCONTINUED | WNOHANG | WNOWAIT) < 0 ||
			!news.si_pid)
			return;
		bool ended = crew_ends(&news);
		if (ended)
			observe_ended(s, news.si_pid);
		int kinds = ended ? WEXITED : WSTOPPED | WCONTINUED;
		if (waitid(P_PID, (id_t)news.si_pid, &news, kinds | WNOHANG) < 0)
			return;
		if (!news.si_pid)
			continue; /* it was stopped, and isn't any more */
		if (!ended || !logs_child_ended(s, news.si_pid, crew_signal(&news)))
			crew_child_changed(s, &news);
	}
}

void crew_wake(struct supervisor *s, uint32_t worker)
{
	struct shared_worker *sh = &s->shared.workers[worker];
	struct supervised *sv = &s->workers[worker];

	__atomic_store_n(&sh->go, 1, __ATOMIC_RELEASE);
	if (sv->started && !sv->gone && sh->tid)
		syscall(SYS_tgkill, sv->pid, sh->tid, SIGUSR2);
}
