/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Records back to what they stand for; the same for a ring and for a file.  A record
 * with payload may be cut anywhere between two calls. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/dir.h"
#include "run/logs/record.h"
#include "stat/histogram.h"

/* An I/O that completed, with all that its record has; figures that weren't measured are 0. */
struct log_io {
	uint64_t time_ns; /* of completion, since the window opened */
	uint64_t lat_ns, slat_ns, clat_ns;
	uint64_t offset;
	uint32_t bytes;
	uint16_t prio;
	enum dir dir;
	bool rate, latency; /* what it counts in */
};

/* Who listens; any member may be NULL. */
struct log_listener {
	void *ctx;
	void (*io)(void *ctx, const struct log_io *io);
	void (*window)(void *ctx, enum dir dir, uint64_t index, uint64_t end_ns,
		const struct log_sum *sum);
	/* BINS: fio's bins. */
	void (*hist)(void *ctx, enum dir dir, uint64_t end_ns, const uint64_t *bins);
	void (*end)(void *ctx, uint64_t end_ns, uint64_t ios);
};

/* What was issued, and when: for traces. */
struct log_issue {
	uint64_t time_ns; /* since the job's start */
	uint64_t offset, bytes;
	uint32_t file;
	uint8_t kind; /* enum io_kind */
};

/* Zeroed but for the listener and unit_shift, which a file's head says. */
struct log_decoder {
	struct log_listener to;
	void (*issue)(void *ctx, const struct log_issue *issue); /* or NULL */
	void *issue_ctx;
	uint32_t unit_shift;
	uint64_t time_ns;
	uint64_t ios;        /* seen so far                       */
	bool ended;          /* LOG_END was there                 */
	bool broken;         /* a record of an unknown kind: what follows means nothing */
	unsigned have, want; /* of a record with payload         */
	struct log_record parts[1 + LOG_PAYLOAD_MAX];
	uint64_t bins[DIRS][HISTOGRAM_FIO_BINS];
};

/* Tell d->to and d->issue what COUNT records say, in order.  A record that can't be understood
 * sets d->broken; nothing is told from then on. */
void log_decode(struct log_decoder *d, const struct log_record *records, size_t count);
