/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What kind of load a trace is: what a job must have to be like it.
 *
 * A look streams over the records in constant memory (but for a few words a file); a profile
 * is what is left of it: plain numbers, which a result keeps. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "trace/reader.h"

#define PROFILE_KINDS (TRACE_TRIM + 1) /* reads, writes, trims      */
#define PROFILE_SIZES 12               /* the most frequent of a kind  */
#define PROFILE_ZONES 20               /* equal parts of the range     */
#define PROFILE_PARTS 64               /* of the time, at most         */

/* How many requests had a size. */
struct profile_size {
	uint64_t bytes, ios;
};

struct trace_profile {
	uint64_t ios[TRACE_IO_ACTIONS];
	uint64_t bytes[PROFILE_KINDS];
	uint64_t span_ns; /* from the first request to the last              */
	struct profile_size sizes[PROFILE_KINDS][PROFILE_SIZES]; /* the most frequent first */
	uint32_t sizes_count[PROFILE_KINDS];
	/* begin where none of the last few of their kind on that file ended */
	uint64_t random[PROFILE_KINDS];
	/* in flight at the device when one was issued, itself too; 0: not in the trace */
	uint32_t depth_median, depth_p95, depth_max;
	uint32_t places;               /* files or devices with reads, writes or trims  */
	uint64_t range_bytes;          /* to the end of what was touched, of all of them */
	uint64_t end;                  /* of one place                                  */
	uint64_t zones[PROFILE_ZONES]; /* random requests in each part, of one place    */
	uint64_t part_ns;              /* length of a part of the time                  */
	uint64_t parts[PROFILE_PARTS]; /* requests in each                        */
	uint32_t parts_count;
	double gap_variation; /* of times between requests: deviation / mean; 1: at random */
};

struct profile_look;

/* NULL: out of memory. */
struct profile_look *profile_look_new(void);
void profile_look_free(struct profile_look *l);

/* Records of a trace opened with `completions`.  0 or -ENOMEM. */
int profile_look_add(struct profile_look *l, const struct trace_record *r);

void profile_look_end(struct profile_look *l, struct trace_profile *ret);

/* Reads, writes and trims, and how many of them a second; 0: all at one moment. */
uint64_t profile_ios(const struct trace_profile *p);
double profile_iops(const struct trace_profile *p);

/* Part of them, 0 to 1; < 0: there are none. */
double profile_share(const struct trace_profile *p, enum trace_action kind);
double profile_random(const struct trace_profile *p, enum trace_action kind);

/* Mean size of a kind; 0: there are none. */
double profile_size(const struct trace_profile *p, enum trace_action kind);
