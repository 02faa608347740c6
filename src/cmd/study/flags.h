/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What was said to `study`.  Flags choose what is done with a study (--report, --dry-run,
 * --variant, --fresh) or say over its file (--repeats, --seed, --metric, --tolerance); what is
 * measured is said in the file alone. */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct study;

enum study_format {
	STUDY_TEXT,
	STUDY_MD,
	STUDY_JSON,
};

struct study_flags {
	const char *file;
	char dir[PATH_MAX]; /* --output-dir, or made of FILE's name */
	bool dry_run, report, fresh, full, brief;
	enum study_format format;
	const char **variants; /* --variant; none: all */
	size_t variants_count;
	char **pass; /* for each run: --destroy=..., --readonly */
	size_t pass_count;
	/* these win over the file */
	uint32_t repeats; /* 0: not said */
	bool seeded;
	uint64_t seed;
	const char *metric, *tolerance; /* NULL: not said */
};

/* 0 or a negative errno; study_flags_done() in any case. */
int study_flags_read(struct study_flags *f, int argc, char **argv, struct err *reterr);
void study_flags_done(struct study_flags *f);

/* What was said over what the file says. */
int study_flags_apply(const struct study_flags *f, struct study *s, struct err *reterr);
