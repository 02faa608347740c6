/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "sys/apart.h"

#include "base/bits.h"
#include "base/scope.h"
#include "sys/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

struct apart {
	int (*work)(void *ctx, void *room);
	void *ctx, *shared;
	int to; /* its answer */
};

static void child(const struct apart *a)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		close(fd); /* nobody waits for the end of a stream that we hold */
	int rc = a->work(a->ctx, a->shared);
	_exit(write(a->to, &rc, sizeof(rc)) != (ssize_t)sizeof(rc));
}

static int answer(int from, uint64_t timeout_ns)
{
	uint64_t end = clock_kernel_ns() + timeout_ns, now;
	struct pollfd p = {.fd = from, .events = POLLIN};
	int ready = 0, rc;

	while (ready <= 0 && (now = clock_kernel_ns()) < end)
		ready = poll(&p, 1, (int)MIN_OF((end - now) / NS_PER_MS + 1, UINT64_C(1000)));
	if (ready <= 0)
		return -ETIMEDOUT;
	return read(from, &rc, sizeof(rc)) == (ssize_t)sizeof(rc) ? rc : -EIO;
}

static int run_in(const struct apart *a, int ends[2], uint64_t timeout_ns)
{
	scope_fd int from = ends[0], to = ends[1];
	pid_t pid = fork();

	if (pid < 0)
		return -errno;
	if (pid == 0)
		child(a);
	close(keep_fd(&to));
	int rc = answer(from, timeout_ns);
	if (rc == -ETIMEDOUT) {
		kill(pid, SIGKILL);
		waitpid(pid, NULL, WNOHANG); /* in the kernel's hands it can't end */
		return rc;
	}
	waitpid(pid, NULL, 0);
	return rc;
}

int apart_run(int (*work)(void *ctx, void *room), void *ctx, void *room, size_t size,
	uint64_t timeout_ns)
{
	int ends[2];
	void *shared = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (shared == MAP_FAILED)
		return -errno;
	if (pipe2(ends, O_CLOEXEC) < 0) {
		munmap(shared, size);
		return -errno;
	}
	const struct apart a = {.work = work, .ctx = ctx, .shared = shared, .to = ends[1]};
	int rc = run_in(&a, ends, timeout_ns);
	memcpy(room, shared, size);
	munmap(shared, size);
	return rc;
}
