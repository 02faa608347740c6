/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Plans of a machine that a test makes up. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "job/job.h"
#include "plan/plan.h"

/* What is at some paths; at all others there is nothing. */
struct fake_path {
	const char *path;
	enum look_kind kind;
	uint64_t bytes;
	uint32_t logical_block;
	bool zoned;
};

struct fake {
	struct job_set *jobs;
	struct plan *plan; /* NULL: refused, and err says why */
	struct err err;
	unsigned looks; /* how often something was looked at */
};

/* "/dev/disk": 1 GiB in blocks of 512; "/dev/big": the same in blocks of 4096;
 * "there": a file of 1 MiB; "empty": one of 0; "dir": a directory; "denied":
 * EACCES; /dev/zero: a device without a size. */
extern const struct fake_path fake_paths[];

/* The plan of the words in LINE (separated by single blanks, without "--"), on a
 * machine with 4 CPUs and pages of 4096 bytes. */
void fake_plan(struct fake *f, const char *line, const struct plan_facts *facts);
void fake_done(struct fake *f);

static inline const struct plan_worker *fake_worker(const struct fake *f, uint32_t index)
{
	return &f->plan->workers[index];
}
