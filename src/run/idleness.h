/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* --idle-prof: how idle the CPUs were while a plan was run. */
#pragma once

#include "run/run.h"

struct idleness;
struct result;

/* Measure a piece of work and begin; NULL when KIND asks for nothing, or out of
 * memory. */
struct idleness *idleness_begin(enum run_idle kind);

/* Into R what it was since then.  0 or -ENOMEM. */
int idleness_tell(const struct idleness *s, struct result *r);

void idleness_free(struct idleness *s);
