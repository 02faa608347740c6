/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Many rows to one.  Counts, sums, extremes and histograms merge exactly, so the
 * order does not matter for them; names, pid and "the first error" come from
 * whoever was merged first. */
#include "result/merge.h"

#include "base/bits.h"
#include "result/style.h"

#include <errno.h>
#include <string.h>

static int latency_take_told(struct arena *a, struct latency *to, const struct latency *from)
{
	struct latency_told *told = arena_alloc(a, sizeof(*told));

	if (!told)
		return -ENOMEM;
	latency_merge_told(to, from, told);
	if (to->told != told || !told->count)
		return 0;
	struct latency_point *points = arena_array(a, told->count, sizeof(*points));
	if (!points)
		return -ENOMEM;
	memcpy(points, told->points, told->count * sizeof(*points));
	told->points = points;
	return 0;
}

static int latency_take(struct arena *a, struct latency **to, const struct latency *from)
{
	if (!from)
		return 0;
	if (!*to)
		*to = arena_alloc(a, sizeof(**to));
	if (!*to)
		return -ENOMEM;
	if (from->told || (*to)->told)
		return latency_take_told(a, *to, from);
	latency_merge(*to, from);
	return 0;
}

/* By value; a row of more than RESULT_PRIOS tells the first ones apart. */
static int prios_take(struct arena *a, struct result_dir *to, const struct result_dir *from)
{
	if (!from->prios_count)
		return 0;
	if (!to->prios)
		to->prios = arena_array(a, RESULT_PRIOS, sizeof(*to->prios));
	if (!to->prios)
		return -ENOMEM;
	to->prios_of_lat = from->prios_of_lat;
	for (uint32_t i = 0; i < from->prios_count; i++) {
		uint32_t k = 0;
		while (k < to->prios_count && to->prios[k].value != from->prios[i].value)
			k++;
		if (k == RESULT_PRIOS)
			continue;
		if (k == to->prios_count)
			to->prios[to->prios_count++].value = from->prios[i].value;
		int rc = latency_take(a, &to->prios[k].latency, from->prios[i].latency);
		if (rc < 0)
			return rc;
	}
	return 0;
}

/* What is known of both.  A rate without a count goes on as I/Os over the runtime that
 * the merged direction has, as a count would. */
static int dir_take_told(struct arena *a, struct result_dir *to, const struct result_dir *from)
{
	static const struct result_dir_told all = {
		.ios = true, .errors = true, .issued = true, .ios_per_s = -1, .bw_percent = -1};
	const struct result_dir_told *f = from->told ? from->told : &all;
	const struct result_dir_told *had = to->told ? to->told : &all;
	bool fresh = !to->told && !result_dir_used(to) && !to->runtime_ns;
	struct result_dir_told *told = arena_alloc(a, sizeof(*told));

	if (!told)
		return -ENOMEM;
	*told = fresh ? *f
		      : (struct result_dir_told){
				.present = had->present || f->present,
				.ios = had->ios && f->ios,
				.errors = had->errors && f->errors,
				.issued = had->issued && f->issued,
				.ios_per_s = -1,
				.bw_percent = -1,
			};
	if (fresh) {
		to->bw = from->bw;
		to->iops = from->iops;
	} else {
		to->bw = to->iops = (struct samples){0};
	}
	double x = result_iops(to), y = result_iops(from);
	uint64_t runtime = MAX_OF(to->runtime_ns, from->runtime_ns);
	if (!fresh && !told->ios && x >= 0 && y >= 0 && runtime)
		told->ios_per_s = (x * (double)to->runtime_ns + y * (double)from->runtime_ns) /
				  (double)runtime;
	to->told = told;
	return 0;
}

int merge_dir(struct arena *a, struct result_dir *to, const struct result_dir *from)
{
	if ((to->told || from->told) && dir_take_told(a, to, from) < 0)
		return -ENOMEM;
	to->bytes += from->bytes;
	to->ios += from->ios;
	to->issued += from->issued;
	to->short_ios += from->short_ios;
	to->dropped += from->dropped;
	to->errors += from->errors;
	to->runtime_ns = MAX_OF(to->runtime_ns, from->runtime_ns);
	to->due += from->due;
	to->late += from->late;
	to->missed += from->missed;
	to->asked_per_s += from->asked_per_s;
	to->asked_bytes |= from->asked_bytes;
	to->asked_random |= from->asked_random;

	int failed = latency_take(a, &to->slat, from->slat);
	failed |= latency_take(a, &to->clat, from->clat);
	failed |= latency_take(a, &to->lat, from->lat);
	failed |= latency_take(a, &to->response, from->response);
	failed |= latency_take(a, &to->lateness, from->lateness);
	failed |= prios_take(a, to, from);
	return failed ? -ENOMEM : 0;
}

/* Members of a row mostly have the same targets in the same order: HINT is tried first. */
static struct result_target *target_find(struct result_target *list, uint32_t count,
	const char *path, uint32_t hint)
{
	if (hint < count && strcmp(list[hint].path, path) == 0)
		return &list[hint];
	for (uint32_t i = 0; i < count; i++)
		if (strcmp(list[i].path, path) == 0)
			return &list[i];
	return NULL;
}

int merge_targets(struct arena *a, struct result_target **to, uint32_t *to_count,
	const struct result_target *from, uint32_t count)
{
	struct result_target *list = arena_array(a, (size_t)*to_count + count, sizeof(*list));
	uint32_t used = *to_count;
	int rc = 0;

	if (!list)
		return -ENOMEM;
	if (used)
		memcpy(list, *to, used * sizeof(*list));
	for (uint32_t i = 0; i < count && rc == 0; i++) {
		struct result_target *t = target_find(list, used, from[i].path, i);
		if (!t) {
			t = &list[used++];
			*t = (struct result_target){.path = from[i].path};
		}
		t->again_ios += from[i].again_ios;
		t->again_bytes += from[i].again_bytes;
		for (int dir = 0; dir < DIRS && rc == 0; dir++)
			rc = merge_dir(a, &t->dir[dir], &from[i].dir[dir]);
	}
	*to = list;
	*to_count = used;
	return rc;
}

static void cpu_take(struct result_cpu *to, const struct result_cpu *from)
{
	to->user_ms += from->user_ms;
	to->system_ms += from->system_ms;
	to->switches_voluntary += from->switches_voluntary;
	to->switches_involuntary += from->switches_involuntary;
	to->faults_major += from->faults_major;
	to->faults_minor += from->faults_minor;
}

static void depths_take(uint64_t *to, const uint64_t *from)
{
	for (int i = 0; i < RESULT_DEPTHS; i++)
		to[i] += from[i];
}

/* ---- errors by kind: the lowest kinds by (code, dir), ascending; when there are
 * more than RESULT_ERRORS the rest is one entry of code 0 at the end.  A kind
 * that is folded in a part would be folded in the whole too, so the order of
 * merging does not show. ---- */

static bool error_before(const struct result_error *a, const struct result_error *b)
{
	if (!a->code || !b->code)
		return a->code && !b->code;
	return a->code != b->code ? a->code < b->code : a->dir < b->dir;
}

static bool error_same(const struct result_error *a, const struct result_error *b)
{
	return a->code == b->code && (!a->code || a->dir == b->dir);
}

void result_error_add(struct result_row *row, int code, enum dir dir, uint64_t count)
{
	const struct result_error add = {
		.code = code, .dir = code ? dir : DIR_READ, .count = count};
	struct result_error all[RESULT_ERRORS + 1];
	uint32_t n = row->errors_count, at = 0;

	if (!count)
		return;
	memcpy(all, row->errors, n * sizeof(all[0]));
	while (at < n && error_before(&all[at], &add))
		at++;
	if (at < n && error_same(&all[at], &add)) {
		row->errors[at].count += count;
		return;
	}
	memmove(&all[at + 1], &all[at], (n - at) * sizeof(all[0]));
	all[at] = add;
	n++;
	if (n > RESULT_ERRORS) {
		struct result_error *last = &all[RESULT_ERRORS - 1];
		*last = (struct result_error){.count = last->count + all[RESULT_ERRORS].count};
		n = RESULT_ERRORS;
	}
	memcpy(row->errors, all, n * sizeof(all[0]));
	row->errors_count = n;
}

static void errors_take(struct result_row *to, const struct result_row *from)
{
	for (uint32_t i = 0; i < from->errors_count; i++)
		result_error_add(to, from->errors[i].code, from->errors[i].dir,
			from->errors[i].count);
	if (!to->error) {
		to->error = from->error;
		to->error_text = from->error_text;
	}
	if (!to->first_error)
		to->first_error = from->first_error;
	to->continued_on_error |= from->continued_on_error;
	to->total_errors += from->total_errors;
}

/* ---- the row ---- */

static void identity_take(struct result_row *to, const struct result_row *from)
{
	to->name = from->name;
	to->description = from->description;
	to->group = from->group;
	to->pid = from->pid;
	to->job_start_ms = from->job_start_ms;
	to->options = from->options;
	to->options_count = from->options_count;
	to->style = from->style;
	to->engine = from->engine;
	to->what = from->what;
	to->data = from->data;
	to->window_start_ns = from->window_start_ns;
}

static int end_weight(enum result_end end)
{
	static const int weights[] = {
		[END_DONE] = 0,
		[END_STOPPED] = 1,
		[END_NOT_RUN] = 2,
		[END_ERROR] = 3,
		[END_KILLED] = 4,
		[END_STUCK] = 5,
	};
	return weights[end];
}

static uint64_t earlier(uint64_t a, uint64_t b)
{
	return !a || (b && b < a) ? b : a;
}

static void merge_replay(struct result_replay *to, const struct result_replay *from)
{
	to->on |= from->on;
	to->timed |= from->timed;
	to->records += from->records;
	to->left_out += from->left_out;
	to->issued += from->issued;
	to->dropped += from->dropped;
	to->dry += from->dry;
	to->trace_ns = MAX_OF(to->trace_ns, from->trace_ns);
	to->replay_ns = MAX_OF(to->replay_ns, from->replay_ns);
}

static void state_take(struct result_row *to, const struct result_row *from)
{
	if (end_weight(from->end) > end_weight(to->end))
		to->end = from->end;
	to->partial |= from->partial;
	if (!to->engine_used || !*to->engine_used)
		to->engine_used = from->engine_used;
	to->depth_asked = MAX_OF(to->depth_asked, from->depth_asked);
	to->depth = MAX_OF(to->depth, from->depth);
	to->submit_synchronous |= from->submit_synchronous;
	to->ramp_only |= from->ramp_only;
	merge_replay(&to->replay, &from->replay);
	to->goal_depth = MAX_OF(to->goal_depth, from->goal_depth);
	to->goal_missed |= from->goal_missed;
	to->goal_ios += from->goal_ios;
	to->goal_over += from->goal_over;
	to->syncs += from->syncs;
	to->job_start_ms = earlier(to->job_start_ms, from->job_start_ms);
	to->runtime_ns = MAX_OF(to->runtime_ns, from->runtime_ns);
	to->window_start_ns = earlier(to->window_start_ns, from->window_start_ns);
	to->window_end_ns = MAX_OF(to->window_end_ns, from->window_end_ns);
	to->cpu_runtime_ms += from->cpu_runtime_ms;
	to->generator_ns += from->generator_ns;
	to->quantum_ns = MAX_OF(to->quantum_ns, from->quantum_ns);
	to->stopped_ns = MAX_OF(to->stopped_ns, from->stopped_ns);
	to->memory_bytes += from->memory_bytes;
	to->end_sync_ns = MAX_OF(to->end_sync_ns, from->end_sync_ns);
	to->last_sync_ns = MAX_OF(to->last_sync_ns, from->last_sync_ns);
	to->logged |= from->logged;
	to->log_wait_ns += from->log_wait_ns;
	to->log_lost += from->log_lost;
}

static int series_take(struct series *to, const struct series *from)
{
	if (!from->count)
		return 0;
	if (!to->interval_ns) {
		to->interval_ns = from->interval_ns;
		to->start_ns = from->start_ns;
	}
	series_merge(to, from);
	return to->failed ? -ENOMEM : 0;
}

/* Of a row that isn't the first, percentages aren't known: nobody knows of how much. */
static int row_take_told(struct arena *a, struct result_row *to, const struct result_row *from)
{
	static const struct result_told all = {
		.faults = true, .goal = true, .syncs = true, .cpu_ms = true, .native = true};
	const struct result_told *f = from->told ? from->told : &all;
	const struct result_told *had = to->told ? to->told : &all;
	struct result_told *told = arena_alloc(a, sizeof(*told));

	if (!told)
		return -ENOMEM;
	*told = !to->members ? *f
			     : (struct result_told){
				       .user_percent = -1,
				       .system_percent = -1,
				       .faults = had->faults && f->faults,
				       .goal = had->goal && f->goal,
				       .syncs = had->syncs && f->syncs,
				       .cpu_ms = had->cpu_ms && f->cpu_ms,
				       .native = had->native && f->native,
			       };
	to->told = told;
	return 0;
}

static int resume_take(struct arena *a, struct result_verify *to,
	const struct result_resume *from)
{
	struct result_resume *had = to->resume;

	to->resume = arena_alloc(a, sizeof(*to->resume));
	if (!to->resume)
		return -ENOMEM;
	*to->resume = *from;
	if (!had)
		return 0;
	to->resume->synced += had->synced;
	to->resume->newer += had->newer;
	to->resume->older += had->older;
	to->resume->later += had->later;
	to->resume->unread += had->unread;
	return 0;
}

static int verify_take(struct arena *a, struct result_verify **to,
	const struct result_verify *from)
{
	if (!from)
		return 0;
	if (!*to) {
		*to = arena_alloc(a, sizeof(**to));
		if (!*to)
			return -ENOMEM;
		**to = (struct result_verify){.run_id = from->run_id,
			.kind = from->kind,
			.unit_bytes = from->unit_bytes};
		(*to)->faults = arena_array(a, RESULT_FAULTS, sizeof(*from->faults));
		if (!(*to)->faults)
			return -ENOMEM;
	}
	struct result_verify *v = *to;
	v->stamped |= from->stamped;
	v->checked |= from->checked;
	v->units += from->units;
	v->wrong += from->wrong;
	v->bytes += from->bytes;
	v->unjudged += from->unjudged;
	v->skipped |= from->skipped;
	if (from->resume && resume_take(a, v, from->resume) < 0)
		return -ENOMEM;
	for (uint32_t i = 0; i < from->faults_count && v->faults_count < RESULT_FAULTS; i++)
		v->faults[v->faults_count++] = from->faults[i];
	int rc = merge_dir(a, &v->again, &from->again);
	return rc < 0 ? rc : merge_dir(a, &v->own, &from->own);
}

int result_row_merge(struct result *r, struct result_row *to, const struct result_row *from)
{
	if ((to->told || from->told) && row_take_told(&r->arena, to, from) < 0)
		return -ENOMEM;
	if (!to->members)
		identity_take(to, from);
	to->members += MAX_OF(from->members, UINT32_C(1));
	state_take(to, from);
	errors_take(to, from);
	cpu_take(&to->cpu, &from->cpu);
	depths_take(to->depths, from->depths);
	depths_take(to->submits, from->submits);
	depths_take(to->completes, from->completes);

	int failed = latency_take(&r->arena, &to->sync, from->sync);
	for (int dir = 0; dir < DIRS; dir++)
		failed |= merge_dir(&r->arena, &to->dir[dir], &from->dir[dir]);
	failed |= verify_take(&r->arena, &to->verify, from->verify);
	failed |= series_take(&to->series, &from->series);
	if (from->targets_count)
		failed |= merge_targets(&r->arena, &to->targets, &to->targets_count,
			from->targets, from->targets_count);
	return failed ? -ENOMEM : 0;
}
