/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* The lines of weir's own files: "[section]", "key = value", comments.
 *
 * A comment begins with # or ; at the beginning of a line or behind a blank, outside quotes.
 * Texts with NUL bytes and lines above LIMIT_LINE are refused.  Which sections and keys there
 * are, and how often, is the caller's.  Job files are none of these: they follow fio's rules,
 * and job/file.c reads them. */
#pragma once

#include <stddef.h>

struct arena;
struct err;

/* A place in a file.  Every message names it. */
struct ini {
	const char *path;
	unsigned line; /* from 1; set it to complain about an earlier one */
	char *rest;    /* behind that line; NULL: that was the last       */
	struct err *err;
};

/* Copy PATH and TEXT (LEN bytes) into A; lines are cut out of that copy, and live as long as A.
 * KIND is for "PATH: is no KIND".  0, -EINVAL or -ENOMEM. */
int ini_open(struct ini *f, struct arena *a, const char *kind, const char *path,
	const char *text, size_t len, struct err *reterr);

/* The next line that is neither empty nor a comment, without blanks around it; a comment behind
 * it is still there.  1, 0 at the end, or -EINVAL. */
int ini_next(struct ini *f, char **ret);

/* What stands between the brackets of LINE, which begins with one; NULL: none that closes,
 * which was said. */
char *ini_section(struct ini *f, char *line);

/* REST of "WORD REST", in LINE; NULL when it doesn't begin so. */
char *ini_behind(char *line, const char *word);

/* End TEXT where a comment begins. */
void ini_cut_comment(char *text);

/* "text" without its quotes, in place; what has none stays. */
char *ini_unquote(char *text);

/* "PATH:LINE: ...".  Returns -EINVAL. */
int ini_fail(struct ini *f, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Put "PATH:LINE: KEY: " before what failed further down; KEY is NULL when that names it.
 * Returns the code of what failed. */
int ini_within(struct ini *f, const char *key);

/* Returns -ENOMEM. */
int ini_no_memory(struct ini *f);
