/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* The parts of the io_uring engine: io_uring.c moves requests, io_uring_setup.c makes the
 * ring and decides how it is used, io_uring_options.c has what users may say of that.
 *
 * Each kind of help that a kernel may give is asked for, best first, and done without where
 * it is refused; only what the user demanded (URING_YES, sqthread_poll, hipri) is an error
 * then:
 *
 *	ring      DEFER_TASKRUN, COOP_TASKRUN, plain; or a kernel thread that submits
 *	buffers   registered, unless that would take much of the memlock limit
 *	files     registered, by the target's index
 *	async     for devices that can't be tried without waiting */
#pragma once

#include "engine/cmdprio.h"
#include "engine/engine.h"
#include "engine/ready.h"

#include <liburing.h>
#include <stdbool.h>
#include <stdint.h>

struct err;
struct opt_group;

/* A thing that is done where it can be, unless the user decides. */
enum uring_choice {
	URING_AUTO,
	URING_NO,
	URING_YES, /* asked for: what can't be done is an error */
};

/* As said.  What of it is possible on this kernel, and best, uring_open() decides. */
struct uring_opts {
	bool hipri;
	int fixedbufs, registerfiles; /* enum uring_choice                       */
	bool sqthread_poll;
	int32_t sqthread_poll_cpu; /* -1: any                                 */
	int32_t nonvectored;       /* -1: what is best, 0: vectored, 1: plain */
	uint32_t force_async;      /* every so many; 0: where it is best      */
	uint32_t uncached;
	bool nowait;
	struct cmdprio_opts prio;
};

extern const struct opt_group io_uring_group;

/* Ready values for the hot half, all decided by uring_open(). */
struct uring_queue {
	struct io_uring ring;
	struct ready ready;    /* done without the ring                          */
	struct iovec *vectors; /* one a slot; used when vectored                 */
	uint32_t flying;       /* given to the ring, not yet taken back          */
	uint8_t read_op, write_op;
	bool vectored; /* readv and writev, by `vectors`; else plain      */
	bool polled;   /* completions only come when asked for           */
	bool collects; /* entering the kernel to submit may also collect */
	bool fixed_files;
	bool tries; /* let the submitter try first, even where that can't succeed */
	uint32_t rw_flags;
	uint32_t write_flags;             /* of writes, beside those */
	uint32_t async_every, async_left; /* force_async: one in so many; and until the next */
	uintptr_t fixed_base;             /* registered buffers: [base, base + bytes)       */
	size_t fixed_bytes;               /* 0: none                                        */
	size_t fixed_piece;               /* bytes of one registration; 0: there is only one */
};

/* How requests on a target are addressed. */
struct uring_target {
	int32_t fd;    /* its index where it is registered */
	uint8_t flags; /* IOSQE_* */
};

#define URING_IO_SIZE (sizeof(struct iovec) + READY_SLOTS * sizeof(struct io *))

/* Forbidden (kernel.io_uring_disabled, seccomp) or missing: -errno, and what to do. */
int uring_probe(struct err *e);

/* The ring in the form that the kernel has: each thing that only newer kernels can is tried,
 * and left out with a fallback unless it was asked for.  q->used says what came of it. */
int uring_open(struct queue *q, struct err *e);
void uring_close(struct queue *q);
int uring_target_added(struct queue *q, struct target *t, struct err *e);
void uring_target_gone(struct queue *q, struct target *t);

/* Take what is on the completion ring, at most MAX; no system call. */
unsigned uring_take(struct uring_queue *u, struct io **done, unsigned max);
