/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* How a job wants its figures shown in fio's formats. Part of the plan, copied
 * by reference into the result. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/limits.h"

/* Are directions reported by themselves, all as one ("mixed"), or both ways? */
enum result_unified {
	UNIFIED_NONE,
	UNIFIED_MIXED,
	UNIFIED_BOTH,
};

/* Const, in the plan's arena, one for all clones of a job. */
struct result_style {
	double percentiles[LIMIT_PERCENTILES]; /* ascending, 0 < p <= 100            */
	uint32_t percentiles_count;
	uint32_t percentile_decimals; /* fio's percentile_precision, default 2       */
	bool slat_percentiles, clat_percentiles, lat_percentiles;
	uint32_t kb_base;                  /* 1024 or 1000: which figure comes first      */
	uint32_t unit_base;                /* 8 bytes, 1 bits                             */
	uint32_t digits;                   /* significant_figures, default 4              */
	uint64_t bw_step_ns, iops_step_ns; /* bwavgtime, iopsavgtime                 */
	bool hidden;                       /* stats=0                                     */
	bool no_bw;                        /* disable_bw_measurement                      */
	enum result_unified unified;       /* unified_rw_reporting                        */
	uint64_t goal_ns, goal_window_ns;  /* latency_target, latency_window              */
	double goal_percent;               /* latency_percentile                          */
};
