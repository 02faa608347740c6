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

#include "base/rng.h"

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

struct data {
	enum data_kind kind;
	uint64_t serial;
	struct rng rng;
};

void data_init(struct data *d, const struct data_spec *spec);

/* Once, before the clock starts: fill BUF for its first use. */
void data_prepare(struct data *d, void *buf, size_t bytes);

/* Before each write of BYTES at OFFSET. HOT. */
void data_fill(struct data *d, void *buf, size_t bytes, uint64_t offset);
