/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* The verb `compare`: which of these is better, and can that be said at all? */
#include "cmd/cmd.h"

#include "base/err.h"
#include "base/scope.h"
#include "base/str.h"
#include "cmd/operand.h"
#include "cmd/output.h"
#include "cmd/ratio.h"
#include "cmd/say.h"
#include "report/compare.h"
#include "report/report.h"
#include "result/compare.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TOLERANCE 0.02

enum compare_format {
	COMPARE_TEXT,
	COMPARE_JSON,
	COMPARE_MD,
};

struct comparing {
	enum compare_format format;
	enum compare_figure metric;
	double tolerance;
	bool gate;
	struct report_how how;
	char **words; /* operands */
	size_t count;
	struct operands operands;
};

const char compare_usage[] =
	"usage: weir compare [FLAG...] A B [C...]\n"
	"  A, B, ...          a file with results, a directory of such, 'a*.json', a.json,b.json;\n"
	"                     NAME=PATH calls it NAME; all are compared with A\n"
	"  A... -- B...       all words up to a '--' are one side\n"
	"  --metric=FIGURE    which figure decides: " COMPARE_METRICS "\n"
	"                     (iops; response_p99 of jobs with a rate)\n"
	"  --tolerance=2%     how much is still the same\n"
	"  --gate             exit status: 0 same or better, 1 worse, 3 can't tell, 4 an error\n"
	"  --each-clone       compare the clones of a job (numjobs) one by one, not together\n"
	"  --brief            only the figure that decides, a line a job\n"
	"  --format=text      or md, json\n";

static int fail(const struct comparing *c, const char *text)
{
	return say_status(c->gate ? STATUS_CHECK_ERROR : STATUS_REFUSED, "%s", text);
}

/* ---- words ---- */

static int format_read(struct comparing *c, const char *value, struct err *reterr)
{
	static const char *const names[] = {
		[COMPARE_TEXT] = "text", [COMPARE_JSON] = "json", [COMPARE_MD] = "md"};

	for (int i = 0; i <= COMPARE_MD; i++) {
		if (strcmp(value, names[i]) != 0)
			continue;
		c->format = (enum compare_format)i;
		return 0;
	}
	return err_set(reterr, -EINVAL,
		"compare: --format: '%s' is none; formats are text, md and json", value);
}

static int flag_read(struct comparing *c, const char *word, struct err *reterr)
{
	const char *value = strchr(word, '=');

	if (!strcmp(word, "--gate")) {
		c->gate = true;
		return 0;
	}
	if (!strcmp(word, "--each-clone")) {
		c->operands.each_clone = true;
		return 0;
	}
	if (!strcmp(word, "--brief")) {
		c->how.deciding_only = true;
		return 0;
	}
	if (str_starts(word, "--format="))
		return format_read(c, value + 1, reterr);
	if (str_starts(word, "--metric=")) {
		c->metric = compare_figure_named(value + 1);
		if (c->metric != COMPARE_BY_JOB && !compare_figures[c->metric].no_verdict)
			return 0;
		return err_set(reterr, -EINVAL,
			"compare: --metric: '%s' can't decide; figures that can are " COMPARE_METRICS,
			value + 1);
	}
	if (str_starts(word, "--tolerance="))
		return ratio_read("compare: --tolerance", value + 1, &c->tolerance, reterr);
	return err_set(reterr, -EINVAL,
		"compare: unknown flag '%s'; it has --metric=FIGURE, --tolerance=PERCENT, --gate, "
		"--each-clone, --brief and --format=FORMAT",
		word);
}

static int words_read(struct comparing *c, const struct cmd_call *call, struct err *reterr)
{
	for (int i = 0; i < call->argc; i++)
		c->gate |= !strcmp(call->argv[i], "--gate"); /* errors before it count, too */
	for (int i = 0; i < call->argc; i++) {
		char *word = call->argv[i];
		bool operand = word[0] != '-' || !word[1] || !strcmp(word, "--");
		if (operand)
			c->words[c->count++] = word;
		else if (flag_read(c, word, reterr) < 0)
			return -EINVAL;
	}
	return 0;
}

/* ---- answer ---- */

static int status_of(const struct comparing *c, enum compare_answer answer)
{
	if (!c->gate || answer == ANSWER_SAME || answer == ANSWER_BETTER)
		return STATUS_OK;
	return answer == ANSWER_WORSE ? STATUS_CHECK_FAILED : STATUS_UNDECIDED;
}

static int compare_print(const struct comparing *c, const struct compare *compared)
{
	scope_with(str_done) struct str out = {0};

	if (c->format == COMPARE_JSON)
		compare_json(compared, &out);
	else if (c->format == COMPARE_MD)
		compare_markdown(compared, &c->how, &out);
	else
		compare_table(compared, &c->how, &out);
	if (out.failed)
		return -ENOMEM;
	return output_write(STDOUT_FILENO, str_text(&out), out.len);
}

static int compare_all(struct comparing *c)
{
	struct err err;

	if (operands_read(&c->operands, c->words, c->count, &err) < 0)
		return fail(c, err.text);
	if (c->operands.count < 2)
		return fail(c, "compare: only one side was named; name two: weir compare A B");
	struct compare *compared = compare_make(c->operands.view, c->operands.count, c->metric,
		c->tolerance);
	if (!compared)
		return fail(c, "out of memory");
	int status = status_of(c, compare_answer(compared));
	int rc = compare_print(c, compared);
	compare_free(compared);
	if (rc == 0)
		return status;
	err_sys(&err, rc, "standard output");
	return fail(c, err.text);
}

int cmd_compare(const struct cmd_call *call)
{
	struct comparing c = {
		.metric = COMPARE_BY_JOB,
		.tolerance = TOLERANCE,
		.how = {.colour = output_coloured(STDOUT_FILENO)},
	};
	scope_mem char **words = calloc((size_t)call->argc + 1, sizeof(*words));
	struct err err;

	if (!words)
		return fail(&c, "out of memory");
	c.words = words;
	c.how.columns = output_columns(STDOUT_FILENO);
	if (words_read(&c, call, &err) < 0)
		return fail(&c, err.text);
	if (!c.count) {
		(void)output_write(STDERR_FILENO, compare_usage, sizeof(compare_usage) - 1);
		return c.gate ? STATUS_CHECK_ERROR : STATUS_REFUSED;
	}
	int status = compare_all(&c);
	operands_done(&c.operands);
	return status;
}
