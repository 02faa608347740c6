/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Writes to a file without ever making its caller wait: the writing is done by a forked
 * process, which hangs where the file hangs.
 *
 *   caller ── queue ── socket ──▶ process ──▶ FILE, added to;    COURIER_ADD
 *                                         ──▶ FILE.PID.tmp, then renamed
 *                                             to FILE;           COURIER_REPLACE
 *
 * A text is written as a whole or not at all.  The process outlives a caller that is
 * killed until all it got is written.  Used by one thread. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/str.h"

struct err;

/* Added to: a log of what happened, for readers that follow it.  Replaced: a state, of which
 * only the newest matters; so a reader never sees half of one. */
enum courier_kind {
	COURIER_ADD,
	COURIER_REPLACE,
};

struct courier {
	enum courier_kind kind;
	const char *path; /* NULL: there is none; "-": stdout               */
	int file;         /* COURIER_ADD: open until courier_start(), -1: a FIFO */
	bool patient;     /* what a reader empties: waited for as long as it is there */
	int socket;       /* -1: not started, or over                       */
	pid_t pid;
	struct str queue;    /* what the socket did not take yet               */
	size_t begun;        /* bytes of it that are gone                      */
	uint64_t sent, done; /* texts: given to us, said to be written      */
	int error;           /* positive errno of the last write, 0: it worked */
	bool fifo;           /* opened by the process                          */
	bool killed;         /* the process was, by somebody                   */
};

/* Checks PATH and makes it, but leaves what is in it. */
int courier_open(struct courier *c, enum courier_kind kind, const char *path,
	struct err *reterr);

/* What is in the file goes, and the process begins. */
int courier_start(struct courier *c, struct err *reterr);

/* Is the file this one? */
bool courier_is(const struct courier *c, dev_t dev, ino_t inode);

/* Does it take texts (and no error ended it)? */
bool courier_works(const struct courier *c);

/* Has it so much to do that texts which can wait should? */
bool courier_busy(struct courier *c);

/* Take TEXT; it is written soon. */
void courier_send(struct courier *c, const struct str *text);

/* Wait until all is written.  Something that is no reader and does nothing for
 * PATIENCE_NS is given up, as is anything when a signal comes. */
void courier_end(struct courier *c, uint64_t patience_ns);

/* Whatever state it is in. */
void courier_close(struct courier *c);
