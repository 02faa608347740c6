/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "verify/xxhash.h"

#include "config.h"

#if HAVE_XXHASH

#define XXH_INLINE_ALL
#include <xxhash.h>

const bool xxhash_built = true;

uint64_t xxhash_plain(uint64_t seed, const void *data, size_t n)
{
	return XXH3_64bits_withSeed(data, n, seed);
}

#else

const bool xxhash_built = false;

uint64_t xxhash_plain(uint64_t seed, const void *data, size_t n)
{
	(void)seed;
	(void)data;
	(void)n;
	return 0;
}

#endif

#ifdef __x86_64__

uint64_t xxhash_more(uint64_t seed, const void *data, size_t n)
{
	return __builtin_cpu_supports("avx2") ? xxhash_avx2(seed, data, n)
					      : xxhash_plain(seed, data, n);
}

#else

uint64_t xxhash_more(uint64_t seed, const void *data, size_t n)
{
	return xxhash_plain(seed, data, n);
}

#endif
