/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Random bytes for payload: fast, and by number.
 *
 * noise_fill() gives the bytes of (seed, number); a shorter piece is the beginning
 * of the longer one.  So nothing needs to be remembered to write, or to expect, the
 * same block again.  Compressors find nothing in them, and neither two numbers nor
 * two sectors of one are alike (chance says 2^-128).  They are not for secrets.
 *
 * There is a path in plain C and one for AVX2, which is chosen when the machine has
 * it.  Both give the same bytes, on any little-endian machine; where this was written
 * they make 10 and 60 GB/s. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NOISE_LANES   16
#define NOISE_PARTNER 8  /* over lane I lies lane I ^ 8, */
#define NOISE_SHIFT   27 /* so far to the left */
/* NOISE_FACTOR * 2^32 - 1 and half of what is below it are primes: the period of a
 * lane is more than 2^62 steps. */
#define NOISE_FACTOR UINT64_C(0xfff5a366)

/* Which code makes the bytes; they are the same.  Others than NOISE_BEST are for tests. */
enum noise_path {
	NOISE_BEST, /* what this machine has */
	NOISE_PLAIN,
	NOISE_AVX2,
};

/* One step of all lanes gives so many bytes; the first few are thrown away. */
#define NOISE_STEP   (NOISE_LANES * 8)
#define NOISE_WARMUP 2

/* Const after noise_init(): one may serve all buffers and threads of a worker. */
struct noise {
	uint64_t key;
	uint64_t base[NOISE_LANES];
	void (*run)(const struct noise *n, const uint64_t mixed[2], unsigned char *buf,
		size_t bytes);
};

/* Was it built, and does this processor have it? */
bool noise_path_works(enum noise_path path);

/* PATH must work here. */
void noise_init(struct noise *n, uint64_t seed, enum noise_path path);

/* The bytes of NUMBER. HOT. */
void noise_fill(const struct noise *n, uint64_t number, void *buf, size_t bytes);

/* ---- noise_avx2.c ---- */

/* Has this processor got it? */
bool noise_avx2_works(void);

/* Lane I starts from base[I] and, below NOISE_PARTNER mixed[0], else mixed[1]. */
void noise_avx2_run(const struct noise *n, const uint64_t mixed[2], unsigned char *buf,
	size_t bytes);
