/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* A queue of depth 1 like another one, for a thread of its own: what lets any engine
 * do several requests at a time from several threads.
 *
 *	worker's thread    threads(libaio) ── inner: libaio, which opens the targets
 *	thread 1                              twin:  libaio, depth 1
 *	thread 2                              twin:  libaio, depth 1
 *
 * The targets are the worker's: it opens and closes them in the inner queue, which does
 * no I/O.  A twin follows at the next request: it makes the descriptor known to its own
 * queue, or, where a descriptor has one user only (a position, a mapping), opens the file
 * once more. */
#pragma once

#include "engine/engine.h"

#include <stdint.h>

struct err;

/* What the worker's thread tells the twins of its targets, by index.  It opens and closes
 * only targets that no request in a thread's hands is for, so there is no lock. */
struct twin_targets {
	struct target_how *how; /* as it was opened                                 */
	uint64_t *turn;         /* of opens and closes; odd: open                   */
};

struct twin {
	struct queue *inner; /* whose twin it is                                 */
	struct twin_targets *worker;
	struct queue *q; /* NULL: the engine needs no twins                  */
	struct io io;    /* stands for the worker's request                  */
	struct target *targets;
	uint64_t *turn; /* of each target, when it was last looked at       */
	bool performs;
	bool opens; /* descriptors of its own                           */
};

/* In the thread that will use it, as all calls but twin_add and twin_drop. W's twin_open
 * leaves a TWIN that twin_close accepts, also when it fails. */
int twin_open(struct twin *w, struct err *reterr);
void twin_close(struct twin *w);

/* Do IO of the worker: io->res.  Once *QUIT is set a request that doesn't come back is
 * left to twin_close, and false is returned. */
bool twin_do(struct twin *w, struct io *io, const bool *quit);

/* The worker's thread opens or closes T. */
int twin_add(struct queue *inner, struct twin_targets *worker, struct target *t,
	const struct target_how *how, struct err *reterr);
void twin_drop(struct queue *inner, struct twin_targets *worker, struct target *t);
