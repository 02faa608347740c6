/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Clones of one job (numjobs) that were reported one by one, as one row. */
#include "result/result.h"

#include <string.h>

static bool text_equal(const char *a, const char *b)
{
	return !strcmp(a ? a : "", b ? b : "");
}

static bool is_clone(const struct result_row *a, const struct result_row *b)
{
	return a->group == b->group && text_equal(a->name, b->name) &&
	       text_equal(a->what, b->what) && text_equal(a->engine, b->engine) &&
	       a->depth_asked == b->depth_asked && a->members && b->members &&
	       !result_row_hidden(a) && !result_row_hidden(b);
}

/* ---- histograms that a report has by seconds ---- */

static void histogram_add(struct histogram *h, const struct series_sparse *s)
{
	for (uint32_t i = 0; i < s->count; i++)
		histogram_record_bin(h, s->bins[i].bin, s->bins[i].count);
}

/* All of DIR in S, lat or response. */
static void series_sum(const struct series *s, int dir, bool response, struct histogram *h)
{
	for (uint32_t i = 0; i < s->count; i++)
		histogram_add(h,
			response ? &s->records[i].response[dir] : &s->records[i].lat[dir]);
}

/* The histogram of L, of which only figures were told: weir's JSON has it in parts
 * (series_bins), and where these have each of its samples it is the one that was. */
static void latency_rebuild(struct latency *l, const struct result_row *row, int dir,
	bool response)
{
	if (!l || !l->told || !l->told->counted || !l->moments.count || l->histogram.count)
		return;
	series_sum(row->bins.count ? &row->bins : &row->series, dir, response, &l->histogram);
	if (l->histogram.count != l->moments.count)
		histogram_reset(&l->histogram);
}

static bool row_rebuild(struct result_row *row)
{
	bool any = false;

	for (int dir = 0; dir < DIRS; dir++) {
		struct result_dir *d = &row->dir[dir];
		latency_rebuild(d->lat, row, dir, false);
		latency_rebuild(d->response, row, dir, true);
		any |= d->lat && d->lat->told && d->lat->histogram.count;
	}
	return any;
}

/* ROWS become the first of them. */
static int clones_join(struct result *r, struct result_row *rows, uint32_t count)
{
	struct result_row whole = {0};
	bool rebuilt = false;
	int rc = 0;

	for (uint32_t i = 0; i < count; i++)
		rebuilt |= row_rebuild(&rows[i]);
	for (uint32_t i = 0; i < count && rc == 0; i++) {
		rc = result_row_merge(r, &whole, &rows[i]);
		if (rc == 0 && !whole.error)
			whole.error = rows[i].error;
	}
	for (uint32_t i = 0; i < count; i++) {
		series_done(&rows[i].series);
		series_done(&rows[i].bins);
	}
	rows[0] = whole;
	rows[0].rebuilt = rebuilt;
	return rc < 0 ? rc : result_row_finish(r, &rows[0]);
}

int result_join_clones(struct result *r)
{
	uint32_t kept = 0, next = 0;
	int rc = 0;

	for (uint32_t i = 0; i < r->rows_count && rc == 0; i = next) {
		next = i + 1;
		while (next < r->rows_count && is_clone(&r->rows[i], &r->rows[next]))
			next++;
		if (next - i > 1)
			rc = clones_join(r, &r->rows[i], next - i);
		r->rows[kept++] = r->rows[i];
	}
	if (rc < 0)
		return rc; /* rows that were joined are empty: it is only to be freed */
	r->rows_count = kept;
	return 0;
}
