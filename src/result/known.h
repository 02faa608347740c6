/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* How well is a figure of a result known?  Standard errors for report/digits.h.
 *
 * By the seconds of the row's series where it has some, dependence between them taken into
 * account (stat/uncertainty.h); else by what a count, the deviation of its latencies
 * and the bins of the histogram leave.  NAN: nothing is known, as of an imported
 * document that has neither counts nor samples.  Pure. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/dir.h"
#include "stat/series.h"

struct latency;
struct result;
struct result_dir;
struct result_row;

/* Of D's rate, as a share.  D is a direction of ROW, or of one of its targets, or of its
 * verification. */
double known_rate(const struct result_row *row, const struct result_dir *d,
	enum series_rate what);

/* The same of the syncs of a row, and of one target in direction SLOT: a part is not
 * known better than the whole. */
double known_syncs(const struct result_row *row);
double known_target(const struct result_row *row, int slot, const struct result_dir *d,
	enum series_rate what);

/* Of what result_together() says, per second. */
double known_together(const struct result *r, uint32_t group, enum dir dir,
	enum series_rate what);

/* Of the mean and of quantile Q of L, ns.  Where L is the lat or response of ROW its
 * seconds count, else L alone; three digits of a quantile at most: bins are 1/64 to 1/128
 * wide. */
double known_mean(const struct result_row *row, const struct latency *l);
double known_quantile(const struct result_row *row, const struct latency *l, double q);

/* Quantile Q as it is shown: those that fio tells are ends of bins, and may lie above the
 * maximum. false: not known. */
bool known_find(const struct latency *l, double q, uint64_t *ret_ns);

/* Where a report in whole us tells NS, and that is 0: what it is less than, in ns; else 0. */
uint64_t known_below(const struct latency *l, uint64_t ns);

/* Did ROW run, and its report doesn't say what it did?  As a log of mean latencies. */
bool known_ran_only(const struct result_row *row);

/* Of the maximum: exact, but for the unit that it is told in. */
double known_max(const struct latency *l);

/* Of the CPU time of an I/O: three digits at most, and chance in what its requests took. */
double known_cpu_per_io(const struct result_row *row, double ns);
