/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "sys/use.h"

#include "base/scope.h"
#include "base/str.h"
#include "sys/device.h"
#include "sys/mounts.h"
#include "sys/sysroot.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

/* What all questions of one use_find() need. */
struct look_around {
	const struct sysroot *root;
	struct mounts mounts;
	struct str swaps;
};

static void use_say(struct use *u, enum use_kind kind, const char *where, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

static void use_say(struct use *u, enum use_kind kind, const char *where, const char *fmt, ...)
{
	va_list ap;
	u->kind = kind;
	u->own = true;
	snprintf(u->where, sizeof(u->where), "%s", where);
	va_start(ap, fmt);
	vsnprintf(u->text, sizeof(u->text), fmt, ap);
	va_end(ap);
}

/* btrfs has an anonymous number, so the source is compared as well; bcachefs
 * joins its members by colons. */
static bool source_is(const struct look_around *l, const struct mount *m, dev_t rdev)
{
	for (const char *at = m->source; *at == '/';) {
		char path[PATH_MAX];
		size_t len = strcspn(at, ":");
		struct place place;
		snprintf(path, sizeof(path), "%.*s", (int)len, at);
		if (sysroot_place(l->root, path, &place) == 0 && place.block &&
			place.rdev == rdev)
			return true;
		at += len + (at[len] == ':');
	}
	return false;
}

static bool find_mount(const struct look_around *l, dev_t rdev, struct use *u)
{
	for (size_t i = 0; i < l->mounts.count; i++) {
		const struct mount *m = &l->mounts.v[i];
		if (m->dev != rdev && !source_is(l, m, rdev))
			continue;
		use_say(u, USE_MOUNTED, m->point, "is mounted on %s", m->point);
		return true;
	}
	return false;
}

/* File systems announce themselves by device name under /sys/fs/TYPE, whatever
 * mount namespace they are in. */
static bool find_elsewhere(const struct look_around *l, const struct device *d, struct use *u)
{
	DIR *dir = sysroot_dir(l->root, "/sys/fs");
	if (!dir)
		return false;
	const char *type;
	bool found = false;
	while (!found && (type = sysroot_next(dir))) {
		found = strcmp(type, "btrfs") != 0 &&
			sysroot_has(l->root, "/sys/fs/%s/%s", type, d->name);
		if (found)
			use_say(u, USE_MOUNTED, "another mount namespace",
				"is mounted as %s in another mount namespace", type);
	}
	closedir(dir);
	return found;
}

/* Only one member of a btrfs stands in mountinfo; all of them are listed here. */
static bool find_btrfs(const struct look_around *l, dev_t rdev, struct use *u)
{
	DIR *dir = sysroot_dir(l->root, "/sys/fs/btrfs");
	if (!dir)
		return false;
	const char *uuid;
	bool found = false;
	while (!found && (uuid = sysroot_next(dir))) {
		DIR *members = sysroot_dir(l->root, "/sys/fs/btrfs/%s/devices", uuid);
		const char *name;
		while (members && !found && (name = sysroot_next(members))) {
			dev_t member;
			found = sysroot_dev(l->root, &member, "/sys/fs/btrfs/%s/devices/%s/dev",
					uuid, name) == 0 &&
				member == rdev;
		}
		if (found)
			use_say(u, USE_MOUNTED, uuid, "is part of the mounted btrfs %s", uuid);
		if (members)
			closedir(members);
	}
	closedir(dir);
	return found;
}

static bool find_swap(const struct look_around *l, dev_t rdev, struct use *u)
{
	const char *line = str_text(&l->swaps);
	while ((line = strchr(line, '\n')) && *++line) {
		char path[PATH_MAX];
		struct place place;
		snprintf(path, sizeof(path), "%.*s", (int)strcspn(line, " \t\n"), line);
		if (sysroot_place(l->root, path, &place) == 0 && place.block &&
			place.rdev == rdev) {
			use_say(u, USE_SWAP, path, "is swap");
			return true;
		}
	}
	return false;
}

static bool find_holder(const struct look_around *l, dev_t rdev, struct use *u)
{
	struct device_list holders = {0};
	struct device loop;
	char name[256];

	device_related(l->root, rdev, DEVICE_HOLDERS, &holders);
	if (holders.count) {
		device_show(l->root, &holders.v[0], name, sizeof(name));
		use_say(u, USE_HELD, name, "is used as a whole by %s", name);
	} else if (device_loop_over(l->root, rdev, &loop)) {
		device_show(l->root, &loop, name, sizeof(name));
		use_say(u, USE_HELD, name, "is used as a whole by %s", name);
	}
	device_list_done(&holders);
	return u->kind != USE_NONE;
}

/* Of the device itself, without its partitions and its disk. */
static bool find_own(const struct look_around *l, const struct device *d, struct use *u)
{
	return find_mount(l, d->rdev, u) || find_btrfs(l, d->rdev, u) ||
	       find_swap(l, d->rdev, u) || find_holder(l, d->rdev, u) ||
	       find_elsewhere(l, d, u);
}

/* U becomes what OTHER, a neighbour, is used for: "BEFORE NAME AFTER TEXT". */
static void use_of_other(struct use *u, const struct use *other, const char *before,
	const char *name, const char *after)
{
	use_say(u, other->kind, other->where, "%s %s%s %s", before, name, after, other->text);
	u->own = false;
}

/* Of the partitions of DISK but EXCEPT.  Of several used ones a mounted one is named, and of
 * these the first. */
static int find_partitions(const struct look_around *l, dev_t disk, dev_t except,
	const char *after, struct use *u)
{
	struct device_list parts = {0};
	const struct device *worst = NULL;
	struct use worst_use = {0};
	char name[256];

	int rc = device_related(l->root, disk, DEVICE_PARTITIONS, &parts);
	for (size_t i = 0; rc == 0 && i < parts.count; i++) {
		struct use use = {0};
		if (parts.v[i].rdev == except || !find_own(l, &parts.v[i], &use))
			continue;
		bool mounted = use.kind == USE_MOUNTED;
		bool worst_mounted = worst_use.kind == USE_MOUNTED;
		if (!worst || mounted > worst_mounted ||
			(mounted == worst_mounted && parts.v[i].rdev < worst->rdev)) {
			worst = &parts.v[i];
			worst_use = use;
		}
	}
	if (worst) {
		device_show(l->root, worst, name, sizeof(name));
		use_of_other(u, &worst_use, "partition", name, after);
	}
	device_list_done(&parts);
	return rc;
}

static int find_disk(const struct look_around *l, dev_t rdev, struct use *u)
{
	struct device disk;
	struct use other = {0};
	char name[256];
	int rc = device_whole(l->root, rdev, &disk);
	if (rc == 0 && disk.rdev != rdev && find_own(l, &disk, &other)) {
		device_show(l->root, &disk, name, sizeof(name));
		use_of_other(u, &other, "its disk", name, "");
	}
	return rc;
}

/* Without sysfs the mounts and the swap are still known. */
static int find_all(const struct look_around *l, dev_t rdev, struct use *u)
{
	struct device d = {.rdev = rdev};
	int known = device_find(l->root, rdev, &d);
	if (known < 0)
		return find_mount(l, rdev, u) || find_swap(l, rdev, u) ? 0 : known;
	if (find_own(l, &d, u))
		return 0;
	int rc = find_partitions(l, rdev, rdev, " of it", u);
	if (rc == 0 && u->kind == USE_NONE)
		rc = find_disk(l, rdev, u);
	return rc;
}

static int find_beside(const struct look_around *l, dev_t rdev, struct use *u)
{
	struct device disk;
	int rc = device_whole(l->root, rdev, &disk);

	if (rc < 0 || disk.rdev == rdev)
		return rc;
	return find_partitions(l, disk.rdev, rdev, " of the same disk", u);
}

static int look_around(const struct sysroot *r, dev_t rdev,
	int (*find)(const struct look_around *l, dev_t rdev, struct use *u), struct use *ret)
{
	struct look_around l = {.root = r};
	struct use u = {0};

	int rc = mounts_load(r, &l.mounts);
	if (rc < 0)
		return rc;
	rc = sysroot_load(r, &l.swaps, "/proc/swaps");
	if (rc == -ENOENT) /* a kernel without swap */
		rc = 0;
	if (rc == 0)
		rc = find(&l, rdev, &u);
	if (rc == 0)
		*ret = u;
	str_done(&l.swaps);
	mounts_done(&l.mounts);
	return rc;
}

int use_find(const struct sysroot *r, dev_t rdev, struct use *ret)
{
	return look_around(r, rdev, find_all, ret);
}

int use_find_beside(const struct sysroot *r, dev_t rdev, struct use *ret)
{
	return look_around(r, rdev, find_beside, ret);
}
