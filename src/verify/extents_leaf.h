/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Where extents lie; private to extents*.c. */
#pragma once

#include "verify/extents.h"

#define EXTENTS_LEAF 127

struct extents_leaf {
	uint32_t count;
	uint32_t spare; /* the next of those given back + 1                        */
	struct extent v[EXTENTS_LEAF];
};

_Static_assert(sizeof(struct extents_leaf) <= 4096, "a leaf is a page");
