/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* The program as its user meets it: a face, a verb, words.
 *
 * This folder turns what was typed into calls of the pipeline and what comes
 * back into text on the right stream.  It and the run's supervisor are the only
 * ones that print.  Nothing includes it but main.c. */
#pragma once

#include <stdint.h>

struct face;

/* What the exit status says; docs/exit-status.md is its prose. */
enum cmd_status {
	STATUS_OK = 0,
	STATUS_REFUSED = 1,  /* bad input, or the results could not be written */
	STATUS_DOUBTFUL = 2, /* doctor: something makes figures doubtful, ...  */
	STATUS_UNFIT = 3,    /* ... or invalid                                 */
	/* of verdicts: check, expect, knee, compare --gate */
	STATUS_CHECK_FAILED = 1,
	STATUS_UNDECIDED = 3,
	STATUS_CHECK_ERROR = 4,  /* nothing could be judged                       */
	STATUS_INVALID = 125,    /* --strict, and a note says invalid              */
	STATUS_FAILED_MAX = 127, /* 1 .. 127: so many jobs failed                  */
	STATUS_SIGNAL = 128,     /* SIGINT, SIGTERM, SIGHUP, SIGQUIT               */
};

/* How the program was called. */
struct cmd_call {
	const struct face *face;
	int argc;
	char **argv;         /* the words after the program's name and the verb */
	uint64_t started_ns; /* CLOCK_MONOTONIC when the program began          */
};

/* A verb: one file of this folder each.  Returns the exit status. */
struct verb {
	const char *name;
	const char *help; /* one line */
	int (*main)(const struct cmd_call *call);
	const char *usage; /* the lines that help has beside it; NULL: `weir --help` has them */
};

/* All verbs, ended by a NULL name. */
extern const struct verb verbs[];

/* NULL: no such verb. */
const struct verb *verb_find(const char *name);

/* The verb that CALL's first word names, which is taken off; else `run`, which
 * need not be said.  A face without verbs always runs.  With --help or -h behind it
 * the verb is `help`, about it.  NULL: the word is a mistyped verb, and that has been
 * said. */
const struct verb *verb_choose(struct cmd_call *call);

int cmd_run(const struct cmd_call *call);
int cmd_show(const struct cmd_call *call);
int cmd_describe(const struct cmd_call *call);
int cmd_doctor(const struct cmd_call *call);
int cmd_check(const struct cmd_call *call);
int cmd_quick(const struct cmd_call *call);
int cmd_knee(const struct cmd_call *call);
int cmd_compare(const struct cmd_call *call);
int cmd_repeat(const struct cmd_call *call);
int cmd_study(const struct cmd_call *call);
int cmd_trace(const struct cmd_call *call);
int cmd_help(const struct cmd_call *call);
int cmd_version(const struct cmd_call *call);

extern const char show_usage[], compare_usage[], repeat_usage[], check_usage[], quick_usage[],
	knee_usage[], study_usage[], trace_usage[], describe_usage[], doctor_usage[],
	help_verb_usage[];
