/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Results out of what other runs printed: reports of fio and of weir.
 *
 * What a document doesn't hold is absent in the result (see the *_told structs),
 * never guessed and never zero.  Units are those of the document's era: fio wrote
 * microseconds and KiB until 2.21, nanoseconds and bytes since. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct result;

/* In the order of the text.  A zeroed struct is a valid empty one. */
struct import_list {
	struct result **results;
	size_t count;
};

/* What import_text() can read, for messages. */
#define IMPORT_UNDERSTOOD "JSON and terse lines of fio 2.0 to 3.42 and of weir"

/* All results in TEXT (LEN bytes) of the file NAME: JSON documents, words before and
 * between them ignored; if there is none, terse lines.  0, -EINVAL with NAME, line,
 * what was found and what is understood, or -ENOMEM; then *ret is empty. */
int import_text(const char *name, const char *text, size_t len, struct import_list *ret,
	struct err *reterr);

void import_done(struct import_list *list);
