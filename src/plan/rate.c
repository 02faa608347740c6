/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* When requests are due, and pauses between them. */
#include <inttypes.h>

#include "base/bits.h"
#include "base/str.h"
#include "plan/draft.h"

struct rate {
	struct opt_u64x3 bytes;
	struct opt_u64x3 ios;
	int process;
	uint64_t think_ns;
	uint64_t spin_ns;
	uint32_t think_blocks;
	int think_type;
	uint64_t think_iotime_ns;
	uint64_t think_cycles;
	bool ignore_think;
	struct opt_u64x3 min_bytes;
	struct opt_u64x3 min_ios;
	uint64_t cycle_ns;
};

enum think_type {
	THINK_COMPLETE,
	THINK_ISSUE,
};

static const struct opt_word think_types[] = {
	{"complete", THINK_COMPLETE, "those that are done"},
	{"issue", THINK_ISSUE, "those that were issued"},
	{0},
};

static const struct opt_word rate_processes[] = {
	{"linear", ARRIVAL_LINEAR, "evenly spaced"},
	{"poisson", ARRIVAL_POISSON, "at random, independent of one another"},
	{0},
};

static const struct opt rate_rows[] = {
	{.name = "rate",
		OPT_BYTES3(struct rate, bytes),
		.help = "Bytes a second of each direction: a schedule, not a cap on averages"},
	{.name = "rate_iops",
		OPT_U64X3(struct rate, ios),
		.help = "Requests a second of each direction"},
	{.name = "rate_process",
		OPT_WORD(struct rate, process),
		.words = rate_processes,
		.preset = "linear",
		.help = "How the due times of requests are spaced"},
	{.name = "thinktime",
		OPT_TIME_US(struct rate, think_ns),
		.preset = "0",
		.help = "Pause so long after thinktime_blocks requests"},
	{.name = "thinktime_spin",
		OPT_TIME_US(struct rate, spin_ns),
		.preset = "0",
		.help = "Part of thinktime that keeps the CPU busy"},
	{.name = "thinktime_blocks",
		OPT_U32(struct rate, think_blocks),
		.preset = "1",
		.help = "Requests between two pauses"},
	{.name = "thinktime_blocks_type",
		OPT_WORD(struct rate, think_type),
		.words = think_types,
		.preset = "complete",
		.help = "What thinktime_blocks counts"},
	{.name = "thinktime_iotime",
		OPT_TIME_S(struct rate, think_iotime_ns),
		.help = "Pause after so much time of requests, not after a number of them"},
	{.name = "thinkcycles",
		OPT_U64(struct rate, think_cycles),
		.preset = "0",
		.help = "CPU cycles to burn after each request"},
	{.name = "rate_ignore_thinktime",
		OPT_BOOL(struct rate, ignore_think),
		.preset = "0",
		.help = "Move the schedule by each pause, and don't catch up after it"},
	{.name = "rate_min",
		.alias = {"ratemin"},
		OPT_BYTES3(struct rate, min_bytes),
		.help = "Bytes a second below which the job fails"},
	{.name = "rate_iops_min",
		OPT_U64X3(struct rate, min_ios),
		.help = "Requests a second below which the job fails"},
	{.name = "rate_cycle",
		.alias = {"ratecycle"},
		OPT_TIME_MS(struct rate, cycle_ns),
		.min = NS_PER_MS,
		.preset = "1000",
		.help = "Window in which rate_min and rate_iops_min are judged"},
};

const struct opt_group rate_group = {
	.name = "rate",
	.rows = rate_rows,
	.count = COUNT_OF(rate_rows),
	.size = sizeof(struct rate),
};

static bool rate_any(const struct opt_u64x3 *rate)
{
	return rate->v[DIR_READ] || rate->v[DIR_WRITE] || rate->v[DIR_TRIM];
}

static bool rate_twice(const struct draft *d, const struct plan_worker *w, const void *block,
	struct str *why)
{
	const struct rate *r = block;

	(void)d;
	(void)w;
	if (!rate_any(&r->bytes) || !rate_any(&r->ios))
		return false;
	str_add(why, "rate and rate_iops are mutually exclusive; leave one of them out");
	return true;
}

static bool rate_spin_alone(const struct draft *d, const struct plan_worker *w,
	const void *block, struct str *why)
{
	const struct rate *r = block;

	(void)d;
	(void)w;
	if (!r->spin_ns || r->think_ns)
		return false;
	str_add(why, "it is part of thinktime, which is not given: there are no pauses");
	return true;
}

static bool rate_min_twice(const struct draft *d, const struct plan_worker *w,
	const void *block, struct str *why)
{
	const struct rate *r = block;

	(void)d;
	(void)w;
	if (!rate_any(&r->min_bytes) || !rate_any(&r->min_ios))
		return false;
	str_add(why,
		"rate_min and rate_iops_min are mutually exclusive; leave one of them out");
	return true;
}

static bool rate_min_above(const struct opt_u64x3 *min, const struct opt_u64x3 *rate,
	const char *name, struct str *why)
{
	for (int i = 0; i < DIRS; i++) {
		if (!rate->v[i] || min->v[i] <= rate->v[i])
			continue;
		str_addf(why,
			"the minimum rate %" PRIu64 " exceeds the rate for %ss, %s=%" PRIu64
			": the job could only fail; lower it",
			min->v[i], dir_name((enum dir)i), name, rate->v[i]);
		return true;
	}
	return false;
}

static bool rate_min_bytes_above(const struct draft *d, const struct plan_worker *w,
	const void *block, struct str *why)
{
	const struct rate *r = block;

	(void)d;
	(void)w;
	return rate_min_above(&r->min_bytes, &r->bytes, "rate", why);
}

static bool rate_min_ios_above(const struct draft *d, const struct plan_worker *w,
	const void *block, struct str *why)
{
	const struct rate *r = block;

	(void)d;
	(void)w;
	return rate_min_above(&r->min_ios, &r->ios, "rate_iops", why);
}

static bool rate_iotime_alone(const struct draft *d, const struct plan_worker *w,
	const void *block, struct str *why)
{
	const struct rate *r = block;

	(void)d;
	(void)w;
	if (!r->think_iotime_ns || r->think_ns)
		return false;
	str_add(why, "it says when thinktime begins, which is not given: there are no pauses");
	return true;
}

static const struct rule rate_rules[] = {
	{"rate_iops", RULE_ERROR, rate_twice},
	{"rate_iops_min", RULE_ERROR, rate_min_twice},
	{"rate_min", RULE_ERROR, rate_min_bytes_above},
	{"rate_iops_min", RULE_ERROR, rate_min_ios_above},
	{"thinktime_spin", RULE_WARNING, rate_spin_alone},
	{"thinktime_iotime", RULE_WARNING, rate_iotime_alone},
};

/* The schedule of one direction.  As fio documents it, rate_iops counts the
 * smallest block of a range; with one size or a split it counts requests. */
static struct arrival_spec rate_arrival(const struct rate *r, const struct size_spec *size,
	int dir)
{
	struct arrival_spec spec = {.process = (enum arrival_process)r->process};

	if (r->bytes.v[dir]) {
		spec.per_second = r->bytes.v[dir];
		spec.bytes = true;
	} else if (r->ios.v[dir]) {
		spec.per_second = r->ios.v[dir];
		if (!size->splits_count && size->min < size->max) {
			spec.per_second = mul_div(r->ios.v[dir], size->min, 1);
			spec.bytes = true;
		}
	}
	return spec;
}

/* Requests a second at most. */
static uint64_t rate_requests(const struct arrival_spec *spec, const struct size_spec *size)
{
	return spec->bytes ? spec->per_second / size->min : spec->per_second;
}

/* From so many arrivals a second on, waking for each would cost more than the
 * 10 us by which a few are late (docs/internals/time.md). */
#define RATE_FAST       50000
#define RATE_QUANTUM_NS (10 * NS_PER_US)

/* thinktime_iotime alone takes the place of thinktime_blocks; given both, whichever
 * comes first begins a pause. */
static void rate_think(struct plan_worker *w, const struct rate *r)
{
	struct plan_rate *pr = &w->rate;

	pr->think_cycles = r->think_cycles;
	pr->think_ns = r->think_ns;
	if (!r->think_ns)
		return;
	pr->think_spin_ns = MIN_OF(r->spin_ns, r->think_ns);
	pr->think_every_ns = r->think_iotime_ns;
	pr->think_issued = r->think_type == THINK_ISSUE;
	pr->think_shifts = r->ignore_think;
	if (!r->think_iotime_ns || job_gave(w->job, "thinktime_blocks"))
		pr->think_blocks = MAX_OF(r->think_blocks, 1u);
}

static void rate_floors(struct plan_worker *w, const struct rate *r)
{
	for (int i = 0; i < DIRS; i++) {
		bool bytes = r->min_bytes.v[i] > 0;
		uint64_t least = bytes ? r->min_bytes.v[i] : r->min_ios.v[i];
		if (!least || !pattern_moves(&w->pattern, (enum dir)i))
			continue;
		w->rate.floor[i] = (struct plan_floor){.per_second = least, .bytes = bytes};
		w->rate.floor_ns = r->cycle_ns;
	}
}

/* A trace has its own times. */
static void rate_replay(struct plan_worker *w)
{
	double requests = 0;

	for (int i = 0; i < DIRS; i++)
		requests += w->replay.per_second[i];
	w->rate.any = w->replay.timed;
	w->rate.quantum_ns = w->replay.timed && requests >= RATE_FAST ? RATE_QUANTUM_NS : 0;
}

static int rate_derive(struct draft *d, struct plan_worker *w, const void *block,
	struct err *reterr)
{
	const struct rate *r = block;
	uint64_t requests = 0;

	(void)reterr;
	if (replay_on(w)) {
		rate_replay(w);
		return 0;
	}
	for (int i = 0; i < DIRS; i++) {
		if (!pattern_moves(&w->pattern, (enum dir)i))
			continue; /* a rate makes no requests of a direction without any */
		struct arrival_spec spec = rate_arrival(r, &w->pattern.size[i], i);
		if (!spec.per_second)
			continue;
		spec.seed = draft_seed(d, w, SEED_ARRIVAL + (unsigned)i);
		w->rate.arrival[i] = spec;
		w->rate.any = true;
		requests += rate_requests(&spec, &w->pattern.size[i]);
	}
	w->rate.quantum_ns = requests >= RATE_FAST ? RATE_QUANTUM_NS : 0;
	rate_think(w, r);
	rate_floors(w, r);
	return 0;
}

const struct part rate_part = {
	.group = &rate_group,
	.rules = rate_rules,
	.rules_count = COUNT_OF(rate_rules),
	.derive = rate_derive,
};
