/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Notes that what the jobs did provokes, and what was seen meanwhile. */
#include "base/bits.h"
#include "result/work.h"
#include "tests/unit/note_world.h"
#include "tests/unit/notes34.h"
#include "tests/unit/report_fill.h"

#include <errno.h>
#include <math.h>

static void page_cache(struct world *w)
{
	w->job.buffered = 1;
	w->job.storage_read_bytes = 970 * MIB;
}

static void unsynced(struct world *w)
{
	w->after.dirty_bytes = 15 * MIB;
	w->after.writeback_bytes = 5 * MIB;
}

/* 1000 MiB in writes; 60 % of it over pages that were dirty */
static void written_over(struct world *w)
{
	w->w.run.storage_written_bytes = w->w.run.moved_written_bytes * 2 / 5;
}

static void sync_at_end(struct world *w)
{
	w->row->last_sync_ns = 20 * NS_PER_S;
}

static void read_unwritten(struct world *w)
{
	w->after.read_unwritten_bytes = 11 * MIB;
}

static void rate_changed(struct world *w)
{
	world_series(w, world_cliff);
}

/* A p99 of 100 us, and from second 30 on of 400 us. */
static void tail_changed(struct world *w)
{
	struct series *s = &w->row->series;

	series_done(s);
	*s = (struct series){.interval_ns = NS_PER_S, .start_ns = 1000};
	for (uint32_t i = 0; i < WORLD_SECONDS; i++) {
		struct histogram h = {0};
		for (int k = 0; k < 1000; k++)
			histogram_record(&h, k < 970 ? 50000 : i < 30 ? 100000 : 400000);
		series_add(s, 1000 + i * NS_PER_S, DIR_READ, 1000, 4096000, &h, NULL);
	}
}

/* Waves of 40 s that hardly differ from second to second: no step, but no level either. */
static double waves(uint32_t second)
{
	return 10000 * (1 + 0.3 * sin(second / 40.0 * 2 * M_PI));
}

static void unsteady(struct world *w)
{
	world_series(w, waves);
}

static void not_steady(struct world *w)
{
	w->steady = (struct result_steady){.text = "iops:5%", .window_ns = NS_PER_S};
	w->row->steady = &w->steady;
}

static void short_run(struct world *w)
{
	w->row->runtime_ns = NS_PER_S / 2;
}

static void ramp_only(struct world *w)
{
	w->row->ramp_only = true;
}

static void rate_not_reached(struct world *w)
{
	w->row->dir[DIR_READ].asked_per_s = 20000;
	w->row->dir[DIR_READ].due = 1200000;
	w->row->dir[DIR_READ].late = 600000;
}

static void depth_no_effect(struct world *w)
{
	w->row->depth_asked = 32;
}

static void depth_of_memory(struct world *w)
{
	w->row->depth = w->row->depth_asked = 32;
	w->row->submit_synchronous = true;
}

static void submit_synchronous(struct world *w)
{
	w->row->submit_synchronous = true;
}

static void depth_beyond(struct world *w)
{
	w->job.requests = 2000;
}

static void give(struct world *w, const char *name, const char *value)
{
	w->option = (struct result_option){name, value};
	w->row->options = &w->option;
	w->row->options_count = 1;
}

static void plain_data(struct world *w)
{
	give(w, "zero_buffers", "");
}

static void units(struct world *w)
{
	give(w, "kb_base", "1000");
}

static void small_range(struct world *w)
{
	w->job.random_read_bytes = 64 * MIB;
}

static void small_blocks(struct world *w)
{
	w->job.write_block_bytes = 512;
}

static void cpu_frequency(struct world *w)
{
	w->w.run.frequency_min_khz = 800000;
}

static void heat(struct world *w)
{
	w->w.run.heat_throttled = 3;
	w->w.run.cpu_temperature_max_c = 99;
}

static void foreign_io(struct world *w)
{
	w->w.run.foreign_written_bytes = 30 * MIB;
}

static void stolen(struct world *w)
{
	w->w.run.steal_percent = 7;
}

static void cpu_wait(struct world *w)
{
	w->job.cpu_wait_percent = 20;
}

static void group_throttled(struct world *w)
{
	w->w.run.group_throttled_us = 5000000;
}

static void generator_bound(struct world *w)
{
	w->row->cpu.user_ms = WORLD_SECONDS * 1000;
	w->row->generator_ns = WORLD_SECONDS * NS_PER_S / 10 * 9;
}

static void cpu_bound(struct world *w)
{
	w->job.cpu_max_percent = 99.5;
}

static void clock_cost(struct world *w)
{
	w->r->stamp_cost_ns = 40000;
}

static void clock_drift(struct world *w)
{
	w->r->clock_drift_ns = 1e9;
}

/* A tenth of the reads goes to another place, that takes fifty times as long. */
static void mean_misleads(struct world *w)
{
	static const struct fill_kind kind = {80, 4000, 100};
	w->row->dir[DIR_READ].lat = fill_humps(w->r, 1, &kind);
}

static void mean_of_few(struct world *w)
{
	static const struct fill_kind kind = {80, 40000, 5};
	w->row->dir[DIR_WRITE].lat = fill_humps(w->r, 1, &kind);
}

static void only_means(struct world *w)
{
	static const struct latency_told told = {
		.counted = true, .mean = 90000, .stddev = 1000};
	static const struct result_told row_told;
	struct latency *l = w->row->dir[DIR_READ].lat;

	*l = (struct latency){.moments.count = 600000, .told = &told};
	w->row->dir[DIR_WRITE].lat = NULL;
	w->row->told = &row_told;
}

static void jobs_in_step(struct world *w)
{
	w->job.in_step = 4;
}

static void errors(struct world *w)
{
	result_error_add(w->row, EIO, DIR_READ, 3);
}

static void wrong_data(struct world *w)
{
	result_error_add(w->row, EILSEQ, DIR_READ, 1);
}

static void job_failed(struct world *w)
{
	w->row->end = END_ERROR;
	w->row->error = EIO;
}

static void kernel_messages(struct world *w)
{
	w->line = "nvme nvme0: I/O 3 QID 2 timeout, aborting";
	w->w.kernel_count = 1;
}

static double stall(uint32_t second)
{
	return second >= 20 && second < 23 ? 0 : 10000;
}

static void no_io(struct world *w)
{
	world_series(w, stall);
}

/* All that came back was issued in the ramp, or came when the window was over. */
static void no_io_at_all(struct world *w)
{
	for (int d = 0; d <= DIR_WRITE; d++) {
		w->row->dir[d].ios = w->row->dir[d].bytes = 0;
		w->row->dir[d].issued = 4;
		w->row->dir[d].lat = NULL;
	}
	series_done(&w->row->series);
}

static void ended_early(struct world *w)
{
	w->job.runtime_asked_ns = 300 * NS_PER_S;
}

/* What dd printed has no more than bytes and time. */
static void dd(struct world *w)
{
	w->row->engine = "dd";
}

static void unlike_work(struct world *w)
{
	static const struct work like = {
		.trace = "db.trace",
		.requests = 1200000,
		.ios_per_s = 20000,
		.read_percent = 50,
		.read_bytes = 16384,
		.write_bytes = 4096,
		.random_percent = 0,
		.depth = NAN,
		.syncs_percent = 0,
	};

	w->r->like = &like;
}

static const struct note_played played[] = {
	{"page-cache", false, page_cache},
	{"unsynced", false, unsynced},
	{"written-over", false, written_over},
	{"sync-at-end", false, sync_at_end},
	{"read-unwritten", false, read_unwritten},
	{"rate-changed", false, rate_changed},
	{"tail-changed", false, tail_changed},
	{"unsteady", false, unsteady},
	{"not-steady", false, not_steady},
	{"short-run", false, short_run},
	{"ramp-only", false, ramp_only},
	{"rate-not-reached", false, rate_not_reached},
	{"saturated", false, world_saturated},
	{"depth-no-effect", false, depth_no_effect},
	{"depth-no-effect", false, depth_of_memory},
	{"submit-synchronous", false, submit_synchronous},
	{"depth-beyond-device", false, depth_beyond},
	{"plain-data", false, plain_data},
	{"units", false, units},
	{"small-range", false, small_range},
	{"small-blocks", false, small_blocks},
	{"cpu-frequency", false, cpu_frequency},
	{"heat", false, heat},
	{"foreign-io", false, foreign_io},
	{"stolen", false, stolen},
	{"cpu-wait", false, cpu_wait},
	{"cgroup-throttled", false, group_throttled},
	{"generator-bound", false, generator_bound},
	{"cpu-bound", false, cpu_bound},
	{"clock-cost", false, clock_cost},
	{"clock-drift", false, clock_drift},
	{"mean-misleads", false, mean_misleads},
	{"mean-misleads", false, mean_of_few},
	{"only-means", false, only_means},
	{"jobs-in-step", false, jobs_in_step},
	{"errors", false, errors},
	{"wrong-data", false, wrong_data},
	{"job-failed", false, job_failed},
	{"kernel-messages", false, kernel_messages},
	{"no-io", false, no_io},
	{"no-io", false, no_io_at_all},
	{"ended-early", false, ended_early},
	{"dd", false, dd},
	{"unlike-work", false, unlike_work},
};

const struct note_played_list played_by_run = {.v = played, .count = COUNT_OF(played)};
