/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Names of figures in a result, as assertions write them:
 *
 *	[JOB.]read.iops  [JOB.]write.lat.p99.9  [JOB.]cpu.per_io  [JOB.]sync.lat.p99
 *
 * One table (path.c) has them all; `weir help paths` is a walk over it.  A JOB that has
 * blanks stands in quotes.  The figure itself comes from report/figures.h, or from a
 * latency by any percentile. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "result/checks.h"

struct arena;
struct err;
struct latency;
struct result_row;
struct str;

/* Before which words a figure may stand. */
enum path_scope {
	PATH_DIR, /* stands behind read, write, trim or mixed                  */
	PATH_ALL, /* of all directions together, as well as behind one of them */
	PATH_ROW, /* of the job                                                */
};

/* A figure that can be asked for; const. */
struct path_row {
	const char *name;
	enum path_scope scope;
	enum quantity quantity;
	const char *key; /* of the figure; NULL: a latency */
	const char *help;
};

extern const struct path_row path_rows[];
extern const size_t path_rows_count;

/* What follows a latency's name: mean, p99, ... */
enum path_stat {
	STAT_NONE,
	STAT_MIN,
	STAT_MEAN,
	STAT_STDDEV,
	STAT_MAX,
	STAT_SAMPLES,
	STAT_QUANTILE,
};

#define PATH_NO_DIR (-1)

/* A path that was read: what to look at in a result, and in which unit it is. */
struct path {
	const char *job; /* NULL: any */
	const struct path_row *row;
	int dir; /* slot of result_row.dir, or PATH_NO_DIR */
	enum path_stat stat;
	double quantile;
	enum quantity quantity;
};

/* TEXT, a whole path.  0, or -EINVAL and why, with the nearest name. */
int path_read(struct arena *arena, const char *text, struct path *ret, struct err *reterr);

/* The figure in ROWS, which are the clones of one job in one run: counts and rates add
 * up, latencies merge where they were recorded.  False when the source doesn't hold
 * it, or it can't be had of several; *ret_why says which. */
bool path_value(const struct path *p, const struct result_row *const *rows, uint32_t count,
	double *ret, const char **ret_why);

/* The latency that P is about in ROW; NULL: none, or P is about something else. */
const struct latency *path_latency(const struct path *p, const struct result_row *row);

/* `weir help paths`. */
void path_list(struct str *out);
