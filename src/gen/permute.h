/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* A keyed permutation of [0, n) in O(1) memory: visits each number once, in an
 * order that looks random.
 *
 * A number is a cell of a table of `rows` rows and 2^bits columns, the smallest
 * such table near a square that holds n.  A round moves a cell along its column
 * by a hash of the column, the next round along its row by a hash of the row: a
 * Feistel network on a rectangle (Black and Rogaway, 2002).  Cells beyond n are
 * walked through; fewer than one row of them exists, so for a large n that
 * practically never happens, whatever n is, and no branch is mispredicted.
 *
 * Any n from 1 to 2^63.  Const after init; safe to share. */
#pragma once

#include <stdint.h>

#include "base/bits.h"

/* 32 bytes: one is made anew for each region and pass. */
struct permute {
	uint64_t n;
	uint64_t key;
	uint32_t rows;
	uint16_t bits;  /* 2^bits columns                   */
	uint16_t extra; /* pairs of rounds beyond the three */
};

/* N from 1 to 2^63; every KEY is another order.  Some ns: cheap enough for each region and
 * pass. */
void permute_init(struct permute *p, uint64_t n, uint64_t key);

/* X of 32 bits in; the high bits of the outcome depend on all of it and KEY. */
static inline uint64_t permute_hash(uint64_t x, uint64_t key)
{
	x = (x ^ key) * UINT64_C(0xd6e8feb86659fd93);
	x ^= x >> 32;
	return x * UINT64_C(0xcf1bbcdcb7a56463);
}

/* The halves of a round: a new row by a hash of the column, a new column by a hash of the
 * row. Both can be undone, which is why no number comes twice. */
static inline uint64_t permute_row(const struct permute *p, uint64_t key, uint64_t row,
	uint64_t column)
{
	row += (permute_hash(column, key) >> 32) * p->rows >> 32;
	return row >= p->rows ? row - p->rows : row;
}

static inline uint64_t permute_column(const struct permute *p, uint64_t key, uint64_t row,
	uint64_t column)
{
	return column ^ permute_hash(row, ~key) >> (64 - p->bits);
}

/* Where I, below n, goes: three rounds, and more where n is small. HOT. */
static inline uint64_t permute_at(const struct permute *p, uint64_t i)
{
	uint64_t key = p->key;
	do {
		uint64_t column = i & ((UINT64_C(1) << p->bits) - 1);
		uint64_t row = permute_row(p, key, i >> p->bits, column);
		column = permute_column(p, key, row, column);
		row = permute_row(p, key * 3, row, column);
		for (unsigned e = 0; e < p->extra; e++) {
			column = permute_column(p, key * (2 * e + 3), row, column);
			row = permute_row(p, key * (2 * e + 5), row, column);
		}
		i = row << p->bits | column;
	} while (unlikely(i >= p->n));
	return i;
}
