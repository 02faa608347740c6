/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* A piece of a text that belongs to someone else.  Private to opt/: values are
 * taken apart without copying. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* Not NUL-terminated; lives as long as the text. */
struct span {
	const char *at;
	size_t len;
};

/* For printf's "%.*s"; what is long is shown by its beginning. */
#define SPAN_SHOWN  200
#define SPAN_ARG(s) (int)((s).len < SPAN_SHOWN ? (s).len : SPAN_SHOWN), (s).at

static inline struct span span_of(const char *text)
{
	return (struct span){text, strlen(text)};
}

/* Without the first N bytes; N is at most s.len. */
static inline struct span span_after(struct span s, size_t n)
{
	return (struct span){s.at + n, s.len - n};
}

static inline bool span_is(struct span s, const char *word)
{
	return strlen(word) == s.len && memcmp(s.at, word, s.len) == 0;
}

/* Without blanks at both ends. */
struct span span_trim(struct span s);

/* How many of the first bytes are ASCII letters. */
size_t span_letters(struct span s);

/* The first element of *REST, trimmed; it ends at one of SEPARATORS that is
 * outside parentheses, and *REST then begins behind that.  A '-' that stands
 * before everything else of an element is its sign.  *ret_separator is 0 when
 * the text ended. */
struct span span_cut(struct span *rest, const char *separators, char *ret_separator);
