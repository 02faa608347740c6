/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "sys/owned.h"

#include "base/scope.h"
#include "sys/mark.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#define OWNED_NAME "user.weir.trial"

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

int owned_begin(int fd)
{
	int rc = lock(fd);

	if (rc == 0)
		rc = mark_set(fd);
	/* Last: from here on others may take it when we are gone. */
	if (rc == 0 && fsetxattr(fd, OWNED_NAME, "1", 1, 0) < 0)
		rc = -errno;
	return rc;
}

static bool is_still(const char *path, const struct stat *st)
{
	struct stat now;

	return lstat(path, &now) == 0 && now.st_dev == st->st_dev && now.st_ino == st->st_ino;
}

bool owned_remove_left(const char *path, uint64_t *ret_bytes)
{
	struct stat st;

	if (lgetxattr(path, OWNED_NAME, NULL, 0) < 0)
		return false; /* a device isn't even opened */
	/* For writing: a write lock needs it. */
	scope_fd int fd = open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);

	if (fd < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) || st.st_nlink != 1 ||
		fgetxattr(fd, OWNED_NAME, NULL, 0) < 0 || lock(fd) < 0 ||
		!is_still(path, &st) || unlink(path) < 0)
		return false;
	*ret_bytes = (uint64_t)st.st_size;
	return true;
}
