/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Where a worker runs: CPUs and priority. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/err.h"
#include "base/str.h"
#include "plan/draft.h"
#include "sys/numa.h"

enum place_sharing {
	PLACE_SHARED,
	PLACE_SPLIT,
};

struct place {
	struct opt_cpus cpus;
	int policy;
	int32_t nice;
	uint64_t numa_cpus; /* nodes, a bit each */
	struct place_policy {
		int mode; /* enum numa_mode */
		uint64_t nodes;
		bool given;
	} memory;
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

/* ---- memory nodes ---- */

/* "0,2-3" or "all" (every bit) */
static int nodes_read(const char *text, uint64_t *ret, struct err *reterr)
{
	uint64_t nodes = 0;

	if (!strcmp(text, "all")) {
		*ret = UINT64_MAX;
		return 0;
	}
	for (const char *p = text;;) {
		char *end;
		unsigned long from = strtoul(p, &end, 10), to = from;
		bool digit = end != p && *p >= '0' && *p <= '9';
		if (digit && *end == '-') {
			p = end + 1;
			to = strtoul(p, &end, 10);
			digit = end != p && *p >= '0' && *p <= '9';
		}
		if (!digit || to < from || to >= NUMA_NODES || (*end && *end != ','))
			return err_set(reterr, -EINVAL,
				"'%s' is no list of memory nodes from 0 to %d; write 0, 0,2 or 0-3, or all",
				text, NUMA_NODES - 1);
		nodes |= (UINT64_MAX >> (63 - to)) & (UINT64_MAX << from);
		if (!*end)
			break;
		p = end + 1;
	}
	*ret = nodes;
	return 0;
}

static void nodes_print(uint64_t nodes, struct str *out)
{
	const char *comma = "";

	if (nodes == UINT64_MAX) {
		str_add(out, "all");
		return;
	}
	for (unsigned i = 0; i < NUMA_NODES; i++) {
		if (!(nodes >> i & 1))
			continue;
		str_addf(out, "%s%u", comma, i);
		comma = ",";
	}
}

static int nodes_parse(const struct opt *o, const char *text, void *dst,
	const struct opt_ctx *ctx, struct err *reterr)
{
	(void)o;
	(void)ctx;
	return nodes_read(text, dst, reterr);
}

static void nodes_show(const struct opt *o, const void *src, struct str *out)
{
	(void)o;
	if (*(const uint64_t *)src)
		nodes_print(*(const uint64_t *)src, out);
}

static const struct opt_type place_nodes = {
	.name = "memory nodes",
	.size = sizeof(uint64_t),
	.parse = nodes_parse,
	.print = nodes_show,
};

static const struct {
	const char *word;
	enum numa_mode mode;
} place_modes[] = {
	{"default", NUMA_DEFAULT},
	{"prefer", NUMA_PREFER},
	{"bind", NUMA_BIND},
	{"interleave", NUMA_INTERLEAVE},
	{"local", NUMA_LOCAL},
};

/* What nodes go with a mode: one with prefer, some with bind, none with default and
 * local, and interleave alone is over all. */
static int policy_check(enum numa_mode mode, const char *word, bool listed, uint64_t nodes,
	struct err *reterr)
{
	if (mode == NUMA_PREFER && (!listed || !bits_is_power_of_2(nodes)))
		return err_set(reterr, -EINVAL, "prefer wants one node; write prefer:0, say");
	if (mode == NUMA_BIND && !listed)
		return err_set(reterr, -EINVAL,
			"bind wants nodes; write bind:0 or bind:0-1, say");
	if (listed && (mode == NUMA_DEFAULT || mode == NUMA_LOCAL))
		return err_set(reterr, -EINVAL, "%s has no nodes; leave them out", word);
	return 0;
}

static int policy_parse(const struct opt *o, const char *text, void *dst,
	const struct opt_ctx *ctx, struct err *reterr)
{
	size_t len = strcspn(text, ":");
	struct place_policy p = {.given = true};
	size_t i = 0;

	(void)o;
	(void)ctx;
	while (i < COUNT_OF(place_modes) &&
		(strlen(place_modes[i].word) != len || memcmp(place_modes[i].word, text, len)))
		i++;
	if (i == COUNT_OF(place_modes))
		return err_set(reterr, -EINVAL,
			"'%.*s' is no policy; they are default, local, prefer:NODE, bind:NODES and "
			"interleave[:NODES]",
			(int)len, text);
	bool listed = text[len] == ':';
	int rc = listed ? nodes_read(text + len + 1, &p.nodes, reterr) : 0;
	p.mode = place_modes[i].mode;
	if (p.mode == NUMA_INTERLEAVE && !listed)
		p.nodes = UINT64_MAX;
	if (rc == 0)
		rc = policy_check(place_modes[i].mode, place_modes[i].word, listed, p.nodes,
			reterr);
	if (rc == 0)
		*(struct place_policy *)dst = p;
	return rc;
}

static void policy_print(const struct opt *o, const void *src, struct str *out)
{
	const struct place_policy *p = src;

	(void)o;
	if (!p->given)
		return;
	str_add(out, place_modes[p->mode].word);
	if (p->nodes) {
		str_add_char(out, ':');
		nodes_print(p->nodes, out);
	}
}

static const struct opt_type place_memory = {
	.name = "mode[:nodes]",
	.size = sizeof(struct place_policy),
	.parse = policy_parse,
	.print = policy_print,
};

#define PLACE_NODES(s, f)  OPT_AS(s, f, uint64_t, place_nodes)
#define PLACE_MEMORY(s, f) OPT_AS(s, f, struct place_policy, place_memory)
#define PLACE_MASK(s, f)   OPT_AS(s, f, struct opt_cpus, place_mask)

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
	{.name = "numa_cpu_nodes",
		PLACE_NODES(struct place, numa_cpus),
		.help = "Memory nodes on whose CPUs the job may run: 0,2-3, all"},
	{.name = "numa_mem_policy",
		PLACE_MEMORY(struct place, memory),
		.help = "Where the job's memory comes from: local, prefer:0, bind:0-1, interleave"},
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

/* The first of NODES that this machine doesn't have; all of them are fine. */
static bool place_no_node(const struct draft *d, uint64_t nodes, struct str *why)
{
	uint64_t missing = nodes & ~d->facts->nodes;

	if (!d->facts->nodes || nodes == UINT64_MAX || !missing)
		return false;
	str_addf(why, "there is no memory node %d here; there is ", __builtin_ctzll(missing));
	nodes_print(d->facts->nodes, why);
	return true;
}

static bool place_no_cpu_node(const struct draft *d, const struct plan_worker *w,
	const void *block, struct str *why)
{
	(void)w;
	return place_no_node(d, ((const struct place *)block)->numa_cpus, why);
}

static bool place_no_memory_node(const struct draft *d, const struct plan_worker *w,
	const void *block, struct str *why)
{
	(void)w;
	return place_no_node(d, ((const struct place *)block)->memory.nodes, why);
}

static const struct rule place_rules[] = {
	{"numa_cpu_nodes", RULE_ERROR, place_no_cpu_node},
	{"numa_mem_policy", RULE_ERROR, place_no_memory_node},
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

/* All of them are those that there are. */
static uint64_t place_nodes_here(const struct draft *d, uint64_t nodes)
{
	return nodes == UINT64_MAX && d->facts->nodes ? d->facts->nodes : nodes;
}

static int place_derive(struct draft *d, struct plan_worker *w, const void *block,
	struct err *reterr)
{
	const struct place *place = block;

	(void)reterr;
	w->place.numa_cpus = place_nodes_here(d, place->numa_cpus);
	w->place.numa_given = place->memory.given;
	w->place.numa_mode = place->memory.mode;
	w->place.numa_nodes = place_nodes_here(d, place->memory.nodes);
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
