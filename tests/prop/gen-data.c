/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Laws of data: no two sectors of a run are alike where they shall differ, what is
 * random looks it, and nothing is written beyond the buffer. */
#include <string.h>

#include "base/bits.h"
#include "base/rng.h"
#include "gen/data.h"
#include "law.h"

#define SECTOR  512
#define BLOCK   4096
#define BLOCKS  100000
#define BUFFERS 8

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return (x > y) - (x < y);
}

static uint64_t sector_hash(const unsigned char *sector)
{
	uint64_t h = 0, word;
	for (unsigned i = 0; i < SECTOR; i += 8) {
		memcpy(&word, sector + i, 8);
		h = rng_mix(h ^ word);
	}
	return h;
}

/* WORKERS with seeds of their own write BLOCKS blocks in all, from several buffers;
 * neighbours come from the same buffer and go to the same place. */
static void law_no_two_alike(enum data_kind kind, unsigned workers, uint64_t seed)
{
	static unsigned char buf[BUFFERS][BLOCK];
	static uint64_t hashes[BLOCKS * (BLOCK / SECTOR)];
	size_t n = 0;
	for (unsigned w = 0; w < workers; w++) {
		struct data_spec spec = {.kind = kind, .seed = seed + w};
		struct data d;
		data_init(&d, &spec);
		for (unsigned b = 0; b < BUFFERS; b++)
			data_prepare(&d, buf[b], BLOCK);
		for (unsigned i = 0; i < BLOCKS / workers; i++) {
			unsigned char *block = buf[i / 2 % BUFFERS];
			data_fill(&d, block, BLOCK, i / 4 % 64 * BLOCK);
			for (unsigned s = 0; s < BLOCK; s += SECTOR)
				hashes[n++] = sector_hash(block + s);
		}
	}
	qsort(hashes, n, sizeof(hashes[0]), by_value);
	for (size_t i = 1; i < n; i++)
		LAW(hashes[i] != hashes[i - 1], "kind %d: two sectors are equal", kind);
}

/* Each value of a byte, of a pair of neighbours' difference and of each bit is as
 * likely as any other. */
static void law_random(enum data_kind kind)
{
	static unsigned char buf[1 << 20];
	struct data_spec spec = {.kind = kind, .seed = 5};
	double bytes[256] = {0}, steps[256] = {0}, expected[256];
	struct data d;
	data_init(&d, &spec);
	data_prepare(&d, buf, sizeof(buf));
	data_fill(&d, buf, sizeof(buf), 0);
	for (size_t i = 0; i < sizeof(buf); i++) {
		bytes[buf[i]]++;
		steps[(unsigned char)(buf[i] - buf[(i + 64) % sizeof(buf)])]++;
	}
	for (unsigned i = 0; i < 256; i++)
		expected[i] = sizeof(buf) / 256.0;
	double z = law_chi_square(bytes, expected, 256);
	LAW(z < 4, "kind %d: bytes: %.1f sigma", kind, z);
	z = law_chi_square(steps, expected, 256);
	LAW(z < 4, "kind %d: lanes: %.1f sigma", kind, z);
}

/* Any length, at any address; the same seed gives the same bytes. */
static void law_bounds(enum data_kind kind, struct rng *rng)
{
	static unsigned char a[3000], b[3000];
	size_t bytes = rng_below(rng, 2900), at = rng_below(rng, 64);
	struct data_spec spec = {.kind = kind, .seed = rng_next(rng)};
	struct data d, e;
	memset(a, 0xa5, sizeof(a));
	memset(b, 0xa5, sizeof(b));
	data_init(&d, &spec);
	data_init(&e, &spec);
	data_prepare(&d, a + at, bytes);
	data_prepare(&e, b + at, bytes);
	for (unsigned i = 0; i < 3; i++) {
		data_fill(&d, a + at, bytes, i * 4096);
		data_fill(&e, b + at, bytes, i * 4096);
	}
	LAW(!memcmp(a, b, sizeof(a)), "kind %d: the same seed, other bytes", kind);
	for (size_t i = 0; i < sizeof(a); i++)
		LAW((i >= at && i < at + bytes) || a[i] == 0xa5,
			"kind %d: wrote at %zu, %zu + %zu", kind, i, at, bytes);
}

static void law_zero_and_constant(void)
{
	static unsigned char buf[BLOCK], zero[BLOCK], before[BLOCK];
	struct data_spec spec = {.kind = DATA_ZERO, .seed = 5};
	struct data d;
	data_init(&d, &spec);
	memset(buf, 7, sizeof(buf));
	data_prepare(&d, buf, sizeof(buf));
	LAW(!memcmp(buf, zero, BLOCK), "prepare");
	memset(buf, 7, sizeof(buf));
	data_fill(&d, buf, sizeof(buf), 0);
	LAW(!memcmp(buf, zero, BLOCK), "zeroes, also over what a read left");

	spec.kind = DATA_CONSTANT;
	data_init(&d, &spec);
	data_prepare(&d, buf, sizeof(buf));
	memcpy(before, buf, BLOCK);
	data_fill(&d, buf, sizeof(buf), 4096);
	LAW(!memcmp(buf, before, BLOCK) && memcmp(buf, zero, BLOCK),
		"the same, and not zeroes");
}

int main(void)
{
	struct rng rng;
	uint64_t seed = law_seed();
	rng_init(&rng, seed);
	law_no_two_alike(DATA_SCRAMBLE, 1, seed);
	law_no_two_alike(DATA_SCRAMBLE, 8, seed);
	law_no_two_alike(DATA_REFILL, 8, seed);
	law_random(DATA_REFILL);
	law_random(DATA_CONSTANT);
	law_random(DATA_SCRAMBLE);
	for (unsigned i = 0; i < 2000; i++) {
		for (unsigned kind = DATA_SCRAMBLE; kind <= DATA_CONSTANT; kind++)
			law_bounds((enum data_kind)kind, &rng);
	}
	law_zero_and_constant();
	return 0;
}
