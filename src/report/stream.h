/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* The stream of a run: lines of JSON, each an object with its `type`, the first a
 * `begin` with the version of this form.  docs/guide/stream.md describes it.
 *
 * Each function appends whole lines.  Times t_ns are since the program's start; in the
 * lines they are seconds.  Pure: who writes them where is cmd/follow.c. */
#pragma once

#include <stdint.h>

struct pulse;
struct report_how;
struct result;
struct result_fault;
struct str;

/* Of this form.  New keys and types don't change it, changed ones do. */
#define STREAM_VERSION 1

/* A row of the run, as the first line tells it; later lines name its number only. */
struct stream_job {
	const char *name;
	uint32_t number, group, workers;
	const char *engine;
	const char *rw;
	unsigned dirs; /* a bit for each that it can do */
};

struct stream_begin {
	const char *version; /* "weir 0.1" */
	uint64_t time_ms;    /* wall clock at t_s = 0 */
	uint64_t interval_ns;
	const struct stream_job *jobs;
	uint32_t jobs_count;
};

void stream_begin(const struct stream_begin *begin, struct str *out);

/* TEXT may be "". */
void stream_phase(uint64_t t_ns, const char *phase, const char *text, struct str *out);
void stream_layout(uint64_t t_ns, uint64_t bytes, uint64_t total, struct str *out);

/* TYPE: "note" or "message"; WEIGHT: "info", "warning", "error". */
void stream_words(uint64_t t_ns, const char *type, const char *weight, const char *text,
	struct str *out);

/* Wrong data was found by a job of row NUMBER. */
void stream_fault(uint64_t t_ns, uint32_t number, const char *job, const struct result_fault *f,
	uint32_t unit_bytes, struct str *out);

/* A line for each row and direction that has news. */
void stream_pulse(const struct pulse *pulse, struct str *out);

/* "result", or "interim" for one that is not final. */
void stream_result(uint64_t t_ns, const struct result *r, const struct report_how *how,
	struct str *out);

/* Nothing was run, or the run could not go on. */
void stream_refused(uint64_t t_ns, const char *text, struct str *out);
