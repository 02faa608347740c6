/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* HOT.  libaio: the kernel's AIO, through io_setup() and io_submit().
 *
 * The context that io_setup() returns is the address of a ring which the kernel
 * maps into the process: a header and events, the tail moved by the kernel, the
 * head by whoever takes events out.  Taking them here costs no system call:
 *
 *	header | . . e e e e . . .
 *	             ^head   ^tail      tail: acquire, so that the events it covers
 *	                                are read after it; head: release, so that the
 *	                                kernel reuses a place after it was read
 *
 * io_getevents() is called only to wait, and for everything should the ring not
 * look as expected. */
#include "engine/libaio.h"

#include "engine/posix.h"

#include <errno.h>
#include <sys/syscall.h>

/* Not in libaio's header: aio_reqprio holds an ioprio value. */
#define LIBAIO_FLAG_PRIO 2u

static void libaio_prepare(struct libaio_queue *lq, struct io *io, struct libaio_io *mine)
{
	struct iocb *b = &mine->block;

	*b = (struct iocb){
		.data = io,
		.aio_fildes = io->target->fd,
		.aio_rw_flags = io->kind < IO_TRIM ? lq->rw_flags : 0,
	};
	switch ((enum io_kind)io->kind) {
	case IO_READ:
		b->aio_lio_opcode = (short)lq->read_op;
		break;
	case IO_WRITE:
		b->aio_lio_opcode = (short)lq->write_op;
		b->aio_rw_flags = lq->write_flags;
		break;
	case IO_FSYNC:
		b->aio_lio_opcode = IO_CMD_FSYNC;
		return;
	case IO_FDATASYNC:
	case IO_TRIM:
	case IO_SYNC_RANGE:
		b->aio_lio_opcode = IO_CMD_FDSYNC;
		return;
	}
	b->u.c.offset = (long long)io->offset;
	if (lq->read_op == IO_CMD_PREAD) {
		b->u.c.buf = io->buf;
		b->u.c.nbytes = io->bytes;
	} else {
		mine->vector = (struct iovec){.iov_base = io->buf, .iov_len = io->bytes};
		b->u.c.buf = &mine->vector;
		b->u.c.nbytes = 1;
	}
	if (unlikely(io->prio)) {
		b->aio_reqprio = (short)io->prio;
		b->u.c.flags |= LIBAIO_FLAG_PRIO;
	}
}

/* io_submit() without the library's way round, which costs a tenth of all that a
 * request costs here.  Returns what was taken or a negative errno. */
static inline long libaio_enter(struct libaio_queue *lq, unsigned n, struct iocb **blocks)
{
	long rc = syscall(SYS_io_submit, lq->context, (long)n, blocks);

	return likely(rc >= 0) ? rc : -errno;
}

/* Give N prepared blocks to the kernel; one that it refuses comes back from
 * reap().  Returns how many were taken. */
static unsigned libaio_push(struct libaio_queue *lq, unsigned n)
{
	unsigned taken = 0;

	while (taken < n) {
		long rc = libaio_enter(lq, n - taken, lq->blocks + taken);
		if (likely(rc > 0)) {
			taken += (unsigned)rc;
			lq->flying += (unsigned)rc;
			continue;
		}
		if (rc == -EAGAIN || rc == -EINTR || rc == 0)
			break;
		struct io *io = lq->blocks[taken++]->data;
		io->res = (int32_t)rc;
		ready_add(&lq->ready, io);
	}
	return taken;
}

static inline bool libaio_is_inline(const struct io *io)
{
	return io->kind == IO_TRIM || io->kind == IO_SYNC_RANGE;
}

static unsigned libaio_submit(struct queue *q, struct io **ios, unsigned n)
{
	struct libaio_queue *lq = q->mine;
	struct libaio_io *mine = q->ios_mine;
	unsigned taken = 0;

	/* What AIO can't do is done in between, at its place in the order. */
	while (taken < n) {
		unsigned run = 0;
		while (taken + run < n && !libaio_is_inline(ios[taken + run])) {
			struct io *io = ios[taken + run];
			libaio_prepare(lq, io, &mine[io->slot]);
			lq->blocks[run++] = &mine[io->slot].block;
		}
		unsigned pushed = libaio_push(lq, run);
		taken += pushed;
		if (pushed < run || taken == n)
			break;
		ios[taken]->res = posix_other(ios[taken]);
		ready_add(&lq->ready, ios[taken++]);
	}
	return taken;
}

static unsigned libaio_ring_take(struct libaio_ring *ring, struct io **done, unsigned max)
{
	const uint32_t tail = __atomic_load_n(&ring->tail, __ATOMIC_ACQUIRE);
	uint32_t head = ring->head;
	unsigned got = 0;

	while (head != tail && got < max) {
		const struct io_event *event = &ring->events[head];
		struct io *io = event->data;
		io->res = (int32_t)event->res;
		done[got++] = io;
		head = head + 1 == ring->count ? 0 : head + 1;
	}
	if (got)
		__atomic_store_n(&ring->head, head, __ATOMIC_RELEASE);
	return got;
}

/* Ask the kernel; 0 and *ret_interrupted when a signal came. */
static unsigned libaio_wait(struct libaio_queue *lq, struct io **done, unsigned max,
	unsigned min, struct timespec *timeout, bool *ret_interrupted)
{
	int n = io_getevents(lq->context, (long)min, (long)max, lq->events, timeout);

	*ret_interrupted = n == -EINTR;
	for (int i = 0; i < n; i++) {
		done[i] = lq->events[i].data;
		done[i]->res = (int32_t)lq->events[i].res;
	}
	return n > 0 ? (unsigned)n : 0;
}

/* What is there without waiting. */
static unsigned libaio_peek(struct libaio_queue *lq, struct io **done, unsigned max)
{
	bool interrupted;

	if (!max || !lq->flying)
		return 0;
	if (likely(lq->ring))
		return libaio_ring_take(lq->ring, done, max);
	return libaio_wait(lq, done, max, 0, &(struct timespec){0}, &interrupted);
}

static unsigned libaio_reap(struct queue *q, struct io **done, unsigned max, unsigned min,
	uint64_t until_ns)
{
	struct libaio_queue *lq = q->mine;
	struct timespec slice;
	bool interrupted = false;

	unsigned got = ready_take(&lq->ready, done, max);
	unsigned events = libaio_peek(lq, done + got, max - got);
	lq->flying -= events;
	got += events;

	while (got < min && lq->flying && !interrupted && wait_slice(q, until_ns, &slice)) {
		unsigned need = MIN_OF(min - got, lq->flying);
		events = libaio_wait(lq, done + got, max - got, need, &slice, &interrupted);
		lq->flying -= events;
		got += events;
	}
	return got;
}

const struct engine engine_libaio = {
	.name = "libaio",
	.alias = {"linuxaio*", "aio*"},
	.help = "Linux AIO: io_submit(), completions read from the mapped ring",
	.flags = ENGINE_DIRECT_OK | ENGINE_TRIM | ENGINE_ATOMIC,
	.opts = &libaio_group,
	.prio_opts = offsetof(struct libaio_opts, prio) + 1,
	.queue_size = sizeof(struct libaio_queue),
	.io_size = LIBAIO_IO_SIZE,
	.target = &target_posix,
	.probe = libaio_probe,
	.queue_open = libaio_open,
	.queue_close = libaio_close,
	.submit = libaio_submit,
	.reap = libaio_reap,
};
