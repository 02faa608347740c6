/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* The verb `check`: results held against a spec, or a target against a profile. */
#include "cmd/cmd.h"

#include "base/bits.h"
#include "base/err.h"
#include "base/limits.h"
#include "base/scope.h"
#include "base/str.h"
#include "cmd/check/expect.h"
#include "cmd/check/judge.h"
#include "cmd/check/profile.h"
#include "cmd/face.h"
#include "cmd/measure.h"
#include "cmd/output.h"
#include "cmd/report_file.h"
#include "cmd/say.h"
#include "report/checks.h"
#include "report/report.h"
#include "result/import.h"
#include "result/result.h"
#include "run/run.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#define WORDS_MOST   10000
#define EXPECTS_MOST 100

static const struct {
	const char *name;
	void (*print)(const struct report_checks *c, const struct report_how *how,
		struct str *out);
} formats[] = {
	{"table", checks_table},
	{"text", checks_table},
	{"normal", checks_table},
	{"json", checks_json},
	{"junit", checks_junit},
	{"markdown", checks_markdown},
};

struct check {
	const struct cmd_call *call;
	struct arena arena; /* of words and what was judged */
	size_t format;
	const char **words;
	uint32_t words_count;
	const char **expects;
	uint32_t expects_count;
	struct condition_list given;
	const char *profile; /* NULL: none */
	bool show_profile;
	struct profile_how how;

	struct spec spec;
	struct import_list *lists;
	uint32_t lists_count;
	const struct result **results;
	const char **sources;
	uint32_t results_count;
	struct measure own; /* of a profile */
	struct judge judge;
};

static void check_done(struct check *c)
{
	for (uint32_t i = 0; i < c->lists_count; i++)
		import_done(&c->lists[i]);
	measure_done(&c->own);
	spec_done(&c->spec);
	arena_done(&c->arena);
}

static int no_memory(struct err *reterr)
{
	return err_set(reterr, -ENOMEM, "out of memory");
}

const char check_usage[] =
	"usage: weir check RESULT... SPEC                 results against a spec file\n"
	"       weir check --expect='PATH OP LIMIT' RESULT...\n"
	"       weir check --profile=NAME TARGET          run a profile and judge it\n"
	"       weir check --profile=list                 the profiles\n"
	"       weir check --profile=NAME --show          its job file\n"
	"  --format=table|json|junit|markdown\n"
	"  --given='preconditioned direct=1'   what a result can't tell, on your word\n"
	"  --destroy=TARGET                    a profile may overwrite it\n"
	"  --runtime=TIME                      of a profile's jobs, 30s\n"
	"  --env=masked|full|none, --no-notes  what a profile tells beside its verdicts\n"
	"  --strict                            125 when a note on a profile's run says invalid\n"
	"RESULT is a report of fio or weir, - is stdin; weir help paths lists figures.\n"
	"Exit status: 0 all pass, 1 one fails, 3 one is undecided, 4 nothing could be judged.\n";

/* WHAT is missing, and how it is called. */
static int usage(const char *what)
{
	say_line("%s", what);
	(void)output_write(STDERR_FILENO, check_usage, sizeof(check_usage) - 1);
	return STATUS_CHECK_ERROR;
}

/* ---- words ---- */

static int format_read(struct check *c, const char *name, struct err *reterr)
{
	for (c->format = 0; c->format < COUNT_OF(formats); c->format++)
		if (strcmp(formats[c->format].name, name) == 0)
			return 0;
	return err_set(reterr, -EINVAL,
		"--format: unknown format '%s'; formats are table, json, junit and markdown",
		name);
}

static int flag_read(struct check *c, const char *word, struct err *reterr)
{
	const char *value = strchr(word, '=');

	value = value ? value + 1 : "";
	if (str_starts(word, "--format=") || str_starts(word, "--output-format="))
		return format_read(c, value, reterr);
	if (str_starts(word, "--given="))
		return condition_read(&c->arena, value, &c->given, reterr) < 0
			       ? err_within(reterr, "--given")
			       : 0;
	if (str_starts(word, "--expect=") && c->expects_count < EXPECTS_MOST) {
		c->expects[c->expects_count++] = value;
		return 0;
	}
	if (str_starts(word, "--profile=")) {
		c->profile = value;
		return 0;
	}
	if (str_starts(word, "--destroy=")) {
		c->how.destroy = value;
		return 0;
	}
	if (str_starts(word, "--runtime=")) {
		c->how.runtime = value;
		return 0;
	}
	if (measure_word(word, &c->how.told))
		return 0;
	if (strcmp(word, "--show") == 0) {
		c->show_profile = true;
		return 0;
	}
	return err_set(reterr, -EINVAL,
		"check: unknown flag '%s'; it has --format=FORMAT, --given=FACTS, --expect=ASSERTION, "
		"--profile=NAME, --destroy=TARGET, --runtime=TIME, --env=masked|full|none, "
		"--no-notes, --strict and --show",
		word);
}

static int words_read(struct check *c, struct err *reterr)
{
	int argc = c->call->argc, rc = 0;

	c->words = arena_array(&c->arena, (size_t)argc + 1, sizeof(*c->words));
	c->expects = arena_array(&c->arena, EXPECTS_MOST, sizeof(*c->expects));
	if (!c->words || !c->expects)
		return no_memory(reterr);
	if (argc > WORDS_MOST)
		return err_set(reterr, -E2BIG, "check: at most %d words", WORDS_MOST);
	for (int i = 0; i < argc && rc == 0; i++) {
		const char *word = c->call->argv[i];
		if (word[0] == '-' && word[1])
			rc = flag_read(c, word, reterr);
		else
			c->words[c->words_count++] = word;
	}
	return rc;
}

/* ---- reading ---- */

static int read_spec(struct check *c, const char *path, struct err *reterr)
{
	scope_with(str_done) struct str text = {0};
	int rc = report_file_text(path, LIMIT_JOB_FILE, &text, reterr);

	return rc < 0 ? rc : spec_read(path, str_text(&text), text.len, &c->spec, reterr);
}

static int read_results(struct check *c, uint32_t files, struct err *reterr)
{
	uint32_t total = 0;

	c->lists = arena_array(&c->arena, MAX_OF(files, 1u), sizeof(*c->lists));
	if (!c->lists)
		return no_memory(reterr);
	for (uint32_t i = 0; i < files; i++) {
		int rc = report_file_read(c->words[i], &c->lists[i], reterr);
		if (rc < 0)
			return rc;
		c->lists_count++;
		total += (uint32_t)c->lists[i].count;
	}
	c->results = arena_array(&c->arena, MAX_OF(total, 1u), sizeof(*c->results));
	c->sources = arena_array(&c->arena, MAX_OF(total, 1u), sizeof(*c->sources));
	if (!c->results || !c->sources)
		return no_memory(reterr);
	for (uint32_t i = 0; i < files; i++) {
		for (size_t k = 0; k < c->lists[i].count; k++) {
			c->results[c->results_count] = c->lists[i].results[k];
			c->sources[c->results_count++] = c->words[i];
		}
	}
	return 0;
}

/* ---- judging ---- */

static void judge_begin(struct check *c)
{
	c->judge = (struct judge){
		.arena = &c->arena,
		.results = c->results,
		.sources = c->sources,
		.count = c->results_count,
		.given = &c->given,
	};
}

static int judge_words(struct check *c, struct err *reterr)
{
	for (uint32_t i = 0; i < c->expects_count; i++) {
		struct assertion_list list;
		int rc = assertion_read(&c->arena, c->expects[i], &list, reterr);
		if (rc < 0)
			return err_within(reterr, "--expect");
		if (judge_expect(&c->judge, &list, NULL, "--expect") < 0)
			return no_memory(reterr);
	}
	return 0;
}

/* Everything that was read, into the list of checks. */
static int judge_all(struct check *c, struct err *reterr)
{
	judge_begin(c);
	for (uint32_t i = 0; i < c->spec.count; i++)
		if (judge_claim(&c->judge, &c->spec.claims[i], c->spec.path) < 0)
			return no_memory(reterr);
	return judge_words(c, reterr);
}

/* ---- printing ---- */

static int print(struct check *c)
{
	scope_with(str_done) struct str doc = {0};
	struct report_how how = {
		.native = true,
		.version = c->call->face->version,
		.colour = output_coloured(STDOUT_FILENO),
	};
	const struct report_checks all = {
		.product = c->spec.product,
		.source = c->spec.source,
		.checks = c->judge.checks,
		.count = c->judge.checks_count,
		.run = c->own.result,
	};
	struct err err;

	how.columns = output_columns(STDOUT_FILENO);
	formats[c->format].print(&all, &how, &doc);
	int rc = doc.failed ? -ENOMEM : output_write(STDOUT_FILENO, str_text(&doc), doc.len);
	if (rc == 0)
		return expect_status(all.checks, all.count);
	err_sys(&err, rc, "standard output");
	return say_status(STATUS_CHECK_ERROR, "%s", err.text);
}

/* ---- the ways to call it ---- */

static int check_profile(struct check *c)
{
	struct err err;

	if (strcmp(c->profile, "list") == 0 || c->show_profile)
		return profile_show(c->profile, &err) < 0
			       ? say_status(STATUS_CHECK_ERROR, "%s", err.text)
			       : STATUS_OK;
	if (c->words_count != 1)
		return usage(
			c->words_count
				? "check: a profile works on one target: a directory, a file or a "
				  "device"
				: "check: name the target of the profile: a directory, a file or "
				  "a device");
	c->how.call = c->call;
	c->how.target = c->words[0];
	int rc = profile_run(c->profile, &c->how, &c->arena, &c->own, &err);
	if (rc < 0)
		return say_status(STATUS_CHECK_ERROR, "%s", err.text);
	const struct result *r = c->own.result;
	const struct result *const results[] = {r};
	c->judge = (struct judge){
		.arena = &c->arena,
		.results = results,
		.count = 1,
		.checks = (struct result_check *)r->checks,
		.checks_count = r->checks_count,
		.room = r->checks_count,
	};
	c->spec.product = c->how.title;
	if (judge_words(c, &err) < 0)
		return say_status(STATUS_CHECK_ERROR, "%s", err.text);
	int status = print(c);
	if (r->stop_signal)
		return STATUS_SIGNAL;
	return c->how.told.strict && r->notes_invalid && status != STATUS_CHECK_ERROR
		       ? STATUS_INVALID
		       : status;
}

static int check_files(struct check *c)
{
	struct err err;
	uint32_t spec = c->expects_count ? 0 : 1;

	if (!c->words_count)
		return usage("check: name a result, a report of weir or fio");
	if (c->words_count < 1 + spec)
		return usage(
			"check: only one file was named; a result and a spec are needed, or "
			"--expect='PATH OP LIMIT' instead of the spec");
	uint32_t files = c->words_count - spec;
	/* The spec first: it may have mistakes, and stdin can be read once only. */
	if (spec && read_spec(c, c->words[files], &err) < 0)
		return say_status(STATUS_CHECK_ERROR, "%s", err.text);
	if (read_results(c, files, &err) < 0 || judge_all(c, &err) < 0)
		return say_status(STATUS_CHECK_ERROR, "%s", err.text);
	return print(c);
}

int cmd_check(const struct cmd_call *call)
{
	scope_with(check_done) struct check c = {
		.call = call, .how.told.environment = RUN_ENV_MASKED};
	struct err err;

	if (words_read(&c, &err) < 0)
		return say_status(STATUS_CHECK_ERROR, "%s", err.text);
	if (c.how.told.strict && !c.profile)
		return say_status(STATUS_CHECK_ERROR,
			"check: --strict is about a profile's run, and none is named; what a "
			"result's own notes say is in it: weir show RESULT");
	return c.profile ? check_profile(&c) : check_files(&c);
}
