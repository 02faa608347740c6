/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Opening targets: what is found, and what is said when it can't be. */
#include "base/bits.h"
#include "base/err.h"
#include "base/scope.h"
#include "engine/engine.h"
#include "engine/posix.h"
#include "sys/mark.h"
#include "tests/unit/emulated.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include <cmocka.h>

static int setup(void **state)
{
	char *folder = strdup("/var/tmp/weir-target-XXXXXX");

	*state = folder;
	if (!folder || !mkdtemp(folder) || chdir(folder) < 0)
		return -1;
	scope_fd int fd = open("file", O_CREAT | O_WRONLY | O_CLOEXEC, 0644);
	return fd >= 0 && write(fd, "12345", 5) == 5 && mkdir("dir", 0755) == 0 &&
			       symlink("loop", "loop") == 0
		       ? 0
		       : -1;
}

/* /proc stands for the drivers that do their work in the caller (zram): it doesn't
 * take RWF_NOWAIT either (preadv2(2): EOPNOTSUPP). */
static void test_can_try(void **state)
{
	static const struct {
		const char *path;
		int mode;
		bool can;
	} cases[] = {
		{"file", O_RDONLY, true},
		{"file", O_WRONLY, true},
		{"file", O_RDWR | O_DIRECT, true},
		{"/proc/self/comm", O_RDONLY, false},
		{"/proc/self/comm", O_WRONLY, false},
	};

	(void)state;
	if (emulated_without("preadv2() and pwritev2()"))
		skip();
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		scope_fd int fd = open(cases[i].path, cases[i].mode | O_CLOEXEC);
		if (fd < 0 && cases[i].mode & O_DIRECT)
			continue; /* this file system has no direct I/O */
		assert_true(fd >= 0);
		if (posix_can_try(&(struct target){.fd = fd}) != cases[i].can)
			fail_msg("%s, mode %x", cases[i].path, (unsigned)cases[i].mode);
	}
}

static int teardown(void **state)
{
	static const char *const made[] = {"file", "new", "loop", "pipe"};

	for (size_t i = 0; i < COUNT_OF(made); i++)
		unlink(made[i]);
	rmdir("dir");
	int rc = chdir("/") | rmdir(*state);
	free(*state);
	return rc;
}

static struct target_how how(const char *letters)
{
	return (struct target_how){.read = strchr(letters, 'r'),
		.write = strchr(letters, 'w'),
		.direct = strchr(letters, 'd'),
		.create = strchr(letters, 'c'),
		.sync = strchr(letters, 's'),
		.invalidate = true,
		.advice = -1};
}

static struct queue nobody_stops;

static int try(const char *path, const char *letters, struct target *t, struct err *err)
{
	const struct target_how h = how(letters);

	*t = (struct target){.path = path, .fd = -1};
	return target_posix.open(&nobody_stops, t, &h, err);
}

/* Reading leaves the access time alone; who isn't the owner may not ask for that
 * (open(2), O_NOATIME: EPERM) and reads anyway. */
static void test_access_time(void **state)
{
	const bool root = geteuid() == 0;

	(void)state;
	chmod("file", 0644);
	chmod(".", 0755);
	for (int other = 0; other < (root ? 2 : 1); other++) {
		struct target t;
		struct err err = {0};
		if (other)
			assert_int_equal(seteuid(65534), 0);
		int rc = try("file", "r", &t, &err);
		int flags = rc ? 0 : fcntl(t.fd, F_GETFL);
		if (other)
			assert_int_equal(seteuid(0), 0);
		assert_int_equal(rc, 0);
		assert_int_equal(!(flags & O_NOATIME), other);
		target_posix.close(NULL, &t);
	}
}

static volatile uint32_t stop_now;

static void stops(int sig)
{
	(void)sig;
	stop_now = 1;
}

/* A pipe that nobody writes to: the open waits for that, and no longer than until the queue is
 * to stop. */
static void test_pipe_of_nobody(void **state)
{
	struct sigaction sa = {.sa_handler = stops};
	const struct itimerval again = {{0, 20000}, {0, 20000}}, never = {{0, 0}, {0, 0}};
	struct queue q = {.stop = &stop_now};
	struct target t = {.path = "pipe", .fd = -1};
	const struct target_how h = how("r");
	struct err err = {0};

	(void)state;
	assert_int_equal(mkfifo("pipe", 0600), 0);
	assert_int_equal(sigaction(SIGALRM, &sa, NULL), 0);
	assert_int_equal(setitimer(ITIMER_REAL, &again, NULL), 0);
	assert_int_equal(target_posix.open(&q, &t, &h, &err), -EINTR);
	assert_int_equal(setitimer(ITIMER_REAL, &never, NULL), 0);
	assert_int_equal(stop_now, 1);
}

static void test_refusals(void **state)
{
	static const struct {
		const char *path, *letters;
		int code;
		const char *says;
	} cases[] = {
		{"nothing", "r", -ENOENT,
			"nothing: can't open it for reading: No such file or directory; it does not exist"},
		{"no/such", "rwc", -ENOENT,
			"no/such: can't open it for reading and writing: No such file or directory; its "
			"directory does not exist; make it first"},
		{"dir", "w", -EISDIR,
			"dir: can't open it for writing: Is a directory; it is a directory; "
			"give a file, or directory= to have files made in it"},
		{"dir", "r", -EISDIR, "dir: can't open it for reading: Is a directory; "},
		{"file/x", "r", -ENOTDIR, "; a part of the path is a file, not a directory"},
		{"loop", "r", -ELOOP,
			"loop: can't open it for reading: Too many levels of symbolic links"},
		{"/proc/self/status", "rd", -EINVAL,
			"/proc/self/status: can't open it for reading with direct I/O: Invalid argument; "
			"this file system can't do direct I/O; use direct=0"},
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct target t;
		struct err err = {0};
		int rc = try(cases[i].path, cases[i].letters, &t, &err);
		if (rc != cases[i].code || !strstr(err.text, cases[i].says))
			fail_msg("%s: %d, \"%s\"", cases[i].path, rc, err.text);
		assert_int_equal(t.fd, -1);
	}
}

static void test_no_descriptor(void **state)
{
	struct rlimit before, none;
	struct target t;
	struct err err = {0};

	(void)state;
	getrlimit(RLIMIT_NOFILE, &before);
	none = before;
	none.rlim_cur = 0;
	setrlimit(RLIMIT_NOFILE, &none);
	int rc = try("file", "r", &t, &err);
	setrlimit(RLIMIT_NOFILE, &before);
	assert_int_equal(rc, -EMFILE);
	assert_non_null(strstr(err.text, "raise `ulimit -n` or lower openfiles"));
}

static void test_permission(void **state)
{
	struct target t;
	struct err err = {0};

	(void)state;
	if (geteuid() == 0 && seteuid(65534) < 0)
		skip();
	chmod("file", 0600);
	int rc = try("/root/x", "r", &t, &err);
	if (geteuid() == 65534)
		assert_int_equal(seteuid(0), 0);
	assert_int_equal(rc, -EACCES);
	assert_non_null(strstr(err.text,
		"the permissions of the file or of a directory above it"));
}

static void test_kinds(void **state)
{
	struct target t;

	(void)state;
	assert_int_equal(try("file", "r", &t, NULL), 0);
	assert_int_equal(t.kind, LOOK_FILE);
	assert_int_equal(t.bytes, 5);
	assert_true(fcntl(t.fd, F_GETFD) & FD_CLOEXEC);
	assert_int_equal(fcntl(t.fd, F_GETFL) & O_ACCMODE, O_RDONLY);
	target_posix.close(NULL, &t);
	assert_int_equal(t.fd, -1);
	target_posix.close(NULL, &t); /* once more does no harm */

	assert_int_equal(try("/dev/zero", "r", &t, NULL), 0);
	assert_int_equal(t.kind, LOOK_CHAR);
	assert_int_equal(t.bytes, 0);
	target_posix.close(NULL, &t);

	assert_int_equal(try("file", "ws", &t, NULL), 0);
	assert_int_equal(fcntl(t.fd, F_GETFL) & O_ACCMODE, O_WRONLY);
	assert_true((fcntl(t.fd, F_GETFL) & O_SYNC) == O_SYNC);
	target_posix.close(NULL, &t);
}

static void test_create(void **state)
{
	struct target t;
	struct stat st;
	struct err err;

	(void)state;
	umask(022);
	assert_int_equal(try("new", "rw", &t, &err), -ENOENT);
	assert_int_equal(try("new", "rwc", &t, &err), 0);
	assert_int_equal(fstat(t.fd, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	assert_int_equal(t.bytes, 0);
	/* Its own file system says whether marks are possible there. */
	if (mark_set(t.fd) == 0)
		assert_true(mark_get_path("new"));
	target_posix.close(NULL, &t);

	/* An existing one is neither cut nor marked. */
	assert_int_equal(try("file", "rwc", &t, &err), 0);
	assert_int_equal(t.bytes, 5);
	assert_false(mark_get(t.fd));
	target_posix.close(NULL, &t);
}

static void test_none(void **state)
{
	struct target t = {.path = "/no/such/thing", .fd = -1};
	const struct target_how h = how("rw");

	(void)state;
	assert_int_equal(target_none.open(NULL, &t, &h, NULL), 0);
	assert_int_equal(t.fd, -1);
	target_none.close(NULL, &t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_pipe_of_nobody),
		cmocka_unit_test(test_no_descriptor),
		cmocka_unit_test(test_permission),
		cmocka_unit_test(test_kinds),
		cmocka_unit_test(test_create),
		cmocka_unit_test(test_none),
		cmocka_unit_test(test_can_try),
		cmocka_unit_test(test_access_time),
	};
	return cmocka_run_group_tests(tests, setup, teardown);
}
