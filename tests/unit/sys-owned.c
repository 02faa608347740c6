/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What a dead run left is removed, and nothing else: not what lives, nor what only has its
 * mark. */
#include "sys/owned.h"

#include "base/scope.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cmocka.h>

#include "folder.h"

#define NAME "user.weir.trial"

/* As a run makes one; its lock ends with the descriptor. */
static int begin(const char *path)
{
	int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	assert_true(fd >= 0);
	if (owned_begin(fd, path) < 0) {
		close(fd);
		skip(); /* a file system without user attributes, or times of birth */
	}
	assert_int_equal(pwrite(fd, "12345", 5, 0), 5);
	return fd;
}

static bool removed(const char *name)
{
	uint64_t bytes = 0;
	const bool done = owned_remove_left(AT_FDCWD, name, &bytes);

	assert_int_equal(access(name, F_OK), done ? -1 : 0);
	assert_true(!done || bytes == 5);
	return done;
}

/* The contents are of no interest, the attributes are. */
static void copy_with_mark(const char *from, const char *to)
{
	char mark[512];
	ssize_t len = getxattr(from, NAME, mark, sizeof(mark));
	scope_fd int fd = open(to, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	assert_true(len > 0 && fd >= 0);
	assert_int_equal(fsetxattr(fd, NAME, mark, (size_t)len, 0), 0);
}

static void test_left(void **state)
{
	(void)state;
	int fd = begin("left");
	assert_false(owned_is_left("left"));
	assert_false(removed("left"));
	close(fd);
	assert_true(owned_is_left("./left"));
	assert_true(removed("left"));
	assert_false(owned_is_left("left"));
}

static void test_copies(void **state)
{
	char mark[512];

	(void)state;
	close(begin("first"));
	copy_with_mark("first", "copy");
	assert_false(owned_is_left("copy"));
	assert_false(removed("copy"));
	assert_int_equal(rename("first", "renamed"), 0);
	assert_false(removed("renamed"));
	assert_int_equal(mkdir("there", 0700), 0);
	copy_with_mark("renamed", "there/first");
	assert_false(removed("there/first"));

	/* Restored in its old place, perhaps with its old number. */
	ssize_t len = getxattr("renamed", NAME, mark, sizeof(mark));
	assert_int_equal(unlink("renamed"), 0);
	scope_fd int fd = open("first", O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	assert_int_equal(fsetxattr(fd, NAME, mark, (size_t)len, 0), 0);
	assert_false(removed("first"));
	assert_int_equal(fsetxattr(fd, NAME, "1", 1, 0), 0);
	assert_false(removed("first"));
}

static void test_links(void **state)
{
	(void)state;
	close(begin("one"));
	assert_int_equal(link("one", "two"), 0);
	assert_false(removed("one"));
	assert_int_equal(unlink("two"), 0);
	assert_int_equal(symlink("one", "soft"), 0);
	assert_false(removed("soft"));
	assert_true(removed("one"));
}

static void test_others(void **state)
{
	(void)state;
	if (geteuid() != 0)
		skip(); /* only root can give a file away */
	close(begin("theirs"));
	assert_int_equal(chown("theirs", 12345, (gid_t)-1), 0);
	assert_false(removed("theirs"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_left),
		cmocka_unit_test(test_copies),
		cmocka_unit_test(test_links),
		cmocka_unit_test(test_others),
	};
	return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
