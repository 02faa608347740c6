/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What a plan refuses because of the machine, and what it only remarks.  The words
 * of all other refusals are in tests/golden/plan-errors-*. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/bits.h"
#include "plan-fake.h"

struct text_case {
	const char *line, *text;
};

static const struct text_case refusals[] = {
	{"name=a filename=/dev/disk direct=1 bs=1000",
		"command line: [a] --bs: 1000 is not a multiple of 512 (the block of \"/dev/disk\"); "
		"try 1024 or direct=0"},
	{"name=a filename=/dev/big direct=1 bs=512",
		"command line: [a] --bs: 512 is not a multiple of 4096 (the block of \"/dev/big\"); try "
		"4096 or direct=0"},
	{"name=a filename=/dev/big direct=1 bssplit=4k/50:6k/50",
		"command line: [a] --bssplit: 6144 is not a multiple of 4096 (the block of \"/dev/big\"); "
		"try 8192 or direct=0"},
	{"name=a filename=/dev/big direct=1 bsrange=512-4k",
		"--bsrange: 512 is not a multiple of 4096"},
	{"name=a filename=/dev/big direct=1 rw=randread ba=512",
		"--ba: 512 is not a multiple of 4096"},
	{"name=a filename=/dev/disk direct=1 offset=1000",
		"--offset: offsets are not multiples of 512"},
	{"name=a filename=/dev/disk direct=1 rw=read:100",
		"--rw: offsets are not multiples of 512"},
	{"name=a filename=/dev/disk direct=1 zonemode=strided zonesize=8k zonerange=9000",
		"--zonesize: windows begin at multiples of 9000, which is no multiple of 512 (the block "
		"of \"/dev/disk\"); round it or use direct=0"},
	{"name=a filename=/dev/disk direct=1 rw=randread:4 bs=1000,4k bs_is_seq_rand=1",
		"--bs: 1000 is not a multiple of 512"},
	{"name=a filename=/dev/zoned zonemode=zbd",
		"--zonemode: \"/dev/zoned\" is a zoned block device, and this version of weir can't "
		"drive one yet"},
	{"name=a filename=/dev/disk zonemode=zbd zonesize=64m",
		"--zonemode: zones with write pointers on a target that has none"},
	{"name=a filename=/dev/disk offset=1g",
		"--offset: 1073741824 is not a valid offset: \"/dev/disk\" ends at 1073741824; lower it"},
	{"name=a filename=/dev/disk offset_increment=512m numjobs=3",
		"--offset_increment: 1073741824 is not a valid offset"},
	{"name=a size=1m mem=cudamalloc", "--mem: weir can't use the memory of a GPU"},
	{"name=a size=1m mem=mmap:denied",
		"--mem: can't look at \"denied\": Permission denied"},
	{"name=a size=1m mem=mmaphuge hugepage-size=3m",
		"--hugepage-size: 3145728 is no size of a page: those are powers of two"},
	{"name=a size=1m mem=mmaphuge hugepage-size=0",
		"--hugepage-size: 0 is no size of a page"},
	{"name=a filename=/dev/zero", "--size: you need to specify size="},
	{"name=a filename=denied size=1m",
		"--filename: can't look at \"denied\": Permission denied"},
	{"name=a filename=dir size=1m",
		"--filename: \"dir\" is a directory; for files in it use directory=dir"},
	{"name=a filename=there rw=trim", "--rw: trim: \"there\" is no block device"},
	{"name=a size=1m cpus_allowed=4", "there is no CPU 4; this machine has 0 to 3"},
	{"name=a size=1m cpumask=0x10", "there is no CPU 4; this machine has 0 to 3"},
	{"name=a size=1m numjobs=100000 name=b size=1m",
		"[b] --numjobs: with this job the run has more than 100000 workers"},
};

static const struct text_case remarks[] = {
	{"name=a filename=/dev/disk iodepth=4",
		"note: both iodepth >= 1 and synchronous I/O engine are selected, queue depth will be "
		"capped at 1"},
	{"name=a filename=/dev/disk time_based",
		"command line: [a] --time_based: without runtime= it has no effect"},
	{"name=a filename=/dev/disk ioengine=mmap direct=1",
		"note: command line: [a] --direct: the engine mmap goes through the page cache"},
	{"name=a filename=there bs=2m",
		"[a] --size: no file has room for one block of 2097152 bytes: the job does nothing"},
	{"name=a size=1m mem=shm:x", "--mem: shm takes no file: \"x\" has no effect"},
	{"name=a size=1m hugepage-size=2m",
		"--hugepage-size: mem=malloc uses no huge pages, so this has no effect"},
	{"name=a size=1m nrfiles=0", "--nrfiles: without a file the job does nothing"},
	{"name=a filename=there rw=read allow_mounted_write=1",
		"--allow_mounted_write: a job can't give this consent itself"},
};

static unsigned check(const char *line, const char *got, const char *want)
{
	if (strstr(got, want))
		return 0;
	fprintf(stderr, "%s\n  got  %s\n  want %s\n", line, got, want);
	return 1;
}

static void test_refusals(void **state)
{
	unsigned wrong = 0;

	(void)state;
	for (size_t i = 0; i < COUNT_OF(refusals); i++) {
		struct fake f;
		fake_plan(&f, refusals[i].line, NULL);
		wrong += check(refusals[i].line, f.plan ? "(not refused)" : f.err.text,
			refusals[i].text);
		fake_done(&f);
	}
	assert_int_equal(wrong, 0);
}

static void test_remarks(void **state)
{
	unsigned wrong = 0;

	(void)state;
	for (size_t i = 0; i < COUNT_OF(remarks); i++) {
		struct fake f;
		fake_plan(&f, remarks[i].line, NULL);
		bool one = f.plan && f.plan->notes_count == 1;
		wrong += check(remarks[i].line, one ? f.plan->notes[0].text : f.err.text,
			remarks[i].text);
		fake_done(&f);
	}
	assert_int_equal(wrong, 0);
}

/* A job that is as it should be gives no remark. */
static void test_silence(void **state)
{
	static const char *const lines[] = {
		"name=a filename=/dev/disk direct=1 rw=randwrite bs=4k iodepth=8 ioengine=posixaio",
		"name=a size=1m iodepth=1",
		"name=a size=1m runtime=1 time_based rate_iops=100 thinktime=1ms thinktime_spin=1",
		"name=a size=1m rw=randrw bsrange=4k-16k ba=4k numjobs=4 group_reporting",
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(lines); i++) {
		struct fake f;
		fake_plan(&f, lines[i], NULL);
		if (!f.plan)
			fail_msg("%s: %s", lines[i], f.err.text);
		assert_int_equal(f.plan->notes_count, 0);
		fake_done(&f);
	}
}

static void test_read_only(void **state)
{
	const struct plan_facts facts = {
		.cpus = 4, .page_bytes = 4096, .native = true, .read_only = true};
	static const char *const writers[] = {"write", "trim", "randwrite", "randtrim", "rw",
		"randrw", "trimwrite", "randtrimwrite"};
	struct fake f;

	(void)state;
	for (size_t i = 0; i < COUNT_OF(writers); i++) {
		char line[64];
		snprintf(line, sizeof(line), "name=a filename=/dev/disk rw=%s", writers[i]);
		fake_plan(&f, line, &facts);
		assert_null(f.plan);
		assert_non_null(strstr(f.err.text, "--readonly forbids"));
		fake_done(&f);
	}
	fake_plan(&f, "name=a filename=/dev/disk rw=randread", &facts);
	assert_non_null(f.plan);
	fake_done(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_remarks),
		cmocka_unit_test(test_silence),
		cmocka_unit_test(test_read_only),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
