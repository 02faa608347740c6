/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Arithmetic in values: size=(4*1024-1)*2k, and what stands around $ncpus.
 *
 *	sum     = product { (+|-) product }
 *	product = signed { (*|/|%) signed }
 *	signed  = - signed | power
 *	power   = atom [ ^ signed ]
 *	atom    = ( sum ) [unit] | number [unit]
 *
 * A long double holds every 64-bit integer exactly, on x86-64 and on arm64. */
#include "opt/number.h"

#include "base/err.h"
#include "opt/opt.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

#define CALC_DEPTH 64   /* parentheses and signs within each other */
#define CALC_POWER 4096 /* exponents beyond overflow anyway        */

struct calc {
	struct span rest;
	const struct number_how *how; /* NULL: integers without units */
	bool unit_seen;
	unsigned depth;
	const char *problem; /* the first one; NULL: none */
};

static long double calc_sum(struct calc *c);
static long double calc_signed(struct calc *c);

static long double calc_fail(struct calc *c, const char *problem)
{
	if (!c->problem)
		c->problem = problem;
	c->rest.len = 0;
	return 0;
}

/* The next byte that is no blank, 0 at the end. */
static char calc_peek(struct calc *c)
{
	while (c->rest.len && isspace((unsigned char)c->rest.at[0]))
		c->rest = span_after(c->rest, 1);
	return c->rest.len ? c->rest.at[0] : 0;
}

static bool calc_take(struct calc *c, char wanted)
{
	if (calc_peek(c) != wanted)
		return false;
	c->rest = span_after(c->rest, 1);
	return true;
}

/* Towards zero; what has no fraction any more stays. */
static long double calc_cut(long double v)
{
	return v > -0x1p62L && v < 0x1p62L ? (long double)(int64_t)v : v;
}

static long double calc_unit(struct calc *c, long double v)
{
	struct span unit = {c->rest.at, span_letters(c->rest)};
	uint64_t factor;
	bool iec;

	if (!unit.len)
		return v;
	if (!c->how || unit_find(unit, c->how, &factor, &iec) < 0)
		return calc_fail(c, "has a unit that does not exist");
	if (iec && c->how->native)
		return calc_fail(c, "has a unit with two readings (kib, mib, ...)");
	c->rest = span_after(c->rest, unit.len);
	c->unit_seen = true;
	return v * (long double)factor;
}

static unsigned digit_of(char ch)
{
	return (unsigned)(ch <= '9' ? ch - '0' : (ch | 0x20) - 'a' + 10);
}

static long double calc_digits(struct calc *c, unsigned base)
{
	long double v = 0;
	while (c->rest.len && (base == 16 ? isxdigit((unsigned char)c->rest.at[0])
					  : isdigit((unsigned char)c->rest.at[0]))) {
		v = v * base + digit_of(c->rest.at[0]);
		c->rest = span_after(c->rest, 1);
	}
	return v;
}

static long double calc_number(struct calc *c)
{
	if (c->rest.len > 2 && c->rest.at[0] == '0' && (c->rest.at[1] | 0x20) == 'x') {
		c->rest = span_after(c->rest, 2);
		return calc_digits(c, 16);
	}
	long double v = calc_digits(c, 10);
	if (!c->how || !c->rest.len || c->rest.at[0] != '.')
		return v;
	c->rest = span_after(c->rest, 1);
	size_t before = c->rest.len;
	long double fraction = calc_digits(c, 10);
	for (size_t n = before - c->rest.len; n; n--)
		fraction /= 10;
	return v + fraction;
}

static long double calc_atom(struct calc *c)
{
	long double v;

	if (calc_take(c, '(')) {
		v = calc_sum(c);
		if (!c->problem && !calc_take(c, ')'))
			return calc_fail(c, "lacks a ')'");
	} else if (isdigit((unsigned char)calc_peek(c))) {
		v = calc_number(c);
	} else {
		return calc_fail(c, "lacks a number");
	}
	return calc_unit(c, v);
}

static long double calc_power(struct calc *c)
{
	long double base = calc_atom(c);
	if (!calc_take(c, '^'))
		return base;
	long double times = calc_signed(c);
	if (!(times >= 0 && times <= CALC_POWER) || times != calc_cut(times))
		return calc_fail(c, "has an exponent that is no small whole number");
	long double v = 1;
	for (unsigned n = (unsigned)times; n; n >>= 1) {
		v *= n & 1 ? base : 1;
		base *= base;
	}
	return v;
}

static long double calc_signed(struct calc *c)
{
	if (++c->depth > CALC_DEPTH)
		return calc_fail(c, "is nested too deep");
	long double v = calc_take(c, '-') ? -calc_signed(c) : calc_power(c);
	c->depth--;
	return v;
}

static long double calc_divide(struct calc *c, char op, long double a, long double b)
{
	if (b == 0)
		return calc_fail(c, "divides by zero");
	if (op == '%')
		return a - b * calc_cut(a / b);
	return c->how ? a / b : calc_cut(a / b);
}

static long double calc_product(struct calc *c)
{
	long double v = calc_signed(c);
	for (char op; (op = calc_peek(c)) == '*' || op == '/' || op == '%';) {
		c->rest = span_after(c->rest, 1);
		long double by = calc_signed(c);
		v = op == '*' ? v * by : calc_divide(c, op, v, by);
	}
	return v;
}

static long double calc_sum(struct calc *c)
{
	long double v = calc_product(c);
	for (char op; (op = calc_peek(c)) == '+' || op == '-';) {
		c->rest = span_after(c->rest, 1);
		long double by = calc_product(c);
		v = op == '+' ? v + by : v - by;
	}
	return v;
}

static long double calc_all(struct calc *c)
{
	long double v = calc_sum(c);
	if (!c->problem && calc_peek(c))
		c->problem = "has something left over at its end";
	return v;
}

bool calc_wanted(struct span text)
{
	for (size_t i = 0; i < text.len; i++) {
		char ch = text.at[i];
		if (ch == '(' || (i && (ch == '+' || ch == '*')))
			return true;
	}
	return false;
}

int calc_read(struct span text, const struct number_how *how, struct number *ret,
	struct err *reterr)
{
	struct number_how binary = *how;
	binary.kb_base = 1024;
	struct calc c = {.rest = text, .how = &binary};
	long double v = calc_all(&c);
	if (c.problem)
		return err_set(reterr, -EINVAL, "the arithmetic '%.*s' %s", SPAN_ARG(text),
			c.problem);
	if (!c.unit_seen)
		v *= (long double)how->bare;

	bool negative = v < 0;
	v = negative ? -v : v;
	if (!(v < 0x1p64L)) /* also catches NaN */
		return err_set(reterr, -ERANGE, "value out of range: '%.*s' is above 2^64 - 1",
			SPAN_ARG(text));
	/* 0.3 / 0.1 is 3 to whoever wrote it. */
	uint64_t cut = (uint64_t)v;
	if (v - (long double)cut > 1 - 1e-9L && cut < UINT64_MAX)
		cut++;
	*ret = (struct number){.v = cut, .negative = negative && cut};
	return 0;
}

int opt_read_arithmetic(const char *text, int64_t *ret)
{
	struct calc c = {.rest = span_of(text)};
	long double v = calc_all(&c);
	if (c.problem || !(v > -0x1p63L && v < 0x1p63L))
		return -EINVAL;
	*ret = (int64_t)v;
	return 0;
}
