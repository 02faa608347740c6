/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Types of one number: yes or no, counts, sizes, times. */
#include "opt/opt.h"

#include "base/bits.h"
#include "base/err.h"
#include "base/str.h"
#include "opt/number.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

/* ---- yes or no ---- */

/* true, yes, on and their opposites are numbers in fio's language. */
static const char *digit_for(struct span text)
{
	static const char *const yes[] = {"true", "yes", "on"};
	static const char *const no[] = {"false", "no", "off"};
	for (size_t i = 0; i < COUNT_OF(yes); i++) {
		if (span_is(text, yes[i]))
			return "1";
		if (span_is(text, no[i]))
			return "0";
	}
	return NULL;
}

static int parse_yes_no(const char *text, const struct opt_ctx *ctx, struct number *ret,
	struct err *reterr)
{
	struct number_how how = number_plain(ctx);
	const char *digit = digit_for(span_trim(span_of(text)));
	if (digit)
		return err_set(reterr, -EINVAL, "'%s' is not a number: write %s", text, digit);
	return number_read(span_of(text), &how, ret, reterr);
}

static int parse_flag(const struct opt *o, const char *text, void *dst,
	const struct opt_ctx *ctx, struct err *reterr)
{
	struct number n = {.v = 1};
	int rc = text ? parse_yes_no(text, ctx, &n, reterr) : 0;
	(void)o;
	if (rc == 0)
		*(bool *)dst = n.v != 0;
	return rc;
}

static int parse_bool(const struct opt *o, const char *text, void *dst,
	const struct opt_ctx *ctx, struct err *reterr)
{
	struct number n;
	int rc = parse_yes_no(text, ctx, &n, reterr);
	(void)o;
	if (rc < 0)
		return rc;
	if (n.negative || n.v > 1)
		return err_set(reterr, -ERANGE, "value out of range: %s (0 or 1)", text);
	*(bool *)dst = n.v != 0;
	return 0;
}

static void print_bool(const struct opt *o, const void *src, struct str *out)
{
	(void)o;
	str_add(out, *(const bool *)src ? "1" : "0");
}

const struct opt_type opt_flag = {"flag", sizeof(bool), true, parse_flag, print_bool};
const struct opt_type opt_bool = {"0 or 1", sizeof(bool), false, parse_bool, print_bool};

/* ---- whole numbers ---- */

static int parse_u64(const struct opt *o, const char *text, void *dst,
	const struct opt_ctx *ctx, struct err *reterr)
{
	struct number_how how = number_plain(ctx);
	return number_read_unsigned(o, span_of(text), &how, dst, reterr);
}

static int parse_u32(const struct opt *o, const char *text, void *dst,
	const struct opt_ctx *ctx, struct err *reterr)
{
	struct opt narrow = *o;
	struct number_how how = number_plain(ctx);
	uint64_t v;

	if (!narrow.max || narrow.max > UINT32_MAX)
		narrow.max = UINT32_MAX;
	int rc = number_read_unsigned(&narrow, span_of(text), &how, &v, reterr);
	if (rc == 0)
		*(uint32_t *)dst = (uint32_t)v;
	return rc;
}

static int parse_i32(const struct opt *o, const char *text, void *dst,
	const struct opt_ctx *ctx, struct err *reterr)
{
	bool bounded = o->min || o->max;
	int64_t min = bounded ? (int64_t)o->min : INT32_MIN;
	int64_t max = bounded ? (int64_t)o->max : INT32_MAX;
	struct number_how how = number_plain(ctx);
	struct number n;

	int rc = number_read(span_of(text), &how, &n, reterr);
	if (rc < 0)
		return rc;
	int64_t v = n.v > INT64_MAX ? INT64_MAX : (int64_t)n.v;
	v = n.negative ? -v : v;
	if (v < min || v > max)
		return err_set(reterr, -ERANGE,
			"value out of range: %s (%" PRId64 " to %" PRId64 ")", text, min, max);
	*(int32_t *)dst = (int32_t)v;
	return 0;
}

static void print_u32(const struct opt *o, const void *src, struct str *out)
{
	(void)o;
	str_addf(out, "%" PRIu32, *(const uint32_t *)src);
}

static void print_i32(const struct opt *o, const void *src, struct str *out)
{
	(void)o;
	str_addf(out, "%" PRId32, *(const int32_t *)src);
}

static void print_u64(const struct opt *o, const void *src, struct str *out)
{
	(void)o;
	str_addf(out, "%" PRIu64, *(const uint64_t *)src);
}

const struct opt_type opt_u32 = {"number", sizeof(uint32_t), false, parse_u32, print_u32};
const struct opt_type opt_i32 = {"number", sizeof(int32_t), false, parse_i32, print_i32};
const struct opt_type opt_u64 = {"number", sizeof(uint64_t), false, parse_u64, print_u64};

/* ---- decimal fractions ---- */

int opt_read_double(const char *text, double *ret, struct err *reterr)
{
	struct span s = span_trim(span_of(text));
	char copy[64], *end;

	if (!s.len)
		return err_set(reterr, -EINVAL, "a number is missing");
	/* strtod() also knows "nan", "inf" and hexadecimal. */
	bool plain = s.len < sizeof(copy) && strcspn(s.at, "xXnN") >= s.len;
	memcpy(copy, s.at, plain ? s.len : 0);
	copy[plain ? s.len : 0] = '\0';
	double v = strtod(copy, &end);
	if (end == copy || *end)
		return err_set(reterr, -EINVAL, "'%.*s' is not a number", SPAN_ARG(s));
	if (!(v > -1e300 && v < 1e300))
		return err_set(reterr, -ERANGE, "value out of range: %.*s", SPAN_ARG(s));
	*ret = v;
	return 0;
}

static int parse_double(const struct opt *o, const char *text, void *dst,
	const struct opt_ctx *ctx, struct err *reterr)
{
	double v;
	int rc = opt_read_double(text, &v, reterr);
	(void)ctx;
	if (rc < 0)
		return rc;
	if (o->max && (v < (double)o->min || v > (double)o->max))
		return err_set(reterr, -ERANGE,
			"value out of range: %s (%" PRIu64 " to %" PRIu64 ")", text, o->min,
			o->max);
	*(double *)dst = v;
	return 0;
}

/* With as few digits, from six on, as give the same number back. */
static void print_double(const struct opt *o, const void *src, struct str *out)
{
	double v = *(const double *)src;
	char text[40];
	int digits = 6;

	(void)o;
	do
		snprintf(text, sizeof(text), "%.*g", digits, v);
	while (strtod(text, NULL) != v && digits++ < 17);
	str_add(out, text);
}

const struct opt_type opt_double = {
	"decimal number", sizeof(double), false, parse_double, print_double};

/* ---- sizes and times ---- */

static int parse_bytes(const struct opt *o, const char *text, void *dst,
	const struct opt_ctx *ctx, struct err *reterr)
{
	struct number_how how = number_bytes(ctx);
	return number_read_unsigned(o, span_of(text), &how, dst, reterr);
}

static int parse_time(const struct opt *o, const char *text, void *dst, uint64_t unit_ns,
	struct err *reterr)
{
	struct number_how how = number_time(unit_ns);
	return number_read_unsigned(o, span_of(text), &how, dst, reterr);
}

static int parse_time_s(const struct opt *o, const char *text, void *dst,
	const struct opt_ctx *ctx, struct err *reterr)
{
	(void)ctx;
	return parse_time(o, text, dst, NS_PER_S, reterr);
}

static int parse_time_ms(const struct opt *o, const char *text, void *dst,
	const struct opt_ctx *ctx, struct err *reterr)
{
	(void)ctx;
	return parse_time(o, text, dst, NS_PER_MS, reterr);
}

static int parse_time_us(const struct opt *o, const char *text, void *dst,
	const struct opt_ctx *ctx, struct err *reterr)
{
	(void)ctx;
	return parse_time(o, text, dst, NS_PER_US, reterr);
}

static void print_time(const struct opt *o, const void *src, struct str *out)
{
	(void)o;
	number_show_time(out, *(const uint64_t *)src);
}

const struct opt_type opt_bytes = {"size", sizeof(uint64_t), false, parse_bytes, print_u64};
const struct opt_type opt_time_s = {
	"time (s)", sizeof(uint64_t), false, parse_time_s, print_time};
const struct opt_type opt_time_us = {
	"time (us)", sizeof(uint64_t), false, parse_time_us, print_time};
const struct opt_type opt_time_ms = {
	"time (ms)", sizeof(uint64_t), false, parse_time_ms, print_time};

/* ---- a size, a share of the target, or zones ---- */

static int parse_percent(struct span text, struct opt_size *ret, const struct opt_ctx *ctx,
	struct err *reterr)
{
	struct number_how how = number_plain(ctx);
	struct span digits = text;
	struct number n;

	/* "100%%" is what Python's configparser leaves of "100%". */
	for (unsigned i = 0; i < 2 && digits.len && digits.at[digits.len - 1] == '%'; i++)
		digits.len--;
	int rc = number_read(digits, &how, &n, reterr);
	if (rc < 0)
		return rc;
	if (n.negative || n.v > 100)
		return err_set(reterr, -ERANGE, "value out of range: %.*s (1%% to 100%%)",
			SPAN_ARG(text));
	*ret = (struct opt_size){.percent = (uint32_t)n.v};
	return 0;
}

static int parse_zones(struct span text, struct opt_size *ret, const struct opt_ctx *ctx,
	struct err *reterr)
{
	struct number_how how = number_plain(ctx);
	struct opt bounds = {.max = UINT32_MAX};
	uint64_t v;

	text.len--;
	int rc = number_read_unsigned(&bounds, text, &how, &v, reterr);
	if (rc == 0)
		*ret = (struct opt_size){.zones = (uint32_t)v};
	return rc;
}

static int parse_size(const struct opt *o, const char *text, void *dst,
	const struct opt_ctx *ctx, struct err *reterr)
{
	struct span s = span_trim(span_of(text));
	char last = s.len ? s.at[s.len - 1] : 0;
	struct opt_size out = {0};
	int rc;

	if (last == '%')
		rc = parse_percent(s, &out, ctx, reterr);
	else if (s.len > 1 && (last | 0x20) == 'z')
		rc = parse_zones(s, &out, ctx, reterr);
	else
		rc = parse_bytes(o, text, &out.bytes, ctx, reterr);
	if (rc == 0)
		*(struct opt_size *)dst = out;
	return rc;
}

static void print_size(const struct opt *o, const void *src, struct str *out)
{
	const struct opt_size *size = src;
	(void)o;
	if (size->percent)
		str_addf(out, "%" PRIu32 "%%", size->percent);
	else if (size->zones)
		str_addf(out, "%" PRIu32 "z", size->zones);
	else
		str_addf(out, "%" PRIu64, size->bytes);
}

const struct opt_type opt_size_type = {
	"size, N% or Nz", sizeof(struct opt_size), false, parse_size, print_size};
