/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "sys/idle.h"

#include "base/bits.h"
#include "base/rng.h"
#include "base/scope.h"
#include "base/str.h"
#include "sys/clock.h"
#include "sys/sysroot.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define IDLE_ROUNDS 100
#define IDLE_STEPS  4096 /* of a round: some 10 us */

/* "cpu3 user nice system idle iowait irq softirq steal guest guest_nice"; guest time
 * is in user already. */
static void idle_line(const char *line, struct idle_times *ret)
{
	uint64_t v[8] = {0};
	unsigned cpu;

	if (sscanf(line,
		    "cpu%u %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64
		    " %" SCNu64 " %" SCNu64,
		    &cpu, &v[0], &v[1], &v[2], &v[3], &v[4], &v[5], &v[6], &v[7]) < 5 ||
		cpu >= LIMIT_CPUS)
		return;
	struct idle_cpu *c = &ret->cpu[cpu];
	c->idle = v[3] + v[4];
	c->all = 0;
	for (size_t i = 0; i < COUNT_OF(v); i++)
		c->all += v[i];
	ret->cpus = MAX_OF(ret->cpus, cpu + 1);
}

int idle_read(const struct sysroot *r, struct idle_times *ret)
{
	scope_with(str_done) struct str text = {0};
	int rc = sysroot_load(r, &text, "/proc/stat");

	memset(ret, 0, sizeof(*ret));
	if (rc < 0)
		return rc;
	for (const char *line = str_text(&text); line && *line;) {
		if (!strncmp(line, "cpu", 3) && line[3] != ' ')
			idle_line(line, ret);
		line = strchr(line, '\n');
		line = line ? line + 1 : NULL;
	}
	return ret->cpus ? 0 : -ENODATA;
}

double idle_percent(const struct idle_times *from, const struct idle_times *to, int cpu)
{
	uint64_t idle = 0, all = 0;

	for (uint32_t i = 0; i < to->cpus; i++) {
		if (cpu >= 0 && (uint32_t)cpu != i)
			continue;
		/* Idle time may step back when a CPU goes offline. */
		if (to->cpu[i].idle > from->cpu[i].idle)
			idle += to->cpu[i].idle - from->cpu[i].idle;
		if (to->cpu[i].all > from->cpu[i].all)
			all += to->cpu[i].all - from->cpu[i].all;
	}
	return all ? 100.0 * (double)MIN_OF(idle, all) / (double)all : -1;
}

void idle_calibrate(double *ret_mean_us, double *ret_stddev_us)
{
	double sum = 0, squares = 0;
	struct rng rng;
	volatile uint64_t sink = 0;

	rng_init(&rng, 1);
	for (int i = 0; i < IDLE_ROUNDS; i++) {
		uint64_t t0 = clock_kernel_ns();
		for (int k = 0; k < IDLE_STEPS; k++)
			sink += rng_next(&rng);
		double us = (double)(clock_kernel_ns() - t0) / 1e3;
		sum += us;
		squares += us * us;
	}
	(void)sink;
	*ret_mean_us = sum / IDLE_ROUNDS;
	double spread = squares / IDLE_ROUNDS - *ret_mean_us * *ret_mean_us;
	*ret_stddev_us = spread > 0 ? sqrt(spread) : 0;
}
