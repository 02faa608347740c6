/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Facts about the machine as a whole, its CPUs, memory, control group, limits and what else
 * it is doing.  All are read through struct sysroot; the rows are for base/fact.h.
 *
 * Texts are as the kernel's files have them, in the survey's arena; NULL and FACT_UNKNOWN: the
 * file isn't there or may not be read (then the survey has a gap).  A member is a key of the
 * environment's JSON: docs/guide/environment.md tells what each is. */
#pragma once

#include <stdint.h>

#include "base/fact.h"

struct survey;

struct host_facts {
	const char *host_name; /* secret */
	const char *kernel_release, *kernel_version;
	const char *command_line;
	const char *mitigations;  /* "spectre_v1: Mitigation: ...; meltdown: Vulnerable" of what
				   * the CPU is affected by                        */
	const char *kernel_debug; /* what makes a kernel slow: "lockdep, kasan" */
	const char *vendor, *product; /* of the machine, by its firmware          */
	const char *virtual_machine;  /* "kvm", "yes"; NULL: none was seen        */
	const char *container;        /* "docker", "lxc", ...; NULL: none was seen */
	const char *clock_source, *clock_sources; /* the kernel's                 */
	uint64_t uptime_s;
};

struct cpu_facts {
	const char *model;
	uint64_t online, present;
	const char *allowed;  /* a list, "0-3", that this process may use          */
	const char *smt;      /* "on", "off", "notsupported", ...                  */
	const char *governor; /* "performance"; "powersave, performance" of several CPUs */
	const char *frequency_driver, *energy_preference;
	uint64_t frequency_min_khz, frequency_max_khz; /* as set                   */
	uint64_t boost; /* flag: frequencies above the nominal are allowed   */
	const char *idle_driver, *idle_governor, *idle_states; /* "POLL C1 C6"     */
	uint64_t idle_latency_max_us; /* to wake from the deepest that is on       */
	uint64_t numa_nodes;
	const char *isolated;
};

struct memory_facts {
	uint64_t total_bytes, available_bytes;
	uint64_t swap_bytes, swap_used_bytes;
	uint64_t dirty_bytes, writeback_bytes;
	uint64_t dirty_ratio_percent, dirty_background_ratio_percent;
	uint64_t dirty_limit_bytes, dirty_background_bytes; /* 0: by the ratio     */
	uint64_t swappiness;
	uint64_t huge_page_bytes, huge_pages, huge_pages_free;
	const char *transparent_huge_pages;
};

/* Of the control groups that this process is in, the tightest of each. */
struct group_facts {
	const char *path; /* as /proc/self/cgroup says */
	uint64_t memory_limit_bytes, memory_high_bytes, memory_used_bytes;
	uint64_t processes_limit, processes_used;
	double cpus;           /* quota, in CPUs                                   */
	const char *cpu_list;  /* cpuset                                           */
	const char *io_limits; /* io.max or blkio.throttle.*: "254:0 rbps=1048576" */
	const char *io_weight;
};

/* When it was looked at. */
struct load_facts {
	double load_1min;
	uint64_t runnable;
	double pressure_cpu_percent, pressure_io_percent,
		pressure_memory_percent; /* of the
					  * last 10 s, "some"    */
	double steal_percent;            /* of all CPU time since the machine started        */
};

struct limit_facts {
	uint64_t locked_memory_bytes, open_files, processes; /* RLIMIT_*; unknown: none */
	uint64_t aio_requests, aio_requests_used;
	uint64_t process_numbers, threads, mappings;
	uint64_t io_uring_disabled; /* 0: all may, 1: some, 2: nobody             */
};

extern const struct fact_table host_table, cpu_table, memory_table, group_table, load_table,
	limit_table;

void host_find(struct survey *s, struct host_facts *ret);
void cpu_find(struct survey *s, struct cpu_facts *ret);
void memory_find(struct survey *s, struct memory_facts *ret);
void group_find(struct survey *s, struct group_facts *ret);
void load_find(struct survey *s, struct load_facts *ret);
void limit_find(struct survey *s, struct limit_facts *ret);
