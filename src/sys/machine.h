/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* The machine as a plan and a report see it, the limits that it sets, and the few
 * settings that a worker makes for itself. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sysroot;

struct machine {
	uint32_t cpus_configured;
	uint32_t cpus_online;
	uint64_t page_bytes;
	uint64_t memory_bytes;
	char kernel[160]; /* "Linux 6.18" */
};

/* What isn't told is 0 or "". */
void machine_look(struct machine *ret);

/* Run the calling thread on the CPUs whose bits are set. 0 or a negative errno:
 * -EINVAL when none of them is there. */
int machine_cpus_set(const uint64_t *bits, size_t words);

/* Run it on the K-th (from 0, modulo their number) of the set bits. */
int machine_cpus_set_one(const uint64_t *bits, size_t words, uint32_t k);

/* How late the kernel may wake the calling thread from a sleep. */
int machine_timer_slack_set(uint64_t ns);

/* A limit and how much of it is used up; UINT64_MAX: no limit. */
struct machine_limit {
	uint64_t max, used;
};

/* Of the control groups (v1 and v2) that this process is in, the tightest. */
void machine_cgroup_memory(const struct sysroot *r, struct machine_limit *ret);
void machine_cgroup_pids(const struct sysroot *r, struct machine_limit *ret);

/* Of huge pages that nobody said the size of; 2 MiB when the kernel doesn't say. */
uint64_t machine_hugepage_bytes(const struct sysroot *r);

/* Of huge pages of PAGE_BYTES: how many can be had now, those that the kernel would make
 * on demand included.  False when the machine has none of that size. */
bool machine_hugepages_free(const struct sysroot *r, uint64_t page_bytes, uint64_t *ret);

/* MemAvailable; UINT64_MAX when the kernel doesn't say. */
uint64_t machine_memory_available(const struct sysroot *r);
