/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Job blocks of fio's classic text: headers, directions, latencies. */
#include "base/bits.h"
#include "base/str.h"
#include "result/import_text.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct result_row *text_row(struct text_reader *t)
{
	return t->in_row ? &t->in.r->rows[t->in.r->rows_count - 1] : NULL;
}

struct result_style *text_style(struct text_reader *t)
{
	return (struct result_style *)(uintptr_t)text_row(t)->style;
}

/* ---- headers ---- */

/* A word up to a comma, a blank or the end. */
static void word_copy(const char *body, const char *key, char *to, size_t room)
{
	const char *at = strstr(body, key);

	if (at)
		snprintf(to, room, "%.*s", (int)strcspn(at + strlen(key), ", \n"),
			at + strlen(key));
}

static const char *range_take(const char *at, double *least, double *most)
{
	struct text_number n;

	if (!text_number(at, &n))
		return NULL;
	*least = *most = n.v * text_size_unit(n.suffix, true);
	if (*n.end != '-')
		return n.end;
	if (!text_number(n.end + 1, &n))
		return NULL;
	*most = n.v * text_size_unit(n.suffix, true);
	return n.end;
}

/* "4K-4K/4K-4K/4K-4K", "4096B-4096B,...", "(R) 4096B-4096B, (W) ...": units are 1024
 * in all versions. The first of two, before trims had their own, is for them too. */
static void sizes_read(struct text_header *h, const char *body)
{
	const char *at = strstr(body, "bs=");

	at = at ? at + 3 : NULL;
	for (int dir = 0; dir < DIRS && at; dir++) {
		while (*at == ',' || *at == '/' || *at == ' ' || *at == '\n')
			at++;
		if (at[0] == '(' && at[1] && at[2] == ')')
			at += 3;
		at = range_take(at, &h->least[dir], &h->most[dir]);
		if (at && *at != '/' && *at != ',')
			break;
	}
}

const struct text_header *text_header_of(const struct text_reader *t, const char *name,
	uint32_t group)
{
	for (uint32_t i = 0; i < t->headers_count; i++)
		if (t->headers[i].group == group && !strcmp(t->headers[i].name, name))
			return &t->headers[i];
	return NULL;
}

static bool same(const struct text_header *a, const struct text_header *b)
{
	bool sizes = true;

	for (int dir = 0; dir < DIRS; dir++)
		sizes &= a->least[dir] == b->least[dir] && a->most[dir] == b->most[dir];
	return sizes && !strcmp(a->rw, b->rw) && !strcmp(a->engine, b->engine) &&
	       a->depth == b->depth;
}

void text_read_header(struct text_reader *t, const char *name, const char *body)
{
	const char *group = strstr(body, "(g=");
	struct text_header h = {0};
	uint64_t n = 0;

	snprintf(h.name, sizeof(h.name), "%s", name);
	h.group = group ? (uint32_t)strtoul(group + 3, NULL, 10) : 0;
	word_copy(body, "rw=", h.rw, sizeof(h.rw));
	word_copy(body, "ioengine=", h.engine, sizeof(h.engine));
	if (text_find_whole(body, "iodepth=", &n))
		h.depth = (uint32_t)MIN_OF(n, (uint64_t)UINT32_MAX);
	sizes_read(&h, body);
	for (uint32_t i = 0; i < t->headers_count; i++) {
		struct text_header *known = &t->headers[i];
		if (known->group != h.group || strcmp(known->name, h.name) != 0)
			continue;
		known->clash |= !same(known, &h);
		return;
	}
	if (t->headers_count < TEXT_HEADERS)
		t->headers[t->headers_count++] = h;
}

static void size_add(struct str *out, double bytes)
{
	static const char *const units[] = {"", "k", "m", "g"};
	unsigned unit = 0;

	for (; unit < 3 && bytes >= 1024 && fmod(bytes, 1024) == 0; unit++)
		bytes /= 1024;
	str_addf(out, "%.0f%s", bytes, units[unit]);
}

static void range_add(struct str *out, const struct text_header *h, int dir)
{
	size_add(out, h->least[dir]);
	if (h->most[dir] > h->least[dir]) {
		str_add_char(out, '-');
		size_add(out, h->most[dir]);
	}
}

static bool does(const char *rw, int dir)
{
	if (strstr(rw, "trimwrite"))
		return dir != DIR_READ;
	if (strstr(rw, "rw"))
		return dir != DIR_TRIM;
	return strstr(rw, result_dir_name(dir)) != NULL;
}

/* "randread 4k", "randrw 4k,8k". */
static const char *what_of(struct import *in, const struct text_header *h)
{
	struct str text = {0};
	int last = -1;

	str_add(&text, h->rw);
	for (int dir = 0; dir < DIRS; dir++) {
		if (!does(h->rw, dir) || h->most[dir] <= 0)
			continue;
		if (last >= 0 && h->least[dir] == h->least[last] &&
			h->most[dir] == h->most[last])
			continue;
		str_add_char(&text, last < 0 ? ' ' : ',');
		range_add(&text, h, dir);
		last = dir;
	}
	const char *copy = text.failed ? NULL : import_copy(in, str_text(&text));
	if (!copy)
		import_no_memory(in);
	str_done(&text);
	return copy;
}

/* ---- the head of a block ---- */

static bool rows_grow(struct text_reader *t)
{
	struct result *r = t->in.r;

	if (r->rows_count < t->rows_room)
		return true;
	uint32_t room = MAX_OF(t->rows_room * 2, UINT32_C(8));
	struct result_row *more = import_alloc(&t->in, room * sizeof(*more));
	if (!more)
		return false;
	if (r->rows_count)
		memcpy(more, r->rows, r->rows_count * sizeof(*more));
	r->rows = more;
	t->rows_room = room;
	return true;
}

/* "err=28 (file:io_u.c:1311, func=io_u error, error=No space left on device): pid=" */
static void error_read(struct import *in, const char *body, struct result_row *row)
{
	const char *at = strstr(body, "err="), *func;
	struct text_number n;

	if (!at || !text_number(at + 4, &n))
		return;
	row->error = (int)MIN_OF(n.v, 65535.0);
	func = strstr(at, "func=");
	const char *end = func ? strstr(func, "): pid=") : NULL;
	if (!end)
		return;
	char *text = arena_bytes(&in->r->arena, func, (size_t)(end - func));
	if (text)
		row->error_text = text;
	else
		import_no_memory(in);
}

/* "pid=1191: Wed Dec 13 14:48:18 2017": when the report was written, on its clock. */
static void date_read(struct text_reader *t, const char *body)
{
	const char *at = strstr(body, " pid=");
	char date[32];
	size_t n = 0;

	at = at ? strstr(at, ": ") : NULL;
	if (!at || t->in.r->date)
		return;
	for (at += 2; *at && n + 1 < sizeof(date); at++) {
		if (n == 8 && at[1] == ' ')
			date[n++] = ' '; /* "May  9": blanks are single here */
		date[n++] = *at == '\n' ? ' ' : *at;
	}
	while (n && date[n - 1] == ' ')
		n--;
	date[n] = '\0';
	if (n == 24 && date[3] == ' ' && date[13] == ':' && date[16] == ':')
		t->in.r->date = import_copy(&t->in, date);
}

void text_read_head(struct text_reader *t, const char *name, const char *body)
{
	struct import *in = &t->in;
	struct result *r = in->r;
	uint64_t n = 0;

	if (!rows_grow(t))
		return;
	struct result_row *row = &r->rows[r->rows_count];
	*row = (struct result_row){0};
	import_row_init(in, row);
	row->name = import_copy(in, name);
	if (in->rc < 0)
		return;
	r->rows_count++;
	t->in_row = true;
	t->dir = -1;
	t->old = t->in_sync = t->has_depths = false;
	t->table = NULL;
	memset(t->said, 0, sizeof(t->said));
	if (text_find_whole(body, "groupid=", &n))
		row->group = (uint32_t)MIN_OF(n, (uint64_t)UINT32_MAX);
	if (text_find_whole(body, "jobs=", &n))
		row->members = (uint32_t)MIN_OF(n, (uint64_t)UINT32_MAX);
	if (text_find_whole(body, "pid=", &n))
		row->pid = (int)MIN_OF(n, (uint64_t)INT32_MAX);
	error_read(in, body, row);
	date_read(t, body);
	const struct text_header *h = text_header_of(t, name, row->group);
	if (!h || h->clash)
		return;
	row->engine = import_copy(in, h->engine);
	row->depth_asked = h->depth;
	row->what = what_of(in, h);
}

/* ---- a direction ---- */

static int dir_named(const char *words)
{
	for (int dir = 0; dir < RESULT_DIRS; dir++) {
		const char *name = result_dir_name(dir);
		if (str_starts(words, name))
			return dir;
	}
	return -1;
}

static void rate_read(struct text_reader *t, const char *body, const char *key,
	struct result_dir *d)
{
	struct text_number n;
	double unit;

	if (!text_find(body, key, &n) || (unit = text_count_unit(n.suffix)) == 0)
		return;
	import_dir_told(d)->ios_per_s = text_times(n.v, unit);
	t->said[t->dir].iops_step = unit > 1 ? text_step(&n) * unit : 0;
}

static void bytes_read(struct text_reader *t, const struct text_number *n, struct result_dir *d)
{
	double unit = text_size_unit(n->suffix, t->old);

	d->bytes = text_whole(n->v * unit);
	t->said[t->dir].bytes_step = text_step(n) * unit;
}

/* "read : io=860504KB, bw=430037KB/s, iops=107509 , runt= 2001msec" */
static void old_read(struct text_reader *t, const char *body, struct result_dir *d)
{
	struct text_number n;
	uint64_t ms;

	if (text_find(body, "io=", &n))
		bytes_read(t, &n, d);
	rate_read(t, body, "iops=", d);
	if (text_find_whole(body, "runt=", &ms))
		d->runtime_ns = mul_capped(ms, NS_PER_MS);
}

/* "read: IOPS=85.2k, BW=333MiB/s (349MB/s)(333MiB/1001msec)" */
static void new_read(struct text_reader *t, const char *body, struct result_dir *d)
{
	struct result_style *style = text_style(t);
	const char *slash = strstr(body, "msec)");
	struct text_number n;

	rate_read(t, body, "IOPS=", d);
	if (text_find(body, "BW=", &n) && *n.suffix) {
		if (!strchr(n.suffix, 'i') || !strncmp(strchr(n.suffix, 'i'), "it", 2))
			style->kb_base = n.suffix[0] == 'B' ? 1024 : 1000;
		style->unit_base = strstr(n.suffix, "bit") ? 1 : 8;
	}
	while (slash && slash > body && *slash != '/')
		slash--;
	if (!slash || slash == body || !text_number(slash + 1, &n))
		return;
	d->runtime_ns = text_whole(n.v * NS_PER_MS);
	while (slash > body && *slash != '(')
		slash--;
	if (*slash == '(' && text_number(slash + 1, &n))
		bytes_read(t, &n, d);
}

void text_read_direction(struct text_reader *t, const char *words, const char *body)
{
	struct result_row *row = text_row(t);

	t->dir = dir_named(words);
	if (!row || t->dir < 0)
		return;
	struct result_dir *d = &row->dir[t->dir];
	import_dir_told(d)->present = true;
	t->table = NULL;
	t->in_sync = false;
	t->old = !strstr(body, "IOPS=");
	if (t->old)
		old_read(t, body, d);
	else
		new_read(t, body, d);
	row->runtime_ns = MAX_OF(row->runtime_ns, d->runtime_ns);
	if (t->dir == RESULT_MIXED) {
		bool apart = row->dir[DIR_READ].told->present ||
			     row->dir[DIR_WRITE].told->present ||
			     row->dir[DIR_TRIM].told->present;
		text_style(t)->unified = apart ? UNIFIED_BOTH : UNIFIED_MIXED;
	}
}
