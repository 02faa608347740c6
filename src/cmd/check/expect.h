/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* The job option `expect`: assertions that are judged after the run.  A wrong one is
 * an error of the job file, before anything runs. */
#pragma once

#include <stdint.h>

#include "result/checks.h"

struct job_set;
struct plan;
struct result;

/* Judge what the jobs of PLAN expect of their result R, whose checks they become.
 * 0 or -ENOMEM. */
int expect_judge(const struct plan *plan, struct result *r);

/* STATUS_OK, STATUS_CHECK_FAILED, STATUS_UNDECIDED. */
int expect_status(const struct result_check *checks, uint32_t count);
