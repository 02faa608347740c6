/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What the files of the comparison share.  Private to result/. */
#pragma once

#include "result/compare.h"
#include "result/notes/notes.h"
#include "result/result.h"

/* A job on a side: the NTH row of this name in each of its runs. */
struct compare_key {
	const char *name; /* NULL: the side doesn't have it */
	uint32_t nth;
};

/* What a side has of a job: a row of each run. */
struct compare_units {
	const struct result **runs;
	const struct result_row **rows;
	uint32_t count;
	bool broken;       /* every run failed or was cut short: these are those */
	uint32_t left_out; /* runs that failed or were cut short             */
};

/* Keys of the jobs of the first side on all sides: ret[job * sides + side].  Returns the
 * number of jobs. */
uint32_t compare_keys(struct compare *c, struct compare_key **ret);

/* The first row of KEY in R, NULL when there is none. */
const struct result_row *compare_row(const struct result *r, const struct compare_key *key);

struct compare_units compare_units_of(struct compare *c, const struct compare_side *side,
	const struct compare_key *key);

/* The latency that LINE looks at; may be NULL. */
const struct latency *compare_latency(const struct compare_line *line,
	const struct result_row *row);

/* False: not known of that run. */
bool compare_value(const struct compare_line *line, enum compare_figure figure,
	const struct result_row *row, double *ret);

/* Standard error of the mean of V[0 .. N-1], the figure in N runs of U; of a single run by
 * what it knows itself (result/known.h), NAN: nothing. */
double compare_error(const struct compare_line *line, enum compare_figure figure,
	const struct compare_units *u, const double *v, uint32_t n);

/* Fill the cells from the intervals of one run each.  0 or -ENOMEM. */
int compare_by_series(struct compare *c, struct compare_line *line, const struct result_row *a,
	const struct result_row *b);

/* Jobs, options, environment, order of runs: what a reader should know. */
void compare_notes(struct compare *c, const struct compare_key *keys, uint32_t jobs);

/* Is text A the text B but for names that say nothing: "/dev/loop2" and "/dev/loop5", or two
 * directories below /tmp? */
bool compare_same_place(const char *a, const char *b);

/* The machines of the first side and of SIDE, where both results hold theirs. */
void compare_environment(struct compare *c, uint32_t side);

/* A sentence and no more. */
void compare_note(struct compare *c, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* The note WHICH with its usual weight and remedy, about JOB (may be NULL). */
void compare_say(struct compare *c, enum note_compared which, const char *job, const char *fmt,
	...) __attribute__((format(printf, 4, 5)));

/* The same with numbers: F begins as compare_found(). */
struct note_found compare_found(enum note_compared which);
void compare_tell(struct compare *c, enum note_compared which, const struct note_found *f);

/* Of LINE a side has a single run. */
void compare_single(struct compare *c, const struct compare_line *line);

/* Where means and medians or tails of LINE tell different things. */
void compare_means(struct compare *c, const struct compare_line *line,
	const struct compare_units *a, const struct compare_units *b);

/* Memory of the comparison; NULL sets failed. */
void *compare_alloc(struct compare *c, size_t count, size_t size);
