/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* When a worker starts, what it leaves out at first, and how long it may take. */
#include <errno.h>
#include <time.h>

#include "base/bits.h"
#include "base/err.h"
#include "base/rng.h"
#include "base/str.h"
#include "plan/draft.h"

struct times {
	uint64_t runtime_ns;
	bool time_based;
	struct opt_range startdelay_ns;
	uint64_t ramp_ns;
	uint64_t ramp_bytes;
	int clocksource;
	int32_t start_clock;
	uint32_t gtod_cpu;
};

static const struct opt_word time_clocks[] = {
	{"clock_gettime", CLOCK_SYSTEM, "the kernel's clock_gettime()"},
	{"gettimeofday", CLOCK_SYSTEM, "the same: weir has no coarser clock"},
	{"cpu", CLOCK_TSC, "the CPU's time stamp counter; refused where it can't be trusted"},
	{0},
};

static const struct opt time_rows[] = {
	{.name = "runtime",
		.alias = {"timeout"},
		OPT_TIME_S(struct times, runtime_ns),
		.help = "Stop after this time, counted from the job's start and after its ramp"},
	{.name = "time_based",
		OPT_FLAG(struct times, time_based),
		.help = "Repeat the pattern until runtime has passed, whatever size and loops say"},
	{.name = "startdelay",
		OPT_TIME_RANGE_S(struct times, startdelay_ns),
		.help = "Start so long after the program; of a range, each worker draws a time"},
	{.name = "ramp_time",
		OPT_TIME_S(struct times, ramp_ns),
		.help = "Run so long before anything is measured"},
	{.name = "ramp_size",
		OPT_BYTES(struct times, ramp_bytes),
		.help = "Move so many bytes before anything is measured"},
	{.name = "job_start_clock_id",
		OPT_I32(struct times, start_clock),
		.preset = "0",
		.help = "Clock of job_start in JSON, as a number of clock_gettime(); 0: the wall clock"},
	{.name = "gtod_cpu",
		OPT_U32(struct times, gtod_cpu),
		.help = "CPU that reads the clock for all",
		.no_effect =
			"weir's jobs read the clock themselves, in a few nanoseconds, and need no CPU for it"},
	{.name = "clocksource",
		OPT_WORD(struct times, clocksource),
		.words = time_clocks,
		.help = "Clock of all jobs; not given: the time stamp counter where it can be trusted"},
};

const struct opt_group time_group = {
	.name = "time",
	.rows = time_rows,
	.count = COUNT_OF(time_rows),
	.size = sizeof(struct times),
};

static bool time_endless(const struct draft *d, const struct plan_worker *w, const void *block,
	struct str *why)
{
	const struct times *t = block;

	(void)d;
	(void)w;
	if (!t->time_based || t->runtime_ns)
		return false;
	str_add(why, "without runtime= it has no effect: the job ends with its size");
	return true;
}

static bool time_ramp_twice(const struct draft *d, const struct plan_worker *w,
	const void *block, struct str *why)
{
	const struct times *t = block;

	(void)d;
	(void)w;
	if (!t->ramp_ns || !t->ramp_bytes)
		return false;
	str_add(why, "ramp_time and ramp_size are mutually exclusive; leave one of them out");
	return true;
}

static bool time_no_clock(const struct draft *d, const struct plan_worker *w, const void *block,
	struct str *why)
{
	const struct times *t = block;
	struct timespec ts;

	(void)d;
	(void)w;
	if (clock_gettime(t->start_clock, &ts) == 0)
		return false;
	str_addf(why, "there is no clock %d here; 0 is the wall clock, 1 the monotonic one",
		t->start_clock);
	return true;
}

static const struct rule time_rules[] = {
	{"ramp_size", RULE_ERROR, time_ramp_twice},
	{"job_start_clock_id", RULE_ERROR, time_no_clock},
	{"time_based", RULE_WARNING, time_endless},
};

static int time_derive(struct draft *d, struct plan_worker *w, const void *block,
	struct err *reterr)
{
	const struct times *t = block;
	const struct opt_range *delay = &t->startdelay_ns;

	(void)reterr;
	w->time.runtime_ns = t->runtime_ns;
	w->time.ramp_ns = t->ramp_ns;
	w->time.ramp_bytes = t->ramp_bytes;
	w->time.start_clock = t->start_clock;
	w->time.delay_ns = delay->lo;
	if (delay->hi > delay->lo) {
		struct rng rng;
		rng_init(&rng, draft_seed(d, w, SEED_DELAY));
		w->time.delay_ns += rng_below(&rng, delay->hi - delay->lo + 1);
	}
	w->amount.time_based = t->time_based && t->runtime_ns;
	if (job_gave(w->job, "clocksource"))
		d->plan->clock = (enum clock_want)t->clocksource;
	return 0;
}

const struct part time_part = {
	.group = &time_group,
	.rules = time_rules,
	.rules_count = COUNT_OF(time_rules),
	.derive = time_derive,
};
