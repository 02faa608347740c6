/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What an I/O does.  The first three move data and have statistics of their
 * own; a sync (fsync, fdatasync, sync_file_range) has latencies but no bytes.
 *
 * The numbers index every table by direction, and are what options with three values
 * ("read,write,trim") are kept by; bits 1 << dir make sets of them. */
#pragma once

enum dir {
	DIR_READ,
	DIR_WRITE,
	DIR_TRIM,
	DIR_SYNC,
};

#define DIRS     3 /* the directions that move data      */
#define DIRS_ALL 4 /* with DIR_SYNC, for latency tables  */

/* As fio's formats and weir's options spell it. */
static inline const char *dir_name(enum dir dir)
{
	static const char *const names[] = {"read", "write", "trim", "sync"};
	return names[dir];
}
