/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Doing it: prepares targets, starts workers, runs the phases, stops them,
 * survives whatever happens, and gathers the result.
 *
 *	run_plan()   limits, guard, layout (helpers)
 *	             for each wave: fork, wait until all are READY, release, watch
 *	             gather: shared memory becomes one struct result
 *
 * The supervisor is the calling thread; it never touches a target.  Workers are
 * forked from it and from nowhere else; jobs with `thread` run as threads of one
 * forked host process per wave; layout runs in forked helpers.  So whatever hangs in the
 * kernel, somebody is left who can say so.  docs/internals/run.md tells it with drawings. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct err;
struct plan;
struct pulse;
struct result;
struct work;
struct result_fault;

/* Of the run as a whole; TEXT is fio's line for it, "" where it has none. */
enum run_phase {
	RUN_LAYOUT,  /* text: "NAME: Laying out IO file (1 file / 16MiB)"     */
	RUN_START,   /* text: "Starting 2 processes"                          */
	RUN_RUNNING, /* the first wave is about to be forked                    */
	RUN_DONE,    /* all waves are over; text and result follow              */
};

/* How a sentence is meant; on which stream it stands is cmd's. */
enum run_weight {
	RUN_INFO, /* goes where fio's information goes (classic text) */
	RUN_WARNING,
	RUN_ERROR,
	RUN_DATA, /* about wrong data: an error, as it is, without a name in front   */
};

/* One direction of the live line. */
struct run_flow {
	uint64_t bytes_per_s, ios_per_s; /* since the last tick   */
	uint64_t bytes, ios;             /* since the start       */
	bool moved;                      /* since the last tick   */
};

/* What the live line shows.  Valid during the call. */
struct run_view {
	uint32_t running, open_files;
	const char *states; /* fio's run string, "[r(1),P(1)]" without brackets   */
	struct run_flow flow[3];
	uint64_t rate_min, rate_max; /* asked bytes/s, or I/Os when rate_ios; 0: none   */
	bool rate_ios;
	bool eta_known;
	uint64_t eta_s, elapsed_ms;
	double percent; /* < 0: unknown                                       */
	uint64_t layout_bytes, layout_total; /* while files are laid out                */
};

/* How a run speaks; cmd fills it. Any member may be NULL.  All are called in the supervisor's
 * thread, and hold up its watch while they run: what may block (a pipe, a disk) is handed to
 * another process (cmd/courier.h). */
struct run_sink {
	void *ctx;
	void (*phase)(void *ctx, enum run_phase phase, const char *text);
	void (*tick)(void *ctx, const struct run_view *view);
	void (*message)(void *ctx, enum run_weight weight, const char *text);
	/* Wrong data, with message() beside it: the first of each worker.  ROW is its number
	 * in the plan, from 0. */
	void (*fault)(void *ctx, uint32_t row, const char *job, const struct result_fault *f,
		uint32_t unit_bytes);
	void (*partial)(void *ctx, const struct result *so_far);
	/* Will the news of the next pulse be taken? If not they are added to those of
	 * a later one; the last pulse is not asked for.  NULL: yes.                 */
	bool (*listens)(void *ctx);
	void (*pulse)(void *ctx, const struct pulse *pulse);
};

enum run_environment { /* --env */
	RUN_ENV_NONE,
	RUN_ENV_MASKED, /* without serial numbers and the host's name */
	RUN_ENV_FULL,
};

/* Whose idle time is told: all CPUs as one, or each. */
enum run_idle { /* --idle-prof */
	RUN_IDLE_NONE,
	RUN_IDLE_SYSTEM,
	RUN_IDLE_PERCPU,
};

/* What the command line says about the run as a whole, beside the plan.  0 and NULL are
 * presets. */
struct run_how {
	enum run_idle idle;
	enum run_environment environment; /* to be captured                           */
	const struct run_sink *sink;
	bool native; /* weir's face: consent rules                     */
	bool read_only;
	bool no_notes;           /* make them, show none                            */
	const struct work *like; /* what the load shall be like, or NULL; outlives the result */
	double ceiling_ios_per_s;   /* of one worker without a device; 0: not known    */
	const char *const *destroy; /* --destroy=TARGET, the consents                */
	uint32_t destroy_count;
	const char *bandwidth_log; /* prefix of the aggregate logs; NULL: none       */
	uint64_t tick_ns;          /* of sink->tick; 0: none                         */
	uint64_t partial_ns;       /* of sink->partial; 0: none                      */
	uint64_t pulse_ns;         /* of sink->pulse; 0: none, not at the end either  */
	uint64_t hang_ns;          /* name a worker that is silent so long; default 30 s */
	uint64_t drain_ns;         /* wait so long for a stopped worker; default 10 s */
	uint64_t started_ns;       /* when the program began (startdelay, elapsed)   */
};

/* Run PLAN.  0 when there is a result, also when jobs failed (result->failed
 * says how many) or a signal stopped it; < 0 with *reterr when nothing could be run.  *ret is
 * the caller's, result_free().  Comes back in any case: a worker that the kernel holds is given
 * up.  Once at a time in a process, which must have no other threads (it forks). */
int run_plan(const struct plan *plan, const struct run_how *how, struct result **ret,
	struct err *reterr);

/* Stop flag for the supervisor: installs handlers for SIGINT, SIGTERM, SIGHUP,
 * SIGQUIT that set log_stop_signal, and SIGUSR1 that asks for an interim report. */
int run_signals_install(struct err *reterr);
