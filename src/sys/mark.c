/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "sys/mark.h"

#include <errno.h>
#include <stddef.h>
#include <sys/xattr.h>

#define MARK_NAME  "user.weir.made"
#define MARK_VALUE "1"

int mark_set(int fd)
{
	return fsetxattr(fd, MARK_NAME, MARK_VALUE, sizeof(MARK_VALUE) - 1, 0) < 0 ? -errno : 0;
}

bool mark_get(int fd)
{
	return fgetxattr(fd, MARK_NAME, NULL, 0) >= 0;
}

bool mark_get_path(const char *path)
{
	return getxattr(path, MARK_NAME, NULL, 0) >= 0;
}
