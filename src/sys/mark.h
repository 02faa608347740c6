/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* weir's mark on files that it made: the extended attribute "user.weir.made",
 * set once at creation through the open descriptor.  A file with it may be
 * extended by a read job; a file without it is somebody's. */
#pragma once

#include <stdbool.h>

/* 0, or -EOPNOTSUPP and the like where the file system has no user xattrs. */
int mark_set(int fd);
bool mark_get(int fd);
bool mark_get_path(const char *path);
