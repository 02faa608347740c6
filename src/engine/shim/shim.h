/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What the shims share.  A shim is an engine whose queue wraps another:
 *
 *	fault(delay(psync))     queue(fault) -> inner: queue(delay) -> inner: queue(psync)
 *
 * All queues of a chain have the same requests, buffers and targets; each has
 * its own private bytes.  Targets belong to the innermost engine. */
#pragma once

#include "engine/call.h"
#include "engine/engine.h"

#include <stdint.h>

struct err;

/* Passes everything on to the inner queue's engine. */
extern const struct target_ops target_shim;

/* How a shim writes lines into a file that several workers may share: appended,
 * whole lines at a time, kept back until SHIM_LINES bytes are there. */
#define SHIM_LINES 65536

/* One queue's.  Closed when fd is -1. */
struct shim_lines {
	int fd; /* -1: none */
	size_t used;
	char *text; /* SHIM_LINES bytes */
};

/* PATH NULL: stderr.  0, or a negative errno with its text.  Lines that can't be written later
 * are lost: a shim has nobody to tell. */
int shim_lines_open(struct shim_lines *l, const char *path, struct err *reterr);
void shim_lines_add(struct shim_lines *l, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void shim_lines_flush(struct shim_lines *l);
void shim_lines_close(struct shim_lines *l);
