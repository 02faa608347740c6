/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* One or several traces as one stream of records, in the order of their times.
 *
 *   NAME                 a file, or
 *   NAME.blktrace.0 ...  what blktrace leaves, a file a CPU, where there is no NAME
 *
 * Times begin at 0: with the first record of a blktrace, whose own count from the boot
 * of its machine; with the log, where a format says when that began.  Of several inputs
 * each begins at 0.  All of it streams.  One thread. */
#pragma once

#include <stdint.h>

#include "trace/reader.h"

struct trace;

/* One file of those that are merged. */
struct trace_input {
	const char *path;
	double scale_percent; /* of its times; 0: 100                                */
	uint32_t iters;       /* play it so often, one after the other; 0: once      */
	bool completions;     /* also when requests were issued and done, if it tells    */
};

/* Opens all of INPUTS, which must live on.  0, or a negative errno with the file; then *ret is
 * as it was. */
int trace_open(const struct trace_input *inputs, uint32_t count, struct trace **ret,
	struct err *reterr);
void trace_free(struct trace *t);

/* 1, 0 at the end, or negative errno.  ret->name is an index into trace_names(). */
int trace_next(struct trace *t, struct trace_record *ret, struct err *reterr);

/* Those of the records so far; the trace's. */
const struct trace_names *trace_names(const struct trace *t);

/* "PATH:LINE" of the record that came last, for messages.  Returns BUF. */
const char *trace_where(const struct trace *t, char *buf, size_t size);

/* The formats in it, "fio iolog v3 (gzip)"; of several the first, and "...". */
const char *trace_format(const struct trace *t, char *buf, size_t size);

/* Is one of its inputs about devices, named "MAJOR:MINOR"? */
bool trace_has_devices(const struct trace *t);

/* All that was odd so far, of all inputs together. */
void trace_oddities(const struct trace *t, struct trace_odd *ret);
