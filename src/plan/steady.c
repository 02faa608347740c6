/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Stopping when a figure is steady. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/bits.h"
#include "base/err.h"
#include "base/str.h"
#include "plan/draft.h"

struct steady {
	const char *rule;
	uint64_t window_ns;
	uint64_t ramp_ns;
	uint64_t interval_ns;
};

static const struct opt steady_rows[] = {
	{.name = "steadystate",
		.alias = {"ss"},
		OPT_TEXT(struct steady, rule),
		.preset = "iops_slope:0.01%",
		.help = "End the job when iops, bw, lat, or the slope of one (iops_slope, ...) keeps a "
			"limit, as in iops:2% or bw_slope:1m"},
	{.name = "steadystate_duration",
		.alias = {"ss_dur"},
		OPT_TIME_S(struct steady, window_ns),
		.help = "Judge the last so many seconds; not given, nothing is judged"},
	{.name = "steadystate_ramp_time",
		.alias = {"ss_ramp"},
		OPT_TIME_S(struct steady, ramp_ns),
		.help = "Leave so much out at first"},
	{.name = "steadystate_check_interval",
		.alias = {"ss_interval"},
		OPT_TIME_S(struct steady, interval_ns),
		.min = NS_PER_S,
		.preset = "1",
		.help = "Length of one sample"},
};

const struct opt_group steady_group = {
	.name = "steady",
	.rows = steady_rows,
	.count = COUNT_OF(steady_rows),
	.size = sizeof(struct steady),
};

#define STEADY_SAMPLES 86400

static bool steady_not_timed(const struct draft *d, const struct plan_worker *w,
	const void *block, struct str *why)
{
	const struct steady *s = block;

	(void)d;
	if (s->window_ns || !job_gave(w->job, "steadystate"))
		return false;
	str_add(why, "without steadystate_duration nothing is judged: it has no effect");
	return true;
}

static bool steady_odd_window(const struct draft *d, const struct plan_worker *w,
	const void *block, struct str *why)
{
	const struct steady *s = block;

	(void)d;
	(void)w;
	if (!s->window_ns ||
		(s->window_ns > s->interval_ns && s->window_ns % s->interval_ns == 0))
		return false;
	str_addf(why,
		"it must be a multiple of steadystate_check_interval (%" PRIu64
		" s), and more than it",
		s->interval_ns / NS_PER_S);
	return true;
}

static bool steady_long_window(const struct draft *d, const struct plan_worker *w,
	const void *block, struct str *why)
{
	const struct steady *s = block;

	(void)d;
	(void)w;
	if (s->window_ns / s->interval_ns <= STEADY_SAMPLES)
		return false;
	str_addf(why,
		"that are %" PRIu64 " samples, and %d is the limit; raise "
		"steadystate_check_interval",
		s->window_ns / s->interval_ns, STEADY_SAMPLES);
	return true;
}

static const struct rule steady_rules[] = {
	{"steadystate", RULE_WARNING, steady_not_timed},
	{"steadystate_duration", RULE_ERROR, steady_odd_window},
	{"steadystate_duration", RULE_ERROR, steady_long_window},
};

static const struct steady_word {
	const char *word;
	enum steady_figure figure;
	bool slope;
} steady_words[] = {
	{"iops", STEADY_IOPS, false},
	{"iops_slope", STEADY_IOPS, true},
	{"bw", STEADY_BW, false},
	{"bw_slope", STEADY_BW, true},
	{"lat", STEADY_LAT, false},
	{"lat_slope", STEADY_LAT, true},
};

/* The limit: a percentage, or a number in the figure's unit. */
static int steady_limit(struct steady_rule *rule, const char *text, struct err *reterr)
{
	const struct opt_ctx ctx = {.kb_base = 1024};
	char number[64];
	uint64_t whole = 0;
	size_t len = strlen(text);
	int rc;

	rule->percent = len && text[len - 1] == '%';
	if (rule->percent || rule->figure == STEADY_IOPS) {
		snprintf(number, sizeof(number), "%.*s",
			(int)MIN_OF(len - rule->percent, (size_t)63), text);
		rc = opt_read_double(number, &rule->limit, reterr);
		if (rc == 0 && rule->limit < 0)
			rc = err_set(reterr, -EINVAL, "a limit can't be negative");
		return rc;
	}
	rc = rule->figure == STEADY_BW ? opt_read_bytes(text, &ctx, &whole, reterr)
				       : opt_read_time(text, NS_PER_US, &whole, reterr);
	rule->limit = (double)whole;
	return rc;
}

static int steady_parse(const char *text, struct steady_rule *ret,
	const struct steady_word **ret_word, struct err *reterr)
{
	size_t len = strcspn(text, ":");

	if (!text[len])
		return err_set(reterr, -EINVAL,
			"'%s' has no limit; say it behind a colon, as in iops:2%%", text);
	for (size_t i = 0; i < COUNT_OF(steady_words); i++) {
		const struct steady_word *word = &steady_words[i];
		if (strlen(word->word) != len || memcmp(word->word, text, len) != 0)
			continue;
		*ret = (struct steady_rule){.figure = word->figure, .slope = word->slope};
		*ret_word = word;
		return steady_limit(ret, text + len + 1, reterr);
	}
	return err_set(reterr, -EINVAL,
		"'%.*s' is none of iops, iops_slope, bw, bw_slope, lat, lat_slope",
		(int)MIN_OF(len, (size_t)40), text);
}

static int steady_derive(struct draft *d, struct plan_worker *w, const void *block,
	struct err *reterr)
{
	const struct steady *s = block;
	struct plan_steady *ps = &w->steady;
	const struct steady_word *word = NULL;
	struct err e;
	struct str text = {0};

	int rc = steady_parse(s->rule, &ps->rule, &word, &e);
	if (rc < 0)
		return job_fail(w->job, "steadystate", reterr, rc, "%s", e.text);
	if (!s->window_ns) {
		ps->rule = (struct steady_rule){0};
		return 0;
	}
	if (ps->rule.figure == STEADY_LAT && !w->measure.lat)
		return job_fail(w->job, "steadystate", reterr, -EINVAL,
			"it judges total latency, which disable_lat or gtod_reduce switches off");
	str_addf(&text, "%s:%f%s", word->word, ps->rule.limit, ps->rule.percent ? "%" : "");
	char *kept = draft_alloc(d, text.len + 1, 1, reterr);
	if (kept)
		memcpy(kept, str_text(&text), text.len + 1);
	str_done(&text);
	if (!kept)
		return -ENOMEM;
	ps->text = kept;
	ps->window_ns = s->window_ns;
	ps->ramp_ns = s->ramp_ns;
	ps->interval_ns = s->interval_ns;
	ps->samples = (uint32_t)(s->window_ns / s->interval_ns);
	return 0;
}

const struct part steady_part = {
	.group = &steady_group,
	.rules = steady_rules,
	.rules_count = COUNT_OF(steady_rules),
	.derive = steady_derive,
};
