/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* The figures of a comparison, out of a row. */
#include "base/bits.h"
#include "result/compare/parts.h"
#include "result/known.h"

#include <string.h>

const struct compare_figure_kind compare_figures[COMPARE_FIGURES] = {
	[COMPARE_IOPS] = {.name = "iops", .title = "IOPS", .more = true},
	[COMPARE_BW] = {.name = "bw", .title = "bandwidth", .more = true},
	[COMPARE_MEAN] = {.name = "mean", .title = "mean", .is_time = true},
	[COMPARE_P50] = {.name = "p50", .title = "p50", .is_time = true},
	[COMPARE_P99] = {.name = "p99", .title = "p99", .is_time = true},
	[COMPARE_P99_9] = {.name = "p99.9", .title = "p99.9", .is_time = true},
	[COMPARE_MAX] = {.name = "max", .title = "max", .is_time = true, .no_verdict = true},
	[COMPARE_CPU] = {.name = "cpu", .title = "CPU/IO", .is_time = true},
	[COMPARE_RESPONSE_P50] = {.name = "response_p50",
		.title = "response p50",
		.is_time = true},
	[COMPARE_RESPONSE_P99] = {.name = "response_p99",
		.title = "response p99",
		.is_time = true},
};

const char *compare_letter(uint32_t side)
{
	static const char letters[COMPARE_SIDES][2] = {"A", "B", "C", "D", "E", "F", "G", "H",
		"I", "J", "K", "L", "M", "N", "O", "P", "Q", "R", "S", "T", "U", "V", "W", "X",
		"Y", "Z"};
	return letters[side];
}

enum compare_figure compare_figure_named(const char *name)
{
	int i = 0;
	while (i < COMPARE_FIGURES && strcmp(compare_figures[i].name, name) != 0)
		i++;
	return (enum compare_figure)i;
}

const struct latency *compare_latency(const struct compare_line *line,
	const struct result_row *row)
{
	const struct result_dir *d = &row->dir[line->dir];
	const struct latency *l = line->clat ? d->clat : d->lat;
	return latency_any(l) ? l : NULL;
}

static bool quantile_of(const struct latency *l, double quantile, double *ret)
{
	uint64_t ns;

	if (!latency_any(l) || !known_find(l, quantile, &ns) || known_below(l, ns))
		return false;
	*ret = (double)ns;
	return true;
}

static bool mean_of(const struct latency *l, double *ret)
{
	if (!l || latency_mean(l) < 0)
		return false;
	*ret = latency_mean(l);
	return true;
}

/* User and system time of an I/O, all directions and syncs together: that of the first
 * direction used stands for all. */
static bool cpu_of(const struct compare_line *line, const struct result_row *row, double *ret)
{
	double busy_ns = (row->cpu.user_ms + row->cpu.system_ms) * (double)NS_PER_MS;
	uint64_t ios = row->syncs;

	if (busy_ns <= 0 || (row->told && !row->told->cpu_ms))
		return false;
	for (int dir = 0; dir < DIRS; dir++) {
		const struct result_dir *d = &row->dir[dir];
		if (dir < line->dir && line->dir < DIRS && result_dir_used(d))
			return false;
		if (d->told && !d->told->ios && d->bytes)
			return false;
		ios += d->ios;
	}
	if (!ios)
		return false;
	*ret = busy_ns / (double)ios;
	return true;
}

static bool rate_of(double rate, double *ret)
{
	*ret = rate;
	return rate >= 0;
}

bool compare_value(const struct compare_line *line, enum compare_figure figure,
	const struct result_row *row, double *ret)
{
	const struct result_dir *d = &row->dir[line->dir];
	const struct latency *l = compare_latency(line, row);

	switch (figure) {
	case COMPARE_IOPS:
		return rate_of(result_iops(d), ret);
	case COMPARE_BW:
		return (!row->told || result_dir_used(d)) && rate_of(result_bw(d), ret);
	case COMPARE_MEAN:
		return mean_of(l, ret);
	case COMPARE_P50:
		return quantile_of(l, 0.5, ret);
	case COMPARE_P99:
		return quantile_of(l, 0.99, ret);
	case COMPARE_P99_9:
		return quantile_of(l, 0.999, ret);
	case COMPARE_MAX:
		*ret = l ? (double)l->moments.max : 0;
		return l;
	case COMPARE_CPU:
		return cpu_of(line, row, ret);
	case COMPARE_RESPONSE_P50:
		return quantile_of(d->response, 0.5, ret);
	case COMPARE_RESPONSE_P99:
		return quantile_of(d->response, 0.99, ret);
	case COMPARE_FIGURES:
		break;
	}
	return false;
}
