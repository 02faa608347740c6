/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* The supervisor: one thread, in the program's own process.  It forks workers,
 * releases, watches and stops them, collects their series, and never touches a
 * target: so it can always report and exit, whatever hangs.
 *
 * It sleeps at the bell (shared.h) until a worker has news, a tick, a sample, a pulse or a
 * look is due, or a signal comes.  supervisor.c has that loop; the parts below are called
 * from it, and each keeps its own state here. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/arena.h"
#include "base/str.h"
#include "plan/plan.h"
#include "result/result.h"
#include "run/run.h"
#include "run/shared.h"

struct disks;
struct environment;
struct guard_claims;
struct layout;
struct logs;
struct observe;
struct pulses;

/* What the supervisor knows of one worker: its process's end, what it was asked, and what was
 * said about it; all times are of s->clock. */
struct supervised {
	pid_t pid;    /* of its process; for a thread that of its host    */
	bool started; /* forked                                           */
	bool gone;    /* its process was reaped or given up               */
	bool ended;   /* its end was handled                              */
	bool named;   /* it was reported as hanging                       */
	bool killed;  /* we sent SIGKILL                                  */
	enum result_end end;
	int signal;         /* that killed it; 0: none                          */
	uint64_t progress;  /* when last looked at ...                          */
	uint64_t moved_ns;  /* ... and when that last changed                   */
	uint64_t stop_ns;   /* when it was asked to stop; 0: not                */
	uint64_t kill_ns;   /* when SIGKILL was sent                            */
	uint64_t halted_ns; /* since when it is stopped (SIGSTOP); 0: it runs   */
	uint64_t halted_total_ns;
	uint32_t waited; /* so many of those it waits for have ended         */
	uint64_t died_ns;
	uint64_t floor_ns; /* since when its least rate is judged; 0: not yet  */
	uint64_t floor_from[DIRS];
	bool steady; /* it was ended because its row is steady           */
	uint64_t dumps_said;
	uint32_t faults_said;
	int fail_code; /* the supervisor's reason to end it; 0: none       */
	const char *fail_func;
	char fail_text[160];
};

/* Samples of a row that is to become steady (steadiness.c): differences of sums over all its
 * workers, so that a sample is of the same moment for each. */
struct steadiness_totals {
	uint64_t ios, bytes, lat_sum, lat_count;
};

struct steadiness {
	double *v[STEADY_FIGURES]; /* the last ones, oldest first               */
	uint32_t count;
	bool begun, attained;
	struct steadiness_totals from;
	uint64_t from_ns;
};

/* What is summed up per report row while running. */
struct supervised_row {
	struct series series;
	struct histogram *lat[DIRS], *response[DIRS]; /* arena, on first use    */
	struct histogram *call[DIRS]; /* of synchronous members: their clat      */
	struct steadiness *settle;    /* NULL: nothing to judge                  */
};

/* One run; on the stack of run_plan().  One thread. */
struct supervisor {
	const struct plan *plan;
	const struct run_how *how;
	struct clock clock;
	struct shared shared;
	struct supervised *workers;
	struct supervised_row *rows;
	struct arena arena; /* workers, pids, histograms of rows: shared, so that a
			     * fork has no page tables of it to copy        */
	uint32_t *pids;     /* open hash table: worker + 1 by process        */
	uint32_t pids_mask;
	struct layout *layout;
	struct disks *disks;
	struct logs *logs;     /* NULL: no job writes one                     */
	struct pulses *pulses; /* NULL: nobody follows the run                 */
	uint32_t open_limit;   /* files that a worker of this process may hold */
	struct cgroups *cgroups;
	struct idleness *idleness;
	struct schedulers *schedulers;
	struct environment *environment; /* NULL: not captured               */
	struct observe *observe;         /* NULL: nothing is looked at               */
	bool observe_over;               /* all waves are, and their workers reaped     */
	struct guard_claims *claims;     /* of the running wave; ours, not the workers' */

	uint32_t wave;       /* that is running                              */
	uint32_t first, end; /* its workers: waves are contiguous            */
	uint64_t began_ns;   /* run_plan was called                          */
	uint64_t tick_due_ns, partial_due_ns, series_due_ns;
	int signals_seen;
	int signal;            /* that stopped the run; 0: none                */
	bool stop_all;         /* later waves don't run                        */
	bool pause_seen;       /* the system was suspended                     */
	uint64_t suspended_ns; /* boottime - monotonic when it began           */
	const char **messages; /* heap                                         */
	uint32_t messages_count;
	bool out_of_memory;

	/* the live line */
	struct str states;
	uint64_t view_ios[DIRS], view_bytes[DIRS], view_ns;
};

/* ---- crew.c: processes and threads ---- */

/* Room to find workers by their processes. */
int crew_pids_make(struct supervisor *s, struct err *reterr);

/* Fork all workers of the running wave.  A worker that can't be started has its error in
 * its shared state and counts as ended. */
void crew_start(struct supervisor *s);

/* For a child that is no worker: obeys no terminal, holds none of our devices. */
void crew_become_helper(struct supervisor *s);

/* Take notice of children that ended, stopped or went on. */
void crew_reap(struct supervisor *s);

/* Release a worker that waits for that, and interrupt whatever system call it
 * waits in.  A signal that comes before the call is lost: repeat it. */
void crew_wake(struct supervisor *s, uint32_t worker);

/* ---- watch.c: stopping and what hangs ---- */

/* LEVEL 1: no new I/O, what is in flight is waited for; 2: don't wait for it.  Never goes back
 * to a lower level. */
void watch_stop(struct supervisor *s, uint32_t worker, uint32_t level);

/* The first signal stops all workers in order and the waves behind; the second at level 2. */
void watch_signals(struct supervisor *s);

/* Name those that are silent, kill those that were asked to stop and don't, give up those
 * that a SIGKILL doesn't end. */
void watch_hangs(struct supervisor *s);

/* ---- collect.c: series and histograms of running workers ---- */

/* Makes s->rows.  0 or -ENOMEM. */
int collect_begin(struct supervisor *s, struct err *reterr);

/* Take the sets that WORKER has given away, into the series of its row; LAST: also the one it
 * was filling, since it has ended or is given up. */
void collect_sets(struct supervisor *s, uint32_t worker, bool last);
void collect_done(struct supervisor *s);

/* ---- pulse.c: for those who follow the run ---- */

/* Nothing is made where no pulse is asked for.  0 or -ENOMEM. */
int pulse_begin(struct supervisor *s, struct err *reterr);

/* A wave begins: pulses are counted from its first window. */
void pulse_start(struct supervisor *s);

/* Give a pulse to the sink if it is time for one; LAST: the last one. */
void pulse_give(struct supervisor *s, bool last);

/* ns until the next; UINT64_MAX: there is none. */
uint64_t pulse_wait(const struct supervisor *s);

/* ---- gather.c: everything to a result ---- */

/* All that is known now, as a result of its own, for the caller to free; FINAL: the workers are
 * over, else it is an interim report.  0 or a negative errno. */
int gather_result(struct supervisor *s, bool final, struct result **ret, struct err *reterr);

/* ---- floor.c: least rates ---- */

/* End the workers that were slower in the last window than rate_min and the like allow. */
void floor_look(struct supervisor *s);

/* ---- faults.c: wrong data ---- */

/* What worker I has found since the last call; LAST: it is over. */
void faults_say(struct supervisor *s, uint32_t i, bool last);
int faults_gather(const struct supervisor *s, struct result *r, uint32_t i,
	struct result_row *row);

/* ---- steadiness.c: steady state ---- */

/* Room for the samples of the rows that are judged.  0 or -ENOMEM. */
int steadiness_begin(struct supervisor *s, struct err *reterr);
void steadiness_done(struct steadiness *se);

/* Take the samples that are due; a row that has become steady is stopped in order. */
void steadiness_look(struct supervisor *s);

/* When the next sample is; UINT64_MAX: none. */
uint64_t steadiness_due_ns(const struct supervisor *s);

/* The samples and the verdict of ROW, as copies in TO's arena.  0 or -ENOMEM. */
int steadiness_gather(const struct supervisor *s, uint32_t row, struct result *to);

/* ---- view.c: the live line's figures ---- */

/* Rates are since the last call, so only one may ask.  Texts are valid until the next. */
void view_make(struct supervisor *s, struct run_view *ret);

/* ---- supervisor_say.c ---- */

/* Give a line to the sink and keep it for the result. */
void supervisor_say(struct supervisor *s, enum run_weight weight, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* A line of the run's course, for the sink only. */
void supervisor_phase(struct supervisor *s, enum run_phase phase, const char *text);

/* "Starting 2 processes". */
void supervisor_say_start(struct supervisor *s);

/* The error of WORKER, which is over, in fio's two lines; nothing where it has none. */
void supervisor_say_error(struct supervisor *s, uint32_t worker);

/* The errors that WORKER's job said to ignore but to tell, since the last call. */
void supervisor_say_dumps(struct supervisor *s, uint32_t worker);

/* ---- signals.c ---- */

/* Was an interim report asked for (SIGUSR1) since the last call? */
bool signals_partial_asked(void);
