/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Where a run's words, ticks and results go: the run_sink of the verb `run`. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "cmd/live.h"
#include "cmd/output.h"
#include "report/report.h"
#include "run/run.h"

struct follow;
struct plan;
struct result;

/* One run's; the caller's, on its stack. */
struct sink {
	struct run_sink run; /* run.ctx is the struct sink */
	struct output *out;
	const struct plan *plan;
	struct live live;
	struct follow *follow;
	uint32_t terse_version;
	struct report_units units;
	uint32_t formats; /* enum format_bit                                  */
	bool many;        /* interim reports were asked for                   */
};

/* S must not move afterwards. */
void sink_init(struct sink *s, struct output *out, struct follow *follow,
	const struct plan *plan, const struct flags *flags, uint32_t formats);

/* What the plan has to say that is no warning; a run says it when its files are
 * laid out. */
void sink_say_notes(struct output *out, const struct plan *plan);

/* The run is over: last words, off the terminal. */
void sink_end(struct sink *s);

/* All formats of R, each a document. */
void sink_report(struct sink *s, const struct result *r);
