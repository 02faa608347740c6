/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Do two paths lie on the same disk, however far down? */
#pragma once

struct sysroot;

enum meet {
	MEET_NOWHERE, /* as far as can be seen                                         */
	MEET_DISK,    /* a disk at the bottom of both                                  */
	MEET_ITSELF,  /* what carries one is the other, a block device                 */
};

#define MEET_NAME 64

/* Does PATH, or the folder that will hold it, lie on OTHER (a file, a block device, or a file
 * that will be made)?  NAME: the kernel's of the device where they meet.  Reads /proc and /sys.
 */
enum meet meet_find(const struct sysroot *r, const char *path, const char *other,
	char name[MEET_NAME]);
