/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Who works: names, clones, threads, groups, waves, report rows. */
#include <errno.h>

#include "base/bits.h"
#include "base/err.h"
#include "plan/draft.h"

struct crew {
	const char *name; /* job->name has it; the row makes it known */
	const char *description;
	uint32_t numjobs;
	bool thread;
	bool group_reporting;
	bool new_group;
	bool stonewall;
};

static const struct opt crew_rows[] = {
	{.name = "name",
		OPT_TEXT(struct crew, name),
		.flags = OPT_NO_INHERIT,
		.help = "Label of the job in reports; on the command line it begins a job"},
	{.name = "description",
		OPT_TEXT(struct crew, description),
		.help = "Free text that reports repeat"},
	{.name = "numjobs",
		OPT_U32(struct crew, numjobs),
		.min = 1,
		.max = LIMIT_JOBS,
		.preset = "1",
		.help = "Run so many clones of the job"},
	{.name = "thread",
		OPT_FLAG(struct crew, thread),
		.help = "Run the job as a thread of a shared process, not as a process of its own"},
	{.name = "group_reporting",
		OPT_FLAG(struct crew, group_reporting),
		.help = "Report the job together with the one before it in the same group"},
	{.name = "new_group",
		OPT_FLAG(struct crew, new_group),
		.help = "Begin a new reporting group, without waiting"},
	{.name = "stonewall",
		.alias = {"wait_for_previous"},
		OPT_FLAG(struct crew, stonewall),
		.help = "Wait until all jobs before it have ended, and begin a new group"},
};

const struct opt_group crew_group = {
	.name = "crew",
	.rows = crew_rows,
	.count = COUNT_OF(crew_rows),
	.size = sizeof(struct crew),
};

static const struct crew *crew_of(const struct job *job)
{
	return job_block(job, &crew_group);
}

/* How many workers; the first worker of each job. */
static int crew_count(struct draft *d, struct err *reterr)
{
	const struct job_set *jobs = d->plan->jobs;
	uint64_t total = 0;

	for (size_t i = 0; i < jobs->count; i++) {
		d->first_worker[i] = (uint32_t)total;
		total += crew_of(&jobs->jobs[i])->numjobs;
		if (total > LIMIT_JOBS)
			return job_fail(&jobs->jobs[i], "numjobs", reterr, -E2BIG,
				"with this job the run has more than %d workers; ask for fewer clones",
				LIMIT_JOBS);
	}
	d->plan->workers_count = (uint32_t)total;
	return 0;
}

/* The order of clones is fio's: 0, then from the last down to 1. */
static uint32_t crew_clone(uint32_t k, uint32_t clones)
{
	return k ? clones - k : 0;
}

static void crew_enlist(struct draft *d)
{
	struct plan *plan = d->plan;
	uint32_t group = 0, wave = 0, index = 0;

	for (size_t i = 0; i < plan->jobs->count; i++) {
		const struct job *job = &plan->jobs->jobs[i];
		const struct crew *crew = crew_of(job);
		bool wall = crew->stonewall || job->stonewalled;

		/* A group or wave that nobody is in yet needs no other. */
		if (index && (wall || crew->new_group))
			group++;
		if (index && wall)
			wave++;
		for (uint32_t k = 0; k < crew->numjobs; k++, index++)
			plan->workers[index] = (struct plan_worker){
				.index = index,
				.clone = crew_clone(k, crew->numjobs),
				.job = job,
				.name = job->name,
				.description = crew->description,
				.group = group,
				.wave = wave,
				.thread = crew->thread,
			};
	}
	plan->groups_count = index ? group + 1 : 0;
	plan->waves_count = index ? wave + 1 : 0;
}

/* With group_reporting a worker joins the row of the one before it in the same
 * group, whether that one asked for it or not. */
static void crew_rows_make(struct plan *plan)
{
	for (uint32_t i = 0; i < plan->workers_count; i++) {
		struct plan_worker *w = &plan->workers[i];
		bool joins = i && crew_of(w->job)->group_reporting && w[-1].group == w->group;

		if (!joins)
			plan->rows[plan->rows_count++] = (struct plan_row){
				.first_worker = i, .group = w->group};
		w->row = plan->rows_count - 1;
		plan->rows[w->row].workers++;
	}
}

int crew_muster(struct draft *d, struct err *reterr)
{
	struct plan *plan = d->plan;

	d->first_worker = draft_alloc(d, plan->jobs->count, sizeof(*d->first_worker), reterr);
	if (!d->first_worker)
		return -ENOMEM;
	int rc = crew_count(d, reterr);
	if (rc < 0)
		return rc;
	plan->workers = draft_alloc(d, plan->workers_count, sizeof(*plan->workers), reterr);
	plan->rows = draft_alloc(d, plan->workers_count, sizeof(*plan->rows), reterr);
	if (!plan->workers || !plan->rows)
		return -ENOMEM;
	crew_enlist(d);
	crew_rows_make(plan);
	return 0;
}
