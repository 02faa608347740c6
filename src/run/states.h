/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* The state files of a run, the supervisor's part: those that are told are begun, and those
 * that are read back are loaded, before any worker is forked. */
#pragma once

#include <stdint.h>

struct clock;
struct err;
struct plan;
struct state;

/* The supervisor's; workers inherit the descriptors and the memory. */
struct states {
	int *told;             /* by worker: descriptor of its file; -1: none        */
	struct state **loaded; /* by worker: what it reads back; NULL: nothing       */
	uint32_t count;        /* of workers                                         */
	uint64_t wall_ns;      /* add to the run's clock for the time in a stamp     */
};

/* Sets wall_ns, too.  States are loaded before one is begun, so that a file which is both
 * is not lost. */
int states_begin(struct states *s, const struct plan *plan, const struct clock *clock,
	struct err *reterr);
void states_done(struct states *s, const struct plan *plan);
