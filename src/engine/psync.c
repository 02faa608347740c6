/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* HOT.  psync: pread() and pwrite(); the default. */
#include "engine/posix.h"

static void psync_perform(struct queue *q, struct io *io)
{
	const int fd = io->target->fd;
	ssize_t moved;

	if (unlikely(io->kind >= IO_TRIM)) {
		io->res = posix_other(io);
		return;
	}
	do {
		if (io->kind == IO_READ)
			moved = pread(fd, io->buf, io->bytes, (off_t)io->offset);
		else
			moved = pwrite(fd, io->buf, io->bytes, (off_t)io->offset);
	} while (posix_again(q, moved));
	io->res = posix_result(moved);
}

const struct engine engine_psync = {
	.name = "psync",
	.help = "pread() and pwrite(), one at a time (the default)",
	.flags = ENGINE_DIRECT_OK | ENGINE_TRIM | ENGINE_PARALLEL | ENGINE_AT_OFFSET,
	.target = &target_posix,
	.perform = psync_perform,
};
