/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "run/prepare/cgroups.h"

#include "plan/plan.h"
#include "sys/cgroup.h"
#include "sys/sysroot.h"

#include <limits.h>
#include <stdlib.h>

struct cgroups {
	const struct plan *plan;
	size_t there[]; /* by worker: letters of its group's path that were there */
};

static bool cgroups_path(const struct plan_worker *w, char *path, size_t size)
{
	return w->process.cgroup &&
	       cgroup_path(&sysroot_real, w->process.cgroup, path, size, NULL) == 0;
}

struct cgroups *cgroups_note(const struct plan *plan)
{
	struct cgroups *c = NULL;
	char path[PATH_MAX];

	for (uint32_t i = 0; i < plan->workers_count; i++) {
		if (!cgroups_path(&plan->workers[i], path, sizeof(path)))
			continue;
		if (!c)
			c = calloc(1, sizeof(*c) + plan->workers_count * sizeof(c->there[0]));
		if (!c)
			return NULL;
		c->plan = plan;
		c->there[i] = cgroup_there(path);
	}
	return c;
}

void cgroups_remove(struct cgroups *c)
{
	char path[PATH_MAX];

	for (uint32_t i = 0; c && i < c->plan->workers_count; i++) {
		const struct plan_worker *w = &c->plan->workers[i];
		if (!w->process.cgroup_keep && cgroups_path(w, path, sizeof(path)))
			cgroup_remove(path, c->there[i]);
	}
	free(c);
}
