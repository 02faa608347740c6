/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Environments put together by hand: the line above a table, the doctor's notes, what is
 * masked. */
#include "result/environment.h"

#include "base/arena.h"
#include "result/notes/notes.h"
#include "result/result.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* Names of udev's links have serial numbers in them; so may what a tool said. */
static void test_mask_everywhere(void **state)
{
	struct environment *e = environment_new();
	struct survey_gap gaps[] = {{"/srv/myhost/f", "myhost can't: S6XXABCD"}};
	struct filesystem_facts fs;
	struct block_facts disk;
	struct target_facts t;
	struct layer v[] = {
		{.id = "/m", .kind = "filesystem", .filesystem = &fs, .on = {1}, .on_count = 1},
		{.id = "sda", .kind = "disk", .block = &disk},
	};

	(void)state;
	facts_forget(&filesystem_table, &fs);
	facts_forget(&block_table, &disk);
	facts_forget(&target_table, &t);
	e->host.host_name = "myhost";
	disk.serial = "S6XXABCD";
	disk.wwid = "naa.5000c500a1b2c3d4";
	disk.map_name = "luks-0a1b2c3d-0123-4567-89ab-0123456789ab";
	fs.options =
		"rw,journal_path=/dev/disk/by-partuuid/0A1B2C3D-0123-4567-89AB-0123456789AB,x=1-2";
	fs.source = "/dev/disk/by-id/wwn-0x5000c500a1b2c3d4-part1";
	t.path = "/dev/disk/by-id/ata-X_S6XXABCD-part1";
	t.kind = "block device";
	e->stack = (struct stack){.v = v, .count = 2};
	e->targets = &t;
	e->targets_count = 1;
	e->gaps = gaps;
	e->gaps_count = 1;
	assert_int_equal(environment_mask(e), 0);
	assert_string_equal(disk.serial, "(masked)");
	assert_string_equal(disk.wwid, "(masked)");
	assert_string_equal(disk.map_name, "luks-(masked)");
	assert_string_equal(fs.options, "rw,journal_path=/dev/disk/by-partuuid/(masked),x=1-2");
	assert_string_equal(fs.source, "/dev/disk/by-id/wwn-0x(masked)-part1");
	assert_string_equal(t.path,
		"/dev/disk/by-id/ata-X_S6XXABCD-part1"); /* as it was typed */
	assert_string_equal(gaps[0].path, "/srv/(host)/f");
	assert_string_equal(gaps[0].reason, "(host) can't: (masked)");
	environment_free(e);
}

/* Of a partition that is free, the one beside it. */
static void test_note_beside(void **state)
{
	struct environment *e = environment_new();
	struct result *r = result_new();
	struct target_facts t;

	(void)state;
	facts_forget(&target_table, &t);
	t.path = "/dev/x2";
	t.kind = "block device";
	t.used_beside = "partition /dev/x1 of the same disk is mounted on /";
	t.on = STACK_NOTHING;
	e->targets = &t;
	e->targets_count = 1;
	r->environment = e;
	assert_int_equal(notes_doctor(r), 0);
	assert_int_equal(r->notes_count, 1);
	assert_string_equal(r->notes[0].id, "in-use");
	assert_int_equal(r->notes[0].weight, NOTE_INFO);
	assert_non_null(strstr(r->notes[0].text, "/dev/x1 of the same disk is mounted on /"));
	result_free(r);
}

/* A file system on a loop device over a file, and that device without one. */
static void test_headline_of_loop(void **state)
{
	static uint32_t below[] = {1, 2, 3};
	struct filesystem_facts upper, lower;
	struct block_facts loop, disk;
	struct layer v[] = {
		{.id = "/m", .kind = "filesystem", .filesystem = &upper},
		{.id = "loop0", .kind = "loop", .block = &loop},
		{.id = "/", .kind = "filesystem", .filesystem = &lower},
		{.id = "vda", .kind = "disk", .block = &disk},
	};
	struct environment *e = environment_new();
	struct arena a = {0};
	struct target_facts t;

	(void)state;
	facts_forget(&filesystem_table, &upper);
	facts_forget(&filesystem_table, &lower);
	facts_forget(&block_table, &loop);
	facts_forget(&block_table, &disk);
	facts_forget(&target_table, &t);
	upper.type = "xfs";
	lower.type = "ext4";
	disk.name = "vda";
	disk.size_bytes = 275000000000;
	for (uint32_t i = 0; i < 3; i++) {
		v[i].on[0] = below[i];
		v[i].on_count = 1;
	}
	e->stack = (struct stack){.v = v, .count = 4};
	e->targets = &t;
	e->targets_count = 1;
	t.on = 0;
	assert_string_equal(environment_headline(e, &a),
		"xfs on loop0 over ext4 on vda 275 GB");
	t.on = 1;
	assert_string_equal(environment_headline(e, &a), "loop0 over ext4 on vda 275 GB");
	t.on = 2;
	assert_string_equal(environment_headline(e, &a), "ext4 on vda 275 GB");
	arena_done(&a);
	environment_free(e);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_headline_of_loop),
		cmocka_unit_test(test_note_beside),
		cmocka_unit_test(test_mask_everywhere),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
