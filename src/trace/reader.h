/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Traces of I/O: one small interface, a decoder for each format behind it.
 *
 *   bytes (plain, gzip, zstd)  ->  format (iolog, blktrace)  ->  struct trace_record
 *
 * A reader streams: its memory does not grow with the trace, but for the names in it.
 * It belongs to one thread.  Every error names the file and the line or record. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/names.h"

struct err;
struct trace_bytes;

/* What a record says was done.  Those from TRACE_ADD on do no I/O; only iologs have them. */
enum trace_action {
	TRACE_READ,
	TRACE_WRITE,
	TRACE_TRIM,
	TRACE_SYNC,
	TRACE_DATASYNC,
	TRACE_IO_ACTIONS, /* those above do I/O */
	TRACE_ADD = TRACE_IO_ACTIONS,
	TRACE_OPEN,
	TRACE_CLOSE,
	TRACE_WAIT,
	TRACE_ISSUED, /* as the device got it: merged, split ...  */
	TRACE_DONE,   /* ... and gave it back; only where asked for */
};

/* One line or record, whatever the format; what an action doesn't have is 0. */
struct trace_record {
	uint64_t time_ns;       /* never less than that of the record before           */
	uint64_t offset, bytes; /* of a read, write or trim; bytes is not 0       */
	uint64_t number;        /* of its line, or of the record, from 1                */
	uint32_t name;          /* index in the reader's names                          */
	enum trace_action action;
};

struct trace_reader;

/* A format.  Several may see the same bytes: the first whose probe says yes reads. */
struct trace_format {
	const char *name; /* "fio iolog v3"                                       */
	const char *unit; /* what is counted: "line", "record"                    */
	bool absolute;    /* times count from something before the trace          */
	/* Do the first N bytes at HEAD look like it? */
	bool (*probe)(const unsigned char *head, size_t n);
	size_t size; /* of its private bytes, zeroed                         */
	/* Past the head, if there is one.  Optional. */
	int (*begin)(struct trace_reader *r, struct err *reterr);
	/* The next record: 1; 0 at the end; negative errno with *reterr, which
	 * trace_fail() fills.  time_ns may go backwards: the caller clamps it. */
	int (*next)(struct trace_reader *r, struct trace_record *ret, struct err *reterr);
};

/* What was odd about a trace, beside its records. */
struct trace_odd {
	uint64_t backwards;    /* records earlier than the one before            */
	uint64_t back_first;   /* number of the first                             */
	uint64_t back_most_ns; /* by how much at most                             */
	uint64_t passed_over;  /* events that are no I/O: messages, completions   */
	uint64_t empty;        /* reads, writes and trims of no bytes             */
	uint32_t sections;     /* further heads inside: several logs in one file  */
};

/* One file being read; formats see it, all others use the calls below. */
struct trace_reader {
	const struct trace_format *format;
	char *path;
	struct trace_bytes *bytes;
	struct trace_names names;
	uint64_t number; /* of the line or record that is being read        */
	uint64_t last_ns;
	bool completions; /* also TRACE_ISSUED and TRACE_DONE, where the format has them */
	struct trace_odd odd;
	void *mine; /* the format's                                    */
};

#define TRACE_HEAD 64 /* bytes that a probe sees */

/* PATH "-" is standard input. */
int trace_reader_open(const char *path, struct trace_reader **ret, struct err *reterr);
void trace_reader_free(struct trace_reader *r);

/* 1, 0 at the end, or negative errno. */
int trace_reader_next(struct trace_reader *r, struct trace_record *ret, struct err *reterr);

/* For formats: "PATH:NUMBER: TEXT" (or "PATH: record NUMBER: TEXT"); returns CODE. */
int trace_fail(const struct trace_reader *r, struct err *reterr, int code, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/* The same around a cause that is in *reterr. */
int trace_fail_within(const struct trace_reader *r, struct err *reterr);

/* Its path for people: "stdin" for standard input. */
const char *trace_reader_path(const struct trace_reader *r);

/* "read", "datasync", "add". */
const char *trace_action_name(enum trace_action action);

extern const struct trace_format trace_iolog2, trace_iolog3, trace_blktrace;
