/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What was expected of a result, and what came of it.
 *
 * Made by cmd/check from assertions ("read.iops >= 430k") and results; printed by
 * report/checks.c; a run's own are in its struct result.  All text belongs to the
 * arena of whoever made them.
 *
 * Undecided is a verdict of its own: the interval of the figure covers the limit, the
 * source does not hold the figure, a condition was not met, or samples are too few.
 * `reason` then says which. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* In the order of check_verdict_of(): see there which one stands for several. */
enum check_verdict {
	CHECK_PASS,
	CHECK_FAIL,
	CHECK_UNDECIDED,
};

/* What a figure counts, and so the units that its limit may have. */
enum quantity {
	QUANTITY_COUNT,
	QUANTITY_RATE, /* a second */
	QUANTITY_BYTES,
	QUANTITY_BANDWIDTH, /* bytes a second */
	QUANTITY_TIME,      /* nanoseconds    */
};

/* Only MET and GIVEN let a claim be judged; UNKNOWN is not UNMET, and is told apart. */
enum condition_state {
	CONDITION_MET,
	CONDITION_UNMET,
	CONDITION_UNKNOWN, /* the source doesn't say      */
	CONDITION_GIVEN,   /* the user said so (--given)  */
};

/* A condition of a claim, and what the result says to it. */
struct result_condition {
	const char *text;  /* "iodepth>=32" */
	const char *found; /* "16", or NULL */
	enum condition_state state;
};

/* An assertion, held against one figure. */
struct result_check {
	const char *claim;  /* name of the claim, or NULL                    */
	const char *says;   /* the vendor's words, or NULL                   */
	const char *place;  /* where it is written: "spec.weir:12"           */
	const char *source; /* file or files of the figure; NULL: this run  */
	const char *job;    /* NULL: no job was found                        */
	const char *text;   /* the assertion as it was written               */
	const char *path, *op;
	enum quantity quantity;
	double limit;
	double confidence; /* asked for, 0.95; 0: not asked for             */
	bool known;        /* value                                         */
	double value;
	bool interval; /* lo and hi, at confidence or 0.95              */
	double lo, hi;
	double error;  /* one standard error of value; NAN: not known, 0: exact */
	uint32_t runs; /* that the value is the mean of; 1: no mean     */
	enum check_verdict verdict;
	const char *reason; /* "" when the verdict needs none               */
	const struct result_condition *conditions;
	uint32_t conditions_count;
};

/* "pass", "fail", "undecided". */
const char *check_verdict_name(enum check_verdict v);

/* It was decided by one run, by less than two runs of the same job commonly differ: the next
 * run may say the opposite (the note one-run). */
#define CHECK_CHANCE 0.04
bool check_by_chance(const struct result_check *c);

/* The worst one: a failure, then what is undecided.  None: undecided. */
enum check_verdict check_verdict_of(const struct result_check *checks, uint32_t count);
