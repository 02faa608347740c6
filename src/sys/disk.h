/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Which disks carry a path, and the kernel's counters of them.
 *
 * A partition counts as its disk; a stacked device (md, dm) is followed by the
 * devices at the bottom of it as its slaves; a loop device stands for itself;
 * btrfs is found through its members, overlay through its upper folder; tmpfs
 * and network file systems have no disk. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct sysroot;

struct disk {
	dev_t rdev;
	char name[64];
	bool slave;      /* belongs to the last one before it that is none */
	uint32_t slaves; /* how many follow it                             */
};

/* A zeroed struct is a valid empty list; each disk stands in it once as itself. */
struct disk_list {
	struct disk *v;
	size_t count;
};

/* Since the machine started: the device's `stat` in sysfs. */
struct disk_counters {
	uint64_t ios[2], merges[2], sectors[2], ticks_ms[2]; /* read, write     */
	uint64_t busy_ms;     /* something was in flight                             */
	uint64_t in_queue_ms; /* sum over requests                               */
};

/* Add the disks under PATH, or under the folder that will hold it. Nothing found
 * is no error. */
int disk_list_add(const struct sysroot *r, const char *path, struct disk_list *list);
void disk_list_done(struct disk_list *list);

/* 0 or a negative errno: the disk is gone. */
int disk_read(const struct sysroot *r, dev_t rdev, struct disk_counters *ret);
