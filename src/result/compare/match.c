/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Which row of one result belongs to which of another. */
#include "base/bits.h"
#include "result/compare/parts.h"

#include <string.h>

static bool shown(const struct result_row *row)
{
	return !result_row_hidden(row) && strcmp(row->name, "All clients") != 0;
}

const struct result_row *compare_row(const struct result *r, const struct compare_key *key)
{
	uint32_t nth = key->nth;

	for (uint32_t i = 0; key->name && i < r->rows_count; i++)
		if (shown(&r->rows[i]) && !strcmp(r->rows[i].name, key->name) && !nth--)
			return &r->rows[i];
	return NULL;
}

static uint32_t rows_shown(const struct result *r, const struct result_row **ret_last)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < r->rows_count; i++) {
		if (!shown(&r->rows[i]))
			continue;
		*ret_last = &r->rows[i];
		n++;
	}
	return n;
}

static struct compare_key key_of(const struct result *r, const struct result_row *row)
{
	struct compare_key key = {.name = row->name};
	for (const struct result_row *at = r->rows; at < row; at++)
		key.nth += shown(at) && !strcmp(at->name, row->name);
	return key;
}

static bool text_equal(const char *a, const char *b)
{
	return !strcmp(a ? a : "", b ? b : "");
}

static bool shape_equal(const struct result_row *a, const struct result_row *b)
{
	return a->what && text_equal(a->what, b->what) && result_depth(a) == result_depth(b) &&
	       a->members == b->members;
}

/* The only row of the shape of ROW; NULL: there is none, or a choice. */
static const struct result_row *row_of_shape(const struct result *r,
	const struct result_row *row)
{
	const struct result_row *found = NULL;

	for (uint32_t i = 0; i < r->rows_count; i++) {
		if (!shown(&r->rows[i]) || !shape_equal(row, &r->rows[i]))
			continue;
		if (found)
			return NULL;
		found = &r->rows[i];
	}
	return found;
}

/* By name; else by shape; else the only one by the only one. */
static struct compare_key key_find(const struct result *first, const struct result *other,
	const struct result_row *row, bool by_name)
{
	struct compare_key key = key_of(first, row);
	const struct result_row *last = NULL, *same = NULL;

	if (compare_row(other, &key))
		return key;
	if (by_name)
		return (struct compare_key){0};
	same = row_of_shape(other, row);
	if (!same && rows_shown(first, &last) == 1 && rows_shown(other, &last) == 1)
		same = last;
	return same ? key_of(other, same) : (struct compare_key){0};
}

uint32_t compare_keys(struct compare *c, struct compare_key **ret)
{
	const struct result *first = c->sides[0].runs[0];
	struct compare_key *keys = compare_alloc(c,
		(size_t)(first->rows_count + 1) * c->sides_count, sizeof(*keys));
	uint32_t jobs = 0;

	for (uint32_t i = 0; keys && i < first->rows_count; i++) {
		if (!shown(&first->rows[i]))
			continue;
		for (uint32_t s = 0; s < c->sides_count; s++)
			keys[jobs * c->sides_count + s] = key_find(first, c->sides[s].runs[0],
				&first->rows[i], c->sides[s].by_name);
		jobs++;
	}
	*ret = keys;
	return jobs;
}

/* ---- units ---- */

static bool whole(const struct result *r, const struct result_row *row)
{
	return !row->error && !row->partial && row->end == END_DONE && !r->stop_signal;
}

static void units_take(struct compare_units *u, const struct compare_side *side,
	const struct compare_key *key, bool broken)
{
	for (uint32_t i = 0; i < side->count; i++) {
		const struct result_row *row = compare_row(side->runs[i], key);
		if (!row || whole(side->runs[i], row) == broken)
			continue;
		u->runs[u->count] = side->runs[i];
		u->rows[u->count++] = row;
	}
}

/* In the order in which they ended. */
static void units_sort(struct compare_units *u)
{
	for (uint32_t i = 1; i < u->count; i++) {
		for (uint32_t k = i; k && u->runs[k - 1]->time_ms > u->runs[k]->time_ms; k--) {
			const struct result *run = u->runs[k];
			const struct result_row *row = u->rows[k];
			u->runs[k] = u->runs[k - 1];
			u->rows[k] = u->rows[k - 1];
			u->runs[k - 1] = run;
			u->rows[k - 1] = row;
		}
	}
}

struct compare_units compare_units_of(struct compare *c, const struct compare_side *side,
	const struct compare_key *key)
{
	struct compare_units u = {
		.runs = compare_alloc(c, side->count, sizeof(*u.runs)),
		.rows = compare_alloc(c, side->count, sizeof(*u.rows)),
	};
	if (!u.runs || !u.rows)
		return (struct compare_units){0};
	units_take(&u, side, key, false);
	u.left_out = side->count - u.count;
	if (!u.count) {
		units_take(&u, side, key, true);
		u.broken = u.count > 0;
	}
	units_sort(&u);
	return u;
}
