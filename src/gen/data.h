/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What is written: bytes that can't be compressed or deduplicated, unless asked
 * otherwise, and that cost less than the I/O.
 *
 *   fresh      new random bytes for each write
 *   constant   random bytes, the same again and again
 *   zero       zeroes
 *   pattern    bytes that the user said
 *   corpus     new cuttings of a file for each write
 *
 * Fresh and constant bytes may have a part that can be compressed: of each chunk the
 * last so many percent are zeroes, or the pattern.
 *
 *	chunk                          chunk
 *	│ random         │ 0 0 0 0 0 0 │ random         │ 0 0 0 0 0 0 │ ...
 *
 * Fresh writes and cuttings may repeat earlier ones (dedupe.h). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/filler.h"
#include "gen/dedupe.h"
#include "gen/noise.h"

/* What bytes are written. */
enum data_kind {
	DATA_FRESH,
	DATA_CONSTANT,
	DATA_ZERO,
	DATA_PATTERN,
	DATA_CORPUS,
};

#define DATA_CORPUS_GRID 4096 /* cuttings begin at multiples of it, if there are two */

/* As the plan made it of the job's options; const. */
struct data_spec {
	enum data_kind kind;
	uint64_t seed;
	enum noise_path path;      /* for tests; 0 is best                       */
	uint32_t compress_percent; /* of each chunk, can be; up to 100           */
	uint32_t compress_chunk;   /* 0: all of a write is one                   */
	struct filler filler;      /* the pattern, also of what can be compressed:
				    * empty: zeroes                              */
	struct dedupe_spec dedupe;
	const uint8_t *corpus; /* of DATA_CORPUS: all of the file                    */
	uint64_t corpus_bytes; /* at least 1                                         */
};

/* One worker's; one thread. */
struct data {
	struct data_spec spec;
	struct noise noise;
	struct dedupe dedupe;
	uint64_t serial; /* of the next random block; not used with dedupe      */
};

/* The spec is copied; what it points to must live on. */
void data_init(struct data *d, const struct data_spec *spec);

/* Is each write the same?  Then a buffer is prepared once and data_fill() does
 * nothing: what else was put into the buffer since (a read) must not be there. */
static inline bool data_is_still(const struct data_spec *spec)
{
	return spec->kind != DATA_FRESH && spec->kind != DATA_CORPUS;
}

/* Once, before the clock starts: fill BUF for its first use. */
void data_prepare(struct data *d, void *buf, size_t bytes);

/* Before each write of BYTES. HOT. */
void data_fill(struct data *d, void *buf, size_t bytes);

/* The bytes that have this NUMBER, whatever was written before: the same again for the same
 * spec, number and bytes.  Kinds that are still have the same for all numbers.  HOT. */
void data_fill_as(const struct data *d, uint64_t number, void *buf, size_t bytes);
