/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* weir's own reported numbers, one row each: key with its unit, kind, help and
 * how to get it.  The native table, the `weir` objects of the JSON, and whatever
 * else lists or compares numbers walk these rows; a new number is a new row.
 *
 * Two lists: numbers of a job as a whole, and numbers of one direction of it.
 * A number that was not measured is absent, never zero. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/dir.h"

struct json;
struct result_dir;
struct result_row;

/* How a figure is written: as an integer or with decimals. */
enum figure_kind {
	FIGURE_COUNT, /* an integer                       */
	FIGURE_NS,    /* a duration in whole nanoseconds  */
	FIGURE_REAL,  /* a double                         */
};

/* What a getter gives; by the figure's kind. */
struct figure_value {
	uint64_t whole; /* FIGURE_COUNT, FIGURE_NS */
	double real;    /* all kinds               */
};

/* A row of the lists; const.  Adding one is all that a new figure needs. */
struct figure {
	const char *key; /* stable: the name in JSON, CSV and checks; the unit last */
	enum figure_kind kind;
	const char *help;
	/* Exactly one of the two; false when not measured. */
	bool (*of_row)(const struct figure *f, const struct result_row *row,
		struct figure_value *ret);
	bool (*of_dir)(const struct figure *f, const struct result_dir *d,
		struct figure_value *ret);
	size_t offset;   /* of the field that the getter reads */
	double quantile; /* for those of a histogram           */
};

extern const struct figure figures_row[];
extern const size_t figures_row_count;
extern const struct figure figures_dir[];
extern const size_t figures_dir_count;

/* In either list, by key; NULL when there is none. */
const struct figure *figure_find(const char *key);

/* DIR is not read for figures of a row. */
bool figure_get(const struct figure *f, const struct result_row *row, enum dir dir,
	struct figure_value *ret);

/* All measured figures of a list as members of the open object. */
void figures_write_row(struct json *j, const struct result_row *row);
void figures_write_dir(struct json *j, const struct result_row *row, enum dir dir);
