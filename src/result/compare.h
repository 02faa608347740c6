/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Is one set of runs better than another, and by how much?
 *
 * Sides are sets of results; all are compared with the first.  Jobs are lined up by
 * name, and where a name is missing by shape.  What is independent is
 *
 *   the run, where a side has several (in pairs, when the runs of the two sides
 *     took turns);
 *   else a long batch of the run's intervals (stat/batches.h), for percentiles the
 *     block bootstrap of their histograms (stat/resample.h);
 *   else nothing: one summary decides nothing.
 *
 * Of each line one figure decides; its verdicts are at 5 % over all lines (Holm).  The
 * other figures are a family of their own, again by Holm.  The maximum has no verdict:
 * it says more about the length of a run than about what was measured.
 *
 * Pure.  A comparison owns its text; results must outlive it. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "stat/estimate.h"

struct result;
struct result_note;
struct result_row;

/* What is compared.  Rates per second, times in ns; latencies are total latencies, or
 * completion latencies where a side has only those.  CPU is the time per I/O. */
enum compare_figure {
	COMPARE_IOPS,
	COMPARE_BW,
	COMPARE_MEAN,
	COMPARE_P50,
	COMPARE_P99,
	COMPARE_P99_9,
	COMPARE_MAX,
	COMPARE_CPU,
	COMPARE_RESPONSE_P50,
	COMPARE_RESPONSE_P99,
	COMPARE_FIGURES,
};
#define COMPARE_BY_JOB COMPARE_FIGURES /* response_p99 on a schedule, else iops */

/* How a figure is called and read; const. */
struct compare_figure_kind {
	const char *name;  /* for --metric and JSON: "response_p99"   */
	const char *title; /* "response p99"                          */
	bool more;         /* is better                               */
	bool is_time;      /* ns; else a rate per second              */
	bool no_verdict;
};
extern const struct compare_figure_kind compare_figures[COMPARE_FIGURES];

/* COMPARE_BY_JOB when none has that NAME. */
enum compare_figure compare_figure_named(const char *name);

#define COMPARE_SIDES 26

/* "A" is the first side. */
const char *compare_letter(uint32_t side);

/* One side: runs that are taken for repetitions of the same thing. */
struct compare_side {
	const char *name;
	const struct result *const *runs;
	uint32_t count;
	bool by_name; /* its jobs are lined up by name only, never by shape */
};

/* What is taken to be independent, from the weakest ground to the best. */
enum compare_basis {
	COMPARE_BY_ONE,    /* summaries of one run each */
	COMPARE_BY_SERIES, /* the intervals of one run each */
	COMPARE_BY_RUNS,
	COMPARE_BY_PAIRS,
};

/* Of the second side against the first, in the sense of the figure: fewer ns are better. */
enum compare_answer {
	ANSWER_NONE, /* not asked for: the maximum */
	ANSWER_BETTER,
	ANSWER_WORSE,
	ANSWER_SAME,
	ANSWER_UNDECIDED,
};

/* What keeps an answer from being given. */
enum compare_why {
	WHY_WIDE,   /* the interval says neither: see more            */
	WHY_SHORT,  /* the run is too short for its autocorrelation   */
	WHY_DRIFT,  /* it has no constant level                       */
	WHY_ONE,    /* one run's summary                              */
	WHY_GRAIN,  /* the histogram's bins are too wide for it      */
	WHY_TAIL,   /* too few samples beyond the percentile          */
	WHY_BROKEN, /* runs failed or were cut short                  */
	WHY_ABSENT, /* a side doesn't have the figure                 */
};

/* One figure: the first side (a) against another (b). */
struct compare_cell {
	bool has_a, has_b;
	double a, b;             /* means over runs                                     */
	double error_a, error_b; /* how well they are known: one standard error; NAN: unknown */
	struct estimate estimate;
	bool interval;    /* low and high are there                              */
	double low, high; /* of the ratio b / a, 95 %                             */
	enum compare_answer answer;
	enum compare_why why; /* of ANSWER_UNDECIDED                                 */
	uint32_t more;        /* WHY_WIDE by runs: so many more of each side; by series: so many
			       * times as long; 0: not known                          */
	double time_s;        /* WHY_SHORT: autocorrelation time                     */
	double length_s;      /* of the run                                          */
	double drift;         /* WHY_DRIFT: over the run, share                      */
	double grain;         /* WHY_GRAIN: width of a bin, share                    */
};

/* A job and direction, of one side against the first. */
struct compare_line {
	const char *job;
	const char *what; /* of the first side; may be NULL      */
	uint32_t members; /* workers that this is the sum of; 0: not known */
	int dir;          /* RESULT_MIXED too                    */
	uint32_t side;    /* 1 ...                               */
	enum compare_basis basis;
	uint32_t units_a, units_b; /* runs that count             */
	bool clat;                 /* latencies are completion latencies */
	enum compare_figure deciding;
	struct compare_cell cells[COMPARE_FIGURES];
};

/* A comparison, complete when compare_make() returns it. */
struct compare {
	struct arena arena;
	const struct compare_side *sides;
	uint32_t sides_count;
	double tolerance;
	struct compare_line *lines; /* side by side, in the order of the jobs */
	uint32_t lines_count;
	struct result_note *notes; /* what differs, and what to know; without an id where no
				    * page is about it */
	uint32_t notes_count;
	bool unmatched; /* a job of the first side is missing on another */
	bool failed;    /* memory ran out while it was made */
};

/* SIDES: two to COMPARE_SIDES, each with a run.  NULL without memory. */
struct compare *compare_make(const struct compare_side *sides, uint32_t count,
	enum compare_figure metric, double tolerance);
void compare_free(struct compare *c);

/* All deciding figures as one: worse if any is, else undecided if any is (or a job
 * is missing), else better if any is, else the same. */
enum compare_answer compare_answer(const struct compare *c);

/* The answer of LINE's deciding figure. */
static inline enum compare_answer compare_line_answer(const struct compare_line *line)
{
	return line->cells[line->deciding].answer;
}
