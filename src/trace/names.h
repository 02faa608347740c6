/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* The names in a trace, each with a number in the order of their first use: files of an
 * iolog, "MAJOR:MINOR" of a blktrace.  A zeroed struct is a valid empty table. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Names by number, each once; a zeroed struct is a valid empty one. */
struct trace_names {
	char **v;
	uint32_t count, room;
	uint32_t *slots; /* index + 1; 0: free; a power of two, at least 2 * room */
};

/* The number of the name of LEN bytes at TEXT; -ENOENT when it is not in there. */
int64_t trace_names_find(const struct trace_names *t, const char *text, size_t len);

/* The same, made when new.  -ENOMEM, or -E2BIG beyond LIMIT_FILES. */
int64_t trace_names_add(struct trace_names *t, const char *text, size_t len);

void trace_names_done(struct trace_names *t);
