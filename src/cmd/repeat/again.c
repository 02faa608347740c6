/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "cmd/repeat/again.h"

#include "base/bits.h"
#include "base/err.h"
#include "base/scope.h"
#include "cmd/cmd.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
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
	signal(SIGCHLD, SIG_DFL); /* one that was inherited as ignored would take the status away */
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

static void child_exec(char **argv, pid_t parent)
{
	sigset_t set;

	signals_of(&set, true);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		_exit(STATUS_SIGNAL);
	int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	if (null >= 0)
		dup2(null, STDOUT_FILENO);
	execv("/proc/self/exe", argv);
	perror("weir: /proc/self/exe");
	_exit(127);
}

static int status_of(int status)
{
	return WIFEXITED(status) ? WEXITSTATUS(status) : STATUS_SIGNAL;
}

/* Until PID has ended; signals that it has not had yet are passed on. */
static int child_wait(pid_t pid, bool *ret_stopped)
{
	sigset_t set;
	siginfo_t info;
	int status = 0;

	signals_of(&set, true);
	while (waitpid(pid, &status, WNOHANG) == 0) {
		if (sigwaitinfo(&set, &info) < 0 || info.si_signo == SIGCHLD)
			continue;
		*ret_stopped = true;
		if (info.si_code != SI_KERNEL)
			kill(pid, info.si_signo);
	}
	return status_of(status);
}

int again_run(char *const *words, size_t count, const char *file, int *ret_status,
	struct err *reterr)
{
	scope_mem char **argv = calloc(count + 5, sizeof(*argv));
	scope_mem char *output = NULL;
	static char program[] = "weir", verb[] = "run", format[] = "--output-format=json";
	bool stopped = false;
	size_t n = 0;

	if (!argv || asprintf(&output, "--output=%s", file) < 0)
		return err_set(reterr, -ENOMEM, "out of memory");
	argv[n++] = program;
	argv[n++] = verb;
	argv[n++] = format;
	argv[n++] = output;
	for (size_t i = 0; i < count; i++)
		argv[n++] = words[i];
	fflush(NULL);
	pid_t parent = getpid(), pid = fork();
	if (pid < 0)
		return err_sys(reterr, -errno, "fork");
	if (pid == 0)
		child_exec(argv, parent);
	*ret_status = child_wait(pid, &stopped);
	if (stopped)
		raise(SIGTERM); /* blocked: it stays for again_stopped() */
	return 0;
}
