/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Writing JSON, one value after another, into a struct str.
 *
 * The writer puts the commas, the indentation and the escapes; the caller must
 * open and close what it opens.  Two forms:
 *   JSON_FIO      fio's: two blanks a level, `"key" : value`, an empty array
 *                 as "[", a blank line's worth of indentation and "]"
 *   JSON_COMPACT  one line, no blanks: for NDJSON
 * Strings come out as valid JSON whatever is in them: control characters are
 * escaped, bytes that are not UTF-8 become U+FFFD.  Numbers: integers in full,
 * doubles with six decimals, and what is not finite as 0.000000. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct str;

enum json_form {
	JSON_FIO,
	JSON_COMPACT,
};

/* Levels that may be open; one more is a bug of the caller, not of its data, and asserted. */
#define JSON_DEPTH 32

/* A document being written; on the caller's stack. */
struct json {
	struct str *out;
	enum json_form form;
	unsigned depth;
	bool any[JSON_DEPTH]; /* something was written on this level */
};

/* Appends to OUT; memory that runs out is told by OUT's `failed`. */
void json_init(struct json *j, struct str *out, enum json_form form);

/* KEY is NULL inside an array and at the top. */
void json_object(struct json *j, const char *key);
void json_object_end(struct json *j);
void json_array(struct json *j, const char *key);
void json_array_end(struct json *j);

/* VALUE must not be NULL: a key whose value isn't known is left out by the caller. */
void json_text(struct json *j, const char *key, const char *value);
void json_int(struct json *j, const char *key, int64_t value);
void json_uint(struct json *j, const char *key, uint64_t value);
void json_double(struct json *j, const char *key, double value);
void json_bool(struct json *j, const char *key, bool value);
