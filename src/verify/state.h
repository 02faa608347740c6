/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* The state file: what was written and synced when, told while it happens to a file that
 * isn't on the target; so that after a power cut somebody can say what must be there.
 * docs/internals/verify.md has its form and why the rules hold.
 *
 * One file, a stream of records of each worker, in blocks that are appended whole.  What was in
 * a worker's buffer when it died is lost: the reader then knows of fewer syncs, and finds units
 * that are later than the log.  A trim must be flushed before it is issued. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "verify/unit.h"

#define STATE_BUFFER      (64 << 10) /* bytes of a stream's buffer                  */
#define STATE_ALL_TARGETS UINT32_MAX /* of a sync: syncfs                           */

/* A file or device that a state is of. */
struct state_target {
	const char *name;  /* as the user knows it: the path                       */
	uint64_t identity; /* as in the units' headers                             */
	uint64_t bytes;
	uint32_t unit_bytes; /* at least 1                                           */
};

/* What the file begins with.  Of a spec the run, and what data points to, isn't kept. */
struct state_head {
	uint64_t run;
	uint64_t start_ns; /* wall clock                                           */
	uint32_t atomic;   /* so many bytes the device writes whole, at least 2; larger units
			    * may be mixed                                         */
	const struct state_target *targets;
	const struct unit_spec *specs;
	const uint32_t *spec_of; /* of each worker                                 */
	uint32_t targets_count, specs_count, workers_count;
};

/* ---- writing ---- */

/* Make PATH, or what is in it new.  It is locked until all copies of the descriptor are closed:
 * -EBUSY when another run has it.  The caller closes the file. */
int state_create(const char *path, const struct state_head *head, int *ret_fd,
	struct err *reterr);

/* One worker's; one thread. */
struct state_stream {
	int fd;
	int error; /* negative errno of the first write that failed; nothing is told
		    * after that                                            */
	uint32_t worker;
	uint32_t used;    /* of the buffer                                       */
	uint8_t *buf;     /* STATE_BUFFER bytes                                  */
	uint64_t last_ns; /* time and serial of the last record                  */
	uint64_t last_serial;
};

/* FD was opened by state_create(), maybe in a process that this one was forked from. */
void state_stream_init(struct state_stream *s, int fd, uint32_t worker, void *buf);

/* Times are those of the stamps: wall clock when the run began, and from there on by a clock
 * that doesn't jump and is the same for all workers.  Before the write is issued, at the
 * stamp's time and with its serial, which rises in each stream.  HOT. */
void state_write_begun(struct state_stream *s, uint64_t time_ns, uint64_t serial,
	uint32_t target, uint64_t first, uint32_t n);
void state_trim_begun(struct state_stream *s, uint64_t time_ns, uint64_t serial,
	uint32_t target, uint64_t first, uint32_t n);

/* How a write or trim came back. */
enum state_end {
	STATE_DONE,
	STATE_DURABLE, /* done, and synced by itself: O_DSYNC, FUA                  */
	STATE_FAILED,
};
void state_write_ended(struct state_stream *s, uint64_t time_ns, uint64_t serial,
	enum state_end end);

/* A sync of TARGET covers what ended before it began, whoever wrote.  NUMBER is any that no
 * other sync in flight of this worker has. */
void state_sync_begun(struct state_stream *s, uint64_t time_ns, uint32_t target,
	uint64_t number);
void state_sync_ended(struct state_stream *s, uint64_t time_ns, uint64_t number, bool failed);

/* Loops, phases: for people. */
void state_mark(struct state_stream *s, uint64_t time_ns, uint64_t number);

/* This worker ends as it should; flushes. */
void state_finish(struct state_stream *s, uint64_t time_ns);

/* What is told goes to the file: one write(), none when there is nothing.  0 or s->error. */
int state_flush(struct state_stream *s);

/* ---- reading ---- */

/* What a whole file says.  Memory: 8 bytes for each unit that was written, by pages. */
struct state {
	struct arena arena;
	struct state_head head;
	const char *path;
	uint64_t writes, trims, syncs, failed; /* ended; failed are all kinds         */
	uint64_t in_flight;  /* begun, and no end told                              */
	uint64_t tail_bytes; /* ignored at the end: a block that wasn't written whole */
	uint64_t end_ns;     /* of the last record                                  */
	uint64_t last_mark;
	uint32_t tellers;      /* workers that told anything                          */
	uint32_t finished;     /* of them, those that ended as they should            */
	uint64_t *last_serial; /* of each worker; 0 when it told nothing              */
	uint64_t *base;        /* of each target: its first cell                      */
	uint64_t *cell;
	uint64_t cells;
	bool completed; /* see state_load()                                    */
	int fd;
};

/* A file that is cut at its end is read as far as it goes (tail_bytes); else -EBADMSG with
 * the place for what isn't as it should be.  COMPLETED: what was done must be there, synced or
 * not: only the program ended, not the machine. */
int state_load(const char *path, bool completed, struct state **ret, struct err *reterr);

/* Only the head, into ARENA. */
int state_look(const char *path, struct arena *arena, struct state_head *ret,
	struct err *reterr);
void state_free(struct state *s);

/* Which of the state's targets is NAME of BYTES?  -ENOENT, or -EMEDIUMTYPE when it is another
 * one than that the state is of. */
int state_target_find(const struct state *s, const char *name, uint64_t bytes,
	uint32_t *ret_target, struct err *reterr);

/* What a unit must hold; leaves nothing of *ret as it was.  False: anything, because a write
 * of it failed.  A unit that is stale by this is right nevertheless when
 * state_is_later(): state_check() knows that. */
bool state_expect(const struct state *s, uint32_t target, uint64_t unit,
	struct unit_expect *ret);

/* What a unit that is right holds, in view of the last write of it that was synced. */
enum state_age {
	STATE_OLDER,  /* nothing was synced, or it was under way at that time: from before */
	STATE_SYNCED, /* the one that had to be there                        */
	STATE_NEWER,  /* a later one that was told, and not synced           */
	STATE_AGES,
};

/* OWN: it has a header of the state's run, which says TIME_NS. */
enum state_age state_age(const struct state *s, uint32_t target, uint64_t unit, bool own,
	uint64_t time_ns);

/* Is this write later than what the log knows of its worker? */
bool state_is_later(const struct state *s, uint32_t worker, uint64_t serial);

/* Judge a unit that was read.  SPEC is that of its writer, of this state.  *ret_later: it's
 * right, and worth counting, since the log doesn't know of the write. */
enum unit_verdict state_check(const struct state *s, const struct unit_spec *spec,
	uint32_t target, uint64_t unit, const void *data, size_t n, bool *ret_later);

/* As cells_written(): which units did the log hear of? */
uint64_t state_written(const struct state *s, uint32_t target, uint64_t i, uint64_t max,
	uint64_t *ret_first);

/* The writes that may be in this unit, for units that may be mixed: at most MAX, and how many
 * there are.  Reads the file again. */
int state_candidates(struct state *s, uint32_t target, uint64_t unit, struct unit_stamp *ret,
	uint32_t max, uint32_t *ret_count, struct err *reterr);
