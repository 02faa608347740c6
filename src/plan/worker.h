/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What one worker does, by theme.  Part of the plan: plan/plan.h says how it is made, what
 * units are, who owns texts and who may read. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/dir.h"
#include "engine/engine.h"
#include "gen/arrival.h"
#include "gen/data.h"
#include "gen/pattern.h"
#include "gen/priority.h"
#include "opt/opt.h"
#include "result/style.h"
#include "stat/steady.h"
#include "trace/map.h"
#include "trace/trace.h"
#include "verify/state.h"
#include "verify/unit.h"

struct job;

/* lockfile=. */
enum plan_lock {
	LOCK_NONE,
	LOCK_EXCLUSIVE,
	LOCK_READWRITE, /* readers share it */
};

/* Which files, and how they are opened and closed (files.c, open.c). */
struct plan_files {
	const uint32_t *targets; /* indices into plan->targets, one per region of the pattern */
	uint32_t count;
	uint32_t open_max;     /* openfiles; 0: all                              */
	struct target_how how; /* range is per file: the pattern's region        */
	bool unlink;           /* at the end                                     */
	bool create_on_open;
	enum plan_lock lock;   /* around each request                            */
	const char *scheduler; /* of its disks, or NULL                          */
	bool pre_read;         /* all of them, before the clock starts           */
	bool unlink_each;      /* between passes: what weir made                 */
};

/* The budget (size.c); whichever ends first. UINT64_MAX: no limit.  The last request is whole,
 * so a job may move up to a block more. */
struct plan_amount {
	uint64_t bytes;   /* io_size or size, times loops; 0: nothing to do        */
	uint64_t ios;     /* number_ios times loops                                */
	uint32_t loops;   /* passes at most, at least 1                            */
	bool time_based;  /* only time stops it                                    */
	bool fill_device; /* ENOSPC ends the job in success                        */
};

/* When, by the clock (time.c).  The measured window begins behind delay and ramp. */
struct plan_time {
	uint64_t delay_ns; /* after the program's start (startdelay)               */
	uint64_t ramp_ns;
	uint64_t runtime_ns; /* after the ramp; 0: no limit                          */
	uint64_t ramp_bytes; /* the ramp ends when its row has moved so much; 0: by time */
	int start_clock;     /* clock_gettime() clock of job_start                   */
};

/* The schedule and the pauses (rate.c).  A schedule is open loop: due times don't move when
 * the device is slow; but for think_shifts. */
struct plan_rate {
	struct arrival_spec arrival[DIRS]; /* per_second 0: not scheduled            */
	bool any;
	uint64_t quantum_ns;     /* wake at most once in so long (internals/time.md)  */
	uint64_t think_ns;       /* pause after think_blocks I/Os                     */
	uint64_t think_spin_ns;  /* of it, busy                                       */
	uint32_t think_blocks;   /* 0: only think_every_ns begins a pause             */
	uint64_t think_every_ns; /* pause after so much time of I/O; 0: never        */
	bool think_issued;       /* count what is issued, not what is done            */
	bool think_shifts;       /* a pause moves the schedule                        */
	uint64_t think_cycles;   /* burnt after each request                          */
	struct plan_floor {
		uint64_t per_second; /* at least; 0: no matter                       */
		bool bytes;          /* bytes a second, else requests                */
	} floor[DIRS];
	uint64_t floor_ns; /* window in which that is judged; 0: nowhere        */
};

/* What latencies a job accepts (latency.c).  All 0: any. */
struct plan_goal {
	uint64_t max_ns[DIRS]; /* a slower request fails the job                     */
	uint64_t target_ns;    /* find the depth that keeps it                       */
	uint64_t window_ns;
	double percent; /* of the requests that must keep it                  */
	bool run_on;    /* go on when the depth is found                      */
};

/* steadystate (steady.c), judged for all workers of a report row.  window_ns 0: not at all. */
struct plan_steady {
	struct steady_rule rule;
	const char *text; /* "iops:5.000000%", for reports                      */
	uint64_t window_ns, ramp_ns, interval_ns;
	uint32_t samples; /* of a window                                        */
};

/* Jobs of one id do requests in proportion to their weights (flow.c; how: run/source/flow.h).
 * weight 0: free. */
struct plan_flow {
	uint32_t weight;
	int32_t id;
	uint64_t sleep_ns; /* before it asks again; 0: at once                   */
};

/* Syncs that the job asks for (sync.c).  Those of a verification or a state are none of
 * them. */
struct plan_sync {
	uint32_t fsync_every; /* after so many writes, before the next I/O; 0: never */
	uint32_t fdatasync_every;
	bool end_fsync; /* every file after each write pass                */
	bool fsync_on_close;
	bool end_syncfs;      /* every file system after each write pass         */
	uint32_t range_every; /* sync_file_range() after so many writes          */
	uint8_t range_flags;  /* SYNC_FILE_RANGE_*                               */
	bool any_periodic;    /* one of the three is not 0                       */
};

/* The engine, and how its queue is filled and emptied (queue.c).  Numbers of requests. */
struct plan_queue {
	const char *engine; /* ioengine as said, for reports                    */
	struct engine_chain chain;
	const void *opts[ENGINE_CHAIN]; /* option block of each link, or NULL         */
	uint32_t depth_asked;           /* iodepth as said, for reports                     */
	uint32_t depth;                 /* 1 when the engine can't do more                  */
	uint32_t batch; /* submit when so many are ready; 0: not asked, what is free */
	uint32_t batch_min, batch_max; /* of a reap; 0: not asked                    */
	bool batch_poll;               /* iodepth_batch_complete_min=0: reap never waits    */
	uint32_t depth_low;            /* drain to this before refilling                   */
	uint32_t buffer_bytes;         /* of one request, rounded up to the alignment      */
	uint32_t buffer_align;
	bool atomic;      /* writes are (RWF_ATOMIC)                          */
	bool use_perform; /* depth 1 and the engine can: no queue             */
	bool direct;
	uint32_t spare;     /* buffers behind the others, for what is being checked */
	bool write_apart;   /* one more buffer, behind the others: all writes are from it */
	bool offload;       /* threads do the requests (shim)                   */
	bool serialize;     /* hold back what overlaps a request in flight ...  */
	bool serialize_all; /* ... of any worker with this set                  */
};

/* Of all buffers together. */
static inline uint64_t plan_buffers_bytes(const struct plan_queue *q)
{
	return (uint64_t)q->buffer_bytes * (q->depth + q->write_apart + q->spare);
}

/* mem= and iomem=, by what has to be done for it. */
enum plan_memory_kind {
	MEMORY_PRIVATE,
	MEMORY_SHARED,
	MEMORY_HUGE,
	MEMORY_SEGMENT, /* System V */
	MEMORY_SEGMENT_HUGE,
};

/* What the buffers are, and what is locked beside them (memory.c). */
struct plan_memory {
	const char *word; /* mem as said, for messages                        */
	enum plan_memory_kind kind;
	const char *file;        /* map a new file beside this one; NULL: anonymous  */
	uint64_t hugepage_bytes; /* of huge kinds; 0: the machine's default          */
	uint32_t align;          /* the first buffer begins so far behind a page's start */
	uint64_t lock_bytes;
	uint64_t cost_bytes; /* all that this worker takes, as an estimate        */
};

static inline bool memory_is_huge(const struct plan_memory *m)
{
	return m->kind == MEMORY_HUGE || m->kind == MEMORY_SEGMENT_HUGE;
}

/* What is measured (measure.c); a kind that is off costs nothing: neither a stamp nor the
 * pages of its histograms. */
struct plan_measure {
	bool slat, clat, lat;
	bool response;                    /* on a schedule: response time and lateness        */
	bool by_priority;                 /* priorities of requests apart, too                */
	bool priority_of_lat;             /* of their lat, not clat                           */
	bool by_target;                   /* files and devices apart, too                     */
	bool spread;                      /* distribution lines; needs clat                   */
	uint64_t interval_ns;             /* of the series                                    */
	const struct result_style *style; /* how fio's formats show it               */
	bool no_slat; /* it was switched off, not only impossible          */
};

/* What is stamped and checked (verify.c, verify_units.c).  unit.kind UNIT_NONE: nothing. */
struct plan_verify {
	struct unit_spec unit;
	bool stamps;          /* writes are stamped and noted in the map            */
	bool by_pieces;       /* its writes have no grid: unit.bytes is 0, no headers, it
			       * remembers each write                               */
	uint64_t pieces_max;  /* of one file                                        */
	bool phantom;         /* verify_only: noted, but not written                */
	bool checks;          /* reads of the job itself are checked                */
	bool by_map;          /* where this run wrote, run and generation count     */
	bool by_header;       /* what it didn't write is checked by what units say themselves */
	bool rereads;         /* what was written is read back: each pass, and at the end */
	bool fatal;           /* the first wrong unit ends the job at once          */
	bool go_on;           /* wrong units don't end it (continue_on_error)       */
	bool dump;            /* save wrong units to files                          */
	bool trim_zero;       /* what was trimmed must read as zeroes               */
	uint32_t threads;     /* checkers beside the worker; 0: it checks itself    */
	struct opt_cpus cpus; /* theirs; count 0: wherever                          */
	uint32_t backlog;     /* read back after so many writes; 0: at the end      */
	uint32_t backlog_batch; /* so many at a time                                  */
	uint32_t trim_percent;  /* of what was written, to trim ...                   */
	uint32_t trim_backlog;  /* ... after so many writes ...                       */
	uint32_t trim_batch;    /* ... so many at a time                              */
};

/* What was only trimmed is read back in pieces of at most so many bytes. */
#define VERIFY_READ_MAX (UINT32_C(1) << 20)

static inline bool verify_is_on(const struct plan_verify *v)
{
	return v->unit.kind != UNIT_NONE;
}

/* A state that is read back; one for each path, in a list of the plan's. */
struct plan_resume {
	struct plan_resume *next;
	const char *path;
	bool completed; /* what was done must be there, synced or not         */
	struct state_head head;
};

/* verify_policy: what a state that is read back promises. */
enum plan_policy {
	POLICY_COMPLETED,
	POLICY_FSYNCED,
};

/* The state of the verification, for after a power cut (verify_state.c; verify/state.h). */
struct plan_state {
	const char *path;           /* is told what is written and synced; NULL: nobody is */
	bool durable;               /* by O_DSYNC                                         */
	uint32_t atomic;            /* bytes that the device writes whole                 */
	struct plan_resume *resume; /* instead of its pattern the job reads what this
				     * says; NULL: no                                     */
	const char *name;           /* of its one file in there; NULL: the same as here   */
	const uint32_t *targets;    /* by file: which one of the state it is              */
};

/* ---- logs ---- */

/* The files that a job may write while it runs.  From BW to LAT one a kind of line, in the
 * order of fio's options. */
enum plan_log_kind {
	PLAN_LOG_BW,
	PLAN_LOG_IOPS,
	PLAN_LOG_SLAT,
	PLAN_LOG_CLAT,
	PLAN_LOG_LAT,
	PLAN_LOG_HIST,
	PLAN_LOG_BINARY,
	PLAN_LOG_ISSUES, /* write_iolog: what was issued, as a trace */
	PLAN_LOGS,
};

/* How a log is called; a const table of log.c. */
struct plan_log_name {
	const char *option; /* that asks for it                                */
	const char *infix;  /* in the name of its file                         */
	const char *key;    /* in --plan                                       */
};
extern const struct plan_log_name plan_log_names[PLAN_LOGS];

/* log_max_value: what a line of a window has. */
enum plan_log_value {
	PLAN_LOG_MEAN,
	PLAN_LOG_MAX,
	PLAN_LOG_BOTH,
};

/* Logs of one worker (log.c); how they are written: run/logs. */
struct plan_log {
	const char *path[PLAN_LOGS];   /* NULL: there is no such log                   */
	bool fed[PLAN_LOGS];           /* lines come; else the file stays empty, as in fio */
	bool any;                      /* there is a file                                  */
	bool each;                     /* a record for each I/O                            */
	bool windows;                  /* sums per window_ns                               */
	bool hist;                     /* bins per hist_ns                                 */
	bool append;                   /* text logs of a name are shared, and old lines kept */
	bool offset, prio, issue_time; /* columns                                    */
	enum plan_log_value value;
	bool epoch;          /* times are those of epoch_clock, not the job's    */
	int32_t epoch_clock; /* clockid_t                                        */
	uint64_t window_ns;  /* 0: a line an I/O                                 */
	uint64_t hist_ns;
	uint32_t coarseness; /* 2^this bins become one                           */
	int32_t zstd;        /* level for the binary log; 0: not compressed      */
	uint32_t unit_shift; /* offsets and sizes are multiples of 2^this        */
	uint32_t ring_bytes; /* of records between the worker and the files      */
};

/* ---- replay of a trace ---- */

/* What a trace asks, as one look over all of it found out (replay.c, replay_scan.c).  The
 * records themselves are read again while it runs. */
struct plan_replay {
	const struct trace_input *inputs; /* one, or several that are merged         */
	uint32_t inputs_count; /* 0: this is no replay, and nothing else here counts */
	struct trace_map map;
	const uint32_t *files; /* by name in the trace: index in files.targets;
				* UINT32_MAX: nothing is done there                */
	uint32_t names;
	const char *const *paths; /* of the files                                   */
	const struct pattern_region *regions; /* and how far the trace goes in each  */
	const uint64_t *ends_at; /* the record that goes farthest, by file          */
	uint32_t paths_count;
	uint64_t records;               /* of I/O in one pass, those left out not counted  */
	uint64_t left_out;              /* by replay_skip                                  */
	uint64_t ios[TRACE_IO_ACTIONS]; /* of the records                           */
	uint64_t bytes;                 /* read and written in one pass                    */
	uint64_t span_ns;               /* from time 0 to the last record, as recorded     */
	uint64_t period_ns;             /* from the begin of a pass to that of the next    */
	uint32_t speed_percent;         /* replay_time_scale                               */
	bool timed;                     /* records have due times; else replay_no_stall    */
	uint32_t loops;                 /* 0: until the time is over                       */
	uint32_t data_max;              /* largest read or write                           */
	uint32_t unit;           /* offsets and sizes of reads and writes are multiples of it */
	uint32_t ring;           /* records decoded ahead; a power of two           */
	double per_second[DIRS]; /* at the speed of the replay                      */
	const char *said_rw;     /* what the job says beside its trace, which fio shows */
	struct size_spec said_sizes[DIRS];
};

/* On which CPUs, memory nodes and at which priority (place.c). */
struct plan_place {
	struct opt_cpus cpus; /* count 0: wherever                                */
	bool split;           /* this worker gets the k-th CPU of the set (set)   */
	int nice;
	bool nice_given;
	uint64_t numa_cpus;  /* only CPUs of these memory nodes; 0: of all       */
	bool numa_given;     /* numa_mode and numa_nodes count                   */
	int numa_mode;       /* enum numa_mode                                   */
	uint64_t numa_nodes; /* where its memory comes from                      */
};

/* What its process is, beside where it runs (process.c); done by run/settle.c in the worker's
 * own thread before it touches a file. */
struct plan_process {
	const char *prerun, *postrun; /* shell commands, or NULL                     */
	bool prerun_must;             /* its failure is the job's                         */
	const char *comm;             /* or NULL                                          */
	bool uid_given, gid_given, prio_given;
	uint32_t uid, gid;
	uint16_t ioprio;
	const char *cgroup;     /* or NULL                                          */
	uint32_t cgroup_weight; /* 0: not asked                                     */
	bool cgroup_keep;
};

/* exit_what: whom an exitall ends. */
enum plan_exit_what {
	EXIT_GROUP,
	EXIT_STONEWALL,
	EXIT_ALL,
};

#define PLAN_ERRNO_WORDS 3 /* errno 0 .. 191 */

/* How its end touches others, and theirs it (end.c). */
struct plan_end {
	bool exitall;
	bool exitall_on_error;
	enum plan_exit_what exit_what;
	const uint32_t *wait_for; /* workers that must have ended before it starts   */
	uint32_t wait_count;
	bool continue_on[DIRS]; /* some errors don't end the job ...               */
	uint64_t tolerate[DIRS][PLAN_ERRNO_WORDS]; /* ... these: a bit an errno      */
	bool dump;            /* say tolerated errors, too                       */
	bool continue_verify; /* wrong data doesn't end the job                  */
};

/* One clone of a job: a process or a thread that does I/O.  Two clones differ in index,
 * clone, seeds, generated file names, and where a set of CPUs or a working set is divided. */
struct plan_worker {
	uint32_t index; /* thread number - 1: order of logs and reports    */
	uint32_t clone; /* 0 .. numjobs-1; in fio's order, 0 and then from the last
			 * down to 1, so it is not index - the first's     */
	const struct job *job;
	const char *name;
	const char *description; /* or NULL                                         */
	const char *rw;          /* the pattern in fio's word: "randread"           */
	uint32_t group;          /* fio's groupid                                   */
	uint32_t wave;           /* workers of a wave start together; waves in turn */
	uint32_t row;            /* which report row it is merged into              */
	bool thread;             /* of its wave's host process; else its own process */

	struct plan_files files;
	struct pattern_spec pattern;
	const struct size_spec *sizes_by_order; /* bs_is_seq_rand: of sequential and of
						 * random requests, for reports; or NULL */
	struct plan_amount amount;
	struct plan_time time;
	struct plan_rate rate;
	struct plan_sync sync;
	struct data_spec data;
	struct plan_queue queue;
	struct plan_measure measure;
	struct plan_log log;
	struct plan_place place;
	struct plan_end end;
	struct plan_memory memory;
	struct plan_process process;
	struct priority_spec priority;
	struct plan_goal goal;
	struct plan_steady steady;
	struct plan_flow flow;
	struct plan_replay replay;
	struct plan_verify verify;
	struct plan_state state;
};

/* Here, since the plan counts memory; run/source/replay_ahead.h asserts it. */
#define REPLAY_ENTRY_BYTES 24 /* of a record in the ring */

/* Can requests of this direction come, those of a verification and its trims among them? */
static inline bool plan_moves(const struct plan_worker *w, int dir)
{
	return w->pattern.use[dir] || (dir == DIR_READ && w->verify.rereads) ||
	       (dir == DIR_TRIM && w->verify.trim_percent);
}

/* Have requests of this direction due times? */
static inline bool plan_scheduled(const struct plan_worker *w, int dir)
{
	return w->rate.arrival[dir].per_second || (w->replay.timed && w->pattern.use[dir]);
}
