/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "cmd/check/expect.h"

#include "base/bits.h"
#include "base/err.h"
#include "base/str.h"
#include "cmd/check/judge.h"
#include "cmd/cmd.h"
#include "job/job.h"
#include "plan/plan.h"
#include "result/result.h"

#include <errno.h>
#include <string.h>

/* ---- the option ---- */

struct expect {
	const char *text; /* assertions with commas between them; NULL: none */
};

/* Repeated lines add up. */
static int expect_parse(const struct opt *o, const char *text, void *dst,
	const struct opt_ctx *ctx, struct err *reterr)
{
	struct assertion_list list;
	const char **to = dst;

	(void)o;
	int rc = assertion_read(ctx->arena, text, &list, reterr);
	if (rc < 0)
		return rc;
	const char *all = *to ? arena_printf(ctx->arena, "%s, %s", *to, text)
			      : arena_text(ctx->arena, text);
	if (!all)
		return err_set(reterr, -ENOMEM, "out of memory");
	*to = all;
	return 0;
}

static void expect_print(const struct opt *o, const void *src, struct str *out)
{
	const char *text = *(const char *const *)src;
	(void)o;
	str_add(out, text ? text : "");
}

static const struct opt_type expect_type = {
	.name = "assertions",
	.size = sizeof(const char *),
	.parse = expect_parse,
	.print = expect_print,
};

static const struct opt expect_rows[] = {
	{.name = "expect",
		OPT_AS(struct expect, text, const char *, expect_type),
		.flags = OPT_NATIVE | OPT_GATHER | OPT_LIST,
		.help = "Figures that must come out, as in read.iops >= 430k; judged after the run"},
};

const struct opt_group expect_group = {
	.name = "expect",
	.rows = expect_rows,
	.count = COUNT_OF(expect_rows),
	.size = sizeof(struct expect),
};

/* ---- judging ---- */

/* The name of the report row that JOB's workers went into; NULL: it has none. */
static const char *row_of(const struct plan *plan, const struct job *job)
{
	for (uint32_t i = 0; i < plan->workers_count; i++)
		if (plan->workers[i].job == job)
			return plan->workers[plan->rows[plan->workers[i].row].first_worker]
				.name;
	return NULL;
}

static bool row_used(const struct result *r, const char *name, int dir)
{
	for (uint32_t i = 0; i < r->rows_count; i++)
		if (!strcmp(r->rows[i].name, name) && result_dir_used(&r->rows[i].dir[dir]))
			return true;
	return false;
}

static bool judged(const struct judge *j, const char *place, const char *text)
{
	for (uint32_t i = 0; i < j->checks_count; i++)
		if (!strcmp(j->checks[i].text, text) && !strcmp(j->checks[i].place, place))
			return true;
	return false;
}

/* One line of a job.  A default about a direction is for the jobs that use it; one that
 * names its job is judged once. */
static int given_judge(struct judge *j, const struct job_given *g, const char *name,
	bool inherited)
{
	struct assertion_list list;
	char at[40] = "command line";

	if (g->where.file)
		snprintf(at, sizeof(at), ":%u", g->where.line);
	const char *place = arena_printf(j->arena, "%s%s", g->where.file ? g->where.file : "",
		at);
	if (!place || assertion_read(j->arena, g->value, &list, NULL) < 0)
		return -ENOMEM;
	for (uint32_t i = 0; i < list.count; i++) {
		const struct assertion *a = &list.v[i];
		const struct assertion_list one = {a, 1};
		int dir = a->path.dir;
		if (a->path.job && inherited && judged(j, place, a->text))
			continue;
		if (inherited && name && !a->path.job && dir != PATH_NO_DIR &&
			!row_used(j->results[0], name, dir))
			continue;
		if (!name && judged(j, place, a->text))
			continue;
		int rc = judge_expect(j, &one, a->path.job ? NULL : name, place);
		if (rc < 0)
			return rc;
	}
	return 0;
}

static int list_judge(struct judge *j, const struct job_given *v, size_t count,
	const char *name, bool inherited)
{
	int rc = 0;
	for (size_t i = 0; i < count && rc == 0; i++)
		if (strcmp(v[i].name, "expect") == 0)
			rc = given_judge(j, &v[i], name, inherited);
	return rc;
}

int expect_judge(const struct plan *plan, struct result *r)
{
	const struct result *const results[] = {r};
	struct judge j = {.arena = &r->arena, .results = results, .count = 1};
	int rc = 0;

	for (size_t i = 0; i < plan->jobs->count && rc == 0; i++) {
		const struct job *job = &plan->jobs->jobs[i];
		const char *name = row_of(plan, job);
		if (!name)
			continue;
		rc = list_judge(&j, job->globals, job->globals_count, name, true);
		if (rc == 0)
			rc = list_judge(&j, job->given, job->given_count, name, false);
	}
	/* Defaults that were nobody's are undecided, not forgotten. */
	for (size_t i = 0; i < plan->jobs->count && rc == 0; i++)
		rc = list_judge(&j, plan->jobs->jobs[i].globals,
			plan->jobs->jobs[i].globals_count, NULL, true);
	r->checks = j.checks;
	r->checks_count = j.checks_count;
	return rc;
}

int expect_status(const struct result_check *checks, uint32_t count)
{
	static const int statuses[] = {
		[CHECK_PASS] = STATUS_OK,
		[CHECK_FAIL] = STATUS_CHECK_FAILED,
		[CHECK_UNDECIDED] = STATUS_UNDECIDED,
	};
	return statuses[check_verdict_of(checks, count)];
}
