/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* The lines of job files.  The tables read as the specification: a text and
 * the jobs it means, as --showcmd writes them, or what the error says.  Where
 * nothing else is said, the same text was given to fio 3.33 --showcmd, and the
 * expectation is what it wrote. */
#include "job-world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <cmocka.h>

/* JOBS NULL: an error that says SAYS.  Otherwise SAYS is in a warning. */
struct file_case {
	const char *text;
	const char *jobs;
	const char *says;
};

static void check_files(const struct file_case *cases, size_t count, bool native)
{
	for (size_t i = 0; i < count; i++) {
		const struct file_case *c = &cases[i];
		struct world w = new_world(native);
		put_file("j", c->text);
		int rc = read_line(&w, "j");
		if (c->jobs && (rc < 0 || strcmp(str_text(&w.shown), c->jobs) != 0))
			fail_msg("%s\ngot  '%s' (%s)\nwant '%s'", c->text, str_text(&w.shown),
				w.err.text, c->jobs);
		if (!c->jobs && (rc == 0 || strcmp(w.err.text, c->says) != 0))
			fail_msg("%s\ngot  '%s' (%s)\nwant an error: %s", c->text,
				str_text(&w.shown), w.err.text, c->says);
		const char *warned = str_text(&w.warnings);
		if (c->jobs && (c->says ? !strstr(warned, c->says) : *warned))
			fail_msg("%s\nwarned '%s', want '%s'", c->text, warned,
				c->says ? c->says : "");
		end_world(&w);
	}
}

#define CHECK(cases, native) check_files(cases, COUNT_OF(cases), native)

static void test_lines(void **state)
{
	(void)state;
	static const struct file_case cases[] = {
		{"[a]\nbs=4k\n", "fio --name=a --bs=4k ", NULL},
		{"[a]\nbs=4k", "fio --name=a --bs=4k ", NULL},
		{"[a]\r\nbs=4k\r\n", "fio --name=a --bs=4k ", NULL},
		{"  [a]  \n\tbs=4k\t\n  ;comment\n#c\n\n", "fio --name=a --bs=4k ", NULL},
		{"[a]\nbs=4k # note\nfilename=a;b\n", "fio --name=a --bs=4k --filename=a ",
			NULL},
		{"[a]\nthread ; x\nstonewall#\n;\n[b]\n",
			"fio --name=a --thread --stonewall --name=b ", NULL},
		{";[a]\n [b]\n", "fio --name=b ", NULL},
		{"[a]\nblocksize=4k\nreadwrite=write\n", "fio --name=a --bs=4k --rw=write ",
			NULL},
		{"[a]\nbs=4k\nbs=8k\n", "fio --name=a --bs=4k --bs=8k ", NULL},
		{"[a]\ndescription=a=b c\n", "fio --name=a --description=\"a=b c\" ", NULL},
		{"[a]\nthread=0\n", "fio --name=a --thread=0 ", NULL},
		/* blanks around '=': fio keeps them in the value, and reads 8 bytes */
		{"[a]\nbs = 8k\nrw\t=\tread\n", "fio --name=a --bs=8k --rw=read ", NULL},
		/* quotes are not special; the shell gets back what the file said */
		{"[a]\nfilename=\"a b\"\n", "fio --name=a --filename=\"\\\"a b\\\"\" ", NULL},
		{"bs=4k\n[a]\n", NULL, "j:1: option <bs=4k> outside of [] job section"},
		{"", NULL, "No job(s) defined: j has no section of a job"},
		{"[global]\nbs=1k\n", NULL, "No job(s) defined: j has no section of a job"},
		{"[a]\nbs=\n", NULL, "j:2: [a] bs: needs a value behind '=' (sizes for r,w,t)"},
		{"[a]\nbs\n", NULL, "j:2: [a] bs: needs a value (sizes for r,w,t)"},
		{"[a]\nthread=\n", NULL, "j:2: [a] thread: needs a value behind '=' (flag)"},
		{"\n[db]\n\nrw=reed\n", NULL,
			"j:4: [db] rw: 'reed' is not one of: read, write, randread, randrw; "
			"did you mean 'read'?"},
		{"[a]\niodepth=0\n", NULL,
			"j:2: [a] iodepth: value out of range: 0 (1 to 4294967295)"},
		{"[a]\nblocksize=5x\n", NULL,
			"j:2: [a] bs: '5x' is not a size: 'x' is no unit (k m g t p)"},
		{"[a]\nverify=crc32c\n", NULL, "j:2: [a] verify: comes with a later version"},
	};
	CHECK(cases, false);
	CHECK(cases, true);
}

static void test_sections(void **state)
{
	(void)state;
	static const struct file_case both[] = {
		{"[ job one ]\n[a b/c,d]\n[]\n",
			"fio --name=\" job one \" --name=\"a b/c,d\" --name= ", NULL},
		{"[a] ; note\n[b]\n", "fio --name=a --name=b ", NULL},
		{"[a]\nbs=1k\n[a]\nbs=2k\n", "fio --name=a --bs=1k --name=a --bs=2k ", NULL},
		{"[globalx]\nbs=1k\n[a]\n", "fio --bs=1k --name=a ", NULL},
		{"[GLOBAL]\nbs=1k\n", "fio --name=GLOBAL --bs=1k ", NULL},
		{"[global]\nname=foo\n[a]\n", "fio --name=a ", NULL}, /* fio shows --name=foo */
		/* fio repeats all defaults, which then edit the job in front */
		{"[global]\nbs=1k\n[a]\n[global]\nsize=1m\nthread\n[b]\nbs=2k\n",
			"fio --bs=1k --name=a --name=global --size=1m --thread --name=b --bs=2k ",
			NULL},
		{"[a]\nbs=4k\n[global]\nbs=8k\n[b]\n",
			"fio --name=a --bs=4k --name=global --bs=8k --name=b ", NULL},
	};
	/* fio drops the last letter, whatever it is; weir's own face does not guess. */
	static const struct file_case as_fio[] = {
		{"[b]x\n", "fio --name=\"b]\" ",
			"j:1: '[b]x' does not end in ']': the section is 'b]'"},
		{"[abc\n", "fio --name=ab ", "does not end in ']': the section is 'ab'"},
		{"[a;b]\n", "fio --name= ", "'[a' does not end in ']'"},
		{"[\n", "fio --name= ", "'[' does not end in ']'"},
	};
	static const struct file_case native[] = {
		{"[b]x\n", NULL, "j:1: section '[b]x' does not end in ']'"},
		{"[a]\n[abc\n", NULL, "j:2: section '[abc' does not end in ']'"},
		{"[\n", NULL, "j:1: section '[' does not end in ']'"},
	};
	CHECK(both, false);
	CHECK(both, true);
	CHECK(as_fio, false);
	CHECK(native, true);
}

static void test_order_of_application(void **state)
{
	(void)state;
	static const struct file_case cases[] = {
		/* kb_base first, filename last, the rest as it stands */
		{"[a]\nfilename=x\nbs=4k\nfilename=y\nsize=1m\nkb_base=1000\n",
			"fio --name=a --kb_base=1000 --bs=4k --size=1m --filename=x --filename=y ",
			NULL},
		{"[global]\nfilename=g\nkb_base=1000\nthread\n[a]\n",
			"fio --kb_base=1000 --thread --filename=g --name=a ", NULL},
	};
	CHECK(cases, false);

	struct world w = new_world(false);
	put_file("j", "[global]\nkb_base=1000\n[a]\nbs=4k\n[b]\nbs=4k\nkb_base=1024\n");
	assert_int_equal(read_line(&w, "j"), 0);
	const struct core *a = job_block(&w.set->jobs[0], &core_group);
	const struct core *b = job_block(&w.set->jobs[1], &core_group);
	assert_int_equal(a->bs.v[0], 4000);
	assert_int_equal(b->bs.v[0], 4096);
	end_world(&w);
}

static void test_expansion(void **state)
{
	(void)state;
	static const struct file_case cases[] = {
		{"[a]\n${FOO}=read\nbs=$pagesize\n[b${FOO}]\nsize=8*$pagesize\n",
			"fio --name=a --rw=read --bs=4096 --name=\"b\\${FOO}\" --size=32768 ",
			NULL},
		{"[a]\nsize=$mb_memory\niodepth=$ncpus*2\n",
			"fio --name=a --size=24105 --iodepth=4 ", NULL},
		{"[a]\nsize=10 - $ncpus\niodepth=10/3*$ncpus\n",
			"fio --name=a --size=8 --iodepth=6 ", NULL},
		{"[a]\nsize=($ncpus+1)*4\n", "fio --name=a --size=12 ", NULL},
		{"[a]\nfilename=${UNSET}x\n", "fio --name=a --filename=x ", NULL},
		{"[a]\nfilename=$FOO$\n", "fio --name=a --filename=\"\\$FOO\\$\" ", NULL},
		{"[a]\nfilename=x$ncpus\n", "fio --name=a --filename=x2 ", NULL},
		{"[a]\nfilename_format=file$jobnum\n",
			"fio --name=a --filename_format=\"file\\$jobnum\" ", NULL},
		/* the environment is no comment */
		{"[a]\nfilename=${HASH}\n", "fio --name=a --filename=\"a#b\" ", NULL},
		{"[a]\niodepth=${KEYWORD}\n${LINE}\n", "fio --name=a --iodepth=2 --bs=4k ",
			NULL},
		/* weir's: defaults; what is no arithmetic stays (fio asks bc, and fails) */
		{"[a]\nsize=${UNSET:-8g}\n", "fio --name=a --size=8g ", NULL},
		{"[a]\nsize=${EMPTY:-8g}\n", "fio --name=a --size=8g ", NULL},
		{"[a]\nrw=${FOO:-x}:8\n", NULL,
			"j:2: [a] rw: 'rw' is not one of: read, write, randread, randrw"},
		{"[a]\ndirectory=${UNSET:-${FOO}/${UNSET:-weir}}\n",
			"fio --name=a --directory=rw/weir ", NULL},
		{"[a]\nfilename=/tmp/$ncpus-x\n", "fio --name=a --filename=/tmp/2-x ", NULL},
		{"[a]\nsize=$ncpus*4k\n", "fio --name=a --size=\"2*4k\" ", NULL},
		{"[a]\nfilename=${FOO\n", NULL, "j:2: [a] '${' without '}'"},
		{"[a]\nfilename=${}\n", NULL, "j:2: [a] '${}' names no variable"},
		{"[a]\nfilename=${:-x}\n", NULL, "j:2: [a] '${:-x}' names no variable"},
		{"[a]\n${UNSET}\nbs=1k\n", "fio --name=a --bs=1k ", NULL},
		{"[a]\nf=${A:-${A:-${A:-${A:-${A:-${A:-${A:-${A:-${A:-x}}}}}}}}}\n", NULL,
			"j:2: [a] '${' within '${' more than 8 deep"},
	};
	setenv("FOO", "rw", 1);
	setenv("EMPTY", "", 1);
	setenv("HASH", "a#b", 1);
	setenv("KEYWORD", "$ncpus", 1);
	setenv("LINE", "bs=4k", 1);
	unsetenv("UNSET");
	unsetenv("A");
	CHECK(cases, false);
	CHECK(cases, true);
}

static void test_include(void **state)
{
	(void)state;
	assert_int_equal(mkdir("sub", 0755), 0);
	put_file("sub/in1.inc", "bs=4k\ninclude in2.inc\n");
	put_file("sub/in2.inc", "# only one\nrw=write");
	put_file("sub/t", "[a]\ninclude in1.inc\n");
	put_file("head.inc", "bs=1k\n[q]\n");
	put_file("bad.inc", "bs=1k\n\nbs=1q\n");
	put_file("self.inc", "include self.inc\n");
	setenv("DIR", "sub", 1);
	static const struct file_case cases[] = {
		{"[a]\ninclude sub/in1.inc\nsize=1m\n[b]\n",
			"fio --name=a --bs=4k --rw=write --size=1m --name=b ", NULL},
		{"[a]\ninclude=sub/in2.inc\n", "fio --name=a --rw=write ", NULL},
		{"[a]\ninclude\t ${DIR}/in2.inc ; x\n", "fio --name=a --rw=write ", NULL},
		{"include sub/in2.inc\n", NULL,
			"j:1: option <include sub/in2.inc> outside of [] job section"},
		{"[a]\ninclude nosuch.inc\n", NULL,
			"j:2: [a] include: unable to open 'nosuch.inc' job file: "
			"No such file or directory"},
		{"[a]\ninclude head.inc\n", NULL,
			"head.inc:2: [a] an included file can't begin a section"},
		{"[a]\ninclude bad.inc\n", NULL,
			"bad.inc:3: [a] bs: '1q' is not a size: 'q' is no unit (k m g t p)"},
		{"[a]\ninclude self.inc\n", NULL,
			"self.inc:1: [a] include within include more than 16 deep"},
		{"[a]\ninclude \n", NULL, "j:2: [a] unknown option 'include'"},
	};
	CHECK(cases, true);

	/* beside the file that includes, when it is not where it is named */
	struct world w = new_world(false);
	assert_int_equal(read_line(&w, "sub/t"), 0);
	assert_string_equal(str_text(&w.shown), "fio --name=a --bs=4k --rw=write ");
	end_world(&w);
}

static void test_unknown_options(void **state)
{
	(void)state;
	static const struct file_case native[] = {
		{"[job]\nrww=read\n", NULL,
			"j:2: [job] unknown option 'rww=read'; did you mean 'rw'?"},
		{"[job]\ntread\n", NULL,
			"j:2: [job] unknown option 'tread'; did you mean 'thread'?"},
		{"[job]\nqqqqqqqq=1\n", NULL, "j:2: [job] unknown option 'qqqqqqqq=1'"},
		{"[job]\n--bs=4k\n", NULL,
			"j:2: [job] unknown option '--bs=4k'; did you mean 'bs'?"},
		{"[job]\nbs  4k\n", NULL,
			"j:2: [job] unknown option 'bs  4k'; did you mean 'bs=4k'?"},
		{"[job]\n=5\n", NULL, "j:2: [job] unknown option '=5'"},
		{"[job]\noutput=x\n", NULL,
			"j:2: [job] unknown option 'output=x'; did you mean 'output'?"},
		{"[job]\nhipri=1\n", NULL,
			"j:2: [job] option 'hipri' needs ioengine=io_uring or pvsync2 (here it is psync)"},
		{"[global]\nsqpoll=1\n[a]\nioengine=io_uring\n", NULL,
			"j:2: [global] option 'sqpoll' needs ioengine=io_uring (here it is psync)"},
	};
	static const struct file_case as_fio[] = {
		{"[job]\nrww=read\n", NULL,
			"j:2: [job] Bad option <rww=read>; did you mean rw?"},
		{"[job]\nqqqqqqqq\n", NULL, "j:2: [job] Bad option <qqqqqqqq>"},
	};
	CHECK(native, true);
	CHECK(as_fio, false);
}

static void test_engine_options(void **state)
{
	(void)state;
	static const struct file_case cases[] = {
		/* in a file the order does not matter */
		{"[a]\nhipri=1\nioengine=io_uring\n",
			"fio --name=a --hipri=1 --ioengine=io_uring ", NULL},
		{"[global]\nioengine=io_uring\nhipri=1\n[a]\n[b]\nioengine=psync\n[c]\nsqpoll=2\n",
			"fio --ioengine=io_uring --hipri=1 --name=a --name=b --ioengine=psync "
			"--name=c --sqpoll=2 ",
			NULL},
		/* weir's: every engine of a chain */
		{"[a]\nioengine=delay(io_uring)\nsqpoll=1\n",
			"fio --name=a --ioengine=\"delay(io_uring)\" --sqpoll=1 ", NULL},
	};
	CHECK(cases, true);

	struct world w = new_world(true);
	put_file("j", "[a]\nhipri=3\nioengine=pvsync2\n[b]\nioengine=io_uring\nhipri=4\n");
	assert_int_equal(read_line(&w, "j"), 0);
	const struct uring *a = job_block(&w.set->jobs[0], &pvsync2_group);
	const struct uring *b = job_block(&w.set->jobs[1], &uring_group);
	assert_int_equal(a->hipri, 3);
	assert_int_equal(b->hipri, 4);
	assert_int_equal(
		((const struct uring *)job_block(&w.set->jobs[0], &uring_group))->hipri, 0);
	end_world(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_sections),
		cmocka_unit_test(test_order_of_application),
		cmocka_unit_test(test_expansion),
		cmocka_unit_test(test_include),
		cmocka_unit_test(test_unknown_options),
		cmocka_unit_test(test_engine_options),
	};
	return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
