/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Lines of weir's streams (docs/guide/stream.md).  The last one is the result; what its
 * series lost by joining intervals, and its latencies by being summed up, the lines
 * before it have.  A stream that was cut has only them. */
#include "result/import_ndjson.h"

#include "base/bits.h"
#include "base/err.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define ROWS_MAX 65536

/* All lines of one row. */
struct ndjson_row {
	const char *name, *what, *engine;
	uint32_t group, members;
	double from_s,
		to_s[DIRS]; /* the first line begins, the last one ends; from < 0: none */
	uint64_t ios[DIRS], bytes[DIRS], errors[DIRS];
	struct histogram *lat[DIRS], *response[DIRS];
	struct series series;
};

struct import_ndjson {
	struct result *r; /* of the stream that began; NULL: none */
	struct ndjson_row *rows;
	uint32_t count;
	double interval_s;
	struct histogram scratch, scratch_response;
};

bool import_ndjson_is(const struct json_value *doc)
{
	const struct json_value *type = json_get(doc, "type");
	return type && type->kind == JSON_STRING;
}

static void rows_done(struct import_ndjson *n)
{
	for (uint32_t i = 0; i < n->count; i++)
		series_done(&n->rows[i].series);
	n->rows = NULL;
	n->count = 0;
}

struct import_ndjson *import_ndjson_new(void)
{
	return calloc(1, sizeof(struct import_ndjson));
}

void import_ndjson_free(struct import_ndjson *n)
{
	if (!n)
		return;
	rows_done(n);
	result_free(n->r);
	free(n);
}

/* ---- lines ---- */

static void read_begin(struct import *in, struct import_ndjson *n, const struct json_value *doc)
{
	const struct json_value *jobs = import_array(in, doc, "jobs");
	uint32_t count = 0;

	for (const struct json_value *v = jobs ? jobs->first : NULL; v; v = v->next)
		count++;
	n->rows = import_alloc(in, MIN_OF(count, (uint32_t)ROWS_MAX) * sizeof(*n->rows));
	n->interval_s = 1;
	import_real(in, doc, "interval_s", &n->interval_s);
	if (!(n->interval_s >= 1e-3 && n->interval_s <= 1e6))
		n->interval_s = 1;
	in->r->source = import_string(in, doc, "version");
	import_whole(in, doc, "time_ms", &in->r->time_ms);
	for (const struct json_value *v = jobs ? jobs->first : NULL;
		v && in->rc == 0 && n->count < ROWS_MAX; v = v->next) {
		struct ndjson_row *row = &n->rows[n->count];
		uint64_t group = 0, workers = 1;
		import_whole(in, v, "group", &group);
		import_whole(in, v, "workers", &workers);
		*row = (struct ndjson_row){.name = import_string(in, v, "job"),
			.what = import_string(in, v, "rw"),
			.engine = import_string(in, v, "engine"),
			.group = (uint32_t)group,
			.members = (uint32_t)workers,
			.from_s = -1};
		row->series.interval_ns = (uint64_t)(n->interval_s * (double)NS_PER_S);
		n->count++;
	}
}

/* [[ns, count], ...] to H, which is emptied; NULL when there is none. */
static const struct histogram *read_counts(struct import *in, const struct json_value *doc,
	const char *key, struct histogram *h)
{
	const struct json_value *list = import_array(in, doc, key);

	histogram_reset(h);
	for (const struct json_value *v = list ? list->first : NULL; v; v = v->next) {
		const struct json_value *ns = v->kind == JSON_ARRAY ? v->first : NULL;
		const struct json_value *count = ns ? ns->next : NULL;
		bool fits = count && ns->is_whole && count->is_whole && ns->real >= 0 &&
			    count->real > 0 && h->count + count->whole > h->count;
		if (!fits) {
			import_fault(in, v, "[nanoseconds, count]");
			return NULL;
		}
		histogram_record_bin(h, histogram_bin(ns->whole), count->whole);
	}
	return h->count ? h : NULL;
}

static void sum_up(struct import *in, struct histogram **to, const struct histogram *from)
{
	if (from && !*to)
		*to = import_alloc(in, sizeof(**to));
	if (from && *to)
		histogram_merge(*to, from);
}

static int direction_of(const struct json_value *doc)
{
	const struct json_value *v = json_get(doc, "direction");

	for (int dir = 0; v && v->kind == JSON_STRING && dir < DIRS; dir++)
		if (!strcmp(v->text, dir_name((enum dir)dir)))
			return dir;
	return -1;
}

static void read_interval(struct import *in, struct import_ndjson *n,
	const struct json_value *doc)
{
	uint64_t number = 0, ios = 0, bytes = 0, errors = 0;
	double t = 0, seconds = 0;
	int dir = direction_of(doc);

	import_whole(in, doc, "row", &number);
	import_whole(in, doc, "ios", &ios);
	import_whole(in, doc, "bytes", &bytes);
	import_whole(in, doc, "errors", &errors);
	bool timed = import_real(in, doc, "t_s", &t) &&
		     import_real(in, doc, "seconds", &seconds);
	if (dir < 0 || !number || number > n->count || !timed || t < 0 || seconds < 0 ||
		t > 1e9)
		return; /* of a row that the beginning doesn't have: none of ours */
	struct ndjson_row *row = &n->rows[number - 1];
	if (row->from_s < 0)
		row->from_s = t;
	row->to_s[dir] = MAX_OF(row->to_s[dir], t + MIN_OF(seconds, 1e9));
	row->ios[dir] += ios;
	row->bytes[dir] += bytes;
	row->errors[dir] += errors;
	const struct histogram *lat = read_counts(in, doc, "lat_ns", &n->scratch);
	const struct histogram *response = read_counts(in, doc, "response_ns",
		&n->scratch_response);
	sum_up(in, &row->lat[dir], lat);
	sum_up(in, &row->response[dir], response);
	double middle = MAX_OF(t + seconds / 2 - row->from_s, 0.0);
	series_add(&row->series, (uint64_t)(middle * (double)NS_PER_S), (enum dir)dir, ios,
		bytes, lat, response);
	if (row->series.failed)
		import_no_memory(in);
}

/* ---- to a result ---- */

/* L of its bins: what is in them is known to a part in 128. */
static struct latency *latency_of(struct import *in, const struct histogram *h)
{
	struct latency *l = h && h->count ? import_latency(in) : NULL;

	if (l)
		import_latency_bins(l, h);
	return l;
}

static void row_make(struct import *in, const struct ndjson_row *from, struct result_row *row)
{
	import_row_init(in, row);
	if (in->rc < 0)
		return;
	row->name = from->name ? from->name : "";
	row->group = from->group;
	row->members = from->members;
	row->engine = from->engine;
	row->what = from->what;
	row->partial = true;
	row->end = END_KILLED;
	for (int dir = 0; dir < DIRS; dir++) {
		struct result_dir *d = &row->dir[dir];
		struct result_dir_told *told = import_dir_told(d);
		d->ios = from->ios[dir];
		d->bytes = from->bytes[dir];
		d->errors = from->errors[dir];
		if (d->ios)
			d->runtime_ns = (uint64_t)((from->to_s[dir] - from->from_s) *
						   (double)NS_PER_S);
		row->runtime_ns = MAX_OF(row->runtime_ns, d->runtime_ns);
		d->lat = latency_of(in, from->lat[dir]);
		d->response = latency_of(in, from->response[dir]);
		told->present = told->ios = told->errors = true;
	}
}

/* A stream without a result: the program was killed. */
static void result_make(struct import *in, struct import_ndjson *n)
{
	struct result *r = in->r;

	r->rows = import_alloc(in, n->count * sizeof(*r->rows));
	r->partial = r->final = true;
	for (uint32_t i = 0; i < n->count && in->rc == 0; i++) {
		struct result_row *row = &r->rows[r->rows_count];
		row_make(in, &n->rows[i], row);
		if (in->rc < 0)
			return;
		r->rows_count++;
		row->series = n->rows[i].series;
		n->rows[i].series = (struct series){0};
	}
	if (result_note_add(r, "cut", NOTE_DOUBTFUL, NULL,
		    "the stream has no result: weir was killed, or the file is full; these are its "
		    "intervals") < 0)
		import_no_memory(in);
}

/* The same bins as the figures of L have? Then they are L's. */
static void bins_take(struct latency *l, const struct histogram *h)
{
	if (l && h && l->told && l->told->counted && h->count == l->moments.count)
		l->histogram = *h;
}

/* What the result's last line lacks: latencies of each interval, and all bins. */
static void result_complete(struct import_ndjson *n, struct result *r)
{
	if (r->rows_count != n->count)
		return;
	for (uint32_t i = 0; i < n->count; i++) {
		struct ndjson_row *from = &n->rows[i];
		struct result_row *row = &r->rows[i];
		if (!from->name || strcmp(from->name, row->name) != 0 || !from->series.count)
			continue;
		series_done(&row->series);
		row->series = from->series;
		from->series = (struct series){0};
		for (int dir = 0; dir < DIRS; dir++) {
			bins_take(row->dir[dir].lat, from->lat[dir]);
			bins_take(row->dir[dir].response, from->response[dir]);
		}
	}
}

int import_ndjson_end(struct import *in, struct import_ndjson *n, struct import_sink to)
{
	if (!n->r)
		return 0;
	in->r = n->r;
	n->r = NULL;
	result_make(in, n);
	import_finish(in);
	rows_done(n);
	if (in->rc < 0) {
		result_free(in->r);
		return in->rc;
	}
	return to.take(to.ctx, in->r);
}

static int read_result(struct import *in, struct import_ndjson *n, const struct json_value *doc,
	struct import_sink to)
{
	const struct json_value *of = import_object(in, doc, "result");

	in->r = of ? result_new() : NULL;
	if (!in->r)
		return in->rc ? in->rc : of ? -ENOMEM : 0;
	import_json(in, of);
	import_finish(in);
	if (in->rc == 0)
		result_complete(n, in->r);
	rows_done(n);
	result_free(n->r);
	n->r = NULL;
	if (in->rc < 0) {
		result_free(in->r);
		return in->rc;
	}
	return to.take(to.ctx, in->r);
}

int import_ndjson_line(struct import *in, struct import_ndjson *n, const struct json_value *doc,
	struct import_sink to)
{
	const char *type = json_get(doc, "type")->text;

	if (!strcmp(type, "begin")) {
		int rc = import_ndjson_end(in, n, to); /* of the one before */
		n->r = rc == 0 ? result_new() : NULL;
		if (!n->r)
			return rc ? rc
				  : err_set(in->err, -ENOMEM, "%s: out of memory", in->name);
		in->r = n->r;
		read_begin(in, n, doc);
	} else if (!strcmp(type, "interval") && n->r) {
		in->r = n->r;
		read_interval(in, n, doc);
	} else if (!strcmp(type, "result")) {
		return read_result(in, n, doc, to);
	} else if (!strcmp(type, "refused")) {
		const struct json_value *text = json_get(doc, "text");
		return err_set(in->err, -EINVAL, "%s: nothing was run: %s", in->name,
			text && text->kind == JSON_STRING ? text->text : "refused");
	}
	return in->rc;
}
