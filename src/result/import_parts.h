/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What the importers share.  Private to result/. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/json_read.h"
#include "result/import.h"
#include "result/result.h"
#include "result/style.h"

/* A document that is being read.  The first fault stays in rc and err; later reads
 * then have no effect, so callers look at rc once. */
struct import {
	const char *name, *text;
	struct result *r;
	int rc;
	struct err *err;
};

/* Fault at value V: "NAME: line 7: 'read' is a number; an object is understood". */
void import_fault(struct import *in, const struct json_value *v, const char *understood);
void import_no_memory(struct import *in);
void *import_alloc(struct import *in, size_t bytes);
const char *import_copy(struct import *in, const char *text);

/* Members.  A missing one, and null, is "no"; another kind is a fault.  Whole ones may be
 * written as 1.000000; negative ones are a fault but for import_int(). */
const struct json_value *import_object(struct import *in, const struct json_value *of,
	const char *key);
const struct json_value *import_array(struct import *in, const struct json_value *of,
	const char *key);
bool import_whole(struct import *in, const struct json_value *of, const char *key,
	uint64_t *ret);
/* One beyond IMPORT_REAL_MAX (fio's "no minimum yet") is "no", too. */
#define IMPORT_REAL_MAX 1e15
bool import_real(struct import *in, const struct json_value *of, const char *key, double *ret);
bool import_int(struct import *in, const struct json_value *of, const char *key, int *ret);
const char *import_string(struct import *in, const struct json_value *of, const char *key);
bool import_bool(struct import *in, const struct json_value *of, const char *key, bool *ret);

/* One more quantile of L, unless it is there. */
void import_point(struct import *in, struct latency *l, double percent, uint64_t ns);

/* A latency that is told, with nothing in it yet. */
struct latency *import_latency(struct import *in);
struct latency_told *import_told(struct latency *l);

/* L has no more than bins: H, whose values are known to a part in 128, or one and the same. */
void import_latency_bins(struct latency *l, const struct histogram *h);

/* An imported row's parts, made to be written. */
struct result_told *import_row_told(struct result_row *row);
struct result_dir_told *import_dir_told(struct result_dir *d);
void import_row_init(struct import *in, struct result_row *row);

/* weir's own objects: a direction; the list "targets" of OF; "groups" of the run, after
 * its rows. */
void import_weir_direction(struct import *in, const struct json_value *of,
	struct result_dir *d);
void import_weir_targets(struct import *in, const struct json_value *of,
	struct result_target **ret, uint32_t *ret_count);
void import_weir_groups(struct import *in, const struct json_value *of);

/* "verify" of OF, a job's. */
void import_weir_verify(struct import *in, const struct json_value *of, struct result_row *row);

/* The groups of the rows; again without effect. */
void import_groups(struct import *in);

/* "All clients": fio's sum of the others, of no group and of no host. */
bool import_row_is_sum(const struct result_row *row);

/* A steady state that is told, with nothing in it yet. */
struct result_steady *import_steady(struct import *in);

/* A direction of a job in fio's JSON, NULL: it has none; and one of its latencies, KIND_ns or
 * (in us) KIND, NULL: nothing was measured.  Percentiles that are there set the style's flag of
 * their kind, and *ret_percentiles. */
void import_json_direction(struct import *in, const struct json_value *of, struct result_dir *d,
	struct result_style *style);
struct latency *import_json_latency(struct import *in, const struct json_value *of,
	const char *kind, bool *ret_percentiles);

/* "steadystate" of a job in fio's JSON. */
void import_json_steady(struct import *in, const struct json_value *of, struct result_row *row);

/* The row's list of percentiles is what its latencies have: L, which may be NULL, is one
 * of them; when all were taken the list is put in order. */
void import_style_take(struct result_style *style, const struct latency *l);
void import_style_sort(struct result_style *style);

/* Groups and the count of failures of the rows. */
void import_finish(struct import *in);

/* A document of fio's tree; with `weir` objects where it has them. */
void import_json(struct import *in, const struct json_value *doc);
void import_weir_row(struct import *in, const struct json_value *job, struct result_row *row);
void import_weir_series(struct import *in, const struct json_value *of, struct result_row *row);
void import_weir_run(struct import *in, const struct json_value *doc);
void import_weir_watch(struct import *in, const struct json_value *weir);
void import_weir_like(struct import *in, const struct json_value *weir);
void import_weir_environment(struct import *in, const struct json_value *weir);

/* All terse lines of TEXT as one result; *ret_found: there was one. */
void import_terse(struct import *in, size_t len, bool *ret_found);
bool import_is_terse(const char *text, size_t len);

/* Does TEXT, which may be the beginning of more, hold what must be read whole: JSON,
 * terse lines, or those of a log? */
bool import_is_document(const char *text, size_t len);

/* One of fio's log files, named NAME, as one result. */
bool import_is_log(const char *text, size_t len);
void import_log(struct import *in, size_t len);

/* What dd printed, each of its runs as a result that ADD makes (NULL: out of memory). */
bool import_is_dd(const char *text, size_t len);
int import_dds(struct import *in, size_t len, struct result *(*add)(void *ctx), void *ctx);

/* Is TEXT, read from classic text, the run that R is of? (Jobs without I/O aren't in it.) */
bool import_is_again(const struct result *text, const struct result *r);
