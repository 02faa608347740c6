/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* The two halves of the libaio engine: libaio.c moves requests, libaio_setup.c
 * makes the context and decides how it is used.
 *
 * A request's private bytes hold its control block and, behind those of all, an event, a
 * pointer to a block, and READY_SLOTS places: all that a queue of this depth needs is in
 * ios_mine. */
#pragma once

#include "engine/cmdprio.h"
#include "engine/engine.h"
#include "engine/ready.h"

#include <libaio.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/uio.h>

struct err;
struct opt_group;

extern const struct opt_group libaio_group;

/* As said by the job. */
struct libaio_opts {
	bool userspace_reap; /* always done where it can be; accepted for fio's sake */
	bool vectored;
	bool nowait;
	struct cmdprio_opts prio;
};

/* The completion ring as the kernel maps it into the process (its ABI).
 * With it completions are taken without a system call; libaio_open()
 * believes it only when all of this is as it should be. */
struct libaio_ring {
	uint32_t id, count;
	uint32_t head, tail;
	uint32_t magic, compat, incompat, header_bytes;
	struct io_event events[];
};

/* A request's own bytes. The control block first: it is what its `data` is for. */
struct libaio_io {
	struct iocb block;
	struct iovec vector;
};

/* Ready values for the hot half, all decided by libaio_open(). */
struct libaio_queue {
	io_context_t context;
	struct libaio_ring *ring; /* NULL: its form is unknown, ask the kernel        */
	struct ready ready;       /* done without, or refused by, the kernel          */
	struct io_event *events;  /* room for io_getevents                            */
	struct iocb **blocks;     /* room for io_submit                               */
	uint32_t flying;
	int rw_flags;
	int write_flags; /* of writes: those, and what only writes have */
	uint16_t read_op, write_op;
};

#define LIBAIO_IO_SIZE                                                                         \
	(sizeof(struct libaio_io) + sizeof(struct io_event) + sizeof(struct iocb *) +          \
		READY_SLOTS * sizeof(struct io *))

/* The members of struct engine with these names. */
int libaio_probe(struct err *e);
int libaio_open(struct queue *q, struct err *e);

/* Waits for what is in flight. */
void libaio_close(struct queue *q);
