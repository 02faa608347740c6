/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Numbers with units, private to opt/.  Every number of every type is read here:
 * all of the text must be used up, and what another reader might take for
 * something else is an error that says what to write. */
#pragma once

#include "opt/span.h"

#include <stdbool.h>
#include <stdint.h>

struct err;
struct opt;
struct opt_ctx;
struct str;

/* Which units a number may have. */
enum number_kind {
	NUMBER_PLAIN, /* k, m, ... are allowed, as in fio */
	NUMBER_BYTES,
	NUMBER_TIME, /* in nanoseconds */
};

/* What a number counts and how its units are taken. */
struct number_how {
	enum number_kind kind;
	uint64_t bare; /* what a number without unit is multiplied by */
	unsigned kb_base;
	bool native;
};

struct number {
	uint64_t v; /* without sign */
	bool negative;
};

/* How to read a count, a size in bytes, a time whose bare numbers are UNIT_NS each. */
struct number_how number_plain(const struct opt_ctx *ctx);
struct number_how number_bytes(const struct opt_ctx *ctx);
struct number_how number_time(uint64_t unit_ns);

/* Decimal, 0x..., or arithmetic (calc.c), a sign, and a unit of HOW's kind.  0 or a negative
 * errno; the text says what is wrong and what was meant. */
int number_read(struct span text, const struct number_how *how, struct number *ret,
	struct err *reterr);

/* The same, not negative and in the range of row O (NULL: any). */
int number_read_unsigned(const struct opt *o, struct span text, const struct number_how *how,
	uint64_t *ret, struct err *reterr);

/* "1500ms": in the largest of s, ms, us, ns that leaves no fraction. */
void number_show_time(struct str *out, uint64_t ns);

/* "1536m": in the largest unit that leaves no fraction. */
void number_show_bytes(struct str *out, uint64_t bytes, unsigned kb_base);

/* "a number", "a size", "a time". */
const char *number_noun(enum number_kind kind);

/* ---- units.c ---- */

/* What UNIT multiplies by; -ENOENT when there is no such unit.  *ret_iec is set
 * for kib, mib, ...: the ones with two readings. */
int unit_find(struct span unit, const struct number_how *how, uint64_t *ret, bool *ret_iec);

/* "s" for "sec", "minutes" for "m" ...; NULL when nothing is meant. */
const char *unit_meant(struct span unit);

/* ---- calc.c ---- */

/* Does TEXT hold arithmetic: parentheses, or a + or * between numbers? */
bool calc_wanted(struct span text);

/* Arithmetic on numbers with units.  k, m, ... are powers of 1024 whatever
 * kb_base says, as in fio; the bare unit multiplies a result in which no unit
 * was named; what is left of a fraction at the end is cut. */
int calc_read(struct span text, const struct number_how *how, struct number *ret,
	struct err *reterr);
