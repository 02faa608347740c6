/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* posixaio: aio_read() and aio_write() of the C library.
 *
 * glibc does them with threads (at most 20 a process), and gives the requests of
 * one descriptor to one thread, in turn: on one file a greater depth only makes
 * the line longer.  There is no queue to ask for what is done, so reap() looks
 * at each request in flight. */
#include "engine/posix.h"
#include "engine/ready.h"

#include <aio.h>
#include <errno.h>
#include <fcntl.h>

/* How long queue_close waits for what is still in flight. */
#define POSIXAIO_CLOSE_NS (2 * NS_PER_S)

struct posixaio_queue {
	struct ready ready;   /* done without, or refused by, the library      */
	struct aiocb *blocks; /* one a slot                                    */
	struct io **flying;
	const struct aiocb **waiting; /* the same requests, as aio_suspend wants them */
	uint32_t flying_count;
};

#define POSIXAIO_IO_SIZE                                                                       \
	(sizeof(struct aiocb) + sizeof(struct io *) * (READY_SLOTS + 1) +                      \
		sizeof(struct aiocb *))

static int posixaio_open(struct queue *q, struct err *e)
{
	struct posixaio_queue *aq = q->mine;

	(void)e;
	aq->blocks = q->ios_mine;
	aq->flying = (struct io **)(aq->blocks + q->depth);
	aq->waiting = (const struct aiocb **)(aq->flying + q->depth);
	ready_init(&aq->ready, aq->waiting + q->depth, q->depth);
	return 0;
}

static int posixaio_start(struct io *io, struct aiocb *block)
{
	*block = (struct aiocb){
		.aio_fildes = io->target->fd,
		.aio_buf = io->buf,
		.aio_nbytes = io->bytes,
		.aio_offset = (off_t)io->offset,
		.aio_sigevent.sigev_notify = SIGEV_NONE,
	};
	switch ((enum io_kind)io->kind) {
	case IO_READ:
		return aio_read(block) < 0 ? -errno : 0;
	case IO_WRITE:
		return aio_write(block) < 0 ? -errno : 0;
	case IO_FSYNC:
		return aio_fsync(O_SYNC, block) < 0 ? -errno : 0;
	case IO_FDATASYNC:
		return aio_fsync(O_DSYNC, block) < 0 ? -errno : 0;
	case IO_TRIM:
	case IO_SYNC_RANGE:
		break;
	}
	return -EINVAL;
}

static unsigned posixaio_submit(struct queue *q, struct io **ios, unsigned n)
{
	struct posixaio_queue *aq = q->mine;

	for (unsigned i = 0; i < n; i++) {
		struct io *io = ios[i];
		if (unlikely(io->kind == IO_TRIM || io->kind == IO_SYNC_RANGE)) {
			io->res = posix_other(io);
			ready_add(&aq->ready, io);
			continue;
		}
		int rc = posixaio_start(io, &aq->blocks[io->slot]);
		if (rc == -EAGAIN && aq->flying_count)
			return i;
		if (rc < 0) {
			io->res = rc;
			ready_add(&aq->ready, io);
			continue;
		}
		aq->waiting[aq->flying_count] = &aq->blocks[io->slot];
		aq->flying[aq->flying_count++] = io;
	}
	return n;
}

static unsigned posixaio_collect(struct posixaio_queue *aq, struct io **done, unsigned max)
{
	unsigned got = ready_take(&aq->ready, done, max);

	for (uint32_t i = 0; i < aq->flying_count && got < max;) {
		struct io *io = aq->flying[i];
		struct aiocb *block = &aq->blocks[io->slot];
		int error = aio_error(block);
		if (error == EINPROGRESS) {
			i++;
			continue;
		}
		ssize_t moved = aio_return(block);
		io->res = error ? -error : (int32_t)moved;
		done[got++] = io;
		aq->flying[i] = aq->flying[--aq->flying_count];
		aq->waiting[i] = aq->waiting[aq->flying_count];
	}
	return got;
}

static unsigned posixaio_reap(struct queue *q, struct io **done, unsigned max, unsigned min,
	uint64_t until_ns)
{
	struct posixaio_queue *aq = q->mine;
	struct timespec slice;
	unsigned got = posixaio_collect(aq, done, max);

	while (got < min && aq->flying_count && wait_slice(q, until_ns, &slice)) {
		int rc = aio_suspend(aq->waiting, (int)aq->flying_count, &slice);
		bool interrupted = rc < 0 && errno == EINTR;
		got += posixaio_collect(aq, done + got, max - got);
		if (interrupted)
			break;
	}
	return got;
}

/* The library's threads must not write into buffers that are gone. */
static void posixaio_close(struct queue *q)
{
	struct posixaio_queue *aq = q->mine;
	const uint64_t until_ns = clock_now(q->clock) + POSIXAIO_CLOSE_NS;
	struct io *done;

	for (uint32_t i = 0; i < aq->flying_count; i++)
		(void)aio_cancel(aq->flying[i]->target->fd, &aq->blocks[aq->flying[i]->slot]);
	while (aq->flying_count && clock_now(q->clock) < until_ns) {
		const struct timespec slice = wait_timespec(WAIT_SLICE_NS);
		(void)aio_suspend(aq->waiting, (int)aq->flying_count, &slice);
		while (posixaio_collect(aq, &done, 1))
			;
	}
}

const struct engine engine_posixaio = {
	.name = "posixaio",
	.help = "aio_read() and aio_write() of the C library, which uses threads",
	.flags = ENGINE_DIRECT_OK | ENGINE_TRIM,
	.queue_size = sizeof(struct posixaio_queue),
	.io_size = POSIXAIO_IO_SIZE,
	.target = &target_posix,
	.queue_open = posixaio_open,
	.queue_close = posixaio_close,
	.submit = posixaio_submit,
	.reap = posixaio_reap,
};
