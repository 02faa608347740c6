/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* look_at() and the mark, on a real folder; looking changes nothing. */
#include "sys/look.h"

#include "base/bits.h"
#include "base/scope.h"
#include "sys/mark.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "folder.h"

static void make_file(const char *path, off_t bytes)
{
	scope_fd int fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, bytes), 0);
}

static void test_kinds(void **state)
{
	static const struct {
		const char *path;
		enum look_kind kind;
		uint64_t bytes;
		bool parent_missing, on_dev;
		int error;
	} cases[] = {
		{"file", LOOK_FILE, 5000, false, false, 0},
		{"link", LOOK_FILE, 5000, false, false, 0},
		{"empty", LOOK_FILE, 0, false, false, 0},
		{"missing", LOOK_NOTHING, 0, false, false, 0},
		{"no/such/file", LOOK_NOTHING, 0, true, false, 0},
		{"./missing", LOOK_NOTHING, 0, false, false, 0},
		{".", LOOK_DIRECTORY, 0, false, false, 0},
		{"pipe", LOOK_PIPE, 0, false, false, 0},
		{"file/below", LOOK_NOTHING, 0, false, false, -ENOTDIR},
		{"/dev/null", LOOK_CHAR, 0, false, true, 0},
		{"/dev/weir-not-there", LOOK_NOTHING, 0, false, true, 0},
		{"/dev/weir-not/there", LOOK_NOTHING, 0, true, true, 0},
	};
	(void)state;
	make_file("file", 5000);
	make_file("empty", 0);
	assert_int_equal(symlink("file", "link"), 0);
	assert_int_equal(mkfifo("pipe", 0600), 0);
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct look l;
		look_at(cases[i].path, &l);
		if (l.kind != cases[i].kind || l.bytes != cases[i].bytes ||
			l.parent_missing != cases[i].parent_missing ||
			l.on_dev != cases[i].on_dev || l.error != cases[i].error)
			fail_msg(
				"%s: kind %d, bytes %lu, parent missing %d, on /dev %d, error %d",
				cases[i].path, l.kind, (unsigned long)l.bytes, l.parent_missing,
				l.on_dev, l.error);
	}
}

/* /dev/shm is an ordinary place below /dev. */
static void test_shm(void **state)
{
	struct stat dev, shm;
	struct look l;
	(void)state;
	if (stat("/dev", &dev) < 0 || stat("/dev/shm", &shm) < 0 || dev.st_dev == shm.st_dev)
		skip();
	look_at("/dev/shm/weir-not-there", &l);
	assert_int_equal(l.kind, LOOK_NOTHING);
	assert_false(l.on_dev);
}

static void test_mark(void **state)
{
	struct look l;
	(void)state;
	make_file("marked", 1);
	look_at("marked", &l);
	assert_false(l.marked);
	scope_fd int fd = open("marked", O_WRONLY);
	assert_false(mark_get(fd));
	int rc = mark_set(fd);
	if (rc == -EOPNOTSUPP)
		skip(); /* a file system without user attributes */
	assert_int_equal(rc, 0);
	assert_true(mark_get(fd));
	assert_true(mark_get_path("marked"));
	look_at("marked", &l);
	assert_true(l.marked);
}

/* Neither contents nor times of a file change by being looked at. */
static void test_changes_nothing(void **state)
{
	struct stat before, after;
	struct look l;
	(void)state;
	make_file("quiet", 10);
	assert_int_equal(stat("quiet", &before), 0);
	look_at("quiet", &l);
	look_at("not-made", &l);
	assert_int_equal(stat("quiet", &after), 0);
	assert_memory_equal(&before, &after, sizeof(before));
	assert_int_equal(access("not-made", F_OK), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_kinds),
		cmocka_unit_test(test_shm),
		cmocka_unit_test(test_mark),
		cmocka_unit_test(test_changes_nothing),
	};
	return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
