/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Where a worker runs: CPUs and priority. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "base/bits.h"
#include "base/err.h"
#include "base/str.h"
#include "plan/draft.h"

enum place_policy {
	PLACE_SHARED,
	PLACE_SPLIT,
};

struct place {
	struct opt_cpus cpus;
	int policy;
	int32_t nice;
};

static const struct opt_word place_policies[] = {
	{"shared", PLACE_SHARED, "every worker may use all of them"},
	{"split", PLACE_SPLIT, "one CPU a worker, in turn"},
	{0},
};

/* cpumask: the same set, typed as a number. */
static int mask_parse(const struct opt *o, const char *text, void *dst,
	const struct opt_ctx *ctx, struct err *reterr)
{
	struct opt_cpus *cpus = dst;
	uint64_t mask;

	(void)o;
	(void)ctx;
	int rc = opt_read_u64(text, &mask, reterr);
	if (rc < 0)
		return rc;
	if (!mask)
		return err_set(reterr, -EINVAL, "a mask without a bit allows no CPU");
	*cpus = (struct opt_cpus){
		.bits = {mask}, .count = (uint32_t)__builtin_popcountll(mask)};
	return 0;
}

static void mask_print(const struct opt *o, const void *src, struct str *out)
{
	const struct opt_cpus *cpus = src;

	(void)o;
	if (cpus->count)
		str_addf(out, "0x%" PRIx64, cpus->bits[0]);
}

static const struct opt_type place_mask = {
	.name = "bit mask of CPUs",
	.size = sizeof(struct opt_cpus),
	.parse = mask_parse,
	.print = mask_print,
};

#define PLACE_MASK(s, f) OPT_AS(s, f, struct opt_cpus, place_mask)

static const struct opt place_rows[] = {
	{.name = "cpus_allowed",
		OPT_CPUS(struct place, cpus),
		.help = "CPUs that the job may run on: 0,2,4-7"},
	{.name = "cpumask",
		PLACE_MASK(struct place, cpus),
		.help = "The same as a bit mask; the last of the two wins"},
	{.name = "cpus_allowed_policy",
		OPT_WORD(struct place, policy),
		.words = place_policies,
		.preset = "shared",
		.help = "How several workers use the CPUs allowed"},
	{.name = "nice",
		OPT_I32(struct place, nice),
		.min = (uint64_t)-20,
		.max = 19,
		.preset = "0",
		.help = "Scheduling priority, from -20 (most) to 19 (least)"},
};

const struct opt_group place_group = {
	.name = "place",
	.rows = place_rows,
	.count = COUNT_OF(place_rows),
	.size = sizeof(struct place),
};

static int place_highest(const struct opt_cpus *cpus)
{
	for (int i = LIMIT_CPUS / 64 - 1; i >= 0; i--)
		if (cpus->bits[i])
			return i * 64 + (int)bits_top(cpus->bits[i]);
	return -1;
}

static bool place_beyond(const struct draft *d, const struct plan_worker *w, const void *block,
	struct str *why)
{
	const struct place *place = block;
	int highest = place_highest(&place->cpus);

	(void)w;
	if (!d->facts->cpus || highest < (int)d->facts->cpus)
		return false;
	str_addf(why, "there is no CPU %d; this machine has 0 to %u", highest,
		d->facts->cpus - 1);
	return true;
}

static const struct rule place_rules[] = {
	{"cpus_allowed", RULE_ERROR, place_beyond},
};

/* Only the K-th CPU of the set, K counted round. */
static struct opt_cpus place_pick(const struct opt_cpus *cpus, uint32_t k)
{
	struct opt_cpus one = {.count = 1};

	k %= cpus->count;
	for (unsigned cpu = 0; cpu < LIMIT_CPUS; cpu++) {
		if (!(cpus->bits[cpu / 64] >> cpu % 64 & 1) || k--)
			continue;
		one.bits[cpu / 64] = UINT64_C(1) << cpu % 64;
		break;
	}
	return one;
}

static int place_derive(struct draft *d, struct plan_worker *w, const void *block,
	struct err *reterr)
{
	const struct place *place = block;

	(void)d;
	(void)reterr;
	w->place.cpus = place->cpus;
	w->place.split = place->cpus.count && place->policy == PLACE_SPLIT;
	if (w->place.split)
		w->place.cpus = place_pick(&place->cpus, w->index);
	w->place.nice = place->nice;
	w->place.nice_given = job_gave(w->job, "nice");
	return 0;
}

const struct part place_part = {
	.group = &place_group,
	.rules = place_rules,
	.rules_count = COUNT_OF(place_rules),
	.derive = place_derive,
};
