/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* One measurement made by a verb, not by a command line: words of jobs in, a result out.
 *
 * The same pipeline as the verb `run`, in this process, without documents.  Words go to
 * stderr.  May be done again and again; a signal ends one measurement in order, and
 * result->stop_signal tells. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cmd_call;
struct err;
struct job_set;
struct job_word;
struct plan;
struct result;

/* What the flags --env, --no-notes and --strict say, which each such verb has. */
struct measure_told {
	int environment; /* enum run_environment: whether the machine is looked at, as in `run`
			  */
	bool no_notes;   /* show none                                            */
	bool strict;     /* an invalid note is a status of its own, shown or not */
};

/* WORD is one of them: true, and taken.  --env without a word that it knows isn't. */
bool measure_word(const char *word, struct measure_told *to);

/* What a verb decides once for all its measurements. */
struct measure_how {
	const struct cmd_call *call;
	const char *const *destroy; /* consents */
	uint32_t destroy_count;
	bool read_only;
	struct measure_told told;
	bool quiet; /* no warnings and notes about the jobs: they are the verb's own */
};

/* A zeroed struct is a valid empty one. */
struct measure {
	const struct measure_how *how;
	struct job_set *jobs;
	struct plan *plan;
	struct result *result;
};

/* Read WORDS (job files among them) and make the plan. */
int measure_plan(struct measure *m, const struct measure_how *how, const struct job_word *words,
	size_t count, struct err *reterr);

/* Do it.  TITLE is the result's, NULL: from the jobs. */
int measure_run(struct measure *m, const char *title, struct err *reterr);

/* The result goes, too: names in it belong to the plan. */
void measure_done(struct measure *m);
