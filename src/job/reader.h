/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Reading jobs, private to job/.
 *
 *	words  --read.c-->  sections of the command line  --+
 *	                                                    +--scope.c--> jobs
 *	files  --file.c-->  sections of files  -------------+
 *
 * A section is a head and the options said under it, collected in reader->said
 * and then applied as a whole, because the order of application is not the order
 * of the lines.  The defaults in force are a scope; a job begins as a copy of
 * them.  Blocks are copied when first written to, so sections cost what they say. */
#pragma once

#include "base/str.h"
#include "job/job.h"

#include <stdarg.h>

struct err;
struct place;

/* One option as read. */
struct said {
	const char *typed;
	const char *value; /* NULL: it stood alone */
	struct opt_where where;
	struct opt_found found; /* row NULL: unknown so far */
	bool override;          /* of job_env.overrides      */
	bool overridden;        /* another one counts        */
};

/* The head of what is collected in reader->said. */
struct section {
	const char *name; /* NULL: the command line outside of any --name */
	struct opt_where where;
	bool defaults; /* edits the defaults: makes no job             */
	bool skip;     /* not among the --section                      */
};

/* Grows by doubling, in the set's arena; `v` of a scope that began as a copy of another is
 * shared with it until something is added. */
struct given_list {
	struct job_given *v;
	size_t count, room;
};

/* Options in force: the defaults, or a job being built. */
struct scope {
	void **blocks;
	bool *own; /* blocks[g] is this scope's; else it is shared and not written */
	unsigned kb_base;
	const char *engine; /* ioengine as said, or its preset */
	struct given_list given;
};

/* One call of job_read(). */
struct reader {
	struct job_set *set;
	const struct job_env *env;
	struct err *err;

	struct scope presets;  /* what a job has that says nothing */
	struct scope defaults; /* in force at this place           */
	bool *job_own;         /* scope.own of the job being built */

	struct said *said; /* of the section being read; malloc'ed */
	size_t said_count, said_room;
	struct job *jobs; /* malloc'ed until all are there */
	size_t jobs_count, jobs_room;

	uint32_t file_index; /* 0: command line, from 1: that file */
	bool first_of_file;  /* no job of this file yet            */

	struct given_list cli_defaults; /* of the first file         */
	bool *cli_noted;                /* that the file overrides it */
	const struct opt **warned;      /* rows without effect        */
	size_t warned_count;
	struct str warning; /* of the value being parsed */
};

/* ---- scope.c ---- */

/* Presets, and defaults that are a copy of them.  0 or -ENOMEM; reader_done() in any case. */
int reader_init(struct reader *r);
void reader_done(struct reader *r);

/* The texts are kept as they are: they belong to the arena or outlive it. */
int reader_say(struct reader *r, const char *typed, const char *value, struct opt_where where);

/* Apply what was said to the defaults, or make a job of it; then forget it. */
int reader_section(struct reader *r, const struct section *section);

/* Defaults as before the first file. */
int reader_reset_defaults(struct reader *r);

/* Sets the error; returns -ENOMEM. */
int reader_out_of_memory(struct reader *r);

/* Is SECTION among those that --section names, as far as they stand left of the
 * word AT of the command line? */
bool reader_wants(const struct reader *r, const char *section, unsigned at);

/* ---- file.c ---- */

/* Read the job file PATH ("-": stdin) as file number r->file_index. */
int reader_file(struct reader *r, const char *path);

/* ---- said.c ---- */

/* As typed; "" where the option stood alone. */
const char *said_value(const struct said *said);

/* No job has this option, or none with this engine: the error, with what was probably meant.
 * Returns -EINVAL. */
int said_unknown(struct reader *r, const struct scope *s, const char *section,
	const struct said *said);

/* ROW is accepted and does nothing: a warning, once for each row. */
void said_no_effect(struct reader *r, const struct place *place, const struct opt *row);

/* A note where the first file says a default of the command line differently.  False: it says
 * none. */
bool said_override(struct reader *r, const struct said *said, const char *section);

/* A note where a section says it twice, differently: the last one counts, or names add up. */
void said_repeat(struct reader *r, const struct place *place, const struct said *said);

/* A note where names of the defaults stay beside those that a job names. */
void said_gathered(struct reader *r, const struct place *place, const struct scope *s,
	const struct said *said);

/* ---- place.c ---- */

/* Where something is wrong; text for the front of a message:
 *	"jobs.ini:12: [db] bs: "   "command line: [db] --bs: " */
struct place {
	struct opt_where where;
	const char *section; /* NULL: none */
	const char *option;  /* NULL: none */
};

/* Set *E to the place and the text. Returns CODE. */
int place_fail(const struct place *p, struct err *e, int code, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
int place_failv(const struct place *p, struct err *e, int code, const char *fmt, va_list ap)
	__attribute__((format(printf, 4, 0)));

/* Hand a warning, or a note, to whoever reads them. */
void place_warn(const struct place *p, const struct job_env *env, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
void place_note(const struct place *p, const struct job_env *env, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
