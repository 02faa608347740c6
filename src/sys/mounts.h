/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* The table of mounts, from /proc/self/mountinfo.
 *
 * A zeroed struct is a valid empty table. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct sysroot;

/* A line of mountinfo(5), its escapes undone. */
struct mount {
	uint64_t id;
	dev_t dev; /* anonymous (major 0) for btrfs, overlay, tmpfs ... */
	const char *point;
	const char *type;
	const char *source;
	const char *flags;   /* of the mount: "rw,noatime"                        */
	const char *options; /* of the file system: "rw,upperdir=/up"             */
};

struct mounts {
	struct mount *v; /* in the order they were mounted */
	size_t count;
	char *text; /* what the strings point into    */
};

/* 0, or a negative errno and *ret as it was. */
int mounts_load(const struct sysroot *r, struct mounts *ret);
void mounts_done(struct mounts *m);

/* By mountinfo's first field, or NULL. */
const struct mount *mounts_by_id(const struct mounts *m, uint64_t id);

/* The last one mounted of that device number, or NULL. */
const struct mount *mounts_by_dev(const struct mounts *m, dev_t dev);

/* Value of KEY ("upperdir") in the options, into BUF; 0, -ENOENT or
 * -ENAMETOOLONG. */
int mount_option(const struct mount *m, const char *key, char *buf, size_t size);
