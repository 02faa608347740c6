/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Another machine for a test: a file of tests/data/sys made into a folder. */
#pragma once

#include <stddef.h>

#include "sys/sysroot.h"

struct tree_node;

struct tree {
	struct sysroot root; /* what is given to the code under test */
	char folder[256];
	struct tree_node *nodes;
	size_t nodes_count;
};

/* NAME: "disk.tree", below $WEIR_DATA.  Fails the running test when it can't. */
void tree_make(struct tree *t, const char *name);
void tree_remove(struct tree *t);
