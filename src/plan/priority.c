/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Priorities of single requests: from the engine's cmdprio_* to a ready table. */
#include <errno.h>

#include "base/bits.h"
#include "base/err.h"
#include "engine/cmdprio.h"
#include "plan/draft.h"
#include "result/style.h"
#include "sys/ioprio.h"

static int priority_value_add(struct plan_worker *w, uint16_t value, struct err *reterr)
{
	struct priority_spec *s = &w->priority;

	for (uint32_t i = 0; i < s->values_count; i++)
		if (s->values[i] == value)
			return 0;
	if (s->values_count == PRIORITY_MAX)
		return job_fail(w->job, "cmdprio_bssplit", reterr, -E2BIG,
			"there are more than %d different priorities", PRIORITY_MAX);
	s->values[s->values_count++] = value;
	return 0;
}

static int priority_rule_add(struct plan_worker *w, struct priority_rule *rules, int dir,
	const struct cmdprio_opts *o, const struct cmdprio_entry *e, struct err *reterr)
{
	unsigned class = e->class >= 0 ? (unsigned)e->class : (unsigned)o->class.v[dir];
	unsigned level = e->level >= 0 ? (unsigned)e->level : (unsigned)o->level.v[dir];
	unsigned hint = e->hint >= 0 ? (unsigned)e->hint : (unsigned)o->hint.v[dir];

	if (!e->percent)
		return 0;
	struct priority_rule *r = &rules[w->priority.rules_count[dir]++];
	*r = (struct priority_rule){
		.bytes = (uint32_t)e->bytes,
		.value = ioprio_value(class, level, hint),
		.share = ((uint64_t)e->percent << 32) / 100,
	};
	return priority_value_add(w, r->value, reterr);
}

static int priority_rules(struct draft *d, struct plan_worker *w, const struct cmdprio_opts *o,
	int dir, struct err *reterr)
{
	const struct cmdprio_split *split = &o->split;
	const struct cmdprio_entry all = {.percent = (uint32_t)o->percentage.v[dir],
		.class = -1,
		.level = -1,
		.hint = -1};
	const struct cmdprio_entry *v = split->count[dir] ? split->v[dir] : &all;
	uint32_t n = split->count[dir] ? split->count[dir] : 1;
	struct priority_rule *rules = draft_alloc(d, n, sizeof(*rules), reterr);
	int rc = rules ? 0 : -ENOMEM;

	for (uint32_t i = 0; i < n && rc == 0; i++)
		rc = priority_rule_add(w, rules, dir, o, &v[i], reterr);
	w->priority.rules[dir] = rules;
	w->priority.any |= w->priority.rules_count[dir] != 0;
	return rc;
}

int priority_derive(struct draft *d, struct plan_worker *w, struct err *reterr)
{
	const struct engine *e = engine_chain_base(&w->queue.chain);
	const char *block = w->queue.opts[w->queue.chain.count - 1];

	w->priority = (struct priority_spec){.values_count = 1};
	if (!e->prio_opts || !block)
		return 0;
	const struct cmdprio_opts *o = (const void *)(block + e->prio_opts - 1);
	bool percent = o->percentage.v[DIR_READ] || o->percentage.v[DIR_WRITE];
	if (percent && o->split.count[0])
		return job_fail(w->job, "cmdprio_bssplit", reterr, -EINVAL,
			"cmdprio_percentage says it for all sizes already; give one of the two");
	for (int dir = DIR_READ; dir <= DIR_WRITE; dir++) {
		int rc = w->pattern.use[dir] ? priority_rules(d, w, o, dir, reterr) : 0;
		if (rc < 0)
			return rc;
	}
	w->priority.seed = draft_seed(d, w, SEED_PRIORITY);
	w->measure.by_priority = w->priority.any && w->measure.clat;
	w->measure.priority_of_lat = w->measure.lat && w->measure.style->lat_percentiles;
	return 0;
}
