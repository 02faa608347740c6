/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* HOT.  pvsync: preadv() and pwritev(). */
#include "engine/posix.h"

#include <sys/uio.h>

static void pvsync_perform(struct queue *q, struct io *io)
{
	const struct iovec vector = {.iov_base = io->buf, .iov_len = io->bytes};
	const int fd = io->target->fd;
	ssize_t moved;

	if (unlikely(io->kind >= IO_TRIM)) {
		io->res = posix_other(io);
		return;
	}
	do {
		if (io->kind == IO_READ)
			moved = preadv(fd, &vector, 1, (off_t)io->offset);
		else
			moved = pwritev(fd, &vector, 1, (off_t)io->offset);
	} while (posix_again(q, moved));
	io->res = posix_result(moved);
}

const struct engine engine_pvsync = {
	.name = "pvsync",
	.help = "preadv() and pwritev(), one at a time",
	.flags = ENGINE_DIRECT_OK | ENGINE_TRIM | ENGINE_PARALLEL | ENGINE_AT_OFFSET,
	.target = &target_posix,
	.perform = pvsync_perform,
};
