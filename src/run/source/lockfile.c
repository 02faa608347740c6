/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "run/source/lockfile.h"

#include "base/arena.h"
#include "base/err.h"
#include "plan/plan.h"
#include "run/source/source_wrap.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>

struct locked {
	struct source_wrap wrap; /* first */
	const struct plan_worker *plan;
	const volatile uint32_t *stop;
	int fd;
};

int lockfile_make(const struct plan *plan)
{
	for (uint32_t i = 0; i < plan->workers_count; i++) {
		if (plan->workers[i].files.lock == LOCK_NONE)
			continue;
		int fd = memfd_create("weir-lockfile", MFD_CLOEXEC);
		return fd < 0 ? -errno : fd;
	}
	return -1;
}

static inline struct locked *locked_of(struct source *s)
{
	return (struct locked *)s;
}

/* A wait that a stop ends leaves the request without its lock: it is the last. */
static void locked_set(const struct locked *l, const struct io *io, short how)
{
	struct flock range = {
		.l_type = how,
		.l_whence = SEEK_SET,
		.l_start = (off_t)l->plan->files.targets[io->target->index],
		.l_len = 1,
	};

	while (fcntl(l->fd, how == F_UNLCK ? F_OFD_SETLK : F_OFD_SETLKW, &range) < 0 &&
		errno == EINTR && !*l->stop)
		;
}

static unsigned locked_next(struct source *s, uint64_t now_ns, struct io **ios, unsigned n,
	unsigned in_flight)
{
	struct locked *l = locked_of(s);

	if (in_flight || !n) {
		s->say = in_flight ? SOURCE_BLOCKED : SOURCE_MORE;
		return 0;
	}
	unsigned got = wrap_next(s, now_ns, ios, 1, 0);
	if (!got)
		return 0;
	bool shared = l->plan->files.lock == LOCK_READWRITE && ios[0]->kind == IO_READ;
	if (ios[0]->target)
		locked_set(l, ios[0], shared ? F_RDLCK : F_WRLCK);
	s->say = n > 1 ? SOURCE_BLOCKED : SOURCE_MORE;
	return 1;
}

static void locked_done(struct source *s, struct io *const *ios, unsigned n, uint64_t now_ns)
{
	struct locked *l = locked_of(s);

	for (unsigned i = 0; i < n; i++)
		if (ios[i]->target)
			locked_set(l, ios[i], F_UNLCK);
	wrap_done(s, ios, n, now_ns);
}

static const struct source_ops locked_ops = {
	.next = locked_next,
	.done = locked_done,
	.rewind = wrap_rewind,
	.start = wrap_start,
	.opened = wrap_opened,
	.missed = wrap_missed,
};

/* Opened anew: locks belong to the description, and a fork shares one. */
int lockfile_open(int fd, struct err *reterr)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	int own = open(path, O_RDWR | O_CLOEXEC);
	return own < 0 ? err_sys(reterr, -errno, "lockfile: can't open %s", path) : own;
}

struct source *lockfile_source(struct arena *arena, const struct plan_worker *pw,
	struct source *inner, int own, const volatile uint32_t *stop, struct err *reterr)
{
	struct locked *l = arena_alloc(arena, sizeof(*l));

	if (!l) {
		err_set(reterr, -ENOMEM, "out of memory for lockfile");
		return NULL;
	}
	*l = (struct locked){
		.wrap = {.source = {.ops = &locked_ops, .bytes_total = inner->bytes_total},
			.inner = inner},
		.plan = pw,
		.stop = stop,
		.fd = own,
	};
	return &l->wrap.source;
}
