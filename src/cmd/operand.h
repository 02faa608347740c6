/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Words that name sides of a comparison.
 *
 *	old.json             a file with results (any that import.h reads), "-": stdin
 *	old/                 all files of a directory (not of those in it)
 *	'old-*.json'         a pattern, when no file has that name
 *	a.json,b.json        several of these
 *	old=runs/1           the same, called "old"
 *
 * Each word is a side; where a word is "--", it stands between sides, and all words up
 * to it are one.  A run that a side has twice counts once, which is said on stderr.
 * Clones of a job are one job, unless they are asked for one by one. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "result/compare.h"

struct err;
struct result;

#define OPERAND_SIDES COMPARE_SIDES

/* Runs in the order of their files; owned. */
struct operand_side {
	char *name;
	struct result **runs;
	uint32_t count;
};

/* A zeroed struct is a valid empty one. */
struct operands {
	bool each_clone; /* clones of a job stay apart */
	struct operand_side sides[OPERAND_SIDES];
	struct compare_side view[OPERAND_SIDES]; /* the same, for compare_make() */
	uint32_t count;
};

/* 0, or -errno: which word, what was found, what is understood. */
int operands_read(struct operands *o, char *const *words, size_t count, struct err *reterr);
void operands_done(struct operands *o);
