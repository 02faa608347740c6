/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* XXH3, 64 bits: of the header of xxhash, compiled in. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Was this built with it? */
extern const bool xxhash_built;

/* SEED is the hash of what is before, 0 if that is nothing.  0 in a build without.  HOT. */
uint64_t xxhash_more(uint64_t seed, const void *data, size_t n);

/* Its two ways: for any processor, and for one that has AVX2. */
uint64_t xxhash_plain(uint64_t seed, const void *data, size_t n);
uint64_t xxhash_avx2(uint64_t seed, const void *data, size_t n);
