/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* How well a side knows a figure: for the digits that are shown, not for verdicts. */
#include "result/compare/parts.h"

#include "result/known.h"
#include "stat/precision.h"
#include "stat/uncertainty.h"

#include <math.h>

#define TIME_MOST 3 /* digits: bins of a histogram, and the CPU's time */

static double quantile_error(const struct result_row *row, const struct latency *l, double q)
{
	return latency_any(l) ? known_quantile(row, l, q) : NAN;
}

static double error_of_one(const struct compare_line *line, enum compare_figure figure,
	const struct result_row *row, double v)
{
	const struct result_dir *d = &row->dir[line->dir];
	const struct latency *l = compare_latency(line, row);

	switch (figure) {
	case COMPARE_IOPS:
		return v * known_rate(row, d, SERIES_IOS);
	case COMPARE_BW:
		return v * known_rate(row, d, SERIES_BYTES);
	case COMPARE_MEAN:
		return l ? known_mean(row, l) : NAN;
	case COMPARE_P50:
		return quantile_error(row, l, 0.5);
	case COMPARE_P99:
		return quantile_error(row, l, 0.99);
	case COMPARE_P99_9:
		return quantile_error(row, l, 0.999);
	case COMPARE_CPU:
		return known_cpu_per_io(row, v);
	case COMPARE_RESPONSE_P50:
		return quantile_error(row, d->response, 0.5);
	case COMPARE_RESPONSE_P99:
		return quantile_error(row, d->response, 0.99);
	default:
		return 0; /* the longest one is exact */
	}
}

double compare_error(const struct compare_line *line, enum compare_figure figure,
	const struct compare_units *u, const double *v, uint32_t n)
{
	bool grained = compare_figures[figure].is_time && figure != COMPARE_MEAN &&
		       figure != COMPARE_MAX;
	double mean = 0;

	if (n < 2)
		return n && u->count == 1 ? error_of_one(line, figure, u->rows[0], v[0]) : NAN;
	for (uint32_t i = 0; i < n; i++)
		mean += v[i] / n;
	double error = uncertainty_mean(v, n);
	return grained ? precision_limit(mean, error, TIME_MOST) : error;
}
