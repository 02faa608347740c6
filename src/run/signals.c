/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "base/bits.h"
#include "base/err.h"
#include "base/log.h"
#include "run/run.h"
#include "run/supervisor.h"

#include <errno.h>
#include <signal.h>

static void signals_stop(int sig)
{
	log_stop_signal = sig;
	log_stop_count = log_stop_count + 1;
}

static void signals_child(int sig)
{
	(void)sig; /* it ends the supervisor's wait */
}

int run_signals_install(struct err *reterr)
{
	static const int stops[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
	struct sigaction sa = {.sa_handler = signals_stop}; /* no SA_RESTART */

	for (size_t i = 0; i < COUNT_OF(stops); i++)
		if (sigaction(stops[i], &sa, NULL) < 0)
			return err_sys(reterr, -errno, "signal %d", stops[i]);
	sa.sa_handler = signals_child;
	if (sigaction(SIGCHLD, &sa, NULL) < 0)
		return err_sys(reterr, -errno, "SIGCHLD");

	/* SIGUSR1 stays pending until the supervisor asks: no handler, no flag. */
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	if (sigprocmask(SIG_BLOCK, &set, NULL) < 0)
		return err_sys(reterr, -errno, "SIGUSR1");
	return 0;
}

bool signals_partial_asked(void)
{
	sigset_t set;
	struct timespec now = {0};

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	return sigtimedwait(&set, NULL, &now) == SIGUSR1;
}
