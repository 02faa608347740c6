/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* A sweep of two options or more as a table: the last option's values are columns.  Pure. */
#pragma once

#include <stdint.h>

struct repeated;
struct report_how;
struct str;

#define SWEEP_COLUMNS 8

/* Where a job of the results stands: "randread iodepth=4 bs=4k" in "randread iodepth=4", 4k. */
struct sweep_label {
	const char *row, *label, *value;
};

struct sweep_table {
	const struct repeated *known;
	const struct sweep_label *labels;
	uint32_t labels_count;
	const char *name;          /* of the last option          */
	const char *const *values; /* at most SWEEP_COLUMNS of it */
	uint32_t values_count;
};

/* Means of the runs, each with half of its 95 % interval; appends to OUT. */
void sweep_table(const struct sweep_table *t, const struct report_how *how, struct str *out);
