/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* `weir --plan`: all of a plan as JSON.
 *
 *   workers_count, groups, waves   how many
 *   seconds_max                    when times bound the run
 *   memory_bytes, descriptors      what it needs
 *   map_bytes                      of them, at most, for the map of what was verified
 *   run_id                         in each unit that this run stamps
 *   clock, disk_util
 *   targets   one a path: what was found there; its layout, where one is needed
 *   rows      report rows: which workers are merged
 *   workers   one each: who, where, what, how much, when
 *   notes     what fio would print, or should
 *
 * Sizes are bytes, keys that end in _ns nanoseconds.  A limit that is not there, a
 * schedule, a pause, a sync that is never done: their keys are left out.  Workers
 * name targets, rows and each other by index. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>

#include "base/json.h"
#include "base/str.h"
#include "plan/draft.h"
#include "plan/show.h"

static void show_limit(struct json *out, const char *key, uint64_t value)
{
	if (value != UINT64_MAX)
		json_uint(out, key, value);
}

/* ---- targets ---- */

static const char *show_kind(enum look_kind kind)
{
	static const char *const names[] = {
		[LOOK_NOTHING] = "nothing",
		[LOOK_FILE] = "file",
		[LOOK_BLOCK] = "block device",
		[LOOK_CHAR] = "character device",
		[LOOK_DIRECTORY] = "directory",
		[LOOK_PIPE] = "pipe",
		[LOOK_OTHER] = "other",
	};
	return names[kind];
}

static void show_layout(const struct plan_target *t, struct json *out)
{
	static const char *const preallocs[] = {
		[PREALLOC_NONE] = "none",
		[PREALLOC_NATIVE] = "native",
		[PREALLOC_POSIX] = "posix",
		[PREALLOC_KEEP] = "keep",
		[PREALLOC_TRUNCATE] = "truncate",
	};

	json_object(out, "layout");
	json_uint(out, "speaker", t->first_worker);
	json_uint(out, "bytes", t->bytes_wanted);
	json_bool(out, "create", t->create);
	json_bool(out, "fill", t->fill);
	json_uint(out, "block", t->layout_block);
	json_text(out, "prealloc", preallocs[t->prealloc]);
	json_bool(out, "fsync", t->sync_layout);
	json_object_end(out);
}

static void show_target(const struct plan_target *t, struct json *out)
{
	json_object(out, NULL);
	json_text(out, "path", t->path);
	json_text(out, "found", show_kind(t->found.kind));
	show_some(out, "found_bytes", t->found.bytes);
	if (t->found.kind == LOOK_BLOCK)
		json_uint(out, "logical_block", t->found.logical_block);
	json_bool(out, "read", t->read);
	json_bool(out, "written", t->written);
	json_bool(out, "trimmed", t->trimmed);
	show_some(out, "unit_bytes", t->unit_bytes);
	show_some(out, "units", t->units);
	if (t->unit_exclusive)
		json_bool(out, "unit_exclusive", true);
	if (t->allow_mounted)
		json_bool(out, "allow_mounted", true);
	bool file = t->found.kind == LOOK_NOTHING || t->found.kind == LOOK_FILE;
	if (!t->no_layout && file && t->found.bytes < t->bytes_wanted)
		show_layout(t, out);
	json_object_end(out);
}

/* ---- what a worker does ---- */

static const char *show_advice(int advice)
{
	switch (advice) {
	case POSIX_FADV_RANDOM:
		return "random";
	case POSIX_FADV_SEQUENTIAL:
		return "sequential";
	case POSIX_FADV_NOREUSE:
		return "noreuse";
	default:
		return "none";
	}
}

static void show_open(const struct plan_worker *w, struct json *out)
{
	const struct target_how *how = &w->files.how;

	json_object(out, "open");
	json_bool(out, "direct", how->direct);
	json_text(out, "sync", how->sync ? "sync" : how->dsync ? "dsync" : "none");
	json_bool(out, "create", how->create);
	json_bool(out, "invalidate", how->invalidate);
	json_text(out, "advice", show_advice(how->advice));
	json_bool(out, "create_on_open", w->files.create_on_open);
	json_bool(out, "unlink", w->files.unlink);
	show_open_more(w, out);
	json_object_end(out);
}

static void show_amount(const struct plan_worker *w, struct json *out)
{
	const struct plan_amount *a = &w->amount;

	json_object(out, "amount");
	show_limit(out, "bytes", a->bytes);
	show_limit(out, "ios", a->ios);
	if (!a->time_based)
		json_uint(out, "loops", a->loops);
	json_bool(out, "time_based", a->time_based);
	if (a->fill_device)
		json_bool(out, "fill_device", true);
	json_object_end(out);
}

static void show_time(const struct plan_worker *w, struct json *out)
{
	const struct plan_time *t = &w->time;

	json_object(out, "time");
	json_uint(out, "delay_ns", t->delay_ns);
	json_uint(out, "ramp_ns", t->ramp_ns);
	show_some(out, "ramp_bytes", t->ramp_bytes);
	show_some(out, "runtime_ns", t->runtime_ns);
	show_some(out, "start_clock", (uint64_t)t->start_clock);
	json_object_end(out);
}

static void show_sync(const struct plan_worker *w, struct json *out)
{
	const struct plan_sync *s = &w->sync;

	if (!s->any_periodic && !s->end_fsync && !s->fsync_on_close && !s->end_syncfs)
		return;
	json_object(out, "sync");
	show_some(out, "fsync_every", s->fsync_every);
	show_some(out, "fdatasync_every", s->fdatasync_every);
	json_bool(out, "end_fsync", s->end_fsync);
	json_bool(out, "fsync_on_close", s->fsync_on_close);
	if (s->end_syncfs)
		json_bool(out, "end_syncfs", true);
	show_some(out, "range_every", s->range_every);
	if (s->range_every)
		json_uint(out, "range_flags", s->range_flags);
	json_object_end(out);
}

static void show_data(const struct plan_worker *w, struct json *out)
{
	static const char *const kinds[] = {
		[DATA_FRESH] = "fresh",
		[DATA_CONSTANT] = "constant",
		[DATA_ZERO] = "zero",
		[DATA_PATTERN] = "pattern",
		[DATA_CORPUS] = "corpus",
	};
	const struct data_spec *s = &w->data;

	if (!w->pattern.use[DIR_WRITE])
		return;
	json_object(out, "data");
	json_text(out, "kind", kinds[s->kind]);
	show_seed(out, s->seed);
	show_some(out, "pattern_bytes", s->filler.count);
	show_some(out, "corpus_bytes", s->corpus_bytes);
	show_some(out, "compress_percent", s->compress_percent);
	if (s->compress_percent)
		json_uint(out, "compress_chunk", s->compress_chunk);
	show_some(out, "dedupe_percent", s->dedupe.percent);
	if (s->dedupe.sets_count)
		json_uint(out, "dedupe_set", s->dedupe.sets[s->dedupe.mine]);
	if (s->dedupe.sets_count > 1)
		json_uint(out, "dedupe_sharers", s->dedupe.sets_count);
	if (w->queue.write_apart)
		json_bool(out, "apart", true);
	json_object_end(out);
}

static void show_queue(const struct plan_worker *w, struct json *out)
{
	const struct plan_queue *q = &w->queue;

	json_object(out, "queue");
	json_array(out, "engines");
	for (uint32_t i = 0; i < q->chain.count; i++)
		json_text(out, NULL, q->chain.link[i]->name);
	json_array_end(out);
	json_text(out, "call", q->use_perform ? "perform" : "submit and reap");
	json_uint(out, "depth_asked", q->depth_asked);
	json_uint(out, "depth", q->depth);
	show_some(out, "batch", q->batch);
	show_some(out, "reap_min", q->batch_min);
	show_some(out, "reap_max", q->batch_max);
	if (q->batch_poll)
		json_bool(out, "poll", true);
	json_uint(out, "depth_low", q->depth_low);
	if (q->offload)
		json_bool(out, "offload", true);
	if (q->serialize)
		json_text(out, "serialize_overlap",
			q->serialize_all ? "of the run" : "of the worker");
	json_uint(out, "buffer_bytes", q->buffer_bytes);
	json_uint(out, "buffer_align", q->buffer_align);
	json_object_end(out);
}

static void show_memory(const struct plan_worker *w, struct json *out)
{
	static const char *const kinds[] = {
		[MEMORY_PRIVATE] = "private",
		[MEMORY_SHARED] = "shared",
		[MEMORY_HUGE] = "huge pages",
		[MEMORY_SEGMENT] = "segment",
		[MEMORY_SEGMENT_HUGE] = "segment of huge pages",
	};
	const struct plan_memory *m = &w->memory;

	json_uint(out, "memory_bytes", m->cost_bytes);
	if (m->kind == MEMORY_PRIVATE && !m->file && !m->align && !m->lock_bytes)
		return;
	json_object(out, "memory");
	json_text(out, "kind", kinds[m->kind]);
	if (m->file)
		json_text(out, "beside", m->file);
	show_some(out, "hugepage_bytes", m->hugepage_bytes);
	show_some(out, "align", m->align);
	show_some(out, "lock_bytes", m->lock_bytes);
	json_object_end(out);
}

static void show_style(const struct result_style *s, struct json *out)
{
	struct str list = {0};
	for (uint32_t i = 0; i < s->percentiles_count; i++)
		str_addf(&list, "%s%.10g", i ? ":" : "", s->percentiles[i]);

	json_object(out, "style");
	json_text(out, "percentiles", str_text(&list));
	str_done(&list);
	json_uint(out, "percentile_decimals", s->percentile_decimals);
	json_bool(out, "slat_percentiles", s->slat_percentiles);
	json_bool(out, "clat_percentiles", s->clat_percentiles);
	json_bool(out, "lat_percentiles", s->lat_percentiles);
	json_uint(out, "kb_base", s->kb_base);
	json_uint(out, "unit_base", s->unit_base);
	json_uint(out, "digits", s->digits);
	json_uint(out, "bw_step_ns", s->bw_step_ns);
	json_uint(out, "iops_step_ns", s->iops_step_ns);
	json_bool(out, "hidden", s->hidden);
	if (s->unified)
		json_text(out, "unified", s->unified == UNIFIED_BOTH ? "both" : "mixed");
	json_bool(out, "no_bw", s->no_bw);
	json_object_end(out);
}

static void show_measure(const struct plan_worker *w, struct json *out)
{
	const struct plan_measure *m = &w->measure;

	json_object(out, "measure");
	json_bool(out, "slat", m->slat);
	json_bool(out, "clat", m->clat);
	json_bool(out, "lat", m->lat);
	json_bool(out, "response", m->response);
	if (m->by_target)
		json_bool(out, "by_target", true);
	json_bool(out, "spread", m->spread);
	json_uint(out, "interval_ns", m->interval_ns);
	show_style(m->style, out);
	json_object_end(out);
}

static void show_log(const struct plan_worker *w, struct json *out)
{
	static const char *const values[] = {
		[PLAN_LOG_MEAN] = "mean",
		[PLAN_LOG_MAX] = "max",
		[PLAN_LOG_BOTH] = "both",
	};
	const struct plan_log *l = &w->log;

	if (!l->any)
		return;
	json_object(out, "log");
	for (int k = 0; k < PLAN_LOGS; k++)
		if (l->path[k])
			json_text(out, plan_log_names[k].key, l->path[k]);
	json_array(out, "empty");
	for (int k = 0; k < PLAN_LOGS; k++)
		if (l->path[k] && !l->fed[k])
			json_text(out, NULL, plan_log_names[k].key);
	json_array_end(out);
	json_bool(out, "append", l->append);
	show_some(out, "window_ns", l->window_ns);
	if (l->window_ns)
		json_text(out, "value", values[l->value]);
	show_some(out, "hist_ns", l->hist_ns);
	show_some(out, "coarseness", l->coarseness);
	json_bool(out, "offset", l->offset);
	json_bool(out, "prio", l->prio);
	json_bool(out, "issue_time", l->issue_time);
	if (l->epoch)
		json_int(out, "epoch_clock", l->epoch_clock);
	if (l->zstd)
		json_int(out, "zstd", l->zstd);
	json_uint(out, "unit", UINT64_C(1) << l->unit_shift);
	json_uint(out, "ring_bytes", l->ring_bytes);
	json_object_end(out);
}

static void show_place(const struct plan_worker *w, struct json *out)
{
	const struct plan_place *p = &w->place;

	if (!p->cpus.count && !p->nice_given && !p->numa_cpus && !p->numa_given)
		return;
	json_object(out, "place");
	if (p->cpus.count) {
		json_array(out, "cpus");
		for (unsigned cpu = 0; cpu < LIMIT_CPUS; cpu++)
			if (p->cpus.bits[cpu / 64] >> cpu % 64 & 1)
				json_uint(out, NULL, cpu);
		json_array_end(out);
	}
	if (p->nice_given)
		json_int(out, "nice", p->nice);
	show_nodes(out, "numa_cpu_nodes", p->numa_cpus);
	if (p->numa_given) {
		json_text(out, "numa_mode", show_numa_mode(p->numa_mode));
		show_nodes(out, "numa_nodes", p->numa_nodes);
	}
	json_object_end(out);
}

/* Errors beyond the usual two. */
static void show_tolerated(const struct plan_end *e, struct json *out)
{
	for (int i = 0; i < DIR_TRIM; i++) {
		struct str list = {0};
		for (int code = 1; code < PLAN_ERRNO_WORDS * 64; code++)
			if (code != EIO && code != EILSEQ &&
				e->tolerate[i][code / 64] >> code % 64 & 1)
				str_addf(&list, "%s%d", list.len ? ":" : "", code);
		if (list.len)
			json_text(out, i ? "tolerates_writing" : "tolerates_reading",
				str_text(&list));
		str_done(&list);
	}
	if (e->dump)
		json_bool(out, "error_dump", true);
}

static void show_end(const struct plan_worker *w, struct json *out)
{
	static const char *const whats[] = {
		[EXIT_GROUP] = "group",
		[EXIT_STONEWALL] = "stonewall",
		[EXIT_ALL] = "all",
	};
	const struct plan_end *e = &w->end;

	json_object(out, "end");
	json_bool(out, "exitall", e->exitall);
	json_bool(out, "exitall_on_error", e->exitall_on_error);
	json_text(out, "exit_what", whats[e->exit_what]);
	json_array(out, "continue_on_error");
	for (int i = 0; i < DIRS; i++)
		if (e->continue_on[i])
			json_text(out, NULL, dir_name((enum dir)i));
	json_array_end(out);
	show_tolerated(e, out);
	if (e->wait_count) {
		json_array(out, "wait_for");
		for (uint32_t i = 0; i < e->wait_count; i++)
			json_uint(out, NULL, e->wait_for[i]);
		json_array_end(out);
	}
	json_object_end(out);
}

static void show_worker(const struct plan_worker *w, struct json *out)
{
	json_object(out, NULL);
	json_uint(out, "index", w->index);
	json_text(out, "name", w->name);
	if (w->description)
		json_text(out, "description", w->description);
	json_uint(out, "clone", w->clone);
	json_uint(out, "group", w->group);
	json_uint(out, "wave", w->wave);
	json_uint(out, "row", w->row);
	json_bool(out, "thread", w->thread);
	show_replay(w, out);
	show_pattern(w, out);
	show_files(w, out);
	show_open(w, out);
	show_amount(w, out);
	show_time(w, out);
	show_pace(w, out);
	show_sync(w, out);
	show_data(w, out);
	show_verify(w, out);
	show_verify_state(w, out);
	show_queue(w, out);
	show_memory(w, out);
	show_measure(w, out);
	show_log(w, out);
	show_place(w, out);
	show_priority(w, out);
	show_process(w, out);
	show_end(w, out);
	json_object_end(out);
}

/* ---- the rest ---- */

static void show_rows(const struct plan *plan, struct json *out)
{
	json_array(out, "rows");
	for (uint32_t i = 0; i < plan->rows_count; i++) {
		const struct plan_row *r = &plan->rows[i];
		json_object(out, NULL);
		json_text(out, "name", plan->workers[r->first_worker].name);
		json_uint(out, "first_worker", r->first_worker);
		json_uint(out, "workers", r->workers);
		json_uint(out, "group", r->group);
		json_object_end(out);
	}
	json_array_end(out);
}

static void show_notes(const struct plan *plan, struct json *out)
{
	json_array(out, "notes");
	for (uint32_t i = 0; i < plan->notes_count; i++) {
		const struct plan_note *n = &plan->notes[i];
		json_object(out, NULL);
		if (n->job)
			json_text(out, "job", n->job->name);
		json_text(out, "weight", n->warning ? "warning" : "note");
		json_text(out, "text", n->text);
		json_uint(out, "workers", n->workers);
		json_object_end(out);
	}
	json_array_end(out);
}

void plan_show(const struct plan *plan, struct json *out)
{
	static const char *const clocks[] = {
		[CLOCK_AUTO] = "auto",
		[CLOCK_TSC] = "cpu",
		[CLOCK_SYSTEM] = "clock_gettime",
	};

	json_object(out, NULL);
	json_uint(out, "workers_count", plan->workers_count);
	json_uint(out, "groups", plan->groups_count);
	json_uint(out, "waves", plan->waves_count);
	show_some(out, "seconds_max", plan->seconds_max);
	json_uint(out, "memory_bytes", plan->memory_bytes);
	show_some(out, "map_bytes", plan->map_bytes);
	if (plan->run_id) {
		char id[20];
		snprintf(id, sizeof(id), "%016" PRIx64, plan->run_id);
		json_text(out, "run_id", id);
	}
	json_uint(out, "descriptors", plan->descriptors);
	json_text(out, "clock", clocks[plan->clock]);
	json_bool(out, "disk_util", plan->disk_util);

	json_array(out, "targets");
	for (uint32_t i = 0; i < plan->targets_count; i++)
		show_target(&plan->targets[i], out);
	json_array_end(out);
	show_rows(plan, out);
	json_array(out, "workers");
	for (uint32_t i = 0; i < plan->workers_count; i++)
		show_worker(&plan->workers[i], out);
	json_array_end(out);
	show_notes(plan, out);
	json_object_end(out);
}
