/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Text that grows, and small questions about text.
 *
 * A zeroed struct str is a valid empty string.  When memory runs out, `failed`
 * is set and later additions do nothing; check once at the end. */
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

struct str {
	char *text; /* NUL-terminated once anything was added; str_text() is never NULL */
	size_t len;
	size_t room;
	bool failed;
};

void str_add(struct str *s, const char *text);
void str_add_bytes(struct str *s, const char *bytes, size_t len);
void str_add_char(struct str *s, char c);
void str_addf(struct str *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void str_addv(struct str *s, const char *fmt, va_list ap) __attribute__((format(printf, 2, 0)));
void str_reset(struct str *s);
void str_done(struct str *s);
const char *str_text(const struct str *s);

/* Drop blanks at both ends, in place; returns where the text now begins. */
char *str_trim(char *text);

/* Length of the UTF-8 sequence at TEXT, 0 when it is not one. */
size_t str_utf8(const char *text);

bool str_starts(const char *text, const char *prefix);
bool str_ends(const char *text, const char *suffix);

/* Case counts for nothing, and - is _.
 * Number of single-letter insertions, deletions, changes and neighbour swaps
 * (optimal string alignment) between A and B; for "did you mean". */
unsigned str_distance(const char *a, const char *b);
