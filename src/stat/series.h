/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What happened in each interval: counts, bytes and a sparse histogram per
 * direction, for one report row.
 *
 * Interval i covers [start + i * interval, start + (i + 1) * interval).  An
 * interval that nobody wrote is a zero; all of 0 .. count-1 exist.  At most `most`
 * (0: LIMIT_INTERVALS) are kept: when full, neighbours merge and the interval
 * doubles.  Heap memory, one owner, one thread (the supervisor's).  A zeroed
 * struct with interval_ns and start_ns set is a valid empty series. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/dir.h"

struct histogram;

/* Eight bytes, since there are thousands in an interval of each row. */
struct series_bin {
	uint32_t bin;
	uint32_t count;
};

/* A histogram as the list of its used bins, ascending. A bin stands there again
 * where its count exceeds 32 bits. */
struct series_sparse {
	struct series_bin *bins;
	uint32_t count;
};

/* One interval. */
struct series_record {
	uint64_t ios[DIRS];
	uint64_t bytes[DIRS];
	struct series_sparse lat[DIRS];      /* total latency, ns             */
	struct series_sparse response[DIRS]; /* done - due, scheduled runs    */
};

/* Was anything done in these directions (bits)? */
static inline bool series_used(const struct series_record *r, unsigned dirs)
{
	for (int d = 0; d < DIRS; d++)
		if (dirs >> d & 1 && r->ios[d])
			return true;
	return false;
}

/* A row's; `records` is heap, `count` of them in use. */
struct series {
	uint64_t interval_ns;
	uint64_t start_ns;
	uint32_t count;
	uint32_t room;
	uint32_t most; /* records that are kept; 0: LIMIT_INTERVALS */
	struct series_record *records;
	bool failed; /* memory ran out: later additions were dropped */
};

/* Add to the interval that T_NS falls into (earlier than start: the first). */
void series_add(struct series *s, uint64_t t_ns, enum dir dir, uint64_t ios, uint64_t bytes,
	const struct histogram *lat, const struct histogram *response);

/* All of FROM into S, whose start may differ: each record goes to the interval in
 * which it begins.  S doubles its interval until it is not finer than FROM's. */
void series_merge(struct series *s, const struct series *from);

/* Let the series end at T_NS: the missing intervals that begin before it exist as
 * zeros; what was written beyond stays. */
void series_extend(struct series *s, uint64_t t_ns);

/* Frees the records; accepts a zeroed one. */
void series_done(struct series *s);

/* Summary of a per-interval rate, zeros included; what fio prints as bw and
 * iops samples.  A last interval that the window covers by less than half is
 * left out; others are scaled by what the window covers of them. */
struct samples {
	uint64_t count;
	double min, max, mean, stddev; /* per second */
};

/* Which of a record's counts. */
enum series_rate {
	SERIES_BYTES,
	SERIES_IOS,
};

/* Of the directions whose bits are set in DIRS together, between start and END_NS, in steps of
 * STEP_NS (a multiple of the interval; smaller means the interval). */
struct samples series_samples(const struct series *s, unsigned dirs, enum series_rate what,
	uint64_t step_ns, uint64_t end_ns);
