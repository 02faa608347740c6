/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "run/exec.h"

#include "plan/plan.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define EXEC_NAP_NS 10000000L
#define EXEC_NAPS   200 /* from SIGTERM to SIGKILL: 2 s */

const char *exec_output(const struct plan_worker *pw, enum exec_when when, char *buf,
	unsigned size)
{
	snprintf(buf, size, "%s.%s.txt", pw->name, when == EXEC_BEFORE ? "prerun" : "postrun");
	return buf;
}

/* In the child of a process that may have other threads: system calls only. */
static void exec_child(const char *command, int out)
{
	static const int reset[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGPIPE};
	int in = open("/dev/null", O_RDONLY);

	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (size_t i = 0; i < sizeof(reset) / sizeof(reset[0]); i++)
		signal(reset[i], SIG_DFL);
	if (in < 0 || dup2(in, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0 ||
		dup2(out, STDERR_FILENO) < 0)
		_exit(126);
	execl("/bin/sh", "sh", "-c", command, (char *)NULL);
	_exit(127);
}

/* Ask PID's group to end, then make it. */
static void exec_end(pid_t pid)
{
	const struct timespec nap = {.tv_nsec = EXEC_NAP_NS};

	kill(-pid, SIGTERM);
	for (int i = 0; i < EXEC_NAPS; i++) {
		if (waitpid(pid, NULL, WNOHANG) != 0)
			return;
		nanosleep(&nap, NULL);
	}
	kill(-pid, SIGKILL);
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
}

int exec_run(const char *command, const char *output, const volatile uint32_t *stop)
{
	int out = open(output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	int status;

	if (out < 0)
		return -errno;
	pid_t pid = fork();
	if (pid == 0)
		exec_child(command, out);
	int code = -errno;
	close(out);
	if (pid < 0)
		return code;
	setpgid(pid, pid); /* whoever is first */
	/* A stop comes with a signal, which is repeated until it is obeyed. */
	while (waitpid(pid, &status, 0) < 0) {
		if (errno != EINTR)
			return -errno;
		if (!*stop)
			continue;
		exec_end(pid);
		return -ECANCELED;
	}
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
