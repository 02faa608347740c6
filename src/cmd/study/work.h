/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* A study at work.
 *
 *	for each run of the order:
 *	  active := teardown, written       kill -9 from here on: the next start tears down
 *	  setup    fails: the run has failed, and is torn down
 *	  run      `weir run`, a process
 *	  teardown                          also after Ctrl-C
 *	  status, written
 *
 * One thread.  Words go to stderr. */
#pragma once

#include <stdbool.h>
#include <sys/utsname.h>

#include "cmd/study/flags.h"
#include "cmd/study/index.h"
#include "cmd/study/order.h"
#include "cmd/study/study.h"

/* All of one call of the verb. */
struct study_work {
	struct study_flags flags;
	struct study study;
	struct study_order order;
	struct study_index index;
	struct utsname host;
	bool wanted[STUDY_VARIANTS_MOST]; /* by variant: to be run now */
	uint32_t group;                   /* of runs, what is set up belongs to */
	bool failed_now;                  /* a run of this call failed          */
};

/* ---- config.c: what a run is made of ---- */

/* The environment of variant V (and of RUN, NULL: of none) until env_end(); what it returns is
 * for that.  NULL: no memory, or a value can't be expanded. */
struct study_env;
struct study_env *env_begin(const struct study_work *w, uint32_t variant,
	const struct study_run *run, struct err *reterr);
void env_end(struct study_env *env);

/* The environment as it is, to be changed until env_end(). */
struct study_env *env_copy(struct err *reterr);

/* Within an environment: "NAME=VALUE" lines of what the study sets. */
void env_print(const struct study_work *w, uint32_t variant, struct str *out);

/* Set what such a text says. */
int env_put(const char *lines);

/* Words of `weir run` for CONFIG, in A, within its environment. */
int config_words(const struct study_work *w, uint32_t config, struct arena *a, char ***ret,
	size_t *ret_count, struct err *reterr);

/* Are the jobs of all wanted configs in order?  Plans them without looking at targets, and
 * takes how long they are. */
int configs_check(struct study_work *w, struct err *reterr);

/* ---- work.c ---- */

/* Tear down what the index says was left. */
int work_teardown(struct study_work *w, struct err *reterr);

/* All runs that are wanted and not done.  0; -errno: results can't be kept. */
int work_runs(struct study_work *w, struct err *reterr);

/* ---- report.c ---- */

/* What there is, compared, on stdout.  0 or -errno. */
int study_report(const struct study_work *w, struct err *reterr);

/* Order and time, on stdout. */
int study_dry_run(const struct study_work *w, struct err *reterr);

/* "12 s", "5 min", "3 h 20 min" */
void seconds_print(double seconds, struct str *out);
