/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "base/bits.h"
#include "base/err.h"
#include "base/log.h"
#include "run/prepare/guard.h"
#include "run/prepare/limits.h"
#include "run/supervisor.h"
#include "run/worker.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define CREW_STACK (256 * 1024)

static void crew_woken(int sig)
{
	(void)sig; /* its only purpose is to end a system call with EINTR */
}

/* A child obeys the stop flag, not the terminal; it dies with the supervisor. */
static void crew_child_signals(pid_t parent)
{
	static const int ignored[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGPIPE};
	struct sigaction sa = {.sa_handler = SIG_IGN};

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
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

static bool crew_talks(const struct plan_worker *pw)
{
	const struct engine_chain *c = &pw->queue.chain;
	for (uint32_t i = 0; i < c->count; i++)
		if (c->link[i]->flags & ENGINE_TALKS)
			return true;
	return false;
}

static void crew_work(struct supervisor *s, uint32_t index)
{
	worker_main(&s->shared, s->plan, index, &s->clock, s->open_limit, s->how->started_ns);
}

static void crew_not_started(struct supervisor *s, uint32_t index, int code, const char *what)
{
	struct shared_worker *sh = &s->shared.workers[index];

	sh->error = -code;
	snprintf(sh->error_func, sizeof(sh->error_func), "%s", what);
	snprintf(sh->error_text, sizeof(sh->error_text), "%s: %s", what, strerror(-code));
	s->workers[index].gone = true;
	shared_set_phase(sh, WORKER_ENDED);
}

static void crew_fork_process(struct supervisor *s, uint32_t index)
{
	struct supervised *sv = &s->workers[index];
	pid_t parent = getpid();
	pid_t pid = fork();

	if (pid < 0) {
		crew_not_started(s, index, -errno, "fork");
		return;
	}
	if (pid == 0) {
		crew_child_signals(parent);
		crew_let_go(crew_talks(&s->plan->workers[index]));
		guard_claims_close(s->claims); /* a stuck worker must not keep the device */
		s->open_limit = limits_open_files_of(s->plan, index);
		s->shared.workers[index].pid = getpid();
		crew_work(s, index);
		_exit(0);
	}
	sv->pid = pid;
}

/* One thread of a host. */
struct crew_thread {
	struct supervisor *s;
	pthread_t thread;
	uint32_t index;
	bool created;
};

static void *crew_thread_main(void *arg)
{
	struct crew_thread *t = arg;
	crew_work(t->s, t->index);
	return NULL;
}

/* The host process of a wave's threads: makes them and waits for them. */
static void crew_host(struct supervisor *s, uint32_t count)
{
	struct crew_thread *threads = calloc(count, sizeof(*threads));
	pthread_attr_t attr;
	uint32_t n = 0;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, CREW_STACK);
	for (uint32_t i = s->first; i < s->end; i++) {
		if (!s->plan->workers[i].thread || s->workers[i].gone)
			continue;
		s->shared.workers[i].pid = getpid();
		int rc = threads ? 0 : ENOMEM;
		if (!rc) {
			threads[n] = (struct crew_thread){.s = s, .index = i};
			rc = pthread_create(&threads[n].thread, &attr, crew_thread_main, &threads[n]);
		}
		if (rc) {
			crew_not_started(s, i, -rc, "pthread_create");
			shared_ring(&s->shared);
			continue;
		}
		threads[n++].created = true;
	}
	for (uint32_t i = 0; i < n; i++)
		pthread_join(threads[i].thread, NULL);
	free(threads);
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
	for (uint32_t i = s->first; i < s->end; i++) {
		if (!s->plan->workers[i].thread || s->workers[i].gone)
			continue;
		if (pid < 0)
			crew_not_started(s, i, code, "fork");
		s->workers[i].pid = pid;
	}
}

void crew_start(struct supervisor *s)
{
	uint32_t threads = 0;

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

static void crew_child_ended(struct supervisor *s, struct supervised *sv, int status)
{
	uint32_t index = (uint32_t)(sv - s->workers);
	struct shared_worker *sh = &s->shared.workers[index];

	sv->gone = true;
	sv->died_ns = clock_now(&s->clock);
	if (shared_phase(sh) == WORKER_ENDED)
		return;
	sv->end = END_KILLED;
	sv->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

static void crew_child_changed(struct supervisor *s, pid_t pid, int status)
{
	uint64_t now = clock_now(&s->clock);

	for (uint32_t i = s->first; i < s->end; i++) {
		struct supervised *sv = &s->workers[i];
		if (sv->pid != pid || sv->gone)
			continue;
		if (WIFSTOPPED(status)) {
			sv->halted_ns = now;
		} else if (WIFCONTINUED(status)) {
			if (sv->halted_ns)
				sv->halted_total_ns += now - sv->halted_ns;
			sv->halted_ns = 0;
		} else {
			crew_child_ended(s, sv, status);
		}
		if (!s->plan->workers[i].thread)
			break;
	}
}

void crew_reap(struct supervisor *s)
{
	for (;;) {
		int status;
		pid_t pid = waitpid(-1, &status, WNOHANG | WUNTRACED | WCONTINUED);
		if (pid <= 0)
			return;
		crew_child_changed(s, pid, status);
	}
}

void crew_wake(struct supervisor *s, uint32_t worker)
{
	struct shared_worker *sh = &s->shared.workers[worker];
	struct supervised *sv = &s->workers[worker];

	if (!__atomic_load_n(&sh->go, __ATOMIC_RELAXED)) {
		sh->go_ns = clock_now(&s->clock);
		__atomic_store_n(&sh->go, 1, __ATOMIC_RELEASE);
		syscall(SYS_futex, &sh->go, FUTEX_WAKE, INT32_MAX, NULL, NULL, 0);
	}
	if (sv->started && !sv->gone && sh->tid)
		syscall(SYS_tgkill, sv->pid, sh->tid, SIGUSR2);
}
