/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "cmd/show_report.h"

#include "base/err.h"
#include "base/scope.h"
#include "base/str.h"
#include "cmd/check/judge.h"
#include "cmd/cmd.h"
#include "cmd/face.h"
#include "cmd/flags.h"
#include "cmd/output.h"
#include "cmd/say.h"
#include "report/report.h"
#include "result/checks.h"
#include "result/import.h"
#include "result/result.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

struct show_report {
	uint32_t formats; /* enum format_bit */
	struct report_how how;
	bool begun;         /* something was printed */
	const char *expect; /* assertions, NULL: none */
	bool not_passed, undecided;
	int failed; /* files          */
	int error;  /* of writing     */
};

/* ---- words ---- */

static int formats_read(const char *text, uint32_t *ret, struct err *reterr)
{
	uint32_t bits = 0;

	for (const char *at = text; at;) {
		char name[16];
		size_t len = strcspn(at, ",");
		snprintf(name, sizeof(name), "%.*s", (int)len, at);
		uint32_t bit = len < sizeof(name) ? flags_format_bit(name) : 0;
		if (!bit)
			return err_set(reterr, -EINVAL,
				"--output-format: unknown format '%.*s'; formats are normal, json, "
				"json+, terse, table, markdown, csv and summary",
				(int)len, at);
		bits |= bit;
		at = at[len] ? at + len + 1 : NULL;
	}
	*ret = bits;
	return 0;
}

static int expect_read(struct show_report *s, const char *text, struct err *reterr)
{
	scope_with(arena_done) struct arena arena = {0};
	struct assertion_list list;

	s->expect = text;
	return assertion_read(&arena, text, &list, reterr) < 0 ? err_within(reterr, "--expect")
							       : 0;
}

/* The result's checks are those of --expect. */
static void result_expect(struct show_report *s, struct result *r)
{
	const struct result *const results[] = {r};
	struct judge j = {.arena = &r->arena, .results = results, .count = 1};
	struct assertion_list list;

	if (!s->expect)
		return;
	if (assertion_read(&r->arena, s->expect, &list, NULL) < 0 ||
		judge_expect(&j, &list, NULL, "--expect") < 0) {
		s->error = -ENOMEM;
		return;
	}
	r->checks = j.checks;
	r->checks_count = j.checks_count;
	enum check_verdict v = check_verdict_of(j.checks, j.checks_count);
	s->not_passed |= v == CHECK_FAIL;
	s->undecided |= v == CHECK_UNDECIDED;
}

/* 1: WORD is no flag. */
static int flag_read(struct show_report *s, const char *word, struct err *reterr)
{
	const char *value = strchr(word, '=');

	if (word[0] != '-' || !word[1])
		return 1;
	if (!strcmp(word, "--summary")) {
		s->formats = FORMAT_SUMMARY;
		return 0;
	}
	if (str_starts(word, "--output-format="))
		return formats_read(value + 1, &s->formats, reterr);
	if (str_starts(word, "--units="))
		return report_units_read(value + 1, &s->how.units, reterr);
	if (str_starts(word, "--expect="))
		return expect_read(s, value + 1, reterr);
	if (str_starts(word, "--terse-version=")) {
		if (strlen(value) != 2 || value[1] < '2' || value[1] > '5')
			return err_set(reterr, -EINVAL,
				"--terse-version: '%s' is not 2, 3, 4 or 5", value + 1);
		s->how.terse_version = (uint32_t)(value[1] - '0');
		return 0;
	}
	return err_set(reterr, -EINVAL,
		"show: unknown flag '%s'; it has --output-format=FORMAT, --summary, "
		"--units=UNIT, --terse-version=N, --expect=ASSERTIONS and, for binary logs, --to=PREFIX",
		word);
}

/* ---- files ---- */

struct show_file {
	struct show_report *show;
	int fd;
};

static ssize_t file_read(void *ctx, char *buffer, size_t size)
{
	ssize_t n = read(((struct show_file *)ctx)->fd, buffer, size);
	return n < 0 ? -errno : n;
}

static void result_show(struct show_report *s, struct result *r)
{
	result_expect(s, r);
	for (uint32_t i = 0; flags_formats[i] && !s->error; i++) {
		scope_with(str_done) struct str doc = {0};
		if (!(s->formats & 1u << i))
			continue;
		if (s->begun && flags_formats[i] == &report_table)
			str_add_char(&doc, '\n');
		s->begun = true;
		flags_formats[i]->print(r, &s->how, &doc);
		s->error = doc.failed ? -ENOMEM
				      : output_write(STDOUT_FILENO, str_text(&doc), doc.len);
	}
}

static int file_take(void *ctx, struct result *r)
{
	struct show_report *s = ((struct show_file *)ctx)->show;

	if (result_notes_told(r) < 0)
		say_line("out of memory: notes are missing");
	result_show(s, r);
	result_free(r);
	return s->error;
}

static void file_show(struct show_report *s, const char *path)
{
	bool is_stdin = !strcmp(path, "-");
	scope_fd int own = is_stdin ? -1 : open(path, O_RDONLY | O_CLOEXEC);
	struct show_file file = {.show = s, .fd = is_stdin ? STDIN_FILENO : own};
	const struct import_source from = {is_stdin ? "stdin" : path, file_read, &file};
	struct err err;
	int rc = file.fd < 0
			 ? err_sys(&err, -errno, "%s", path)
			 : import_stream(&from, &(struct import_sink){file_take, &file}, &err);

	if (rc < 0 && !s->error) {
		say_line("%s", err.text);
		s->failed++;
	}
}

int show_reports(const struct cmd_call *call)
{
	struct show_report s = {.formats = FORMAT_TABLE,
		.how = {.native = true,
			.version = call->face->version,
			.colour = output_coloured(STDOUT_FILENO)}};
	struct err err;

	s.how.columns = output_columns(STDOUT_FILENO);
	for (int i = 0; i < call->argc; i++) {
		if (flag_read(&s, call->argv[i], &err) < 0) {
			say_line("%s", err.text);
			return STATUS_REFUSED;
		}
	}
	s.how.bins = s.formats & FORMAT_BINS;
	for (int i = 0; i < call->argc && !s.error; i++)
		if (call->argv[i][0] != '-' || !call->argv[i][1])
			file_show(&s, call->argv[i]);
	if (s.error) {
		err_sys(&err, s.error, "standard output");
		say_line("%s", err.text);
	}
	if (s.failed || s.error || s.not_passed)
		return STATUS_REFUSED;
	return s.undecided ? STATUS_UNDECIDED : STATUS_OK;
}
