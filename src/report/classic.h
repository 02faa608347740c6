/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* The parts of fio's normal output, each a few lines of the report, in the order
 * in which they are printed.  Private to report/. */
#pragma once

#include <stdint.h>

struct latency_spread;
struct result;
struct result_row;
struct str;

/* "    slat (nsec): min=...", clat and lat, then the percentile tables. */
void classic_latencies(const struct result_row *row, int dir, struct str *out);

/* "  lat (usec)   : 10=1.10%, ..." of all directions together. */
void classic_spread(const struct result_row *row, struct str *out);

/* The block of fsync and its like, when there were any. */
void classic_sync(const struct result_row *row, struct str *out);

/* "Run status group N (all jobs):" with its lines. */
void classic_groups(const struct result *r, struct str *out);

/* "Disk stats (read/write):", when there are any. */
void classic_idle(const struct result *r, struct str *out);
void classic_disks(const struct result *r, struct str *out);
