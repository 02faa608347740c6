/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What weir adds to fio's JSON tree; each writes members of the open object.
 * Private to report/. */
#pragma once

#include <stdint.h>

struct json;
struct report_how;
struct result;
struct result_row;

/* "weir" : {...} of a job: window, depth, CPU, response time, series, ... */
void weir_json_job(struct json *j, const struct result *r, const struct result_row *row);

/* "series_bins" : {...} of the job, one of ROWS, where it has a series. */
void weir_json_bins(struct json *j, const struct result_row *row, uint32_t rows);

/* "weir" : {...} of the run: version, clock, notes, messages. */
void weir_json_run(struct json *j, const struct result *r, const struct report_how *how);

/* A note as an object of an array; without an id where it has none. */
struct result_note;
void weir_json_note(struct json *j, const struct result_note *note);

/* "messages" : ["...", ...] */
void weir_json_messages(struct json *j, const struct result *r);

/* "verify", of jobs that stamp or check. */
void verify_json(struct json *j, const struct result_row *row);

/* One of its faults, as an object. */
struct result_fault;
void verify_json_fault(struct json *j, const char *key, const struct result_fault *f,
	uint32_t unit_bytes);
