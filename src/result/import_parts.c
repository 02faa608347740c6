/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "result/import_parts.h"

#include "base/err.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- faults ---- */

void import_fault(struct import *in, const struct json_value *v, const char *understood)
{
	if (in->rc == 0)
		in->rc = err_set(in->err, -EINVAL,
			"%s: line %zu: '%.40s' is %s%.24s; %s is understood", in->name,
			json_line(in->text, v->at), v->key ? v->key : "",
			json_kind_name(v->kind),
			v->kind == JSON_NUMBER && v->real < 0 ? " below 0" : "", understood);
}

void import_no_memory(struct import *in)
{
	if (in->rc == 0)
		in->rc = err_set(in->err, -ENOMEM, "%s: out of memory", in->name);
}

void *import_alloc(struct import *in, size_t bytes)
{
	void *mem = in->rc == 0 ? arena_alloc(&in->r->arena, bytes ? bytes : 1) : NULL;
	if (!mem)
		import_no_memory(in);
	return mem;
}

const char *import_copy(struct import *in, const char *text)
{
	const char *copy = in->rc == 0 && text ? arena_text(&in->r->arena, text) : NULL;
	if (text && !copy)
		import_no_memory(in);
	return copy;
}

/* ---- members ---- */

static const struct json_value *member(struct import *in, const struct json_value *of,
	const char *key, enum json_kind kind)
{
	const struct json_value *v = in->rc == 0 ? json_get(of, key) : NULL;

	if (!v || v->kind == JSON_NOTHING)
		return NULL;
	if (v->kind == kind)
		return v;
	import_fault(in, v, json_kind_name(kind));
	return NULL;
}

const struct json_value *import_object(struct import *in, const struct json_value *of,
	const char *key)
{
	return member(in, of, key, JSON_OBJECT);
}

const struct json_value *import_array(struct import *in, const struct json_value *of,
	const char *key)
{
	return member(in, of, key, JSON_ARRAY);
}

bool import_whole(struct import *in, const struct json_value *of, const char *key,
	uint64_t *ret)
{
	const struct json_value *v = member(in, of, key, JSON_NUMBER);

	if (!v)
		return false;
	if (v->real < 0 || (!v->is_whole && v->real >= 0x1p64)) {
		import_fault(in, v, "a number from 0 to 2^64");
		return false;
	}
	*ret = v->is_whole ? v->whole : (uint64_t)v->real;
	return true;
}

bool import_real(struct import *in, const struct json_value *of, const char *key, double *ret)
{
	const struct json_value *v = member(in, of, key, JSON_NUMBER);

	if (!v || fabs(v->real) > IMPORT_REAL_MAX)
		return false;
	*ret = v->real;
	return true;
}

bool import_int(struct import *in, const struct json_value *of, const char *key, int *ret)
{
	const struct json_value *v = member(in, of, key, JSON_NUMBER);

	if (!v)
		return false;
	if (fabs(v->real) > 0x7fffffff) {
		import_fault(in, v, "a number of 32 bits");
		return false;
	}
	*ret = (int)v->real;
	return true;
}

const char *import_string(struct import *in, const struct json_value *of, const char *key)
{
	const struct json_value *v = member(in, of, key, JSON_STRING);
	return v ? import_copy(in, v->text) : NULL;
}

bool import_bool(struct import *in, const struct json_value *of, const char *key, bool *ret)
{
	const struct json_value *v = member(in, of, key, JSON_BOOL);

	if (v)
		*ret = v->is_true;
	return v;
}

/* ---- parts of a result ---- */

/* They are made here, not const, and only read elsewhere. */
struct latency_told *import_told(struct latency *l)
{
	return (struct latency_told *)(uintptr_t)l->told;
}

struct result_told *import_row_told(struct result_row *row)
{
	return (struct result_told *)(uintptr_t)row->told;
}

struct result_dir_told *import_dir_told(struct result_dir *d)
{
	return (struct result_dir_told *)(uintptr_t)d->told;
}

struct latency *import_latency(struct import *in)
{
	struct latency *l = import_alloc(in, sizeof(*l));
	struct latency_told *told = import_alloc(in, sizeof(*told));

	if (!l || !told)
		return NULL;
	*told = (struct latency_told){.mean = -1, .stddev = -1};
	l->told = told;
	return l;
}

void import_latency_bins(struct latency *l, const struct histogram *h)
{
	struct latency_told *told = import_told(l);
	double sum = 0;

	if (&l->histogram != h)
		l->histogram = *h;
	l->moments.count = h->count;
	l->moments.min = histogram_bin_mid(h->lo);
	l->moments.max = histogram_bin_mid(h->hi);
	for (uint32_t bin = h->lo; bin <= h->hi; bin++)
		sum += (double)h->bins[bin] * (double)histogram_bin_mid(bin);
	told->counted = true;
	told->mean = sum / (double)h->count;
}

#define POINTS_MAX 64 /* percentile_list has 20, weir's own five */

void import_point(struct import *in, struct latency *l, double percent, uint64_t ns)
{
	struct latency_told *told = import_told(l);
	struct latency_point *points = (struct latency_point *)(uintptr_t)told->points;

	for (uint32_t i = 0; i < told->count; i++)
		if (points[i].percent == percent)
			return;
	if (!points)
		told->points = points = import_alloc(in, POINTS_MAX * sizeof(*points));
	if (!points || told->count == POINTS_MAX)
		return;
	points[told->count++] = (struct latency_point){.percent = percent, .ns = ns};
}

void import_row_init(struct import *in, struct result_row *row)
{
	struct result_told *told = import_alloc(in, sizeof(*told));
	struct result_style *style = import_alloc(in, sizeof(*style));

	for (int dir = 0; dir < RESULT_DIRS; dir++) {
		struct result_dir_told *d = import_alloc(in, sizeof(*d));
		if (!d)
			return;
		*d = (struct result_dir_told){.ios_per_s = -1, .bw_percent = -1};
		row->dir[dir].told = d;
	}
	if (!told || !style)
		return;
	*told = (struct result_told){.user_percent = -1, .system_percent = -1};
	*style = (struct result_style){
		.percentile_decimals = 2,
		.kb_base = 1024,
		.unit_base = 8,
		.digits = 4,
	};
	row->told = told;
	row->style = style;
	row->members = 1;
	row->name = "";
	row->engine_used = "";
	row->error_text = "";
}

static int compare_doubles(const void *a, const void *b)
{
	double x, y;
	memcpy(&x, a, sizeof(x));
	memcpy(&y, b, sizeof(y));
	return (x > y) - (x < y);
}

void import_style_take(struct result_style *style, const struct latency *l)
{
	for (uint32_t i = 0; l && i < l->told->count; i++) {
		double percent = l->told->points[i].percent;
		uint32_t k = 0;
		while (k < style->percentiles_count && style->percentiles[k] != percent)
			k++;
		if (k == style->percentiles_count && k < LIMIT_PERCENTILES)
			style->percentiles[style->percentiles_count++] = percent;
	}
}

void import_style_sort(struct result_style *style)
{
	qsort(style->percentiles, style->percentiles_count, sizeof(style->percentiles[0]),
		compare_doubles);
}

struct result_steady *import_steady(struct import *in)
{
	struct result_steady *s = import_alloc(in, sizeof(*s));

	if (!s)
		return NULL;
	*s = (struct result_steady){.told = true, .text = "", .told_criterion = NAN};
	for (int i = 0; i < STEADY_FIGURES; i++)
		s->told_mean[i] = -1;
	return s;
}

/* Room for one a row is made before. */
static struct result_group *group_of(struct import *in, uint32_t id)
{
	struct result *r = in->r;

	for (uint32_t i = 0; i < r->groups_count; i++)
		if (r->groups[i].id == id)
			return &r->groups[i];
	r->groups[r->groups_count].id = id;
	return &r->groups[r->groups_count++];
}

bool import_row_is_sum(const struct result_row *row)
{
	return strcmp(row->name, "All clients") == 0;
}

void import_groups(struct import *in)
{
	struct result *r = in->r;

	if (!r->groups)
		r->groups = import_alloc(in, r->rows_count * sizeof(*r->groups));
	for (uint32_t i = 0; i < r->rows_count && in->rc == 0; i++)
		if (!import_row_is_sum(&r->rows[i]))
			group_of(in, r->rows[i].group);
}

void import_finish(struct import *in)
{
	struct result *r = in->r;

	if (in->rc < 0)
		return;
	import_groups(in);
	for (uint32_t i = 0; i < r->rows_count && in->rc == 0; i++) {
		struct result_row *row = &r->rows[i];
		if (row->error && row->end == END_DONE)
			row->end = END_ERROR;
		r->failed += row->end != END_DONE && row->error;
		if (!import_row_is_sum(row))
			result_group_add(group_of(in, row->group), row);
	}
	if (!r->source)
		r->source = ""; /* not this program, whoever it was */
	if (!r->title)
		r->title = import_copy(in, in->name);
}
