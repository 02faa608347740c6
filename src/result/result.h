/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What was seen: the one model of a measurement.
 *
 * A run makes it; so do the importers (import.h); so does the merge of workers,
 * repeats or hosts.  Every reporter, comparison and check reads only this.
 *
 *	struct result ─ rows[]   a worker, or the merge of several ─ dir[read, write, trim]
 *	              ├ groups[] fio's "Run status group"
 *	              ├ disks[]  what the kernel counted of the disks below
 *	              └ notes[]  what spoils a figure, with its evidence
 *
 * Units are in the names; latencies and histograms are nanoseconds.  A pointer
 * that is NULL means "not measured", never zero.  All memory belongs to the
 * result's arena, except series records (heap, freed by result_free).
 *
 * Where it comes from a report of somebody else (`told`), only some of it is known; what isn't
 * is never made up from what is.  Readers ask latency_find() and the like, which say no. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/dir.h"
#include "stat/latency.h"
#include "stat/series.h"
#include "stat/steady.h"
#include "verify/unit.h"

struct environment;
struct result_check;
struct result_style;
struct watch;
struct work;

/* Requests of one I/O priority: its value as the kernel has it. */
struct result_prio {
	uint16_t value;
	struct latency *latency; /* clat, or lat where prios_of_lat is set */
};
#define RESULT_PRIOS 64

/* In an imported direction: what can't be had from counts, because the document has
 * only what was made of them. */
struct result_dir_told {
	bool present;      /* the document has the direction, used or not    */
	bool ios, errors;  /* the counts of these names are known            */
	bool issued;       /* also short_ios, dropped                        */
	bool bw, bw_count; /* figures of bw; its count                       */
	bool iops;         /* all of iops                                    */
	bool no_bytes;     /* how many bytes isn't known                     */
	double ios_per_s;  /* < 0: not said                                 */
	double bw_percent; /* share of the group's rate (bw_agg); < 0        */
};

/* One direction of one row.  Counts are of requests; `bytes` and `ios` make the rates, and
 * latencies are over what was issued in the window, so their counts may differ from `ios` by
 * what was in flight at its ends (docs/internals/run.md, The window). */
struct result_dir {
	uint64_t bytes;
	uint64_t ios;    /* completed, successful, inside the window          */
	uint64_t issued; /* fio's total_ios: failures included                */
	uint64_t short_ios;
	uint64_t dropped;
	uint64_t errors;
	uint64_t runtime_ns; /* longest window of a member that used the direction */
	struct latency *slat, *clat, *lat;
	struct result_prio *prios; /* of jobs that have several; in the order of the job */
	uint32_t prios_count;      /* at most RESULT_PRIOS                           */
	bool prios_of_lat;
	struct latency *response; /* done - due; schedules only                      */
	struct latency *lateness; /* issue - due; schedules only                     */
	uint64_t due;             /* arrivals that fell due in the window            */
	uint64_t late;            /* issued later than quantum + 100 us              */
	uint64_t missed;          /* due, never issued                               */
	double asked_per_s;       /* the schedule: I/Os, or bytes when asked_bytes    */
	bool asked_bytes;
	bool asked_random;       /* arrivals are drawn (poisson); false: not, or not known  */
	struct samples bw, iops; /* of the row's series, per bwavgtime/iopsavgtime  */
	const struct result_dir_told *told; /* NULL: not imported                   */
};

/* What one file or device did: counts, errors, runtime and total latency; with per_target
 * only. */
struct result_target {
	const char *path;
	struct result_dir dir[DIRS];
	uint64_t again_ios, again_bytes; /* reads of a verification, which dir[] leaves out */
};

/* Index in result_row.dir behind the directions: all of them as one, where the row's style
 * asks for it (unified_rw_reporting). */
#define RESULT_MIXED DIRS
#define RESULT_DIRS  (DIRS + 1)

/* Buckets of requests in flight when one was issued, and of requests taken by a call: */
#define RESULT_DEPTHS 7 /* 1 2 4 8 16 32 >=64; submit and complete: 0 4 8 16 32 64 >=64 */

/* By getrusage(2), of the measured window; sums over the members of a row. */
struct result_cpu {
	double user_ms, system_ms;
	uint64_t switches_voluntary, switches_involuntary;
	uint64_t faults_major, faults_minor;
};

/* So many requests of a direction failed so.  Of a row at most RESULT_ERRORS kinds are told
 * apart, see result_error_add(). */
struct result_error {
	int code; /* positive errno */
	enum dir dir;
	uint64_t count;
};
#define RESULT_ERRORS 8

/* One option as the user gave it, for "job options". */
struct result_option {
	const char *name, *value;
};

/* How a worker or row ended, beyond its errno; of a row the gravest of its members'. */
enum result_end {
	END_DONE,    /* budget or time reached                          */
	END_ERROR,   /* see error                                       */
	END_STOPPED, /* signal, exitall                                 */
	END_KILLED,  /* its process was killed: figures are what was known */
	END_STUCK,   /* the kernel won't release it                     */
	END_NOT_RUN, /* never started                                   */
};

/* A wrong unit of a verification, as it was found and explained; a unit is what one header or
 * one map entry is for (docs/internals/verify.md). */
struct result_fault {
	const char *target;   /* file or device                                 */
	uint64_t read_offset; /* of the read that found it                      */
	uint32_t read_bytes;
	uint64_t expected_run;
	struct unit_expect expect;
	struct unit_fault fault;
	const char *verdict, *guess, *guess_text;  /* its, in words                     */
	const char *received_file, *expected_file; /* where it was saved; ""           */
};
#define RESULT_FAULTS 10

/* What was read back by a state file, by what the units that are right hold. */
struct result_resume {
	const char *state;             /* file                                           */
	bool completed;                /* what was done must be there, synced or not     */
	bool ended;                    /* its workers ended as they should               */
	uint64_t synced, newer, older; /* units: as they had to be; a later write that was
					* not synced; what was before, for nothing was synced */
	uint64_t later;                /* than the state knows                           */
	uint64_t unread;               /* units whose read failed                        */
	uint64_t writes, trims, syncs, in_flight; /* in the state                      */
	uint64_t tail_bytes; /* at its end that were not whole                 */
	uint64_t end_ns;     /* wall clock of its last word                    */
};

/* What was checked, and what was wrong. */
struct result_verify {
	uint64_t run_id;
	const char *kind; /* "crc32c", "pattern"                            */
	uint32_t unit_bytes;
	bool stamped, checked;
	uint64_t units, wrong, bytes; /* that were checked                             */
	uint64_t unjudged;       /* units read of which nothing is known, or that changed */
	struct result_dir again; /* reads of the verification alone, with lat; the row's
				  * reads are these and ... */
	struct result_dir own;   /* ... those of the job itself                    */
	bool skipped;            /* a stop came first                              */
	struct result_resume *resume; /* it was read back by a state file; NULL: not   */
	struct result_fault *faults;  /* the first ones, at most RESULT_FAULTS          */
	uint32_t faults_count;
};

/* The last samples of a row that was to become steady, and the verdict. */
struct result_steady {
	struct steady_rule rule;
	const char *text; /* "iops:5.000000%"                                   */
	uint64_t window_ns;
	uint32_t count; /* of each list; fewer than the window has: not full  */
	bool full, attained;
	double *v[STEADY_FIGURES];        /* per second; total latency in ns                */
	bool told;                        /* imported: of no list, these are what is known: */
	double told_mean[STEADY_FIGURES]; /* < 0: not said                            */
	double told_criterion;            /* NAN: not said                            */
};

/* How a trace was replayed: what it asked, and what became of it. */
struct result_replay {
	uint64_t records;  /* to replay, all passes; 0: this is no replay, or it has no end */
	uint64_t left_out; /* of a pass, by replay_skip                          */
	uint64_t issued;
	uint64_t dropped;   /* were due before the end, and were not issued        */
	uint64_t dry;       /* times that the trace could not be read fast enough  */
	uint64_t trace_ns;  /* the last one issued was due so long after the start ... */
	uint64_t replay_ns; /* ... and was issued                                 */
	bool on, timed;
};

/* The same of an imported row.  Lists of percentages are NULL where the document has
 * none; single ones < 0. */
struct result_told {
	double user_percent, system_percent;
	bool faults; /* and switches: known                          */
	bool goal;   /* of the style: known                          */
	bool syncs;  /* their count is known                         */
	bool cpu_ms; /* user_ms and system_ms are known              */
	bool native; /* weir's own: all of its figures are known; else the sum of
		      * switches is in switches_voluntary            */
	const double *depths, *submits, *completes; /* RESULT_DEPTHS each    */
	const double *ns, *us, *ms;                 /* as in latency_spread  */
};

/* One worker, or the merge of several: with group_reporting, or of clones.  Rates of a merge
 * are its bytes over the longest member's time, never a sum of rates; histograms are added. */
struct result_row {
	const char *name;
	const char *description;
	uint32_t group;
	uint32_t members;
	int pid;                /* of the first                                      */
	int error;              /* positive errno of the first failure, or 0         */
	const char *error_text; /* "func=FUNC, error=STRERROR" for fio's head line, or ""  */
	enum result_end end;
	bool partial;          /* something of it is missing: killed, stuck, stopped  */
	bool killed_by_weir;   /* as it didn't stop; not in a result that was read     */
	uint64_t job_start_ms; /* wall clock                                        */
	const struct result_option *options;
	uint32_t options_count;
	bool rebuilt; /* of clones whose histograms a report has in parts      */
	const struct result_style *style;

	const char *engine;      /* as asked                                          */
	const char *engine_used; /* what the engine really used, or ""               */
	const char *what;        /* "randread 4k", for the native table               */
	const char *data;        /* what was written: "random, 50 % compressible", or ""  */
	uint32_t depth_asked;
	uint32_t depth;          /* in effect */
	bool submit_synchronous; /* requests were done when submit returned          */
	bool ramp_only;          /* it ended within its ramp, which these figures are of  */

	struct result_dir dir[RESULT_DIRS];
	struct latency *sync;
	uint64_t syncs;
	struct result_target *targets; /* by path, once each; of jobs with several        */
	uint32_t targets_count;

	uint64_t runtime_ns; /* wall time of the window, longest member            */
	uint64_t window_start_ns, window_end_ns; /* monotonic, over all members      */
	struct result_cpu cpu;
	double cpu_runtime_ms; /* sum over members, for usr= and sys=               */
	uint64_t depths[RESULT_DEPTHS], submits[RESULT_DEPTHS], completes[RESULT_DEPTHS];
	struct latency_spread spread;
	struct result_error errors[RESULT_ERRORS];
	uint32_t errors_count;
	bool continued_on_error;
	uint64_t total_errors;
	int first_error;

	struct result_replay replay;
	uint32_t goal_depth;          /* that latency_target found; 0: none was wanted      */
	bool goal_missed;             /* not even depth 1 keeps it                          */
	uint64_t goal_ios, goal_over; /* of the measured window, and slower of them  */
	struct result_verify *verify; /* NULL: nothing was stamped or checked */
	const struct result_steady *steady; /* NULL: nothing was judged              */

	uint64_t generator_ns; /* time not inside the engine, sampled; 0: not known  */
	uint64_t quantum_ns;   /* of pacing; 0: no schedule                          */
	uint64_t memory_bytes; /* that the plan counts for its workers              */
	uint64_t end_sync_ns;  /* end_fsync and fsync_on_close took, longest member   */
	uint64_t last_sync_ns; /* of that, after the window                           */
	uint64_t stopped_ns;   /* time the process was stopped or suspended          */
	bool logged;           /* it wrote logs                                     */
	uint64_t log_wait_ns;  /* members stood still because they could not follow */
	uint64_t log_lost;     /* lines and records that are missing in them        */
	struct series series;
	struct series
		bins; /* imported: the histograms of `series`, in its or longer intervals */
	const struct result_told *told; /* NULL: not imported */
};

/* fio's "Run status group". Rates in bytes per second, times in ms. */
struct result_group_dir {
	uint64_t bytes;
	uint64_t bw, bw_min, bw_max;
	uint64_t run_min_ms, run_max_ms;
};

/* All rows of a group together, by fio's rules for its group lines. */
struct result_group {
	uint32_t id;
	struct result_group_dir dir[RESULT_DIRS];
	struct result_target *targets; /* of groups in which several rows have such  */
	uint32_t targets_count;
};

/* What the kernel counted from the start of the run to its end; a sector is 512 bytes, whatever
 * the disk's own are. */
struct result_disk_counters {
	uint64_t ios[2], sectors[2], merges[2], ticks_ms[2]; /* read, write */
	uint64_t in_queue_ms;
	double util_percent;
};

/* A disk below the targets, or (is_slave) below such a disk: those follow it in the list. */
struct result_disk {
	const char *name;
	struct result_disk_counters own;
	struct result_disk_counters mean; /* of the devices below it  */
	double util_max;                  /* the busiest of them      */
	uint32_t slaves;                  /* how many follow it in the array as its own */
	bool is_slave;
	bool no_sectors; /* imported, and not said   */
};

/* Something said in words.  The native table shows them, JSON lists them.  INVALID: the figures
 * don't mean what their names say; a strict run fails by it. */
enum note_weight {
	NOTE_INFO,
	NOTE_DOUBTFUL,
	NOTE_INVALID,
};

/* A number behind it; the unit is in the key. */
struct result_evidence {
	const char *key;
	double value;
};

/* Made by a rule of result/notes, or by who saw it; kept as copies in the result's arena. */
struct result_note {
	const char *id; /* "rate-not-reached"; docs/notes has a page of it */
	enum note_weight weight;
	const char *job;    /* or NULL */
	const char *target; /* file, device or mount point; or NULL */
	const char *text;   /* a sentence without its end */
	const char *remedy; /* what to do, or NULL */
	const struct result_evidence *evidence;
	uint32_t evidence_count;
};

/* --idle-prof: percent of the CPUs' time in which nobody used them. */
struct result_idle {
	bool given;
	double system;
	const double *cpu; /* by CPU, < 0: there is none; NULL: not asked         */
	uint32_t cpus;
	double unit_mean_us, unit_stddev_us; /* a piece of work before the run        */
};

/* One report: of a run, of a document that was read, or of several as one.  Heap; made by
 * result_new(), freed by result_free() with all that it holds. */
struct result {
	struct arena arena;
	uint64_t time_ms;   /* wall clock of the report, ms since the epoch       */
	const char *date;   /* imported, and the clock's zone not said: "Wed Dec 13 ..." */
	uint64_t elapsed_s; /* since program start, rounded up, at least 1         */
	bool final;         /* false: an interim report                           */
	bool partial;       /* ended by a signal or with something missing        */
	int stop_signal;
	const char *source;  /* what measured it, "fio-3.33"; NULL: this program   */
	const char *title;   /* job file, for the native head line                 */
	const char *targets; /* first targets, for the native head line            */
	const char *kernel;  /* "Linux 6.18"                                       */
	const char *devices; /* "ext4 on ACME 400 GB  scheduler none", or NULL      */
	struct environment *environment; /* NULL: not captured; one reference       */
	struct watch *watch;     /* NULL: nothing was looked at while it ran              */
	const struct work *like; /* what it was to be like; NULL: nothing was named   */

	const struct result_option *globals;
	uint32_t globals_count;
	struct result_row *rows;
	uint32_t rows_count;
	struct result_group *groups;
	uint32_t groups_count;
	struct result_disk *disks;
	uint32_t disks_count;
	struct result_note *notes;
	uint32_t notes_count;
	uint32_t notes_made;    /* at NOTES, shown or not (--no-notes); 0: all are shown   */
	uint32_t notes_invalid; /* of those, so many                                    */
	const char **messages;  /* error and warning lines of the run, in order       */
	uint32_t messages_count;

	const struct result_check *checks; /* what was expected (checks.h)                  */
	uint32_t checks_count;

	struct result_idle idle;
	double stamp_cost_ns;     /* of the clock                                       */
	double ceiling_ios_per_s; /* of one worker without a device; 0: not known         */
	const char *clock;
	double clock_drift_ns; /* how far it went off the kernel's                 */
	uint64_t suspended_ns; /* the machine was, during the run                  */
	uint32_t logs_failed;  /* log files with something missing                   */
	uint32_t failed;       /* workers that ended with an error: the exit status   */
};

/* Empty and zeroed: valid for all that takes one.  NULL: out of memory. */
struct result *result_new(void);

/* Accepts NULL, and what is half built. */
void result_free(struct result *r);

/* Add worker row FROM to row TO (TO zeroed: becomes a copy, owning its own
 * latencies in the result's arena). Of imported rows only what is known of all parts is
 * known of the whole; a percentage never is. Returns 0 or -ENOMEM. */
int result_row_merge(struct result *r, struct result_row *to, const struct result_row *from);

/* Rows beside each other that are clones of one job (the same group, name and shape)
 * become one row; percentiles that were only told (imported) are then unknown.
 * Returns 0 or -ENOMEM, after which R is only good to be freed. */
int result_join_clones(struct result *r);

/* Account a worker in its group's summary: bytes add up; the least and the greatest rate and
 * time are over workers, as in fio. */
void result_group_add(struct result_group *g, const struct result_row *worker);

/* The targets of the rows of each group together, after all rows are there. */
int result_group_targets(struct result *r);

/* After all members are merged: samples and spread from series and histograms, and
 * all directions as one where the style asks for it. Returns 0 or -ENOMEM. */
int result_row_finish(struct result *r, struct result_row *row);

/* A note as it is; all of it is copied.  0 or -ENOMEM. */
int result_note_put(struct result *r, const struct result_note *note);

/* The same without evidence and remedy. */
int result_note_add(struct result *r, const char *id, enum note_weight weight, const char *job,
	const char *fmt, ...) __attribute__((format(printf, 5, 6)));
int result_message_add(struct result *r, const char *text);

/* Count failures of one kind.  When there are more kinds than RESULT_ERRORS the
 * highest are one entry of code 0. */
void result_error_add(struct result_row *row, int code, enum dir dir, uint64_t count);

/* The latency that stands for a direction: the total; the completion latency where only
 * that was measured, or only that has percentiles (fio's reports).  May be NULL. */
const struct latency *result_latency(const struct result_dir *d);

/* Rates per second over the row's runtime of that direction; 0 without, < 0 when an
 * imported document doesn't say. */
double result_iops(const struct result_dir *d);
double result_bw(const struct result_dir *d);

/* Requests in flight: in effect, else (imported) as asked; 0: not known. */
uint32_t result_depth(const struct result_row *row);

/* The same runtime as fio counts it: milliseconds, rounded up; 0 without. */
uint64_t result_runtime_ms(const struct result_dir *d);

/* Did anything happen, or fall due, in this direction? */
bool result_dir_used(const struct result_dir *d);

/* Did the row move bytes or issue an I/O? (Else fio's text has no block for it.) */
bool result_row_did_io(const struct result_row *row);

/* "read", "write", "trim", "mixed". */
const char *result_dir_name(int dir);

/* Is slot DIR, 0 to RESULT_MIXED, one that the row's formats show? */
bool result_shows(const struct result_row *row, int dir);

/* stats=0: it appears nowhere. */
bool result_row_hidden(const struct result_row *row);

/* Of a steady state's window: the mean of a figure, and what its rule judges. When an
 * imported document doesn't say: < 0, and NAN. */
double result_steady_mean(const struct result_steady *s, enum steady_figure figure);
double result_steady_criterion(const struct result_steady *s);

/* What errno CODE means here: strerror(), but EILSEQ is about data, not about letters. */
const char *result_error_text(int code);

/* No failure, no signal, nothing missing, no tolerated error either. */
bool result_is_clean(const struct result *r);

/* What stands for fio's source line in "file:SOURCE:LINE, func=F, error=TEXT",
 * in the head of a block and in "fio: pid=P, err=E/...". */
#define RESULT_ERROR_PLACE "file:weir.c:1"

/* One direction of the rows of a group, over the time in which all of them ran:
 * from the last start to the first end, in whole intervals of their series. */
struct result_together {
	uint32_t rows;
	uint64_t start_ns, end_ns;
	double ios_per_s, bytes_per_s;
};

/* False when fewer than two rows used the direction or they shared no interval. */
bool result_together(const struct result *r, uint32_t group, enum dir dir,
	struct result_together *ret);

/* Lateness of all requests of ROW together; false: none is known.  *RET is the caller's,
 * zeroed. */
bool result_replay_lateness(const struct result_row *row, struct latency *ret);

/* Ask all rules (result/notes/notes.h) about R.  All notes, those that were there
 * before too, are then in order, the worst first, and equal ones of several jobs are
 * one.  Call it once, last.  Returns 0 or -ENOMEM. */
int result_notes_make(struct result *r);

/* The same for an imported result of a program that makes no notes: those that its text
 * allows.  Nothing happens to one that has weir's own. */
int result_notes_told(struct result *r);
