/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* The machine: CPUs, clock, kernel, memory, who else is busy, what is allowed. */
#include "result/notes/notes.h"

#include "base/bits.h"
#include "base/plain.h"
#include "result/environment.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define MIB (UINT64_C(1) << 20)

/* ---- CPUs ---- */

static bool cpu_governor(const struct note_case *c, struct note_found *f)
{
	const char *governor = c->env->cpu.governor;

	return governor && strcmp(governor, "performance") != 0 &&
	       note_say(f,
		       "the CPUs change their frequency with the load (governor %s): latencies at low "
		       "rates are longer than they have to be, and runs differ",
		       governor);
}

static bool cpu_boost(const struct note_case *c, struct note_found *f)
{
	return c->env->cpu.boost == 1 &&
	       note_say(f,
		       "the CPUs may run above their nominal frequency, as long as they are cool "
		       "enough: the first minutes may be faster than the rest");
}

#define IDLE_LATENCY_US 50

static bool cpu_idle(const struct note_case *c, struct note_found *f)
{
	uint64_t us = c->env->cpu.idle_latency_max_us;

	if (!count_known(us) || us <= IDLE_LATENCY_US)
		return false;
	note_number(f, "idle_latency_max_us", (double)us);
	return note_say(f,
		"a CPU that waits for I/O may sleep so deep that it needs %" PRIu64
		" \xc2\xb5s to wake up: that is in latencies at low rates",
		us);
}

/* ---- clock and kernel ---- */

static bool clock_source(const struct note_case *c, struct note_found *f)
{
	const struct clock_facts *clock = &c->env->clock;

	if (!clock->name || strcmp(clock->name, "clock_gettime") != 0)
		return false;
	if (!isnan(clock->stamp_cost_ns))
		note_number(f, "stamp_cost_ns", clock->stamp_cost_ns);
	return note_say(f,
		"time isn't read from the CPU's counter (%s): a stamp costs %.0f ns, and "
		"is in every latency",
		clock->why_not_tsc ? clock->why_not_tsc : clock->name,
		isnan(clock->stamp_cost_ns) ? 0.0 : clock->stamp_cost_ns);
}

static bool kernel_debug(const struct note_case *c, struct note_found *f)
{
	return c->env->host.kernel_debug &&
	       note_say(f,
		       "this kernel checks itself while it works (%s), which slows all I/O down",
		       c->env->host.kernel_debug);
}

static bool virtual_machine(const struct note_case *c, struct note_found *f)
{
	const char *kind = c->env->host.virtual_machine;

	return kind &&
	       note_say(f,
		       "this is a virtual machine%s%s%s: its host may cache, limit or share what is "
		       "measured, and doesn't tell",
		       strcmp(kind, "yes") ? " (" : "", strcmp(kind, "yes") ? kind : "",
		       strcmp(kind, "yes") ? ")" : "");
}

/* ---- others ---- */

#define STEAL_PERCENT    1.0
#define PRESSURE_PERCENT 5.0

static bool steal(const struct note_case *c, struct note_found *f)
{
	double percent = c->env->load.steal_percent;

	if (isnan(percent) || percent < STEAL_PERCENT)
		return false;
	note_number(f, "steal_percent", percent);
	return note_say(f,
		"the host took %.1f %% of the CPUs' time since this machine started, for "
		"others",
		percent);
}

static bool other_load(const struct note_case *c, struct note_found *f)
{
	const struct load_facts *l = &c->env->load;
	double cpus = count_known(c->env->cpu.online) ? (double)c->env->cpu.online : 1;

	if (isnan(l->load_1min) || l->load_1min < 0.5 * cpus)
		return false;
	note_number(f, "load_1min", l->load_1min);
	note_number(f, "cpus", cpus);
	return note_say(f, "other programs keep the CPUs busy: a load of %.1f on %.0f of them",
		l->load_1min, cpus);
}

static bool io_pressure(const struct note_case *c, struct note_found *f)
{
	double percent = c->env->load.pressure_io_percent;

	if (isnan(percent) || percent < PRESSURE_PERCENT)
		return false;
	note_number(f, "pressure_io_percent", percent);
	return note_say(f, "other programs wait for I/O: %.0f %% of the last 10 s", percent);
}

/* ---- memory ---- */

static bool memory_short(const struct note_case *c, struct note_found *f)
{
	double percent = c->env->load.pressure_memory_percent;
	uint64_t swapped = c->env->memory.swap_used_bytes;

	if (!(percent >= 1.0) && !(count_known(swapped) && swapped > 64 * MIB))
		return false;
	f->weight = percent >= 1.0 ? NOTE_DOUBTFUL : NOTE_INFO;
	if (!isnan(percent))
		note_number(f, "pressure_memory_percent", percent);
	if (count_known(swapped))
		note_number(f, "swap_used_bytes", (double)swapped);
	if (percent >= 1.0)
		return note_say(f,
			"memory is short: programs waited for it %.0f %% of the last 10 s",
			percent);
	return note_say(f, "%" PRIu64 " MiB are swapped out", swapped / MIB);
}

/* ---- what is allowed ---- */

static bool group_cpu(const struct note_case *c, struct note_found *f)
{
	double cpus = c->env->group.cpus;

	if (isnan(cpus))
		return false;
	note_number(f, "cpus", cpus);
	return note_say(f,
		"the control group may use %s CPUs' time: a run that needs more stands "
		"still for parts of each period",
		plain_number(cpus, 2).text);
}

static bool group_memory(const struct note_case *c, struct note_found *f)
{
	uint64_t limit = MIN_OF(c->env->group.memory_limit_bytes,
		c->env->group.memory_high_bytes);

	if (!count_known(limit) || (count_known(c->env->memory.total_bytes) &&
					   limit >= c->env->memory.total_bytes))
		return false;
	note_number(f, "limit_bytes", (double)limit);
	return note_say(f,
		"the control group may use %" PRIu64 " MiB of memory, its page cache "
		"counted",
		limit / MIB);
}

static bool limit_aio(const struct note_case *c, struct note_found *f)
{
	const struct limit_facts *l = &c->env->limits;

	if (!count_known(l->aio_requests) || !count_known(l->aio_requests_used) ||
		l->aio_requests_used + 4096 <= l->aio_requests)
		return false;
	note_number(f, "limit", (double)l->aio_requests);
	note_number(f, "used", (double)l->aio_requests_used);
	return note_say(f,
		"%" PRIu64 " of the %" PRIu64
		" requests that all programs together may have in flight by libaio are taken",
		l->aio_requests_used, l->aio_requests);
}

static bool limit_files(const struct note_case *c, struct note_found *f)
{
	uint64_t limit = c->env->limits.open_files;

	if (!count_known(limit) || limit > 1024)
		return false;
	note_number(f, "limit", (double)limit);
	return note_say(f,
		"a process may have %" PRIu64
		" files open: jobs with more files close and open them in turn",
		limit);
}

static bool limit_locked(const struct note_case *c, struct note_found *f)
{
	uint64_t limit = c->env->limits.locked_memory_bytes;

	if (!count_known(limit) || limit >= 8 * MIB)
		return false;
	note_number(f, "limit_bytes", (double)limit);
	return note_say(f,
		"a process may lock %" PRIu64 " KiB of memory: io_uring's fixedbufs and "
		"lockmem can't have more",
		limit >> 10);
}

static bool io_uring_off(const struct note_case *c, struct note_found *f)
{
	uint64_t off = c->env->limits.io_uring_disabled;

	if (!count_known(off) || !off)
		return false;
	return note_say(f, off == 2 ? "io_uring is switched off on this machine"
				    : "io_uring is only for privileged users and a group here");
}

#define DOCTOR(name, w, fn, todo)                                                              \
	{                                                                                      \
		.id = name, .weight = w, .scope = NOTE_OF_MACHINE, .doctor_only = true,        \
		.check = fn, .remedy = todo                                                    \
	}

static const struct note_rule rules[] = {
	{.id = "kernel-debug",
		.weight = NOTE_DOUBTFUL,
		.scope = NOTE_OF_MACHINE,
		.remedy = "use an ordinary kernel",
		.check = kernel_debug},
	DOCTOR("cpu-governor", NOTE_DOUBTFUL, cpu_governor,
		"cpupower frequency-set -g performance"),
	DOCTOR("clock-source", NOTE_DOUBTFUL, clock_source, NULL),
	DOCTOR("steal", NOTE_DOUBTFUL, steal, "measure when the host is idle, and repeat"),
	DOCTOR("other-load", NOTE_DOUBTFUL, other_load,
		"wait until they are done, or stop them"),
	DOCTOR("io-pressure", NOTE_DOUBTFUL, io_pressure,
		"wait until they are done, or stop them"),
	DOCTOR("memory-short", NOTE_DOUBTFUL, memory_short, NULL),
	DOCTOR("cgroup-cpu", NOTE_DOUBTFUL, group_cpu, "raise cpu.max for the test"),
	DOCTOR("limit-aio", NOTE_DOUBTFUL, limit_aio, "raise fs.aio-max-nr with sysctl"),
	DOCTOR("cgroup-memory", NOTE_INFO, group_memory, NULL),
	DOCTOR("virtual-machine", NOTE_INFO, virtual_machine, NULL),
	DOCTOR("cpu-boost", NOTE_INFO, cpu_boost, "for runs that repeat, switch it off"),
	DOCTOR("cpu-idle", NOTE_INFO, cpu_idle,
		"for latencies at low rates, switch deep states off (cpupower idle-set -D 50)"),
	DOCTOR("limit-files", NOTE_INFO, limit_files, "ulimit -n"),
	DOCTOR("limit-locked", NOTE_INFO, limit_locked, "ulimit -l"),
	DOCTOR("io-uring-off", NOTE_INFO, io_uring_off, "sysctl kernel.io_uring_disabled=0"),
};

NOTE_TABLE(notes_machine, rules);
