/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Where pieces lie; private to pieces*.c. */
#pragma once

#include "verify/pieces.h"

#define EXTENTS_LEAF 127

struct pieces_leaf {
	uint32_t count;
	uint32_t spare; /* the next of those given back + 1                        */
	struct piece v[EXTENTS_LEAF];
};

_Static_assert(sizeof(struct pieces_leaf) <= 4096, "a leaf is a page");
