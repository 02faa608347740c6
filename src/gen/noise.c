/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* HOT.
 *
 * Sixteen multiply-with-carry generators (Marsaglia) side by side: a state is 64
 * bits, the lower half a digit, the upper half the carry, and a step is
 *
 *	state = digit * NOISE_FACTOR + carry
 *
 * which is one multiplication, one shift and one addition on whole vectors, the
 * cheapest thing found that looks random: xorshift128+ takes 1.6 times as long,
 * two rounds of AES 1.4 times, and AES can't be done fast without the instruction.
 * The carry follows from the digit before it nearly in proportion; so what is given out
 * has another lane over it, out of step with the halves:
 *
 *	out[i] = state[i] ^ state[i ^ 8] << 27
 *
 * That can be undone, so two steps are equal only where all states are.
 *
 * Each lane starts from its own base xored with what is mixed from the number.  A step
 * keeps the difference of two lanes (modulo the prime): were the two added, the
 * difference would be the same for all numbers, and with it half of what is written
 * (tests/prop/gen-data.c sees that). */
#include "gen/noise.h"

#include <string.h>

#include "base/bits.h"
#include "base/rng.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
	"words are given out as they lie in memory: other bytes for the same seed");

static inline void noise_step(uint64_t lane[NOISE_LANES])
{
	for (unsigned i = 0; i < NOISE_LANES; i++)
		lane[i] = (uint64_t)(uint32_t)lane[i] * NOISE_FACTOR + (lane[i] >> 32);
}

static inline void noise_give(const uint64_t lane[NOISE_LANES], uint64_t out[NOISE_LANES])
{
	for (unsigned i = 0; i < NOISE_LANES; i++)
		out[i] = lane[i] ^ lane[i ^ NOISE_PARTNER] << NOISE_SHIFT;
}

static void noise_plain_run(const struct noise *n, const uint64_t mixed[2], unsigned char *buf,
	size_t bytes)
{
	uint64_t lane[NOISE_LANES], out[NOISE_LANES];

	for (unsigned i = 0; i < NOISE_LANES; i++)
		lane[i] = n->base[i] ^ mixed[i / NOISE_PARTNER];
	for (unsigned i = 0; i < NOISE_WARMUP; i++)
		noise_step(lane);
	for (; bytes >= NOISE_STEP; bytes -= NOISE_STEP, buf += NOISE_STEP) {
		noise_step(lane);
		noise_give(lane, out);
		memcpy(buf, out, NOISE_STEP);
	}
	if (unlikely(bytes)) {
		noise_step(lane);
		noise_give(lane, out);
		memcpy(buf, out, bytes);
	}
}

bool noise_path_works(enum noise_path path)
{
	return path != NOISE_AVX2 || noise_avx2_works();
}

void noise_init(struct noise *n, uint64_t seed, enum noise_path path)
{
	struct rng rng;
	bool wide = path == NOISE_AVX2 || (path == NOISE_BEST && noise_avx2_works());

	rng_init(&rng, seed);
	n->key = rng_next(&rng);
	for (unsigned i = 0; i < NOISE_LANES; i++)
		n->base[i] = rng_next(&rng);
	n->run = wide ? noise_avx2_run : noise_plain_run;
}

void noise_fill(const struct noise *n, uint64_t number, void *buf, size_t bytes)
{
	const uint64_t first = rng_mix(n->key + number);
	const uint64_t mixed[2] = {first, rng_mix(first)};
	n->run(n, mixed, buf, bytes);
}
