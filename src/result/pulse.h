/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* A look at a run while it goes on: what each report row has done so far, and what of
 * it is new since the news were last taken.
 *
 * Everything is a difference of counters that only grow.  So the news of all looks
 * add up to the totals, and those of the last look are the result's, whenever the
 * looks happen.  Times are ns since the program began.
 *
 * Made by run, read by report; all memory is run's and valid during the call. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/dir.h"
#include "stat/growth.h"

/* Sums over the row's workers since the start of the measured window. */
struct pulse_counts {
	uint64_t ios, bytes, errors; /* completed in the window; failed */
};

/* Nanoseconds, of requests that completed. */
struct pulse_latency {
	const struct histogram *total; /* NULL: not measured                    */
	uint64_t sum_ns;
	struct growth news;
};

/* `total` counts since the window opened, `news` since the news were last taken. */
struct pulse_dir {
	bool used; /* the row's jobs can do this; else nothing here is set */
	struct pulse_counts total, news;
	struct pulse_latency lat, response;
};

/* A row of the report as it is now; texts are the plan's. */
struct pulse_row {
	const char *name;
	uint32_t number; /* counted from 1, hidden rows too                       */
	uint32_t group;
	uint32_t workers;
	bool hidden;             /* stats=0: it appears nowhere                   */
	uint32_t running;        /* workers that do I/O now                       */
	uint32_t in_flight;      /* their requests                                */
	bool fresh;              /* measured since the news were taken: these ... */
	uint64_t from_ns, to_ns; /* ... cover this time                           */
	struct pulse_dir dir[DIRS];
};

/* One look at all rows. */
struct pulse {
	uint64_t elapsed_ns;
	bool last; /* all is over: totals are final */
	const struct pulse_row *rows;
	uint32_t rows_count;
};
