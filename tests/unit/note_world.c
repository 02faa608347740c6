/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "tests/unit/note_world.h"

#include "base/rng.h"
#include "result/notes/notes.h"
#include "tests/unit/report_fill.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

void world_series(struct world *w, double (*rate)(uint32_t second))
{
	struct series *s = &w->row->series;
	struct rng rng;

	rng_init(&rng, 34);
	series_done(s);
	*s = (struct series){.interval_ns = NS_PER_S, .start_ns = 1000};
	for (uint32_t i = 0; i < WORLD_SECONDS; i++) {
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
	w->row->runtime_ns = WORLD_SECONDS * NS_PER_S;
	w->row->window_start_ns = 1000;
	w->row->window_end_ns = 1000 + WORLD_SECONDS * NS_PER_S;
	w->row->cpu_runtime_ms = WORLD_SECONDS * 1000;
	w->row->depth = w->row->depth_asked = 1;
	for (int d = 0; d <= DIR_WRITE; d++) {
		fill_dir(&w->row->dir[d], WORLD_SECONDS * 10000, 4096,
			WORLD_SECONDS * NS_PER_S);
		w->row->dir[d].lat = fill_tail(w->r, 1, WORLD_SECONDS * 10000, 80000);
	}
	world_series(w, flat);
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
	run->watched_ns = WORLD_SECONDS * NS_PER_S;
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

void world_make(struct world *w)
{
	*w = (struct world){.r = result_new()};
	w->r->final = true;
	w->r->elapsed_s = WORLD_SECONDS;
	make_result(w);
	make_watch(w);
	make_environment(w);
}

void world_done(struct world *w)
{
	w->r->environment->stack = (struct stack){0};
	w->r->environment->targets_count = 0;
	result_free(w->r);
}

void world_ask(struct world *w, bool doctor)
{
	assert_int_equal(doctor ? notes_doctor(w->r) : result_notes_make(w->r), 0);
}

double world_cliff(uint32_t second)
{
	return second < 30 ? 10000 : 4000;
}

void world_saturated(struct world *w)
{
	static const double percents[] = {1, 2, 50, 99};
	static const uint64_t values[] = {20000, 100000, 200000, 300000};

	w->row->depth = w->row->depth_asked = 32;
	for (int d = 0; d <= DIR_WRITE; d++) {
		w->row->dir[d].lat->moments.min = 20000;
		fill_percentiles(w->row->dir[d].lat, percents, values, 4);
	}
}
