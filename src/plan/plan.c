/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Asking the parts: each worker, in order, gets its share from every part, in the order below.
 */
#include "plan/plan.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/err.h"
#include "base/log.h"
#include "base/str.h"
#include "plan/draft.h"

/* In the order of what they need of one another. */
static const struct part *const plan_parts[] = {
	&place_part, &process_part, &end_part, &time_part, &block_part,
	&pattern_part,             /* sizes (block), time_based (time)                 */
	&replay_part,              /* takes the place of the pattern                   */
	&queue_part,               /* directions (pattern)                             */
	&memory_part, &files_part, /* whether the engine has files (queue)             */
	&zones_part,               /* targets (files), blocks                          */
	&size_part,                /* targets (files), blocks, pattern, zones          */
	&open_part,                /* regions (size)                                   */
	&layout_part,              /* create_on_open (open)                            */
	&rate_part, &sync_part,    /* whether anything is done at all (size, layout)   */
	&data_part, &verify_part,  /* engine (queue), regions, data                    */
	&verify_state_part,        /* what is stamped (verify)                         */
	&latency_part,             /* depth (queue)                                    */
	&measure_part,             /* schedule (rate), depth (queue), goal (latency)   */
	&steady_part,              /* latencies (measure)                              */
	&flow_part, &log_part,     /* what is measured (measure), sizes, regions       */
};

/* ---- draft ---- */

void *draft_alloc(struct draft *d, size_t count, size_t size, struct err *reterr)
{
	void *out = arena_array(&d->plan->arena, count, size);
	if (!out)
		err_set(reterr, -ENOMEM, "out of memory for the plan (%zu things of %zu bytes)",
			count, size);
	return out;
}

uint32_t draft_clones(const struct draft *d, const struct plan_worker *w)
{
	size_t next = (size_t)(w->job - d->plan->jobs->jobs) + 1;
	uint32_t end = next < d->plan->jobs->count ? d->first_worker[next]
						   : d->plan->workers_count;
	return end - draft_first(d, w)->index;
}

int draft_note(struct draft *d, const struct plan_worker *w, bool warning, const char *text,
	struct err *reterr)
{
	struct plan_note *notes = arena_longer(&d->plan->arena, d->notes, d->notes_count,
		sizeof(*notes));
	const char *copy = arena_text(&d->plan->arena, text);

	if (notes)
		d->notes = notes;
	if (!notes || !copy)
		return err_set(reterr, -ENOMEM, "out of memory for the plan's notes");
	d->notes[d->notes_count++] = (struct plan_note){
		.job = w->job,
		.text = copy,
		.warning = warning,
		.workers = draft_clones(d, w),
	};
	return 0;
}

int draft_remark(struct draft *d, const struct plan_worker *w, const char *option, bool warning,
	const char *text, struct err *reterr)
{
	struct err placed;

	job_fail(w->job, option, &placed, 0, "%s", text);
	if (warning)
		return draft_note(d, w, true, placed.text, reterr);
	struct str note = {0};
	str_addf(&note, "note: %s", placed.text);
	int rc = draft_note(d, w, false, str_text(&note), reterr);
	str_done(&note);
	return rc;
}

/* ---- rules and derivation ---- */

static int plan_rule(struct draft *d, const struct plan_worker *w, const struct rule *rule,
	const void *block, struct err *reterr)
{
	struct str why = {0};
	int rc = 0;

	if (!rule->broken(d, w, block, &why)) {
		str_done(&why);
		return 0;
	}
	if (rule->weight == RULE_ERROR)
		rc = job_fail(w->job, rule->option, reterr, -EINVAL, "%s", str_text(&why));
	else
		rc = draft_remark(d, w, rule->option, rule->weight == RULE_WARNING,
			str_text(&why), reterr);
	str_done(&why);
	return rc;
}

static int plan_worker_make(struct draft *d, struct plan_worker *w, struct err *reterr)
{
	for (size_t i = 0; i < COUNT_OF(plan_parts); i++) {
		const struct part *part = plan_parts[i];
		const void *block = job_block(w->job, part->group);

		for (size_t k = 0; k < part->rules_count && draft_is_first(d, w); k++) {
			int rc = plan_rule(d, w, &part->rules[k], block, reterr);
			if (rc < 0)
				return rc;
		}
		int rc = part->derive(d, w, block, reterr);
		if (rc < 0)
			return rc;
	}
	return 0;
}

static int plan_fill(struct draft *d, struct err *reterr)
{
	int rc = crew_muster(d, reterr);

	for (size_t i = 0; i < COUNT_OF(plan_parts) && rc == 0; i++)
		if (plan_parts[i]->prepare)
			rc = plan_parts[i]->prepare(d, reterr);
	for (uint32_t i = 0; i < d->plan->workers_count && rc == 0; i++)
		rc = plan_worker_make(d, &d->plan->workers[i], reterr);
	if (rc == 0)
		rc = verify_units(d, reterr);
	if (rc == 0)
		rc = verify_states(d, reterr);
	if (rc == 0)
		rc = targets_keep(d->targets, d->plan, reterr);
	if (rc < 0)
		return rc;
	d->plan->notes = d->notes;
	d->plan->notes_count = d->notes_count;
	return cost_estimate(d->plan, d->facts->page_bytes, reterr);
}

/* The plan lives in its own arena, so that sealing covers it, too; shared, as
 * thousands of workers may be forked that read it. */
static struct plan *plan_new(const struct job_set *jobs)
{
	struct arena arena = {.shared = true};
	struct plan *plan = arena_alloc(&arena, sizeof(*plan));

	if (!plan)
		return NULL;
	*plan = (struct plan){.arena = arena, .jobs = jobs};
	return plan;
}

int plan_make(const struct job_set *jobs, const struct plan_facts *facts, struct plan **ret,
	struct err *reterr)
{
	if (!jobs->count)
		return err_set(reterr, -EINVAL,
			"no jobs are defined; give --name=NAME or a job file");

	struct plan *plan = plan_new(jobs);
	struct draft d = {.plan = plan, .facts = facts, .targets = targets_new()};
	int rc = -ENOMEM;

	if (plan && d.targets)
		rc = plan_fill(&d, reterr);
	else
		err_set(reterr, rc, "out of memory for the plan");
	targets_free(d.targets);
	trace_names_done(&d.iologs);
	free(d.iologs_by);
	if (rc < 0) {
		plan_free(plan);
		return rc;
	}
	log_debug(LOG_PLAN, "%u workers, %u waves, %u rows, %u targets, %zu bytes of plan",
		plan->workers_count, plan->waves_count, plan->rows_count, plan->targets_count,
		plan->arena.used);
#ifndef NDEBUG
	arena_seal(&plan->arena);
#endif
	*ret = plan;
	return 0;
}

void plan_free(struct plan *plan)
{
	if (!plan)
		return;
	struct arena arena = plan->arena; /* the plan is in it, and may be sealed */
	corpora_close(plan);
	arena_done(&arena);
}
