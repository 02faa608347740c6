/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* The engine interface: who does the I/O.
 *
 * An engine is one const value at the end of one file.  The core allocates
 * every private byte the engine asks for (queue_size, io_size, target_size), so
 * an engine has no constructor and no free() to forget.
 *
 *   queue_open → target open* → ( perform | submit, reap )* → target close* → queue_close
 *   once a worker, and all of it in the worker's own thread
 *
 * There are two ways to do I/O, and an engine has at least one:
 *   perform          does one request and returns when it is done (a synchronous
 *                    engine).  Used when the depth is 1.
 *   submit and reap  a queue.  Used when the depth is more, or when there is no
 *                    perform.
 * An engine with perform only is synchronous: its jobs run at depth 1.  A shim
 * offers both, and a chain can do what all its links can (engine_chain_can_*).
 *
 * Errors travel in two ways.  What happens before the clock starts (probe, queue_open,
 * open, target_added) returns 0 or a negative errno with a text for people: what is
 * wrong and what to do.  A request carries a negative errno in io->res and never a
 * text; there is nothing else by which submit or reap can fail.
 *
 * Engines see engine/, opt/, sys/ and base/: no job, no plan, no statistics.
 * Nothing here is called from two threads for one queue (but ENGINE_PARALLEL).  Calls go
 * through engine/call.h, which asserts the contract.  Between queue_open and queue_close
 * a file that says HOT allocates nothing, locks nothing and formats nothing.
 *
 * docs/internals/engine.md tells it with a drawing; HACKING.md adds one. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/dir.h"
#include "sys/clock.h"
#include "sys/look.h"

struct err;
struct opt_group;
struct queue;

/* The first three are enum dir of the same number.  Those from IO_FSYNC on move no data:
 * their res is 0 or an error. */
enum io_kind {
	IO_READ,
	IO_WRITE,
	IO_TRIM,
	IO_FSYNC,
	IO_FDATASYNC,
	IO_SYNC_RANGE, /* sync_file_range(): offset, bytes (0: to the end), flags   */
};

/* Where a request's latency is counted. */
static inline enum dir io_dir(enum io_kind kind)
{
	return kind < IO_FSYNC ? (enum dir)kind : DIR_SYNC;
}

/* One file or device of a worker, open or not. The worker owns it; the engine's open() and
 * close() set what is marked so.  Workers that share a file have a target each. */
struct target {
	const char *path;
	int fd;              /* -1 while closed                                */
	uint32_t index;      /* among the worker's targets                     */
	enum look_kind kind; /* what it turned out to be at open               */
	uint64_t bytes;      /* size at open                                   */
	void *mine;          /* the engine's, target_size bytes, zeroed; queue_new()
			      * sets it and it lives as long as the queue      */
};

/* How to open a target: the plan's decision, const.  Whoever opens adds nothing of its own but
 * what the kernel demands (O_CLOEXEC). */
struct target_how {
	bool write, read;
	bool direct;
	bool sync, dsync; /* O_SYNC, O_DSYNC                                  */
	bool create;      /* O_CREAT when missing                             */
	bool invalidate;  /* drop cached pages of the range at open           */
	int advice;       /* posix_fadvise() value for the range, or -1       */
	int life;         /* of what is written: F_SET_RW_HINT's value, 0: none said */
	uint64_t range_start, range_bytes; /* 0 bytes: all                     */
};

/* One request: a cache line.  The worker owns it, and its buffer, for the whole
 * run; between submit() and the reap() that hands it back only the engine may
 * touch it.  An engine's private bytes of it are at queue_io_mine(). */
struct io {
	uint64_t offset;
	void *buf;
	struct target *target;
	uint32_t bytes;
	int32_t res;           /* bytes moved (by a sync: 0), or negative errno   */
	uint8_t kind;          /* enum io_kind                                    */
	uint8_t flags;         /* of IO_SYNC_RANGE: SYNC_FILE_RANGE_*; else 0     */
	uint16_t prio;         /* ioprio value, 0: the thread's                   */
	uint32_t slot;         /* index in queue->ios                             */
	uint64_t due_ns;       /* on a schedule: when it should have been issued  */
	uint64_t prepared_ns;  /* T0                                            */
	uint64_t submitted_ns; /* T1                                           */
};

_Static_assert(sizeof(struct io) == 64, "a request is one cache line");

/* What a worker asks of a queue; filled before queue_open, const afterwards,
 * except `mine`, `inner` and `used`.  The buffer of request I is at
 * buffers + I * buffer_bytes, or at another multiple of buffer_bytes (writes of the
 * same bytes again and again have one for all); an engine may make all of BUFFERS known
 * to the kernel. */
struct queue {
	const struct engine *engine;
	const struct clock *clock;
	const void *opts; /* the engine's option block, or NULL          */
	struct io *ios;   /* all requests, `depth` of them               */
	uint32_t depth;
	void *buffers; /* all I/O buffers, one after another          */
	size_t buffers_bytes;
	size_t buffer_bytes; /* of one                                      */
	struct target *targets;
	uint32_t targets_count;
	bool direct;
	bool atomic;                   /* writes are whole or not at all (RWF_ATOMIC)  */
	uint64_t seed;                 /* for shims that throw dice                   */
	const volatile uint32_t *stop; /* not 0: give up waiting                */

	struct queue *inner; /* of a shim: the queue it wraps               */
	void *mine;          /* queue_size bytes, zeroed, 64-aligned        */
	void *ios_mine;      /* depth * io_size bytes, zeroed, 64-aligned   */
	char used[160];      /* what the engine really used, for the report:
			      * "fixed buffers, DEFER_TASKRUN"; empty: nothing special */
};

/* The engine's IO_SIZE bytes of one request. */
static inline void *queue_io_mine(const struct queue *q, const struct io *io, size_t io_size)
{
	return (char *)q->ios_mine + (size_t)io->slot * io_size;
}

/* The engine at the bottom of a queue's chain, which does the work. */
static inline const struct engine *queue_base(const struct queue *q)
{
	while (q->inner)
		q = q->inner;
	return q->engine;
}

/* How targets are opened and sized; file engines share target_posix. */
struct target_ops {
	/* Sets t->fd, kind and bytes.  0 or a negative errno, with "PATH: what: remedy"; then
	 * nothing is open. */
	int (*open)(struct queue *q, struct target *t, const struct target_how *how,
		struct err *reterr);
	/* t->fd is -1 after it.  Can't fail: what a close() would tell too late, an fsync
	 * has told before, where one was asked for. */
	void (*close)(struct queue *q, struct target *t);
	/* Drop cached pages of the range; optional.  0 or a negative errno without text, after
	 * which the run goes on: they may be in use. */
	int (*invalidate)(struct queue *q, struct target *t, const struct target_how *how);
};

extern const struct target_ops target_posix;
extern const struct target_ops target_none; /* opens nothing, fd stays -1: null */

/* What the plan must know of an engine without opening it; of a chain, its innermost. */
enum engine_flags {
	ENGINE_NO_FILES = 1u << 0,  /* targets need not exist; nothing is laid out   */
	ENGINE_NO_EXTEND = 1u << 1, /* a write can't make the file longer (mmap): lay
				     * it out in full first                          */
	ENGINE_DIRECT_OK = 1u << 2, /* obeys O_DIRECT                                */
	ENGINE_HIDDEN = 1u << 3,    /* a shim or for tests: not in the list of --help */
	ENGINE_TRIM = 1u << 4,      /* can IO_TRIM                                   */
	ENGINE_ATOMIC = 1u << 8,    /* obeys queue->atomic                           */
	ENGINE_TALKS = 1u << 5,     /* writes to stderr: the worker keeps it open    */
	ENGINE_PARALLEL = 1u << 6,  /* perform may be called from several threads, each
				     * with a request of its own                    */
	ENGINE_SEATED = 1u << 7,    /* reads and writes at the descriptor's position: two
				     * queues can't share a descriptor              */
	ENGINE_AT_OFFSET = 1u << 9, /* by pread() and its like, which what has no offsets
				     * refuses: pipes, terminals                    */
};

/* const, one per engine, `engine_NAME`.  Required: name, help, target, and perform or both
 * of submit and reap; NULL and 0 are valid for all else. */
struct engine {
	const char *name;
	const char *alias[2];
	const char *help;
	unsigned flags;
	const struct opt_group *opts;
	size_t prio_opts; /* it obeys io->prio, and in its options a struct
			   * cmdprio_opts is at this offset less 1; 0: no           */
	size_t queue_size, io_size, target_size;
	const struct target_ops *target;
	bool shim;        /* wraps another: ioengine=delay(null)             */
	bool makes_queue; /* a shim with submit and reap around any other (threads):
			   * it calls perform of the one inside, or has twins of it */

	/* Can this machine run it?  0 or a negative errno; the text of E (may be NULL) is shown
	 * to the user.  Leaves nothing open.  Asked by those who list, choose or test engines;
	 * a run doesn't ask: queue_open says the same.  NULL: always. */
	int (*probe)(struct err *e);

	/* Everything in Q but inner (opened already), mine and used is given.  In the thread
	 * that will use Q, before the clock starts: here is the place for system calls, for
	 * memory of libraries, and for what an option decides.  0 or a negative errno; then
	 * queue_close isn't called. */
	int (*queue_open)(struct queue *q, struct err *e);
	void (*queue_close)(struct queue *q);

	/* A target was opened or is about to be closed (registration).  Of a target that is
	 * about to go no request is in flight.  With openfiles both come in the middle of
	 * the run, between two calls of submit. */
	int (*target_added)(struct queue *q, struct target *t, struct err *e);
	void (*target_gone)(struct queue *q, struct target *t);

	/* Do one request: io->res. Returns when it is done.  A signal does not cut
	 * it short unless the stop flag is set (then it may be -EINTR). */
	void (*perform)(struct queue *q, struct io *io);

	/* Take up to N requests from the front; returns how many were taken (0: the
	 * queue is full or the kernel is out of resources, reap first).  A request
	 * that can't even be submitted is taken, and comes back from reap with its
	 * error.  Does not wait. */
	unsigned (*submit)(struct queue *q, struct io **ios, unsigned n);

	/* Give back finished requests, at most MAX, each with res set, in any order.
	 * Returns when MIN are there, when the clock has reached UNTIL_NS
	 * (0: never waits, UINT64_MAX: no limit), when *q->stop is set (seen within
	 * WAIT_SLICE_NS when no signal comes with it), or when a signal came,
	 * whichever is first.  A MIN above what is in flight means all of it. */
	unsigned (*reap)(struct queue *q, struct io **done, unsigned max, unsigned min,
		uint64_t until_ns);
};

/* Made by the build from the engines that are enabled; shims included. */
extern const struct engine *const engines[];
extern const size_t engines_count;

/* By name or alias, shims included; NULL when there is none. */
const struct engine *engine_find(const char *name);

/* "fault(delay(null))" to a chain, outermost first, ending in a real engine. */
#define ENGINE_CHAIN 8
struct engine_chain {
	const struct engine *link[ENGINE_CHAIN];
	uint32_t count;
};

/* 0, or a negative errno with what is wrong: a name that isn't known, a shim without an
 * inside, more than ENGINE_CHAIN of them. */
int engine_chain_parse(const char *text, struct engine_chain *ret, struct err *reterr);

/* The innermost, which does the work. */
static inline const struct engine *engine_chain_base(const struct engine_chain *c)
{
	return c->link[c->count - 1];
}

/* What a worker may call on the outermost queue. */
static inline bool engine_links_can_perform(const struct engine_chain *c, uint32_t from)
{
	for (uint32_t i = from; i < c->count; i++)
		if (!c->link[i]->perform)
			return false;
	return true;
}

static inline bool engine_chain_can_perform(const struct engine_chain *c)
{
	return engine_links_can_perform(c, 0);
}

/* Inside of a shim that makes the queue one way is as good as the other. */
static inline bool engine_chain_can_queue(const struct engine_chain *c)
{
	for (uint32_t i = 0; i < c->count; i++) {
		if (!c->link[i]->submit)
			return false;
		if (c->link[i]->makes_queue && engine_links_can_perform(c, i + 1))
			return true;
	}
	return true;
}

/* Make the queues of a chain.  TEMPLATE gives everything a worker decides (clock,
 * ios, depth, buffers, targets, direct, seed, stop); OPTS the option block of
 * each link (NULL where it has none).  Runs in the thread that will use the
 * queue.  On success *ret is the outermost queue, owning the inner ones;
 * queue_free() undoes it, and accepts NULL.  Close the targets first; requests
 * still in flight are waited for, a short while. */
int queue_new(const struct engine_chain *chain, const struct queue *template,
	const void *const *opts, struct queue **ret, struct err *reterr);
void queue_free(struct queue *q);

/* Another queue like Q, with the same chain and options, for one request at a time: IO,
 * whose slot is 0.  TARGETS are as many as Q has; it fills in `mine`. */
int queue_twin(const struct queue *q, struct io *io, struct target *targets, struct queue **ret,
	struct err *reterr);
