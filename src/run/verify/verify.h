/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What a verifying worker keeps beside its requests, and the check of what it read.
 *
 *	before a write   verify_stamp()     takes note of it, makes what is written
 *	before a read    verify_look()      remembers what the map says
 *	they came back   verify_back()      of writes; verify_check() of reads
 *
 * A worker owns it; with verify_async, verify_check() runs in other threads, which then
 * own the request's slot and buffer until they are done with it. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "engine/engine.h"
#include "gen/data.h"
#include "plan/plan.h"
#include "run/shared.h"
#include "verify/cells.h"

struct arena;
struct checkers;
struct state;
struct tell;
struct err;

/* What a request was when it was given out: the loop moves its offset and bytes on when it came
 * back short. */
struct verify_slot {
	uint64_t offset;
	uint32_t bytes, file;
	uint8_t kind;
	bool out;           /* given out, and not back yet                     */
	bool look;          /* a read whose cells were looked at               */
	uint64_t first;     /* unit                                            */
	uint32_t units;     /* whole ones                                      */
	uint64_t serial;    /* of a write or trim; of a sync its number        */
	bool syncing;       /* it's a sync, and the state was told             */
	uint64_t changes;   /* of these cells, before the read                 */
	uint8_t *cells;     /* generations of a write; what a read saw         */
	unsigned char *buf; /* of the request, where it begins; checkers change it */
	bool reread, extra; /* of the verification; a trim of trim_percentage: neither is
			     * of the job itself                                */
};

/* One worker's, in its arena; lists by file are in the order of its plan's files. */
struct verify {
	const struct plan_verify *plan;
	const struct plan_worker *worker;
	struct cells *cells;          /* of all targets of the run                       */
	uint64_t *identity;           /* by file                                         */
	const char **paths;           /* by file                                         */
	const struct target *targets; /* by file                                     */
	struct shared_verify *sh;
	struct verify_slot *slots;
	struct unit_spec spec; /* the plan's                                      */
	struct data data;
	uint64_t serial;           /* of the next write                               */
	struct tell *tell;         /* the state file; NULL: none                      */
	struct state *resume;      /* one that is read back; NULL: none               */
	uint64_t wall_ns;          /* add to the clock for the time in a stamp        */
	struct pieces *pieces;     /* by file; NULL: units and cells                  */
	bool dirty;                /* something was written since it was last read back */
	bool failed;               /* the job ends because of wrong data              */
	struct checkers *checkers; /* NULL: none                                     */
	uint32_t cells_max;        /* of one request                                  */

	/* verify_backlog: writes that were not read back yet, a ring */
	struct verify_write {
		uint64_t offset;
		uint32_t bytes, file;
	} * ring; /* NULL: nobody asked                              */
	uint32_t ring_room, ring_at, ring_n;
};

/* How the units of the target with this name are called in their headers. */
uint64_t verify_identity(const char *path);

/* FILES of PW in CELLS order; IOS has DEPTH requests with their buffers. */
struct verify *verify_new(struct arena *arena, const struct plan *plan,
	const struct plan_worker *pw, const struct shared *shared, const struct clock *clock,
	struct io *ios, uint32_t depth, struct err *reterr);

/* Note IO, which is about to be issued, in its slot. */
struct verify_slot *verify_note(struct verify *v, const struct io *io);

/* A write or trim: false when it has to wait for what is in flight; then it isn't noted.
 * HOT. */
bool verify_stamp(struct verify *v, struct io *io, uint64_t now_ns);

/* A read: what may be there.  HOT. */
void verify_look(struct verify *v, const struct io *io);

/* A write or trim came back, as IO->res says.  HOT. */
void verify_back(struct verify *v, const struct io *io);

/* A sync is about to be issued, and came back, if there is a state to tell.  HOT. */
void verify_sync(struct verify *v, const struct io *io);
void verify_synced(struct verify *v, const struct io *io);

/* Nothing is in flight: what was noted and never issued was never written. */
void verify_forget(struct verify *v);

/* The map of the target that S is on; without cells where this run stamps nothing. */
static inline struct cells *verify_cells(const struct verify *v, const struct verify_slot *s)
{
	return &v->cells[v->worker->files.targets[s->file]];
}

/* Was something read that has to be judged? */
static inline bool verify_wants(const struct verify_slot *s)
{
	return s->out && s->kind == IO_READ;
}

/* A read came back whole: judged here, or given to a checker.  HOT. */
void verify_read(struct verify *v, struct verify_slot *s);

/* Judge what the read of S brought to BUF. */
void verify_check(struct verify *v, const struct verify_slot *s, const unsigned char *buf);
