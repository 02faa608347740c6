/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What the disks under a run's targets did meanwhile, by the kernel's counters:
 * one sample when it starts, one when it ends. */
#pragma once

#include <stdint.h>

struct disk_list;
struct disks;
struct plan;
struct result;

/* The disks below all targets that the workers of PLAN open; the list is the caller's. */
void disks_find(const struct plan *plan, struct disk_list *list);

/* Find them, and take the first sample.  NULL when there are none (or no memory). */
struct disks *disks_start(const struct plan *plan);

/* Fill r->disks with the differences; may be called several times (interim
 * reports).  0 or -ENOMEM. */
int disks_finish(struct disks *d, uint64_t elapsed_ms, struct result *r);

void disks_free(struct disks *d);
