/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* One file of a log, being written.
 *
 * The first write that fails ends it: a log with a hole would be a lie.  The file then
 * ends with its last whole line (or record), and what came later is counted. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;

/* A zeroed one with fd -1 is a valid closed one.  One writer process. */
struct log_file {
	const char *path; /* not owned                                         */
	int fd;           /* -1: not open                                      */
	bool append;      /* shared with others: only whole lines are written  */
	bool lines;       /* text; else records                                */
	char *buf;
	size_t len, whole, room; /* whole: up to the end of the last line       */
	uint64_t bytes;          /* that are in the file, of ours                     */
	int error;               /* positive errno                                    */
	uint64_t lost;           /* lines, or records                                 */
	void *zstd;              /* compressor, or NULL                               */
	uint64_t pending;        /* records that it holds: lost, should the next write fail */
};

/* Make PATH, empty (or to be added to); checks that nothing else than a file is hurt.
 * The handle is for log_file_close(). */
int log_file_check(const char *path, bool append, struct err *reterr);

/* Open PATH, which log_file_check() made. ZSTD is a level, 0: none. */
int log_file_open(struct log_file *f, const char *path, bool append, bool lines, int zstd);

/* Text goes into a buffer. */
void log_file_put(struct log_file *f, const char *text, size_t len);

/* Records, or what stands before them, go straight to the file. */
void log_file_write(struct log_file *f, const void *data, size_t len);

/* Whole lines that are in the buffer go to the file. */
void log_file_flush(struct log_file *f);

/* The rest, and close. */
void log_file_close(struct log_file *f);

/* NULL, or why files compressed with zstd can be neither made nor read. */
const char *log_file_no_zstd(void);
