/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* From what the workers left in shared memory to the one model of a result. */
#include "base/bits.h"
#include "base/err.h"
#include "job/job.h"
#include "result/environment.h"
#include "run/describe.h"
#include "run/logs/logs.h"
#include "run/idleness.h"
#include "run/observe.h"
#include "run/prepare/disks.h"
#include "run/source/priority.h"
#include "run/supervisor.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void gather_dir(const struct supervisor *s, uint32_t i, enum dir d,
	struct result_dir *to)
{
	const struct plan_worker *pw = &s->plan->workers[i];
	const struct shared_worker *sh = &s->shared.workers[i];
	const struct shared_counts *c = &sh->count[d];
	const struct shared_places *at = &s->shared.places[i];

	if (!shared_opened(sh))
		return; /* in its ramp, which is not measured */
	to->bytes = c->bytes;
	to->ios = c->ios;
	to->issued = c->issued;
	to->short_ios = c->short_ios;
	to->errors = c->errors;
	to->slat = at->slat[d];
	to->clat = at->clat[d];
	to->lateness = at->lateness[d];
	to->due = c->due;
	to->late = c->late;
	to->missed = c->missed;
	to->asked_per_s = pw->replay.timed ? pw->replay.per_second[d]
					   : (double)pw->rate.arrival[d].per_second;
	to->asked_bytes = pw->rate.arrival[d].bytes;
	to->asked_random = pw->rate.arrival[d].process == ARRIVAL_POISSON;
}

static enum result_end gather_end(const struct supervisor *s, uint32_t i)
{
	const struct supervised *sv = &s->workers[i];
	const struct shared_worker *sh = &s->shared.workers[i];

	if (sv->end != END_DONE)
		return sv->end;
	if (sh->error)
		return END_ERROR;
	if (!sh->start_ns)
		return END_NOT_RUN;
	return sh->why == WHY_STOPPED && !sv->steady ? END_STOPPED : END_DONE;
}

/* When its window ended, or how far it has come. */
static uint64_t gather_window_end(const struct supervisor *s, uint32_t i)
{
	const struct shared_worker *sh = &s->shared.workers[i];
	if (sh->window_end_ns)
		return sh->window_end_ns;
	if (!sh->window_start_ns)
		return 0;
	return s->workers[i].died_ns ? s->workers[i].died_ns : clock_now(&s->clock);
}

static void gather_errors(const struct shared_worker *sh, struct result_row *row)
{
	row->total_errors = sh->errors_total;
	row->first_error = sh->first_error;
	row->errors_count = MIN_OF(sh->errors_kinds, (uint32_t)RESULT_ERRORS);
	for (uint32_t k = 0; k < row->errors_count; k++)
		row->errors[k] = (struct result_error){
			.code = sh->errors_seen[k].code,
			.dir = (enum dir)sh->errors_seen[k].dir,
			.count = sh->errors_seen[k].count,
		};
}

/* A synchronous call is one submission and one completion of one request, each; an
 * engine that touches no file makes none, as in fio. */
static void gather_calls(const struct plan_worker *pw, struct result_row *row)
{
	if (!pw->queue.use_perform ||
		(engine_chain_base(&pw->queue.chain)->flags & ENGINE_NO_FILES))
		return;
	row->submits[1] = row->depths[0];
	row->completes[1] = row->depths[0];
}

static int gather_prios(const struct supervisor *s, struct result *r, uint32_t i,
	struct result_row *row)
{
	int rc = 0;

	for (int d = 0; d <= DIR_WRITE && rc == 0; d++)
		rc = priority_gather(&r->arena, &s->plan->workers[i], &s->shared.places[i],
			(enum dir)d, &row->dir[d]);
	return rc;
}

/* What is read back has a time of its own, which no other direction has a part in. */
static uint64_t gather_dir_ns(const struct supervisor *s, uint32_t i, int d, uint64_t window_ns)
{
	const struct shared_verify *sv = s->shared.places[i].verify;

	if (!sv || !s->plan->workers[i].verify.rereads || s->plan->workers[i].verify.backlog)
		return window_ns;
	if (d != DIR_READ)
		return sv->main_ns ? sv->main_ns : window_ns - MIN_OF(sv->ns, window_ns);
	return s->plan->workers[i].pattern.use[DIR_READ] ? window_ns : sv->ns;
}

static void gather_figures(const struct supervisor *s, uint32_t i, struct result_row *row)
{
	const struct plan_worker *pw = &s->plan->workers[i];
	const struct shared_worker *sh = &s->shared.workers[i];
	const struct shared_usage *u = &sh->usage;

	row->window_start_ns = sh->window_start_ns;
	row->window_end_ns = gather_window_end(s, i);
	row->runtime_ns = row->window_end_ns - row->window_start_ns;
	row->cpu_runtime_ms = (double)row->runtime_ns / 1e6;
	row->cpu = (struct result_cpu){
		.user_ms = (double)u->user_us / 1e3,
		.system_ms = (double)u->system_us / 1e3,
		.switches_voluntary = u->voluntary,
		.switches_involuntary = u->involuntary,
		.faults_major = u->major,
		.faults_minor = u->minor,
	};
	memcpy(row->depths, sh->depths, sizeof(row->depths));
	memcpy(row->submits, sh->submits, sizeof(row->submits));
	memcpy(row->completes, sh->completes, sizeof(row->completes));
	gather_calls(pw, row);
	row->sync = s->shared.places[i].sync;
	row->syncs = sh->syncs;
	row->generator_ns = sh->generator_ns;
	row->stopped_ns = s->workers[i].halted_total_ns;
	row->memory_bytes = pw->memory.cost_bytes;
	row->end_sync_ns = sh->end_sync_ns;
	row->last_sync_ns = sh->last_sync_ns;
	for (int d = 0; d < DIRS; d++) {
		gather_dir(s, i, (enum dir)d, &row->dir[d]);
		if (row->dir[d].issued || row->dir[d].bytes)
			row->dir[d].runtime_ns = gather_dir_ns(s, i, d, row->runtime_ns);
	}
}

static void gather_replay(const struct plan_worker *pw, const struct shared_worker *sh,
	struct result_row *row)
{
	if (!pw->replay.inputs_count)
		return;
	row->replay = (struct result_replay){
		.on = true,
		.timed = pw->replay.timed,
		.records = pw->replay.records * pw->replay.loops,
		.left_out = pw->replay.left_out,
		.issued = sh->replay.issued,
		.dropped = sh->replay.dropped,
		.dry = sh->replay.dry,
		.trace_ns = sh->replay.due_ns,
		.replay_ns = sh->replay.issued_ns,
	};
}

/* One worker as a row; its latencies still lie in shared memory. */
static void gather_worker(const struct supervisor *s, struct result *r, uint32_t i,
	struct result_row *row)
{
	const struct plan_worker *pw = &s->plan->workers[i];
	const struct shared_worker *sh = &s->shared.workers[i];

	*row = (struct result_row){
		.name = pw->name,
		.description = describe_text(pw->job, "description"),
		.group = pw->group,
		.members = 1,
		.pid = pw->thread && sh->tid ? sh->tid : sh->pid,
		.error = sh->error,
		.error_text = sh->error && *sh->error_func
				      ? arena_printf(&r->arena, "func=%s, error=%s",
						sh->error_func, result_error_text(sh->error))
				      : "",
		.end = gather_end(s, i),
		.job_start_ms = sh->wall_start_ms,
		.style = pw->measure.style,
		.engine = describe_engine(&r->arena, pw),
		.engine_used = arena_text(&r->arena, sh->used),
		.what = describe_what(&r->arena, pw),
		.data = describe_data(&r->arena, pw),
		.depth_asked = pw->queue.depth_asked,
		.depth = sh->synchronous_submit ? 1 : pw->queue.depth,
		.submit_synchronous = sh->synchronous_submit,
		.continued_on_error = pw->end.continue_on[DIR_READ] ||
				      pw->end.continue_on[DIR_WRITE] || pw->end.continue_verify,
		.quantum_ns = sh->quantum_ns,
		.ramp_only = sh->ramp_only,
		.goal_depth = sh->goal.depth,
		.goal_missed = sh->goal.missed,
		.goal_ios = sh->goal.ios,
		.goal_over = sh->goal.over,
	};
	/* A stop in an orderly run (exitall) is not partial; one by a signal is. */
	row->partial = row->end == END_KILLED || row->end == END_STUCK ||
		       (row->end == END_STOPPED && s->signal);
	row->killed_by_weir = row->end == END_KILLED && s->workers[i].killed;
	row->options = describe_options(&r->arena, pw->job->given, pw->job->given_count,
		&row->options_count);
	gather_errors(sh, row);
	gather_replay(pw, sh, row);
	gather_figures(s, i, row);
	logs_gather(s, i, row);
}

/* The total latency: moments from the workers, histogram from the intervals. */
static int gather_total(struct result *r, struct latency **to, const struct moments *m,
	const struct histogram *h)
{
	if (!h)
		return 0;
	if (!*to)
		*to = arena_alloc(&r->arena, sizeof(**to));
	if (!*to)
		return -ENOMEM;
	moments_merge(&(*to)->moments, m);
	histogram_merge(&(*to)->histogram, h);
	return 0;
}

static int gather_row_latencies(const struct supervisor *s, struct result *r, uint32_t index)
{
	const struct supervised_row *from = &s->rows[index];
	const struct plan_row *pr = &s->plan->rows[index];
	struct result_row *row = &r->rows[index];
	int rc = 0;

	for (int d = 0; d < DIRS && rc == 0; d++) {
		struct moments lat = {0}, call = {0}, response = {0};
		for (uint32_t i = pr->first_worker; i < pr->first_worker + pr->workers; i++) {
			if (!shared_opened(&s->shared.workers[i]))
				continue;
			moments_merge(&lat, &s->shared.workers[i].lat[d]);
			moments_merge(&response, &s->shared.workers[i].response[d]);
			if (s->plan->workers[i].queue.use_perform)
				moments_merge(&call, &s->shared.workers[i].lat[d]);
		}
		const struct plan_measure *pm = &s->plan->workers[pr->first_worker].measure;
		if (pm->lat)
			rc = gather_total(r, &row->dir[d].lat, &lat, from->lat[d]);
		if (rc == 0 && pm->clat)
			rc = gather_total(r, &row->dir[d].clat, &call, from->call[d]);
		if (rc == 0)
			rc = gather_total(r, &row->dir[d].response, &response,
				from->response[d]);
	}
	return rc;
}

/* The row's series is copied: an interim report must leave it as it is. */
static void gather_series(const struct supervised_row *from, struct result_row *row)
{
	row->series = (struct series){
		.interval_ns = from->series.interval_ns,
		.start_ns = from->series.start_ns,
	};
	if (from->series.count)
		series_merge(&row->series, &from->series);
	if (row->series.start_ns && row->window_end_ns > row->series.start_ns)
		series_extend(&row->series, row->window_end_ns);
}

static bool gather_was_started(const struct supervisor *s, uint32_t i)
{
	return s->workers[i].started || s->shared.workers[i].error;
}

static int gather_rows(const struct supervisor *s, struct result *r)
{
	const struct plan *plan = s->plan;

	r->rows_count = plan->rows_count;
	r->rows = arena_array(&r->arena, plan->rows_count + 1, sizeof(*r->rows));
	r->groups_count = plan->groups_count;
	r->groups = arena_array(&r->arena, plan->groups_count + 1, sizeof(*r->groups));
	if (!r->rows || !r->groups)
		return -ENOMEM;
	for (uint32_t g = 0; g < plan->groups_count; g++)
		r->groups[g].id = g;

	for (uint32_t i = 0; i < plan->workers_count; i++) {
		struct result_row row;
		gather_worker(s, r, i, &row);
		int rc = gather_prios(s, r, i, &row);
		if (rc == 0)
			rc = faults_gather(s, r, i, &row);
		if (rc == 0)
			rc = by_target_gather(r, plan, i, &s->shared.places[i], &row);
		if (rc < 0)
			return rc;
		rc = result_row_merge(r, &r->rows[plan->workers[i].row], &row);
		if (rc < 0)
			return rc;
		if (!plan->workers[i].measure.style->hidden)
			result_group_add(&r->groups[plan->workers[i].group], &row);
		bool failed = row.error || row.end == END_KILLED || row.end == END_STUCK;
		r->failed += failed && gather_was_started(s, i);
		r->partial |= row.partial;
	}
	for (uint32_t k = 0; k < plan->rows_count; k++) {
		int rc = gather_row_latencies(s, r, k);
		if (rc < 0)
			return rc;
		rc = steadiness_gather(s, k, r);
		if (rc < 0)
			return rc;
		gather_series(&s->rows[k], &r->rows[k]);
		rc = result_row_finish(r, &r->rows[k]);
		if (rc < 0)
			return rc;
	}
	return result_group_targets(r);
}

static int gather_head(const struct supervisor *s, struct result *r, bool final)
{
	uint64_t elapsed = clock_now(&s->clock) - s->how->started_ns;

	r->time_ms = clock_wall_ms();
	r->elapsed_s = MAX_OF(div_up(elapsed, NS_PER_S), (uint64_t)1);
	r->final = final;
	r->stop_signal = s->signal;
	r->partial = s->signal != 0;
	r->logs_failed = logs_failed(s);
	r->stamp_cost_ns = s->clock.stamp_cost_ns;
	r->ceiling_ios_per_s = s->how->ceiling_ios_per_s;
	r->clock = s->clock.name;
	r->globals = describe_options(&r->arena, s->plan->jobs->globals,
		s->plan->jobs->globals_count, &r->globals_count);
	r->targets = describe_targets(&r->arena, s->plan);
	r->like = s->how->like;
	r->environment = environment_keep(s->environment);
	if (r->environment)
		r->devices = environment_headline(r->environment, &r->arena);
	for (uint32_t i = 0; i < s->messages_count; i++)
		if (result_message_add(r, s->messages[i]) < 0)
			return -ENOMEM;
	r->clock_drift_ns = clock_drift_ns(&s->clock);
	r->suspended_ns = final ? s->suspended_ns : 0;
	return 0;
}

int gather_result(struct supervisor *s, bool final, struct result **ret, struct err *reterr)
{
	struct result *r = result_new();

	if (!r)
		return err_set(reterr, -ENOMEM, "out of memory for the result");
	int rc = gather_head(s, r, final);
	if (rc == 0)
		rc = gather_rows(s, r);
	if (rc == 0 && s->disks)
		rc = disks_finish(s->disks, (clock_now(&s->clock) - s->began_ns) / NS_PER_MS,
			r);
	if (rc == 0)
		rc = idleness_tell(s->idleness, r);
	if (rc == 0)
		rc = observe_gather(s, r);
	if (rc == 0)
		rc = result_notes_make(r);
	if (rc < 0) {
		result_free(r);
		return err_set(reterr, rc, "out of memory for the result");
	}
	if (s->how->no_notes)
		r->notes_count = 0;
	*ret = r;
	return 0;
}
