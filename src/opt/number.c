/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "opt/number.h"

#include "base/bits.h"
#include "base/err.h"
#include "base/str.h"
#include "opt/opt.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>

static unsigned base_of(const struct opt_ctx *ctx)
{
	return ctx && ctx->kb_base == 1000 ? 1000 : 1024;
}

struct number_how number_plain(const struct opt_ctx *ctx)
{
	return (struct number_how){NUMBER_PLAIN, 1, base_of(ctx), ctx && ctx->native};
}

struct number_how number_bytes(const struct opt_ctx *ctx)
{
	return (struct number_how){NUMBER_BYTES, 1, base_of(ctx), ctx && ctx->native};
}

struct number_how number_time(uint64_t unit_ns)
{
	return (struct number_how){NUMBER_TIME, unit_ns, 1024, false};
}

/* Take the decimal digits in front of *REST. */
static bool take_decimal(struct span *rest, uint64_t *ret)
{
	uint64_t v = 0;
	bool fits = true;
	while (rest->len && isdigit((unsigned char)rest->at[0])) {
		fits = fits && !__builtin_mul_overflow(v, 10u, &v) &&
		       !__builtin_add_overflow(v, (unsigned)(rest->at[0] - '0'), &v);
		*rest = span_after(*rest, 1);
	}
	*ret = v;
	return fits;
}

static bool take_hex(struct span *rest, uint64_t *ret)
{
	uint64_t v = 0;
	bool fits = true;
	while (rest->len && isxdigit((unsigned char)rest->at[0])) {
		char c = rest->at[0];
		unsigned digit = (unsigned)(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
		fits = fits && v >> 60 == 0;
		v = v << 4 | digit;
		*rest = span_after(*rest, 1);
	}
	*ret = v;
	return fits;
}

static int too_big(struct span text, const struct number_how *how, struct err *reterr)
{
	if (how->kind == NUMBER_TIME)
		return err_set(reterr, -ERANGE,
			"value out of range: '%.*s' is more than 584 years (0 is no limit)",
			SPAN_ARG(text));
	return err_set(reterr, -ERANGE, "value out of range: '%.*s' is above 2^64 - 1",
		SPAN_ARG(text));
}

/* "1.5g": WHOLE was read, *rest begins at the point.  Says what to write. */
static int read_fraction(struct span text, struct span rest, uint64_t whole,
	const struct number_how *how, struct err *reterr)
{
	uint64_t digits, factor = how->bare, tenths = 1;
	bool iec;

	rest = span_after(rest, 1);
	size_t before = rest.len;
	bool fits = take_decimal(&rest, &digits);
	size_t count = before - rest.len;
	struct span unit = span_trim(rest);
	if (!count || (unit.len && unit_find(unit, how, &factor, &iec) < 0))
		return err_set(reterr, -EINVAL, "'%.*s' is not a %s", SPAN_ARG(text),
			number_noun(how->kind));
	for (size_t i = 0; i < count; i++)
		fits = fits && !__builtin_mul_overflow(tenths, 10u, &tenths);

	/* (whole + digits / tenths) * factor, when that is a whole number. */
	uint64_t high, low;
	fits = fits && !__builtin_mul_overflow(whole, factor, &high) &&
	       !__builtin_mul_overflow(digits, factor, &low) && low % tenths == 0 &&
	       !__builtin_add_overflow(high, low / tenths, &high);
	if (!fits)
		return err_set(reterr, -EINVAL,
			"'%.*s' has a fraction: write a whole number, in a smaller unit",
			SPAN_ARG(text));

	struct str wanted = {0};
	if (how->kind == NUMBER_TIME)
		number_show_time(&wanted, high);
	else
		number_show_bytes(&wanted, high, how->kb_base);
	int rc = err_set(reterr, -EINVAL, "'%.*s' has a fraction: write %s", SPAN_ARG(text),
		str_text(&wanted));
	str_done(&wanted);
	return rc;
}

/* What stands behind the digits is no unit. */
static int bad_rest(struct span text, struct span rest, uint64_t v,
	const struct number_how *how, struct err *reterr)
{
	const char *noun = number_noun(how->kind);
	const char *meant = how->kind == NUMBER_TIME ? unit_meant(rest) : NULL;

	if (meant)
		return err_set(reterr, -EINVAL,
			"'%.*s' has no known unit (fio takes it for microseconds): write %" PRIu64
			"%s",
			SPAN_ARG(text), v, meant);
	if (span_is(rest, "%"))
		return err_set(reterr, -EINVAL, "'%.*s' is not a %s: write %" PRIu64,
			SPAN_ARG(text), noun, v);
	struct span behind = span_after(rest, span_letters(rest));
	char next = behind.len ? behind.at[0] : 0;
	if (next == ',' || next == ':' || next == '-')
		return err_set(reterr, -EINVAL, "'%.*s' is a list or a range: one %s is wanted",
			SPAN_ARG(text), noun);
	if (next == '/')
		return err_set(reterr, -EINVAL,
			"'%.*s' is not a %s (arithmetic stands in parentheses)", SPAN_ARG(text),
			noun);
	return err_set(reterr, -EINVAL, "'%.*s' is not a %s: '%.*s' is no unit (%s)",
		SPAN_ARG(text), noun, SPAN_ARG(rest),
		how->kind == NUMBER_TIME ? "d h m s ms us ns" : "k m g t p");
}

/* kib and the like where nothing says which reading is meant. */
static int two_readings(struct span text, struct span unit, uint64_t v, uint64_t factor,
	struct err *reterr)
{
	unsigned power = 0;
	for (uint64_t f = factor; f > 1; f /= 1000)
		power++;
	char letter = (char)(unit.at[0] | 0x20);
	__extension__ unsigned __int128 binary = (unsigned __int128)v << (10 * power);
	__extension__ unsigned __int128 decimal = (unsigned __int128)v * factor;
	if (binary > UINT64_MAX)
		return err_set(reterr, -ERANGE, "value out of range: '%.*s' is above 2^64 - 1",
			SPAN_ARG(text));
	return err_set(reterr, -EINVAL,
		"'%.*s' has two readings, %" PRIu64 " and (fio's) %" PRIu64 ": write %" PRIu64
		"%c or %" PRIu64,
		SPAN_ARG(text), (uint64_t)binary, (uint64_t)decimal, v, letter,
		(uint64_t)decimal);
}

static int read_hex(struct span text, struct span digits, const struct number_how *how,
	struct number *ret, struct err *reterr)
{
	struct span rest = digits;
	if (how->kind == NUMBER_TIME)
		return err_set(reterr, -EINVAL, "'%.*s' is not a time: write it in decimal",
			SPAN_ARG(text));
	if (!take_hex(&rest, &ret->v))
		return too_big(text, how, reterr);
	if (rest.len == digits.len)
		return err_set(reterr, -EINVAL, "'%.*s' has no digits", SPAN_ARG(text));
	if (rest.len)
		return err_set(reterr, -EINVAL,
			"'%.*s' is not a %s: a hexadecimal number takes no unit",
			SPAN_ARG(text), number_noun(how->kind));
	return 0;
}

static int read_decimal(struct span text, struct span rest, const struct number_how *how,
	struct number *ret, struct err *reterr)
{
	uint64_t v, factor = how->bare;
	bool iec = false;

	if (!rest.len || !isdigit((unsigned char)rest.at[0]))
		return err_set(reterr, -EINVAL, "'%.*s' is not a %s", SPAN_ARG(text),
			number_noun(how->kind));
	bool fits = take_decimal(&rest, &v);
	if (rest.len && rest.at[0] == '.')
		return read_fraction(text, rest, v, how, reterr);
	rest = span_trim(rest);
	if (rest.len && unit_find(rest, how, &factor, &iec) < 0)
		return bad_rest(text, rest, v, how, reterr);
	if (fits && iec && how->native && how->kb_base == 1024)
		return two_readings(text, rest, v, factor, reterr);
	if (!fits || __builtin_mul_overflow(v, factor, &ret->v))
		return too_big(text, how, reterr);
	return 0;
}

int number_read(struct span text, const struct number_how *how, struct number *ret,
	struct err *reterr)
{
	struct number out = {0};
	struct span rest;
	int rc;

	text = span_trim(text);
	if (!text.len)
		return err_set(reterr, -EINVAL, "a %s is missing", number_noun(how->kind));
	if (calc_wanted(text))
		return calc_read(text, how, ret, reterr);

	rest = text;
	if (rest.at[0] == '-' || rest.at[0] == '+') {
		out.negative = rest.at[0] == '-';
		rest = span_after(rest, 1);
	}
	if (rest.len > 1 && rest.at[0] == '0' && (rest.at[1] | 0x20) == 'x')
		rc = read_hex(text, span_after(rest, 2), how, &out, reterr);
	else
		rc = read_decimal(text, rest, how, &out, reterr);
	if (rc < 0)
		return rc;
	out.negative = out.negative && out.v;
	*ret = out;
	return 0;
}

static void show_bound(struct str *out, const struct number_how *how, uint64_t v)
{
	if (how->kind == NUMBER_TIME)
		number_show_time(out, v);
	else if (how->kind == NUMBER_BYTES)
		number_show_bytes(out, v, how->kb_base);
	else
		str_addf(out, "%" PRIu64, v);
}

/* "value out of range: 0 (1 to 4096)" */
static int out_of_range(const struct opt *o, struct span text, const struct number_how *how,
	struct err *reterr)
{
	struct str bounds = {0};
	uint64_t min = o ? o->min : 0;

	show_bound(&bounds, how, min);
	if (o && o->max) {
		str_add(&bounds, " to ");
		show_bound(&bounds, how, o->max);
	} else {
		str_add(&bounds, " or more");
	}
	int rc = err_set(reterr, -ERANGE, "value out of range: %.*s (%s)",
		SPAN_ARG(span_trim(text)), str_text(&bounds));
	str_done(&bounds);
	return rc;
}

int number_read_unsigned(const struct opt *o, struct span text, const struct number_how *how,
	uint64_t *ret, struct err *reterr)
{
	struct number n;
	int rc = number_read(text, how, &n, reterr);
	if (rc < 0)
		return rc;
	if (n.negative || (o && (n.v < o->min || (o->max && n.v > o->max))))
		return out_of_range(o, text, how, reterr);
	*ret = n.v;
	return 0;
}

int opt_read_bytes(const char *text, const struct opt_ctx *ctx, uint64_t *ret,
	struct err *reterr)
{
	struct number_how how = number_bytes(ctx);
	return number_read_unsigned(NULL, span_of(text), &how, ret, reterr);
}

int opt_read_time(const char *text, uint64_t unit_ns, uint64_t *ret_ns, struct err *reterr)
{
	struct number_how how = number_time(unit_ns);
	return number_read_unsigned(NULL, span_of(text), &how, ret_ns, reterr);
}

int opt_read_u64(const char *text, uint64_t *ret, struct err *reterr)
{
	struct number_how how = number_plain(NULL);
	return number_read_unsigned(NULL, span_of(text), &how, ret, reterr);
}
