/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Latencies that a job must keep. */
#include <errno.h>

#include "base/bits.h"
#include "base/str.h"
#include "plan/draft.h"

struct goals {
	uint64_t target_ns;
	uint64_t window_ns;
	double percent;
	bool run;
	struct opt_u64x3 max_ns;
};

static const struct opt latency_rows[] = {
	{.name = "latency_target",
		OPT_TIME_US(struct goals, target_ns),
		.help = "Find the largest depth up to iodepth at which requests keep this latency, and end"},
	{.name = "latency_window",
		OPT_TIME_US(struct goals, window_ns),
		.help = "Try each depth so long"},
	{.name = "latency_percentile",
		OPT_DOUBLE(struct goals, percent),
		.max = 100,
		.preset = "100",
		.help = "Percent of the requests that must keep it"},
	{.name = "latency_run",
		OPT_BOOL(struct goals, run),
		.preset = "0",
		.help = "Go on when the depth is found, and adjust it"},
	{.name = "max_latency",
		OPT_TIME_US3(struct goals, max_ns),
		.help = "Fail when a request takes longer"},
};

const struct opt_group latency_group = {
	.name = "latency",
	.rows = latency_rows,
	.count = COUNT_OF(latency_rows),
	.size = sizeof(struct goals),
};

static bool latency_no_window(const struct draft *d, const struct plan_worker *w,
	const void *block, struct str *why)
{
	const struct goals *g = block;

	(void)d;
	(void)w;
	if (!g->target_ns || g->window_ns)
		return false;
	str_add(why, "it needs latency_window, the time for which each depth is tried; say "
		     "latency_window=1s");
	return true;
}

static bool latency_alone(const struct draft *d, const struct plan_worker *w, const void *block,
	struct str *why)
{
	const struct goals *g = block;

	(void)d;
	(void)w;
	if (g->target_ns || !g->window_ns)
		return false;
	str_add(why, "it belongs to latency_target, which is not given: it has no effect");
	return true;
}

static bool latency_of_ramp(const struct draft *d, const struct plan_worker *w,
	const void *block, struct str *why)
{
	const struct goals *g = block;

	(void)d;
	if (!g->target_ns || !w->time.ramp_bytes)
		return false;
	str_add(why, "the search for the depth is the job's ramp; leave ramp_size out, or use "
		     "ramp_time");
	return true;
}

static const struct rule latency_rules[] = {
	{"latency_target", RULE_ERROR, latency_no_window},
	{"latency_target", RULE_ERROR, latency_of_ramp},
	{"latency_window", RULE_WARNING, latency_alone},
};

static int latency_derive(struct draft *d, struct plan_worker *w, const void *block,
	struct err *reterr)
{
	const struct goals *g = block;

	(void)d;
	(void)reterr;
	for (int i = 0; i < DIRS; i++)
		if (w->pattern.use[i])
			w->goal.max_ns[i] = g->max_ns.v[i];
	if (!g->target_ns)
		return 0;
	w->goal.target_ns = g->target_ns;
	w->goal.window_ns = g->window_ns;
	w->goal.percent = g->percent;
	w->goal.run_on = g->run;
	return 0;
}

const struct part latency_part = {
	.group = &latency_group,
	.rules = latency_rules,
	.rules_count = COUNT_OF(latency_rules),
	.derive = latency_derive,
};
