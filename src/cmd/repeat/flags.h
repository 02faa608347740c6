/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What was said to `repeat`; all other words are those of the run, in their order: they are
 * not read here, and each run gets them as they are. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "result/compare.h"

struct err;

#define REPEAT_RUNS_MAX 100000
#define REPEAT_VARIANTS COMPARE_SIDES

struct repeat_flags {
	uint32_t runs;        /* -n; 0: not given                     */
	double until;         /* 0: not asked for                     */
	uint64_t max_time_ns; /* 0: no limit                        */
	enum compare_figure metric;
	const char *dir;    /* --output-dir                         */
	const char *output; /* --output: a result a line            */
	bool append;        /* what is there stays                  */
	bool interleave;
	bool seeded;
	uint64_t seed; /* of the order                         */
	bool json;     /* --format=json                        */
	char **words;  /* of the run, COUNT, for the caller to free */
	size_t count;
	char *variants[REPEAT_VARIANTS]; /* job files, with interleave */
	uint32_t variants_count;
};

/* 0 or -EINVAL and what is wrong; the words are the caller's to free either way. */
int repeat_flags_read(struct repeat_flags *f, int argc, char **argv, struct err *reterr);
