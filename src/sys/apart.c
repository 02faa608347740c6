/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "sys/apart.h"

#include "base/bits.h"
#include "base/scope.h"
#include "sys/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static void child(int (*work)(void *ctx, void *room), void *ctx, void *room, int to)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	/* When we hang nobody waits for the end of a stream or pipe that we hold. */
	if (to > 0)
		close_range(0, (unsigned)to - 1, 0);
	close_range((unsigned)to + 1, UINT_MAX, 0);
	int rc = work(ctx, room);
	_exit(write(to, &rc, sizeof(rc)) != (ssize_t)sizeof(rc));
}

int apart_begin(struct apart *a, int (*work)(void *ctx, void *room), void *ctx, size_t size)
{
	int ends[2];
	void *room = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		0);

	if (room == MAP_FAILED)
		return -errno;
	if (pipe2(ends, O_CLOEXEC) < 0) {
		munmap(room, size);
		return -errno;
	}
	pid_t pid = fork();
	if (pid == 0)
		child(work, ctx, room, ends[1]);
	int rc = pid < 0 ? -errno : 0;
	close(ends[1]);
	if (rc < 0) {
		close(ends[0]);
		munmap(room, size);
		return rc;
	}
	*a = (struct apart){.room = room, .size = size, .pid = pid, .from = ends[0]};
	return 0;
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

int apart_end(struct apart *a, void *room, uint64_t timeout_ns)
{
	int rc = answer(a->from, timeout_ns);

	if (rc == -ETIMEDOUT) {
		kill(a->pid, SIGKILL);
		waitpid(a->pid, NULL, WNOHANG); /* in the kernel's hands it can't end */
	} else {
		waitpid(a->pid, NULL, 0);
	}
	if (room)
		memcpy(room, a->room, a->size);
	munmap(a->room, a->size);
	close(a->from);
	*a = (struct apart){0};
	return rc;
}

int apart_run(int (*work)(void *ctx, void *room), void *ctx, void *room, size_t size,
	uint64_t timeout_ns)
{
	struct apart a;
	int rc = apart_begin(&a, work, ctx, size);
	return rc < 0 ? rc : apart_end(&a, room, timeout_ns);
}
