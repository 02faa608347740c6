/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* The rules of guard.h, one row a case: what is planned, in which face, and what
 * is said.  Devices are those of tests/data/sys; their paths don't exist here, so
 * no case can touch anything. */
#include "run/prepare/guard.h"

#include "base/bits.h"
#include "base/err.h"
#include "plan/plan.h"
#include "run/run.h"
#include "tests/unit/sys-tree.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <cmocka.h>

enum face { FIO, WEIR };
enum what { READS, WRITES, TRIMS, MIXES };
enum extra {
	MOUNTED_OK = 1, /* allow_mounted_write=1                  */
	READ_ONLY = 2,  /* --readonly                             */
	CONSENT = 4,    /* --destroy=PATH                         */
	NO_CREATE = 8,  /* allow_file_create=0                    */
	NULL_ENGINE = 16,
};

/* makedev() of small numbers, as a constant. */
#define DEV(major_no, minor_no) ((dev_t)(major_no) << 8 | (minor_no))

#define DISK(tree, major_no, minor_no)                                                         \
	tree,                                                                                  \
	{                                                                                      \
		.kind = LOOK_BLOCK, .bytes = 1 << 20, .rdev = DEV(major_no, minor_no)          \
	}
#define FILE_OF(size, mark)                                                                    \
	"disk.tree",                                                                           \
	{                                                                                      \
		.kind = LOOK_FILE, .bytes = (size), .marked = (mark)                           \
	}
#define MISSING                                                                                \
	"disk.tree",                                                                           \
	{                                                                                      \
		.kind = LOOK_NOTHING                                                           \
	}

static const struct {
	const char *tree;
	struct look found;
	uint64_t wanted;
	enum what what;
	enum face face;
	int extra;
	int want;
	const char *says[2]; /* parts of the message; all stand in one line */
} cases[] = {
	/* used devices, both faces */
	{DISK("disk.tree", 8, 1), 0, WRITES, FIO, 0, -EBUSY,
		{"T appears mounted, and 'allow_mounted_write' isn't set.",
			"is mounted on /; unmount"}},
	{DISK("disk.tree", 8, 1), 0, WRITES, WEIR, 0, -EBUSY,
		{"T appears mounted, and 'allow_mounted_write' isn't set.",
			"is mounted on /; unmount"}},
	{DISK("disk.tree", 8, 1), 0, TRIMS, FIO, 0, -EBUSY, {"appears mounted"}},
	{DISK("disk.tree", 8, 1), 0, MIXES, FIO, 0, -EBUSY, {"appears mounted"}},
	{DISK("disk.tree", 8, 1), 0, READS, FIO, 0, 0, {0}},
	{DISK("disk.tree", 8, 1), 0, READS, WEIR, 0, 0, {0}},
	{DISK("disk.tree", 8, 0), 0, WRITES, FIO, 0, -EBUSY,
		{"appears mounted", "Found: partition /dev/sda1 of it is mounted on /"}},
	{DISK("disk.tree", 8, 3), 0, WRITES, FIO, 0, -EBUSY, {"it is swap", "swapoff"}},
	{DISK("stack.tree", 8, 49), 0, WRITES, FIO, 0, -EBUSY,
		{"its disk /dev/sdd is used as a whole by /dev/md0"}},
	{DISK("stack.tree", 8, 33), 0, WRITES, WEIR, CONSENT, -EBUSY,
		{"it is used as a whole by /dev/md0"}},
	{DISK("btrfs.tree", 8, 16), 0, WRITES, FIO, 0, -EBUSY, {"appears mounted", "btrfs"}},
	/* allow_mounted_write: only as fio, only for what is mounted */
	{DISK("disk.tree", 8, 1), 0, WRITES, FIO, MOUNTED_OK, 0, {0}},
	{DISK("disk.tree", 8, 1), 0, WRITES, WEIR, MOUNTED_OK, -EBUSY, {"appears mounted"}},
	{DISK("disk.tree", 8, 3), 0, WRITES, FIO, MOUNTED_OK, -EBUSY, {"swap"}},
	/* free ones; their contents can't be read here, which native takes for data */
	{DISK("disk.tree", 8, 2), 0, WRITES, FIO, 0, 0, {0}},
	{DISK("disk.tree", 8, 2), 0, WRITES, WEIR, CONSENT, 0, {0}},
	{DISK("disk.tree", 8, 2), 0, WRITES, WEIR, 0, -EPERM, {"--destroy=", "No such file"}},
	{DISK("disk.tree", 99, 9), 0, WRITES, WEIR, 0, -ENOENT, {"can't find out whether"}},
	{DISK("disk.tree", 99, 9), 0, WRITES, FIO, 0, 0, {0}},
	/* a read-only device: the kernel opens it and fails each write */
	{DISK("disk.tree", 8, 16), 0, WRITES, WEIR, CONSENT, -EROFS,
		{"is a read-only device", "--setrw"}},
	{DISK("disk.tree", 8, 16), 0, TRIMS, WEIR, CONSENT, -EROFS, {"is a read-only device"}},
	{DISK("disk.tree", 8, 16), 0, READS, WEIR, 0, 0, {0}},
	{DISK("disk.tree", 8, 16), 0, WRITES, FIO, 0, 0, {0}},
	/* a device smaller than asked */
	{DISK("disk.tree", 8, 2), (1 << 20) + 1, READS, FIO, 0, -ENOSPC,
		{"has 1048576 bytes, the job wants 1048577", "size"}},
	/* regular files: a read job changes nothing */
	{FILE_OF(100, false), 100, READS, FIO, 0, 0, {0}},
	{FILE_OF(100, false), 101, READS, FIO, 0, -EPERM,
		{"has 100 bytes, the job reads 101", "size=100"}},
	{FILE_OF(100, false), 101, READS, WEIR, CONSENT, -EPERM, {"has 100 bytes"}},
	{FILE_OF(100, true), 101, READS, FIO, 0, 0, {0}},
	{FILE_OF(0, false), 101, READS, WEIR, 0, 0, {0}},
	{FILE_OF(100, true), 101, READS, FIO, READ_ONLY, -EROFS, {"--readonly"}},
	{FILE_OF(0, false), 101, READS, FIO, READ_ONLY, -EROFS, {"--readonly"}},
	{FILE_OF(100, false), 100, READS, FIO, READ_ONLY, 0, {0}},
	/* a write job needs consent for what isn't weir's, natively */
	{FILE_OF(100, false), 101, WRITES, FIO, 0, 0, {0}},
	{FILE_OF(100, false), 101, MIXES, FIO, 0, 0, {0}},
	{FILE_OF(100, false), 100, WRITES, WEIR, 0, -EPERM,
		{"has 100 bytes that weir didn't write", "--destroy="}},
	{FILE_OF(100, false), 100, MIXES, WEIR, 0, -EPERM, {"--destroy="}},
	{FILE_OF(100, false), 100, WRITES, WEIR, CONSENT, 0, {0}},
	{FILE_OF(100, true), 100, WRITES, WEIR, 0, 0, {0}},
	{FILE_OF(0, false), 100, WRITES, WEIR, 0, 0, {0}},
	{FILE_OF(100, true), 100, WRITES, FIO, READ_ONLY, -EROFS, {"would be written"}},
	/* missing ones */
	{MISSING, 100, READS, WEIR, 0, 0, {0}},
	{MISSING, 100, READS, FIO, READ_ONLY, -EROFS, {"would have to be made (100 bytes)"}},
	{MISSING, 100, WRITES, FIO, NO_CREATE, -ENOENT, {"allow_file_create=0"}},
	{"disk.tree", {.kind = LOOK_NOTHING, .on_dev = true}, 100, WRITES, FIO, 0, -ENOENT,
		{"no file is made among the device nodes", "check the name"}},
	{"disk.tree", {.kind = LOOK_NOTHING, .error = -EACCES}, 100, READS, FIO, 0, -EACCES,
		{"can't look at", "Permission denied"}},
	/* the rest */
	{"disk.tree", {.kind = LOOK_DIRECTORY}, 100, READS, FIO, 0, -EISDIR, {"directory="}},
	{"disk.tree", {.kind = LOOK_OTHER}, 100, READS, FIO, 0, -EINVAL, {"neither"}},
	{"disk.tree", {.kind = LOOK_CHAR, .rdev = DEV(1, 3)}, 0, WRITES, WEIR, 0, 0, {0}},
	{"disk.tree", {.kind = LOOK_CHAR, .rdev = DEV(90, 0)}, 0, WRITES, WEIR, 0, -EPERM,
		{"character device"}},
	{"disk.tree", {.kind = LOOK_CHAR, .rdev = DEV(90, 0)}, 0, WRITES, FIO, 0, 0, {0}},
	/* an engine without files touches nothing, whatever it is called */
	{DISK("disk.tree", 8, 1), 0, WRITES, FIO, NULL_ENGINE, 0, {0}},
	{"disk.tree", {.kind = LOOK_DIRECTORY}, 100, WRITES, WEIR, NULL_ENGINE, 0, {0}},
};

static const struct engine with_files = {.name = "files"};
static const struct engine without = {.name = "null", .flags = ENGINE_NO_FILES};

struct said {
	unsigned warnings;
	char last[1024];
};

static void hear(void *ctx, enum run_weight weight, const char *text)
{
	struct said *s = ctx;
	s->warnings += weight == RUN_ERROR;
	snprintf(s->last, sizeof(s->last), "%s", text);
}

static void test_cases(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		const char *path = "/nowhere/T", *destroy[] = {path};
		int extra = cases[i].extra;
		enum what what = cases[i].what;
		uint32_t index = 0;
		struct plan_target target = {
			.path = path,
			.found = cases[i].found,
			.bytes_wanted = cases[i].wanted,
			.create = !(extra & NO_CREATE),
			.allow_mounted = extra & MOUNTED_OK,
		};
		struct plan_worker worker = {
			.name = "job", .files = {.targets = &index, .count = 1}};
		worker.pattern.use[DIR_READ] = what == READS || what == MIXES;
		worker.pattern.use[DIR_WRITE] = what == WRITES || what == MIXES;
		worker.pattern.use[DIR_TRIM] = what == TRIMS;
		worker.queue.chain.count = 1;
		worker.queue.chain.link[0] = extra & NULL_ENGINE ? &without : &with_files;
		const struct plan plan = {
			.workers = &worker,
			.workers_count = 1,
			.targets = &target,
			.targets_count = 1,
			.waves_count = 1,
		};
		struct said said = {0};
		const struct run_sink sink = {.ctx = &said, .message = hear};
		const struct run_how how = {
			.sink = &sink,
			.native = cases[i].face == WEIR,
			.read_only = extra & READ_ONLY,
			.destroy = destroy,
			.destroy_count = !!(extra & CONSENT),
		};
		struct tree t;
		struct err e = {0};
		tree_make(&t, cases[i].tree);
		int rc = guard_check_at(&t.root, &plan, &how, &e);
		tree_remove(&t);
		bool ok = rc == cases[i].want && !strchr(e.text, '\n');
		for (int k = 0; k < 2 && cases[i].says[k]; k++)
			ok &= strstr(e.text, cases[i].says[k]) != NULL;
		if (!ok)
			fail_msg("case %zu: %d, \"%s\"", i, rc, e.text);
	}
}

/* As fio, what can't be known is at least said. */
static void test_warning(void **state)
{
	uint32_t index = 0;
	struct plan_target target = {
		.path = "/nowhere/T",
		.found = {.kind = LOOK_BLOCK, .rdev = makedev(99, 9)},
	};
	struct plan_worker worker = {.name = "job",
		.files = {.targets = &index, .count = 1},
		.pattern = {.use = {[DIR_WRITE] = true}}};
	worker.queue.chain = (struct engine_chain){.link = {&with_files}, .count = 1};
	const struct plan plan = {
		.workers = &worker, .workers_count = 1, .targets = &target, .targets_count = 1};
	struct said said = {0};
	const struct run_sink sink = {.ctx = &said, .message = hear};
	const struct run_how how = {.sink = &sink};
	struct tree t;
	(void)state;
	tree_make(&t, "disk.tree");
	assert_int_equal(guard_check_at(&t.root, &plan, &how, NULL), 0);
	tree_remove(&t);
	assert_int_equal(said.warnings, 1);
	assert_non_null(strstr(said.last, "can't find out whether /nowhere/T is used"));
}

/* A job without files that "writes" gives nobody the right to extend one. */
static void test_null_gives_no_right(void **state)
{
	uint32_t index = 0;
	struct plan_target target = {
		.path = "/nowhere/T",
		.found = {.kind = LOOK_FILE, .bytes = 100},
		.bytes_wanted = 200,
		.read = true,
		.written = true,
	};
	struct plan_worker workers[2] = {
		{.name = "null",
			.files = {.targets = &index, .count = 1},
			.pattern = {.use = {[DIR_WRITE] = true}}},
		{.name = "read",
			.files = {.targets = &index, .count = 1},
			.pattern = {.use = {[DIR_READ] = true}}},
	};
	workers[0].queue.chain = (struct engine_chain){.link = {&without}, .count = 1};
	workers[1].queue.chain = (struct engine_chain){.link = {&with_files}, .count = 1};
	const struct plan plan = {
		.workers = workers, .workers_count = 2, .targets = &target, .targets_count = 1};
	const struct run_how how = {0};
	struct err e = {0};
	(void)state;
	assert_int_equal(guard_check(&plan, &how, &e), -EPERM);
	assert_non_null(strstr(e.text, "has 100 bytes, the job reads 200"));
}

/* What wasn't there when the plan was made, and is now: told apart from a link to nothing. */
static void test_came_meanwhile(void **state)
{
	static const struct {
		bool link;
		int want;
		const char *says;
	} met[] = {
		{false, -EEXIST, "another program makes it"},
		{true, -ENOENT, "a link to something that doesn't exist"},
	};
	(void)state;
	for (size_t i = 0; i < COUNT_OF(met); i++) {
		char folder[] = "/tmp/weir-guard-XXXXXX", path[64];
		assert_non_null(mkdtemp(folder));
		snprintf(path, sizeof(path), "%s/T", folder);
		if (met[i].link)
			assert_int_equal(symlink("nowhere", path), 0);
		else
			assert_int_equal(mknod(path, S_IFREG | 0600, 0), 0);
		uint32_t index = 0;
		struct plan_target target = {
			.path = path, .found = {.kind = LOOK_NOTHING}, .create = true};
		struct plan_worker worker = {.name = "job",
			.files = {.targets = &index, .count = 1},
			.pattern = {.use = {[DIR_WRITE] = true}}};
		worker.queue.chain = (struct engine_chain){.link = {&with_files}, .count = 1};
		const struct plan plan = {.workers = &worker,
			.workers_count = 1,
			.targets = &target,
			.targets_count = 1};
		const struct run_how how = {0};
		struct err e = {0};
		assert_int_equal(guard_check(&plan, &how, &e), met[i].want);
		assert_non_null(strstr(e.text, met[i].says));
		unlink(path);
		rmdir(folder);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cases),
		cmocka_unit_test(test_came_meanwhile),
		cmocka_unit_test(test_warning),
		cmocka_unit_test(test_null_gives_no_right),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
