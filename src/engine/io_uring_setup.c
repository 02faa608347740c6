/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* io_uring: making the ring, from the best the running kernel has down to what
 * every kernel has, and registering what is used again and again.
 *
 * The ring belongs to the thread that made it (SINGLE_ISSUER), so all of this
 * runs in the worker. */
#include "base/bits.h"
#include "base/err.h"
#include "base/scope.h"
#include "engine/io_uring.h"
#include "engine/posix.h"

#include <errno.h>
#include <linux/capability.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#define URING_ENTRIES_MAX 32768u
#define URING_PIECE       ((size_t)1 << 30) /* the most that one registration may hold */
#define URING_PIECES_MAX  1024u
#define URING_CLOSE_NS    (2 * NS_PER_S)

/* The memlock limit is one account for all processes of a user, and rings come
 * out of it, too: a worker that wasn't asked to lock its buffers takes at most
 * this part, so that the others still get their rings. */
#define URING_MEMLOCK_PART 64

/* How rings are asked for, best first; the next one is tried on EINVAL.
 * Never NO_SQARRAY or NO_MMAP: liburing 2.3 doesn't know that layout. */
struct uring_way {
	unsigned flags;
	bool collects; /* completions need an enter; TASKRUN_FLAG says when */
	const char *name;
};

static const struct uring_way uring_ways[] = {
	{IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN | IORING_SETUP_TASKRUN_FLAG |
			IORING_SETUP_SUBMIT_ALL,
		true, "SINGLE_ISSUER, DEFER_TASKRUN"},
	{IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_COOP_TASKRUN | IORING_SETUP_TASKRUN_FLAG |
			IORING_SETUP_SUBMIT_ALL,
		false, "SINGLE_ISSUER, COOP_TASKRUN"},
	{IORING_SETUP_COOP_TASKRUN | IORING_SETUP_TASKRUN_FLAG | IORING_SETUP_SUBMIT_ALL, false,
		"COOP_TASKRUN"},
	{0, false, NULL},
};

/* With a kernel thread that submits, task work is its business. */
static const struct uring_way uring_ways_sqpoll[] = {
	{IORING_SETUP_SQPOLL | IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_SUBMIT_ALL, false,
		"SQPOLL, SINGLE_ISSUER"},
	{IORING_SETUP_SQPOLL, false, "SQPOLL"},
};

__attribute__((format(printf, 2, 3))) static void uring_used(struct queue *q, const char *fmt,
	...)
{
	size_t len = strlen(q->used);
	va_list ap;

	if (len && len < sizeof(q->used) - 3) {
		memcpy(q->used + len, ", ", 3);
		len += 2;
	}
	va_start(ap, fmt);
	vsnprintf(q->used + len, sizeof(q->used) - len, fmt, ap);
	va_end(ap);
}

/* kernel.io_uring_disabled: 0 all may, 1 only a group, 2 nobody, -1 not known. */
static int uring_disabled(void)
{
	scope_file FILE *f = fopen("/proc/sys/kernel/io_uring_disabled", "re");
	int value;

	return f && fscanf(f, "%d", &value) == 1 ? value : -1;
}

static unsigned long long uring_memlock_kib(void)
{
	struct rlimit limit = {0};

	getrlimit(RLIMIT_MEMLOCK, &limit);
	return limit.rlim_cur >> 10;
}

static int uring_refuse(int code, uint32_t depth, struct err *e)
{
	switch (-code) {
	case ENOSYS:
		return err_set(e, code,
			"this kernel has no io_uring, or a sandbox hides it (gVisor, seccomp); use "
			"ioengine=libaio or psync");
	case EPERM:
	case EACCES:
		if (uring_disabled() > 0)
			return err_set(e, code,
				"io_uring is switched off on this machine (kernel.io_uring_disabled is "
				"%d); `sysctl kernel.io_uring_disabled=0`, or use ioengine=libaio",
				uring_disabled());
		return err_set(e, code,
			"io_uring is forbidden for this process: a container's seccomp profile or a "
			"security module; run it with a profile that allows io_uring (docker run "
			"--security-opt seccomp=unconfined), or use ioengine=libaio");
	case ENOMEM:
		return err_set(e, code,
			"no memory for a ring of %u requests; many kernels count it against `ulimit -l`, "
			"which is %llu KiB: raise that, or lower iodepth or numjobs",
			depth, uring_memlock_kib());
	case EMFILE:
	case ENFILE:
		return err_sys(e, code, "no descriptor left for the ring; raise `ulimit -n`");
	default:
		return err_sys(e, code, "can't make a ring of %u requests", depth);
	}
}

int uring_probe(struct err *e)
{
	struct io_uring ring;
	int rc = io_uring_queue_init(1, &ring, 0);

	if (rc < 0)
		return uring_refuse(rc, 1, e);
	io_uring_queue_exit(&ring);
	return 0;
}

/* ---- the ring ---- */

static int uring_make(struct queue *q, const struct uring_way *ways, size_t count,
	unsigned also)
{
	const struct uring_opts *o = q->opts;
	struct uring_queue *u = q->mine;
	int rc = -EINVAL;

	for (size_t i = 0; i < count && rc == -EINVAL; i++) {
		struct io_uring_params params = {
			.flags = ways[i].flags | also,
			.sq_thread_cpu = o->sqthread_poll_cpu >= 0
						 ? (unsigned)o->sqthread_poll_cpu
						 : 0,
		};
		rc = io_uring_queue_init_params(MIN_OF(q->depth, URING_ENTRIES_MAX), &u->ring,
			&params);
		if (rc < 0)
			continue;
		u->collects = ways[i].collects;
		if (ways[i].name)
			uring_used(q, "%s", ways[i].name);
	}
	return rc;
}

static int uring_ring_open(struct queue *q, struct err *e)
{
	const struct uring_opts *o = q->opts;
	struct uring_queue *u = q->mine;
	unsigned also = IORING_SETUP_CLAMP;
	int rc;

	if (o->hipri)
		also |= IORING_SETUP_IOPOLL;
	if (o->sqthread_poll && o->sqthread_poll_cpu >= 0)
		also |= IORING_SETUP_SQ_AFF;
	if (o->sqthread_poll)
		rc = uring_make(q, uring_ways_sqpoll, COUNT_OF(uring_ways_sqpoll), also);
	else
		rc = uring_make(q, uring_ways, COUNT_OF(uring_ways), also);
	if (rc == -EINVAL && also & IORING_SETUP_SQ_AFF)
		return err_set(e, rc,
			"sqthread_poll_cpu=%d: this process may not use such a CPU",
			o->sqthread_poll_cpu);
	if (rc < 0)
		return uring_refuse(rc, q->depth, e);
	if (o->hipri)
		uring_used(q, "IOPOLL");
	if (io_uring_register_ring_fd(&u->ring) == 1)
		uring_used(q, "registered ring");
	return 0;
}

/* ---- buffers ---- */

static int uring_buffers_refuse(const struct queue *q, int code, struct err *e)
{
	if (code == -ENOMEM)
		return err_set(e, code,
			"fixedbufs: %zu KiB of buffers can't be locked, the limit is %llu KiB; raise "
			"`ulimit -l`, lower iodepth or bs, or leave fixedbufs out",
			q->buffers_bytes >> 10, uring_memlock_kib());
	return err_sys(e, code, "fixedbufs: can't register the buffers; leave fixedbufs out");
}

static int uring_buffers_register(struct queue *q)
{
	struct uring_queue *u = q->mine;

	if (!q->buffer_bytes || !q->buffers_bytes)
		return -EINVAL;
	size_t piece = URING_PIECE - URING_PIECE % q->buffer_bytes;
	size_t count = div_up(q->buffers_bytes, piece);
	if (count > URING_PIECES_MAX)
		return -E2BIG;

	scope_mem struct iovec *pieces = calloc(count, sizeof(*pieces));
	if (!pieces)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++) {
		pieces[i].iov_base = (char *)q->buffers + i * piece;
		pieces[i].iov_len = MIN_OF(piece, q->buffers_bytes - i * piece);
	}
	int rc = io_uring_register_buffers(&u->ring, pieces, (unsigned)count);
	if (rc < 0)
		return rc;
	u->fixed_base = (uintptr_t)q->buffers;
	u->fixed_bytes = q->buffers_bytes;
	u->fixed_piece = count > 1 ? piece : 0;
	return 0;
}

static bool uring_may_lock_all(void)
{
	struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3] = {0};

	return syscall(SYS_capget, &header, sets) == 0 &&
	       sets[0].effective & 1u << CAP_IPC_LOCK;
}

static bool uring_buffers_modest(const struct queue *q)
{
	return uring_may_lock_all() ||
	       q->buffers_bytes >> 10 <= uring_memlock_kib() / URING_MEMLOCK_PART;
}

static int uring_buffers_open(struct queue *q, struct err *e)
{
	const struct uring_opts *o = q->opts;

	/* Who asks for vectors wants to see them used. */
	bool wanted = o->fixedbufs == URING_YES ||
		      (o->fixedbufs == URING_AUTO && o->nonvectored != 0 &&
			      uring_buffers_modest(q));
	if (!wanted)
		return 0;
	int rc = uring_buffers_register(q);
	if (rc < 0 && o->fixedbufs == URING_YES)
		return uring_buffers_refuse(q, rc, e);
	if (rc == 0)
		uring_used(q, "fixed buffers");
	return 0;
}

/* ---- files ---- */

static int uring_files_register(struct queue *q)
{
	struct uring_queue *u = q->mine;

	int rc = io_uring_register_files_sparse(&u->ring, q->targets_count);
	if (rc != -EINVAL)
		return rc;

	/* Before Linux 5.19: a table of -1. */
	scope_mem int *none = calloc(q->targets_count, sizeof(*none));
	if (!none)
		return -ENOMEM;
	memset(none, 0xff, q->targets_count * sizeof(*none));
	return io_uring_register_files(&u->ring, none, q->targets_count);
}

static int uring_files_open(struct queue *q, struct err *e)
{
	const struct uring_opts *o = q->opts;
	struct uring_queue *u = q->mine;

	if (o->registerfiles == URING_NO || !q->targets_count)
		return 0;
	int rc = uring_files_register(q);
	if (rc < 0 && o->registerfiles == URING_YES)
		return err_sys(e, rc,
			"registerfiles: can't register %u files (at most `ulimit -n`, and 1048576); "
			"use fewer files or leave registerfiles out",
			q->targets_count);
	u->fixed_files = rc >= 0;
	if (u->fixed_files)
		uring_used(q, "registered files");
	return 0;
}

/* Where the kernel can't try a request without waiting, its worker threads do every
 * one, after a try in vain: given to them at once, zram does 1.7 times as many. */
static void uring_target_async(struct queue *q, const struct target *t)
{
	struct uring_queue *u = q->mine;
	struct uring_target *mine = t->mine;

	if (u->tries || posix_can_try(t))
		return;
	mine->flags |= IOSQE_ASYNC;
	if (!strstr(q->used, "async"))
		uring_used(q, "async");
}

int uring_target_added(struct queue *q, struct target *t, struct err *e)
{
	const struct uring_opts *o = q->opts;
	struct uring_queue *u = q->mine;
	struct uring_target *mine = t->mine;

	if (o->uncached) {
		int rc = posix_check_uncached(t, e);
		if (rc < 0)
			return rc;
	}
	*mine = (struct uring_target){.fd = t->fd};
	uring_target_async(q, t);
	if (!u->fixed_files)
		return 0;
	int rc = io_uring_register_files_update(&u->ring, t->index, &t->fd, 1);
	if (rc < 0 && o->registerfiles == URING_YES)
		return err_sys(e, rc, "%s: can't register the file; leave registerfiles out",
			t->path);
	if (rc == 1) {
		mine->fd = (int32_t)t->index;
		mine->flags |= IOSQE_FIXED_FILE;
	}
	return 0;
}

void uring_target_gone(struct queue *q, struct target *t)
{
	struct uring_queue *u = q->mine;
	struct uring_target *mine = t->mine;
	int none = -1;

	if (mine->flags & IOSQE_FIXED_FILE)
		(void)io_uring_register_files_update(&u->ring, t->index, &none, 1);
	*mine = (struct uring_target){.fd = -1};
}

/* ---- open and close ---- */

static void uring_decide(struct queue *q)
{
	const struct uring_opts *o = q->opts;
	struct uring_queue *u = q->mine;

	u->vectored = o->nonvectored == 0;
	u->read_op = u->vectored ? IORING_OP_READV : IORING_OP_READ;
	u->write_op = u->vectored ? IORING_OP_WRITEV : IORING_OP_WRITE;
	u->polled = o->hipri;
	u->rw_flags = (o->uncached ? POSIX_RWF_DONTCACHE : 0u) | (o->nowait ? RWF_NOWAIT : 0u);
	u->write_flags = u->rw_flags | (q->atomic ? POSIX_RWF_ATOMIC : 0u);
	u->async_every = u->async_left = o->force_async;
	u->tries = o->force_async || o->nowait || o->hipri;
	u->vectors = q->ios_mine;
	ready_init(&u->ready, u->vectors + q->depth, q->depth);
}

int uring_open(struct queue *q, struct err *e)
{
	const struct uring_opts *o = q->opts;
	struct uring_queue *u = q->mine;

	if (o->hipri && !q->direct)
		return err_set(e, -EINVAL, "hipri polls the device and needs direct=1");
	uring_decide(q);
	int rc = uring_ring_open(q, e);
	if (rc < 0)
		return rc;
	rc = uring_buffers_open(q, e);
	if (rc < 0)
		goto fail;
	rc = uring_files_open(q, e);
	if (rc < 0)
		goto fail;
	return 0;
fail:
	io_uring_queue_exit(&u->ring);
	return rc;
}

/* The kernel must not write into buffers that are gone. */
static void uring_drain(struct queue *q)
{
	struct uring_queue *u = q->mine;
	const uint64_t until_ns = clock_now(q->clock) + URING_CLOSE_NS;
	struct io *done;

	while (u->flying && clock_now(q->clock) < until_ns) {
		struct __kernel_timespec slice = {0, WAIT_SLICE_NS};
		struct io_uring_cqe *cqe;
		if (io_uring_sq_ready(&u->ring))
			(void)io_uring_submit(&u->ring);
		if (u->polled)
			(void)io_uring_get_events(&u->ring);
		else
			(void)io_uring_wait_cqes(&u->ring, &cqe, 1, &slice, NULL);
		while (uring_take(u, &done, 1))
			;
	}
}

void uring_close(struct queue *q)
{
	struct uring_queue *u = q->mine;

	uring_drain(q);
	io_uring_queue_exit(&u->ring);
}
