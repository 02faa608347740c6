/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "cmd/head.h"

#include "base/dir.h"
#include "job/job.h"
#include "plan/plan.h"
#include "report/report.h"
#include "result/result.h"
#include "sys/machine.h"

#include <string.h>

static void add_job(const struct plan_worker *w, bool clones, struct str *out)
{
	struct report_job_head head = {
		.name = w->name,
		.group = w->group,
		.rw = w->replay.said_rw ? w->replay.said_rw : w->rw,
		.engine = w->queue.engine,
		.depth = w->queue.depth_asked,
		.clones = clones,
		.bs_by_order = w->sizes_by_order != NULL,
		.kb_base = w->measure.style->kb_base,
		.digits = w->measure.style->digits,
	};
	const struct size_spec *size = w->sizes_by_order ? w->sizes_by_order : w->pattern.size;
	if (w->replay.said_rw)
		size = w->replay.said_sizes;
	for (int d = 0; d < (w->sizes_by_order ? 2 : DIRS); d++) {
		head.bs_min[d] = size[d].min;
		head.bs_max[d] = size[d].max;
	}
	report_classic_head(&head, out);
}

void head_add_jobs(const struct plan *plan, struct str *out)
{
	uint32_t i = 0;
	while (i < plan->workers_count) {
		const struct plan_worker *first = &plan->workers[i];
		uint32_t next = i + 1;
		while (next < plan->workers_count && plan->workers[next].job == first->job)
			next++;
		add_job(first, next - i > 1, out);
		i = next;
	}
}

static const char *title_text(const struct plan *plan, struct result *r)
{
	const struct job_set *jobs = plan->jobs;
	if (!jobs->sources_count)
		return "command line";
	const char *source = jobs->sources[0];
	const char *slash = strrchr(source, '/');
	if (jobs->sources_count == 1)
		return arena_text(&r->arena, slash ? slash + 1 : source);
	return arena_printf(&r->arena, "%s and %zu more", slash ? slash + 1 : source,
		jobs->sources_count - 1);
}

void head_fill_result(const struct plan *plan, struct result *r)
{
	struct machine machine;
	if (!r->title)
		r->title = title_text(plan, r);
	if (r->kernel)
		return;
	machine_look(&machine);
	r->kernel = arena_text(&r->arena, machine.kernel);
}
