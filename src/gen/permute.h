/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* A keyed permutation of [0, n) in O(1) memory: visits each number once, in an
 * order that looks random.  Balanced Feistel network over the smallest even
 * number of bits that holds n, with cycle walking (Black and Rogaway, 2002):
 * fewer than four steps on average, and far fewer on a tight domain.
 *
 * Any n from 1 to 2^63.  Const after init; safe to share. */
#pragma once

#include <stdint.h>

struct permute {
	uint64_t n;
	uint64_t key[4];
	uint32_t half_bits[2];
};

void permute_init(struct permute *p, uint64_t n, uint64_t key);
uint64_t permute_at(const struct permute *p, uint64_t i);
