/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Targets behind a file descriptor, and targets that need none. */
#include "base/bits.h"
#include "base/err.h"
#include "base/log.h"
#include "base/scope.h"
#include "engine/engine.h"
#include "engine/wait.h"
#include "sys/mark.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#define TARGET_MODE 0600 /* as fio: only a file that is laid out is everybody's to read */

static const char *target_verb(const struct target_how *how)
{
	if (how->write)
		return how->read ? "reading and writing" : "writing";
	return "reading";
}

/* What a person can do about it; NULL: the error says enough. */
static const char *target_remedy(const struct target_how *how, int code)
{
	switch (-code) {
	case ENOENT:
		return how->create ? "its directory does not exist; make it first"
				   : "it does not exist";
	case ENOTDIR:
		return "a part of the path is a file, not a directory";
	case EISDIR:
		return "it is a directory; give a file, or directory= to have files made in it";
	case EACCES:
		return "the permissions of the file or of a directory above it forbid it; "
		       "run as its owner or as root, or change them";
	case EPERM:
		return "it is immutable, append-only or sealed (see lsattr), or this process is "
		       "confined";
	case EROFS:
		return "the file system is mounted read-only; remount it or only read";
	case ETXTBSY:
		return "it is a program that is running, or is in use as swap";
	case EBUSY:
		return "another program or a mount holds it exclusively";
	case EMFILE:
		return "this process has no descriptor left; raise `ulimit -n` or lower openfiles";
	case ENFILE:
		return "the machine has no descriptor left; raise fs.file-max";
	case ENXIO:
	case ENODEV:
		return "there is no device behind this node, or nobody at the other end of the pipe";
	case ENOMEDIUM:
		return "the drive has no medium in it";
	case ENOSPC:
	case EDQUOT:
		return "there is no room to make the file (blocks, inodes or quota: df, df -i, quota)";
	case EINVAL:
		return how->direct ? "this file system can't do direct I/O; use direct=0"
				   : NULL;
	default:
		return NULL;
	}
}

static int target_refuse(const struct target *t, const struct target_how *how, int code,
	struct err *reterr)
{
	const char *remedy = target_remedy(how, code);

	err_sys(reterr, code, "%s: can't open it for %s%s", t->path, target_verb(how),
		how->direct ? " with direct I/O" : "");
	if (reterr && remedy) {
		size_t len = strlen(reterr->text);
		snprintf(reterr->text + len, sizeof(reterr->text) - len, "; %s", remedy);
	}
	return code;
}

static int target_flags(const struct target_how *how)
{
	int flags = O_CLOEXEC;

	if (how->write)
		flags |= how->read ? O_RDWR : O_WRONLY;
	else
		flags |= O_RDONLY;
	if (how->direct)
		flags |= O_DIRECT;
	if (how->sync)
		flags |= O_SYNC;
	if (how->dsync)
		flags |= O_DSYNC;
	return flags;
}

/* Without access times, as fio: keeping them cost a tenth of a read from zram.  Only
 * the owner of a file may ask for that.  A pipe is opened when somebody has its other end,
 * which may be never: -EINTR when the queue is to stop. */
static int open_again(const struct queue *q, const char *path, int flags)
{
	int fd;

	flags |= O_NOATIME;
	do {
		fd = open(path, flags, TARGET_MODE);
		if (fd < 0 && errno == EPERM && flags & O_NOATIME) {
			flags &= ~O_NOATIME;
			errno = EINTR;
		}
	} while (fd < 0 && errno == EINTR && !queue_stopped(q));
	return fd < 0 ? -errno : fd;
}

/* Open, and when that makes the file, mark it as weir's. */
static int target_open_fd(const struct queue *q, const struct target *t,
	const struct target_how *how)
{
	const int flags = target_flags(how);
	int fd = open_again(q, t->path, flags);

	if (fd != -ENOENT || !how->create)
		return fd;
	fd = open_again(q, t->path, flags | O_CREAT | O_EXCL);
	if (fd == -EEXIST) /* another worker was quicker */
		return open_again(q, t->path, flags);
	if (fd >= 0 && mark_set(fd) < 0)
		log_debug(LOG_ENGINE, "%s: made, but this file system can't hold weir's mark",
			t->path);
	return fd;
}

static int target_measure(int fd, enum look_kind *ret_kind, uint64_t *ret_bytes)
{
	struct stat st;
	uint64_t bytes = 0;

	if (fstat(fd, &st) < 0)
		return -errno;
	enum look_kind kind = look_kind_of(st.st_mode);
	if (kind == LOOK_DIRECTORY)
		return -EISDIR;
	if (kind == LOOK_BLOCK && ioctl(fd, BLKGETSIZE64, &bytes) < 0)
		return -errno;
	*ret_kind = kind;
	*ret_bytes = kind == LOOK_FILE ? (uint64_t)st.st_size : bytes;
	return 0;
}

/* Clean pages go, dirty ones are only started on their way out.  BLKFLSBUF
 * needs CAP_SYS_ADMIN; without it a device keeps what advice can't drop. */
static int posix_invalidate(struct queue *q, struct target *t, const struct target_how *how)
{
	(void)q;
	if (t->kind == LOOK_BLOCK)
		(void)ioctl(t->fd, BLKFLSBUF, 0);
	else if (t->kind != LOOK_FILE)
		return 0;
	return -posix_fadvise(t->fd, (off_t)how->range_start, (off_t)how->range_bytes,
		POSIX_FADV_DONTNEED);
}

/* Only who may write says how long it lives; a file system that doesn't care takes
 * it all the same. */
static int target_set_life(int fd, const struct target_how *how)
{
	uint64_t life = (uint64_t)how->life;

	return how->life && how->write && fcntl(fd, F_SET_RW_HINT, &life) < 0 ? -errno : 0;
}

static int posix_open(struct queue *q, struct target *t, const struct target_how *how,
	struct err *reterr)
{
	int rc = target_open_fd(q, t, how);
	if (rc < 0)
		return target_refuse(t, how, rc, reterr);

	scope_fd int fd = rc;
	rc = target_measure(fd, &t->kind, &t->bytes);
	if (rc < 0)
		return target_refuse(t, how, rc, reterr);

	rc = target_set_life(fd, how);
	if (rc < 0)
		return err_sys(reterr, rc, "write_hint: \"%s\" doesn't take it; leave it out",
			t->path);

	t->fd = keep_fd(&fd);
	if (how->invalidate)
		(void)posix_invalidate(q, t, how);
	if (how->advice >= 0)
		(void)posix_fadvise(t->fd, (off_t)how->range_start, (off_t)how->range_bytes,
			how->advice);
	return 0;
}

static void posix_close(struct queue *q, struct target *t)
{
	(void)q;
	if (t->fd >= 0)
		close(t->fd);
	t->fd = -1;
}

const struct target_ops target_posix = {
	.open = posix_open,
	.close = posix_close,
	.invalidate = posix_invalidate,
};

static int none_open(struct queue *q, struct target *t, const struct target_how *how,
	struct err *reterr)
{
	(void)q;
	(void)how;
	(void)reterr;
	t->fd = -1;
	t->kind = LOOK_NOTHING;
	t->bytes = 0;
	return 0;
}

static void none_close(struct queue *q, struct target *t)
{
	(void)q;
	t->fd = -1;
}

const struct target_ops target_none = {
	.open = none_open,
	.close = none_close,
};
