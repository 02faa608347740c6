/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* ioscheduler: the I/O scheduler of the disks under a job's files, set before its
 * wave starts and given back at the end of the run.  The writes are done by helpers,
 * as a queue that hangs doesn't let go of who changes it. */
#pragma once

#include <stdint.h>

struct err;
struct plan_worker;
struct plan;
struct schedulers; /* NULL is a valid empty one */

/* Set those of worker PW.  A negative errno and *reterr when a disk has no such
 * scheduler or can't be set. */
int schedulers_set(struct schedulers **s, const struct plan *plan, const struct plan_worker *pw,
	struct err *reterr);

/* Give back what was there; frees S. */
void schedulers_restore(struct schedulers *s);
