/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What will be done: groups, workers, targets, ranges, sizes, generators, stop
 * rules, memory.  Made by one pure function of jobs and machine facts; const and
 * sealed once made.  `weir --plan` prints it and touches nothing.
 *
 * Everything here is a ready value: whoever runs the plan reads no option and
 * divides nothing that could be divided here. Each part is derived by the file
 * plan/PART.c, which also owns the option rows it is made from.
 *
 *	struct plan ─ workers[] ─ one part a theme (files, amount, time, rate, ...):
 *plan/worker.h ├ targets[]   each path of the run once; workers point to it by index └ rows[]
 *what is reported together; contiguous workers
 *
 * Units: nanoseconds, bytes, and what the name says.  0 is "not asked for" unless another
 * value is named.  All memory is the plan's arena (mapped shared, so that thousands of forks
 * have no page tables of it to copy); texts of jobs belong to the job_set, which must live
 * on.  After plan_make() any thread and any child reads it, and nobody writes: debug builds
 * seal the pages. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "plan/worker.h"
#include "sys/clock.h"
#include "sys/look.h"
#include "sys/meet.h"

struct job;
struct job_set;
struct json;

/* ---- targets: one per path of the whole run ---- */

/* fallocate=: how the blocks of a file that is laid out are got. */
enum plan_prealloc {
	PREALLOC_NONE,
	PREALLOC_NATIVE,   /* fallocate mode 0, failure ignored       */
	PREALLOC_POSIX,    /* posix_fallocate                         */
	PREALLOC_KEEP,     /* FALLOC_FL_KEEP_SIZE                     */
	PREALLOC_TRUNCATE, /* ftruncate to size                       */
};

/* One path of the run, and what all workers together will do there: what the guard judges
 * (run/prepare/guard.h), the layout makes and the map of a verification covers. */
struct plan_target {
	const char *path;
	struct look found;           /* before the run                                     */
	uint64_t bytes_wanted;       /* it must reach so far; 0: as it is                  */
	bool read, written, trimmed; /* by any worker                                  */
	bool no_layout;              /* engine needs no files, or create_on_open           */
	bool fill;                   /* layout writes data, not only sizes (reads, overwrite) */
	bool create;                 /* may be made when missing                           */
	bool sync_layout;            /* create_fsync                                       */
	enum plan_prealloc prealloc;
	uint32_t layout_block; /* chunk of the layout's writes                       */
	uint32_t first_worker; /* who speaks for it ("NAME: Laying out ...")         */
	bool allow_mounted;    /* allow_mounted_write                                */
	uint32_t unit_bytes;   /* of verification: some job stamps it; 0: none       */
	uint64_t units;        /* so many, from offset 0 on                          */
	bool unit_exclusive;   /* one write of a unit at a time                      */
};

/* ---- all of it ---- */

/* A row of the report: one worker, or with group_reporting the workers of a group. */
struct plan_row {
	uint32_t first_worker; /* gives name, style and description */
	uint32_t workers;      /* so many from there on: rows are contiguous   */
	uint32_t group;
};

/* Something the user should know before it runs; not an error. */
struct plan_note {
	const struct job *job; /* or NULL */
	const char *text;
	bool warning;     /* fatal with --warnings-fatal */
	uint32_t workers; /* how many of the job it is about (fio says it so often) */
};

/* A file of which cuttings are written (buffer_corpus); in the plan's arena, the map until
 * plan_free(). */
struct plan_corpus {
	const struct plan_corpus *next;
	const char *path;
	void *bytes;
	uint64_t count;
};

/* All of it.  Indices are the identities: of a worker (also in shared memory and logs), of a
 * target (also in locks and maps), of a row. */
struct plan {
	struct arena arena;
	const struct job_set *jobs;
	struct plan_worker *workers; /* group and wave never decrease along it    */
	uint32_t workers_count;
	struct plan_target *targets;
	uint32_t targets_count;
	struct plan_row *rows;
	uint32_t rows_count;
	uint32_t groups_count;
	uint32_t waves_count;
	const struct plan_note *notes;
	uint32_t notes_count;
	uint64_t seconds_max;        /* how long at most, when times say it; 0: unknown   */
	uint64_t memory_bytes;       /* buffers, requests and counters that will be touched */
	uint64_t descriptors;        /* open at most at a time, by one process            */
	struct plan_resume *resumes; /* states that are read back                    */
	const struct plan_corpus *corpora; /* files that are written from, mapped     */
	enum clock_want clock;
	bool disk_util;
	uint64_t run_id;    /* in each unit that the run stamps; 0: none is          */
	uint64_t map_bytes; /* of what was written, as far as it can be touched      */
};

/* The machine, as far as a plan depends on it; a test brings its own. */
struct plan_facts {
	uint32_t cpus;
	uint64_t page_bytes;
	uint64_t memory_bytes;
	uint64_t nodes; /* memory nodes online, a bit each; 0: not known         */
	bool read_only; /* --readonly: refuse jobs that write or trim            */
	bool native;
	bool traces;          /* traces may be read                                    */
	bool trace_io;        /* --debug=io: every engine under a trace shim            */
	uint64_t entropy;     /* base of all seeds where randrepeat=0                  */
	uint64_t run_id;      /* another number for each run                           */
	bool text_only;       /* only the text is judged: files may be missing         */
	const char *aux_path; /* folder of fio's state files; NULL: the current one   */
	void (*look)(void *ctx, const char *path, struct look *ret);
	void *look_ctx;
	/* Do they lie on one disk (sys/meet.h)?  NULL: nobody can say.  */
	enum meet (*meet)(void *ctx, const char *path, const char *target,
		char name[MEET_NAME]);
	/* Calls FOUND for each regular file below DIR, in order, until that is false;
	 * NULL: there are none. */
	int (*walk)(void *ctx, const char *dir, bool (*found)(void *arg, const char *path),
		void *arg);
};

/* 0 and *ret, which JOBS must outlive; or a negative errno, with the place of the option and
 * what to do.  Opens nothing but traces, states and corpora, and asks FACTS about the rest: so
 * the same jobs and facts give the same plan, run_id and entropy being among the facts. */
int plan_make(const struct job_set *jobs, const struct plan_facts *facts, struct plan **ret,
	struct err *reterr);

/* Accepts NULL. */
void plan_free(struct plan *plan);

/* `weir --plan`: the plan as JSON, stable: the main golden surface. */
void plan_show(const struct plan *plan, struct json *out);
