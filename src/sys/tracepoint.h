/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* The kernel's tracepoints as tracefs describes them: what one is called, which number it
 * has, and where its fields lie.  Neither is the same on all kernels, so nothing is assumed. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;

#define TRACEPOINT_FORMAT 8192 /* bytes of a description at most */

/* Where a field lies in a sample. */
struct tracepoint_field {
	uint16_t offset, bytes;
};

/* The folder of tracefs as a descriptor, or a negative errno with *reterr.  Where nobody
 * mounted it, it is mounted for this descriptor alone: no mount table changes, and it is gone
 * when it is closed. */
int tracefs_open(struct err *reterr);

/* The description of an event ("block/block_rq_issue") into FORMAT; 0 or a negative errno. */
int tracepoint_load(int tracefs, const char *event, char *format, size_t size,
	struct err *reterr);

/* Of a description; false: it has no such, or one whose place differs from sample to sample. */
bool tracepoint_id(const char *format, uint64_t *ret);
bool tracepoint_find(const char *format, const char *name, struct tracepoint_field *ret);
