/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Notes that the machine, a file system or a device provokes. */
#include "base/bits.h"
#include "tests/unit/note_world.h"
#include "tests/unit/notes34.h"

static void fits_memory(struct world *w)
{
	w->r->environment->memory.total_bytes = 600 * MIB;
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

static void compressing(struct world *w)
{
	w->fs.options = "rw,compress=zstd:3";
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

static void numa(struct world *w)
{
	w->r->environment->cpu.numa_nodes = 2;
	w->controller.numa_node = 1;
	w->controller.numa_cpus = "8-15";
}

static void clock_step(struct world *w)
{
	w->r->environment->clock.step_ns = 100000;
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

static const struct note_played played[] = {
	{"fits-memory", true, fits_memory},
	{"never-written", true, never_written},
	{"nvme-fresh", true, nvme_fresh},
	{"limit-aio", true, limit_aio},
	{"limit-locked", true, limit_locked},
	{"limit-files", true, limit_files},
	{"compressing", true, compressing},
	{"virtual-machine", true, virtual_machine},
	{"in-memory", false, in_memory},
	{"remote", true, remote},
	{"loop-buffered", true, loop_buffered},
	{"encrypting", true, encrypting},
	{"filesystem-full", false, filesystem_full},
	{"fragmented", true, fragmented},
	{"misaligned", false, misaligned},
	{"nvme-format", true, nvme_format},
	{"cpu-governor", true, cpu_governor},
	{"cpu-idle", true, cpu_idle},
	{"cpu-boost", true, cpu_boost},
	{"nvme-sleep", true, nvme_sleep},
	{"link-power", true, link_power},
	{"drive-hot", false, drive_hot},
	{"nvme-hot", false, nvme_hot},
	{"io-limit", false, io_limit},
	{"in-use", true, in_use},
	{"other-load", true, other_load},
	{"io-pressure", true, io_pressure},
	{"steal", true, steal},
	{"cgroup-cpu", true, group_cpu},
	{"numa", true, numa},
	{"clock-step", false, clock_step},
	{"clock-source", true, clock_source},
	{"scheduler", true, scheduler},
	{"write-cache", true, write_cache},
	{"read-ahead", true, read_ahead},
	{"drive-errors", false, drive_errors},
	{"link-errors", false, link_errors},
	{"write-amplification", false, amplification},
	{"link-degraded", false, link_degraded},
	{"nvme-errors", true, nvme_errors},
	{"md-busy", false, md_busy},
};

const struct note_played_list played_by_machine = {.v = played, .count = COUNT_OF(played)};
