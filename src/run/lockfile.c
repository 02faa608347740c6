/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "run/lockfile.h"

#include "base/arena.h"
#include "base/err.h"
#include "plan/plan.h"
#include "run/source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>

struct locked {
	struct source source;
	struct source *inner;
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
	l->inner->buffers_moved |= s->buffers_moved;
	unsigned got = l->inner->ops->next(l->inner, now_ns, ios, 1, 0);
	s->say = l->inner->say;
	s->not_before_ns = l->inner->not_before_ns;
	if (!got)
		return 0;
	bool shared = l->plan->files.lock == LOCK_READWRITE && ios[0]->kind == IO_READ;
	if (ios[0]->target)
		locked_set(l, ios[0], shared ? F_RDLCK : F_WRLCK);
	s->say = n > 1 ? SOURCE_BLOCKED : SOURCE_MORE;
	return 1;
}

static void locked_done(struct source *s, struct io *const *ios, unsigned n)
{
	struct locked *l = locked_of(s);

	for (unsigned i = 0; i < n; i++)
		if (ios[i]->target)
			locked_set(l, ios[i], F_UNLCK);
	if (l->inner->ops->done)
		l->inner->ops->done(l->inner, ios, n);
}

static void locked_rewind(struct source *s)
{
	struct source *inner = locked_of(s)->inner;
	inner->ops->rewind(inner);
}

static void locked_start(struct source *s, uint64_t start_ns)
{
	struct source *inner = locked_of(s)->inner;
	inner->ops->start(inner, start_ns);
}

static void locked_opened(struct source *s, uint64_t now_ns)
{
	struct source *inner = locked_of(s)->inner;
	inner->ops->opened(inner, now_ns);
}

static void locked_missed(struct source *s, uint64_t end_ns,
	void (*seen)(void *ctx, enum dir dir, uint64_t due_ns), void *ctx)
{
	struct source *inner = locked_of(s)->inner;
	if (inner->ops->missed)
		inner->ops->missed(inner, end_ns, seen, ctx);
}

static const struct source_ops locked_ops = {
	.next = locked_next,
	.done = locked_done,
	.rewind = locked_rewind,
	.start = locked_start,
	.opened = locked_opened,
	.missed = locked_missed,
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
		.source = {.ops = &locked_ops, .bytes_total = inner->bytes_total},
		.inner = inner,
		.plan = pw,
		.stop = stop,
		.fd = own,
	};
	return &l->source;
}
