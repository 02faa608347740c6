/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What supervisor and workers share: one anonymous shared mapping, made before
 * any worker is forked and so at the same address in all of them.
 *
 *   struct shared_head          the bell that workers ring
 *   struct shared_worker [n]    state and counters, each on its own cache lines
 *   struct shared_places [n]    where the histograms of each are
 *   histograms                  only the kinds and directions a worker can use
 *
 * Every field has one writer, named below.  The other side reads it with relaxed
 * loads and may see a value that is a moment old; phases are published with
 * release and read with acquire, so what was written before a phase is there when
 * the phase is seen.  Pages are touched on first use: a worker that only reads
 * costs nothing for writes. */
#pragma once

#include <stdalign.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/dir.h"
#include "plan/plan.h"
#include "run/by_target.h"
#include "run/logs/ring.h"
#include "run/states.h"
#include "stat/latency.h"
#include "verify/cells.h"

struct err;

/* In the order in which a worker goes through them; those that it has no use for are left
 * out, and between passes VERIFY or SYNCING may come before RUNNING again. */
enum worker_phase {
	WORKER_NONE,  /* not forked yet                                      */
	WORKER_SETUP, /* memory, queue, files                                */
	WORKER_READY, /* waits to be released                                */
	WORKER_DELAY, /* startdelay                                          */
	WORKER_RAMP,
	WORKER_RUNNING,
	WORKER_VERIFY,  /* reads back what it wrote                            */
	WORKER_DRAIN,   /* no new I/O, waits for what is in flight             */
	WORKER_SYNCING, /* end_fsync, fsync_on_close                           */
	WORKER_COMMAND, /* exec_prerun, exec_postrun                           */
	WORKER_ENDED,   /* all figures are final                               */
};

/* Why a worker ended its loop. */
enum worker_why {
	WHY_NONE,
	WHY_BUDGET,
	WHY_TIME,
	WHY_STOPPED,
	WHY_ERROR,
};

/* Of one direction; since the window opened, if not said otherwise. */
struct shared_counts {
	uint64_t ios, bytes; /* completed inside the window                  */
	uint64_t issued; /* completed since the window opened, failures and drain included */
	uint64_t short_ios;
	uint64_t errors;
	uint64_t due, late, missed;
	uint64_t live_ios, live_bytes; /* since the start, ramp included        */
};

/* One kind of failure; kinds beyond the last are counted in errors_total only. */
#define SHARED_ERRORS 8
struct shared_error {
	int code; /* positive errno */
	uint32_t dir;
	uint64_t count;
};

/* One interval of the series. The worker fills a set while it is EMPTY and gives
 * it away as FULL; the supervisor takes it and gives it back as EMPTY.  There are two, so that
 * a worker has one to fill while the other is away; where both are, it goes on with the one it
 * has, and that interval is longer. */
enum set_state { SET_EMPTY, SET_FULL };

struct shared_set {
	uint32_t state;
	uint32_t used; /* something is in it */
	uint64_t t_ns; /* a moment in its interval */
	uint64_t ios[DIRS], bytes[DIRS];
};

/* CPU figures of the measured window. */
struct shared_usage {
	uint64_t user_us, system_us;
	uint64_t voluntary, involuntary;
	uint64_t major, minor;
};

/* What a search for a depth has found. */
struct shared_goal {
	uint32_t depth;     /* tried now, or found; 0: no search                  */
	bool missed;        /* even depth 1 is too slow                           */
	uint64_t ios, over; /* of the measured window                             */
};

/* How far a replay has come. */
struct shared_replay {
	uint64_t issued;  /* records, all passes                               */
	uint64_t dropped; /* were due before the end, and were not issued       */
	uint64_t dry;     /* the ring was empty when something might have been due */
	uint64_t due_ns;  /* the last one was due, and issued, so long after the start */
	uint64_t issued_ns;
};

/* Tolerated errors that are to be said: a ring, the worker's to write. */
#define SHARED_DUMPS 64
struct shared_dump {
	uint64_t offset;
	uint32_t bytes, target;
	int32_t code;
	uint32_t kind;
};

/* A wrong unit.  The first ones are kept; READY is published with release. */
#define SHARED_FAULTS 10
struct shared_fault {
	uint32_t ready;
	uint32_t target; /* of the run                                 */
	uint64_t offset; /* of the read                                */
	uint32_t bytes;
	uint64_t run; /* that should be there                       */
	struct unit_expect expect;
	struct unit_fault fault;
	char dump[2][96]; /* files that it was saved to: received, expected; or "" */
	int dump_error;   /* positive errno                             */
};

/* What a verifying worker has checked; added to atomically by its checkers. */
struct shared_verify {
	uint64_t units, wrong, bytes;
	uint64_t unjudged;          /* units read that can't be judged            */
	uint64_t age[3], later;     /* by a state, of those that are right: enum state_age;
				     * not known to it                            */
	uint64_t unread;            /* units whose read failed                    */
	uint64_t mixtures;          /* units that were tried as such              */
	uint64_t ios, reread_bytes; /* reads of the verification alone           */
	uint64_t ns, main_ns;       /* time of verification, and of the rest of the window */
	bool skipped;               /* a stop came first                          */
	uint64_t faults_count;
	struct shared_fault faults[SHARED_FAULTS];
};

/* One worker's.  Everything is zero until it is forked; what a dead worker has left here is
 * what is known of it. */
struct shared_worker {
	/* written by the supervisor */
	alignas(64) uint32_t go; /* futex; released when 1                      */
	uint32_t stop;           /* 1: end in order; 2: don't wait for the drain */
	uint64_t stop_ns;        /* since when it is set: written before it      */

	/* written by the worker; wait_stop by both: the supervisor sets it with
	 * stop, the worker clears it when it has seen it and goes into its drain */
	alignas(64) uint32_t phase;
	uint32_t wait_stop;
	int32_t pid, tid;
	int32_t error; /* positive errno                              */
	uint32_t why;
	uint32_t in_flight;
	uint32_t depth; /* in effect                                   */
	uint32_t open_files;
	bool synchronous_submit;
	bool skipped;      /* no I/O was done; error_text says why        */
	bool ramp_only;    /* it ended within its ramp                    */
	char letter;       /* what it does, for the live line             */
	uint64_t progress; /* completions since the start                 */
	uint64_t start_ns; /* of its loop, ramp included                  */
	uint64_t window_start_ns, window_end_ns;
	uint64_t generator_ns;
	uint64_t quantum_ns;   /* of its pacing                               */
	uint64_t end_sync_ns;  /* spent in end_fsync and fsync_on_close ...   */
	uint64_t last_sync_ns; /* ... after the window                        */
	uint64_t bytes_total;  /* that it will move; 0: only time says it     */
	uint64_t wall_start_ms;
	char used[160]; /* what the engine says it used                */
	char error_func[32];
	char error_text[384]; /* a whole sentence for people                 */

	/* counters, the worker's */
	alignas(64) struct shared_counts count[DIRS];
	struct moments lat[DIRS];
	struct moments response[DIRS];
	uint64_t syncs;
	alignas(64) uint64_t depths[7], submits[7], completes[7];
	struct shared_usage usage;
	struct shared_error errors_seen[SHARED_ERRORS];
	uint32_t errors_kinds;
	uint64_t errors_total;
	int32_t first_error;
	struct shared_goal goal;
	struct shared_replay replay;
	uint64_t dumps_count; /* published with release                      */
	struct shared_dump dumps[SHARED_DUMPS];
	struct shared_set set[2];
};

/* Where a worker's histograms are; NULL: it has none of that kind.  Set by shared_make(), const
 * afterwards.  Whatever isn't measured has neither memory nor a place, so asking for a pointer
 * is asking whether. */
struct shared_places {
	struct latency *slat[DIRS], *clat[DIRS]; /* of the queue loop             */
	struct latency *lateness[DIRS];
	struct latency *prio[2]; /* of reads, writes: one for each priority          */
	struct latency *sync;
	struct shared_target *targets;    /* one a target of the worker            */
	struct latency *target_lat[DIRS]; /* likewise; total latency               */
	struct flow_cell *flow;
	struct overlap_list *overlap; /* shared by workers                       */
	struct histogram *set_lat[2][DIRS], *set_response[2][DIRS];
	struct log_ring *log;
	struct histogram *log_hist[DIRS];
	struct shared_verify *verify;
	struct latency *reread;    /* of the reads of the verification ...   */
	struct latency *own_reads; /* ... and of the job's own beside them   */
};

/* Of the run. */
struct shared_head {
	/* written by all */
	alignas(64) uint32_t bell; /* futex: counts news of any worker           */
	uint32_t asleep;           /* the supervisor waits for the bell           */
	uint32_t arrived;          /* workers of the wave that are READY or over  */
	/* written by the supervisor */
	alignas(64) uint32_t gate;       /* futex: counts releases                     */
	uint32_t expected;               /* workers of the wave                         */
	alignas(64) uint32_t total_over; /* the supervisor's: no more aggregate lines  */
	int32_t total_error;             /* their writer's: positive errno             */
	struct log_bell total_bell;
	struct log_bell bells[LOG_WRITERS];
};

/* The supervisor's handle, which its children inherit; the mappings behind it are the same
 * for all. */
struct shared {
	struct shared_head *head;
	struct overlap_lock *overlap_lock; /* NULL: nobody shares a table        */
	struct shared_worker *workers;
	struct shared_places *places;
	struct cells *cells; /* by target of the run; NULL: nothing is verified */
	uint32_t cells_count;
	struct states states;
	void *map;
	size_t map_bytes;
	int lock_fd; /* of lockfile; -1: nobody locks              */
};

/* 0, or a negative errno with what to lower; then nothing is left behind. */
int shared_make(struct shared *s, const struct plan *plan, struct err *reterr);
void shared_done(struct shared *s);

/* Ring the bell: something changed that the supervisor should look at. */
void shared_ring(struct shared *s);

/* WORKERS are about to be started; each says shared_arrive() once, when it is ready
 * or over, and the last one rings: a thousand rings would be a thousand looks at a
 * thousand workers. */
void shared_expect(struct shared *s, uint32_t workers);
void shared_arrive(struct shared *s);

/* All whose `go` is set may pass the gate: one call for thousands of workers. */
void shared_open_gate(struct shared *s);

/* Wait at the gate until *GO is set. */
void shared_wait_gate(struct shared *s, const uint32_t *go);

/* Those who wait for others have a gate of their own, so that they are not woken at
 * each release: wait until *WORD is not 0, and wake who does. */
void shared_wait_word(uint32_t *word);
void shared_wake(uint32_t *word);

/* Wait until the bell is not SEEN or the time is over; a signal ends it too. */
void shared_wait(struct shared *s, uint32_t seen, uint64_t timeout_ns);

/* Acquire and release: what was written before a phase is there when it is seen. */
static inline enum worker_phase shared_phase(const struct shared_worker *w)
{
	return (enum worker_phase)__atomic_load_n(&w->phase, __ATOMIC_ACQUIRE);
}

/* When W's window opened; 0: it has no figures yet.  What a ramp counted is forgotten
 * before this is published with release. */
static inline uint64_t shared_opened(const struct shared_worker *w)
{
	return __atomic_load_n(&w->window_start_ns, __ATOMIC_ACQUIRE);
}

static inline void shared_set_phase(struct shared_worker *w, enum worker_phase phase)
{
	__atomic_store_n(&w->phase, (uint32_t)phase, __ATOMIC_RELEASE);
}
