/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Requests with priorities of their own: drawn as they are made, measured apart. */
#pragma once

#include <stdint.h>

#include "base/dir.h"

struct arena;
struct err;
struct plan_worker;
struct result_dir;
struct shared_places;
struct source;
struct worker;

/* INNER, each read and write with the priority that the plan's table draws.  NULL and
 * *reterr on failure. */
struct source *priority_source(struct arena *arena, const struct plan_worker *pw,
	struct source *inner, struct err *reterr);

/* The requests of W's idle list from FIRST on came back at T2_NS: into the latencies of
 * their priorities.  HOT for jobs that have such. */
void priority_account(struct worker *w, unsigned first, uint64_t t2_ns);

/* What was seen of direction D, into TO.  0 or -ENOMEM. */
int priority_gather(struct arena *arena, const struct plan_worker *pw,
	const struct shared_places *at, enum dir d, struct result_dir *to);
