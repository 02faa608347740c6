/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* A binary log from a file, compressed or not, in constant memory. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "run/logs/binary.h"
#include "run/logs/record.h"

struct log_reader;

/* Opens PATH ("-": standard input) and reads the head.  NULL and *reterr on failure. */
struct log_reader *log_reader_new(const char *path, struct log_head *ret, struct err *reterr);
void log_reader_free(struct log_reader *r);

/* The next records, up to MAX.  0 at the end; negative errno and *reterr on failure. */
long log_reader_next(struct log_reader *r, struct log_record *out, size_t max,
	struct err *reterr);

/* Bytes behind the last whole record: the file was cut. */
size_t log_reader_rest(const struct log_reader *r);
