/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What is written: bytes that can't be compressed or deduplicated, unless asked
 * otherwise, and that cost less than the I/O.
 *
 *   default   a buffer is filled with random bytes once; before each write every
 *             512 bytes of it get a stamp made from (seed, serial, offset), so
 *             no two blocks of a run are equal ("scramble")
 *   refill    new random bytes for each write
 *   zero      zeroes, always
 *   neither   the same bytes again and again (scramble_buffers=0)           */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum data_kind {
	DATA_SCRAMBLE,
	DATA_REFILL,
	DATA_ZERO,
	DATA_CONSTANT,
};

struct data_spec {
	enum data_kind kind;
	uint64_t seed;
};

#define DATA_LANES 8

/* Random generators that run side by side. */
struct data_lanes {
	uint64_t a[DATA_LANES], b[DATA_LANES];
};

/* One worker's; one thread. */
struct data {
	enum data_kind kind;
	uint64_t key;
	uint64_t serial; /* of the next write */
	struct data_lanes lanes;
};

void data_init(struct data *d, const struct data_spec *spec);

/* Once, before the clock starts: fill BUF for its first use.  Where something
 * else was put into it since (a read), SCRAMBLE and CONSTANT need it again. */
void data_prepare(struct data *d, void *buf, size_t bytes);

/* Before each write of BYTES at OFFSET. HOT. */
void data_fill(struct data *d, void *buf, size_t bytes, uint64_t offset);
