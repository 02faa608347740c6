/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* The bytes of a trace, whatever they are packed in: a file or standard input, as
 * they are, or compressed by gzip or zstd, which is seen by their first bytes.
 *
 * Constant memory: a window moves over the bytes.  Concatenated gzip members and zstd
 * frames are read as one, as their tools do.  One thread at a time. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct err;
struct trace_bytes;

#define TRACE_WINDOW (64u << 10) /* bytes that one look can ask for at most */

/* PATH "-" is standard input.  0, or negative errno and *reterr: can't open it, or
 * it needs a library that was left out. */
int trace_bytes_open(const char *path, struct trace_bytes **ret, struct err *reterr);
void trace_bytes_free(struct trace_bytes *b);

/* At least N bytes from here on, or all that are left: *ret is how many there are,
 * and *AT where they lie until the next call.  Negative errno and *reterr when
 * reading fails or compressed data are cut or damaged, and nothing before that is left. */
int trace_bytes_look(struct trace_bytes *b, size_t n, const unsigned char **at, size_t *ret,
	struct err *reterr);

/* Why the last look showed fewer than it was asked for: 0, the bytes end; or negative
 * errno and *reterr, as nothing behind these can be read. */
int trace_bytes_failed(const struct trace_bytes *b, struct err *reterr);

/* Go N bytes further, of those that the last look showed. */
void trace_bytes_skip(struct trace_bytes *b, size_t n);

/* Where we are in the bytes as they were before they were compressed. */
uint64_t trace_bytes_position(const struct trace_bytes *b);

/* "gzip", "zstd", or NULL. */
const char *trace_bytes_packed(const struct trace_bytes *b);
