/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "run/idleness.h"

#include "base/arena.h"
#include "base/bits.h"
#include "base/scope.h"
#include "result/result.h"
#include "sys/idle.h"
#include "sys/sysroot.h"

#include <errno.h>
#include <stdlib.h>

struct idleness {
	enum run_idle kind;
	double unit_mean_us, unit_stddev_us;
	struct idle_times first;
};

struct idleness *idleness_begin(enum run_idle kind)
{
	struct idleness *s = kind == RUN_IDLE_NONE ? NULL : calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->kind = kind;
	idle_calibrate(&s->unit_mean_us, &s->unit_stddev_us);
	if (idle_read(&sysroot_real, &s->first) < 0) {
		free(s);
		return NULL;
	}
	return s;
}

int idleness_tell(const struct idleness *s, struct result *r)
{
	scope_mem struct idle_times *now = s ? malloc(sizeof(*now)) : NULL;

	if (!s)
		return 0;
	if (!now)
		return -ENOMEM;
	if (idle_read(&sysroot_real, now) < 0)
		return 0;
	r->idle = (struct result_idle){
		.given = true,
		.system = MAX_OF(idle_percent(&s->first, now, -1), 0.0),
		.unit_mean_us = s->unit_mean_us,
		.unit_stddev_us = s->unit_stddev_us,
	};
	if (s->kind != RUN_IDLE_PERCPU)
		return 0;
	double *cpu = arena_array(&r->arena, now->cpus, sizeof(*cpu));
	if (!cpu)
		return -ENOMEM;
	/* A run of less than a tick: a CPU that is there was 0 % idle, as far as we know. */
	for (uint32_t i = 0; i < now->cpus; i++)
		cpu[i] = now->cpu[i].all ? MAX_OF(idle_percent(&s->first, now, (int)i), 0.0)
					 : -1;
	r->idle.cpu = cpu;
	r->idle.cpus = now->cpus;
	return 0;
}

void idleness_free(struct idleness *s)
{
	free(s);
}
