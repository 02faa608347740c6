/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Job files and command lines.  The tables read as the specification: a text and
 * the jobs it means, as --showcmd writes them, or what the error says.  Where
 * nothing else is said, the same text was given to fio 3.33 --showcmd, and the
 * expectation is what it wrote. */
#include "base/bits.h"
#include "base/err.h"
#include "base/str.h"
#include "engine/engine.h"
#include "job/job.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>

/* ---- groups of its own ---- */

struct core {
	const char *name, *engine, *directory, *description, *format, *prerun;
	int kb_base;
	struct opt_u64x3 bs;
	struct opt_word_arg rw;
	struct opt_names filename;
	struct opt_size size;
	uint32_t iodepth, numjobs, uid, idle;
	bool thread, stonewall, direct;
};

static const struct opt_word bases[] = {{"1024", 1024, NULL}, {"1000", 1000, NULL}, {0}};
static const struct opt_word patterns[] = {
	{"read", 0, NULL}, {"write", 1, NULL}, {"randread", 2, NULL}, {"randrw", 3, NULL}, {0}};

static const struct opt core_rows[] = {
	{.name = "name", OPT_TEXT(struct core, name), .flags = OPT_NO_INHERIT},
	{.name = "ioengine", OPT_TEXT(struct core, engine), .preset = "psync"},
	{.name = "kb_base", OPT_WORD(struct core, kb_base), .words = bases, .preset = "1024",
		.flags = OPT_EARLY},
	{.name = "bs", .alias = {"blocksize"}, OPT_BYTES3(struct core, bs), .min = 1,
		.max = 1 << 30, .preset = "4k"},
	{.name = "rw", .alias = {"readwrite"}, OPT_WORD_ARG(struct core, rw), .words = patterns,
		.preset = "read"},
	{.name = "filename", OPT_NAMES(struct core, filename), .flags = OPT_LATE | OPT_GATHER},
	{.name = "filename_format", OPT_TEXT(struct core, format), .flags = OPT_LATE},
	{.name = "directory", OPT_TEXT(struct core, directory)},
	{.name = "description", OPT_TEXT(struct core, description)},
	{.name = "exec_prerun", OPT_TEXT(struct core, prerun)},
	{.name = "size", OPT_SIZE(struct core, size)},
	{.name = "iodepth", OPT_U32(struct core, iodepth), .min = 1, .preset = "1"},
	{.name = "numjobs", OPT_U32(struct core, numjobs), .min = 1, .preset = "1"},
	{.name = "uid", OPT_U32(struct core, uid), .flags = OPT_NO_INHERIT},
	{.name = "thread", OPT_FLAG(struct core, thread)},
	{.name = "stonewall", .alias = {"wait_for_previous"}, OPT_FLAG(struct core, stonewall)},
	{.name = "direct", OPT_BOOL(struct core, direct)},
	{.name = "idle", OPT_U32(struct core, idle), .no_effect = "it does nothing here"},
	{.name = "verify", OPT_REFUSED("comes with a later version")},
	{.name = "output", OPT_TEXT(struct core, name), .flags = OPT_CLI_ONLY},
};
static const struct opt_group core_group = {
	"core", NULL, core_rows, COUNT_OF(core_rows), sizeof(struct core)};

struct uring {
	uint32_t hipri, sqpoll;
};
static const struct opt uring_rows[] = {
	{.name = "hipri", OPT_U32(struct uring, hipri)},
	{.name = "sqpoll", OPT_U32(struct uring, sqpoll)},
};
static const struct opt_group uring_group = {
	"io_uring", "io_uring", uring_rows, COUNT_OF(uring_rows), sizeof(struct uring)};
static const struct opt_group pvsync2_group = {
	"pvsync2", "pvsync2", uring_rows, 1, sizeof(struct uring)};

const struct opt_group *const opt_groups[] = {&core_group, &uring_group, &pvsync2_group};
const size_t opt_groups_count = COUNT_OF(opt_groups);

static const struct engine known[] = {
	{.name = "psync"}, {.name = "null"}, {.name = "delay"}, {.name = "io_uring"},
	{.name = "pvsync2"}};

/* "delay(null)": each known word between brackets. */
int engine_chain_parse(const char *text, struct engine_chain *ret, struct err *reterr)
{
	*ret = (struct engine_chain){.count = 0};
	for (size_t len; *text; text += len + strspn(text + len, "()")) {
		len = strcspn(text, "()");
		for (size_t i = 0; i < COUNT_OF(known); i++)
			if (strlen(known[i].name) == len && !strncmp(known[i].name, text, len))
				ret->link[ret->count++] = &known[i];
	}
	return ret->count ? 0 : err_set(reterr, -ENOENT, "no such engine");
}

/* ---- reading ---- */

struct world {
	struct job_set *set;
	struct err err;
	struct str warnings, notes, shown;
	struct job_env env;
};

static void hear_warning(void *ctx, const char *text)
{
	str_addf(&((struct world *)ctx)->warnings, "%s\n", text);
}

static void hear_note(void *ctx, const char *text)
{
	str_addf(&((struct world *)ctx)->notes, "%s\n", text);
}

static struct world new_world(bool native)
{
	return (struct world){.env = {.native = native,
				      .cpus = 2,
				      .page_bytes = 4096,
				      .memory_mb = 24105,
				      .warn = hear_warning,
				      .note = hear_note}};
}

static void end_world(struct world *w)
{
	job_set_free(w->set);
	w->set = NULL;
	str_done(&w->warnings);
	str_done(&w->notes);
	str_done(&w->shown);
}

/* "--name=value", "--name" and file names, with one blank between. */
static int read_line(struct world *w, const char *line)
{
	struct job_word words[32];
	char text[32][128];
	size_t count = 0;

	w->env.warn_ctx = w;
	for (; *line; count++) {
		size_t len = strcspn(line, " ");
		assert_true(count < 32 && len < 128);
		memcpy(text[count], line, len);
		text[count][len] = '\0';
		line += len + (line[len] == ' ');
		char *equals = strchr(text[count], '=');
		bool option = str_starts(text[count], "--");
		if (option && equals)
			*equals = '\0';
		words[count] = (struct job_word){
			.name = option ? text[count] + 2 : NULL,
			.value = option ? (equals ? equals + 1 : NULL) : text[count],
			.index = (unsigned)count,
		};
	}
	int rc = job_read(words, count, &w->env, &w->set, &w->err);
	assert_int_equal(rc, w->err.code);
	assert_true((rc == 0) == (w->set != NULL));
	/* What the words said is not needed any more. */
	memset(text, 'x', sizeof(text));
	if (rc == 0) {
		job_show_command(w->set, "fio", &w->shown);
		assert_true(str_ends(str_text(&w->shown), "\n"));
		w->shown.text[--w->shown.len] = '\0';
	}
	return rc;
}

static void put_bytes(const char *path, const char *text, size_t len)
{
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	assert_int_equal(fwrite(text, 1, len, f), len);
	assert_int_equal(fclose(f), 0);
}

static void put_file(const char *path, const char *text)
{
	put_bytes(path, text, strlen(text));
}

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
		{"[a]\nbs=4k # note\nfilename=a;b\n", "fio --name=a --bs=4k --filename=a ", NULL},
		{"[a]\nthread ; x\nstonewall#\n;\n[b]\n", "fio --name=a --thread --stonewall --name=b ",
			NULL},
		{";[a]\n [b]\n", "fio --name=b ", NULL},
		{"[a]\nblocksize=4k\nreadwrite=write\n", "fio --name=a --bs=4k --rw=write ", NULL},
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
		{"[a]\nbs=\n", NULL,
			"j:2: [a] bs: needs a value behind '=' (sizes for r,w,t)"},
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
		{"[ job one ]\n[a b/c,d]\n[]\n", "fio --name=\" job one \" --name=\"a b/c,d\" --name= ",
			NULL},
		{"[a] ; note\n[b]\n", "fio --name=a --name=b ", NULL},
		{"[a]\nbs=1k\n[a]\nbs=2k\n", "fio --name=a --bs=1k --name=a --bs=2k ", NULL},
		{"[globalx]\nbs=1k\n[a]\n", "fio --bs=1k --name=a ", NULL},
		{"[GLOBAL]\nbs=1k\n", "fio --name=GLOBAL --bs=1k ", NULL},
		{"[global]\nname=foo\n[a]\n", "fio --name=a ", NULL}, /* fio shows --name=foo */
		/* fio repeats all defaults, which then edit the job in front */
		{"[global]\nbs=1k\n[a]\n[global]\nsize=1m\nthread\n[b]\nbs=2k\n",
			"fio --bs=1k --name=a --name=global --size=1m --thread --name=b --bs=2k ", NULL},
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
			"fio --name=a --rw=read --bs=4096 --name=\"b\\${FOO}\" --size=32768 ", NULL},
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
		{"[a]\niodepth=${KEYWORD}\n${LINE}\n", "fio --name=a --iodepth=2 --bs=4k ", NULL},
		/* weir's: defaults; what is no arithmetic stays (fio asks bc, and fails) */
		{"[a]\nsize=${UNSET:-8g}\n", "fio --name=a --size=8g ", NULL},
		{"[a]\nsize=${EMPTY:-8g}\n", "fio --name=a --size=8g ", NULL},
		{"[a]\nrw=${FOO:-x}:8\n", NULL,
			"j:2: [a] rw: 'rw' is not one of: read, write, randread, randrw"},
		{"[a]\ndirectory=${UNSET:-${FOO}/${UNSET:-weir}}\n", "fio --name=a --directory=rw/weir ",
			NULL},
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
		{"[a]\ninclude \n", NULL,
			"j:2: [a] unknown option 'include'"},
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
		{"[job]\nrww=read\n", NULL, "j:2: [job] unknown option 'rww=read'; did you mean 'rw'?"},
		{"[job]\ntread\n", NULL, "j:2: [job] unknown option 'tread'; did you mean 'thread'?"},
		{"[job]\nqqqqqqqq=1\n", NULL, "j:2: [job] unknown option 'qqqqqqqq=1'"},
		{"[job]\n--bs=4k\n", NULL, "j:2: [job] unknown option '--bs=4k'; did you mean 'bs'?"},
		{"[job]\nbs  4k\n", NULL, "j:2: [job] unknown option 'bs  4k'; did you mean 'bs=4k'?"},
		{"[job]\n=5\n", NULL, "j:2: [job] unknown option '=5'"},
		{"[job]\noutput=x\n", NULL, "j:2: [job] unknown option 'output=x'; did you mean 'output'?"},
		{"[job]\nhipri=1\n", NULL,
			"j:2: [job] option 'hipri' needs ioengine=io_uring or pvsync2 (here it is psync)"},
		{"[global]\nsqpoll=1\n[a]\nioengine=io_uring\n", NULL,
			"j:2: [global] option 'sqpoll' needs ioengine=io_uring (here it is psync)"},
	};
	static const struct file_case as_fio[] = {
		{"[job]\nrww=read\n", NULL, "j:2: [job] Bad option <rww=read>; did you mean rw?"},
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
		{"[a]\nhipri=1\nioengine=io_uring\n", "fio --name=a --hipri=1 --ioengine=io_uring ",
			NULL},
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
	assert_int_equal(((const struct uring *)job_block(&w.set->jobs[0], &uring_group))->hipri, 0);
	end_world(&w);
}

/* ---- command lines ---- */

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
		{"--bs=4k --name=a --thread --name=b", "fio --bs=4k --name=a --thread --name=b ", NULL},
		{"--name=a --name=a", "fio --name=a --name=a ", NULL},
		{"--name=global --bs=4k --name=global2 --rw=write --name=a --bs=2k",
			"fio --name=global --bs=4k --name=global2 --rw=write --name=a --bs=2k ", NULL},
		/* a later --name=global is for the jobs behind it */
		{"--name=a --name=global --bs=4k --name=b", "fio --name=a --name=global --bs=4k --name=b ",
			NULL},
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
		{"--rw=write one", "fio --rw=write --name=x --rw=write --name=y --bs=2k ", NULL},
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
		{"nosuch", NULL,
			"unable to open 'nosuch' job file: No such file or directory"},
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
		{"c", 0, false, 1024, false}, {"x", 1, false, 1024, false},
		{"y", 1, false, 1024, false}, {"z", 2, true, 4096, true},
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
	assert_non_null(strstr(w.err.text, "--section=global: global sections are read anyway"));
	end_world(&w);
}

/* ---- what a job remembers ---- */

static void test_given(void **state)
{
	(void)state;
	put_file("j", "[global]\nthread\nuid=7\n[a]\nfilename=x:y\nreadwrite=write\nname=label\n"
		      "kb_base=1000\n");
	struct world w = new_world(false);
	assert_int_equal(read_line(&w, "j"), 0);
	const struct job *job = &w.set->jobs[0];

	/* fio-output.md 3.2: kb_base first, filename last, canonical names */
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
	put_file("j", "[global]\nbs=1k\n[a]\niodepth=2\n[b]\n[global]\nbs=2k\niodepth=9\n[c]\n[d]\nbs=,8k\n");
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

/* ---- limits and bad files ---- */

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
	assert_string_equal(w.err.text, "j:2: [a] the line is longer than 65536 bytes when expanded");
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
		str_addf(&text, "[job%u]\nbs=%uk\nrw=randread\nfilename=/tmp/f%u\n", i, i + 1, i);
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

static int enter_folder(void **state)
{
	static char folder[] = "/tmp/weir-unit-job.XXXXXX";
	*state = mkdtemp(folder);
	return !*state || chdir(folder);
}

static int leave_folder(void **state)
{
	static const char *const files[] = {"sub/in1.inc", "sub/in2.inc", "sub/t", "head.inc",
		"bad.inc", "self.inc", "j", "one", "two", "glob"};
	for (size_t i = 0; i < COUNT_OF(files); i++)
		unlink(files[i]);
	rmdir("sub");
	return chdir("/") || rmdir(*state);
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
		cmocka_unit_test(test_command_lines),
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
