/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* All runs of a study: what each is, in which order they come, and what became of them.
 *
 * A config is a variant, a workload and a point of its sweeps; a round has each config once.
 * The order within a round is drawn from (seed, round) alone, so that more rounds change
 * nothing of those before.  With setup_per = round the runs of a variant stay together.
 *
 * Run N of the order (from 0) is runs[N], and is called N + 1 where people read it. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "cmd/study/study.h"

/* As study.json has it.  RUNNING is one that a kill broke off, when it is read back. */
enum run_status {
	RUN_PENDING, /* not begun, or broken off: to be done */
	RUN_RUNNING,
	RUN_DONE,
	RUN_FAILED,       /* its exit status says how         */
	RUN_SETUP_FAILED, /* the run itself was never begun   */
};

extern const char *const run_status_names[]; /* COUNT RUN_SETUP_FAILED + 1 */

/* A config in a round: one call of `weir run`. */
struct study_run {
	uint32_t round; /* from 0 */
	uint32_t config;
	enum run_status status;
	int exit;
	uint32_t attempts;
	uint64_t began_ms;   /* wall clock            */
	double seconds;      /* with setup, teardown  */
	const char *command; /* the words of the last attempt, NULL: none */
	const char *kernel;  /* "6.1.0-18-amd64" of the last attempt; NULL: none */
};

/* Indices into the study's lists; POINT counts through its workload's sweeps (study_value()).
 */
struct study_config {
	uint32_t variant, workload, point;
	double seconds; /* planned, of a run; 0: not known */
};

struct study_order {
	struct arena arena;
	struct study_config *configs;
	uint32_t configs_count;
	struct study_run *runs;
	uint32_t runs_count;
};

/* 0 or -ENOMEM. */
int order_make(const struct study *s, uint64_t seed, struct study_order *ret);
void order_done(struct study_order *o);

/* "runs/mix/iodepth=4,bs=4k/xfs": where results of CONFIG are, within the study's directory. */
void order_config_dir(const struct study *s, const struct study_order *o, uint32_t config,
	struct str *out);

/* Seconds that the runs not yet done of WANTED (by variant) take, by those that are done, or
 * else as planned; below 0: not known. */
double order_seconds_left(const struct study *s, const struct study_order *o,
	const bool *wanted);
