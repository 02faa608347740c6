/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Rates of several jobs may be added only where they ran at the same time. */
#include "result/result.h"

#include "base/bits.h"

/* Sum of the row's intervals that lie wholly in [start, end); their number. */
static uint32_t series_inside(const struct series *s, enum dir dir, uint64_t start_ns,
	uint64_t end_ns, uint64_t *ios, uint64_t *bytes)
{
	uint32_t inside = 0;
	for (uint32_t i = 0; i < s->count; i++) {
		uint64_t from = s->start_ns + i * s->interval_ns;
		if (from < start_ns || from + s->interval_ns > end_ns)
			continue;
		inside++;
		*ios += s->records[i].ios[dir];
		*bytes += s->records[i].bytes[dir];
	}
	return inside;
}

static bool takes_part(const struct result_row *row, uint32_t group, enum dir dir)
{
	return row->group == group && !result_row_hidden(row) && row->dir[dir].ios &&
	       !row->told;
}

bool result_together(const struct result *r, uint32_t group, enum dir dir,
	struct result_together *ret)
{
	struct result_together t = {.end_ns = UINT64_MAX};

	for (uint32_t i = 0; i < r->rows_count; i++) {
		const struct result_row *row = &r->rows[i];
		if (!takes_part(row, group, dir))
			continue;
		t.rows++;
		t.start_ns = MAX_OF(t.start_ns, row->window_start_ns);
		t.end_ns = MIN_OF(t.end_ns, row->window_end_ns);
	}
	if (t.rows < 2)
		return false;
	for (uint32_t i = 0; i < r->rows_count; i++) {
		const struct result_row *row = &r->rows[i];
		uint64_t ios = 0, bytes = 0;
		if (!takes_part(row, group, dir))
			continue;
		uint32_t inside = series_inside(&row->series, dir, t.start_ns, t.end_ns, &ios,
			&bytes);
		if (!inside)
			return false;
		double seconds = (double)(inside * row->series.interval_ns) / (double)NS_PER_S;
		t.ios_per_s += (double)ios / seconds;
		t.bytes_per_s += (double)bytes / seconds;
	}
	*ret = t;
	return true;
}
