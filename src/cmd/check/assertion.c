/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "cmd/check/assertion.h"

#include "base/arena.h"
#include "base/bits.h"
#include "base/err.h"
#include "base/str.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define ASSERTIONS_MOST 1000

static const struct {
	const char *sign;
	enum comparison compare;
} signs[] = {
	/* a longer one stands before its beginning */
	{">=", COMPARE_AT_LEAST},
	{"<=", COMPARE_AT_MOST},
	{"==", COMPARE_EQUAL},
	{"!=", COMPARE_DIFFERENT},
	{">", COMPARE_ABOVE},
	{"<", COMPARE_BELOW},
	{"=", COMPARE_EQUAL},
};

const char *comparison_name(enum comparison c)
{
	for (size_t i = 0; i < COUNT_OF(signs); i++)
		if (signs[i].compare == c)
			return signs[i].sign;
	return "?";
}

bool comparison_holds(enum comparison c, double value, double limit)
{
	switch (c) {
	case COMPARE_AT_LEAST:
		return value >= limit;
	case COMPARE_AT_MOST:
		return value <= limit;
	case COMPARE_ABOVE:
		return value > limit;
	case COMPARE_BELOW:
		return value < limit;
	case COMPARE_DIFFERENT:
		return value != limit;
	default:
		return value == limit;
	}
}

bool comparison_decided(enum comparison c, double lo, double hi, double limit, bool *ret)
{
	if (c == COMPARE_EQUAL || c == COMPARE_DIFFERENT) {
		*ret = c == COMPARE_DIFFERENT;
		return limit < lo || limit > hi;
	}
	*ret = comparison_holds(c, lo, limit);
	return comparison_holds(c, hi, limit) == *ret;
}

/* ---- units ---- */

struct unit {
	const char *word;
	double size;
};

static const struct unit units_count[] = {
	{"", 1}, {"k", 1e3}, {"K", 1e3}, {"M", 1e6}, {"G", 1e9}, {NULL, 0}};
static const struct unit units_bytes[] = {{"B", 1}, {"kB", 1e3}, {"KB", 1e3}, {"MB", 1e6},
	{"GB", 1e9}, {"TB", 1e12}, {"KiB", 1024}, {"MiB", 1048576}, {"GiB", 1073741824},
	{"TiB", 1099511627776}, {NULL, 0}};
static const struct unit units_time[] = {{"ns", 1}, {"us", 1e3}, {"\xc2\xb5s", 1e3},
	{"\xce\xbcs", 1e3}, {"ms", 1e6}, {"s", 1e9}, {NULL, 0}};

/* What stands behind a rate's unit and changes nothing. */
static const char *const tails[][4] = {
	[QUANTITY_COUNT] = {""},
	[QUANTITY_RATE] = {"", "/s", "IOPS"},
	[QUANTITY_BYTES] = {""},
	[QUANTITY_BANDWIDTH] = {"/s", ""},
	[QUANTITY_TIME] = {""},
};

static const struct {
	const struct unit *units;
	const char *expected;
} scales[] = {
	[QUANTITY_COUNT] = {units_count, "a count has none, k (1000), M or G"},
	[QUANTITY_RATE] = {units_count, "a rate has none, k (1000), M or G"},
	[QUANTITY_BYTES] = {units_bytes,
		"bytes need one: B, kB, MB, GB, TB, KiB, MiB, GiB, TiB"},
	[QUANTITY_BANDWIDTH] = {units_bytes,
		"bytes a second need one: kB/s, MB/s, GB/s, KiB/s, MiB/s, GiB/s"},
	[QUANTITY_TIME] = {units_time, "a time needs one: ns, us, ms or s"},
};

static bool unit_is(const char *text, size_t len, const char *unit, const char *tail)
{
	size_t head = strlen(unit);
	return head + strlen(tail) == len && memcmp(text, unit, head) == 0 &&
	       memcmp(text + head, tail, len - head) == 0;
}

static bool unit_read(enum quantity q, const char *text, size_t len, double *ret)
{
	for (const struct unit *u = scales[q].units; u->word; u++) {
		for (size_t i = 0; i < 4 && tails[q][i]; i++) {
			if (!unit_is(text, len, u->word, tails[q][i]))
				continue;
			*ret = u->size;
			return true;
		}
	}
	return false;
}

/* ---- the grammar ---- */

struct scan {
	struct arena *arena;
	const char *text, *at;
	struct err *err;
};

static int fail_at(const struct scan *s, const char *where, const char *what)
{
	return err_set(s->err, -EINVAL, "column %zu: %s", (size_t)(where - s->text) + 1, what);
}

static int no_memory(const struct scan *s)
{
	return err_set(s->err, -ENOMEM, "out of memory");
}

static void skip_blanks(struct scan *s)
{
	while (isspace((unsigned char)*s->at))
		s->at++;
}

static int scan_path(struct scan *s, struct assertion *a)
{
	const char *begin = s->at;

	if (*s->at == '"') {
		const char *end = strchr(s->at + 1, '"');
		if (!end)
			return fail_at(s, begin, "this quote has no end");
		s->at = end + 1;
	}
	s->at += strcspn(s->at, " \t\r\n<>=!,@\"");
	if (s->at == begin)
		return fail_at(s, begin, "expected a figure, as in read.iops >= 430k");
	a->path_text = arena_bytes(s->arena, begin, (size_t)(s->at - begin));
	if (!a->path_text)
		return no_memory(s);
	if (path_read(s->arena, a->path_text, &a->path, s->err) < 0)
		return err_within(s->err, "column %zu", (size_t)(begin - s->text) + 1);
	return 0;
}

static int scan_sign(struct scan *s, struct assertion *a)
{
	skip_blanks(s);
	for (size_t i = 0; i < COUNT_OF(signs); i++) {
		if (!str_starts(s->at, signs[i].sign))
			continue;
		a->compare = signs[i].compare;
		s->at += strlen(signs[i].sign);
		return 0;
	}
	return fail_at(s, s->at, "expected >=, <=, >, <, == or !=");
}

/* Digits with one point at most; a sign, an exponent and hex are no numbers here. */
static int scan_digits(struct scan *s, const char *what, double *ret)
{
	const char *begin = s->at;
	char *end;

	s->at += strspn(s->at, "0123456789.");
	*ret = s->at == begin ? NAN : strtod(begin, &end);
	if (s->at == begin || end != s->at || !isfinite(*ret))
		return fail_at(s, begin, what);
	return 0;
}

static int scan_limit(struct scan *s, struct assertion *a)
{
	double size;

	skip_blanks(s);
	int rc = scan_digits(s, "expected a number, as in 430k, 900MB/s or 400us", &a->limit);
	if (rc < 0)
		return rc;
	skip_blanks(s);
	const char *unit = s->at;
	s->at += strcspn(s->at, " \t\r\n,@");
	size_t len = (size_t)(s->at - unit);
	if (!unit_read(a->path.quantity, unit, len, &size)) {
		char text[160];
		snprintf(text, sizeof(text), "%s%.*s%s: %s", len ? "unit '" : "no unit",
			(int)MIN_OF(len, (size_t)30), unit, len ? "'" : "",
			scales[a->path.quantity].expected);
		return fail_at(s, unit, text);
	}
	a->limit *= size;
	return 0;
}

static int scan_confidence(struct scan *s, struct assertion *a)
{
	skip_blanks(s);
	if (*s->at != '@')
		return 0;
	s->at++;
	skip_blanks(s);
	const char *begin = s->at;
	int rc = scan_digits(s, "expected a confidence, as in @95%", &a->confidence);
	if (rc < 0)
		return rc;
	if (*s->at == '%')
		s->at++;
	a->confidence /= 100;
	if (a->confidence < 0.5 || a->confidence > 0.9999)
		return fail_at(s, begin, "a confidence is 50 to 99.99 percent");
	return 0;
}

static int scan_assertion(struct scan *s, struct assertion *ret)
{
	struct assertion a = {0};

	skip_blanks(s);
	const char *begin = s->at;
	int rc = scan_path(s, &a);
	if (rc == 0)
		rc = scan_sign(s, &a);
	if (rc == 0)
		rc = scan_limit(s, &a);
	if (rc == 0)
		rc = scan_confidence(s, &a);
	if (rc < 0)
		return rc;
	const char *end = s->at;
	while (isspace((unsigned char)end[-1]))
		end--;
	a.text = arena_bytes(s->arena, begin, (size_t)(end - begin));
	if (!a.text)
		return no_memory(s);
	skip_blanks(s);
	if (*s->at && *s->at != ',')
		return fail_at(s, s->at, "expected a comma, @CONFIDENCE% or the end");
	*ret = a;
	return 0;
}

int assertion_read(struct arena *arena, const char *text, struct assertion_list *ret,
	struct err *reterr)
{
	struct scan s = {.arena = arena, .text = text, .at = text, .err = reterr};
	uint32_t room = 1, count = 0;

	for (const char *c = text; *c; c++)
		room += *c == ',';
	if (room > ASSERTIONS_MOST)
		return fail_at(&s, text, "these are more than 1000 assertions");
	struct assertion *list = arena_array(arena, room, sizeof(*list));
	if (!list)
		return no_memory(&s);
	for (;;) {
		int rc = scan_assertion(&s, &list[count]);
		if (rc < 0)
			return rc;
		count++;
		if (!*s.at)
			break;
		s.at++;
	}
	*ret = (struct assertion_list){list, count};
	return 0;
}
