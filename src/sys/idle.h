/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* How much of the CPUs' time nobody used, and what a piece of work takes here. */
#pragma once

#include <stdint.h>

#include "base/limits.h"

struct sysroot;

/* Since the machine started, in the kernel's ticks (mostly 10 ms). */
struct idle_times {
	uint32_t cpus; /* entries that are used: highest CPU number + 1            */
	struct idle_cpu {
		uint64_t idle,
			all; /* idle: also while I/O was waited for; all 0: no such CPU */
	} cpu[LIMIT_CPUS];
};

/* 0 or a negative errno. */
int idle_read(const struct sysroot *r, struct idle_times *ret);

/* Percent of CPU's time between two readings that was idle; CPU < 0: of all.  Negative
 * when no tick has passed, or there is no such CPU. */
double idle_percent(const struct idle_times *from, const struct idle_times *to, int cpu);

/* Measure a fixed piece of work some times: mean and standard deviation in us. */
void idle_calibrate(double *ret_mean_us, double *ret_stddev_us);
