/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What the user said: job files and command line, typed, each value remembering
 * where it was said.  Never rewritten after parsing.
 *
 *	job_read()   words and files  →  struct job_set, one struct job a section
 *	plan_make()  struct job_set   →  struct plan, numjobs clones of each
 *
 * A job's values lie in blocks, one for each option group, which the modules of plan/ and the
 * engines define; this folder knows rows, not what they mean.  All memory is the job_set's
 * arena: one lifetime, freed at once. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "opt/opt.h"

/* One option as it was said. */
struct job_given {
	const struct opt *row;
	const char *name;  /* the canonical one: row->name */
	const char *typed; /* the name as typed            */
	const char *value; /* as typed; "" when it stood alone */
	struct opt_where where;
};

/* One section of a file or one --name of the command line, before cloning. */
struct job {
	const char *name;    /* label: name= or the section                        */
	const char *section; /* section or --name value; file names are made of it */
	struct opt_where where;
	uint32_t file_index;           /* which job file, from 1; 0: the command line        */
	bool stonewalled;              /* first job of the second or a later file            */
	void **blocks;                 /* one per opt_groups entry, filled; where two jobs say
					* the same about a group they share its block        */
	const struct job_given *given; /* its own, in order; globals not included */
	size_t given_count;
	const struct job_given *globals; /* the defaults in force when it began    */
	size_t globals_count;
};

/* All that was said; job_read() makes it, and it is const from then on. */
struct job_set {
	struct arena arena; /* owns everything below */
	struct job *jobs;
	size_t count;
	const struct job_given *globals; /* for the report's "global options": the
					  * defaults at the end of the last file, as fio */
	size_t globals_count;
	const char *const *sources; /* job files read, for titles            */
	size_t sources_count;
};

/* The block of GROUP in JOB: the module's own struct. */
const void *job_block(const struct job *job, const struct opt_group *group);

/* Where option NAME (canonical) was said for this job, its own or by default;
 * NULL when it has its preset. */
const struct opt_where *job_where(const struct job *job, const char *name);
bool job_gave(const struct job *job, const char *name);

/* Error about one option of a job: "FILE:LINE: [NAME] OPTION: text"; on the
 * command line "command line: [NAME] --OPTION: text".  Returns CODE. */
int job_fail(const struct job *job, const char *option, struct err *reterr, int code,
	const char *fmt, ...) __attribute__((format(printf, 5, 6)));

/* ---- reading ---- */

struct job_word;

/* What the reader needs to know of the machine and the face; a test makes it up.  The texts and
 * lists it points to must live as long as the call. */
struct job_env {
	bool native;                 /* weir's face; else as fio                      */
	unsigned cpus;               /* $ncpus                                        */
	uint64_t page_bytes;         /* $pagesize                                     */
	uint64_t memory_mb;          /* $mb_memory                                    */
	const char *const *sections; /* --section; none: all                   */
	size_t sections_count;
	const unsigned *sections_at; /* argv index of each: a --name to the left of it
				      * is not filtered; NULL: all are               */
	/* Every job has these, whatever its section or the defaults say; the last of a
	 * name counts.  What was said before of a list (filename) is gone. */
	const struct job_word *overrides;
	size_t overrides_count;
	/* Warnings, with place; may be NULL. */
	void (*warn)(void *ctx, const char *text);
	/* Notes: good to know, nothing is wrong; NULL: they go to warn. */
	void (*note)(void *ctx, const char *text);
	void *warn_ctx;
};

/* A word of the command line that is for jobs: NAME[=VALUE] or a job file. */
struct job_word {
	const char *name;  /* option name; NULL: `value` is a job file ("-": stdin) */
	const char *value; /* NULL: the option stood alone                          */
	unsigned index;    /* argv index                                            */
};

/* All jobs of a command line: those of its --name words first, then those of
 * each file.  What stands outside any --name is a default of the first file.  In
 * a section of a file OPT_EARLY rows are applied first and OPT_LATE rows last; on
 * the command line all in order.  On failure *reterr names the place; no jobs at
 * all is a failure (-ENOENT). */
int job_read(const struct job_word *words, size_t count, const struct job_env *env,
	struct job_set **ret, struct err *reterr);
void job_set_free(struct job_set *set);

/* "NAME=VALUE" of a file, with ${VAR}, ${VAR:-default}, $pagesize, $mb_memory and $ncpus
 * replaced, and arithmetic done around the latter. */
int job_expand_line(const struct job_env *env, const char *line, struct str *out,
	struct err *reterr);

/* --showcmd: the jobs as fio command lines, one for each job file; those of the
 * command line itself are on the line of the first file. */
void job_show_command(const struct job_set *set, const char *program, struct str *out);
