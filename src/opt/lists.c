/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Types that are lists: names, decimal numbers, CPUs. */
#include "opt/opt.h"

#include "base/arena.h"
#include "base/bits.h"
#include "base/err.h"
#include "base/str.h"
#include "opt/number.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

/* ---- names, with ':' between; "\:" is a colon in a name ----
 *
 * Backslashes mean something only in front of a colon: there each pair is one
 * backslash, and an odd one makes the colon part of the name. */

/* Copy the first name of *TEXT to OUT (long enough); false when the text ended. */
static bool take_name(const char **text, char *out, size_t *ret_len)
{
	size_t len = 0;
	const char *at = *text;
	bool more = false;

	while (*at) {
		size_t slashes = strspn(at, "\\");
		bool before_colon = at[slashes] == ':';
		size_t kept = before_colon ? slashes / 2 : slashes;
		memset(out + len, '\\', kept);
		len += kept;
		at += slashes;
		if (before_colon && slashes % 2 == 0) {
			at++;
			more = true;
			break;
		}
		if (*at)
			out[len++] = *at++;
	}
	out[len] = '\0';
	*ret_len = len;
	*text = at;
	return more;
}

static int parse_names(const struct opt *o, const char *text, void *dst,
	const struct opt_ctx *ctx, struct err *reterr)
{
	const struct opt_names *old = dst;
	size_t kept = o->flags & OPT_GATHER ? old->count : 0, colons = 0;
	for (const char *p = text; *p; p++)
		colons += *p == ':';

	/* Each name takes its bytes and a NUL: no more than the text has with its own. */
	const char **names = arena_array(ctx->arena, kept + colons + 1, sizeof(*names));
	char *bytes = arena_alloc(ctx->arena, strlen(text) + 1);
	if (!names || !bytes)
		return err_set(reterr, -ENOMEM, "out of memory");
	if (kept)
		memcpy(names, old->v, kept * sizeof(*names));

	size_t count = kept, len;
	bool more;
	do {
		more = take_name(&text, bytes, &len);
		if (len) {
			names[count++] = bytes;
			bytes += len + 1;
		}
	} while (more);
	if (count == kept)
		return err_set(reterr, -EINVAL, "a name is missing");
	*(struct opt_names *)dst = (struct opt_names){names, count};
	return 0;
}

static void print_names(const struct opt *o, const void *src, struct str *out)
{
	const struct opt_names *names = src;
	(void)o;
	for (size_t i = 0; i < names->count; i++) {
		size_t slashes = 0;
		for (const char *p = names->v[i]; *p; p++) {
			if (*p == ':')
				for (size_t n = slashes + 1; n; n--)
					str_add_char(out, '\\');
			slashes = *p == '\\' ? slashes + 1 : 0;
			str_add_char(out, *p);
		}
		if (i + 1 == names->count)
			break;
		for (; slashes; slashes--)
			str_add_char(out, '\\');
		str_add_char(out, ':');
	}
}

const struct opt_type opt_names_type = {
	"names with ':' between", sizeof(struct opt_names), false, parse_names, print_names};

/* ---- decimal numbers, with ':' between ---- */

#define FLOAT_DIGITS 15 /* what a double holds of any decimal number */

/* Digits, with at most one point among them. */
static int read_decimal(struct span text, double *ret, uint32_t *ret_decimals,
	struct err *reterr)
{
	char copy[FLOAT_DIGITS + 2];
	size_t points = 0, digits = 0, decimals = 0;

	for (size_t i = 0; i < text.len; i++) {
		bool digit = isdigit((unsigned char)text.at[i]) != 0;
		points += text.at[i] == '.';
		digits += digit;
		decimals += digit && points;
		if (!digit && text.at[i] != '.')
			points = 2;
	}
	if (!digits || points > 1)
		return err_set(reterr, -EINVAL, "'%.*s' is not a number", SPAN_ARG(text));
	if (digits > FLOAT_DIGITS)
		return err_set(reterr, -EINVAL, "'%.*s' has more than %d digits",
			SPAN_ARG(text), FLOAT_DIGITS);
	memcpy(copy, text.at, text.len);
	copy[text.len] = '\0';
	*ret = strtod(copy, NULL);
	*ret_decimals = (uint32_t)decimals;
	return 0;
}

static int read_float(const struct opt *o, struct span text, struct opt_floats *list,
	struct err *reterr)
{
	uint32_t decimals = 0;
	double v = 0;

	if (list->count == LIMIT_PERCENTILES)
		return err_set(reterr, -E2BIG, "the list exceeding max length %d",
			LIMIT_PERCENTILES);
	int rc = read_decimal(text, &v, &decimals, reterr);
	if (rc < 0)
		return rc;
	if (o->max && (v < (double)o->min || v > (double)o->max))
		return err_set(reterr, -ERANGE,
			"value out of range: %.*s (%" PRIu64 " to %" PRIu64 ")", SPAN_ARG(text),
			o->min, o->max);
	list->v[list->count++] = v;
	list->decimals = MAX_OF(list->decimals, decimals);
	return 0;
}

static int parse_floats(const struct opt *o, const char *text, void *dst,
	const struct opt_ctx *ctx, struct err *reterr)
{
	struct opt_floats out = {.count = 0};
	struct span rest = span_of(text);
	char separator;
	int rc;

	(void)ctx;
	do
		rc = read_float(o, span_cut(&rest, ":", &separator), &out, reterr);
	while (rc == 0 && separator);
	if (rc == 0)
		*(struct opt_floats *)dst = out;
	return rc;
}

static void print_floats(const struct opt *o, const void *src, struct str *out)
{
	const struct opt_floats *list = src;
	(void)o;
	for (uint32_t i = 0; i < list->count; i++)
		str_addf(out, "%s%.*f", i ? ":" : "", (int)list->decimals, list->v[i]);
}

const struct opt_type opt_floats_type = {"decimal numbers with ':' between",
	sizeof(struct opt_floats), false, parse_floats, print_floats};

/* ---- CPUs: 0,2,4-7 ---- */

static bool cpu_is_set(const struct opt_cpus *cpus, uint64_t cpu)
{
	return cpus->bits[cpu / 64] >> cpu % 64 & 1;
}

static int read_cpus(struct span text, struct opt_cpus *cpus, struct err *reterr)
{
	const struct opt bounds = {.max = LIMIT_CPUS - 1};
	struct number_how how = number_plain(NULL);
	struct span rest = text;
	uint64_t first, last;
	char dash, more = 0;

	int rc = number_read_unsigned(&bounds, span_cut(&rest, "-", &dash), &how, &first,
		reterr);
	last = first;
	if (rc == 0 && dash)
		rc = number_read_unsigned(&bounds, span_cut(&rest, "-", &more), &how, &last,
			reterr);
	if (rc == 0 && more)
		rc = err_set(reterr, -EINVAL, "'%.*s' is no range of CPUs", SPAN_ARG(text));
	if (rc < 0)
		return rc;
	for (uint64_t cpu = MIN_OF(first, last); cpu <= MAX_OF(first, last); cpu++) {
		cpus->count += !cpu_is_set(cpus, cpu);
		cpus->bits[cpu / 64] |= UINT64_C(1) << cpu % 64;
	}
	return 0;
}

static int parse_cpus(const struct opt *o, const char *text, void *dst,
	const struct opt_ctx *ctx, struct err *reterr)
{
	struct opt_cpus out = {.count = 0};
	struct span rest = span_of(text);
	char separator;
	int rc;

	(void)o;
	(void)ctx;
	do
		rc = read_cpus(span_cut(&rest, ",", &separator), &out, reterr);
	while (rc == 0 && separator);
	if (rc == 0)
		*(struct opt_cpus *)dst = out;
	return rc;
}

static void print_cpus(const struct opt *o, const void *src, struct str *out)
{
	const struct opt_cpus *cpus = src;
	const char *comma = "";

	(void)o;
	for (uint64_t cpu = 0; cpu < LIMIT_CPUS; cpu++) {
		if (!cpu_is_set(cpus, cpu))
			continue;
		uint64_t last = cpu;
		while (last + 1 < LIMIT_CPUS && cpu_is_set(cpus, last + 1))
			last++;
		str_addf(out, "%s%" PRIu64, comma, cpu);
		if (last > cpu)
			str_addf(out, "-%" PRIu64, last);
		comma = ",";
		cpu = last;
	}
}

const struct opt_type opt_cpus_type = {
	"CPUs such as 0,2,4-7", sizeof(struct opt_cpus), false, parse_cpus, print_cpus};
