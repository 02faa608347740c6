/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Reads as the specification of "used" (sys/use.h). */
#include "sys/use.h"

#include "base/bits.h"
#include "tests/unit/sys-tree.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <cmocka.h>

static const struct {
	const char *tree;
	unsigned major, minor;
	enum use_kind kind;
	bool own;
	const char *text;
} cases[] = {
	/* a disk with a mounted, a free and a swap partition, and a free disk */
	{"disk.tree", 8, 1, USE_MOUNTED, true, "is mounted on /"},
	{"disk.tree", 8, 2, USE_NONE, false, ""},
	{"disk.tree", 8, 3, USE_SWAP, true, "is swap"},
	{"disk.tree", 8, 0, USE_MOUNTED, false, "partition /dev/sda1 of it is mounted on /"},
	{"disk.tree", 8, 16, USE_NONE, false, ""},
	/* md on a partition and a whole disk, dm on md, mounted by an alias */
	{"stack.tree", 8, 33, USE_HELD, true, "is used as a whole by /dev/md0"},
	{"stack.tree", 8, 34, USE_NONE, false, ""},
	{"stack.tree", 8, 32, USE_HELD, false,
		"partition /dev/sdc1 of it is used as a whole by /dev/md0"},
	{"stack.tree", 8, 48, USE_HELD, true, "is used as a whole by /dev/md0"},
	{"stack.tree", 8, 49, USE_HELD, false,
		"its disk /dev/sdd is used as a whole by /dev/md0"},
	{"stack.tree", 9, 0, USE_HELD, true, "is used as a whole by /dev/dm-0 (vg-data)"},
	{"stack.tree", 253, 0, USE_MOUNTED, true, "is mounted on /srv"},
	{"stack.tree", 8, 64, USE_HELD, true, "is used as a whole by /dev/loop0"},
	{"stack.tree", 7, 0, USE_NONE, false, ""},
	{"stack.tree", 8, 81, USE_MOUNTED, true,
		"is mounted as xfs in another mount namespace"},
	{"stack.tree", 8, 80, USE_MOUNTED, false,
		"partition /dev/sdf1 of it is mounted as xfs in another mount namespace"},
	/* btrfs: an anonymous number in mountinfo, and only one of its members */
	{"btrfs.tree", 8, 0, USE_MOUNTED, true, "is mounted on /data"},
	{"btrfs.tree", 8, 16, USE_MOUNTED, true, "is part of the mounted btrfs 1f3e"},
};

static void test_cases(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct tree t;
		struct use u;
		tree_make(&t, cases[i].tree);
		assert_int_equal(use_find(&t.root, makedev(cases[i].major, cases[i].minor), &u),
			0);
		tree_remove(&t);
		if (u.kind != cases[i].kind || u.own != cases[i].own ||
			strcmp(u.text, cases[i].text) != 0)
			fail_msg("%s %u:%u: kind %d, own %d, \"%s\"", cases[i].tree,
				cases[i].major, cases[i].minor, u.kind, u.own, u.text);
	}
}

/* A free partition beside a mounted one; a mounted one beside swap; a disk has none beside it.
 */
static void test_beside(void **state)
{
	static const struct {
		unsigned minor;
		enum use_kind kind;
		const char *text;
	} beside[] = {
		{2, USE_MOUNTED, "partition /dev/sda1 of the same disk is mounted on /"},
		{1, USE_SWAP, "partition /dev/sda3 of the same disk is swap"},
		{0, USE_NONE, ""},
		{16, USE_NONE, ""},
	};
	struct tree t;

	(void)state;
	tree_make(&t, "disk.tree");
	for (size_t i = 0; i < COUNT_OF(beside); i++) {
		struct use u;
		assert_int_equal(use_find_beside(&t.root, makedev(8, beside[i].minor), &u), 0);
		assert_int_equal(u.kind, beside[i].kind);
		assert_string_equal(u.text, beside[i].text);
	}
	tree_remove(&t);
}

/* Where sysfs doesn't know the device, mounts are still seen; the rest isn't
 * known, and that is said. */
static void test_unknown_device(void **state)
{
	struct tree t;
	struct use u;
	char path[300];
	(void)state;
	tree_make(&t, "disk.tree");
	assert_int_equal(use_find(&t.root, makedev(99, 9), &u), -ENOENT);
	snprintf(path, sizeof(path), "%s/sys/dev/block/8:1", t.folder);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(use_find(&t.root, makedev(8, 1), &u), 0);
	assert_int_equal(u.kind, USE_MOUNTED);
	tree_remove(&t);
}

/* Without mountinfo nothing is known. */
static void test_no_proc(void **state)
{
	struct tree t;
	struct use u;
	char path[300];
	(void)state;
	tree_make(&t, "disk.tree");
	snprintf(path, sizeof(path), "%s/proc/self/mountinfo", t.folder);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(use_find(&t.root, makedev(8, 16), &u), -ENOENT);
	tree_remove(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cases),
		cmocka_unit_test(test_beside),
		cmocka_unit_test(test_unknown_device),
		cmocka_unit_test(test_no_proc),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
