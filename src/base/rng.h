/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Random numbers: xoshiro256++ (Blackman and Vigna, 2019), seeded by splitmix64.
 *
 * Period 2^256 - 1, passes BigCrush, about 1 ns a draw.  The state is the
 * caller's, so a worker's stream depends on its seed and on nothing else.  For
 * streams that must not disturb each other (directions, sizes, places) there are
 * several of them, each seeded by rng_mix() of the job's seed and its purpose.
 *
 * Not for secrets.  All inline: draws are in HOT files.  One thread a state. */
#pragma once

#include <stdint.h>

/* Not all zero: rng_init() sees to that. */
struct rng {
	uint64_t s[4];
};

/* One step of splitmix64: a good mix of a counter, also used to derive seeds. */
static inline uint64_t rng_mix(uint64_t x)
{
	x += UINT64_C(0x9e3779b97f4a7c15);
	x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
	return x ^ (x >> 31);
}

/* Any seed is good, 0 too: splitmix64 makes no state of four zeroes, the only one that
 * xoshiro can't leave. */
static inline void rng_init(struct rng *r, uint64_t seed)
{
	for (int i = 0; i < 4; i++)
		r->s[i] = rng_mix(seed + (uint64_t)i * UINT64_C(0x9e3779b97f4a7c15));
}

static inline uint64_t rng_rotl(uint64_t x, int k)
{
	return (x << k) | (x >> (64 - k));
}

/* 64 random bits.  The lowest are as good as the others (those of the + variants are not). */
static inline uint64_t rng_next(struct rng *r)
{
	uint64_t *s = r->s;
	uint64_t out = rng_rotl(s[0] + s[3], 23) + s[0];
	uint64_t t = s[1] << 17;

	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= t;
	s[3] = rng_rotl(s[3], 45);
	return out;
}

/* Uniform in [0, n), n > 0, by Lemire's multiplication: the bias is below
 * n / 2^64, which no run can see, and there is no division. */
static inline uint64_t rng_below(struct rng *r, uint64_t n)
{
	__extension__ unsigned __int128 wide = (unsigned __int128)rng_next(r) * n;
	return (uint64_t)(wide >> 64);
}

/* Uniform in [0, 1) with 53 bits. */
static inline double rng_unit(struct rng *r)
{
	return (double)(rng_next(r) >> 11) * 0x1.0p-53;
}
