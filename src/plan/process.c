/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What a worker's process is: who it runs as, its name, its I/O priority, its
 * control group, and the commands before and after the job. */
#include <errno.h>
#include <string.h>

#include "base/bits.h"
#include "base/err.h"
#include "base/str.h"
#include "plan/draft.h"
#include "sys/ioprio.h"

#define COMM_MAX 15 /* what the kernel keeps of a thread's name */

struct process {
	const char *prerun, *postrun;
	const char *comm;
	uint32_t uid, gid;
	uint32_t prio, prioclass, priohint;
	const char *cgroup;
	uint32_t cgroup_weight;
	bool cgroup_keep;
};

static const struct opt process_rows[] = {
	{.name = "exec_prerun",
		OPT_TEXT(struct process, prerun),
		.help = "Shell command to run before the job; its output goes to JOB.prerun.txt"},
	{.name = "exec_postrun",
		OPT_TEXT(struct process, postrun),
		.help = "Shell command to run after the job; its output goes to JOB.postrun.txt"},
	{.name = "comm",
		OPT_TEXT(struct process, comm),
		.help = "Name of the worker in ps and top; the kernel keeps 15 letters"},
	{.name = "uid",
		OPT_U32(struct process, uid),
		.help = "Run as this user, by number (needs root)"},
	{.name = "gid",
		OPT_U32(struct process, gid),
		.help = "Run as this group, by number (needs root)"},
	{.name = "prio",
		OPT_U32(struct process, prio),
		.max = IOPRIO_LEVEL_MAX,
		.help = "I/O priority in its class, from 0 (most) to 7"},
	{.name = "prioclass",
		OPT_U32(struct process, prioclass),
		.max = IOPRIO_IDLE,
		.help = "I/O priority class: 1 real time, 2 best effort, 3 idle"},
	{.name = "priohint",
		OPT_U32(struct process, priohint),
		.max = IOPRIO_HINT_MAX,
		.help = "Hint in the I/O priority: the device's command duration limit"},
	{.name = "cgroup",
		OPT_TEXT(struct process, cgroup),
		.help = "Control group (version 2) of the worker; made when it isn't there"},
	{.name = "cgroup_weight",
		OPT_U32(struct process, cgroup_weight),
		.min = 100,
		.max = 1000,
		.help = "Its io.weight, 100 to 1000"},
	{.name = "cgroup_nodelete",
		OPT_BOOL(struct process, cgroup_keep),
		.preset = "0",
		.help = "Leave the control group there at the end"},
};

const struct opt_group process_group = {
	.name = "process",
	.rows = process_rows,
	.count = COUNT_OF(process_rows),
	.size = sizeof(struct process),
};

/* ---- rules ---- */

static bool process_bad_group(const struct draft *d, const struct plan_worker *w,
	const void *block, struct str *why)
{
	const struct process *p = block;

	(void)d;
	if (!p->cgroup)
		return false;
	if (!p->cgroup[strspn(p->cgroup, "/")] || strstr(p->cgroup, "..")) {
		str_addf(why,
			"\"%s\" is no name of a group below the root; write cgroup=weir, say",
			p->cgroup);
		return true;
	}
	if (!w->thread)
		return false;
	str_add(why,
		"a control group holds processes, and threads share one; leave out thread");
	return true;
}

static bool process_lone_weight(const struct draft *d, const struct plan_worker *w,
	const void *block, struct str *why)
{
	const struct process *p = block;

	(void)d;
	(void)w;
	if (p->cgroup || !p->cgroup_weight)
		return false;
	str_add(why, "without cgroup=NAME this changes nothing");
	return true;
}

static bool process_long_name(const struct draft *d, const struct plan_worker *w,
	const void *block, struct str *why)
{
	const struct process *p = block;

	(void)d;
	(void)w;
	if (!p->comm || strlen(p->comm) <= COMM_MAX)
		return false;
	str_addf(why, "the kernel keeps 15 letters of it: \"%.15s\"", p->comm);
	return true;
}

static const struct rule process_rules[] = {
	{"cgroup", RULE_ERROR, process_bad_group},
	{"cgroup_weight", RULE_WARNING, process_lone_weight},
	{"comm", RULE_WARNING, process_long_name},
};

/* ---- derivation ---- */

/* A level or hint without a class is one of best effort, as in fio. */
static void process_prio(struct plan_process *to, const struct plan_worker *w,
	const struct process *p)
{
	unsigned class = p->prioclass;

	if (!job_gave(w->job, "prio") && !job_gave(w->job, "prioclass") &&
		!job_gave(w->job, "priohint"))
		return;
	if (!job_gave(w->job, "prioclass"))
		class = IOPRIO_BE;
	to->prio_given = true;
	to->ioprio = ioprio_value(class, p->prio, p->priohint);
}

static int process_derive(struct draft *d, struct plan_worker *w, const void *block,
	struct err *reterr)
{
	const struct process *p = block;

	(void)reterr;
	w->process = (struct plan_process){
		.prerun = p->prerun,
		.postrun = p->postrun,
		.prerun_must = d->facts->native,
		.comm = p->comm,
		.uid_given = job_gave(w->job, "uid"),
		.gid_given = job_gave(w->job, "gid"),
		.uid = p->uid,
		.gid = p->gid,
		.cgroup = p->cgroup,
		.cgroup_weight = p->cgroup_weight,
		.cgroup_keep = p->cgroup_keep,
	};
	process_prio(&w->process, w, p);
	return 0;
}

const struct part process_part = {
	.group = &process_group,
	.rules = process_rules,
	.rules_count = COUNT_OF(process_rules),
	.derive = process_derive,
};
