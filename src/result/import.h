/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Results out of what other runs printed: reports of fio, of weir, of dd.
 *
 * What a document doesn't hold is absent in the result (see the *_told structs),
 * never guessed and never zero.  Units are those of the document's era: fio wrote
 * microseconds and KiB until 2.21, nanoseconds and bytes since. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct err;
struct result;

/* In the order of the text.  A zeroed struct is a valid empty one. */
struct import_list {
	struct result **results;
	size_t count;
};

/* Where results go one at a time, in the order of the text. take() owns R; below 0 ends the
 * reading, which then returns that. */
struct import_sink {
	int (*take)(void *ctx, struct result *r);
	void *ctx;
};

/* Where the bytes come from: read() has up to SIZE of them, 0 at the end, or a negative
 * errno. NAME is for messages; of a log it also says of what it is ("x_bw.1.log"). */
struct import_source {
	const char *name;
	ssize_t (*read)(void *ctx, char *buffer, size_t size);
	void *ctx;
};

/* What import_text() can read, for messages. */
#define IMPORT_UNDERSTOOD                                                                      \
	"text, JSON and terse lines of fio 2.0 to 3.42 and of weir, weir's streams, "          \
	"interval and histogram logs, and what dd prints"

/* All results in TEXT (LEN bytes) of the file NAME: JSON documents, words before and
 * between them ignored, lines of a stream; if there is none, those of a log, or terse lines;
 * then what dd printed, and fio's classic text, but of runs that are there already.  0, -EINVAL
 * with NAME, line, what was found and what is understood, or -ENOMEM; then *ret is empty. */
int import_text(const char *name, const char *text, size_t len, struct import_list *ret,
	struct err *reterr);

/* The same of a source of any length.  What it holds is seen by its first 4 MiB; classic
 * text is then read one run at a time and no more than one is in memory; the others whole, up
 * to LIMIT_REPORT_FILE.  Also a failed reading may have given results before. */
int import_stream(const struct import_source *from, const struct import_sink *to,
	struct err *reterr);

void import_done(struct import_list *list);
