/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Two streams, and what goes where.
 *
 * The stream of documents is stdout, or the file of --output.  Words go to
 * stderr, with three exceptions that make classic text what fio's is: when
 * `normal` is among the formats, the lines of its form (job headers, version,
 * "Starting", "Laying out") stand in the stream; as fio so do notes and
 * warnings; and there errors go to the --output file as well as to stderr.  With
 * machine formats alone the stream is documents and nothing else.
 *
 * A document is written as one text.  What can't be written is taken back, if it
 * is a file, and comes out on the next stream that works (stdout, stderr): a full
 * disk costs no result.  Then output->error is set, and the exit status tells.
 *
 * The --output file is opened at once and emptied at the first word: between the
 * two the caller makes sure that it is nobody's target or job file.  A run that is
 * refused leaves it empty: an old result must not pass for a new one.
 *
 * Used by one thread. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/arena.h"
#include "base/str.h"

struct err;
struct face;
struct live;
struct str;

/* What kind of words: decides the stream. */
enum speech {
	SAY_FORM,    /* a line of classic text's own form; elsewhere not said at all */
	SAY_NOTE,    /* worth knowing; not said beside a machine format as fio       */
	SAY_WARNING, /* beside a machine format as fio: held back until output_release() */
	SAY_ERROR,
};

/* Where a verb's words go, and what was said already. */
struct output {
	const struct face *face;
	const char *path; /* NULL: stdout                                          */
	int fd;
	bool emptied;
	bool classic;       /* `normal` is among the formats                         */
	int error;          /* positive errno of the first write that failed, 0      */
	struct live *live;  /* taken off the terminal before words; may be NULL      */
	struct arena arena; /* of said                                               */
	const char **said;  /* warnings and errors, in order, for the document       */
	size_t said_count;
	struct str held; /* warnings that a clean run keeps to itself */
};

/* Before anything is opened: descriptors 0 to 2 exist, so that no target can get
 * one of their numbers (one that was closed leads nowhere, and says so when it is
 * used), and a reader that went away is an error, not a death. */
void output_guard_streams(void);

/* How wide and how coloured tables may be there: the terminal's columns, else $COLUMNS, else
 * 0; colours on a terminal, unless $NO_COLOR is set. */
uint32_t output_columns(int fd);
bool output_coloured(int fd);

/* The exit status, which was STATUS: one of failure, having said so, when what was written
 * lacks words for which there was no memory. */
int output_status(int status);

/* FORMATS is a set of enum format_bit.  Refuses a device as file. */
int output_open(struct output *o, const struct face *face, const char *path, uint32_t formats,
	struct err *reterr);
void output_close(struct output *o);

/* The --output file is somebody else's: it is closed, untouched. */
void output_let_go(struct output *o);

/* Refuse, when the --output file is the one with this identity; then it is let go,
 * untouched. */
int output_check_apart(struct output *o, const char *path, dev_t dev, ino_t inode,
	struct err *reterr);

/* The --output file is ours from here on: what was in it goes.  Done by the first
 * word or document, too. */
void output_begin(struct output *o);

/* One line, without its newline; PROGRAM: is put in front where that is due. */
void output_say(struct output *o, enum speech what, const char *text);
void output_sayf(struct output *o, enum speech what, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* The run was not clean: what was held back is said after all. */
void output_release(struct output *o);

/* All of TEXT.  0 or -errno; *o knows of it too. */
int output_document(struct output *o, const struct str *text);

/* Write all of TEXT to FD: 0 or -errno. */
int output_write(int fd, const char *text, size_t len);
