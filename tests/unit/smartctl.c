/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Programs called smartctl on PATH that aren't what they should be. */
#include "sys/ata.h"

#include "base/arena.h"
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

#include "tests/unit/folder.h"

static char folder[] = "/tmp/weir-unit-smartctl-XXXXXX";

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
	(void)state;
	folder_remove(folder);
	return 0;
}

static int ask_one(void *ctx, void *room)
{
	(void)ctx;
	return ata_ask("/dev/sdb", ATA_SURE, room);
}

/* The first line of the file PATH; false: there is none. */
static bool first_line(const char *path, char *line, int size)
{
	FILE *f = fopen(path, "r");
	bool any = f && fgets(line, size, f);

	if (f)
		fclose(f);
	line[strcspn(line, "\n")] = '\0';
	return any;
}

/* A disk that doesn't answer costs the patience, no more, and nobody stays behind.  (On a busy
 * machine the program may not have begun within the first second.) */
static void test_hangs(void **state)
{
	static char text[ATA_TEXT], room[ATA_TEXT];
	char pid_path[PATH_MAX], line[32] = "";

	(void)state;
	snprintf(text, sizeof(text), "#!/bin/sh\necho $$ >%s/answer\nexec /bin/sleep 60\n",
		folder);
	folder_put(folder, "smartctl", text, 0755);
	snprintf(pid_path, sizeof(pid_path), "%s/answer", folder);
	for (uint64_t patience = NS_PER_S; !*line && patience <= 9 * NS_PER_S; patience *= 3) {
		uint64_t began = clock_kernel_ns();
		assert_int_equal(apart_run(ask_one, NULL, room, sizeof(room), patience),
			-ETIMEDOUT);
		assert_true(clock_kernel_ns() - began < 40 * NS_PER_S);
		first_line(pid_path, line, sizeof(line));
	}
	assert_true(*line);
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
	folder_put(folder, "smartctl", "#!/bin/sh\nexec /usr/bin/yes\n", 0755);
	assert_int_equal(ata_ask("/dev/sdb", ATA_SURE, text), 0);
	assert_int_equal(strlen(text), ATA_TEXT - 1);
}

static bool found(void)
{
	static char text[ATA_TEXT];
	return ata_ask("/dev/sdb", ATA_SURE, text) == 0;
}

/* Root runs none that another user could have put there. */
static void test_of_others(void **state)
{
	char path[PATH_MAX];

	(void)state;
	if (geteuid() != 0 || access("/usr/sbin/smartctl", X_OK) == 0)
		skip();
	snprintf(path, sizeof(path), "%s/smartctl", folder);
	folder_put(folder, "smartctl", "#!/bin/sh\necho {}\n", 0755);
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

/* What an answer looks like with any byte of it wrong, cut off anywhere, or of the wrong kind.
 */
static void test_garbage(void **state)
{
	static const char whole[] =
		"{\"in_smartctl_database\":true,\"model_name\":\"A\",\"serial_number\":\"S\","
		"\"rotation_rate\":0,\"smart_status\":{\"passed\":true},\"temperature\":{\"current\":41},"
		"\"power_on_time\":{\"hours\":7},\"ata_smart_attributes\":{\"table\":["
		"{\"id\":5,\"name\":\"R\",\"raw\":{\"value\":18446744073709551615}},"
		"{\"id\":241,\"name\":\"Host_Writes_GiB\",\"raw\":{\"value\":17179869184}},"
		"{\"id\":233,\"name\":\"NAND_Writes_32MiB\",\"raw\":{\"value\":-1}}]}}";
	static const char bytes[] = "\"{}[]:,0-e\\\x80\x01n";
	char text[sizeof(whole)];
	struct arena a = {0};
	struct ata_facts f;
	const char *why;
	unsigned good = 0;

	(void)state;
	assert_int_equal(ata_decode(&a, whole, &f, &why), 0);
	assert_true(f.host_written_bytes == FACT_UNKNOWN); /* more than there can be */
	assert_true(f.media_written_bytes == FACT_UNKNOWN);
	for (size_t i = 0; i < sizeof(whole) - 1; i++)
		for (size_t k = 0; k < sizeof(bytes); k++) { /* the last one cuts it off */
			memcpy(text, whole, sizeof(whole));
			text[i] = bytes[k];
			int rc = ata_decode(&a, text, &f, &why);
			assert_true(rc == 0 || (rc == -EINVAL && *why));
			good += rc == 0;
		}
	assert_true(good > 0);
	assert_int_equal(ata_decode(&a, "[[[[", &f, &why), -EINVAL);
	assert_int_equal(ata_decode(&a, "{\"temperature\":[],\"power_on_time\":1}", &f, &why),
		-EINVAL);
	assert_int_equal(ata_decode(&a, "7", &f, &why), -EINVAL);
	arena_done(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_hangs),
		cmocka_unit_test(test_says_too_much),
		cmocka_unit_test(test_of_others),
		cmocka_unit_test(test_garbage),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
