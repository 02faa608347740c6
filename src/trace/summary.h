/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What is in a trace, from one pass over it in constant memory. */
#pragma once

#include "stat/latency.h"
#include "trace/reader.h"

#define TRACE_SIZES     64   /* block sizes by powers of two                   */
#define TRACE_REGISTERS 4096 /* of the estimate of distinct blocks, +-1.6 %    */
#define TRACE_BLOCK     4096 /* its unit                                       */

/* One file or device. */
struct trace_place {
	uint64_t ios[TRACE_IO_ACTIONS];
	uint64_t bytes[TRACE_TRIM + 1];
	uint64_t low, end;             /* of reads, writes and trims                  */
	uint64_t end_number;           /* record that reaches END                     */
	uint64_t next[TRACE_TRIM + 1]; /* where the last of each ended          */
};

/* Grows only with the number of names. */
struct trace_summary {
	uint64_t ios[TRACE_IO_ACTIONS];
	uint64_t bytes[TRACE_TRIM + 1];
	uint64_t bytes_min[TRACE_TRIM + 1], bytes_max[TRACE_TRIM + 1];
	uint64_t records;                    /* of I/O                                       */
	uint64_t first_ns, last_ns;          /* times of the first and the last of them   */
	uint64_t all_bits;                   /* offsets and sizes of reads and writes, or-ed */
	uint64_t sequential[TRACE_TRIM + 1]; /* they begin where the one before ended */
	struct trace_place *places;          /* by name                                   */
	uint32_t places_count, places_room;

	/* only of a deep look */
	bool deep;
	uint64_t sizes[TRACE_TRIM + 1][TRACE_SIZES]; /* 2^k <= bytes < 2^(k+1)     */
	uint64_t second, second_ios; /* the running second                       */
	uint64_t peak_second, peak_ios;
	uint64_t more_blocks; /* of requests too large to look at each block */
	struct latency gaps;  /* ns between records                       */
	unsigned char registers[TRACE_REGISTERS];
};

/* A zeroed struct is a valid empty one; set DEEP before the first record.  0 or
 * -ENOMEM. */
int trace_summary_add(struct trace_summary *s, const struct trace_record *r);
void trace_summary_done(struct trace_summary *s);

/* I/Os a second on average over the time between the first and the last; 0: one moment. */
double trace_summary_iops(const struct trace_summary *s);

/* Distinct bytes that were read and written, estimated in blocks (HyperLogLog: Flajolet
 * and others, 2007). */
uint64_t trace_summary_working_set(const struct trace_summary *s);

/* A sentence when the times look as if their unit were mistaken, else NULL: ns taken for
 * us make a trace of a busy second last for a quarter of an hour. */
const char *trace_summary_doubt(const struct trace_summary *s, char *buf, size_t size);
