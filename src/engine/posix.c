/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "engine/posix.h"

#include "base/err.h"
#include "base/scope.h"

#include <fcntl.h>
#include <linux/fs.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/uio.h>

static int32_t posix_trim(const struct io *io)
{
	uint64_t range[2] = {io->offset, io->bytes};
	int rc = -1;

	errno = ENOTTY;
	if (io->target->kind == LOOK_BLOCK)
		rc = ioctl(io->target->fd, BLKDISCARD, range);
	else if (io->target->kind == LOOK_FILE)
		rc = fallocate(io->target->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
			(off_t)io->offset, (off_t)io->bytes);
	return rc < 0 ? -errno : (int32_t)io->bytes;
}

static int32_t posix_sync_range(const struct io *io)
{
	int rc = sync_file_range(io->target->fd, (off_t)io->offset, (off_t)io->bytes,
		io->flags);
	return rc < 0 ? -errno : 0;
}

int32_t posix_other(const struct io *io)
{
	switch ((enum io_kind)io->kind) {
	case IO_TRIM:
		return posix_trim(io);
	case IO_FSYNC:
		return fsync(io->target->fd) < 0 ? -errno : 0;
	case IO_FDATASYNC:
		return fdatasync(io->target->fd) < 0 ? -errno : 0;
	case IO_SYNC_RANGE:
		return posix_sync_range(io);
	case IO_READ:
	case IO_WRITE:
		break;
	}
	return -EINVAL;
}

int posix_seat_added(struct queue *q, struct target *t, struct err *e)
{
	struct posix_seat *seat = t->mine;

	(void)q;
	(void)e;
	seat->at = 0;
	return 0;
}

bool posix_can_try(const struct target *t)
{
	char byte, path[64];
	struct iovec vector = {.iov_base = &byte, .iov_len = 1};

	if (preadv2(t->fd, &vector, 1, 0, RWF_NOWAIT) >= 0)
		return true;
	if (errno != EBADF)
		return errno != EOPNOTSUPP;

	/* Open for writing only: ask through another descriptor. */
	snprintf(path, sizeof(path), "/proc/self/fd/%d", t->fd);
	scope_fd int fd = open(path, O_RDONLY | O_CLOEXEC);
	return fd < 0 || preadv2(fd, &vector, 1, 0, RWF_NOWAIT) >= 0 || errno != EOPNOTSUPP;
}

int posix_check_uncached(const struct target *t, struct err *reterr)
{
	char byte;
	struct iovec vector = {.iov_base = &byte, .iov_len = 1};

	/* Other errors (not open for reading, O_DIRECT) say nothing about the flag. */
	if (preadv2(t->fd, &vector, 1, 0, POSIX_RWF_DONTCACHE) < 0 && errno == EOPNOTSUPP)
		return err_set(reterr, -EOPNOTSUPP,
			"%s: uncached is not possible: it needs Linux 6.14 or later and a file system "
			"that has it (ext4, xfs, btrfs); leave it out or use direct=1",
			t->path);
	return 0;
}
