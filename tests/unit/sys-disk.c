/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Which disks carry a path, and what their counters mean. */
#include "sys/disk.h"

#include "base/bits.h"
#include "sys/device.h"
#include "sys/meet.h"
#include "tests/unit/sys-tree.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

#include <cmocka.h>

static const struct {
	const char *tree, *path;
	const char *want; /* slaves in brackets behind their device */
} cases[] = {
	{"disk.tree", "/dev/sdb", "sdb"},
	{"disk.tree", "/dev/sda2", "sda"},
	{"disk.tree", "/home/file", "sda"},
	{"disk.tree", "/home/not/there/yet", "sda"},
	{"disk.tree", "/mnt/a b", ""},
	{"stack.tree", "/srv/f", "dm-0[sdc sdd]"},
	{"stack.tree", "/dev/mapper/vg-data", "dm-0[sdc sdd]"},
	{"btrfs.tree", "/data/sub/f", "sda sdb"},
	{"overlay.tree", "/work/f", "sda"},
	{"overlay.tree", "/tmp/f", ""},
};

/* Order of a folder is the file system's: compare sorted where it is free. */
static void show(const struct disk_list *list, char *buf, size_t size)
{
	size_t used = 0;
	buf[0] = '\0';
	for (size_t i = 0; i < list->count; i++) {
		const struct disk *d = &list->v[i];
		used += (size_t)snprintf(buf + used, size - used, "%s%s",
			i && !(d->slave && !list->v[i - 1].slave) ? " " : "", d->name);
		if (d->slaves)
			used += (size_t)snprintf(buf + used, size - used, "[");
		else if (d->slave && (i + 1 == list->count || !list->v[i + 1].slave))
			used += (size_t)snprintf(buf + used, size - used, "]");
	}
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct disk *)a)->name, ((const struct disk *)b)->name);
}

static void test_cases(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct tree t;
		struct disk_list list = {0};
		char got[256];
		tree_make(&t, cases[i].tree);
		assert_int_equal(disk_list_add(&t.root, cases[i].path, &list), 0);
		assert_int_equal(disk_list_add(&t.root, cases[i].path, &list), 0); /* once */
		tree_remove(&t);
		size_t first = list.count &&
			       list.v[0].slaves; /* the device before its slaves */
		if (list.count > first)
			qsort(list.v + first, list.count - first, sizeof(*list.v), by_name);
		show(&list, got, sizeof(got));
		if (strcmp(got, cases[i].want) != 0)
			fail_msg("%s %s: \"%s\", not \"%s\"", cases[i].tree, cases[i].path, got,
				cases[i].want);
		disk_list_done(&list);
	}
}

static void test_counters(void **state)
{
	struct tree t;
	struct disk_counters c;
	(void)state;
	tree_make(&t, "disk.tree");
	assert_int_equal(disk_read(&t.root, makedev(8, 0), &c), 0);
	assert_int_equal(c.ios[0], 100);
	assert_int_equal(c.merges[0], 5);
	assert_int_equal(c.sectors[0], 8000);
	assert_int_equal(c.ticks_ms[0], 300);
	assert_int_equal(c.ios[1], 50);
	assert_int_equal(c.merges[1], 4);
	assert_int_equal(c.sectors[1], 4000);
	assert_int_equal(c.ticks_ms[1], 900);
	assert_int_equal(c.busy_ms, 700);
	assert_int_equal(c.in_queue_ms, 1200);
	assert_int_equal(disk_read(&t.root, makedev(8, 16), &c), -ENOENT);
	tree_remove(&t);
}

static void test_zoned(void **state)
{
	struct tree t;
	(void)state;
	tree_make(&t, "disk.tree");
	assert_false(device_is_zoned(&t.root, makedev(8, 0)));
	assert_false(device_is_zoned(&t.root, makedev(8, 1))); /* asks the whole disk */
	assert_true(device_is_zoned(&t.root, makedev(8, 16)));
	assert_false(device_is_zoned(&t.root, makedev(9, 9))); /* not there */
	tree_remove(&t);
}

static void test_meet(void **state)
{
	static const struct {
		const char *tree, *path, *other;
		enum meet want;
		const char *name;
	} meets[] = {
		{"stack.tree", "/srv/f", "/dev/mapper/vg-data", MEET_ITSELF, "dm-0"},
		{"stack.tree", "/srv/f", "/dev/sde", MEET_NOWHERE, ""},
		{"nvme.tree", "/srv/state", "/cache/f", MEET_DISK, "nvme0n1"},
		{"nvme.tree", "/cache/f", "/dev/nvme0n1p2", MEET_DISK, "nvme0n1"},
		{"nvme.tree", "/srv/state", "/dev/nvme0n1p2", MEET_ITSELF, "nvme0n1p2"},
		{"nvme.tree", "/srv/state", "/dev/nvme0n1", MEET_ITSELF, "nvme0n1"},
		{"nvme.tree", "/net/f", "/srv/f", MEET_NOWHERE, ""},
		{"disk.tree", "/home/file", "/dev/sda2", MEET_DISK, "sda"},
		{"disk.tree", "/home/file", "/dev/sda1", MEET_ITSELF, "sda1"},
		{"disk.tree", "/home/file", "/dev/sdb", MEET_NOWHERE, ""},
		{"disk.tree", "/home/file", "/not-yet", MEET_DISK, "sda"},
		{"disk.tree", "/nowhere/at/all", "/dev/sda", MEET_NOWHERE, ""},
		{"overlay.tree", "/work/f", "/tmp/f", MEET_NOWHERE, ""},
		{"overlay.tree", "/work/f", "/var/lib/up", MEET_DISK, "sda"},
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(meets); i++) {
		char name[MEET_NAME] = "";
		struct tree t;
		tree_make(&t, meets[i].tree);
		enum meet got = meet_find(&t.root, meets[i].path, meets[i].other, name);
		tree_remove(&t);
		if (got != meets[i].want || strcmp(name, meets[i].name) != 0)
			fail_msg("%s and %s: %d %s, not %d %s", meets[i].path, meets[i].other,
				got, name, meets[i].want, meets[i].name);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_meet),
		cmocka_unit_test(test_cases),
		cmocka_unit_test(test_counters),
		cmocka_unit_test(test_zoned),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
