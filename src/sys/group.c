/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What the control groups that this process is in allow it. */
#include "base/bits.h"
#include "base/str.h"
#include "sys/cgroup.h"
#include "sys/host.h"
#include "sys/machine.h"
#include "sys/mounts.h"
#include "sys/survey.h"
#include "sys/sysroot.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct fact group_rows[] = {
	TEXT_FACT(struct group_facts, path),
	COUNT_FACT(struct group_facts, memory_limit_bytes),
	COUNT_FACT(struct group_facts, memory_high_bytes),
	COUNT_FACT(struct group_facts, memory_used_bytes),
	COUNT_FACT(struct group_facts, processes_limit),
	COUNT_FACT(struct group_facts, processes_used),
	REAL_FACT(struct group_facts, cpus),
	TEXT_FACT(struct group_facts, cpu_list),
	TEXT_FACT(struct group_facts, io_limits),
	TEXT_FACT(struct group_facts, io_weight),
};

FACT_TABLE(group_table, group_rows);

struct finding {
	struct survey *s;
	struct group_facts *g;
	struct str io;
};

static void add_io(struct finding *f, const char *name, const char *text)
{
	for (const char *line = text; line && *line;) {
		size_t len = strcspn(line, "\n");
		if (len)
			str_addf(&f->io, "%s%s%s%.*s", f->io.len ? "; " : "", name,
				*name ? " " : "", (int)len, line);
		line += len + (line[len] == '\n');
	}
}

static void tighter(double cpus, double *ret)
{
	if (isnan(*ret) || cpus < *ret)
		*ret = cpus;
}

static void level_v2(struct finding *f, const char *folder)
{
	const char *max = survey_text(f->s, "%s/cpu.max", folder);
	double quota, period;

	if (max && sscanf(max, "%lf %lf", &quota, &period) == 2 && period > 0)
		tighter(quota / period, &f->g->cpus);
	f->g->memory_high_bytes = MIN_OF(f->g->memory_high_bytes,
		survey_count(f->s, "%s/memory.high", folder));
	add_io(f, "", survey_load(f->s, "%s/io.max", folder));
}

static void level_v1(struct finding *f, const char *folder, const char *controller)
{
	static const char *const throttles[] = {
		"read_bps_device", "write_bps_device", "read_iops_device", "write_iops_device"};

	if (!strcmp(controller, "cpu")) {
		uint64_t quota = survey_count(f->s, "%s/cpu.cfs_quota_us", folder);
		uint64_t period = survey_count(f->s, "%s/cpu.cfs_period_us", folder);
		if (quota != FACT_UNKNOWN && period != FACT_UNKNOWN && period)
			tighter((double)quota / (double)period, &f->g->cpus);
		return;
	}
	for (size_t i = 0; i < COUNT_OF(throttles); i++)
		add_io(f, throttles[i],
			survey_load(f->s, "%s/blkio.throttle.%s", folder, throttles[i]));
}

/* Every level from our folder up to the mount point counts. */
static void levels(struct finding *f, const char *point, char *path, const char *controller)
{
	for (;;) {
		char folder[PATH_MAX];
		const char *below = strcmp(path, "/") == 0 ? "" : path;
		if ((size_t)snprintf(folder, sizeof(folder), "%s%s", point, below) >=
			sizeof(folder))
			return;
		if (controller)
			level_v1(f, folder, controller);
		else
			level_v2(f, folder);
		char *slash = strrchr(path, '/');
		if (!slash || !*below)
			return;
		*slash = '\0';
	}
}

static void own_only(struct finding *f, const char *point, const char *path,
	const char *controller)
{
	if (!controller || !strcmp(controller, "cpuset")) {
		const char *list = survey_text(f->s, "%s%s/%s", point, path,
			controller ? "cpuset.effective_cpus" : "cpuset.cpus.effective");
		if (list)
			f->g->cpu_list = list;
	}
	if (!controller || !strcmp(controller, "blkio")) {
		const char *weight = survey_text(f->s, "%s%s/%s", point, path,
			controller ? "blkio.weight" : "io.weight");
		if (weight)
			f->g->io_weight = weight;
	}
}

static void hierarchy(struct finding *f, const struct mount *m, const char *lines)
{
	static const char *const controllers[] = {"cpu", "blkio", "cpuset"};
	char path[PATH_MAX];

	if (!strcmp(m->type, "cgroup2") && cgroup_own(lines, NULL, path, sizeof(path))) {
		if (strcmp(path, "/") != 0)
			f->g->path = survey_copy(f->s, path);
		own_only(f, m->point, path, NULL);
		levels(f, m->point, path, NULL);
	}
	for (size_t i = 0; !strcmp(m->type, "cgroup") && i < COUNT_OF(controllers); i++) {
		if (!cgroup_lists(m->options, strlen(m->options), controllers[i]) ||
			!cgroup_own(lines, controllers[i], path, sizeof(path)))
			continue;
		own_only(f, m->point, path, controllers[i]);
		if (strcmp(controllers[i], "cpuset") != 0)
			levels(f, m->point, path, controllers[i]);
	}
}

static void limit(const struct machine_limit *l, uint64_t *max, uint64_t *used)
{
	if (l->max == UINT64_MAX)
		return;
	*max = l->max;
	*used = l->used;
}

void group_find(struct survey *s, struct group_facts *ret)
{
	struct group_facts g;
	struct machine_limit memory, pids;
	struct mounts mounts = {0};
	struct finding f = {.s = s, .g = &g};
	const char *lines = survey_load(s, "/proc/self/cgroup");

	facts_forget(&group_table, &g);
	machine_cgroup_memory(s->root, &memory);
	machine_cgroup_pids(s->root, &pids);
	limit(&memory, &g.memory_limit_bytes, &g.memory_used_bytes);
	limit(&pids, &g.processes_limit, &g.processes_used);
	if (lines && mounts_load(s->root, &mounts) == 0)
		for (size_t i = 0; i < mounts.count; i++)
			hierarchy(&f, &mounts.v[i], lines);
	if (f.io.len)
		g.io_limits = survey_copy(s, str_text(&f.io));
	str_done(&f.io);
	mounts_done(&mounts);
	*ret = g;
}
