/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Text that grows, and small questions about text.
 *
 * A zeroed struct str is a valid empty string.  When memory runs out, `failed`
 * is set and later additions do nothing; check once at the end.  So a text is
 * either whole or known not to be.  Bytes are what they are: no encoding is
 * assumed, and a NUL may be among them (`len` counts it).
 *
 * Heap memory that grows by doubling; str_done() frees it, str_reset() keeps it for the
 * next text.  One thread. */
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

/* Did this process ever have no memory for a text?  What is printed is made of many: one
 * question at the end instead of one for each. */
bool str_lost(void);

/* Each appends: a text, LEN bytes, a byte, what printf(3) would print. */
void str_add(struct str *s, const char *text);
void str_add_bytes(struct str *s, const char *bytes, size_t len);
void str_add_char(struct str *s, char c);
void str_addf(struct str *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void str_addv(struct str *s, const char *fmt, va_list ap) __attribute__((format(printf, 2, 0)));

/* Empty again, `failed` forgotten; the memory stays. */
void str_reset(struct str *s);
void str_done(struct str *s);

/* NUL-terminated, valid until the next addition; "" when nothing was ever added. */
const char *str_text(const struct str *s);

/* Drop blanks at both ends, in place; returns where the text now begins. */
char *str_trim(char *text);

/* Length of the UTF-8 sequence at TEXT, 0 when it is not one. */
size_t str_utf8(const char *text);

/* Letters count as they are. */
bool str_starts(const char *text, const char *prefix);
bool str_ends(const char *text, const char *suffix);

/* Case counts for nothing, and - is _.
 * Number of single-letter insertions, deletions, changes and neighbour swaps
 * (optimal string alignment) between A and B; for "did you mean". */
unsigned str_distance(const char *a, const char *b);
