/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* The machine's limits, looked at before anything starts, each told with what is
 * needed, what there is, and the remedy. */
#pragma once

#include <stdint.h>

struct err;
struct plan;
struct run_how;
struct sysroot;

/* Raises the soft limit of open files to the hard one.  0, or a negative errno
 * with the first limit that is too low in *reterr. */
int limits_check(const struct plan *plan, const struct run_how *how, struct err *reterr);

/* How many targets a worker of PLAN may hold open; beyond that it closes the least recently
 * used one.  Threads share what their host process may have. */
uint32_t limits_open_files_of(const struct plan *plan, uint32_t worker);

/* What a plan needs and a machine has; UINT64_MAX: no limit. */
struct limits_need {
	uint64_t workers; /* processes and threads                      */
	uint64_t processes;
	uint64_t aio;  /* requests in flight by io_setup()           */
	uint64_t maps; /* memory mappings of the fullest process     */
	uint64_t memory;
};

/* Of the fullest wave; without what the program itself has open.  Pure. */
void limits_need(const struct plan *plan, struct limits_need *ret);

/* Compare with the machine of ROOT. */
int limits_compare(const struct sysroot *root, const struct limits_need *need,
	struct err *reterr);
