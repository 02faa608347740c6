/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What an I/O does.  The first three move data and have statistics of their
 * own; a sync (fsync, fdatasync) has latencies but no bytes. */
#pragma once

enum dir {
	DIR_READ,
	DIR_WRITE,
	DIR_TRIM,
	DIR_SYNC,
};

#define DIRS     3 /* the directions that move data      */
#define DIRS_ALL 4 /* with DIR_SYNC, for latency tables  */

static inline const char *dir_name(enum dir dir)
{
	static const char *const names[] = {"read", "write", "trim", "sync"};
	return names[dir];
}
