/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "base/json_read.h"

#include "base/arena.h"
#include "base/err.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A container that is open, and where its next member is hung. */
struct level {
	struct json_value *of;
	const struct json_value **hook;
};

struct reader {
	struct arena *a;
	const char *text;
	size_t len, at;
	struct level levels[JSON_READ_DEPTH];
	unsigned depth;
	struct err *err;
};

size_t json_line(const char *text, size_t at)
{
	size_t line = 1;
	for (size_t i = 0; i < at; i++)
		line += text[i] == '\n';
	return line;
}

const char *json_kind_name(enum json_kind kind)
{
	static const char *const names[] = {
		[JSON_NOTHING] = "nothing",
		[JSON_BOOL] = "true or false",
		[JSON_NUMBER] = "a number",
		[JSON_STRING] = "a string",
		[JSON_ARRAY] = "an array",
		[JSON_OBJECT] = "an object",
	};
	return names[kind];
}

const struct json_value *json_get(const struct json_value *v, const char *key)
{
	const struct json_value *found = NULL;

	if (!v || v->kind != JSON_OBJECT)
		return NULL;
	for (v = v->first; v; v = v->next)
		if (!strcmp(v->key, key))
			found = v;
	return found;
}

static int peek(const struct reader *r)
{
	return r->at < r->len ? (unsigned char)r->text[r->at] : -1;
}

static int complain(const struct reader *r, const char *wanted)
{
	size_t line = json_line(r->text, r->at);
	int c = peek(r);

	if (c < 0)
		return err_set(r->err, -EINVAL,
			"line %zu: the text ends within JSON; %s is missing", line, wanted);
	if (c < ' ' || c > '~')
		return err_set(r->err, -EINVAL, "line %zu: found byte 0x%02x where JSON has %s",
			line, (unsigned)c, wanted);
	return err_set(r->err, -EINVAL, "line %zu: found '%c' where JSON has %s", line, c,
		wanted);
}

static int no_memory(const struct reader *r)
{
	return err_set(r->err, -ENOMEM, "out of memory");
}

static void skip_blanks(struct reader *r)
{
	while (r->at < r->len && strchr(" \t\r\n", r->text[r->at]) && r->text[r->at])
		r->at++;
}

/* ---- strings ---- */

static int hex4(struct reader *r, uint32_t *ret)
{
	uint32_t v = 0;

	for (int i = 0; i < 4; i++, r->at++) {
		int c = peek(r);
		if (c >= '0' && c <= '9')
			v = v * 16 + (uint32_t)(c - '0');
		else if ((c | 32) >= 'a' && (c | 32) <= 'f' && c > 0)
			v = v * 16 + (uint32_t)((c | 32) - 'a' + 10);
		else
			return complain(r, "four hexadecimal digits behind \\u");
	}
	*ret = v;
	return 0;
}

static char *put_utf8(char *to, uint32_t c)
{
	if (c < 0x80) {
		*to++ = (char)c;
	} else if (c < 0x800) {
		*to++ = (char)(0xc0 | c >> 6);
		*to++ = (char)(0x80 | (c & 63));
	} else if (c < 0x10000) {
		*to++ = (char)(0xe0 | c >> 12);
		*to++ = (char)(0x80 | (c >> 6 & 63));
		*to++ = (char)(0x80 | (c & 63));
	} else {
		*to++ = (char)(0xf0 | c >> 18);
		*to++ = (char)(0x80 | (c >> 12 & 63));
		*to++ = (char)(0x80 | (c >> 6 & 63));
		*to++ = (char)(0x80 | (c & 63));
	}
	return to;
}

#define REPLACEMENT 0xfffdu

/* Behind "\u".  Half a pair, and U+0000 (texts end there), become U+FFFD. */
static int read_unicode(struct reader *r, char **to)
{
	uint32_t c = 0, low = 0;

	if (hex4(r, &c) < 0)
		return -EINVAL;
	if (c >= 0xd800 && c < 0xdc00 && r->len - r->at > 6 && r->text[r->at] == '\\' &&
		r->text[r->at + 1] == 'u') {
		size_t before = r->at;
		r->at += 2;
		if (hex4(r, &low) < 0)
			return -EINVAL;
		if (low >= 0xdc00 && low < 0xe000)
			c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
		else
			r->at = before;
	}
	if (!c || (c >= 0xd800 && c < 0xe000))
		c = REPLACEMENT;
	*to = put_utf8(*to, c);
	return 0;
}

static int read_escape(struct reader *r, char **to)
{
	static const char from[] = "\"\\/bfnrt", into[] = "\"\\/\b\f\n\r\t";
	int c = peek(r);
	const char *hit = c > 0 ? strchr(from, c) : NULL;

	if (c == 'u') {
		r->at++;
		return read_unicode(r, to);
	}
	if (!hit)
		return complain(r, "one of \" \\ / b f n r t u behind a backslash");
	*(*to)++ = into[hit - from];
	r->at++;
	return 0;
}

/* At the opening quote.  No escape is shorter than what it stands for but U+FFFD of
 * a raw zero, which is why the text has three bytes for each. */
static int read_string(struct reader *r, const char **ret)
{
	size_t end = r->at + 1, zeros = 0;

	while (end < r->len && r->text[end] != '"') {
		zeros += !r->text[end];
		end += r->text[end] == '\\' && end + 1 < r->len ? 2 : 1;
	}
	char *text = arena_alloc(r->a, end - r->at + 3 * zeros + 1), *to = text;
	if (!text)
		return no_memory(r);
	r->at++;
	while (peek(r) != '"') {
		int c = peek(r);
		if (c < 0)
			return complain(r, "the quote that ends a string");
		r->at++;
		if (c == '\\') {
			if (read_escape(r, &to) < 0)
				return -EINVAL;
		} else if (!c) {
			to = put_utf8(to, REPLACEMENT);
		} else {
			*to++ = (char)c;
		}
	}
	r->at++;
	*ret = text;
	return 0;
}

/* ---- numbers and words ---- */

static size_t digits_at(const struct reader *r, size_t at)
{
	size_t n = 0;
	while (at + n < r->len && r->text[at + n] >= '0' && r->text[at + n] <= '9')
		n++;
	return n;
}

static void set_whole(struct json_value *v, const char *digits, size_t n)
{
	uint64_t whole = 0;

	for (size_t i = 0; i < n; i++)
		if (__builtin_mul_overflow(whole, 10, &whole) ||
			__builtin_add_overflow(whole, (uint64_t)(digits[i] - '0'), &whole))
			return;
	v->whole = whole;
	v->is_whole = true;
}

#define NUMBER_MAX 400 /* characters: "%f" of the largest double has 316 */

static int read_number(struct reader *r, struct json_value *v)
{
	size_t start = r->at, at = start + (r->text[start] == '-');
	size_t n = digits_at(r, at);
	char copy[NUMBER_MAX + 1];
	bool plain = at == start;

	if (!n || (n > 1 && r->text[at] == '0')) {
		r->at = n ? at + 1 : at;
		return complain(r, n ? "no digit behind a leading 0" : "a digit");
	}
	if (plain)
		set_whole(v, r->text + at, n);
	at += n;
	if (at < r->len && r->text[at] == '.') {
		n = digits_at(r, r->at = at + 1);
		if (!n)
			return complain(r, "a digit behind the point");
		at += n + 1;
		v->is_whole = false;
	}
	if (at < r->len && (r->text[at] | 32) == 'e') {
		at++;
		at += at < r->len && (r->text[at] == '+' || r->text[at] == '-');
		n = digits_at(r, r->at = at);
		if (!n)
			return complain(r, "a digit in the exponent");
		at += n;
		v->is_whole = false;
	}
	r->at = start;
	if (at - start > NUMBER_MAX)
		return complain(r, "a number of at most 400 characters");
	memcpy(copy, r->text + start, at - start);
	copy[at - start] = '\0';
	v->kind = JSON_NUMBER;
	v->real = strtod(copy, NULL);
	if (!isfinite(v->real))
		v->kind = JSON_NOTHING;
	r->at = at;
	return 0;
}

static bool read_word(struct reader *r, struct json_value *v)
{
	static const struct {
		const char *word;
		enum json_kind kind;
		bool is_true;
	} words[] = {
		{"null", JSON_NOTHING, false},
		{"true", JSON_BOOL, true},
		{"false", JSON_BOOL, false},
		{"nan", JSON_NOTHING, false},
		{"-nan", JSON_NOTHING, false},
		{"inf", JSON_NOTHING, false},
		{"-inf", JSON_NOTHING, false},
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		size_t n = strlen(words[i].word);
		if (r->len - r->at < n || memcmp(r->text + r->at, words[i].word, n) != 0)
			continue;
		v->kind = words[i].kind;
		v->is_true = words[i].is_true;
		r->at += n;
		return true;
	}
	return false;
}

/* ---- values ---- */

static int open_level(struct reader *r, struct json_value *v, enum json_kind kind)
{
	if (r->depth == JSON_READ_DEPTH)
		return complain(r, "no deeper nesting (64 levels are read)");
	v->kind = kind;
	r->levels[r->depth++] = (struct level){.of = v, .hook = &v->first};
	r->at++;
	return 0;
}

static int read_scalar(struct reader *r, struct json_value *v)
{
	int c = peek(r);

	if (c == '{')
		return open_level(r, v, JSON_OBJECT);
	if (c == '[')
		return open_level(r, v, JSON_ARRAY);
	if (c == '"') {
		v->kind = JSON_STRING;
		return read_string(r, &v->text);
	}
	if (c >= 0 && read_word(r, v))
		return 0;
	if (c == '-' || (c >= '0' && c <= '9'))
		return read_number(r, v);
	return complain(r, "a value");
}

/* A value, with the key before it when KEYED. */
static int read_one(struct reader *r, bool keyed, struct json_value **ret)
{
	struct json_value *v = arena_alloc(r->a, sizeof(*v));

	if (!v)
		return no_memory(r);
	skip_blanks(r);
	if (keyed) {
		if (peek(r) != '"')
			return complain(r, "a key in quotes");
		int rc = read_string(r, &v->key);
		if (rc < 0)
			return rc;
		skip_blanks(r);
		if (peek(r) != ':')
			return complain(r, "a colon");
		r->at++;
		skip_blanks(r);
	}
	v->at = r->at;
	*ret = v;
	return read_scalar(r, v);
}

/* What is open goes on: the next member, or its end. */
static int read_on(struct reader *r)
{
	struct level *top = &r->levels[r->depth - 1];
	bool object = top->of->kind == JSON_OBJECT;
	struct json_value *v;

	skip_blanks(r);
	if (peek(r) == (object ? '}' : ']')) {
		r->at++;
		r->depth--;
		return 0;
	}
	if (top->of->first) {
		if (peek(r) != ',')
			return complain(r, object ? "a comma or }" : "a comma or ]");
		r->at++;
	}
	int rc = read_one(r, object, &v);
	if (rc < 0)
		return rc;
	*top->hook = v;
	top->hook = &v->next;
	return 0;
}

int json_read(struct arena *a, const char *text, size_t len, size_t *at,
	const struct json_value **ret, struct err *reterr)
{
	struct reader r = {.a = a, .text = text, .len = len, .at = *at, .err = reterr};
	struct json_value *root;
	int rc = read_one(&r, false, &root);

	while (rc == 0 && r.depth)
		rc = read_on(&r);
	if (rc < 0)
		return rc;
	*at = r.at;
	*ret = root;
	return 0;
}
