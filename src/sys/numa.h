/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Memory nodes of the machine, from sysfs; at most NUMA_NODES of them. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct sysroot;

#define NUMA_NODES 64

enum numa_mode { /* the kernel's MPOL_* */
	NUMA_DEFAULT,
	NUMA_PREFER,
	NUMA_BIND,
	NUMA_INTERLEAVE,
	NUMA_LOCAL,
};

/* A bit for each node that is online; 0: the kernel doesn't say. */
uint64_t numa_online(const struct sysroot *r);

/* Add the CPUs of the nodes of NODES to BITS (WORDS * 64 CPUs).  0, or -ENOENT when
 * the kernel knows none of them. */
int numa_cpus(const struct sysroot *r, uint64_t nodes, uint64_t *bits, size_t words);

/* Where the calling thread's memory comes from when it is first touched. */
int numa_set_policy(enum numa_mode mode, uint64_t nodes);
