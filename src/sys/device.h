/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Block devices by identity: the device number, never a name.  Reads sysfs.
 *
 *   /sys/dev/block/8:1 -> ../../devices/.../block/sda/sda1
 *                         partition  holders/  slaves/  loop/  dm/  stat  size */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct sysroot;

struct device {
	dev_t rdev;
	char name[64]; /* the kernel's, "sda1"; a '/' in it is '!' as in sysfs */
};

/* A zeroed struct is a valid empty list. */
struct device_list {
	struct device *v;
	size_t count;
};

/* How block devices hang together in sysfs. */
enum device_relation {
	DEVICE_PARTITIONS, /* of a whole disk                             */
	DEVICE_HOLDERS,    /* who is built on it: md, dm, bcache           */
	DEVICE_SLAVES,     /* what it is built on                          */
};

/* 0, or -ENOENT when the kernel knows no such block device. */
int device_find(const struct sysroot *r, dev_t rdev, struct device *ret);

/* By the name in sysfs. */
int device_find_name(const struct sysroot *r, const char *name, struct device *ret);

/* False also when RDEV is unknown. */
bool device_is_partition(const struct sysroot *r, dev_t rdev);

/* The disk that a partition is on; the device itself when it is none. */
int device_whole(const struct sysroot *r, dev_t rdev, struct device *ret);

/* Adds to *list what stands in that relation to RDEV; none is no error. */
int device_related(const struct sysroot *r, dev_t rdev, enum device_relation how,
	struct device_list *list);

/* The loop device that has RDEV as its backing device; false: there is none. */
bool device_loop_over(const struct sysroot *r, dev_t rdev, struct device *ret);

void device_list_done(struct device_list *list);

/* Bytes by the kernel's record, for those who may not open it. */
int device_bytes(const struct sysroot *r, dev_t rdev, uint64_t *ret);
uint32_t device_logical_block(const struct sysroot *r, dev_t rdev);

/* Host-managed or host-aware, by the kernel's record. */
bool device_is_zoned(const struct sysroot *r, dev_t rdev);

/* The kernel lets nobody write to it; false also when RDEV is unknown. */
bool device_is_read_only(const struct sysroot *r, dev_t rdev);

/* "/dev/sda1", for dm "/dev/dm-0 (vg-root)". Returns BUF. */
const char *device_show(const struct sysroot *r, const struct device *d, char *buf,
	size_t size);
