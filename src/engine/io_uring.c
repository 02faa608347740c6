/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* HOT.  io_uring: requests and completions through two rings shared with the
 * kernel.  How the ring was set up is told in io_uring_setup.c.
 *
 * One turn at a depth above 1 costs one io_uring_enter() when what was submitted
 * is done at once (a RAM disk, the page cache), and a second one to wait when it
 * is not.  With DEFER_TASKRUN the kernel puts completions on the ring only while
 * this thread is inside: submitting asks for them too, in the same call, and
 * reap() reads the ring first and enters only if that is not enough. */
#include "engine/io_uring.h"

#include "base/bits.h"
#include "engine/posix.h"

/* Where the buffer is part of what was registered. */
static inline bool uring_fixed_index(const struct uring_queue *u, const struct io *io,
	uint16_t *ret)
{
	const size_t at = (uintptr_t)io->buf - u->fixed_base;

	if (at >= u->fixed_bytes)
		return false;
	*ret = 0;
	if (unlikely(u->fixed_piece))
		*ret = (uint16_t)(at / u->fixed_piece);
	return true;
}

static inline void uring_prepare_data(struct uring_queue *u, struct io_uring_sqe *sqe,
	const struct io *io)
{
	const bool reads = io->kind == IO_READ;
	uint16_t index;

	sqe->opcode = reads ? u->read_op : u->write_op;
	sqe->ioprio = io->prio;
	sqe->off = io->offset;
	sqe->rw_flags = (int)(reads ? u->rw_flags : u->write_flags);
	if (likely(u->fixed_bytes) && uring_fixed_index(u, io, &index)) {
		sqe->opcode = reads ? IORING_OP_READ_FIXED : IORING_OP_WRITE_FIXED;
		sqe->buf_index = index;
	} else if (u->vectored) {
		struct iovec *vector = &u->vectors[io->slot];
		*vector = (struct iovec){.iov_base = io->buf, .iov_len = io->bytes};
		sqe->addr = (uintptr_t)vector;
		sqe->len = 1;
		return;
	}
	sqe->addr = (uintptr_t)io->buf;
	sqe->len = io->bytes;
}

static inline void uring_prepare(struct uring_queue *u, struct io_uring_sqe *sqe, struct io *io)
{
	const struct uring_target *mine = io->target->mine;

	*sqe = (struct io_uring_sqe){
		.user_data = (uintptr_t)io, .fd = mine->fd, .flags = mine->flags};
	if (unlikely(u->async_every) && !--u->async_left) {
		u->async_left = u->async_every;
		sqe->flags |= IOSQE_ASYNC;
	}
	if (likely(io->kind < IO_TRIM)) {
		uring_prepare_data(u, sqe, io);
	} else if (io->kind == IO_SYNC_RANGE) {
		sqe->opcode = IORING_OP_SYNC_FILE_RANGE;
		sqe->off = io->offset;
		sqe->len = io->bytes;
		sqe->sync_range_flags = io->flags;
	} else {
		sqe->opcode = IORING_OP_FSYNC;
		sqe->fsync_flags = io->kind == IO_FDATASYNC ? IORING_FSYNC_DATASYNC : 0;
	}
}

/* A polled ring moves data only; a trim has no opcode of its own. */
static inline bool uring_is_inline(const struct uring_queue *u, const struct io *io)
{
	return io->kind == IO_TRIM || (u->polled && io->kind > IO_TRIM);
}

/* What the kernel doesn't take now stays on the ring and goes with the next
 * call: it counts as in flight. */
static inline void uring_enter(struct uring_queue *u)
{
	if (u->collects)
		(void)io_uring_submit_and_get_events(&u->ring);
	else
		(void)io_uring_submit(&u->ring);
}

static unsigned uring_submit(struct queue *q, struct io **ios, unsigned n)
{
	struct uring_queue *u = q->mine;
	unsigned taken = 0, queued = 0;

	for (; taken < n; taken++) {
		struct io *io = ios[taken];
		if (unlikely(uring_is_inline(u, io))) {
			io->res = posix_other(io);
			ready_add(&u->ready, io);
			continue;
		}
		struct io_uring_sqe *sqe = io_uring_get_sqe(&u->ring);
		if (unlikely(!sqe))
			break;
		uring_prepare(u, sqe, io);
		queued++;
	}
	if (likely(queued)) {
		u->flying += queued;
		uring_enter(u);
	}
	return taken;
}

unsigned uring_take(struct uring_queue *u, struct io **done, unsigned max)
{
	struct io_uring_cq *cq = &u->ring.cq;
	const unsigned tail = io_uring_smp_load_acquire(cq->ktail);
	const unsigned head = *cq->khead;
	const unsigned there = MIN_OF(tail - head, max);
	unsigned got = 0;

	for (unsigned i = 0; i < there; i++) {
		const struct io_uring_cqe *cqe = &cq->cqes[(head + i) & cq->ring_mask];
		if (unlikely(cqe->user_data == LIBURING_UDATA_TIMEOUT))
			continue; /* the library's own, before Linux 5.11 */
		struct io *io = (struct io *)(uintptr_t)cqe->user_data;
		io->res = cqe->res;
		done[got++] = io;
	}
	if (there)
		io_uring_cq_advance(&u->ring, there);
	u->flying -= got;
	return got;
}

/* Completions the kernel holds back until somebody enters. */
static inline bool uring_held_back(const struct uring_queue *u)
{
	return u->polled || IO_URING_READ_ONCE(*u->ring.sq.kflags) &
				    (IORING_SQ_CQ_OVERFLOW | IORING_SQ_TASKRUN);
}

/* Polling is busy by nature: it looks again and again instead of sleeping. */
static unsigned uring_poll(struct queue *q, struct io **done, unsigned max, unsigned min,
	uint64_t until_ns)
{
	struct uring_queue *u = q->mine;
	unsigned got = 0;

	do {
		if (io_uring_get_events(&u->ring) == -EINTR)
			break;
		got += uring_take(u, done + got, max - got);
	} while (got < min && u->flying && !queue_stopped(q) &&
		 (until_ns == UINT64_MAX || clock_now(q->clock) < until_ns));
	return got;
}

static unsigned uring_wait(struct queue *q, struct io **done, unsigned max, unsigned min,
	uint64_t until_ns)
{
	struct uring_queue *u = q->mine;
	struct timespec slice;
	unsigned got = 0;

	while (got < min && u->flying && wait_slice(q, until_ns, &slice)) {
		struct __kernel_timespec timeout = {slice.tv_sec, slice.tv_nsec};
		struct io_uring_cqe *cqe;
		unsigned need = MIN_OF(min - got, u->flying);
		int rc = io_uring_wait_cqes(&u->ring, &cqe, need, &timeout, NULL);
		got += uring_take(u, done + got, max - got);
		if (rc < 0 && rc != -ETIME && rc != -EAGAIN && rc != -EBUSY)
			break;
	}
	return got;
}

static unsigned uring_reap(struct queue *q, struct io **done, unsigned max, unsigned min,
	uint64_t until_ns)
{
	struct uring_queue *u = q->mine;
	unsigned got = ready_take(&u->ready, done, max);

	got += uring_take(u, done + got, max - got);
	if (got >= MAX_OF(min, 1u) || !u->flying)
		return got;

	if (unlikely(io_uring_sq_ready(&u->ring)))
		uring_enter(u); /* what an earlier call left there */
	if (u->polled)
		return got + uring_poll(q, done + got, max - got, min > got ? min - got : 0,
				     until_ns);
	if (min > got)
		return got + uring_wait(q, done + got, max - got, min - got, until_ns);
	if (uring_held_back(u)) {
		(void)io_uring_get_events(&u->ring);
		got += uring_take(u, done + got, max - got);
	}
	return got;
}

const struct engine engine_io_uring = {
	.name = "io_uring",
	.help = "io_uring, with registered buffers, files and ring where it can",
	.flags = ENGINE_DIRECT_OK | ENGINE_TRIM | ENGINE_ATOMIC,
	.opts = &io_uring_group,
	.prio_opts = offsetof(struct uring_opts, prio) + 1,
	.queue_size = sizeof(struct uring_queue),
	.io_size = URING_IO_SIZE,
	.target_size = sizeof(struct uring_target),
	.target = &target_posix,
	.probe = uring_probe,
	.queue_open = uring_open,
	.queue_close = uring_close,
	.target_added = uring_target_added,
	.target_gone = uring_target_gone,
	.submit = uring_submit,
	.reap = uring_reap,
};
