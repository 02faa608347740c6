/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* The control groups that a run's workers make: gone again when it ends. */
#pragma once

struct cgroups;
struct plan;

/* Remember which of them are there already, before any worker makes one.  NULL when
 * no job asks for one (or out of memory: then they stay). */
struct cgroups *cgroups_note(const struct plan *plan);

/* Remove those that were not there, unless cgroup_nodelete says to keep them. */
void cgroups_remove(struct cgroups *c);
