/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* `series_bins` of a job: what each part of the run has in the latency histogram, so that a
 * comparison can say how uncertain a percentile is.  At most PARTS parts, fewer with many
 * rows: more would say no more, and documents of many jobs would be large. */
#include "report/json_parts.h"

#include "base/bits.h"
#include "base/json.h"
#include "base/str.h"
#include "result/result.h"

#include <inttypes.h>
#include <stdlib.h>

#define PARTS     128u
#define PARTS_ALL 2048u /* of all rows together */
#define PARTS_MIN 20u   /* fewer would say nothing: then there are none */

struct bins {
	struct json *json;
	const struct series *series;
	uint32_t step; /* intervals of the series in a part */
	struct histogram *sum;
	struct str text;
};

static const struct series_sparse *record_part(const struct series_record *r, int dir,
	bool response)
{
	return response ? &r->response[dir] : &r->lat[dir];
}

/* "43264:17 43776:3": ns, the value of the bin as in JSON+, and how often. */
static void sum_text(struct bins *b)
{
	const struct histogram *h = b->sum;

	str_reset(&b->text);
	for (uint32_t bin = h->lo; h->count && bin <= h->hi; bin++)
		if (h->bins[bin])
			str_addf(&b->text, "%s%" PRIu64 ":%" PRIu64, b->text.len ? " " : "",
				histogram_bin_mid(bin), h->bins[bin]);
}

static void write_part(struct bins *b, uint32_t from, int dir, bool response)
{
	uint32_t end = MIN_OF(from + b->step, b->series->count);

	histogram_reset(b->sum);
	for (uint32_t i = from; i < end; i++) {
		const struct series_sparse *s = record_part(&b->series->records[i], dir,
			response);
		for (uint32_t k = 0; k < s->count; k++)
			histogram_record_bin(b->sum, s->bins[k].bin, s->bins[k].count);
	}
	sum_text(b);
	json_text(b->json, NULL, str_text(&b->text));
}

static bool any(const struct series *s, int dir, bool response)
{
	for (uint32_t i = 0; i < s->count; i++)
		if (record_part(&s->records[i], dir, response)->count)
			return true;
	return false;
}

static void write_list(struct bins *b, int dir, bool response)
{
	if (!any(b->series, dir, response))
		return;
	json_array(b->json, response ? "response_ns" : "lat_ns");
	for (uint32_t i = 0; i < b->series->count; i += b->step)
		write_part(b, i, dir, response);
	json_array_end(b->json);
}

void weir_json_bins(struct json *j, const struct result_row *row, uint32_t rows)
{
	const struct series *s = row->bins.count ? &row->bins : &row->series;
	uint32_t parts = MIN_OF(PARTS, PARTS_ALL / MAX_OF(rows, 1u));
	struct bins b = {.json = j, .series = s};

	if (!s->count || parts < PARTS_MIN)
		return;
	b.step = (uint32_t)div_up(s->count, parts);
	b.sum = calloc(1, sizeof(*b.sum));
	if (!b.sum) {
		j->out->failed = true;
		return;
	}
	json_object(j, "series_bins");
	json_double(j, "interval_s", (double)(b.step * s->interval_ns) / (double)NS_PER_S);
	for (int dir = 0; dir < DIRS; dir++) {
		if (!any(s, dir, false) && !any(s, dir, true))
			continue;
		json_object(j, dir_name((enum dir)dir));
		write_list(&b, dir, false);
		write_list(&b, dir, true);
		json_object_end(j);
	}
	json_object_end(j);
	str_done(&b.text);
	free(b.sum);
}
