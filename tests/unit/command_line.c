/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* The grammar of the command line: a line, and the words that come of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/bits.h"
#include "base/err.h"
#include "base/scope.h"
#include "base/str.h"
#include "cmd/cmd.h"
#include "cmd/command_line.h"
#include "cmd/face.h"
#include "job/job.h"

#define WORDS_MAX 16

struct row {
	const char *typed; /* words, separated by blanks                       */
	const char *words; /* "name=value", "name" alone, "<file>"; or NULL ... */
	const char *error; /* ... and then a part of the error                 */
};

static const struct row rows[] = {
	/* forms */
	{"--name=a --iodepth=4", "name=a iodepth=4", NULL},
	{"--name a --iodepth 4", "name=a iodepth=4", NULL},
	{"-name=a -iodepth=4", "name=a iodepth=4", NULL},
	{"-name a -iodepth 4", "name=a iodepth=4", NULL},
	{"--name=a=b", "name=a=b", NULL},
	{"--name=", "name=", NULL},
	{"--blocksize=8k", "blocksize=8k", NULL},

	/* what stands alone eats nothing */
	{"--thread job.fio", "thread <job.fio>", NULL},
	{"--thread=0 job.fio", "thread=0 <job.fio>", NULL},
	{"--readonly job.fio", "<job.fio>", NULL},

	/* files anywhere */
	{"a.fio --name=b - c.fio", "<a.fio> name=b <-> <c.fio>", NULL},
	{"--name=a -- --iodepth=4 -x", "name=a <--iodepth=4> <-x>", NULL},

	/* beginnings of names */
	{"--numj=2", "numjobs=2", NULL},
	{"--iodepth=1", "iodepth=1", NULL},
	{"--readwri=read", "readwrite=read", NULL},
	{"--iode=2", NULL, "ambiguous; it may be --iodepth, --iodepth_batch"},

	/* an engine's options are known to its right */
	{"--ioengine=libaio --userspace_reap", "ioengine=libaio userspace_reap", NULL},
	{"--userspace_reap --ioengine=libaio", NULL, "belongs to the engine libaio"},
	{"--ioengine=libaio --name=a --userspace_reap", "ioengine=libaio name=a userspace_reap",
		NULL},
	{"--name=a --ioengine=libaio --name=b --userspace_reap", NULL, "belongs to the engine"},
	{"--ioengine=delay --delay_script=const:1ms", NULL,
		"--ioengine: delay wraps another engine"},
	{"--ioengine=libia --userspace_reap", NULL, "--ioengine: "},
	{"--name=a --ioengine=delay(libaio) --userspace_r",
		"name=a ioengine=delay(libaio) userspace_reap", NULL},

	/* flags are no words for jobs; fio's short forms take one dash */
	{"--output=x --name=a", "name=a", NULL},
	{"-o x --name=a", "name=a", NULL},
	{"-s -P --name=a", "name=a", NULL},
	{"--o=x", NULL, "ambiguous"},
	{"--version --bogus", "", NULL},

	/* mistakes */
	{"--iodepht=4", NULL, "unknown option '--iodepht'; did you mean '--iodepth'?"},
	{"--zzzzzzzzzz", NULL, "unknown option '--zzzzzzzzzz'; --help lists them"},
	{"--name=a --iodepth", NULL, "option '--iodepth' needs a value"},
	{"--=4", NULL, "unknown option '--'"},
	{"--readonly=1", NULL, "--readonly: takes no value"},
	{"--output-format=json,foo", NULL, "unknown format 'foo'"},
	{"--output-format=", NULL, "--output-format: needs a value"},
	{"--minimal=1", NULL, "--minimal: takes no value"},
	{"--terse-version=6", NULL, "--terse-version: value out of range: 6 (2 to 5)"},
	{"--client=host", NULL, "--client: comes with many hosts"},
	{"--eta=sometimes", NULL, "--eta: "},
	{"--eta-interval=100ms", NULL, "--eta-interval: "},
	{"--eta-newline=0", NULL, "--eta-newline: "},
	{"--section=", NULL, "--section: needs a value"},
};

static void add_word(struct str *out, const struct job_word *w)
{
	if (out->len)
		str_add_char(out, ' ');
	if (!w->name)
		str_addf(out, "<%s>", w->value);
	else if (w->value)
		str_addf(out, "%s=%s", w->name, w->value);
	else
		str_add(out, w->name);
}

static int split(char *typed, char **argv)
{
	int argc = 0;
	for (char *save, *w = strtok_r(typed, " ", &save); w; w = strtok_r(NULL, " ", &save)) {
		assert_true(argc < WORDS_MAX);
		argv[argc++] = w;
	}
	return argc;
}

static void check_row(const struct row *row)
{
	scope_mem char *typed = strdup(row->typed);
	char *argv[WORDS_MAX];
	struct cmd_call call = {.argc = split(typed, argv), .argv = argv};
	char *program[] = {(char[]){"fio"}};
	call.face = face_choose(1, program);

	scope_with(command_line_done) struct command_line line;
	scope_with(str_done) struct str words = {0};
	struct err err = {0};
	int rc = command_line_read(&call, &line, &err);
	if (rc < 0)
		str_add(&words, err.text);
	for (size_t i = 0; rc == 0 && i < line.count; i++)
		add_word(&words, &line.words[i]);

	bool right = row->error ? rc < 0 && strstr(err.text, row->error)
				: rc == 0 && strcmp(str_text(&words), row->words) == 0;
	if (!right)
		fail_msg("'%s' gave '%s', not '%s'", row->typed, str_text(&words),
			row->error ? row->error : row->words);
}

static void test_rows(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++)
		check_row(&rows[i]);
}

static void test_flags(void **state)
{
	(void)state;
	char *argv[] = {"--output-format=json,normal", "--section=a", "--section=b:c",
		"--destroy", "/dev/x:y", "--status-interval=500ms", "--cmdhelp"};
	char *program[] = {"weir"};
	struct cmd_call call = {face_choose(1, program), COUNT_OF(argv), argv, 0};

	scope_with(command_line_done) struct command_line line;
	assert_int_equal(command_line_read(&call, &line, NULL), 0);
	const struct flags *f = &line.flags;
	assert_int_equal(f->formats, FORMAT_JSON | FORMAT_CLASSIC);
	assert_int_equal(f->sections.count, 2);
	assert_string_equal(f->sections.v[1], "b:c");
	assert_int_equal(f->destroy.count, 1);
	assert_string_equal(f->destroy.v[0], "/dev/x:y");
	assert_int_equal(f->status_interval_ns, 500 * NS_PER_MS);
	assert_int_equal(f->eta_interval_ns, NS_PER_S);
	assert_string_equal(f->option_help, "");
	assert_null(f->engine_help);
}

/* Every flag has a form that a page can show, and no name is taken twice. */
static void test_names(void **state)
{
	(void)state;
	for (size_t i = 0; i < flags_group.count; i++) {
		const struct opt *a = &flags_group.rows[i];
		struct opt_found found;
		assert_true(a->help || a->refused);
		assert_true(a->flags & OPT_CLI_ONLY);
		if (opt_find(a->name, NULL, &found))
			fail_msg("--%s is an option of jobs, too", a->name);
		for (size_t j = 0; j < i; j++) {
			const struct opt *b = &flags_group.rows[j];
			assert_string_not_equal(a->name, b->name);
			if (a->alias[0] && b->alias[0])
				assert_string_not_equal(a->alias[0], b->alias[0]);
		}
	}
}

struct face_row {
	const char *argv[4];
	const char *face; /* NULL: refused */
};

static const struct face_row faces[] = {
	{{"weir"}, "weir"},
	{{"fio"}, "fio"},
	{{"/usr/local/bin/fio"}, "fio"},
	{{"./weir-fio"}, "fio"},
	{{"/opt/fio/weir"}, "weir"},
	{{"weir", "--compat=fio"}, "fio"},
	{{"weir", "--compat", "fio"}, "fio"},
	{{"weir", "-compat=fio"}, "fio"},
	{{"fio", "--compat=none"}, "weir"},
	{{"weir", "--", "--compat=fio"}, "weir"},
	{{"weir", "--compat=dd"}, NULL},
};

static void test_faces(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT_OF(faces); i++) {
		const struct face_row *row = &faces[i];
		int argc = 0;
		while (argc < 4 && row->argv[argc])
			argc++;
		const struct face *face = face_choose(argc, (char **)(uintptr_t)row->argv);
		if (!row->face)
			assert_null(face);
		else
			assert_string_equal(face->program, row->face);
	}
}

static void test_verbs(void **state)
{
	(void)state;
	char *weir[] = {"weir"}, *fio[] = {"fio"};
	char *words[] = {"version", "x"};
	struct cmd_call call = {face_choose(1, weir), 2, words, 0};
	assert_string_equal(verb_choose(&call)->name, "version");
	assert_int_equal(call.argc, 1);
	assert_string_equal(call.argv[0], "x");

	char *file[] = {"./version"};
	call = (struct cmd_call){face_choose(1, weir), 1, file, 0};
	assert_string_equal(verb_choose(&call)->name, "run");
	assert_int_equal(call.argc, 1);

	call = (struct cmd_call){face_choose(1, fio), 2, words, 0};
	assert_string_equal(verb_choose(&call)->name, "run");
	assert_int_equal(call.argc, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_flags),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_faces),
		cmocka_unit_test(test_verbs),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
