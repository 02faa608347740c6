/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* How a worker's end touches others, and theirs it. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/err.h"
#include "base/str.h"
#include "plan/draft.h"

enum end_continue {
	CONTINUE_NONE,
	CONTINUE_READ,
	CONTINUE_WRITE,
	CONTINUE_IO,
	CONTINUE_VERIFY,
	CONTINUE_ALL,
};

struct end {
	bool exitall;
	bool exitall_on_error;
	int exit_what;
	const char *wait_for;
	int continue_on_error;
	const char *ignore_error;
	bool error_dump;
};

static const struct opt_word end_whats[] = {
	{"group", EXIT_GROUP, "the jobs of its group"},
	{"stonewall", EXIT_STONEWALL,
		"all that run now; what waits behind a stonewall still runs"},
	{"all", EXIT_ALL, "all, also those that have not started"},
	{0},
};

static const struct opt_word end_continues[] = {
	{"none", CONTINUE_NONE, "the first error ends the job"},
	{"read", CONTINUE_READ, "go on after failed reads"},
	{"write", CONTINUE_WRITE, "go on after failed writes and trims"},
	{"io", CONTINUE_IO, "both"},
	{"verify", CONTINUE_VERIFY, "go on after wrong data"},
	{"all", CONTINUE_ALL, "all of them"},
	{"0", CONTINUE_NONE, "the same as none"},
	{"1", CONTINUE_ALL, "the same as all"},
	{0},
};

static const struct opt end_rows[] = {
	{.name = "exitall",
		OPT_FLAG(struct end, exitall),
		.help = "When a job ends, end others as its exit_what says; set anywhere, it holds for "
			"all jobs"},
	{.name = "exit_what",
		OPT_WORD(struct end, exit_what),
		.words = end_whats,
		.preset = "group",
		.help = "Which jobs exitall ends"},
	{.name = "exitall_on_error",
		OPT_FLAG(struct end, exitall_on_error),
		.help = "When this job fails, end others as its exit_what says"},
	{.name = "wait_for",
		OPT_TEXT(struct end, wait_for),
		.help = "Start when all clones of this earlier job have ended"},
	{.name = "continue_on_error",
		OPT_WORD(struct end, continue_on_error),
		.words = end_continues,
		.preset = "none",
		.help = "Go on after I/O errors (EIO, EILSEQ) of these kinds"},
	{.name = "ignore_error",
		OPT_TEXT(struct end, ignore_error),
		.help = "Errors to go on after: lists for reads, writes and checks, as in "
			"EAGAIN,ENOSPC:122"},
	{.name = "error_dump",
		OPT_BOOL(struct end, error_dump),
		.preset = "0",
		.help = "Say errors that are gone on after, too"},
};

const struct opt_group end_group = {
	.name = "end",
	.rows = end_rows,
	.count = COUNT_OF(end_rows),
	.size = sizeof(struct end),
};

/* ---- jobs by name ---- */

/* By name, and for equal names in the order of the run. */
static int end_compare(const void *a, const void *b)
{
	const struct job *const *ja = a, *const *jb = b;
	int by_name = strcmp((*ja)->name, (*jb)->name);

	return by_name ? by_name : (*ja > *jb) - (*ja < *jb);
}

/* The first job of that name and how many there are. */
static size_t end_find(const struct draft *d, const char *name, const struct job **ret)
{
	size_t lo = 0, hi = d->plan->jobs->count;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		if (strcmp(d->by_name[mid]->name, name) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	size_t end = lo;
	while (end < d->plan->jobs->count && !strcmp(d->by_name[end]->name, name))
		end++;
	if (end > lo)
		*ret = d->by_name[lo];
	return end - lo;
}

static int end_prepare(struct draft *d, struct err *reterr)
{
	const struct job_set *jobs = d->plan->jobs;

	d->by_name = draft_alloc(d, jobs->count, sizeof(*d->by_name), reterr);
	if (!d->by_name)
		return -ENOMEM;
	for (size_t i = 0; i < jobs->count; i++) {
		const struct end *end = job_block(&jobs->jobs[i], &end_group);
		d->by_name[i] = &jobs->jobs[i];
		d->exitall |= end->exitall;
	}
	qsort(d->by_name, jobs->count, sizeof(*d->by_name), end_compare);
	return 0;
}

/* ---- rules ---- */

static bool end_waits_unknown(const struct draft *d, const struct plan_worker *w,
	const void *block, struct str *why)
{
	const struct end *end = block;
	const struct job *other;

	if (!end->wait_for || !strcmp(end->wait_for, w->name))
		return false;
	if (end_find(d, end->wait_for, &other) && other < w->job)
		return false;
	str_addf(why, "no job called \"%s\" comes before this one; name an earlier job",
		end->wait_for);
	return true;
}

static bool end_waits_self(const struct draft *d, const struct plan_worker *w,
	const void *block, struct str *why)
{
	const struct end *end = block;

	(void)d;
	if (!end->wait_for || strcmp(end->wait_for, w->name))
		return false;
	str_addf(why, "a job can't wait for itself (\"%s\"); name an earlier job", w->name);
	return true;
}

static bool end_waits_many(const struct draft *d, const struct plan_worker *w,
	const void *block, struct str *why)
{
	const struct end *end = block;
	const struct job *other;
	size_t found = end->wait_for ? end_find(d, end->wait_for, &other) : 0;

	(void)w;
	if (found < 2)
		return false;
	str_addf(why, "%zu jobs are called \"%s\"; give them different names", found,
		end->wait_for);
	return true;
}

static const struct rule end_rules[] = {
	{"wait_for", RULE_ERROR, end_waits_self},
	{"wait_for", RULE_ERROR, end_waits_many},
	{"wait_for", RULE_ERROR, end_waits_unknown},
};

/* ---- derivation ---- */

static int end_wait_derive(struct draft *d, struct plan_worker *w, const char *name,
	struct err *reterr)
{
	if (!draft_is_first(d, w)) {
		w->end.wait_for = draft_first(d, w)->end.wait_for;
		w->end.wait_count = draft_first(d, w)->end.wait_count;
		return 0;
	}
	const struct job *other = NULL;
	end_find(d, name, &other);
	uint32_t first = d->first_worker[other - d->plan->jobs->jobs];
	uint32_t count = draft_clones(d, &d->plan->workers[first]);
	uint32_t *list = draft_alloc(d, count, sizeof(*list), reterr);
	if (!list)
		return -ENOMEM;
	for (uint32_t i = 0; i < count; i++)
		list[i] = first + i;
	w->end.wait_for = list;
	w->end.wait_count = count;
	return 0;
}

/* ---- tolerated errors ---- */

/* An errno by name or number; 0 when there is none of that name. */
static int end_errno(const char *word)
{
	uint64_t number;

	if (opt_read_u64(word + (*word == '-'), &number, NULL) == 0)
		return number < PLAN_ERRNO_WORDS * 64 ? (int)number : 0;
	if (!strcmp(word, "EWOULDBLOCK"))
		return EAGAIN;
	if (!strcmp(word, "ENOTSUP"))
		return EOPNOTSUPP;
	for (int code = 1; code < PLAN_ERRNO_WORDS * 64; code++) {
		const char *name = strerrorname_np(code);
		if (name && !strcmp(name, word))
			return code;
	}
	return 0;
}

/* LEN bytes at LIST: words with colons between. */
static int end_ignore_list(const struct plan_worker *w, const char *list, size_t len,
	uint64_t *bits, struct err *reterr)
{
	const char *end = list + len;

	memset(bits, 0, sizeof(uint64_t) * PLAN_ERRNO_WORDS);
	for (const char *at = list; at <= end;) {
		size_t n = strcspn(at, ":,");
		char word[32];
		snprintf(word, sizeof(word), "%.*s", (int)MIN_OF(n, (size_t)31), at);
		int code = end_errno(word);
		if (!code)
			return job_fail(w->job, "ignore_error", reterr, -EINVAL,
				"'%s' is no error; give its name (ENOSPC) or number (28)",
				word);
		bits[code / 64] |= UINT64_C(1) << code % 64;
		at += n + 1;
	}
	return 0;
}

/* Lists for reads, writes (and trims) and checks.  A list takes the place of what
 * continue_on_error says for its kind; an empty one doesn't. */
static int end_ignore(struct plan_worker *w, const char *text, struct err *reterr)
{
	uint64_t checks[PLAN_ERRNO_WORDS] = {0};
	const char *at = text;

	for (int kind = 0;; kind++) {
		size_t len = strcspn(at, ",");
		if (kind == 3)
			return job_fail(w->job, "ignore_error", reterr, -EINVAL,
				"'%s' has more than three lists (reads, writes, checks)", text);
		uint64_t *bits = kind < 2 ? w->end.tolerate[kind] : checks;
		int rc = len ? end_ignore_list(w, at, len, bits, reterr) : 0;
		if (rc < 0)
			return rc;
		if (len && kind < 2)
			w->end.continue_on[kind] = true;
		else if (len)
			w->end.continue_verify = checks[EILSEQ / 64] >> EILSEQ % 64 & 1;
		if (!at[len])
			return 0;
		at += len + 1;
	}
}

static int end_errors(struct plan_worker *w, const struct end *end, struct err *reterr)
{
	int rc = 0;

	for (int d = 0; d < DIRS; d++)
		if (w->end.continue_on[d]) {
			w->end.tolerate[d][EIO / 64] |= UINT64_C(1) << EIO % 64;
			w->end.tolerate[d][EILSEQ / 64] |= UINT64_C(1) << EILSEQ % 64;
		}
	if (end->ignore_error)
		rc = end_ignore(w, end->ignore_error, reterr);
	memcpy(w->end.tolerate[DIR_TRIM], w->end.tolerate[DIR_WRITE],
		sizeof(w->end.tolerate[DIR_TRIM]));
	w->end.continue_on[DIR_TRIM] = w->end.continue_on[DIR_WRITE];
	w->end.dump = end->error_dump;
	return rc;
}

static int end_derive(struct draft *d, struct plan_worker *w, const void *block,
	struct err *reterr)
{
	const struct end *end = block;
	int on = end->continue_on_error;

	w->end.exitall = d->exitall;
	w->end.exitall_on_error = end->exitall_on_error;
	w->end.exit_what = (enum plan_exit_what)end->exit_what;
	w->end.continue_on[DIR_READ] = on == CONTINUE_READ || on == CONTINUE_IO ||
				       on == CONTINUE_ALL;
	w->end.continue_on[DIR_WRITE] = on == CONTINUE_WRITE || on == CONTINUE_IO ||
					on == CONTINUE_ALL;
	w->end.continue_verify = on == CONTINUE_VERIFY || on == CONTINUE_ALL;
	int rc = end_errors(w, end, reterr);
	if (rc == 0 && end->wait_for)
		rc = end_wait_derive(d, w, end->wait_for, reterr);
	return rc;
}

const struct part end_part = {
	.group = &end_group,
	.rules = end_rules,
	.rules_count = COUNT_OF(end_rules),
	.prepare = end_prepare,
	.derive = end_derive,
};
