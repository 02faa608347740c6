/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* HOT.  vsync: lseek(), then readv() or writev(); neighbours travel together.
 *
 * At a depth above 1 it pretends to be a queue: submit() only lines requests
 * up, and reap() takes the longest run at the front that one call can move (same
 * file, same direction, each beginning where the last one ends):
 *
 *	lined up   0 4k 8k | 64k | 12k ...
 *	one call   ------- */
#include "engine/posix.h"
#include "engine/ready.h"

#include <limits.h>
#include <sys/uio.h>

struct vsync_queue {
	struct ready lined_up;
	struct iovec *vector;
};

#define VSYNC_IO_SIZE (READY_SLOTS * sizeof(struct io *) + sizeof(struct iovec))

static int vsync_open(struct queue *q, struct err *e)
{
	struct vsync_queue *vq = q->mine;

	(void)e;
	ready_init(&vq->lined_up, q->ios_mine, q->depth);
	vq->vector = (struct iovec *)(vq->lined_up.slots + (size_t)READY_SLOTS * q->depth);
	return 0;
}

/* Move a run of N requests that lie behind one another: bytes or -errno. */
static int64_t vsync_move(struct queue *q, struct io **run, unsigned n)
{
	struct vsync_queue *vq = q->mine;
	struct target *t = run[0]->target;
	ssize_t moved;

	for (unsigned i = 0; i < n; i++)
		vq->vector[i] = (struct iovec){
			.iov_base = run[i]->buf, .iov_len = run[i]->bytes};

	int rc = posix_seek(t, run[0]->offset);
	if (unlikely(rc < 0))
		return rc;
	do {
		if (run[0]->kind == IO_READ)
			moved = readv(t->fd, vq->vector, (int)n);
		else
			moved = writev(t->fd, vq->vector, (int)n);
	} while (posix_again(q, moved));
	int64_t result = unlikely(moved < 0) ? -errno : moved;
	posix_sought(t, run[0]->offset, moved);
	return result;
}

/* How many of the LINED_UP requests at the front one call can move, up to MAX. */
static unsigned vsync_run_length(struct io *const *lined_up, unsigned count, unsigned max)
{
	unsigned n = 1;

	if (lined_up[0]->kind >= IO_TRIM)
		return 1;
	max = MIN_OF(max, count);
	max = MIN_OF(max, (unsigned)IOV_MAX);
	while (n < max) {
		const struct io *last = lined_up[n - 1], *next = lined_up[n];
		if (next->kind != last->kind || next->target != last->target ||
			next->offset != last->offset + last->bytes)
			break;
		n++;
	}
	return n;
}

/* Share MOVED bytes out; returns how many requests that settles.  What a short
 * transfer did not reach stays lined up, unless nothing moved at all. */
static unsigned vsync_share(struct io **run, unsigned n, int64_t moved)
{
	if (unlikely(moved < 0)) {
		for (unsigned i = 0; i < n; i++)
			run[i]->res = (int32_t)moved;
		return n;
	}
	run[0]->res = (int32_t)MIN_OF(moved, (int64_t)run[0]->bytes);
	moved -= run[0]->res;
	unsigned settled = 1;
	while (settled < n && moved > 0) {
		run[settled]->res = (int32_t)MIN_OF(moved, (int64_t)run[settled]->bytes);
		moved -= run[settled++]->res;
	}
	return settled;
}

static void vsync_perform(struct queue *q, struct io *io)
{
	if (unlikely(io->kind >= IO_TRIM))
		io->res = posix_other(io);
	else
		io->res = (int32_t)vsync_move(q, &io, 1);
}

static unsigned vsync_submit(struct queue *q, struct io **ios, unsigned n)
{
	struct vsync_queue *vq = q->mine;

	for (unsigned i = 0; i < n; i++)
		ready_add(&vq->lined_up, ios[i]);
	return n;
}

static unsigned vsync_reap(struct queue *q, struct io **done, unsigned max, unsigned min,
	uint64_t until_ns)
{
	struct vsync_queue *vq = q->mine;
	struct ready *line = &vq->lined_up;
	unsigned got = 0;

	(void)until_ns; /* a call can't be cut short; without min it makes one call */
	do {
		if (!ready_count(line) || queue_stopped(q))
			break;
		struct io **run = line->slots + line->first;
		unsigned n = vsync_run_length(run, ready_count(line), max - got);
		if (run[0]->kind >= IO_TRIM)
			run[0]->res = posix_other(run[0]);
		else
			n = vsync_share(run, n, vsync_move(q, run, n));
		got += ready_take(line, done + got, n);
	} while (got < min);
	return got;
}

const struct engine engine_vsync = {
	.name = "vsync",
	.help = "lseek(), then readv() or writev(); neighbouring requests in one call",
	.flags = ENGINE_DIRECT_OK | ENGINE_TRIM | ENGINE_SEATED,
	.queue_size = sizeof(struct vsync_queue),
	.io_size = VSYNC_IO_SIZE,
	.target_size = sizeof(struct posix_seat),
	.target = &target_posix,
	.queue_open = vsync_open,
	.target_added = posix_seat_added,
	.perform = vsync_perform,
	.submit = vsync_submit,
	.reap = vsync_reap,
};
