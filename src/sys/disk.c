/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "sys/disk.h"

#include "base/bits.h"
#include "base/scope.h"
#include "base/str.h"
#include "sys/device.h"
#include "sys/mounts.h"
#include "sys/sysroot.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

#define STACK_DEPTH 8 /* levels of md on dm on ... and of overlay on overlay */

static struct disk *push(struct disk_list *list, const struct device *d, bool slave)
{
	struct disk *v = realloc(list->v, (list->count + 1) * sizeof(*v));
	if (!v)
		return NULL;
	list->v = v;
	v[list->count] = (struct disk){.rdev = d->rdev, .slave = slave};
	memcpy(v[list->count].name, d->name, sizeof(d->name));
	return &v[list->count++];
}

/* The devices at the bottom below RDEV, each disk once. */
static int add_slaves(const struct sysroot *r, dev_t rdev, struct disk_list *list, size_t top,
	unsigned depth)
{
	struct device_list below = {0};
	int rc = device_related(r, rdev, DEVICE_SLAVES, &below);
	if (depth && !below.count && rc == 0) {
		struct device whole;
		bool known = device_whole(r, rdev, &whole) < 0;
		for (size_t i = top + 1; !known && i < list->count; i++)
			known = list->v[i].rdev == whole.rdev;
		if (!known && !push(list, &whole, true))
			rc = -ENOMEM;
		else if (!known)
			list->v[top].slaves++;
	}
	for (size_t i = 0; rc == 0 && depth < STACK_DEPTH && i < below.count; i++)
		rc = add_slaves(r, below.v[i].rdev, list, top, depth + 1);
	device_list_done(&below);
	return rc;
}

static int add_device(const struct sysroot *r, dev_t rdev, struct disk_list *list)
{
	struct device whole;
	if (device_whole(r, rdev, &whole) < 0)
		return 0;
	for (size_t i = 0; i < list->count; i++)
		if (!list->v[i].slave && list->v[i].rdev == whole.rdev)
			return 0;
	size_t top = list->count;
	if (!push(list, &whole, false))
		return -ENOMEM;
	return add_slaves(r, whole.rdev, list, top, 0);
}

static int add_btrfs(const struct sysroot *r, dev_t member, struct disk_list *list)
{
	DIR *dir = sysroot_dir(r, "/sys/fs/btrfs");
	const char *uuid;
	bool found = false;
	int rc = 0;
	while (dir && !found && (uuid = sysroot_next(dir))) {
		struct device d;
		if (device_find(r, member, &d) < 0 ||
			!sysroot_has(r, "/sys/fs/btrfs/%s/devices/%s", uuid, d.name))
			continue;
		found = true;
		DIR *members = sysroot_dir(r, "/sys/fs/btrfs/%s/devices", uuid);
		const char *name;
		while (members && rc == 0 && (name = sysroot_next(members)))
			if (device_find_name(r, name, &d) == 0)
				rc = add_device(r, d.rdev, list);
		if (members)
			closedir(members);
	}
	if (dir)
		closedir(dir);
	return found || rc < 0 ? rc : add_device(r, member, list);
}

static int add_place(const struct sysroot *r, const struct mounts *mounts,
	const struct place *place, struct disk_list *list, unsigned depth)
{
	struct place next;
	char upper[PATH_MAX];

	if (place->block)
		return add_device(r, place->rdev, list);
	if (major(place->dev))
		return add_device(r, place->dev, list);
	const struct mount *m = mounts_by_id(mounts, place->mount_id);
	if (!m)
		m = mounts_by_dev(mounts, place->dev);
	if (!m || depth >= STACK_DEPTH)
		return 0;
	if (mount_option(m, "upperdir", upper, sizeof(upper)) == 0)
		return sysroot_place(r, upper, &next) < 0
			       ? 0
			       : add_place(r, mounts, &next, list, depth + 1);
	if (m->source[0] != '/' || sysroot_place(r, m->source, &next) < 0 || !next.block)
		return 0;
	return strcmp(m->type, "btrfs") == 0 ? add_btrfs(r, next.rdev, list)
					     : add_device(r, next.rdev, list);
}

/* PATH, or the nearest folder above it that is there. */
static int nearest_place(const struct sysroot *r, const char *path, struct place *ret)
{
	char at[PATH_MAX];
	if (snprintf(at, sizeof(at), "%s", path) >= PATH_MAX)
		return -ENAMETOOLONG;
	int rc;
	while ((rc = sysroot_place(r, at, ret)) == -ENOENT) {
		char *slash = strrchr(at, '/');
		if (!slash)
			return sysroot_place(r, ".", ret);
		if (slash == at)
			return sysroot_place(r, "/", ret);
		*slash = '\0';
	}
	return rc;
}

int disk_list_add(const struct sysroot *r, const char *path, struct disk_list *list)
{
	struct place place;
	if (nearest_place(r, path, &place) < 0)
		return 0;
	struct mounts mounts = {0};
	int rc = 0;
	if (!place.block && !major(place.dev))
		rc = mounts_load(r, &mounts);
	if (rc == 0)
		rc = add_place(r, &mounts, &place, list, 0);
	mounts_done(&mounts);
	return rc;
}

void disk_list_done(struct disk_list *list)
{
	free(list->v);
	*list = (struct disk_list){0};
}

int disk_read(const struct sysroot *r, dev_t rdev, struct disk_counters *ret)
{
	char text[512];
	struct disk_counters c;
	uint64_t in_flight;
	int rc = sysroot_text(r, text, sizeof(text), "/sys/dev/block/%u:%u/stat", major(rdev),
		minor(rdev));
	if (rc < 0)
		return rc;
	int got = sscanf(text,
		"%" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64
		" %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64,
		&c.ios[0], &c.merges[0], &c.sectors[0], &c.ticks_ms[0], &c.ios[1], &c.merges[1],
		&c.sectors[1], &c.ticks_ms[1], &in_flight, &c.busy_ms, &c.in_queue_ms);
	if (got != 11)
		return -EINVAL;
	*ret = c;
	return 0;
}
