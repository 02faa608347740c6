/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* For those who follow a run while it goes on: the stream (--stream) and the metrics
 * (--metrics-file).  What they are told is formatted here and handed to couriers, so
 * the run never waits for a reader or a disk of theirs. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/str.h"
#include "cmd/courier.h"
#include "run/run.h"

struct err;
struct flags;
struct output;
struct plan;
struct pulse;
struct result;
struct result_fault;

/* One run's; a zeroed one follows nothing. */
struct follow {
	struct courier stream, metrics;
	struct output *out;
	uint64_t started_ns; /* t_s = 0                       */
	uint64_t interval_ns;
	const char *phase;
	uint64_t layout_bytes, layout_total;
	struct str rows;                /* of the metrics, as of the last pulse */
	bool stream_said, metrics_said; /* that it does not work */
};

/* Check and make the files; OUT is where the report goes, and what goes wrong is said. */
int follow_open(struct follow *f, const struct flags *flags, struct output *out,
	uint64_t started_ns, struct err *reterr);

/* Refuse, when one of the files is that of PATH with this identity. */
int follow_check_apart(const struct follow *f, const char *path, dev_t dev, ino_t inode,
	struct err *reterr);

/* The run begins. */
int follow_begin(struct follow *f, const struct plan *plan, struct err *reterr);

/* Is there anyone? If not, nothing of what follows does anything. */
bool follow_any(const struct follow *f);

/* What the run says, by the members of struct run_sink with these names.  None waits. */
void follow_phase(struct follow *f, enum run_phase phase, const char *text);
void follow_layout(struct follow *f, uint64_t bytes, uint64_t total);
void follow_message(struct follow *f, enum run_weight weight, const char *text);
void follow_fault(struct follow *f, uint32_t row, const char *job,
	const struct result_fault *fault, uint32_t unit_bytes);
bool follow_listens(struct follow *f);
void follow_pulse(struct follow *f, const struct pulse *pulse);
void follow_partial(struct follow *f, const struct result *so_far);

/* The run is over, with R or without (WHY).  Waits until all is written; 0 or the
 * positive errno of what could not be. */
int follow_end(struct follow *f, const struct result *r, const char *why);

/* Anything left is given back. */
void follow_done(struct follow *f);
