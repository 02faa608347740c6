/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "result/import.h"

#include "base/err.h"
#include "result/import_parts.h"

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

/* fio's sum of the others is of no group. */
static bool row_is_sum(const struct result_row *row)
{
	return strcmp(row->name, "All clients") == 0;
}

void import_groups(struct import *in)
{
	struct result *r = in->r;

	if (!r->groups)
		r->groups = import_alloc(in, r->rows_count * sizeof(*r->groups));
	for (uint32_t i = 0; i < r->rows_count && in->rc == 0; i++)
		if (!row_is_sum(&r->rows[i]))
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
		if (!row_is_sum(row))
			result_group_add(group_of(in, row->group), row);
	}
	if (!r->source)
		r->source = ""; /* not this program, whoever it was */
	if (!r->title)
		r->title = import_copy(in, in->name);
}

/* ---- the text ---- */

static struct result *list_add(struct import_list *list)
{
	struct result **more = reallocarray(list->results, list->count + 1, sizeof(*more));

	if (!more)
		return NULL;
	list->results = more;
	more[list->count] = result_new();
	if (!more[list->count])
		return NULL;
	return more[list->count++];
}

static bool blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* Where the next document begins: a brace at the start of a line (or right behind
 * another document) that has a key or its end behind it.  LEN: nowhere. */
static size_t document_next(const char *text, size_t len, size_t at)
{
	bool start = true;

	for (; at < len; at++) {
		char c = text[at];
		if (c == '{' && start) {
			size_t in = at + 1;
			while (in < len && blank(text[in]))
				in++;
			if (in < len && (text[in] == '"' || text[in] == '}'))
				return at;
		}
		start = c == '\n' || c == '\r' || (start && (c == ' ' || c == '\t'));
	}
	return len;
}

static int read_document(struct import *in, size_t len, size_t *at, struct import_list *list)
{
	const struct json_value *doc;
	struct arena tree = {0};

	in->r = list_add(list);
	if (!in->r)
		return err_set(in->err, -ENOMEM, "%s: out of memory", in->name);
	size_t begin = *at;
	int rc = json_read(&tree, in->text, len, at, &doc, in->err);
	if (rc < 0)
		err_within(in->err, "%s", in->name);
	else if (!json_get(doc, "jobs") && !json_get(doc, "client_stats"))
		rc = err_set(in->err, -EINVAL,
			"%s: line %zu: this JSON has neither 'jobs' nor 'client_stats': it is no "
			"report; understood are " IMPORT_UNDERSTOOD,
			in->name, json_line(in->text, begin));
	if (rc == 0) {
		import_json(in, doc);
		import_finish(in);
		rc = in->rc;
	}
	arena_done(&tree);
	return rc;
}

static int read_terse(struct import *in, size_t len, struct import_list *list)
{
	bool found = false;

	in->r = list_add(list);
	if (!in->r)
		return err_set(in->err, -ENOMEM, "%s: out of memory", in->name);
	import_terse(in, len, &found);
	if (found)
		import_finish(in);
	else
		result_free(list->results[--list->count]);
	return in->rc;
}

static int read_all(struct import *in, size_t len, struct import_list *list)
{
	size_t at = document_next(in->text, len, 0);
	int rc = 0;

	for (; at < len && rc == 0; at = document_next(in->text, len, at))
		rc = read_document(in, len, &at, list);
	if (rc == 0 && !list->count)
		rc = read_terse(in, len, list);
	if (rc == 0 && !len)
		return err_set(in->err, -EINVAL, "%s: is empty", in->name);
	if (rc == 0 && !list->count)
		rc = err_set(in->err, -EINVAL,
			"%s: found no report in its %zu bytes; understood are " IMPORT_UNDERSTOOD,
			in->name, len);
	return rc;
}

int import_text(const char *name, const char *text, size_t len, struct import_list *ret,
	struct err *reterr)
{
	struct import in = {.name = name, .text = text, .err = reterr};

	*ret = (struct import_list){0};
	int rc = read_all(&in, len, ret);
	if (rc < 0)
		import_done(ret);
	return rc;
}

void import_done(struct import_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		result_free(list->results[i]);
	free(list->results);
	*list = (struct import_list){0};
}
