/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Writes the kernel's binary block trace, version 7 (linux/blktrace_api.h), as one file:
 * blkparse, btt, fio's and weir's read_iolog read it.
 *
 * Streams through a buffer.  What was written is given to the disk at once, by this process:
 * who records the disk that the recording lies on can tell these writes by their pid. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct err;
struct blkwrite;

/* blktrace's Q, D and C. */
enum blkwrite_act {
	BLKWRITE_QUEUED,
	BLKWRITE_ISSUED,
	BLKWRITE_DONE,
};

struct blkwrite_event {
	uint64_t time_ns, sector;
	uint32_t bytes;
	uint32_t device; /* 12 bits and 20 */
	uint32_t pid, cpu;
	int error; /* negative errno */
	enum blkwrite_act act;
	const char *what; /* the kernel's letters: "R", "WS", "FF", "DS" */
};

/* PATH must not exist; "-": standard output.  0, or negative errno with *reterr. */
int blkwrite_open(const char *path, struct blkwrite **ret, struct err *reterr);

/* Is it the file system's I/O?  (Not a SCSI or NVMe command, no zone's management.) */
bool blkwrite_is_io(const struct blkwrite_event *e);

/* 0 or a negative errno, which blkwrite_close() repeats with its text. */
int blkwrite_event(struct blkwrite *b, const struct blkwrite_event *e);

/* PID is called NAME from here on: blkparse shows it. */
int blkwrite_program(struct blkwrite *b, uint64_t time_ns, uint32_t pid, const char *name);

/* A line of text in the trace, which blkparse shows. */
int blkwrite_message(struct blkwrite *b, uint64_t time_ns, uint32_t device, const char *text);

/* What is in the buffer goes to the file.  0 or a negative errno. */
int blkwrite_flush(struct blkwrite *b);

/* Bytes so far, also those in the buffer. */
uint64_t blkwrite_bytes(const struct blkwrite *b);

/* All is in the file, or *reterr says why not. */
int blkwrite_close(struct blkwrite *b, struct err *reterr);
