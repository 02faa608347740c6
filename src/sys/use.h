/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Is a block device in use, and by whom?  By identity, so links, aliases and
 * other nodes of the same device don't matter.
 *
 * Used is: a device that is mounted, is swap, is held by another (md, dm), backs
 * a loop device or is a member of a mounted btrfs; a whole disk any of whose
 * partitions is used; a partition of a disk that is used as a whole.  A free
 * partition beside a used one is free. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct sysroot;

/* In what way a device is used. */
enum use_kind {
	USE_NONE,
	USE_MOUNTED,
	USE_SWAP,
	USE_HELD, /* another device is built on it */
};

struct use {
	enum use_kind kind;
	bool own;        /* of the device itself, not of a partition or its disk    */
	char where[256]; /* the mount point, or the device that holds it            */
	char text[384];  /* what was found.  own: "is mounted on /mnt"; else a whole
			  * sentence: "partition /dev/sda2 of it is mounted on /"   */
};

/* 0 with *ret filled, or a negative errno when the machine can't be read: then
 * nothing is known, and a careful caller refuses. */
int use_find(const struct sysroot *r, dev_t rdev, struct use *ret);

/* Of a partition: what another one of its disk is used for.  The same. */
int use_find_beside(const struct sysroot *r, dev_t rdev, struct use *ret);
