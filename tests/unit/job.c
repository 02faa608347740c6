/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Command lines, several files, and what a job remembers.  Expectations are what
 * fio 3.33 --showcmd wrote, where nothing else is said. */
#include "job-world.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <cmocka.h>

struct line_case {
	const char *line;
	const char *jobs; /* NULL: an error that says SAYS */
	const char *says; /* otherwise the notes            */
};

static void test_command_lines(void **state)
{
	(void)state;
	put_file("one", "[x]\nrw=write\n[y]\nbs=2k\n");
	put_file("two", "[global]\nthread\n[z]\n[w]\n");
	put_file("glob", "[global]\nbs=4k\nfilename=g\n[z]\nblocksize=8k\n");
	static const struct line_case cases[] = {
		{"--name=a --bs=4k", "fio --name=a --bs=4k ", NULL},
		{"--bs=4k --name=a --thread --name=b",
			"fio --bs=4k --name=a --thread --name=b ", NULL},
		{"--name=a --name=a", "fio --name=a --name=a ", NULL},
		{"--name=global --bs=4k --name=global2 --rw=write --name=a --bs=2k",
			"fio --name=global --bs=4k --name=global2 --rw=write --name=a --bs=2k ",
			NULL},
		/* a later --name=global is for the jobs behind it */
		{"--name=a --name=global --bs=4k --name=b",
			"fio --name=a --name=global --bs=4k --name=b ", NULL},
		/* on the command line options stay in order */
		{"--name=a --filename=q --kb_base=1000 --bs=4k",
			"fio --name=a --filename=q --kb_base=1000 --bs=4k ", NULL},
		/* jobs of the command line come first; what follows a --name is its own */
		{"--bs=1k --name=c one --rw=read",
			"fio --bs=1k --name=c --rw=read --name=x --rw=write --name=y --bs=2k ",
			"command line: --bs=1k is a default: bs=2k of one:4 [y] wins\n"},
		/* outside any --name: a default of the first file, before or behind it */
		{"--size=1m one", "fio --size=1m --name=x --rw=write --name=y --bs=2k ", NULL},
		{"one --size=1m", "fio --size=1m --name=x --rw=write --name=y --bs=2k ", NULL},
		{"--size=1m two one",
			"fio --size=1m --thread --name=z --name=w \nfio --name=x --rw=write --name=y --bs=2k ",
			NULL},
		/* where the file sets it too, the file wins */
		{"one --bs=1k", "fio --bs=1k --name=x --rw=write --name=y --bs=2k ",
			"command line: --bs=1k is a default: bs=2k of one:4 [y] wins\n"},
		{"--blocksize=1k --rw=write glob",
			"fio --bs=1k --rw=write --bs=4k --filename=g --name=z --bs=8k ",
			"command line: --blocksize=1k is a default: bs=4k of glob:2 [global] wins\n"},
		{"--rw=write one", "fio --rw=write --name=x --rw=write --name=y --bs=2k ",
			NULL},
		{"--filename=f glob", "fio --filename=f --bs=4k --filename=g --name=z --bs=8k ",
			"command line: --filename=f is a default: filename=g of glob:3 [global] is "
			"used too\n"},
		{"--bs=4k", NULL, "No job(s) defined: name a job file, or give --name=JOB"},
		{"", NULL, "No job(s) defined: name a job file, or give --name=JOB"},
		{"--name=a --bs=1q", NULL,
			"command line: [a] --bs: '1q' is not a size: 'q' is no unit (k m g t p)"},
		{"--bs=1q --name=a", NULL,
			"command line: --bs: '1q' is not a size: 'q' is no unit (k m g t p)"},
		{"--name=a --rww=read", NULL,
			"command line: [a] unknown option '--rww=read'; did you mean 'rw'?"},
		{"--name=a --name=", NULL, "command line: --name needs a value"},
		{"--name", NULL, "command line: --name needs a value"},
		{"nosuch", NULL, "unable to open 'nosuch' job file: No such file or directory"},
		{".", NULL, "unable to read job file '.': Is a directory"},
	};
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct world w = new_world(true);
		int rc = read_line(&w, cases[i].line);
		if (cases[i].jobs && (rc < 0 || strcmp(str_text(&w.shown), cases[i].jobs) != 0))
			fail_msg("%s\ngot  '%s' (%s)\nwant '%s'", cases[i].line,
				str_text(&w.shown), w.err.text, cases[i].jobs);
		if (!cases[i].jobs && (rc == 0 || strcmp(w.err.text, cases[i].says) != 0))
			fail_msg("%s\ngot  '%s' (%s)\nwant an error: %s", cases[i].line,
				str_text(&w.shown), w.err.text, cases[i].says);
		if (cases[i].jobs &&
			strcmp(str_text(&w.notes), cases[i].says ? cases[i].says : "") != 0)
			fail_msg("%s\nnoted '%s', want '%s'", cases[i].line, str_text(&w.notes),
				cases[i].says);
		end_world(&w);
	}
}

static void test_several_files(void **state)
{
	(void)state;
	put_file("one", "[x]\n[y]\n");
	put_file("two", "[global]\nthread\n[z]\n[w]\n");
	struct world w = new_world(false);
	assert_int_equal(read_line(&w, "--bs=1k --name=c --iodepth=8 one two"), 0);

	static const struct {
		const char *name;
		uint32_t file;
		bool stonewalled;
		uint64_t bs;
		bool thread;
	} want[] = {
		{"c", 0, false, 1024, false},
		{"x", 1, false, 1024, false},
		{"y", 1, false, 1024, false},
		{"z", 2, true, 4096, true},
		{"w", 2, false, 4096, true},
	};
	assert_int_equal(w.set->count, COUNT_OF(want));
	for (size_t i = 0; i < COUNT_OF(want); i++) {
		const struct job *job = &w.set->jobs[i];
		const struct core *core = job_block(job, &core_group);
		assert_string_equal(job->name, want[i].name);
		assert_int_equal(job->file_index, want[i].file);
		assert_int_equal(job->stonewalled, want[i].stonewalled);
		assert_int_equal(core->bs.v[0], want[i].bs);
		assert_int_equal(core->thread, want[i].thread);
	}
	assert_int_equal(w.set->sources_count, 2);
	assert_string_equal(w.set->sources[1], "two");
	/* fio's report shows the defaults of the last file */
	assert_int_equal(w.set->globals_count, 1);
	assert_string_equal(w.set->globals[0].name, "thread");
	end_world(&w);
}

static void test_section_filter(void **state)
{
	(void)state;
	put_file("one", "[global]\nbs=1k\n[x]\njunk=1\ninclude nosuch\n[y]\nrw=write\n");
	put_file("two", "[z]\n");
	const char *const sections[] = {"y", "b"};
	const unsigned at[] = {0, 2};
	struct world w = new_world(false);
	w.env.sections = sections;
	w.env.sections_count = 2;
	w.env.sections_at = at;
	/* --section=y --name=a --section=b --name=b one two */
	assert_int_equal(read_line(&w, "--idle=1 --name=a --idle=2 --name=b one two"), 0);
	assert_string_equal(str_text(&w.shown),
		"fio --idle=1 --name=b --name=global --bs=1k --name=y --rw=write \nfio --name=z ");
	end_world(&w);

	w = new_world(false);
	w.env.sections = (const char *const[]){"nope"};
	w.env.sections_count = 1;
	assert_int_equal(read_line(&w, "one"), -ENOENT);
	assert_string_equal(w.err.text, "No job(s) defined: there is no section 'nope'");
	w.env.sections = (const char *const[]){"global"};
	assert_int_equal(read_line(&w, "one"), -EINVAL);
	assert_non_null(strstr(w.err.text,
		"--section=global: global sections are read anyway"));
	end_world(&w);
}

static void test_given(void **state)
{
	(void)state;
	put_file("j",
		"[global]\nthread\nuid=7\n[a]\nfilename=x:y\nreadwrite=write\nname=label\n"
		"kb_base=1000\n");
	struct world w = new_world(false);
	assert_int_equal(read_line(&w, "j"), 0);
	const struct job *job = &w.set->jobs[0];

	/* As fio lists them: kb_base first, filename last, canonical names */
	static const char *const want[][3] = {
		{"kb_base", "kb_base", "1000"},
		{"rw", "readwrite", "write"},
		{"name", "name", "label"},
		{"filename", "filename", "x:y"},
	};
	assert_int_equal(job->given_count, COUNT_OF(want));
	for (size_t i = 0; i < COUNT_OF(want); i++) {
		assert_string_equal(job->given[i].name, want[i][0]);
		assert_string_equal(job->given[i].typed, want[i][1]);
		assert_string_equal(job->given[i].value, want[i][2]);
	}
	assert_string_equal(job->name, "label");
	assert_string_equal(job->section, "a");
	assert_int_equal(job->where.line, 4);
	assert_string_equal(job->where.file, "j");
	assert_int_equal(job->globals_count, 2);
	assert_string_equal(job->globals[0].value, ""); /* it stood alone */

	assert_int_equal(job_where(job, "rw")->line, 6);
	assert_int_equal(job_where(job, "thread")->line, 2);
	assert_null(job_where(job, "bs"));
	assert_null(job_where(job, "uid")); /* not inherited */
	assert_true(job_gave(job, "thread"));
	assert_false(job_gave(job, "iodepth"));
	assert_int_equal(((const struct core *)job_block(job, &core_group))->uid, 0);
	assert_string_equal(str_text(&w.warnings),
		"j:3: [global] uid: jobs don't inherit it: say it in each job\n");

	/* The job is renamed; its files are not. */
	assert_string_equal(str_text(&w.shown),
		"fio --thread --uid=7 --name=label --kb_base=1000 --rw=write --filename=x:y ");
	end_world(&w);

	w = new_world(false);
	put_file("j", "[a]\nname=label\n");
	assert_int_equal(read_line(&w, "j"), 0);
	assert_string_equal(str_text(&w.shown),
		"fio --name=label --filename_format=\"a.\\$jobnum.\\$filenum\" ");
	end_world(&w);

	/* On the command line the name is part of it. */
	w = new_world(false);
	assert_int_equal(read_line(&w, "--name=a --thread"), 0);
	assert_int_equal(w.set->jobs[0].given_count, 2);
	assert_string_equal(w.set->jobs[0].given[0].value, "a");
	assert_null(w.set->jobs[0].where.file);
	end_world(&w);
}

static void test_names_add_up(void **state)
{
	(void)state;
	struct world w = new_world(false);
	put_file("j", "[global]\nfilename=g\n[a]\nfilename=x\nfilename=y\n[b]\n");
	assert_int_equal(read_line(&w, "j"), 0);
	const struct core *a = job_block(&w.set->jobs[0], &core_group);
	const struct core *b = job_block(&w.set->jobs[1], &core_group);
	assert_int_equal(a->filename.count, 3);
	assert_string_equal(a->filename.v[0], "g");
	assert_string_equal(a->filename.v[2], "y");
	assert_int_equal(b->filename.count, 1);
	end_world(&w);
}

/* Jobs share blocks; a change of one, or of the defaults, is not seen by others. */
static void test_jobs_are_independent(void **state)
{
	(void)state;
	struct world w = new_world(false);
	put_file("j",
		"[global]\nbs=1k\n[a]\niodepth=2\n[b]\n[global]\nbs=2k\niodepth=9\n[c]\n[d]\nbs=,8k\n");
	assert_int_equal(read_line(&w, "j"), 0);
	static const struct {
		uint64_t read, write;
		uint32_t depth;
	} want[] = {{1024, 1024, 2}, {1024, 1024, 1}, {2048, 2048, 9}, {2048, 8192, 9}};
	for (size_t i = 0; i < COUNT_OF(want); i++) {
		const struct core *core = job_block(&w.set->jobs[i], &core_group);
		assert_int_equal(core->bs.v[0], want[i].read);
		assert_int_equal(core->bs.v[1], want[i].write);
		assert_int_equal(core->iodepth, want[i].depth);
	}
	assert_int_equal(w.set->jobs[1].globals_count, 1);
	assert_int_equal(w.set->jobs[2].globals_count, 3);
	end_world(&w);
}

static void test_fail(void **state)
{
	(void)state;
	struct world w = new_world(false);
	struct err e = {0};
	put_file("j", "[global]\nthread\n[db]\n\nbs=3\n");
	assert_int_equal(read_line(&w, "--name=cli --bs=7 j"), 0);
	const struct job *cli = &w.set->jobs[0], *db = &w.set->jobs[1];

	assert_int_equal(job_fail(db, "bs", &e, -EINVAL, "%d is odd", 3), -EINVAL);
	assert_string_equal(e.text, "j:5: [db] bs: 3 is odd");
	assert_int_equal(e.code, -EINVAL);
	job_fail(db, "thread", &e, -EINVAL, "no");
	assert_string_equal(e.text, "j:2: [db] thread: no");
	job_fail(db, "iodepth", &e, -EINVAL, "no"); /* a preset: where the job begins */
	assert_string_equal(e.text, "j:3: [db] iodepth: no");
	job_fail(db, NULL, &e, -EINVAL, "no");
	assert_string_equal(e.text, "j:3: [db] no");
	job_fail(cli, "bs", &e, -ERANGE, "no");
	assert_string_equal(e.text, "command line: [cli] --bs: no");
	end_world(&w);
}

static void test_warnings(void **state)
{
	(void)state;
	struct world w = new_world(false);
	put_file("j", "[a]\nidle=1\nbs=4k-32k\n[b]\nidle=2\n");
	assert_int_equal(read_line(&w, "j"), 0);
	assert_string_equal(str_text(&w.warnings),
		"j:2: [a] idle: it does nothing here\n" /* said once */
		"j:3: [a] bs: '4k-32k' means 4k for reads and 32k for writes; write 4k,32k "
		"(a range is bsrange=4k-32k)\n");
	end_world(&w);

	/* Nobody has to listen. */
	w = new_world(false);
	w.env.warn = NULL;
	w.env.note = NULL;
	assert_int_equal(read_line(&w, "--bs=1k j"), 0);
	end_world(&w);

	/* Without a listener for notes they are warnings. */
	w = new_world(false);
	w.env.note = NULL;
	assert_int_equal(read_line(&w, "--bs=1k j"), 0);
	assert_non_null(strstr(str_text(&w.warnings), "--bs=1k is a default"));
	end_world(&w);
}

static void test_limits(void **state)
{
	(void)state;
	struct world w = new_world(true);
	put_bytes("j", "[a]\nbs=4k\0\n", 11);
	assert_int_equal(read_line(&w, "j"), -EINVAL);
	assert_string_equal(w.err.text, "'j' is no job file: it has NUL bytes");

	struct str text = {0};
	str_add(&text, "[a]\ndescription=");
	while (text.len < LIMIT_LINE + 4)
		str_add_char(&text, 'x');
	put_file("j", str_text(&text));
	w.err = (struct err){0};
	assert_int_equal(read_line(&w, "j"), 0);
	end_world(&w);
	str_add_char(&text, 'x');
	put_file("j", str_text(&text));
	w = new_world(true);
	assert_int_equal(read_line(&w, "j"), -E2BIG);
	assert_string_equal(w.err.text, "j:2: [a] the line is longer than 65536 bytes");

	str_reset(&text);
	str_add(&text, "[a]\ndescription=");
	for (unsigned i = 0; i < 10; i++)
		str_add(&text, "${BIG}");
	put_file("j", str_text(&text));
	char *big = malloc(10001);
	memset(big, 'x', 10000);
	big[10000] = '\0';
	setenv("BIG", big, 1);
	free(big);
	assert_int_equal(read_line(&w, "j"), -E2BIG);
	assert_string_equal(w.err.text,
		"j:2: [a] the line is longer than 65536 bytes when expanded");
	unsetenv("BIG");

	str_reset(&text);
	for (unsigned i = 0; i <= LIMIT_JOBS; i++)
		str_add(&text, "[a]\n");
	put_file("j", str_text(&text));
	assert_int_equal(read_line(&w, "j"), -E2BIG);
	assert_string_equal(w.err.text, "j:100001: [a] more than 100000 jobs");

	/* endless: given up at the first chunk */
	assert_int_equal(read_line(&w, "/dev/zero"), -EINVAL);
	str_done(&text);
	end_world(&w);
}

static void test_stdin(void **state)
{
	(void)state;
	put_file("j", "[a]\nbs=1k\nbs=1q\n");
	assert_non_null(freopen("j", "r", stdin));
	struct world w = new_world(true);
	assert_int_equal(read_line(&w, "-"), -EINVAL);
	assert_string_equal(w.err.text,
		"stdin:3: [a] bs: '1q' is not a size: 'q' is no unit (k m g t p)");
	end_world(&w);
}

static void test_many_sections(void **state)
{
	(void)state;
	struct str text = {0};
	str_add(&text, "[global]\nsize=1g\nioengine=io_uring\nhipri=1\n");
	for (unsigned i = 0; i < 10000; i++)
		str_addf(&text, "[job%u]\nbs=%uk\nrw=randread\nfilename=/tmp/f%u\n", i, i + 1,
			i);
	put_file("j", str_text(&text));
	str_done(&text);

	struct world w = new_world(true);
	struct timespec before, after;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &before);
	assert_int_equal(read_line(&w, "j"), 0);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &after);
	double seconds = (double)(after.tv_sec - before.tv_sec) +
			 1e-9 * (double)(after.tv_nsec - before.tv_nsec);
	print_message("10000 sections: %.3f s, %zu bytes\n", seconds, w.set->arena.used);
	assert_int_equal(w.set->count, 10000);
	const struct core *last = job_block(&w.set->jobs[9999], &core_group);
	assert_int_equal(last->bs.v[0], 10000 * 1024);
	/* A generous bound: what grows with the square takes minutes. */
	assert_true(seconds < 5);
	end_world(&w);
}

/* Last of all, in every job; a list begins anew; the reports say what counts. */
static void test_overrides(void **state)
{
	(void)state;
	put_file("two", "[global]\nfilename=g\nbs=4k\n[x]\nfilename=a\nrw=write\n[y]\nbs=8k\n");
	static const struct job_word overrides[] = {{.name = "filename", .value = "one"},
		{.name = "blocksize", .value = "1k"}, {.name = "filename", .value = "two"}};
	struct world w = new_world(true);
	w.env.overrides = overrides;
	w.env.overrides_count = COUNT_OF(overrides);
	assert_int_equal(read_line(&w, "two"), 0);
	assert_string_equal(str_text(&w.shown),
		"fio --bs=4k --filename=g --name=x --rw=write --bs=1k --filename=two "
		"--name=y --bs=1k --filename=two ");
	assert_string_equal(str_text(&w.notes), "");
	for (size_t i = 0; i < 2; i++) {
		const struct core *core = job_block(&w.set->jobs[i], &core_group);
		assert_int_equal(core->filename.count, 1);
		assert_string_equal(core->filename.v[0], "two");
		assert_int_equal(core->bs.v[0], 1024);
	}
	end_world(&w);
	static const struct job_word wrong[] = {{.name = "iodepht", .value = "4"}};
	w = new_world(true);
	w.env.overrides = wrong;
	w.env.overrides_count = 1;
	assert_int_equal(read_line(&w, "two"), -EINVAL);
	assert_string_equal(w.err.text,
		"command line: [x] unknown option '--iodepht=4'; did you mean 'iodepth'?");
	end_world(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_command_lines),
		cmocka_unit_test(test_overrides),
		cmocka_unit_test(test_several_files),
		cmocka_unit_test(test_section_filter),
		cmocka_unit_test(test_given),
		cmocka_unit_test(test_names_add_up),
		cmocka_unit_test(test_jobs_are_independent),
		cmocka_unit_test(test_fail),
		cmocka_unit_test(test_warnings),
		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_stdin),
		cmocka_unit_test(test_many_sections),
	};
	return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
