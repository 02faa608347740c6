/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Reading JSON: one value of a text, as a tree in an arena.
 *
 * Strict as RFC 8259 but for what fio writes that isn't JSON: raw control characters
 * and any bytes in strings, and nan, -nan, inf, -inf as numbers (they become
 * JSON_NOTHING, as null does).  Members keep their order, and equal keys stay
 * apart.  Integers of 64 bits are exact.  Nesting is bounded by JSON_READ_DEPTH;
 * reading is a loop, so no text can exhaust the stack.
 *
 * jansson isn't used because it refuses fio's raw bytes, loses repeated keys
 * ("0.00" of old percentiles, an option given twice) and doesn't know where in the
 * text a value stood. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct err;

#define JSON_READ_DEPTH 64

/* JSON_NOTHING: null, and the numbers that are none (nan, inf). */
enum json_kind {
	JSON_NOTHING,
	JSON_BOOL,
	JSON_NUMBER,
	JSON_STRING,
	JSON_ARRAY,
	JSON_OBJECT,
};

/* A node of the tree.  Everything it points to is in the arena that json_read() was given;
 * members that another kind needs are zero.  Const once read. */
struct json_value {
	enum json_kind kind;
	const char *key;                /* of an object's member               */
	const struct json_value *next;  /* of the array or object it is in     */
	const struct json_value *first; /* JSON_ARRAY, JSON_OBJECT: NULL: empty */
	const char *text;               /* JSON_STRING                         */
	double real;                    /* JSON_NUMBER                         */
	uint64_t whole;                 /* JSON_NUMBER written as an integer: its amount    */
	bool is_whole;                  /* it is one, and fits                              */
	bool is_true;                   /* JSON_BOOL                                        */
	size_t at;                      /* offset in the text                               */
};

/* The value that begins at *AT of TEXT (LEN bytes); *AT is then behind it.  0, -EINVAL
 * (the error names the offset's line by json_line()) or -ENOMEM. */
int json_read(struct arena *a, const char *text, size_t len, size_t *at,
	const struct json_value **ret, struct err *reterr);

/* Line of an offset, from 1.  Counts from the text's start each time: for messages. */
size_t json_line(const char *text, size_t at);

/* Member of an object (the last of that key), NULL when V is none or has none; so calls
 * can be nested, and the innermost NULL comes out.  A walk along its members. */
const struct json_value *json_get(const struct json_value *v, const char *key);

/* "a string", "an object", ... */
const char *json_kind_name(enum json_kind kind);
