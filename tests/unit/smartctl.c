/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Programs called smartctl on PATH that aren't what they should be. */
#include "sys/ata.h"

#include "base/bits.h"
#include "sys/apart.h"
#include "sys/clock.h"

#include <errno.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[] = "/tmp/weir-unit-smartctl-XXXXXX";

static void write_file(const char *name, const char *text, mode_t mode)
{
	char path[PATH_MAX];
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
	assert_int_equal(chmod(path, mode), 0);
}

static int set_up(void **state)
{
	(void)state;
	if (!mkdtemp(folder))
		return -1;
	setenv("PATH", folder, 1);
	return 0;
}

static int tear_down(void **state)
{
	static const char *const names[] = {"smartctl", "answer"};
	char path[PATH_MAX];

	(void)state;
	for (size_t i = 0; i < COUNT_OF(names); i++) {
		snprintf(path, sizeof(path), "%s/%s", folder, names[i]);
		unlink(path);
	}
	return rmdir(folder);
}

static int ask_one(void *ctx, void *room)
{
	(void)ctx;
	return ata_ask("/dev/sdb", room);
}

/* A disk that doesn't answer costs the patience, no more, and nobody stays behind. */
static void test_hangs(void **state)
{
	static char text[ATA_TEXT];
	char pid_path[PATH_MAX], line[32] = "";

	(void)state;
	snprintf(text, sizeof(text), "#!/bin/sh\necho $$ >%s/answer\nexec /bin/sleep 60\n",
		folder);
	write_file("smartctl", text, 0755);
	uint64_t began = clock_kernel_ns();
	assert_int_equal(apart_run(ask_one, NULL, text, sizeof(text), NS_PER_S), -ETIMEDOUT);
	assert_true(clock_kernel_ns() - began < 30 * NS_PER_S);
	snprintf(pid_path, sizeof(pid_path), "%s/answer", folder);
	FILE *f = fopen(pid_path, "r");
	assert_non_null(f);
	assert_non_null(fgets(line, sizeof(line), f));
	fclose(f);
	line[strcspn(line, "\n")] = '\0';
	snprintf(pid_path, sizeof(pid_path), "/proc/%s/exe", line);
	for (int i = 0; i < 500 && access(pid_path, F_OK) == 0; i++)
		usleep(10000);
	assert_int_not_equal(access(pid_path, F_OK), 0);
}

/* One that says more than there is room for is ended, not waited for. */
static void test_says_too_much(void **state)
{
	static char text[ATA_TEXT];

	(void)state;
	write_file("smartctl", "#!/bin/sh\nexec /usr/bin/yes\n", 0755);
	assert_int_equal(ata_ask("/dev/sdb", text), 0);
	assert_int_equal(strlen(text), ATA_TEXT - 1);
}

static bool found(void)
{
	static char text[ATA_TEXT];
	return ata_ask("/dev/sdb", text) == 0;
}

/* Root runs none that another user could have put there. */
static void test_of_others(void **state)
{
	char path[PATH_MAX];

	(void)state;
	if (geteuid() != 0 || access("/usr/sbin/smartctl", X_OK) == 0)
		skip();
	snprintf(path, sizeof(path), "%s/smartctl", folder);
	write_file("smartctl", "#!/bin/sh\necho {}\n", 0755);
	assert_true(found());
	assert_int_equal(chown(path, 65534, 0), 0);
	assert_false(found());
	assert_int_equal(chown(path, 0, 0), 0);
	assert_int_equal(chmod(path, 0777), 0);
	assert_false(found());
	assert_int_equal(chmod(path, 0755), 0);
	assert_int_equal(chmod(folder, 01777), 0);
	assert_false(found());
	assert_int_equal(chmod(folder, 0755), 0);
	assert_int_equal(chown(folder, 65534, 0), 0);
	assert_false(found());
	assert_int_equal(chown(folder, 0, 0), 0);
	assert_true(found());
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_hangs),
		cmocka_unit_test(test_says_too_much),
		cmocka_unit_test(test_of_others),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
