/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Numbers and times in fio's way, for its text, JSON and live line.  Private to
 * report/; report_scaled() is in report.h.  What weir prints in its own forms is
 * rounded by units.c and by the table instead. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct latency;
struct result;
struct result_dir;
struct result_row;
struct result_style;
struct str;

/* report_scaled() for a VALUE that counts units of BASE^STEP: 5 at step 1 is
 * "5KiB/s". */
void scaled_from(struct str *out, uint64_t value, unsigned digits, unsigned base, unsigned step,
	const char *unit);

/* BYTES_PER_S as "333MiB/s (349MB/s)": the job's preferred base first, and bits
 * when it wants bits. */
void scaled_rates(struct str *out, uint64_t bytes_per_s, const struct result_style *style);

/* The first or second figure of these pairs alone. */
void scaled_rate(struct str *out, uint64_t bytes_per_s, const struct result_style *style,
	bool second);
void scaled_bytes(struct str *out, uint64_t bytes, const struct result_style *style,
	bool second);

/* The row's style, or fio's presets when it has none. Never NULL. */
const struct result_style *fio_style(const struct result_row *row);

/* fio's "error" of a row: that of its failure, else the first one that was gone on
 * after (the exit status knows only failures). */
int fio_error(const struct result_row *row);

/* fio's percentile: its histogram ends at bin 1855, which holds all the rest.  False when L is
 * of a report that didn't say it. */
bool fio_find(const struct latency *l, double percent, uint64_t *ret);

/* Share of time in user and system mode, percent. */
void fio_cpu(const struct result_row *row, double *ret_user, double *ret_system);

/* I/Os per second over whole milliseconds, as fio counts them; 0 without. */
double fio_iops(const struct result_dir *d);

/* ctime() text of local time, without the newline, in TEXT of SIZE bytes. */
void fio_date(uint64_t time_ms, char *text, unsigned size);

/* Mean of the row's bandwidth samples as percent of its group's rate in the same
 * direction (JSON bw_agg, text per=), at most 100; 0 without samples. */
double fio_bw_percent(const struct result *r, const struct result_row *row, int dir);

/* COUNT as percent of TOTAL; a count that is there at all shows as LEAST. */
double fio_percent(uint64_t count, uint64_t total, double least);

/* Of entry I of N counts; TOLD: the percentages as an imported report has them, NULL
 * where there are none. */
double fio_share(const double *told, const uint64_t *counts, uint32_t i, uint64_t total,
	double least);

/* Has the row this distribution? An imported one may not. */
bool fio_has(const struct result_row *row, const double *told);

/* What depth and latency distributions are percent of: reads, writes and trims
 * issued, syncs not counted. */
uint64_t fio_issued(const struct result_row *row);
