/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* The 34 usual mistakes: each has its row in docs/notes/README.md, each note that a row names
 * exists, and each of these notes is provoked here, on a made-up machine that has none without
 * it.
 *
 * usage: unit-notes34 docs/notes/README.md */
#include "base/bits.h"
#include "base/rng.h"
#include "result/compare.h"
#include "result/environment.h"
#include "result/notes/notes.h"
#include "result/result.h"
#include "result/style.h"
#include "result/watch.h"
#include "result/work.h"
#include "tests/unit/report_fill.h"

#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define MISTAKES 34
#define SECONDS  60
#define MIB      (UINT64_C(1) << 20)

static const char *page;

/* A quiet machine: a file on ext4 on an NVMe drive, a job that reads and writes it directly for
 * a minute at 10000 I/Os a second. */
struct world {
	struct result *r;
	struct result_row *row;
	struct watch w;
	struct watch_job job;
	struct watch_target after;
	struct watch_drive drive;
	struct watch_device device;
	struct layer layers[2];
	struct filesystem_facts fs;
	struct block_facts block;
	struct queue_facts queue;
	struct controller_facts controller;
	struct nvme_facts nvme;
	struct target_facts target;
	struct result_option option;
	struct result_steady steady;
	const char *line;
	struct result_style style;
};

static void series_of(struct world *w, double (*rate)(uint32_t second))
{
	struct series *s = &w->row->series;
	struct rng rng;

	rng_init(&rng, 34);
	series_done(s);
	*s = (struct series){.interval_ns = NS_PER_S, .start_ns = 1000};
	for (uint32_t i = 0; i < SECONDS; i++) {
		uint64_t ios = (uint64_t)(rate(i) * (0.97 + 0.06 * rng_unit(&rng)));
		series_add(s, 1000 + i * NS_PER_S, DIR_WRITE, ios, ios * 4096, NULL, NULL);
	}
}

static double flat(uint32_t second)
{
	(void)second;
	return 10000;
}

static void make_result(struct world *w)
{
	w->row = fill_rows(w->r, 1);
	w->row->name = "a";
	w->row->style = &w->style;
	w->row->runtime_ns = SECONDS * NS_PER_S;
	w->row->window_start_ns = 1000;
	w->row->window_end_ns = 1000 + SECONDS * NS_PER_S;
	w->row->cpu_runtime_ms = SECONDS * 1000;
	w->row->depth = w->row->depth_asked = 1;
	for (int d = 0; d <= DIR_WRITE; d++) {
		fill_dir(&w->row->dir[d], SECONDS * 10000, 4096, SECONDS * NS_PER_S);
		w->row->dir[d].lat = fill_tail(w->r, 1, SECONDS * 10000, 80000);
	}
	series_of(w, flat);
}

static void make_watch(struct world *w)
{
	facts_forget(&watch_run_table, &w->w.run);
	facts_forget(&watch_job_table, &w->job);
	facts_forget(&watch_target_table, &w->after);
	facts_forget(&watch_drive_table, &w->drive);
	w->job = (struct watch_job){.name = "a",
		.workers = 1,
		.cpu_max_percent = 30,
		.cpu_wait_percent = 0.5,
		.moved_read_bytes = 1000 * MIB,
		.storage_read_bytes = 1000 * MIB,
		.requests = 1,
		.write_block_bytes = 4096,
		.random_read_bytes = 1000 * MIB};
	w->after = (struct watch_target){.path = "/x/f", .read_bytes_range = 1000 * MIB};
	w->drive = (struct watch_drive){
		.name = "nvme0n1", .temperature_c = 40, .write_amplification = 1.0};
	struct watch_run *run = &w->w.run;
	run->watched_ns = SECONDS * NS_PER_S;
	run->steal_percent = 0.1;
	run->group_throttled_us = run->heat_throttled = 0;
	run->frequency_min_khz = run->frequency_max_khz = 3000000;
	run->moved_read_bytes = run->storage_read_bytes = run->device_read_bytes = 1000 * MIB;
	run->moved_written_bytes = run->storage_written_bytes = 1000 * MIB;
	run->device_written_bytes = 1000 * MIB;
	run->foreign_read_bytes = run->foreign_written_bytes = 0;
	w->device = (struct watch_device){.name = "nvme0n1",
		.read_bytes = 1000 * MIB,
		.written_bytes = 1000 * MIB,
		.busy_percent = 50,
		.depth_mean = 4};
	w->w.devices = &w->device;
	w->w.devices_count = 1;
	w->w.jobs = &w->job;
	w->w.targets = &w->after;
	w->w.drives = &w->drive;
	w->w.kernel = &w->line;
	w->w.jobs_count = w->w.targets_count = w->w.drives_count = 1;
	w->r->watch = &w->w;
}

static void make_environment(struct world *w)
{
	struct environment *e = w->r->environment = environment_new();

	facts_forget(&filesystem_table, &w->fs);
	facts_forget(&block_table, &w->block);
	facts_forget(&queue_table, &w->queue);
	facts_forget(&controller_table, &w->controller);
	facts_forget(&nvme_table, &w->nvme);
	facts_forget(&target_table, &w->target);
	w->fs.type = "ext4";
	w->block.physical_block_bytes = 4096;
	w->block.number = "259:0";
	w->queue.requests = 1023;
	w->target.path = "/x/f";
	w->target.kind = "file";
	w->target.size_bytes = 1000 * MIB;
	w->target.on = 0;
	w->layers[0] = (struct layer){.id = "/x",
		.kind = "filesystem",
		.on = {1},
		.on_count = 1,
		.filesystem = &w->fs};
	w->layers[1] = (struct layer){.id = "nvme0n1",
		.kind = "disk",
		.block = &w->block,
		.queue = &w->queue,
		.controller = &w->controller,
		.nvme = &w->nvme};
	e->stack = (struct stack){.v = w->layers, .count = 2};
	e->targets = &w->target;
	e->targets_count = 1;
	e->memory.total_bytes = 400 * MIB;
	e->cpu.online = 4;
	e->cpu.governor = "performance";
	e->clock.name = "tsc";
}

static void world_make(struct world *w)
{
	*w = (struct world){.r = result_new()};
	w->r->final = true;
	w->r->elapsed_s = SECONDS;
	make_result(w);
	make_watch(w);
	make_environment(w);
}

static void world_done(struct world *w)
{
	w->r->environment->stack = (struct stack){0};
	w->r->environment->targets_count = 0;
	result_free(w->r);
}

/* ---- provocations ---- */

static void page_cache(struct world *w)
{
	w->job.buffered = 1;
	w->job.storage_read_bytes = 970 * MIB;
}

static void fits_memory(struct world *w)
{
	w->r->environment->memory.total_bytes = 600 * MIB;
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

static void never_written(struct world *w)
{
	w->target.unwritten_bytes = 600 * MIB;
	w->target.hole_bytes = 0;
}

static void nvme_fresh(struct world *w)
{
	w->nvme.raw.namespace_bytes = 100;
	w->nvme.raw.namespace_used_bytes = 3;
}

/* 10000, and from second 30 on 4000. */
static double cliff(uint32_t second)
{
	return second < 30 ? 10000 : 4000;
}

static void rate_changed(struct world *w)
{
	series_of(w, cliff);
}

/* A p99 of 100 us, and from second 30 on of 400 us. */
static void tail_changed(struct world *w)
{
	struct series *s = &w->row->series;

	series_done(s);
	*s = (struct series){.interval_ns = NS_PER_S, .start_ns = 1000};
	for (uint32_t i = 0; i < SECONDS; i++) {
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
	series_of(w, waves);
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

/* The first hundredth takes 20 us, the median 200: 10 times that. */
static void saturated(struct world *w)
{
	static const double percents[] = {1, 2, 50, 99};
	static const uint64_t values[] = {20000, 100000, 200000, 300000};

	w->row->depth = w->row->depth_asked = 32;
	for (int d = 0; d <= DIR_WRITE; d++) {
		w->row->dir[d].lat->moments.min = 20000;
		fill_percentiles(w->row->dir[d].lat, percents, values, 4);
	}
}

/* A device that takes one after the other, 1 ms each, and 32 requests at once: the first take
 * 1, 2, ... 32 ms, all others 32.  LATER_NS is what another of each second takes. */
static void one_by_one(struct world *w, uint64_t later_ns)
{
	struct histogram *h = calloc(1, sizeof(*h));
	struct series *s = &w->row->series;

	assert_non_null(h);
	saturated(w);
	/* one hundredth of them is no faster than the median */
	for (int d = 0; d <= DIR_WRITE; d++)
		fill_percentiles(w->row->dir[d].lat, (const double[]){1, 100},
			(const uint64_t[]){32000000, 32000000}, 2);
	series_done(s);
	*s = (struct series){.interval_ns = NS_PER_S, .start_ns = 1000};
	for (uint32_t i = 0; i < SECONDS; i++) {
		histogram_reset(h);
		for (uint32_t k = 1; k <= 1000; k++)
			histogram_record(h, (i || k > 32 ? 32 : k) * UINT64_C(1000000));
		histogram_record(h, later_ns);
		series_add(s, 1000 + i * NS_PER_S, DIR_READ, 1001, 1001 * 4096, h, NULL);
	}
	free(h);
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

static void limit_aio(struct world *w)
{
	w->r->environment->limits.aio_requests = 65536;
	w->r->environment->limits.aio_requests_used = 65000;
}

static void limit_locked(struct world *w)
{
	w->r->environment->limits.locked_memory_bytes = 65536;
}

static void limit_files(struct world *w)
{
	w->r->environment->limits.open_files = 1024;
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

static void compressing(struct world *w)
{
	w->fs.options = "rw,compress=zstd:3";
}

static void small_range(struct world *w)
{
	w->job.random_read_bytes = 64 * MIB;
}

static void virtual_machine(struct world *w)
{
	w->r->environment->host.virtual_machine = "kvm";
}

static void in_memory(struct world *w)
{
	w->fs.type = "tmpfs";
}

static void remote(struct world *w)
{
	w->fs.remote = 1;
}

static void loop_buffered(struct world *w)
{
	w->block.backing_file = "/y";
	w->block.loop_direct = 0;
}

static void encrypting(struct world *w)
{
	w->layers[1].kind = "crypt";
}

static void filesystem_full(struct world *w)
{
	w->fs.size_bytes = 1000 * MIB;
	w->fs.available_bytes = 50 * MIB;
}

static void fragmented(struct world *w)
{
	w->target.extents = 9000;
	w->target.written_bytes = 1000 * MIB;
	w->target.unwritten_bytes = w->target.hole_bytes = 0;
}

static void misaligned(struct world *w)
{
	w->block.partition_start_bytes = 63 * 512;
}

static void small_blocks(struct world *w)
{
	w->job.write_block_bytes = 512;
}

static void nvme_format(struct world *w)
{
	w->nvme.raw.format_best = 0;
	w->nvme.raw.format_bytes = 512;
}

static void cpu_governor(struct world *w)
{
	w->r->environment->cpu.governor = "powersave";
}

static void cpu_idle(struct world *w)
{
	w->r->environment->cpu.idle_latency_max_us = 400;
}

static void cpu_boost(struct world *w)
{
	w->r->environment->cpu.boost = 1;
}

static void cpu_frequency(struct world *w)
{
	w->w.run.frequency_min_khz = 800000;
}

static void nvme_sleep(struct world *w)
{
	w->nvme.raw.autonomous_power = 1;
	w->nvme.raw.exit_latency_max_us = 9000;
}

static void link_power(struct world *w)
{
	w->controller.link_power = "med_power_with_dipm";
}

static void drive_hot(struct world *w)
{
	w->drive.throttled = 2;
	w->drive.hot_minutes = 1;
}

static void nvme_hot(struct world *w)
{
	w->nvme.raw.temperature_c = 85;
	w->nvme.raw.temperature_warning_c = 80;
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

static void io_limit(struct world *w)
{
	w->r->environment->group.io_limits = "259:0 rbps=1048576";
}

static void in_use(struct world *w)
{
	w->target.used_by = "it is mounted on /y";
}

static void other_load(struct world *w)
{
	w->r->environment->load.load_1min = 3;
}

static void io_pressure(struct world *w)
{
	w->r->environment->load.pressure_io_percent = 12;
}

static void steal(struct world *w)
{
	w->r->environment->load.steal_percent = 3;
}

static void group_cpu(struct world *w)
{
	w->r->environment->group.cpus = 0.5;
}

static void generator_bound(struct world *w)
{
	w->row->cpu.user_ms = SECONDS * 1000;
	w->row->generator_ns = SECONDS * NS_PER_S / 10 * 9;
}

static void cpu_bound(struct world *w)
{
	w->job.cpu_max_percent = 99.5;
}

static void numa(struct world *w)
{
	w->r->environment->cpu.numa_nodes = 2;
	w->controller.numa_node = 1;
	w->controller.numa_cpus = "8-15";
}

static void clock_cost(struct world *w)
{
	w->r->stamp_cost_ns = 40000;
}

static void clock_step(struct world *w)
{
	w->r->environment->clock.step_ns = 100000;
}

static void clock_drift(struct world *w)
{
	w->r->clock_drift_ns = 1e9;
}

static void clock_source(struct world *w)
{
	w->r->environment->clock.name = "clock_gettime";
	w->r->environment->clock.stamp_cost_ns = 900;
}

static void scheduler(struct world *w)
{
	w->queue.scheduler = "bfq";
	w->block.rotational = 0;
}

static void write_cache(struct world *w)
{
	w->queue.write_cache = "write back";
}

static void read_ahead(struct world *w)
{
	w->queue.read_ahead_bytes = 8 * MIB;
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
	static const struct latency_told told = {.counted = true, .mean = 90000, .stddev = 1000};
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

static void drive_errors(struct world *w)
{
	w->drive.media_errors = 1;
}

static void link_errors(struct world *w)
{
	w->drive.link_errors = 1;
}

static void amplification(struct world *w)
{
	w->drive.write_amplification = 2.5;
}

static void link_degraded(struct world *w)
{
	w->controller.link_speed = "2.5 GT/s PCIe";
	w->controller.link_speed_possible = "8.0 GT/s PCIe";
}

static void nvme_errors(struct world *w)
{
	w->nvme.raw.media_errors = 4;
}

static void md_busy(struct world *w)
{
	w->block.md_action = "resync";
}

static double stall(uint32_t second)
{
	return second >= 20 && second < 23 ? 0 : 10000;
}

static void no_io(struct world *w)
{
	series_of(w, stall);
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

static const struct {
	const char *id;
	bool doctor;
	void (*make)(struct world *w);
} cases[] = {
	{"page-cache", false, page_cache},
	{"fits-memory", true, fits_memory},
	{"unsynced", false, unsynced},
	{"written-over", false, written_over},
	{"sync-at-end", false, sync_at_end},
	{"read-unwritten", false, read_unwritten},
	{"never-written", true, never_written},
	{"nvme-fresh", true, nvme_fresh},
	{"rate-changed", false, rate_changed},
	{"tail-changed", false, tail_changed},
	{"unsteady", false, unsteady},
	{"not-steady", false, not_steady},
	{"short-run", false, short_run},
	{"ramp-only", false, ramp_only},
	{"rate-not-reached", false, rate_not_reached},
	{"saturated", false, saturated},
	{"depth-no-effect", false, depth_no_effect},
	{"depth-no-effect", false, depth_of_memory},
	{"submit-synchronous", false, submit_synchronous},
	{"depth-beyond-device", false, depth_beyond},
	{"limit-aio", true, limit_aio},
	{"limit-locked", true, limit_locked},
	{"limit-files", true, limit_files},
	{"plain-data", false, plain_data},
	{"units", false, units},
	{"compressing", true, compressing},
	{"small-range", false, small_range},
	{"virtual-machine", true, virtual_machine},
	{"in-memory", false, in_memory},
	{"remote", true, remote},
	{"loop-buffered", true, loop_buffered},
	{"encrypting", true, encrypting},
	{"filesystem-full", false, filesystem_full},
	{"fragmented", true, fragmented},
	{"misaligned", false, misaligned},
	{"small-blocks", false, small_blocks},
	{"nvme-format", true, nvme_format},
	{"cpu-governor", true, cpu_governor},
	{"cpu-idle", true, cpu_idle},
	{"cpu-boost", true, cpu_boost},
	{"cpu-frequency", false, cpu_frequency},
	{"nvme-sleep", true, nvme_sleep},
	{"link-power", true, link_power},
	{"drive-hot", false, drive_hot},
	{"nvme-hot", false, nvme_hot},
	{"heat", false, heat},
	{"foreign-io", false, foreign_io},
	{"stolen", false, stolen},
	{"cpu-wait", false, cpu_wait},
	{"cgroup-throttled", false, group_throttled},
	{"io-limit", false, io_limit},
	{"in-use", true, in_use},
	{"other-load", true, other_load},
	{"io-pressure", true, io_pressure},
	{"steal", true, steal},
	{"cgroup-cpu", true, group_cpu},
	{"generator-bound", false, generator_bound},
	{"cpu-bound", false, cpu_bound},
	{"numa", true, numa},
	{"clock-cost", false, clock_cost},
	{"clock-drift", false, clock_drift},
	{"clock-step", false, clock_step},
	{"clock-source", true, clock_source},
	{"scheduler", true, scheduler},
	{"write-cache", true, write_cache},
	{"read-ahead", true, read_ahead},
	{"mean-misleads", false, mean_misleads},
	{"mean-misleads", false, mean_of_few},
	{"only-means", false, only_means},
	{"jobs-in-step", false, jobs_in_step},
	{"errors", false, errors},
	{"wrong-data", false, wrong_data},
	{"job-failed", false, job_failed},
	{"kernel-messages", false, kernel_messages},
	{"drive-errors", false, drive_errors},
	{"link-errors", false, link_errors},
	{"write-amplification", false, amplification},
	{"link-degraded", false, link_degraded},
	{"nvme-errors", true, nvme_errors},
	{"md-busy", false, md_busy},
	{"no-io", false, no_io},
	{"no-io", false, no_io_at_all},
	{"ended-early", false, ended_early},
	{"dd", false, dd},
	{"unlike-work", false, unlike_work},
};

/* ---- each is found, and nothing else ---- */

static void ask(struct world *w, bool doctor)
{
	assert_int_equal(doctor ? notes_doctor(w->r) : result_notes_make(w->r), 0);
}

static void test_nothing(void **state)
{
	struct world w;

	(void)state;
	for (int doctor = 0; doctor < 2; doctor++) {
		world_make(&w);
		ask(&w, doctor);
		if (w.r->notes_count)
			fail_msg("%s: %s", w.r->notes[0].id, w.r->notes[0].text);
		world_done(&w);
	}
}

static void test_each(void **state)
{
	struct world w;

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		world_make(&w);
		cases[i].make(&w);
		ask(&w, cases[i].doctor);
		if (!w.r->notes_count)
			fail_msg("no note %s", cases[i].id);
		for (uint32_t k = 0; k < w.r->notes_count; k++)
			if (strcmp(w.r->notes[k].id, cases[i].id) != 0)
				fail_msg("%s gives %s: %s", cases[i].id, w.r->notes[k].id,
					w.r->notes[k].text);
		world_done(&w);
	}
}

static void test_one_by_one(void **state)
{
	struct world w;

	(void)state;
	world_make(&w);
	one_by_one(&w, 32000000);
	ask(&w, false);
	assert_int_equal(w.r->notes_count, 1);
	assert_string_equal(w.r->notes[0].id, "saturated");
	assert_non_null(strstr(w.r->notes[0].text, "none after the start less than 32"));
	world_done(&w);

	/* fast ones all the time: those are hits of a cache */
	world_make(&w);
	one_by_one(&w, 1000000);
	ask(&w, false);
	assert_int_equal(w.r->notes_count, 0);
	world_done(&w);
}

/* Bytes that waited in memory when the run began are no other program's. */
static void test_waited(void **state)
{
	static const struct {
		uint64_t before_mib;
		const char *remedy;
	} runs[] = {
		{0, "stop the others, or wait for them"},
		{14, "stop the others, or wait for them"}, /* less than half of the 30 */
		{15, "run sync before it"},
		{900, "run sync before it"},
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(runs); i++) {
		struct world w;
		world_make(&w);
		foreign_io(&w);
		w.w.run.dirty_before_bytes = runs[i].before_mib * MIB;
		ask(&w, false);
		assert_int_equal(w.r->notes_count, 1);
		assert_string_equal(w.r->notes[0].remedy, runs[i].remedy);
		world_done(&w);
	}
}

/* ---- what a change is said to be ---- */

static double warm_up(uint32_t second)
{
	return second < 8 ? 3000 : 10000;
}

static double saw(uint32_t second)
{
	return second / 8 % 2 ? 4000 : 10000;
}

static double slope(uint32_t second)
{
	return 10000 * exp(-0.01 * second);
}

static void test_shapes(void **state)
{
	static const struct {
		double (*rate)(uint32_t second);
		bool hot, buffered;
		const char *word;
	} shapes[] = {
		{warm_up, false, false, "warmed up"},
		{cliff, false, false, "SLC"},
		{cliff, true, false, "heat"},
		{cliff, false, true, "memory was full"},
		{saw, false, false, "garbage collection"},
		{slope, false, false, "steadily"},
	};
	struct world w;

	(void)state;
	for (size_t i = 0; i < COUNT_OF(shapes); i++) {
		bool found = false;
		world_make(&w);
		series_of(&w, shapes[i].rate);
		w.drive.throttled = shapes[i].hot;
		w.job.buffered = shapes[i].buffered;
		ask(&w, false);
		for (uint32_t k = 0; k < w.r->notes_count; k++) {
			const struct result_note *n = &w.r->notes[k];
			if (strcmp(n->id, "rate-changed") != 0)
				continue;
			found = true;
			if (!strstr(n->text, shapes[i].word))
				fail_msg("no '%s' in: %s", shapes[i].word, n->text);
			if (shapes[i].rate == cliff) /* within 2 s */
				assert_true(fabs(n->evidence[0].value - 30) <= 2);
		}
		if (!found)
			fail_msg("nothing found: %s", shapes[i].word);
		world_done(&w);
	}
}

/* ---- between runs ---- */

#define SIDES_RUNS 5

/* Runs of a side, and what is different in B. */
struct pair {
	uint32_t count;
	struct world a[SIDES_RUNS], b[SIDES_RUNS];
};

static void pair_one_run(struct pair *p)
{
	p->count = 1;
}

static void pair_means_hide(struct pair *p)
{
	static const struct fill_kind kind = {52, 1920, 15}; /* the mean is 80, too */

	for (uint32_t i = 0; i < SIDES_RUNS; i++)
		p->b[i].row->dir[DIR_READ].lat = fill_humps(p->b[i].r, 100 + i, &kind);
}

static void pair_settings(struct pair *p)
{
	p->a[0].queue.scheduler = "none";
	p->b[0].queue.scheduler = "bfq";
}

static void pair_other_work(struct pair *p)
{
	for (uint32_t i = 0; i < SIDES_RUNS; i++)
		p->b[i].row->what = "randread 8k";
}

static void pair_in_sequence(struct pair *p)
{
	for (uint32_t i = 0; i < SIDES_RUNS; i++)
		p->b[i].r->time_ms += 1000;
}

static const struct {
	const char *id;
	void (*make)(struct pair *p);
} compared[] = {
	{NULL, NULL},
	{"one-run", pair_one_run},
	{"means-hide", pair_means_hide},
	{"settings-changed", pair_settings},
	{"other-work", pair_other_work},
	{"in-sequence", pair_in_sequence},
};

static void pair_make(struct pair *p)
{
	static const struct fill_kind kind = {80, 0, 0};

	p->count = SIDES_RUNS;
	for (uint32_t i = 0; i < SIDES_RUNS; i++) {
		struct world *both[] = {&p->a[i], &p->b[i]};
		for (uint32_t k = 0; k < 2; k++) {
			world_make(both[k]);
			both[k]->r->time_ms = 100 + 10 * i + k;
			for (int d = 0; d <= DIR_WRITE; d++)
				both[k]->row->dir[d].lat = fill_humps(both[k]->r, 2 * i + k, &kind);
		}
	}
}

/* Each is found, and nothing else that has an id. */
static void test_compared(void **state)
{
	struct pair *p = calloc(1, sizeof(*p));
	const struct result *runs[2][SIDES_RUNS];
	struct compare_side sides[2] = {{.name = "a", .runs = runs[0]},
		{.name = "b", .runs = runs[1]}};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(compared); i++) {
		bool found = false;
		pair_make(p);
		if (compared[i].make)
			compared[i].make(p);
		for (uint32_t k = 0; k < SIDES_RUNS; k++) {
			runs[0][k] = p->a[k].r;
			runs[1][k] = p->b[k].r;
		}
		sides[0].count = sides[1].count = p->count;
		struct compare *c = compare_make(sides, 2, COMPARE_BY_JOB, 0.02);
		for (uint32_t k = 0; k < c->notes_count; k++) {
			const struct result_note *n = &c->notes[k];
			if (!n->id)
				continue;
			if (!compared[i].id || strcmp(n->id, compared[i].id) != 0)
				fail_msg("%s gives %s: %s",
					compared[i].id ? compared[i].id : "nothing", n->id, n->text);
			found = true;
		}
		if (compared[i].id && !found)
			fail_msg("no note %s", compared[i].id);
		compare_free(c);
		for (uint32_t k = 0; k < SIDES_RUNS; k++) {
			world_done(&p->a[k]);
			world_done(&p->b[k]);
		}
	}
	free(p);
}

/* ---- what a sync would cost ---- */

static double evidence_of(const struct result_note *n, const char *key)
{
	for (uint32_t i = 0; i < n->evidence_count; i++)
		if (!strcmp(n->evidence[i].key, key))
			return n->evidence[i].value;
	return NAN;
}

/* A device that took 1000 MiB in 10 of 60 s takes the 20 MiB that are left in 0.2 s. */
static void test_sync_cost(void **state)
{
	static const struct {
		uint64_t written, read, left;
		double busy_percent, cost_s;
	} cases_of[] = {
		{1000 * MIB, 0, 20 * MIB, 100.0 / 6, 0.2},
		{1000 * MIB, 0, 2000 * MIB, 100.0 / 6, 20},
		{1000 * MIB, 0, 20001 * MIB, 100.0 / 6, NAN}, /* too far beyond what it did */
		{1000 * MIB, 251 * MIB, 20 * MIB, 100.0 / 6, NAN}, /* it had other work */
		{15 * MIB, 0, 20 * MIB, 100.0 / 6, NAN},
		{1000 * MIB, 0, 20 * MIB, 0.1, NAN}, /* 60 ms: nothing was seen but a cache */
		{1000 * MIB, 0, 20 * MIB, NAN, NAN},
	};
	struct watch_device device = {.name = "nvme0n1"};
	struct world w;

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases_of); i++) {
		world_make(&w);
		device.written_bytes = w.w.run.device_written_bytes = cases_of[i].written;
		w.w.run.device_read_bytes = cases_of[i].read;
		w.w.run.foreign_read_bytes = w.w.run.storage_read_bytes = FACT_UNKNOWN;
		device.busy_percent = cases_of[i].busy_percent;
		w.w.devices = &device;
		w.w.devices_count = 1;
		w.after.dirty_bytes = cases_of[i].left;
		w.after.writeback_bytes = 0;
		ask(&w, false);
		assert_int_equal(w.r->notes_count, 1);
		const struct result_note *n = &w.r->notes[0];
		assert_string_equal(n->id, "unsynced");
		double cost_s = evidence_of(n, "sync_estimated_s");
		if (isnan(cases_of[i].cost_s)) {
			assert_true(isnan(cost_s));
			assert_non_null(strstr(n->text, "end_fsync=1 measures it"));
		} else {
			assert_true(fabs(cost_s - cases_of[i].cost_s) < 1e-9);
			/* 60 s of writing, and then the sync */
			double whole = evidence_of(n, "written_bytes_per_s") * 60;
			assert_true(fabs(evidence_of(n, "with_sync_bytes_per_s") * (60 + cost_s) -
					    whole) < 1e-3 * whole);
		}
		world_done(&w);
	}
}

/* ---- what helps depends on what the job has already ---- */

static void test_depth_remedies(void **state)
{
	static const struct {
		const char *engine, *kind;
		bool synchronous;
		uint64_t buffered;
		const char *has, *has_not;
	} cases_of[] = {
		{"libaio", "file", true, 1, "direct=1 or io_uring", NULL},
		{"io_uring", "file", true, 1, "direct=1", "io_uring"},
		{"libaio", "file", true, 0, "write the file first", "use direct=1"},
		{"libaio", "block device", true, 0, "a disk of RAM", "use direct=1"},
		{"libaio", "block device", true, FACT_UNKNOWN, "direct=1", NULL},
		{"psync", "file", false, 1, "libaio with direct=1", NULL},
		{"psync", "file", false, 0, "io_uring or libaio", "direct=1"},
	};
	struct world w;

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases_of); i++) {
		world_make(&w);
		w.row->engine = cases_of[i].engine;
		w.target.kind = cases_of[i].kind;
		w.job.buffered = cases_of[i].buffered;
		w.row->depth_asked = 32;
		w.row->submit_synchronous = cases_of[i].synchronous;
		ask(&w, false);
		assert_int_equal(w.r->notes_count, 1);
		const char *remedy = w.r->notes[0].remedy;
		if (!strstr(remedy, cases_of[i].has) ||
			(cases_of[i].has_not && strstr(remedy, cases_of[i].has_not)))
			fail_msg("%s %s: %s", cases_of[i].engine, cases_of[i].kind, remedy);
		world_done(&w);
	}
}

/* ---- the table of mistakes ---- */

static bool is_id(const char *id)
{
	for (size_t t = 0; note_tables[t]; t++)
		for (size_t i = 0; i < note_tables[t]->count; i++)
			if (!strcmp(note_tables[t]->rules[i].id, id))
				return true;
	return false;
}

static bool provoked(const char *id)
{
	for (size_t i = 0; i < COUNT_OF(cases); i++)
		if (!strcmp(cases[i].id, id))
			return true;
	for (size_t i = 0; i < COUNT_OF(compared); i++)
		if (compared[i].id && !strcmp(compared[i].id, id))
			return true;
	return false;
}

/* The words in backquotes of the last column; `weir ...` is a command. */
static unsigned check_row(unsigned number, char *notes)
{
	unsigned count = 0;

	for (char *save = NULL, *part = strtok_r(notes, "`", &save); part;
		part = strtok_r(NULL, "`", &save)) {
		part = strtok_r(NULL, "`", &save);
		if (!part || !strncmp(part, "weir ", 5))
			continue;
		if (!is_id(part))
			fail_msg("mistake %u: there is no note %s", number, part);
		if (!provoked(part))
			fail_msg("mistake %u: %s is not provoked", number, part);
		count++;
	}
	return count;
}

static void test_table(void **state)
{
	FILE *f = fopen(page, "r");
	char line[512];
	unsigned next = 1, with = 0;

	(void)state;
	assert_non_null(f);
	while (fgets(line, sizeof(line), f)) {
		unsigned number;
		char *last = strrchr(line, '|');
		if (sscanf(line, "| %u |", &number) != 1 || !last)
			continue;
		assert_int_equal(number, next);
		next++;
		*last = '\0';
		last = strrchr(line, '|') + 1;
		bool none = !strncmp(last, " none", 5);
		unsigned notes = check_row(number, last);
		if (!none && !notes)
			fail_msg("mistake %u has no note", number);
		with += notes > 0;
	}
	fclose(f);
	assert_int_equal(next, MISTAKES + 1);
	assert_int_equal(with, MISTAKES);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nothing),
		cmocka_unit_test(test_each),
		cmocka_unit_test(test_waited),
		cmocka_unit_test(test_one_by_one),
		cmocka_unit_test(test_shapes),
		cmocka_unit_test(test_depth_remedies),
		cmocka_unit_test(test_compared),
		cmocka_unit_test(test_sync_cost),
		cmocka_unit_test(test_table),
	};
	page = argc > 1 ? argv[1] : "docs/notes/README.md";
	return cmocka_run_group_tests(tests, NULL, NULL);
}
