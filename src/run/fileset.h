/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* The files of one worker: opened before the clock starts when they all fit, else
 * at most `limit` at a time, the least recently used one closed for the next. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "engine/engine.h"

struct arena;
struct err;
struct plan;
struct plan_worker;

/* One worker's, one thread.  With all_open (most jobs) nothing but `targets` is touched while
 * it runs. */
struct fileset {
	struct target *targets; /* `count` of them, in the order of the plan's files */
	uint32_t count;
	struct queue *queue;
	const struct plan_worker *plan;
	const struct plan_target *made_of; /* the run's */
	bool all_open;                     /* every target stays open: no bookkeeping per I/O */
	uint32_t open, limit;
	uint32_t *busy;  /* requests in flight per target; NULL when all_open */
	uint64_t *used;  /* when it was last used, by count; NULL when all_open */
	uint32_t *slots; /* the open ones, `open` of them; NULL when all_open */
	uint64_t clock;
	uint32_t hand; /* slot where the search for one to close goes on    */
};

/* Fill in the targets of PW; nothing is opened. LIMIT: how many may be open. */
int fileset_init(struct fileset *f, struct arena *arena, const struct plan *plan,
	const struct plan_worker *pw, uint32_t limit, struct err *reterr);

/* Open what is opened in advance, through QUEUE. */
int fileset_open(struct fileset *f, struct queue *queue, struct err *reterr);

/* Target INDEX, opened if need be (all_open: just the address).  NULL and *reterr
 * when it can't be opened. */
struct target *fileset_use(struct fileset *f, uint32_t index, struct err *reterr);

/* The same for IO.  A file that can't be opened gives an I/O that fails before it reaches
 * the engine: the loop sees target NULL and takes res. */
void fileset_aim(struct fileset *f, uint32_t index, struct io *io);

/* A request on T came back. */
static inline void fileset_release(struct fileset *f, const struct target *t)
{
	if (!f->all_open)
		f->busy[t->index]--;
}

/* Drop the cached pages of every open file; between passes. */
void fileset_invalidate(struct fileset *f);

/* Is an open file before the I-th on the same file system? */
bool fileset_shares_system(const struct fileset *f, uint32_t i);

/* Close all, remove those that weir made, and open as at first. */
int fileset_make_anew(struct fileset *f, struct err *reterr);

void fileset_close(struct fileset *f);
