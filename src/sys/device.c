/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "sys/device.h"

#include "base/scope.h"
#include "base/str.h"
#include "sys/sysroot.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/sysmacros.h>

#define NODE       "/sys/dev/block/%u:%u"
#define NODE_OF(d) major(d), minor(d)

int device_find(const struct sysroot *r, dev_t rdev, struct device *ret)
{
	struct device d = {.rdev = rdev};
	int rc = sysroot_link_name(r, d.name, sizeof(d.name), NODE, NODE_OF(rdev));
	if (rc < 0)
		return rc;
	*ret = d;
	return 0;
}

int device_find_name(const struct sysroot *r, const char *name, struct device *ret)
{
	dev_t rdev;
	int rc = sysroot_dev(r, &rdev, "/sys/class/block/%s/dev", name);
	return rc < 0 ? rc : device_find(r, rdev, ret);
}

bool device_is_partition(const struct sysroot *r, dev_t rdev)
{
	return sysroot_has(r, NODE "/partition", NODE_OF(rdev));
}

int device_whole(const struct sysroot *r, dev_t rdev, struct device *ret)
{
	if (!device_is_partition(r, rdev))
		return device_find(r, rdev, ret);
	dev_t parent;
	int rc = sysroot_dev(r, &parent, NODE "/../dev", NODE_OF(rdev));
	return rc < 0 ? rc : device_find(r, parent, ret);
}

static int list_add(struct device_list *list, const struct device *d)
{
	struct device *v = realloc(list->v, (list->count + 1) * sizeof(*v));
	if (!v)
		return -ENOMEM;
	v[list->count++] = *d;
	list->v = v;
	return 0;
}

void device_list_done(struct device_list *list)
{
	free(list->v);
	*list = (struct device_list){0};
}

/* Partitions are the children that have a file `partition`; the other two are
 * folders of links. */
static const char *const relation_folder[] = {
	[DEVICE_PARTITIONS] = "",
	[DEVICE_HOLDERS] = "/holders",
	[DEVICE_SLAVES] = "/slaves",
};

int device_related(const struct sysroot *r, dev_t rdev, enum device_relation how,
	struct device_list *list)
{
	const char *folder = relation_folder[how];
	DIR *dir = sysroot_dir(r, NODE "%s", NODE_OF(rdev), folder);
	if (!dir)
		return errno == ENOENT ? 0 : -errno;
	const char *name;
	int rc = 0;
	while (rc == 0 && (name = sysroot_next(dir))) {
		if (how == DEVICE_PARTITIONS &&
			!sysroot_has(r, NODE "/%s/partition", NODE_OF(rdev), name))
			continue;
		dev_t other;
		struct device d;
		if (sysroot_dev(r, &other, NODE "%s/%s/dev", NODE_OF(rdev), folder, name) ==
				0 &&
			device_find(r, other, &d) == 0)
			rc = list_add(list, &d);
	}
	closedir(dir);
	return rc;
}

bool device_loop_over(const struct sysroot *r, dev_t rdev, struct device *ret)
{
	DIR *dir = sysroot_dir(r, "/sys/class/block");
	if (!dir)
		return false;
	bool found = false;
	const char *name;
	while (!found && (name = sysroot_next(dir))) {
		char file[PATH_MAX];
		struct place place;
		if (str_starts(name, "loop") &&
			sysroot_text(r, file, sizeof(file),
				"/sys/class/block/%s/loop/backing_file", name) == 0 &&
			sysroot_place(r, file, &place) == 0 && place.block &&
			place.rdev == rdev)
			found = device_find_name(r, name, ret) == 0;
	}
	closedir(dir);
	return found;
}

int device_bytes(const struct sysroot *r, dev_t rdev, uint64_t *ret)
{
	uint64_t sectors;
	int rc = sysroot_u64(r, &sectors, NODE "/size", NODE_OF(rdev));
	if (rc == 0)
		*ret = sectors * 512;
	return rc;
}

uint32_t device_logical_block(const struct sysroot *r, dev_t rdev)
{
	uint64_t bytes;
	const char *up = device_is_partition(r, rdev) ? "/.." : "";
	if (sysroot_u64(r, &bytes, NODE "%s/queue/logical_block_size", NODE_OF(rdev), up) < 0 ||
		bytes < 512 || bytes > UINT32_MAX)
		return 512;
	return (uint32_t)bytes;
}

bool device_is_zoned(const struct sysroot *r, dev_t rdev)
{
	char model[32];
	const char *up = device_is_partition(r, rdev) ? "/.." : "";
	return sysroot_text(r, model, sizeof(model), NODE "%s/queue/zoned", NODE_OF(rdev),
		       up) == 0 &&
	       strcmp(model, "none") != 0;
}

bool device_is_read_only(const struct sysroot *r, dev_t rdev)
{
	uint64_t ro = 0;

	return sysroot_u64(r, &ro, NODE "/ro", NODE_OF(rdev)) == 0 && ro;
}

const char *device_show(const struct sysroot *r, const struct device *d, char *buf, size_t size)
{
	char dm[128];
	if (sysroot_text(r, dm, sizeof(dm), NODE "/dm/name", NODE_OF(d->rdev)) == 0)
		snprintf(buf, size, "/dev/%s (%s)", d->name, dm);
	else
		snprintf(buf, size, "/dev/%s", d->name);
	for (char *p = buf; *p; p++)
		if (*p == '!')
			*p = '/';
	return buf;
}
