/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* The record of a log: 16 bytes, two little-endian words.  The same records lie in
 * the ring between a worker and the writer of its logs, and in the binary log.
 *
 * An I/O (kind 0 to 2, its direction):
 *
 *	a   0..1   kind        b   0..34   offset / unit
 *	    2      RATE           35..46   bytes / unit
 *	    3      LATENCY        47..63   slat, ns
 *	    4..31  delta, ns
 *	   32..63  lat, ns
 *
 * delta is the time from the record before to this completion, lat = T2 - T0, slat =
 * T1 - T0, clat their difference.  The unit is 2^n bytes, known for the whole stream.
 * RATE: it completed inside the window and counts in bandwidth and IOPS.  LATENCY: it
 * was issued inside the window.  So a log has as many lines as the report has I/Os.
 *
 * Limits: delta < 2^28 ns (268 ms), lat < 2^32 ns (4.29 s), slat < 2^17 ns (131 us),
 * offset < 2^35 units, bytes < 2^12 units, no priority.  What goes beyond any of them,
 * or is no multiple of the unit, is WIDE: three records and no limit.
 *
 * Anything else is kind 3, with PAYLOAD more records behind it that are plain words:
 *
 *	a   0..1   3           b   by what
 *	    2..5   what
 *	    6..7   direction
 *	    8..15  payload
 *	   16..63  arg
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/dir.h"

/* What a worker puts into its ring: an I/O, or (LOG_KIND_OTHER) an enum log_what. */
struct log_record {
	uint64_t a, b;
};

_Static_assert(sizeof(struct log_record) == 16, "a record is 16 bytes");
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
	"records are written as they lie in memory: a binary log would not be little-endian");

enum log_bits {
	LOG_KIND_OTHER = 3,
	LOG_RATE = 1u << 2,
	LOG_LATENCY = 1u << 3,
	LOG_DELTA_SHIFT = 4,
	LOG_DELTA_BITS = 28,
	LOG_LAT_SHIFT = 32,
	LOG_LAT_BITS = 32,
	LOG_OFFSET_BITS = 35,
	LOG_BYTES_SHIFT = 35,
	LOG_BYTES_BITS = 12,
	LOG_SLAT_SHIFT = 47,
	LOG_SLAT_BITS = 17,
};

/* What a record of LOG_KIND_OTHER says. */
enum log_what {
	LOG_WIDE,   /* b: completion, ns since the start; arg: bits 0..15 priority, 16 RATE,
		     * 17 LATENCY; payload: lat, slat; offset, bytes                    */
	LOG_WINDOW, /* the sums of one direction in window ARG, which ended at b; payload:
		     * struct log_sum                                                   */
	LOG_BIN,    /* b I/Os in bin ARG of the direction's next LOG_HIST               */
	LOG_HIST,   /* the bins so far are those of the interval that ended at b        */
	LOG_END,    /* b: when the window ended; payload: records of I/Os, 0            */
	LOG_ISSUE,  /* b: when it was issued, ns since the job's start; arg: bits 0..7 enum
		     * io_kind, 8..31 file; payload: offset, bytes.  Only in rings.      */
};

/* One direction in one window. */
struct log_sum {
	uint64_t ios, bytes;
	uint64_t count; /* of latencies */
	uint64_t lat_sum, lat_max;
	uint64_t clat_sum, clat_max;
	uint64_t slat_sum, slat_max;
	uint64_t unused;
};

#define LOG_WIDE_RECORDS   3
#define LOG_ISSUE_RECORDS  2
#define LOG_WINDOW_PAYLOAD (sizeof(struct log_sum) / sizeof(struct log_record))
#define LOG_WINDOW_RECORDS (1 + LOG_WINDOW_PAYLOAD)
#define LOG_PAYLOAD_MAX    LOG_WINDOW_PAYLOAD

/* The head of a record that is no I/O. */
static inline struct log_record log_other(enum log_what what, enum dir dir, unsigned payload,
	uint64_t arg, uint64_t b)
{
	return (struct log_record){
		.a = LOG_KIND_OTHER | (uint64_t)what << 2 | (uint64_t)dir << 6 |
		     (uint64_t)payload << 8 | arg << 16,
		.b = b,
	};
}
