/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What went wrong, told once, by the one who knows.
 *
 * The caller owns the struct (usually on its stack); nothing is allocated, so
 * reporting "out of memory" cannot itself run out of memory.  Passing NULL is
 * allowed and means "I only want the code".  Control plane only: an I/O that
 * fails carries its negative errno in io->res and never builds text.
 *
 * A function that can fail returns 0 or a negative errno and takes its
 * `struct err *reterr` last; it writes there only when it fails.
 *
 *	jobs.ini:12: [db] bs: 3 is no multiple of 512; try bs=4k or direct=0
 *	^ place, by callers    ^ cause            ^ remedy: both by who found it
 *
 * The cause has no capital letter and no full stop: contexts come in front of it.  Too
 * long a text is cut at its end. */
#pragma once

#include <stdarg.h>

struct err {
	int code;        /* negative errno, 0 while all is well            */
	char text[1024]; /* outermost context first; no newline at the end */
};

/* Set the cause.  Returns CODE, so that a failing function ends in one line. */
int err_set(struct err *e, int code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
int err_setv(struct err *e, int code, const char *fmt, va_list ap)
	__attribute__((format(printf, 3, 0)));

/* Set the cause to "WHAT: strerror(-code)".  Returns CODE. */
int err_sys(struct err *e, int code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Put "CONTEXT: " in front of a cause that was set further down.  Returns the
 * code that is in E (or -EIO when E is NULL). */
int err_within(struct err *e, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
