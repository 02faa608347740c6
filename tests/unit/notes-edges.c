/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Where notes begin: a little this side of each limit, and a little beyond. */
#include "base/bits.h"
#include "tests/unit/note_world.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static const struct result_note *note_of(const struct world *w, const char *id)
{
	for (uint32_t i = 0; i < w->r->notes_count; i++)
		if (!strcmp(w->r->notes[i].id, id))
			return &w->r->notes[i];
	return NULL;
}

static double evidence_of(const struct result_note *n, const char *key)
{
	for (uint32_t i = 0; i < n->evidence_count; i++)
		if (!strcmp(n->evidence[i].key, key))
			return n->evidence[i].value;
	return NAN;
}

/* ---- bytes ---- */

/* Of 1000 MiB that were read; then of as many that were written. */
static void page_cache(struct world *w, bool beyond)
{
	w->job.buffered = 1;
	w->job.storage_read_bytes = (beyond ? 989 : 991) * MIB;
}

static void unsynced(struct world *w, bool beyond)
{
	w->after.dirty_bytes = 5 * MIB;
	w->after.writeback_bytes = (beyond ? 6 : 4) * MIB;
}

static void written_over(struct world *w, bool beyond)
{
	w->w.run.storage_written_bytes = (beyond ? 949 : 951) * MIB;
}

static void read_unwritten(struct world *w, bool beyond)
{
	w->after.read_unwritten_bytes = (beyond ? 11 : 9) * MIB;
}

/* It has read 600000 times 4 KiB, ten times 234.4 MiB. */
static void small_range(struct world *w, bool beyond)
{
	w->job.random_read_bytes = (beyond ? 234 : 235) * MIB;
}

/* Of 2000 MiB that the device moved. */
static void foreign_io(struct world *w, bool beyond)
{
	w->w.run.foreign_read_bytes = 10 * MIB;
	w->w.run.foreign_written_bytes = (beyond ? 11 : 9) * MIB;
}

static void foreign_little(struct world *w, bool beyond)
{
	w->w.run.device_read_bytes = w->w.run.device_written_bytes = 2 * MIB;
	w->w.run.foreign_read_bytes = beyond ? MIB : MIB - 1;
}

/* ---- time, of a minute ---- */

static void sync_at_end(struct world *w, bool beyond)
{
	w->row->last_sync_ns = (beyond ? 700 : 500) * NS_PER_MS;
}

static void group_throttled(struct world *w, bool beyond)
{
	w->w.run.group_throttled_us = beyond ? 600000 : 599999;
}

static void ended_early(struct world *w, bool beyond)
{
	w->job.runtime_asked_ns = (beyond ? 121 : 120) * NS_PER_S;
}

static void short_run(struct world *w, bool beyond)
{
	w->row->runtime_ns = NS_PER_S - beyond;
}

static void suspended(struct world *w, bool beyond)
{
	w->r->suspended_ns = (beyond ? 101 : 100) * NS_PER_MS;
}

/* 500 ppm are what the kernel slews its clock by; twice that, and 1 ms. */
static void clock_drift(struct world *w, bool beyond)
{
	w->r->elapsed_s = WORLD_SECONDS;
	w->r->clock_drift_ns = beyond ? -61.1e6 : -60.9e6;
}

static void log_wait(struct world *w, bool beyond)
{
	w->row->log_wait_ns = (beyond ? 61 : 60) * NS_PER_MS;
}

static void generator_half(struct world *w, bool beyond)
{
	w->row->cpu.user_ms = 40000;
	w->row->cpu.system_ms = 20000;
	w->row->generator_ns = (beyond ? 30100 : 29900) * NS_PER_MS;
}

/* One that sleeps for a tenth of its time isn't limited by itself. */
static void generator_busy(struct world *w, bool beyond)
{
	w->row->cpu.user_ms = beyond ? 54100 : 53900;
	w->row->generator_ns = 50 * NS_PER_S;
}

static double stall(uint32_t second)
{
	return second >= 20 && second < 23 ? 0 : 10000;
}

/* Nothing comes back from a worker that is stopped: that is another note. */
static void no_io(struct world *w, bool beyond)
{
	world_series(w, stall);
	w->row->stopped_ns = (beyond ? 2900 : 3000) * NS_PER_MS;
}

/* ---- CPUs ---- */

static void stolen(struct world *w, bool beyond)
{
	w->w.run.steal_percent = beyond ? 1 : 0.99;
}

static void cpu_frequency(struct world *w, bool beyond)
{
	w->w.run.frequency_min_khz = beyond ? 2090000 : 2110000;
}

static void cpu_wait(struct world *w, bool beyond)
{
	w->job.cpu_wait_percent = beyond ? 10 : 9.9;
}

static void cpu_bound(struct world *w, bool beyond)
{
	w->job.cpu_max_percent = beyond ? 97 : 96.9;
}

/* ---- the load ---- */

static void small_blocks(struct world *w, bool beyond)
{
	w->job.write_block_bytes = beyond ? 2048 : 4096;
}

static void depth_beyond(struct world *w, bool beyond)
{
	w->job.requests = 1023 + beyond;
}

static void depth_of_queues(struct world *w, bool beyond)
{
	w->queue.hardware_queues = 4;
	w->job.requests = 4 * 1023 + beyond;
}

static void depth_of_device(struct world *w, bool beyond)
{
	w->queue.device_depth = 32;
	w->job.requests = 32 + beyond;
}

static void jobs_in_step(struct world *w, bool beyond)
{
	w->job.in_step = 1 + beyond;
}

static void depth_no_effect(struct world *w, bool beyond)
{
	w->row->depth_asked = 1 + beyond;
}

static void saturated(struct world *w, bool beyond)
{
	world_saturated(w);
	w->row->depth = w->row->depth_asked = 7 + beyond;
}

/* ---- schedules ---- */

static void arrivals(struct world *w, uint64_t due, uint64_t late, uint64_t missed)
{
	struct result_dir *d = &w->row->dir[DIR_READ];

	d->asked_per_s = 20000;
	d->due = due;
	d->late = late;
	d->missed = missed;
}

static void late(struct world *w, bool beyond)
{
	arrivals(w, 1200000, 12000 + beyond, 0);
}

static void missed(struct world *w, bool beyond)
{
	arrivals(w, 1200000, 6000, 6000 + beyond);
}

/* Where one of 100 is late, 1 - exp(-0.01 N) is the chance of one or more among N: 4.9 % for
 * 5, 5.8 % for 6. */
static void one_late(struct world *w, bool beyond)
{
	arrivals(w, beyond ? 5 : 6, 1, 0);
}

/* 1 - exp(-0.01 N) (1 + 0.01 N): 4.9 % for 35, 5.1 % for 36. */
static void two_late(struct world *w, bool beyond)
{
	arrivals(w, beyond ? 35 : 36, 2, 0);
}

/* ---- before a run ---- */

static void fits_memory(struct world *w, bool beyond)
{
	w->target.size_bytes = 800 * MIB - beyond;
}

static void never_written(struct world *w, bool beyond)
{
	w->target.unwritten_bytes = 5 * MIB;
	w->target.hole_bytes = (beyond ? 6 : 5) * MIB;
}

static void pieces(struct world *w, uint64_t count, uint64_t bytes)
{
	w->target.extents = count;
	w->target.written_bytes = bytes;
	w->target.unwritten_bytes = w->target.hole_bytes = 0;
}

static void fragmented(struct world *w, bool beyond)
{
	pieces(w, 255 + beyond, 10 * MIB);
}

static void small_pieces(struct world *w, bool beyond)
{
	pieces(w, 1000, beyond ? 249 * MIB : 250 * MIB);
}

static void filesystem_full(struct world *w, bool beyond)
{
	w->fs.size_bytes = 1000 * MIB;
	w->fs.available_bytes = (beyond ? 99 : 101) * MIB;
}

static void worn(struct world *w, bool beyond)
{
	w->nvme.raw.used_percent = 99 + beyond;
}

static void sleepy(struct world *w, bool beyond)
{
	w->nvme.raw.autonomous_power = 1;
	w->nvme.raw.exit_latency_max_us = 999 + beyond;
}

static void fresh(struct world *w, bool beyond)
{
	w->nvme.raw.namespace_bytes = 1000 * MIB;
	w->nvme.raw.namespace_used_bytes = 500 * MIB + !beyond;
}

static void limit_aio(struct world *w, bool beyond)
{
	w->r->environment->limits.aio_requests = 65536;
	w->r->environment->limits.aio_requests_used = 65536 - 4096 + beyond;
}

static void limit_files(struct world *w, bool beyond)
{
	w->r->environment->limits.open_files = 1025 - beyond;
}

static void limit_locked(struct world *w, bool beyond)
{
	w->r->environment->limits.locked_memory_bytes = 8 * MIB - beyond;
}

static void cpu_idle(struct world *w, bool beyond)
{
	w->r->environment->cpu.idle_latency_max_us = 50 + beyond;
}

static void narrow_link(struct world *w, bool beyond)
{
	w->controller.link_speed = w->controller.link_speed_possible = "16.0 GT/s PCIe";
	w->controller.link_width = beyond ? 2 : 4;
	w->controller.link_width_possible = 4;
}

static const struct {
	const char *id;
	bool doctor;
	void (*set)(struct world *w, bool beyond);
} edges[] = {
	{"page-cache", false, page_cache},
	{"unsynced", false, unsynced},
	{"written-over", false, written_over},
	{"read-unwritten", false, read_unwritten},
	{"small-range", false, small_range},
	{"foreign-io", false, foreign_io},
	{"foreign-io", false, foreign_little},
	{"sync-at-end", false, sync_at_end},
	{"cgroup-throttled", false, group_throttled},
	{"ended-early", false, ended_early},
	{"short-run", false, short_run},
	{"suspended", false, suspended},
	{"clock-drift", false, clock_drift},
	{"log-wait", false, log_wait},
	{"generator-bound", false, generator_half},
	{"generator-bound", false, generator_busy},
	{"no-io", false, no_io},
	{"stolen", false, stolen},
	{"cpu-frequency", false, cpu_frequency},
	{"cpu-wait", false, cpu_wait},
	{"cpu-bound", false, cpu_bound},
	{"small-blocks", false, small_blocks},
	{"depth-beyond-device", false, depth_beyond},
	{"depth-beyond-device", false, depth_of_queues},
	{"depth-beyond-device", false, depth_of_device},
	{"jobs-in-step", false, jobs_in_step},
	{"depth-no-effect", false, depth_no_effect},
	{"saturated", false, saturated},
	{"rate-not-reached", false, late},
	{"rate-not-reached", false, missed},
	{"rate-not-reached", false, one_late},
	{"rate-not-reached", false, two_late},
	{"fits-memory", true, fits_memory},
	{"never-written", true, never_written},
	{"fragmented", true, fragmented},
	{"fragmented", true, small_pieces},
	{"filesystem-full", true, filesystem_full},
	{"nvme-worn", true, worn},
	{"nvme-sleep", true, sleepy},
	{"nvme-fresh", true, fresh},
	{"limit-aio", true, limit_aio},
	{"limit-files", true, limit_files},
	{"limit-locked", true, limit_locked},
	{"cpu-idle", true, cpu_idle},
	{"link-degraded", true, narrow_link},
};

static void test_edges(void **state)
{
	struct world w;

	(void)state;
	for (size_t i = 0; i < COUNT_OF(edges); i++)
		for (int beyond = 0; beyond < 2; beyond++) {
			world_make(&w);
			edges[i].set(&w, beyond);
			world_ask(&w, edges[i].doctor);
			if ((note_of(&w, edges[i].id) != NULL) != beyond)
				fail_msg("%s (%zu), %s", edges[i].id, i,
					beyond ? "beyond its limit: nothing is said"
					       : "this side of its limit: it is said");
			world_done(&w);
		}
}

/* More than a hundredth of its time spoils what a job measured; less is doubtful. */
static void test_weights(void **state)
{
	struct world w;

	(void)state;
	for (int beyond = 0; beyond < 2; beyond++) {
		world_make(&w);
		w.row->stopped_ns = (beyond ? 601 : 600) * NS_PER_MS;
		world_ask(&w, false);
		const struct result_note *n = note_of(&w, "suspended");
		assert_non_null(n);
		assert_int_equal(n->weight, beyond ? NOTE_INVALID : NOTE_DOUBTFUL);
		world_done(&w);
	}
}

/* 600000 writes of 4 KiB in a minute, and with the sync in 80 s. */
static void test_figures(void **state)
{
	struct world w;

	(void)state;
	world_make(&w);
	w.row->last_sync_ns = 20 * NS_PER_S;
	world_ask(&w, false);
	const struct result_note *n = note_of(&w, "sync-at-end");
	assert_non_null(n);
	assert_true(evidence_of(n, "written_bytes_per_s") == 600000 * 4096.0 / 60);
	assert_true(evidence_of(n, "with_sync_bytes_per_s") == 600000 * 4096.0 / 80);
	world_done(&w);

	world_make(&w);
	page_cache(&w, true);
	world_ask(&w, false);
	n = note_of(&w, "page-cache");
	assert_non_null(n);
	assert_true(fabs(evidence_of(n, "cache_percent") - 1.1) < 1e-9);
	world_done(&w);
}

/* In a file system of memory nothing waits for a device, whatever was written or not. */
static void test_in_memory(void **state)
{
	struct world w;

	(void)state;
	world_make(&w);
	w.fs.type = "tmpfs";
	w.after.dirty_bytes = w.after.writeback_bytes = 500 * MIB;
	w.after.read_unwritten_bytes = 1000 * MIB;
	w.w.run.storage_written_bytes = 0;
	world_ask(&w, false);
	assert_non_null(note_of(&w, "in-memory"));
	assert_null(note_of(&w, "unsynced"));
	assert_null(note_of(&w, "written-over"));
	assert_null(note_of(&w, "read-unwritten"));
	world_done(&w);
}

/* Of 1000 requests that were measured one hundredth may be slower. */
static void test_goals(void **state)
{
	static const struct {
		const char *id;
		bool missed, ramp_only;
		uint64_t over;
	} goals[] = {
		{"latency-target", false, false, 10},
		{"latency-target-lost", false, false, 11},
		{"latency-target-missed", true, false, 900},
		{"latency-target-open", false, true, 0},
	};
	struct world w;

	(void)state;
	for (size_t i = 0; i < COUNT_OF(goals); i++) {
		world_make(&w);
		w.style.goal_ns = NS_PER_MS;
		w.style.goal_percent = 99;
		w.row->goal_depth = 8;
		w.row->goal_ios = 1000;
		w.row->goal_over = goals[i].over;
		w.row->goal_missed = goals[i].missed;
		w.row->ramp_only = goals[i].ramp_only;
		world_ask(&w, false);
		for (size_t k = 0; k < COUNT_OF(goals); k++)
			assert_int_equal(note_of(&w, goals[k].id) != NULL, k == i);
		world_done(&w);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_edges),
		cmocka_unit_test(test_weights),
		cmocka_unit_test(test_figures),
		cmocka_unit_test(test_in_memory),
		cmocka_unit_test(test_goals),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
