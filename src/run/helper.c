/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "run/helper.h"

#include <errno.h>
#include <signal.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define HELPER_NAP_NS 500000L

int helper_run(int (*fn)(void *arg), void *arg, uint64_t timeout_ns)
{
	static const int quiet[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1};
	const struct timespec nap = {.tv_nsec = HELPER_NAP_NS};
	pid_t pid = fork();
	int status;

	if (pid < 0)
		return -errno;
	if (pid == 0) {
		for (size_t i = 0; i < sizeof(quiet) / sizeof(quiet[0]); i++)
			signal(quiet[i], SIG_IGN);
		_exit(-fn(arg));
	}
	for (uint64_t left = timeout_ns / HELPER_NAP_NS; left; left--) {
		pid_t gone = waitpid(pid, &status, WNOHANG);
		if (gone == pid)
			return WIFEXITED(status) ? -WEXITSTATUS(status) : -EINTR;
		nanosleep(&nap, NULL);
	}
	return -ETIMEDOUT;
}
