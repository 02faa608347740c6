/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* When all members are in: groups, samples of the series, directions as one. */
#include "result/merge.h"

#include "base/bits.h"
#include "result/style.h"

#include <errno.h>

int result_group_targets(struct result *r)
{
	for (uint32_t g = 0; g < r->groups_count; g++) {
		struct result_group *group = &r->groups[g];
		uint32_t rows = 0;
		for (uint32_t i = 0; i < r->rows_count; i++)
			rows += r->rows[i].group == group->id && r->rows[i].targets_count;
		for (uint32_t i = 0; i < r->rows_count && rows > 1; i++) {
			const struct result_row *row = &r->rows[i];
			if (row->group == group->id && row->targets_count &&
				merge_targets(&r->arena, &group->targets, &group->targets_count,
					row->targets, row->targets_count) < 0)
				return -ENOMEM;
		}
	}
	return 0;
}

static void group_dir_add(struct result_group_dir *sum, const struct result_dir *d)
{
	uint64_t ms = result_runtime_ms(d);
	if (!d->bytes || !ms)
		return;
	uint64_t bw = mul_div(d->bytes, 1000, ms);
	sum->bw_min = sum->bytes ? MIN_OF(sum->bw_min, bw) : bw;
	sum->run_min_ms = sum->bytes ? MIN_OF(sum->run_min_ms, ms) : ms;
	sum->bw_max = MAX_OF(sum->bw_max, bw);
	sum->run_max_ms = MAX_OF(sum->run_max_ms, ms);
	sum->bytes += d->bytes;
	sum->bw = mul_div(sum->bytes, 1000, sum->run_max_ms);
}

void result_group_add(struct result_group *g, const struct result_row *worker)
{
	struct result_dir mixed = {0};
	for (int dir = 0; dir < DIRS; dir++) {
		const struct result_dir *d = &worker->dir[dir];
		mixed.bytes += d->bytes;
		mixed.runtime_ns = MAX_OF(mixed.runtime_ns, d->runtime_ns);
		if (result_shows(worker, dir))
			group_dir_add(&g->dir[dir], d);
	}
	bool told = worker->dir[RESULT_MIXED].told && worker->dir[RESULT_MIXED].told->present;
	if (result_shows(worker, RESULT_MIXED))
		group_dir_add(&g->dir[RESULT_MIXED],
			told ? &worker->dir[RESULT_MIXED] : &mixed);
}

#define STEP_PRESET_NS (500 * NS_PER_MS) /* fio's bwavgtime and iopsavgtime */

/* All directions as one. */
static int row_unify(struct result *r, struct result_row *row)
{
	struct result_dir *mixed = &row->dir[RESULT_MIXED];
	int rc = 0;

	*mixed = (struct result_dir){0};
	for (int dir = 0; dir < DIRS && rc == 0; dir++)
		rc = merge_dir(&r->arena, mixed, &row->dir[dir]);
	return rc;
}

/* The part of a row's series in which directions DIRS were used, for rows whose directions take
 * turns: written, then read back.  The interval in which it begins is only in part
 * theirs, and left out where there are enough others. */
static struct series row_span(const struct result_row *row, unsigned dirs, uint64_t *end_ns)
{
	struct series s = row->series;
	uint32_t first = 0, last = s.count;

	if (!row->verify || !row->verify->again.ios || !s.count)
		return s;
	while (first < last && !series_used(&s.records[first], dirs))
		first++;
	while (last > first && !series_used(&s.records[last - 1], dirs))
		last--;
	first += first && last - first > 2;
	s.records += first;
	s.count = last - first;
	s.start_ns += first * s.interval_ns;
	*end_ns = MIN_OF(*end_ns, s.start_ns + s.count * s.interval_ns);
	return s;
}

int result_row_finish(struct result *r, struct result_row *row)
{
	uint64_t bw_step = row->style ? row->style->bw_step_ns : 0;
	uint64_t iops_step = row->style ? row->style->iops_step_ns : 0;

	row->spread = (struct latency_spread){0};
	for (int dir = 0; dir < DIRS; dir++)
		if (row->dir[dir].clat)
			latency_spread_add(&row->spread, &row->dir[dir].clat->histogram);
	if (result_shows(row, RESULT_MIXED) && row_unify(r, row) < 0)
		return -ENOMEM;
	for (int dir = 0; dir < RESULT_DIRS; dir++) {
		unsigned dirs = dir == RESULT_MIXED ? (1u << DIRS) - 1 : 1u << dir;
		struct result_dir *d = &row->dir[dir];
		d->bw = (struct samples){0};
		d->iops = (struct samples){0};
		if (!row->series.count || !result_dir_used(d))
			continue;
		uint64_t end_ns = row->window_end_ns;
		const struct series s = row_span(row, dirs, &end_ns);
		if (!s.count)
			continue;
		d->bw = series_samples(&s, dirs, SERIES_BYTES,
			bw_step ? bw_step : STEP_PRESET_NS, end_ns);
		d->iops = series_samples(&s, dirs, SERIES_IOS,
			iops_step ? iops_step : STEP_PRESET_NS, end_ns);
	}
	return 0;
}
