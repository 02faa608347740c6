/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "sys/look.h"

#include "base/bits.h"
#include "base/scope.h"
#include "sys/device.h"
#include "sys/mark.h"
#include "sys/sysroot.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>

#define LOOK_DEPTH 64 /* of directories below one another */

enum look_kind look_kind_of(mode_t mode)
{
	switch (mode & S_IFMT) {
	case S_IFREG:
		return LOOK_FILE;
	case S_IFBLK:
		return LOOK_BLOCK;
	case S_IFCHR:
		return LOOK_CHAR;
	case S_IFDIR:
		return LOOK_DIRECTORY;
	case S_IFIFO:
		return LOOK_PIPE;
	default:
		return LOOK_OTHER;
	}
}

/* Whoever may not open the device still learns its size from sysfs. */
static void look_block(const char *path, struct look *l)
{
	scope_fd int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	int block = 0;
	if (fd >= 0 && ioctl(fd, BLKGETSIZE64, &l->bytes) == 0 &&
		ioctl(fd, BLKSSZGET, &block) == 0 && block > 0) {
		l->logical_block = (uint32_t)block;
		return;
	}
	int error = fd < 0 ? -errno : 0;
	if (device_bytes(&sysroot_real, l->rdev, &l->bytes) < 0)
		l->error = error ? error : -ENODEV;
	l->logical_block = device_logical_block(&sysroot_real, l->rdev);
}

/* Number of the file system that would hold a new file at PATH. */
static void look_missing(const char *path, struct look *l)
{
	char folder[PATH_MAX];
	struct stat st;

	if (strlen(path) >= sizeof(folder)) {
		l->error = -ENAMETOOLONG;
		return;
	}
	memcpy(folder, path, strlen(path) + 1);
	for (bool direct = true;; direct = false) {
		char *slash = strrchr(folder, '/');
		if (!slash)
			memcpy(folder, ".", 2);
		else
			slash[slash == folder] = '\0'; /* keeps the one of "/" */
		if (stat(folder, &st) == 0) {
			l->dev = st.st_dev;
			l->parent_missing = !direct;
			return;
		}
		if (errno != ENOENT || !slash || slash == folder) {
			l->error = -errno;
			return;
		}
	}
}

void look_at(const char *path, struct look *ret)
{
	struct look l = {.logical_block = 512};
	struct stat st;

	if (stat(path, &st) == 0) {
		l.kind = look_kind_of(st.st_mode);
		l.dev = st.st_dev;
		l.inode = st.st_ino;
		if (l.kind == LOOK_BLOCK || l.kind == LOOK_CHAR)
			l.rdev = st.st_rdev;
		if (l.kind == LOOK_FILE) {
			l.bytes = (uint64_t)st.st_size;
			l.marked = mark_get_path(path);
		} else if (l.kind == LOOK_BLOCK) {
			look_block(path, &l);
			l.zoned = device_is_zoned(&sysroot_real, l.rdev);
		}
	} else if (errno == ENOENT) {
		look_missing(path, &l);
	} else {
		l.error = -errno;
	}
	if (stat("/dev", &st) == 0)
		l.on_dev = !l.error && l.dev == st.st_dev;
	*ret = l;
}

/* 1: FOUND wants no more. */
static int below(const char *dir, int depth, bool (*found)(void *arg, const char *path),
	void *arg)
{
	struct dirent **names;
	int n = scandir(dir, &names, NULL, alphasort);
	int rc = n < 0 ? -errno : 0;

	for (int i = 0; i < n; i++) {
		char path[PATH_MAX];
		struct stat st;
		const char *name = names[i]->d_name;
		bool self = !strcmp(name, ".") || !strcmp(name, "..");
		int len = snprintf(path, sizeof(path), "%s/%s", dir, name);

		if (rc == 0 && !self && len >= (int)sizeof(path))
			rc = -ENAMETOOLONG;
		if (rc == 0 && !self && lstat(path, &st) == 0) {
			if (S_ISREG(st.st_mode))
				rc = !found(arg, path);
			else if (S_ISDIR(st.st_mode))
				rc = depth ? below(path, depth - 1, found, arg) : -ELOOP;
		}
		free(names[i]);
	}
	if (n >= 0)
		free(names);
	return rc;
}

int look_below(const char *dir, bool (*found)(void *arg, const char *path), void *arg)
{
	int rc = below(dir, LOOK_DEPTH, found, arg);
	return MIN_OF(rc, 0);
}
