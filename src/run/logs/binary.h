/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* The binary log: a head, then records (record.h) to the end of the file.
 *
 *	0   "weirlog\n"
 *	8   version, 32 bits, little-endian: 1
 *	12  bytes of the head, 32 bits, a multiple of 16
 *	16  text: KEY=VALUE lines, the rest is zeros
 *
 * A whole log ends with the record LOG_END, which says how many I/Os there are; without
 * it the run was killed or the disk was full.  docs/internals/log.md has all of it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/dir.h"

struct err;
struct str;
struct plan_worker;
struct log_ring;

#define LOG_BINARY_MAGIC   "weirlog\n"
#define LOG_BINARY_VERSION 1
#define LOG_BINARY_FIXED   16
#define LOG_BINARY_MAX     65536 /* bytes of a head */

/* What a log says of itself; texts that are too long are cut. */
struct log_head {
	char job[256];
	char rw[32];
	char engine[64];
	uint32_t worker; /* number of the job in the run, from 1      */
	uint32_t unit_shift;
	bool slat, clat, lat;          /* measured                                  */
	bool offset, prio, issue_time; /* columns that the job asked for   */
	uint64_t epoch_ms;             /* to be added to times in text              */
	uint64_t start_unix_ns;
};

/* The head for worker PW, whose window has opened. */
void log_binary_head(const struct plan_worker *pw, const struct log_ring *ring,
	struct str *out);

/* Bytes of the head whose first 16 bytes are FIXED; 0 and *reterr: it is none, or one
 * of a later version. */
size_t log_binary_size(const unsigned char *fixed, struct err *reterr);

/* The text part.  Keys that are not known are passed over. */
int log_binary_read(const char *text, size_t len, struct log_head *ret, struct err *reterr);
