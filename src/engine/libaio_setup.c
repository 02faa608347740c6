/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* libaio: making the context, and looking at the ring that comes with it. */
#include "engine/libaio.h"

#include "base/bits.h"
#include "base/err.h"
#include "base/scope.h"
#include "opt/opt.h"

#include <errno.h>
#include <stdio.h>

#define LIBAIO_RING_MAGIC 0xa10a10a1u
#define LIBAIO_RWF_NOWAIT 8 /* RWF_NOWAIT, as aio_rw_flags has it */
#define LIBAIO_RWF_ATOMIC 0x40

static uint64_t libaio_limit(const char *path)
{
	scope_file FILE *f = fopen(path, "re");
	unsigned long long value;

	return f && fscanf(f, "%llu", &value) == 1 ? value : 0;
}

static int libaio_refuse(int code, uint32_t depth, struct err *e)
{
	if (code == -EAGAIN) {
		uint64_t max = libaio_limit("/proc/sys/fs/aio-max-nr");
		uint64_t used = libaio_limit("/proc/sys/fs/aio-nr");
		return err_set(e, code,
			"the machine's limit on AIO requests is reached: %u more are needed, %llu of "
			"%llu are taken (fs.aio-nr, fs.aio-max-nr); `sysctl fs.aio-max-nr=%llu` or a "
			"lower iodepth or numjobs helps",
			depth, (unsigned long long)used, (unsigned long long)max,
			(unsigned long long)MAX_OF(max * 2, round_up(used + depth, 65536)));
	}
	if (code == -ENOSYS)
		return err_set(e, code,
			"this kernel has no AIO (CONFIG_AIO), or this process is confined (seccomp); "
			"use io_uring or psync");
	return err_sys(e, code, "can't set up AIO for %u requests", depth);
}

int libaio_probe(struct err *e)
{
	io_context_t context = NULL;
	int rc = io_setup(1, &context);

	if (rc < 0)
		return libaio_refuse(rc, 1, e);
	io_destroy(context);
	return 0;
}

/* Never changes once the kernel has made it, so one look is enough. */
static struct libaio_ring *libaio_ring(io_context_t context, uint32_t depth)
{
	struct libaio_ring *ring = (struct libaio_ring *)context;

	if (ring->magic != LIBAIO_RING_MAGIC || ring->incompat || ring->count <= depth ||
		ring->header_bytes != sizeof(*ring))
		return NULL;
	return ring;
}

int libaio_open(struct queue *q, struct err *e)
{
	const struct libaio_opts *o = q->opts;
	struct libaio_queue *lq = q->mine;

	struct libaio_io *ios = q->ios_mine;
	lq->events = (struct io_event *)(ios + q->depth);
	lq->blocks = (struct iocb **)(lq->events + q->depth);
	ready_init(&lq->ready, lq->blocks + q->depth, q->depth);
	lq->read_op = o->vectored ? IO_CMD_PREADV : IO_CMD_PREAD;
	lq->write_op = o->vectored ? IO_CMD_PWRITEV : IO_CMD_PWRITE;
	lq->rw_flags = o->nowait ? LIBAIO_RWF_NOWAIT : 0;
	lq->write_flags = lq->rw_flags | (q->atomic ? LIBAIO_RWF_ATOMIC : 0);

	int rc = io_setup((int)q->depth, &lq->context);
	if (rc < 0)
		return libaio_refuse(rc, q->depth, e);
	lq->ring = libaio_ring(lq->context, q->depth);
	snprintf(q->used, sizeof(q->used), "%s",
		lq->ring ? "ring read in user space" : "io_getevents");
	return 0;
}

void libaio_close(struct queue *q)
{
	struct libaio_queue *lq = q->mine;

	io_destroy(lq->context);
}

static const struct opt libaio_rows[] = {
	{.name = "userspace_reap",
		OPT_FLAG(struct libaio_opts, userspace_reap),
		.help = "Read completions from the mapped ring (weir always does)"},
	{.name = "libaio_vectored",
		OPT_BOOL(struct libaio_opts, vectored),
		.preset = "0",
		.help = "Use the vectored read and write commands"},
	{.name = "nowait",
		OPT_BOOL(struct libaio_opts, nowait),
		.preset = "0",
		.help = "Fail with EAGAIN rather than wait (RWF_NOWAIT)"},
	CMDPRIO_ROWS(struct libaio_opts, prio),
};

const struct opt_group libaio_group = {
	.name = "libaio",
	.engine = "libaio",
	.rows = libaio_rows,
	.count = COUNT_OF(libaio_rows),
	.size = sizeof(struct libaio_opts),
};
