/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What a machine counts while it runs: CPU time, pressure, dirty pages, frequency,
 * temperatures, throttling, and what one task got and waited for.
 *
 * All of it comes from /proc and /sys through struct sysroot; what isn't told is
 * FACT_UNKNOWN.  A look costs some 10 system calls and 0.1 ms, more where there are sensors.
 * One thread. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct sysroot;

#define VITAL_SENSORS 16
#define VITAL_CPUS    8 /* of which frequency and throttling are read, spread over all */

/* /proc/pressure/{cpu,io,memory}. */
enum vital_pressure {
	VITAL_CPU,
	VITAL_IO,
	VITAL_MEMORY,
	VITAL_PRESSURES,
};

struct vital_sensor {
	char path[64]; /* "/sys/class/hwmon/hwmon2/temp1_input"     */
	bool drive;    /* else a CPU                               */
};

/* Where to look; made once. */
struct vital {
	const struct sysroot *root;
	struct vital_sensor sensors[VITAL_SENSORS];
	uint32_t sensors_count;
	uint32_t cpus[VITAL_CPUS];
	uint32_t cpus_count;
	bool frequencies, throttles; /* there are such files                     */
	char group[256];             /* cpu.stat of our control group; "": none  */
};

/* One look.  What counts up does so since the machine started: differences mean something. */
struct vital_counts {
	uint64_t cpu_ticks, idle_ticks, steal_ticks; /* of all CPUs; iowait is idle     */
	uint64_t pressure_us[VITAL_PRESSURES];       /* "some"                          */
	uint64_t dirty_bytes, writeback_bytes;
	uint64_t frequency_khz;      /* the lowest of those looked at   */
	uint64_t throttled;          /* times, by heat                  */
	uint64_t group_throttled_us; /* by cpu.max                      */
	uint64_t cpu_c, drive_c;     /* the hottest                     */
};

/* A thread, since it began. */
struct vital_task {
	uint64_t run_ns, wait_ns; /* on a CPU; ready, but without one    */
};

/* What the kernel brought from and to storage for a process, its ended threads and the
 * children that it waited for. */
struct vital_io {
	uint64_t read_bytes, written_bytes;
};

/* Which sensors and CPUs there are: once a run. */
void vital_find(const struct sysroot *root, struct vital *ret);

/* DRIVES: also the temperatures of drives, which asks them. */
void vital_look(const struct vital *v, bool drives, struct vital_counts *ret);

/* 0 or a negative errno.  TID 0: the first of the process; it may have ended, but must not
 * have been waited for. */
int vital_task(const struct sysroot *root, pid_t pid, pid_t tid, struct vital_task *ret);

/* PID 0: this process. */
int vital_io(const struct sysroot *root, pid_t pid, struct vital_io *ret);
