/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Every option with every kind of bad value, in a job file, in both faces: read,
 * planned, forgotten.  The outcome is an error that names file, line, job, option
 * and reason, or the documented meaning; never a crash, and never another workload
 * than the text says.
 *
 *	bad-input            judge all
 *	bad-input --list     print the outcomes, to be read by a person */
#include "base/bits.h"
#include "base/err.h"
#include "base/str.h"
#include "cmd/cmd.h"
#include "cmd/command_line.h"
#include "cmd/face.h"
#include "job/job.h"
#include "plan/plan.h"
#include "sys/look.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static unsigned faults, tries;
static bool listing;

/* What was said while a text was read and planned. */
struct outcome {
	int rc;
	struct err err;
	struct str warnings;
	struct str value; /* as it was understood; empty: refused, or no value */
};

/* ---- one text ---- */

static void hear(void *ctx, const char *text)
{
	str_addf(&((struct outcome *)ctx)->warnings, " [%s]", text);
}

/* Everything is there and big enough. */
static void look(void *ctx, const char *path, struct look *ret)
{
	(void)ctx, (void)path;
	*ret = (struct look){
		.kind = LOOK_BLOCK, .bytes = UINT64_C(1) << 40, .logical_block = 512};
}

static void make_plan(struct job_set *set, bool native, struct outcome *o)
{
	struct plan *plan = NULL;
	struct plan_facts facts = {
		.cpus = 4,
		.page_bytes = 4096,
		.memory_bytes = UINT64_C(1) << 34,
		.native = native,
		.look = look,
	};
	o->rc = plan_make(set, &facts, &plan, &o->err);
	for (uint32_t i = 0; o->rc == 0 && i < plan->notes_count; i++)
		hear(o, plan->notes[i].text);
	if (o->rc == 0)
		plan_free(plan);
}

static void try_text(const char *text, bool native, const struct opt *row, size_t group,
	struct outcome *o)
{
	char path[64];
	struct job_set *set;
	struct job_word word = {.value = path};
	const struct job_env env = {
		.native = native,
		.cpus = 4,
		.page_bytes = 4096,
		.memory_mb = 16000,
		.warn = hear,
		.note = hear,
		.warn_ctx = o,
	};

	int fd = memfd_create("job", MFD_CLOEXEC);
	if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	tries++;
	o->rc = job_read(&word, 1, &env, &set, &o->err);
	close(fd);
	if (o->rc < 0)
		return;
	if (row && !row->refused && !row->no_effect)
		row->type->print(row, (char *)set->jobs[0].blocks[group] + row->offset,
			&o->value);
	make_plan(set, native, o);
	job_set_free(set);
}

static void outcome_done(struct outcome *o)
{
	str_done(&o->warnings);
	str_done(&o->value);
	*o = (struct outcome){0};
}

__attribute__((format(printf, 3, 4))) static void fault(const char *text,
	const struct outcome *o, const char *fmt, ...)
{
	va_list ap;

	faults++;
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	printf(":\n%s    rc %d, value '%s', error: %s\n    warnings:%s\n", text, o->rc,
		str_text(&o->value), o->rc < 0 ? o->err.text : "none", str_text(&o->warnings));
}

/* ---- kinds of values ---- */

enum kind {
	KIND_WHOLE,   /* one number without sign            */
	KIND_SIGNED,  /* one number                         */
	KIND_DECIMAL, /* one number, with a fraction        */
	KIND_BOOL,    /* 0 or 1                             */
	KIND_FLAG,    /* the same, or alone                 */
	KIND_LIST,    /* of numbers; each type its own      */
	KIND_WORD,    /* one of a few                       */
	KIND_TEXT,    /* anything, as far as reading goes   */
	KINDS,
};

/* The name of a log: any text, and nothing is the job's own name, as in fio. */
static bool is_prefix(const struct opt_type *type)
{
	return strcmp(type->name, "PREFIX") == 0;
}

static enum kind kind_of(const struct opt_type *type)
{
	static const struct {
		const struct opt_type *type;
		enum kind kind;
	} kinds[] = {
		{&opt_flag, KIND_FLAG},
		{&opt_bool, KIND_BOOL},
		{&opt_u32, KIND_WHOLE},
		{&opt_i32, KIND_SIGNED},
		{&opt_u64, KIND_WHOLE},
		{&opt_double, KIND_DECIMAL},
		{&opt_bytes, KIND_WHOLE},
		{&opt_time_s, KIND_WHOLE},
		{&opt_time_us, KIND_WHOLE},
		{&opt_time_ms, KIND_WHOLE},
		{&opt_size_type, KIND_WHOLE},
		{&opt_word, KIND_WORD},
		{&opt_word_arg_type, KIND_WORD},
		{&opt_text, KIND_TEXT},
		{&opt_names_type, KIND_TEXT},
	};
	for (size_t i = 0; i < COUNT_OF(kinds); i++)
		if (kinds[i].type == type)
			return kinds[i].kind;
	return is_prefix(type) ? KIND_TEXT : KIND_LIST;
}

#define LONG_LIST "1:2:3:4:5:6:7:8:9:10:11:12:13:14:15:16:17:18:19:20:21:22"

#define ALL     ((1u << KINDS) - 1)
#define BUT(k)  (~(1u << (k)))
#define NUMBERS (ALL & BUT(KIND_TEXT) & BUT(KIND_WORD))

/* VALUE must be refused by options of the kinds in BAD (a set of 1 << kind). */
struct bad {
	const char *value; /* NULL: no '=' either */
	unsigned bad;
	const char *what;
};

static const struct bad bads[] = {
	{NULL, ALL &BUT(KIND_FLAG), "no value"},
	{"", ALL, "an empty value"},
	{"   ", ALL, "blanks"},
	{"qqq", ALL &BUT(KIND_TEXT), "junk"},
	{"$nosuch", ALL &BUT(KIND_TEXT), "a keyword that is none"},
	{"=", ALL &BUT(KIND_TEXT), "another ="},
	{"==4k", ALL &BUT(KIND_TEXT), "two ="},
	{"-1", ALL &BUT(KIND_TEXT) & BUT(KIND_SIGNED) & BUT(KIND_DECIMAL) & BUT(KIND_FLAG),
		"a negative number"},
	{"- 1", ALL &BUT(KIND_TEXT), "a sign that stands alone"},
	{"--1", ALL &BUT(KIND_TEXT), "two signs"},
	{"18446744073709551616", ALL &BUT(KIND_TEXT) & BUT(KIND_DECIMAL), "2^64"},
	{"99999999999999999999999", ALL &BUT(KIND_TEXT) & BUT(KIND_DECIMAL), "10^23"},
	{"20000000000000p", ALL &BUT(KIND_TEXT), "an overflow by a unit"},
	{"0x1ffffffffffffffff", ALL &BUT(KIND_TEXT), "an overflow in hexadecimal"},
	{"0x", ALL &BUT(KIND_TEXT), "no digits"},
	{"0x1k", ALL &BUT(KIND_TEXT), "hexadecimal with a unit"},
	{"0xfg", ALL &BUT(KIND_TEXT), "a digit that is none"},
	{"1q", ALL &BUT(KIND_TEXT), "a unit that is none"},
	{"1kq", ALL &BUT(KIND_TEXT), "a unit and junk"},
	{"1mm", ALL &BUT(KIND_TEXT), "a unit twice"},
	{"1k1", ALL &BUT(KIND_TEXT), "digits behind the unit"},
	{"1 2", ALL &BUT(KIND_TEXT), "two numbers"},
	{"1,,,,2", ALL &BUT(KIND_TEXT), "four directions"},
	{"1;2", 0, "a comment"},
	{"1.5x", ALL &BUT(KIND_TEXT), "a fraction and junk"},
	{"1.2.3", ALL &BUT(KIND_TEXT), "two points"},
	{"1e3", NUMBERS &BUT(KIND_DECIMAL), "an exponent"},
	{"1_000", ALL &BUT(KIND_TEXT), "a separator of thousands"},
	{"0b101", ALL &BUT(KIND_TEXT), "binary"},
	{"nan", ALL &BUT(KIND_TEXT), "not a number"},
	{"inf", ALL &BUT(KIND_TEXT), "infinity"},
	{"1%%%", ALL &BUT(KIND_TEXT), "three percent signs"},
	{"101%", ALL &BUT(KIND_TEXT), "101 %"},
	{"-5%", ALL &BUT(KIND_TEXT), "a negative share"},
	{"(1", ALL &BUT(KIND_TEXT), "an open parenthesis"},
	{"(1/0)", ALL &BUT(KIND_TEXT), "a division by zero"},
	{"(2^9999)", ALL &BUT(KIND_TEXT), "a power that is too high"},
	{"true", ALL &BUT(KIND_TEXT), "a word for 1"},
	{"\"4k\"", ALL &BUT(KIND_TEXT), "quotes"},
	{"'1'", ALL &BUT(KIND_TEXT), "single quotes"},
	{"4к", ALL &BUT(KIND_TEXT), "a letter that looks like k"},
	{"１", ALL &BUT(KIND_TEXT), "a digit of another script"},
	{LONG_LIST, ALL &BUT(KIND_TEXT), "a long list"},
	{":", ALL &BUT(KIND_TEXT), "a colon alone"},
	{",", ALL &BUT(KIND_TEXT), "a comma alone"},
	{"/", ALL &BUT(KIND_TEXT), "a slash alone"},
	{"%", ALL &BUT(KIND_TEXT), "a percent sign alone"},
	{"k", ALL &BUT(KIND_TEXT), "a unit alone"},
	/* To be looked at; some are fine for some. */
	{"0", 0, "zero"},
	{"1", 0, "one"},
	{"2", (1u << KIND_BOOL), "two"},
	{"1.5", 0, "a fraction"},
	{"4294967296", (1u << KIND_BOOL), "2^32"},
	{"9223372036854775808", (1u << KIND_BOOL), "2^63"},
	{"18446744073709551615", (1u << KIND_BOOL), "2^64 - 1"},
	{"1,2,3,4", 0, "four values"},
	{"4-8", (1u << KIND_BOOL | 1u << KIND_FLAG | 1u << KIND_WHOLE | 1u << KIND_SIGNED),
		"a range"},
};

/* Does a list take what no number does?  Its own syntax, documented there: who adds a
 * type adds its values here, after reading what --list says of them. */
static bool list_takes(const struct opt_type *type, const char *value)
{
	static const struct {
		const struct opt_type *type;
		const char *value;
	} fine[] = {
		{&opt_split3_type, LONG_LIST}, /* sizes that share evenly */
		{&opt_filler_type, "-1"},      /* bytes, in numbers and texts */
		{&opt_filler_type, "0x1ffffffffffffffff"},
		{&opt_filler_type, "1 2"},
		{&opt_filler_type, "\"4k\""},
	};
	for (size_t i = 0; i < COUNT_OF(fine); i++)
		if (fine[i].type == type && value && strcmp(fine[i].value, value) == 0)
			return true;
	return false;
}

/* ---- judging ---- */

/* The error says where, what and why. */
static void judge_error(const char *text, const struct opt *row, const struct outcome *o)
{
	if (o->rc >= 0)
		return;
	if (o->rc != o->err.code || !o->err.text[0])
		fault(text, o, "%s: an error without code or text", row->name);
	else if (!strstr(o->err.text, "/proc/self/fd/") || !strstr(o->err.text, "[a] "))
		fault(text, o, "%s: the error doesn't say where", row->name);
	else if (strlen(o->err.text) < strlen(row->name) + 40)
		fault(text, o, "%s: the error says too little", row->name);
}

static void judge(const char *text, const struct opt *row, const struct bad *bad,
	const struct outcome *o)
{
	bool fine = (row->refused && o->rc == 0) || row->no_effect ||
		    (row->type->bare && !bad->value) || list_takes(row->type, bad->value) ||
		    (is_prefix(row->type) && !bad->value[strspn(bad->value, " ")]);
	judge_error(text, row, o);
	if (bad->bad & 1u << kind_of(row->type) && o->rc >= 0 && !fine)
		fault(text, o, "%s accepts %s", row->name, bad->what);
}

static void try_value(const struct opt *row, size_t group, const struct bad *bad)
{
	struct str text = {0};
	const char *engine = opt_groups[group]->engine;
	bool other = strcmp(row->name, "ioengine") != 0;

	str_addf(&text, "[a]\n%s%s%s", other ? "ioengine=" : "",
		other ? engine ? engine : "psync" : "", other ? "\n" : "");
	str_addf(&text, "filename=/dev/disk\n%s%s%s\n", row->name, bad->value ? "=" : "",
		bad->value ? bad->value : "");
	for (int native = 0; native < 2; native++) {
		struct outcome o = {0};
		try_text(str_text(&text), native, row, group, &o);
		judge(str_text(&text), row, bad, &o);
		if (listing && native)
			printf("%-24s %-26s %s%s%s\n", row->name,
				bad->value ? bad->value : "(none)", o.rc < 0 ? "error: " : "= ",
				o.rc < 0 ? o.err.text : str_text(&o.value),
				str_text(&o.warnings));
		outcome_done(&o);
	}
	str_done(&text);
}

/* ---- contradictions ---- */

/* Options that can't be together, or one that means nothing without another: an
 * error, or at least a word. */
static const char *const contradictions[] = {
	"rate=1m\nrate_iops=100",
	"bs=0",
	"bs=4k\nsize=1k",
	"bsrange=8k-4k\nbs_unaligned=1\nsize=2k",
	"bssplit=4k/60:8k/60:16k/:32k/",
	"bssplit=4k/60:8k/60",
	"iodepth=4\niodepth_low=8",
	"iodepth_batch_complete_min=8\niodepth_batch_complete_max=4\niodepth=16\nioengine=libaio",
	"time_based",
	"random_generator=lfsr\nbsrange=4k-16k\nrw=randread",
	"percentile_list=100.5",
	"offset=2t",
	"offset=101%",
	"size=101%",
	"wait_for=nobody",
	"wait_for=a",
	"cpus_allowed=4000000000",
	"cpus_allowed=0-999",
	"cpus_allowed=,",
	"numjobs=100001",
	"nrfiles=1000001",
	"filename=a:b\nnrfiles=3000000",
	"direct=1\nbs=1000",
	"random_distribution=zipf:1\nrw=randread",
	"random_distribution=zipf:-1\nrw=randread",
	"random_distribution=pareto:1.5\nrw=randread",
	"random_distribution=normal:101\nrw=randread",
	"random_distribution=zoned:60/10:30/90\nrw=randread",
	"random_distribution=zoned:60/10\nrw=randread",
	"random_distribution=zoned:\nrw=randread",
	"random_distribution=nosuch\nrw=randread",
	"thinktime_spin=5",
	"kb_base=1001",
	"rw=read:0x",
	"rw=read:",
	"rw=randread:0",
	"rw=randread:x",
	"file_service_type=random:0",
	"file_service_type=zipf:x",
	"fallocate=maybe",
	"startdelay=5-",
	"startdelay=a:b",
	"ioengine=delay",
	"ioengine=delay(",
	"ioengine=delay(psync))",
	"ioengine=psync(null)",
	"ioengine=",
	"nice=100",
	"loops=18446744073709551615\nsize=1t",
};

static void try_contradictions(void)
{
	for (size_t i = 0; i < COUNT_OF(contradictions); i++) {
		struct str text = {0};
		str_addf(&text, "[a]\nfilename=/dev/disk\n%s\n", contradictions[i]);
		for (int native = 0; native < 2; native++) {
			struct outcome o = {0};
			try_text(str_text(&text), native, NULL, 0, &o);
			if (o.rc >= 0 && !o.warnings.len)
				fault(str_text(&text), &o, "nothing is said (%s)",
					native ? "weir" : "fio");
			if (listing && native)
				printf("%s %s%s\n", contradictions[i],
					o.rc < 0 ? o.err.text : "accepted",
					str_text(&o.warnings));
			outcome_done(&o);
		}
		str_done(&text);
	}
}

/* ---- flags of the program ---- */

static void try_flag(const struct opt *row, const struct bad *bad, bool native)
{
	char program[] = "fio", *faces[] = {program, NULL};
	char word[256], *words[] = {word, NULL};
	struct command_line line;
	struct outcome o = {0};

	snprintf(word, sizeof(word), "--%s%s%s", row->name, bad->value ? "=" : "",
		bad->value ? bad->value : "");
	struct cmd_call call = {
		.face = face_choose(native ? 0 : 1, faces),
		.argc = 1,
		.argv = words,
	};
	tries++;
	o.rc = command_line_read(&call, &line, &o.err);
	bool number = row->type == &opt_time_s || row->type == &opt_u32;
	enum kind kind = number ? KIND_WHOLE : row->type == &opt_word ? KIND_WORD : KIND_TEXT;
	if (o.rc < 0 && (o.rc != o.err.code || !strstr(o.err.text, row->name)))
		fault(word, &o, "\n--%s: the error doesn't name it", row->name);
	if (o.rc >= 0 && kind != KIND_TEXT && bad->bad & 1u << kind)
		fault(word, &o, "\n--%s accepts %s", row->name, bad->what);
	if (listing && native)
		printf("%-40s %s\n", word, o.rc < 0 ? o.err.text : "accepted");
	command_line_done(&line);
}

static void try_flags(void)
{
	for (size_t i = 0; i < flags_group.count; i++)
		for (size_t b = 0; b < COUNT_OF(bads); b++)
			for (int native = 0; native < 2; native++)
				try_flag(&flags_group.rows[i], &bads[b], native);
}

int main(int argc, char **argv)
{
	listing = argc > 1 && strcmp(argv[1], "--list") == 0;
	for (size_t g = 0; g < opt_groups_count; g++)
		for (size_t i = 0; i < opt_groups[g]->count; i++)
			for (size_t b = 0; b < COUNT_OF(bads); b++)
				try_value(&opt_groups[g]->rows[i], g, &bads[b]);
	try_contradictions();
	try_flags();
	printf("%u texts, %u faults\n", tries, faults);
	return faults || !tries ? 1 : 0;
}
