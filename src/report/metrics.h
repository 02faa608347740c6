/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* The state of a run as OpenMetrics text, ended by "# EOF".  docs/guide/metrics.md has
 * the list.  It is also Prometheus' older text form, as the node exporter's textfile
 * collector reads it: only counters, gauges and histograms, and no time stamps. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct pulse;
struct str;

/* What a document says beside its rows; the caller's. */
struct metrics {
	const char *version;
	const char *phase;         /* "start", "layout", "running", "done"           */
	double start_s, updated_s; /* wall clock                              */
	uint64_t elapsed_ns;
	uint64_t layout_bytes, layout_total;
	bool ended;      /* the last one: what follows is known             */
	bool complete;   /* all of it ran, not stopped and nothing missing  */
	uint32_t failed; /* workers that ended with an error                */
};

/* The families of the rows. */
void metrics_rows(const struct pulse *pulse, struct str *out);

/* The whole text; ROWS is what metrics_rows() made, "" before there is any. */
void metrics_print(const struct metrics *m, const char *rows, struct str *out);
