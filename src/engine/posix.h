/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* HOT.  What the engines that use file descriptors share. */
#pragma once

#include "base/bits.h"
#include "engine/engine.h"
#include "engine/wait.h"

#include <errno.h>
#include <stdbool.h>
#include <sys/types.h>
#include <unistd.h>

/* RWF_DONTCACHE came with Linux 6.14, after Debian 12's headers. */
#define POSIX_RWF_DONTCACHE 0x80
/* RWF_ATOMIC with Linux 6.11. */
#define POSIX_RWF_ATOMIC 0x40

/* All kinds but reads and writes, done here and now; returns io->res.  A trim
 * discards blocks of a device, punches a hole in a regular file, and is -ENOTTY for
 * anything else. */
int32_t posix_other(const struct io *io);

/* Was this call cut short by a signal, so that it should be made again? */
static inline bool posix_again(const struct queue *q, ssize_t moved)
{
	return unlikely(moved < 0) && errno == EINTR && !queue_stopped(q);
}

/* io->res of a call that returned MOVED and set errno. */
static inline int32_t posix_result(ssize_t moved)
{
	return unlikely(moved < 0) ? -errno : (int32_t)moved;
}

/* For engines that read and write at the descriptor's position: the private
 * bytes of their targets.  A sequential job needs no lseek() then. */
struct posix_seat {
	uint64_t at; /* UINT64_MAX: unknown */
};

/* Move T's descriptor to OFFSET if it isn't there.  0 or a negative errno. */
static inline int posix_seek(struct target *t, uint64_t offset)
{
	struct posix_seat *seat = t->mine;

	if (seat->at == offset)
		return 0;
	seat->at = UINT64_MAX;
	return lseek(t->fd, (off_t)offset, SEEK_SET) < 0 ? -errno : 0;
}

/* After a call at OFFSET that returned MOVED. */
static inline void posix_sought(struct target *t, uint64_t offset, ssize_t moved)
{
	struct posix_seat *seat = t->mine;

	seat->at = unlikely(moved < 0) ? UINT64_MAX : offset + (uint64_t)moved;
}

/* The engine's target_added: a descriptor that was just opened stands at 0. */
int posix_seat_added(struct queue *q, struct target *t, struct err *e);

/* Refuse a target whose file system or kernel has no RWF_DONTCACHE; costs one
 * byte read. */
int posix_check_uncached(const struct target *t, struct err *reterr);

/* Can a request on T be tried without waiting (RWF_NOWAIT)?  Drivers that do their
 * work in the caller (zram, brd, loop in some set-ups) say no.  Costs one read of a
 * byte at most. */
bool posix_can_try(const struct target *t);
