/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* HOT.  sync: lseek() where the position is another, then read() or write(). */
#include "engine/posix.h"

static void sync_perform(struct queue *q, struct io *io)
{
	const int fd = io->target->fd;
	ssize_t moved;

	if (unlikely(io->kind >= IO_TRIM)) {
		io->res = posix_other(io);
		return;
	}
	int rc = posix_seek(io->target, io->offset);
	if (unlikely(rc < 0)) {
		io->res = rc;
		return;
	}
	do {
		if (io->kind == IO_READ)
			moved = read(fd, io->buf, io->bytes);
		else
			moved = write(fd, io->buf, io->bytes);
	} while (posix_again(q, moved));
	posix_sought(io->target, io->offset, moved);
	io->res = posix_result(moved);
}

const struct engine engine_sync = {
	.name = "sync",
	.help = "lseek(), then read() or write(), one at a time",
	.flags = ENGINE_DIRECT_OK | ENGINE_TRIM | ENGINE_SEATED,
	.target_size = sizeof(struct posix_seat),
	.target = &target_posix,
	.target_added = posix_seat_added,
	.perform = sync_perform,
};
