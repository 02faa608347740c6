/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "cmd/again.h"

#include "base/bits.h"
#include "base/err.h"
#include "base/scope.h"
#include "cmd/cmd.h"
#include "sys/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void signals_of(sigset_t *set, bool child)
{
	static const int stops[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

	sigemptyset(set);
	for (size_t i = 0; i < COUNT_OF(stops); i++)
		sigaddset(set, stops[i]);
	if (child)
		sigaddset(set, SIGCHLD);
}

void again_begin(void)
{
	sigset_t set;
	signal(SIGCHLD,
		SIG_DFL); /* one that was inherited as ignored would take the status away */
	signals_of(&set, true);
	sigprocmask(SIG_BLOCK, &set, NULL);
}

/* The signal stays pending, so that it is seen by whoever asks next. */
bool again_stopped(void)
{
	sigset_t pending;
	static const int stops[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

	sigpending(&pending);
	for (size_t i = 0; i < COUNT_OF(stops); i++)
		if (sigismember(&pending, stops[i]))
			return true;
	return false;
}

/* Of the child: streams, and the death of its parent. */
static void child_begin(int out_fd, int log_fd, pid_t parent, bool outlives)
{
	sigset_t set;

	signals_of(&set, true);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	if (!outlives)
		prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (!outlives && getppid() != parent)
		_exit(STATUS_SIGNAL);
	if (out_fd >= 0)
		dup2(out_fd, STDOUT_FILENO);
	if (log_fd >= 0)
		dup2(log_fd, STDERR_FILENO);
}

/* ---- waiting ---- */

struct child {
	pid_t pid;
	bool command; /* leads a session of its own                         */
	bool patient; /* is ended by a second signal only, in all           */
	bool stopped; /* a signal came, before it or while it ran           */
};

static void child_signal(struct child *c, const siginfo_t *info)
{
	bool again = c->stopped;

	c->stopped = true;
	if (c->command && (again || !c->patient))
		kill(-c->pid, SIGTERM);
	else if (!c->command && info->si_code != SI_KERNEL)
		kill(c->pid, info->si_signo);
}

static int status_of(int status)
{
	return WIFEXITED(status) ? WEXITSTATUS(status) : STATUS_SIGNAL;
}

/* What is pending came before it, but for what is begun only as long as nothing has. */
static void child_pending(struct child *c)
{
	const struct timespec none = {0};
	sigset_t set;
	siginfo_t info;

	signals_of(&set, false);
	while (sigtimedwait(&set, &info, &none) > 0)
		if (c->patient)
			c->stopped = true;
		else
			child_signal(c, &info);
}

/* Until it has ended.  What came stays pending, for again_stopped(). */
static int child_wait(struct child *c)
{
	sigset_t set;
	siginfo_t info;
	int status = 0;

	child_pending(c);
	signals_of(&set, true);
	while (waitpid(c->pid, &status, WNOHANG) == 0)
		if (sigwaitinfo(&set, &info) >= 0 && info.si_signo != SIGCHLD)
			child_signal(c, &info);
	if (c->stopped)
		raise(SIGTERM);
	return status_of(status);
}

static int child_fork(struct child *c, struct err *reterr)
{
	fflush(NULL);
	c->pid = fork();
	return c->pid < 0 ? err_sys(reterr, -errno, "fork") : 0;
}

/* ---- what is run ---- */

static void run_exec(char **argv, int log_fd, pid_t parent)
{
	child_begin(open("/dev/null", O_WRONLY | O_CLOEXEC), log_fd, parent, false);
	execv("/proc/self/exe", argv);
	perror("weir: /proc/self/exe");
	_exit(127);
}

int again_run(char *const *words, size_t count, const char *file, int log_fd, int *ret_status,
	struct err *reterr)
{
	scope_mem char **argv = calloc(count + 5, sizeof(*argv));
	scope_mem char *output = NULL;
	static char program[] = "weir", verb[] = "run", format[] = "--output-format=json";
	struct child child = {0};
	pid_t parent = getpid();
	size_t n = 0;

	if (!argv || asprintf(&output, "--output=%s", file) < 0)
		return err_set(reterr, -ENOMEM, "out of memory");
	argv[n++] = program;
	argv[n++] = verb;
	argv[n++] = format;
	argv[n++] = output;
	for (size_t i = 0; i < count; i++)
		argv[n++] = words[i];
	int rc = child_fork(&child, reterr);
	if (rc < 0)
		return rc;
	if (child.pid == 0)
		run_exec(argv, log_fd, parent);
	*ret_status = child_wait(&child);
	return 0;
}

/* The shell and all that it starts are ended with this process, which is told when weir
 * dies. */
static int session_wait(pid_t shell)
{
	sigset_t set;
	int status = 0, signal;

	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGCHLD);
	while (waitpid(shell, &status, WNOHANG) == 0)
		if (sigwait(&set, &signal) == 0 && signal == SIGTERM) {
			struct timespec now = {0};
			kill(0, SIGTERM);
			sigdelset(&set, SIGCHLD);
			(void)sigtimedwait(&set, NULL, &now); /* its own copy */
			sigaddset(&set, SIGCHLD);
		}
	return status_of(status);
}

static void shell_exec(const char *script, bool patient, int log_fd, pid_t parent)
{
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
	sigset_t keep;

	setsid();
	if (null >= 0)
		dup2(null, STDIN_FILENO);
	child_begin(log_fd, log_fd, parent, patient);
	sigemptyset(&keep);
	sigaddset(&keep, SIGTERM);
	sigaddset(&keep, SIGCHLD);
	sigprocmask(SIG_BLOCK, &keep, NULL);
	pid_t shell = fork();
	if (shell > 0)
		_exit(session_wait(shell));
	sigprocmask(SIG_UNBLOCK, &keep, NULL);
	if (shell == 0)
		execl("/bin/sh", "sh", "-c", script, (char *)NULL);
	perror("weir: /bin/sh");
	_exit(127);
}

int again_shell(const char *script, bool patient, int log_fd, int *ret_status,
	struct err *reterr)
{
	struct child child = {.command = true, .patient = patient};
	pid_t parent = getpid();
	int rc = child_fork(&child, reterr);

	if (rc < 0)
		return rc;
	if (child.pid == 0)
		shell_exec(script, patient, log_fd, parent);
	*ret_status = child_wait(&child);
	return 0;
}

void again_pause(uint64_t ns)
{
	uint64_t until_ns = clock_kernel_ns() + ns;
	sigset_t set;

	signals_of(&set, false);
	while (!again_stopped()) {
		uint64_t now_ns = clock_kernel_ns();
		if (now_ns >= until_ns)
			return;
		uint64_t left_ns = until_ns - now_ns;
		struct timespec left = {.tv_sec = (time_t)(left_ns / NS_PER_S),
			.tv_nsec = (long)(left_ns % NS_PER_S)};
		if (sigtimedwait(&set, NULL, &left) > 0)
			raise(SIGTERM);
	}
}
