/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* `series` and `series_bins` of weir's own JSON. */
#include "base/bits.h"
#include "base/limits.h"
#include "result/import_parts.h"

#include <stdlib.h>
#include <string.h>

#define INTERVAL_MAX_S 1e6
#define BIN_MAX        UINT64_C(1000000000000) /* in one bin of one interval */

static bool read_interval(struct import *in, const struct json_value *of, const char *key,
	struct series *s)
{
	double seconds = 0;

	if (!import_real(in, of, key, &seconds) || seconds < 1e-3 || seconds > INTERVAL_MAX_S)
		return false;
	s->interval_ns = (uint64_t)(seconds * (double)NS_PER_S + 0.5);
	return true;
}

static void check_memory(struct import *in, const struct series *s)
{
	if (s->failed)
		import_no_memory(in);
}

/* ---- counts ---- */

static void read_record(struct import *in, const struct json_value *of, struct series *s,
	uint32_t index)
{
	for (int dir = 0; dir < DIRS && in->rc == 0; dir++) {
		const struct json_value *d = import_object(in, of, dir_name((enum dir)dir));
		uint64_t ios = 0, bytes = 0;
		import_whole(in, d, "ios", &ios);
		import_whole(in, d, "bytes", &bytes);
		series_add(s, index * s->interval_ns, (enum dir)dir, ios, bytes, NULL, NULL);
	}
}

static void read_series(struct import *in, const struct json_value *of, struct series *s)
{
	const struct json_value *list = import_array(in, of, "series");
	uint32_t index = 0;

	if (!list || !read_interval(in, of, "series_interval_s", s))
		return;
	for (const struct json_value *v = list->first;
		v && in->rc == 0 && index < LIMIT_INTERVALS; v = v->next)
		read_record(in, v, s, index++);
	check_memory(in, s);
}

/* ---- histograms ---- */

/* "NS:COUNT NS:COUNT ..."; false at what is something else. */
static bool read_bins(const char *text, struct histogram *h)
{
	while (*text) {
		char *end;
		uint64_t ns = strtoull(text, &end, 10);
		if (*end != ':')
			return false;
		uint64_t count = strtoull(end + 1, &end, 10);
		uint32_t bin = histogram_bin(ns);
		if ((*end && *end != ' ') || !count || count > BIN_MAX ||
			histogram_bin_mid(bin) != ns || h->count + count < h->count)
			return false;
		histogram_record_bin(h, bin, count);
		text = end + strspn(end, " ");
	}
	return true;
}

static void read_list(struct import *in, const struct json_value *of, const char *key,
	struct series *s, enum dir dir, struct histogram *h)
{
	const struct json_value *list = import_array(in, of, key);
	bool response = key[0] == 'r';
	uint32_t index = 0;

	for (const struct json_value *v = list ? list->first : NULL;
		v && in->rc == 0 && index < LIMIT_INTERVALS; v = v->next) {
		histogram_reset(h);
		if (v->kind != JSON_STRING || !read_bins(v->text, h)) {
			import_fault(in, v, "a list \"NS:COUNT NS:COUNT ...\" of bins");
			return;
		}
		series_add(s, index++ * s->interval_ns, dir, 0, 0, response ? NULL : h,
			response ? h : NULL);
	}
}

static void read_series_bins(struct import *in, const struct json_value *of, struct series *s)
{
	if (!of || !read_interval(in, of, "interval_s", s))
		return;
	struct histogram *h = import_alloc(in, sizeof(*h));
	for (int dir = 0; dir < DIRS && in->rc == 0; dir++) {
		const struct json_value *d = import_object(in, of, dir_name((enum dir)dir));
		read_list(in, d, "lat_ns", s, (enum dir)dir, h);
		read_list(in, d, "response_ns", s, (enum dir)dir, h);
	}
	check_memory(in, s);
}

void import_weir_series(struct import *in, const struct json_value *of, struct result_row *row)
{
	read_series(in, of, &row->series);
	read_series_bins(in, import_object(in, of, "series_bins"), &row->bins);
	if (!row->bins.count || row->bins.interval_ns != row->series.interval_ns)
		return;
	series_merge(&row->series, &row->bins);
	series_done(&row->bins);
	check_memory(in, &row->series);
}
