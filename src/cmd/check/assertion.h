/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* "read.lat.p99 < 400us @95%": a figure, how it is compared, a limit, and how sure one
 * wants to be.
 *
 *	list       = assertion { "," assertion }
 *	assertion  = path op number [unit] [ "@" number [ "%" ] ]
 *	op         = ">=" | "<=" | ">" | "<" | "==" | "=" | "!="
 *
 * Blanks may stand anywhere but inside a word.  Text belongs to the caller's arena. */
#pragma once

#include <stdint.h>

#include "cmd/check/path.h"

/* ">=", "<=", ">", "<", "==", "!=": comparison_name(). */
enum comparison {
	COMPARE_AT_LEAST,
	COMPARE_AT_MOST,
	COMPARE_ABOVE,
	COMPARE_BELOW,
	COMPARE_EQUAL,
	COMPARE_DIFFERENT,
};

struct assertion {
	const char *text; /* as written, without blanks at its ends */
	const char *path_text;
	struct path path;
	enum comparison compare;
	double limit;      /* per second, ns, bytes, or a count */
	double confidence; /* 0.95; 0: not asked for            */
};

struct assertion_list {
	const struct assertion *v;
	uint32_t count;
};

/* All of TEXT.  0, -ENOMEM, or -EINVAL: "column 12: what was expected". */
int assertion_read(struct arena *arena, const char *text, struct assertion_list *ret,
	struct err *reterr);

const char *comparison_name(enum comparison c);

/* Does VALUE hold? */
bool comparison_holds(enum comparison c, double value, double limit);

/* Is the interval LO..HI on one side of the limit? Then *ret says whether it holds. */
bool comparison_decided(enum comparison c, double lo, double hi, double limit, bool *ret);
