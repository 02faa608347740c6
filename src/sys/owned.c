/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "sys/owned.h"

#include "base/scope.h"
#include "sys/mark.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/magic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#define OWNED_NAME "user.weir.trial"
#define OWNED_TEXT 320 /* a file's name has 255 bytes at most */

static int lock(int fd)
{
	struct flock all = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
	struct statfs fs;

	if (fstatfs(fd, &fs) < 0)
		return -errno;
	if (fs.f_type == NFS_SUPER_MAGIC || fs.f_type == SMB_SUPER_MAGIC ||
		fs.f_type == CIFS_SUPER_MAGIC || fs.f_type == SMB2_SUPER_MAGIC)
		return -EOPNOTSUPP;
	return fcntl(fd, F_OFD_SETLK, &all) < 0 ? -errno : 0;
}

/* What the mark of this file says: its length, or a negative errno. */
static int owned_text(int fd, const char *path, char *text, size_t size)
{
	const char *slash = strrchr(path, '/');
	struct statx sx;

	if (statx(fd, "", AT_EMPTY_PATH, STATX_INO | STATX_BTIME, &sx) < 0)
		return -errno;
	if (!(sx.stx_mask & STATX_BTIME))
		return -EOPNOTSUPP;
	int len = snprintf(text, size, "%" PRIu64 " %" PRId64 ".%09u %s", (uint64_t)sx.stx_ino,
		(int64_t)sx.stx_btime.tv_sec, sx.stx_btime.tv_nsec, slash ? slash + 1 : path);
	return len < (int)size ? len : -ENAMETOOLONG;
}

int owned_begin(int fd, const char *path)
{
	char text[OWNED_TEXT];
	int len = owned_text(fd, path, text, sizeof(text));
	int rc = len < 0 ? len : lock(fd);

	if (rc == 0)
		rc = mark_set(fd);
	/* Last: from here on others may take it when we are gone. */
	if (rc == 0 && fsetxattr(fd, OWNED_NAME, text, (size_t)len, 0) < 0)
		rc = -errno;
	return rc;
}

static bool is_marked(int fd, const char *path)
{
	char want[OWNED_TEXT], got[OWNED_TEXT];
	const int len = owned_text(fd, path, want, sizeof(want));

	return len > 0 && fgetxattr(fd, OWNED_NAME, got, sizeof(got)) == len &&
	       memcmp(want, got, (size_t)len) == 0;
}

/* A file of our own under this name only, and not through a link. */
static bool is_ours(int folder, const char *path, struct stat *ret)
{
	return fstatat(folder, path, ret, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(ret->st_mode) &&
	       ret->st_nlink == 1 && ret->st_uid == geteuid();
}

/* It with its lock, or -1. */
static int left_open(int folder, const char *path, uint64_t *ret_bytes)
{
	struct stat before, now;

	if (!is_ours(folder, path, &before))
		return -1; /* a device isn't even opened */
	/* For writing: a write lock needs it. */
	scope_fd int fd = openat(folder, path,
		O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);

	if (fd < 0 || !is_marked(fd, path) || lock(fd) < 0)
		return -1;
	if (fstat(fd, &before) < 0 || !is_ours(folder, path, &now) ||
		now.st_dev != before.st_dev || now.st_ino != before.st_ino)
		return -1; /* replaced meanwhile */
	*ret_bytes = (uint64_t)now.st_size;
	return keep_fd(&fd);
}

bool owned_is_left(const char *path)
{
	uint64_t bytes;
	scope_fd int fd = left_open(AT_FDCWD, path, &bytes);

	return fd >= 0;
}

bool owned_remove_left(int folder, const char *name, uint64_t *ret_bytes)
{
	scope_fd int fd = left_open(folder, name, ret_bytes);

	return fd >= 0 && unlinkat(folder, name, 0) == 0;
}
