/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* One worker: a queue, its requests, its source and its counters.  Everything here
 * belongs to the worker's own thread; `sh` is what the supervisor reads.
 *
 *	source ──next()──▶ ready ──submit──▶ engine's queue ──reap──▶ done ──▶ account, idle
 *
 * worker.c sets it up and ends it, loop_queue.c or loop_perform.c is what runs between,
 * worker_steps.c and worker_verify.c have what the loops do rarely.  All memory is there before
 * it says READY: its arena, the shared mapping, and the buffers. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "engine/engine.h"
#include "plan/plan.h"
#include "run/buffers.h"
#include "run/fileset.h"
#include "run/logs/feed.h"
#include "run/shared.h"
#include "run/slab.h"
#include "run/source/source.h"
#include "run/submit_probe.h"

/* In the arena of its own; zeroed before setup. */
struct worker {
	const struct plan_worker *plan;
	const struct clock *clock;
	struct shared *shared;
	struct shared_worker *sh;
	const struct shared_places *at;
	struct queue *queue;
	struct source *source;
	struct log_feed *log; /* NULL: none                                   */
	bool log_issued;      /* write_iolog: tell it what is issued          */
	struct source_word word;
	struct replay_ahead *ahead; /* of a replay                            */
	struct verify *verify;      /* NULL: nothing is verified                   */
	struct source *stamped;     /* around the plain source                     */
	struct source *reread;      /* of what was written; NULL: it isn't read back */
	uint64_t nested_ns;         /* spent in verification between passes ...    */
	uint64_t nested_end_ns;     /* ... of which the last one ended then        */
	struct fileset files;
	struct arena arena;

	/* requests: each is idle, ready (prepared, not taken), or in flight */
	struct io *ios;
	struct io **idle, **ready, **done;
	unsigned depth, idle_n, ready_n, in_flight;
	struct buffers buffers;
	size_t buffers_bytes;
	size_t buffer_stride;
	struct slab_room room; /* not used up yet                              */

	/* time */
	uint64_t start_ns, window_start_ns;
	uint64_t deadline_ns;   /* the window ends by the clock; UINT64_MAX: not */
	uint64_t window_end_ns; /* what completes later isn't in the rate        */
	uint64_t last_ns;       /* the last completion                           */
	uint64_t open_at_ns;    /* the measured window opens; UINT64_MAX: it has, or its
				 * source says when                              */
	uint64_t quantum_ns;    /* pacing wakes at most once in so long; 0: for each arrival */
	uint64_t wake_ns;       /* when pacing last woke up                      */
	uint64_t oversleep_ns;  /* how late the kernel ended the last sleeps, on average */
	uint32_t naps;          /* that are in it: at most 8                             */
	uint64_t late_ns;       /* an arrival is late beyond this                */

	/* decided once */
	bool stamp_submit; /* slat or clat wanted                           */
	bool stamp_any;
	bool by_priority;           /* priorities of requests are measured apart */
	bool by_target;             /* and targets                               */
	bool apart;                 /* either; by a loop of one request: by_target or a log */
	bool refill;                /* iodepth_low: filling up, not draining         */
	struct submit_probe submit; /* are requests done when submit returns? */

	/* series */
	unsigned set;               /* which of the two is being filled     */
	struct shared_set *filling; /* it, and its histograms by direction: */
	struct histogram *const *filling_lat;
	struct histogram *const *filling_response;
	uint64_t set_start_ns, set_end_ns;

	int lock_fd; /* of lockfile, this worker's own; -1: none */

	struct shared_usage usage_start;
	enum worker_why why;
};

/* The loops; both return when nothing more is to be issued and all that was in
 * flight is accounted. */
void loop_queue(struct worker *w);   /* by submit and reap, any depth        */
void loop_perform(struct worker *w); /* by perform, one request at a time    */

/* What both loops do between I/Os, out of their hot path (worker_steps.c). */

/* The measured window opens: what was recorded before is forgotten. Not where a stop came
 * before its time: then the job ends within its ramp. */
void worker_open_window(struct worker *w, uint64_t now_ns);

/* A stop was seen: what comes back from now on came after the window. */
void worker_stop_window(struct worker *w);

/* Is it time for that?  Asked before what came back at NOW_NS is recorded: what was in
 * flight when the window opened counts in its rate. */
static inline void worker_look_at_ramp(struct worker *w, uint64_t now_ns)
{
	if (unlikely(now_ns >= w->open_at_ns))
		worker_open_window(w, now_ns);
}

/* Is it the end of the window?  Asked after that, and before it is recorded, too: a call that a
 * stop can't cut short is no request of the window. */
static inline void worker_look_at_stop(struct worker *w)
{
	if (unlikely(__atomic_load_n(&w->sh->stop, __ATOMIC_RELAXED) != 0))
		worker_stop_window(w);
}

/* Nothing is in flight and the source gave nothing: sleep until its time, end the
 * pass or end the job, as it says.  Returns the time after. */
uint64_t worker_idle(struct worker *w, uint64_t now_ns);

/* Fill set WHICH from now on. */
void worker_fill_set(struct worker *w, unsigned which);

/* How late the kernel ends naps here, and for a quantum what one costs.  Takes one to five
 * milliseconds, of workers with a schedule only. */
void worker_learn_naps(struct worker *w);

/* The stamp T_NS is outside the current interval: give the set away. */
void worker_turn_set(struct worker *w, uint64_t t_ns);

/* An I/O failed with IO->res < 0.  True: the job goes on. */
bool worker_failed_io(struct worker *w, const struct io *io, uint64_t now_ns);

/* The source said that the job fails, if it did. */
void worker_hear_failure(struct worker *w);

/* The job fails: FUNC is what failed, TEXT a sentence. */
void worker_fail(struct worker *w, int code, const char *func, const char *text);

/* Nothing more is issued, because of WHY; the window ends if it was open. */
void worker_close(struct worker *w, enum worker_why why);

/* end_fsync and fsync_on_close, if the job writes. */
void worker_end_pass(struct worker *w);

/* The same after the window, which it doesn't belong to. */
void worker_last_sync(struct worker *w);

/* What was written is read back and checked: between passes, and at the end
 * (worker_verify.c).  Nothing is in flight. */
void worker_reread(struct worker *w);

/* At the end, when the window of the writes has its end. */
void worker_reread_last(struct worker *w);

/* Every file's data to the storage, which is no sync that the job asked for. */
void worker_sync_data(struct worker *w);

/* COUNT units were wrong: errors like those of requests. */
void worker_count_wrong(struct worker *w, uint64_t count);

/* Between passes: the verification, and the time it takes off the pass. */
void worker_reread_pass(struct worker *w);

/* Sources of a verifying worker around w->source. */
int worker_verify_setup(struct worker *w, const struct plan *plan, struct overlap *overlap,
	struct err *reterr);

/* The ramp's reads of the verification are forgotten; what they found wrong stays. */
void worker_verify_forget(struct worker *w);

/* All is checked: wrong units count as errors of the job. */
void worker_verify_end(struct worker *w);

/* Give the last interval away, even where the supervisor has not taken the one before. */
void worker_finish_series(struct worker *w);

/* CPU figures count from here, and end here. */
void worker_usage_begin(struct worker *w);
void worker_usage_end(struct worker *w);

/* Everything of one worker, from setup to its last figure; runs in its own process
 * or thread.  PROGRAM_START_NS is what startdelay counts from.  ROOM is memory to use
 * first, of threads; where it is too small, or none, the worker maps its own. */
void worker_main(struct shared *shared, const struct plan *plan, uint32_t index,
	const struct clock *clock, uint32_t open_limit, uint64_t program_start_ns,
	struct slab_room room);

/* Of all its I/O buffers. */
size_t worker_buffers_bytes(const struct plan_worker *pw);
