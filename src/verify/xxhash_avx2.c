/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* xxhash.c for AVX2: twice as fast.  Compiled for any x86-64 and called only where the
 * processor has it. */
#include "verify/xxhash.h"

#include "config.h"

#if HAVE_XXHASH && defined(__x86_64__)

#include <immintrin.h>

/* Everything from here on, so that what the header has is inlined. */
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC target("avx2")
#pragma GCC optimize("O3")
#endif

#define XXH_VECTOR XXH_AVX2
#define XXH_INLINE_ALL
#include <xxhash.h>

uint64_t xxhash_avx2(uint64_t seed, const void *data, size_t n)
{
	return XXH3_64bits_withSeed(data, n, seed);
}

#ifdef __clang__
#pragma clang attribute pop
#endif

#else

uint64_t xxhash_avx2(uint64_t seed, const void *data, size_t n)
{
	return xxhash_plain(seed, data, n);
}

#endif
