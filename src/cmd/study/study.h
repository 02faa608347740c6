/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* An experiment as its file says it: variants × workloads × sweep points, repeated.
 *
 *	[study]                      how it is done
 *	repeats = 5
 *	[global]                     of all variants and workloads
 *	runtime = 30
 *	[variant xfs]                what is compared: commands, environment, job options
 *	setup = mkfs.xfs -q -f "$DEV" && mount "$DEV" "$MNT"
 *	teardown = umount "$MNT"
 *	env.MNT = /mnt/test
 *	[workload mix]               on what: a job file, or options
 *	job = mix.fio
 *	sweep.iodepth = 1..64*2      ... at each of these
 *
 * docs/guide/study.md is the grammar.  A comment begins with # or ; at the beginning of a
 * line or behind a blank; a command has none.  Texts with ${VAR} are kept as they are and
 * expanded for each run.  Read once, then const; all is in the arena. */
#pragma once

#include "base/arena.h"
#include "result/compare.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct str;

#define STUDY_PARTS_MOST    1000   /* variants, workloads, options, values of a kind */
#define STUDY_POINTS_MOST   10000  /* of a workload                                  */
#define STUDY_RUNS_MOST     100000 /* in all                                         */
#define STUDY_VARIANTS_MOST COMPARE_SIDES

/* One line of a section, as written.  NAME is an option, a variable or what is behind
 * "sweep.". */
struct study_option {
	const char *name, *value; /* value NULL: it stands alone */
	unsigned line;
};

struct study_options {
	struct study_option *v;
	uint32_t count;
};

/* "sweep.NAME = ...", taken apart: at least one value, each once. */
struct study_sweep {
	const char *name;
	unsigned line;
	const char **values;
	uint32_t count;
};

struct study_sweeps {
	struct study_sweep *v;
	uint32_t count;
};

/* Several lines of a file as one text. */
struct study_script {
	const char *text; /* NULL: none */
	unsigned line;    /* the first  */
};

/* A section, by all that one may say; not every kind of section has all. */
struct study_part {
	const char *name;
	unsigned line; /* of its head; 0: there is none */
	struct study_script setup, teardown;
	struct study_options env;     /* not of workloads */
	struct study_options options; /* of its jobs      */
	struct study_sweeps sweeps; /* of [global], workloads; the latter's hold the former's */
	const char *kernel;         /* variants: a pattern, or NULL */
	unsigned kernel_line;
	const char *job; /* workloads: a file, NULL: the options are the job */
	uint32_t points; /* workloads: product of the sweeps, at least 1     */
};

/* A study file; everything is in its arena. */
struct study {
	struct arena arena;
	const char *path;
	uint32_t repeats;
	bool seeded;
	uint64_t seed;
	uint64_t cooldown_ns;
	bool stop_at_failure;
	bool setup_per_round; /* else around each run */
	enum compare_figure metric;
	double tolerance;
	struct study_part global;
	struct study_part *variants, *workloads;
	uint32_t variants_count, workloads_count;
};

/* TEXT (LEN bytes) of the file PATH.  0, -ENOMEM, or another errno with "PATH:LINE: ...".  RET
 * is valid for study_done() in any case. */
int study_read(const char *path, const char *text, size_t len, struct study *ret,
	struct err *reterr);
void study_done(struct study *s);

/* Values of a sweep: "1, 2, 8..64*2, 100..200+50", "4k..1m*2", and "a,b" in quotes as one.
 * 0, -ENOMEM or -EINVAL and what is wrong. */
int study_values_read(struct arena *a, const char *text, struct study_sweep *ret,
	struct err *reterr);

/* Which value sweep K of W has at POINT; the last sweep changes fastest. */
const char *study_value(const struct study_part *w, uint32_t point, uint32_t k);

/* "iodepth=4 bs=4k" with SEPARATOR between; nothing where there is no sweep. */
void study_point_add(const struct study_part *w, uint32_t point, const char *separator,
	struct str *out);

/* Changes when anything does that the results depend on; not with repeats, cool-down, kernel,
 * and how results are compared.  Job files count with their text.  0 or -errno of a job file.
 */
int study_fingerprint(const struct study *s, uint64_t *ret, struct err *reterr);
