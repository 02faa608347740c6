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

static const struct rule rate_rules[] = {
	{"rate_iops", RULE_ERROR, rate_twice},
	{"thinktime_spin", RULE_WARNING, rate_spin_alone},
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
 * 10 us by which a few are late (DESIGN.md, 4). */
#define RATE_FAST       50000
#define RATE_QUANTUM_NS (10 * NS_PER_US)

static int rate_derive(struct draft *d, struct plan_worker *w, const void *block,
	struct err *reterr)
{
	const struct rate *r = block;
	uint64_t requests = 0;

	(void)reterr;
	for (int i = 0; i < DIRS; i++) {
		if (!w->pattern.use[i])
			continue;
		struct arrival_spec spec = rate_arrival(r, &w->pattern.size[i], i);
		if (!spec.per_second)
			continue;
		spec.seed = draft_seed(d, w, SEED_ARRIVAL + (unsigned)i);
		w->rate.arrival[i] = spec;
		w->rate.any = true;
		requests += rate_requests(&spec, &w->pattern.size[i]);
	}
	w->rate.quantum_ns = requests >= RATE_FAST ? RATE_QUANTUM_NS : 0;
	w->rate.think_ns = r->think_ns;
	w->rate.think_spin_ns = MIN_OF(r->spin_ns, r->think_ns);
	w->rate.think_blocks = r->think_ns ? MAX_OF(r->think_blocks, 1u) : 0;
	return 0;
}

const struct part rate_part = {
	.group = &rate_group,
	.rules = rate_rules,
	.rules_count = COUNT_OF(rate_rules),
	.derive = rate_derive,
};
