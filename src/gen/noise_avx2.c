/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* The same as noise_plain_run(), four lanes an instruction.  Compiled for any
 * x86-64 and called only where the processor has AVX2; elsewhere it is never
 * called. */
#include "gen/noise.h"

#ifdef __x86_64__

#include <immintrin.h>
#include <string.h>

bool noise_avx2_works(void)
{
	return __builtin_cpu_supports("avx2");
}

#define AVX2    __attribute__((target("avx2")))
#define VECTORS (NOISE_LANES / 4)

AVX2 static inline void avx2_step(__m256i lane[VECTORS])
{
	const __m256i factor = _mm256_set1_epi64x((long long)NOISE_FACTOR);

	for (unsigned i = 0; i < VECTORS; i++)
		lane[i] = _mm256_add_epi64(_mm256_mul_epu32(lane[i], factor),
			_mm256_srli_epi64(lane[i], 32));
}

AVX2 static inline void avx2_give(const __m256i lane[VECTORS], unsigned char *to)
{
	for (unsigned i = 0; i < VECTORS; i++) {
		__m256i over = _mm256_slli_epi64(lane[i ^ NOISE_PARTNER / 4], NOISE_SHIFT);
		_mm256_storeu_si256((void *)(to + 32 * i), _mm256_xor_si256(lane[i], over));
	}
}

AVX2 void noise_avx2_run(const struct noise *n, const uint64_t mixed[2], unsigned char *buf,
	size_t bytes)
{
	unsigned char rest[NOISE_STEP];
	__m256i lane[VECTORS];

	for (unsigned i = 0; i < VECTORS; i++)
		lane[i] = _mm256_xor_si256(_mm256_loadu_si256((const void *)&n->base[4 * i]),
			_mm256_set1_epi64x((long long)mixed[4 * i / NOISE_PARTNER]));
	for (unsigned i = 0; i < NOISE_WARMUP; i++)
		avx2_step(lane);
	for (; bytes >= NOISE_STEP; bytes -= NOISE_STEP, buf += NOISE_STEP) {
		avx2_step(lane);
		avx2_give(lane, buf);
	}
	if (bytes) {
		avx2_step(lane);
		avx2_give(lane, rest);
		memcpy(buf, rest, bytes);
	}
}

#else

bool noise_avx2_works(void)
{
	return false;
}

void noise_avx2_run(const struct noise *n, const uint64_t mixed[2], unsigned char *buf,
	size_t bytes)
{
	(void)n;
	(void)mixed;
	(void)buf;
	(void)bytes;
}

#endif
