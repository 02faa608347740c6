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

/* ROWS become the first of them. */
static int clones_join(struct result *r, struct result_row *rows, uint32_t count)
{
	struct result_row whole = {0};
	int rc = 0;

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
