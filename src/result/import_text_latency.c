/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Latencies, their percentiles and distribution, and samples of rates in a block of
 * fio's classic text. */
#include "base/bits.h"
#include "base/str.h"
#include "result/import_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool latency_fill(struct latency *l, const char *body, double ns)
{
	struct text_number least, most, mean, dev;

	if (!text_find(body, "min=", &least) || !text_find(body, "max=", &most) ||
		!text_find(body, "avg=", &mean))
		return false;
	struct latency_told *told = import_told(l);
	l->moments.min = text_whole(least.v * text_count_unit(least.suffix) * ns);
	l->moments.max = text_whole(most.v * text_count_unit(most.suffix) * ns);
	told->mean = text_times(mean.v, ns);
	if (text_find(body, "stdev=", &dev))
		told->stddev = text_times(dev.v, ns);
	return true;
}

/* The kernel's value of "prio CLASS/LEVEL/HINT". */
static bool prio_read(const char *words, uint16_t *ret)
{
	const char *at = strstr(words, "prio ");
	unsigned v[3] = {0};

	if (!at)
		return false;
	at += 5;
	for (int i = 0; i < 3; i++) {
		char *end;
		v[i] = (unsigned)strtoul(at, &end, 10);
		at = *end == '/' ? end + 1 : end;
	}
	*ret = (uint16_t)((v[0] & 7) << 13 | (v[2] & 1023) << 3 | (v[1] & 7));
	return true;
}

/* Where what WORDS begin belongs: "clat (", "clat percentiles (", "clat prio 1/0/0 (". */
static struct latency **latency_place(struct text_reader *t, const char *words, bool make)
{
	struct result_row *row = text_row(t);
	struct result_dir *d = t->dir >= 0 ? &row->dir[t->dir] : NULL;
	uint16_t value;

	if (str_starts(words, "sync"))
		return t->in_sync ? &row->sync : NULL;
	if (!d)
		return NULL;
	if (!prio_read(words, &value))
		return words[0] == 's' ? &d->slat : words[0] == 'c' ? &d->clat : &d->lat;
	for (uint32_t i = 0; i < d->prios_count; i++)
		if (d->prios[i].value == value)
			return &d->prios[i].latency;
	if (!make || d->prios_count == RESULT_PRIOS)
		return NULL;
	if (!d->prios)
		d->prios = import_alloc(&t->in, RESULT_PRIOS * sizeof(*d->prios));
	if (!d->prios)
		return NULL;
	d->prios_of_lat = words[0] == 'l';
	d->prios[d->prios_count].value = value;
	return &d->prios[d->prios_count++].latency;
}

static double unit_of(const char *words)
{
	const char *at = strrchr(words, '(');
	char unit[8] = "";

	if (at)
		snprintf(unit, sizeof(unit), "%.*s", (int)strcspn(at + 1, ")"), at + 1);
	return text_time_unit(unit);
}

/* "lat (usec) : 2=0.01%, 4=0.01%": of all directions. */
static void spread_read(struct text_reader *t, double ns, const char *body)
{
	static const unsigned labels[] = {2, 4, 10, 20, 50, 100, 250, 500, 750, 1000, 2000};
	struct result_told *told = import_row_told(text_row(t));
	const double **to = ns < 1e3 ? &told->ns : ns < 1e6 ? &told->us : &told->ms;
	struct text_number n;

	if (!*to)
		*to = import_alloc(&t->in, 12 * sizeof(**to));
	double *shares = (double *)(uintptr_t)*to;
	for (const char *at = body; shares && (at = strchr(at, '=')); at++) {
		const char *begin = at;
		while (begin > body && begin[-1] >= '0' && begin[-1] <= '9')
			begin--;
		if (begin == body || at == begin) {
			/* the '=' of ">=2000=" */
			continue;
		}
		unsigned label = (unsigned)strtoul(begin, NULL, 10);
		size_t i = begin[-1] == '=' ? COUNT_OF(labels) : 0;
		while (i < COUNT_OF(labels) && labels[i] != label)
			i++;
		if (i < (ns < 1e6 ? 10u : 12u) && text_number(at + 1, &n) && n.v <= 100.01)
			shares[i] = n.v;
	}
}

void text_read_latency(struct text_reader *t, const char *words, const char *body)
{
	double ns = unit_of(words);

	if (!text_row(t) || ns == 0)
		return;
	if (str_starts(words, "lat") && !strstr(body, "min=")) {
		spread_read(t, ns, body);
		return;
	}
	struct latency *l = import_latency(&t->in);
	struct latency **place = l && latency_fill(l, body, ns) ? latency_place(t, words, true)
								: NULL;
	if (place && !*place)
		*place = l;
}

/* ---- percentiles ---- */

void text_read_percentiles(struct text_reader *t, const char *words)
{
	struct latency **place = text_row(t) ? latency_place(t, words, false) : NULL;
	struct result_style *style = place ? text_style(t) : NULL;

	t->table = place ? *place : NULL;
	t->table_ns = (uint64_t)unit_of(words);
	if (!t->table || strstr(words, "prio") || t->in_sync)
		return;
	style->slat_percentiles |= words[0] == 's';
	style->clat_percentiles |= words[0] == 'c';
	style->lat_percentiles |= words[0] == 'l';
}

/* A percentile that was written with too few decimals stands there several times
 * ("100th" for 99.95): then none of them is known. */
static void cell_add(struct text_reader *t, double percent, bool whole, uint64_t ns)
{
	struct latency_told *told = import_told(t->table);
	struct latency_point *points = (struct latency_point *)(uintptr_t)told->points;

	for (uint32_t i = 0; i < told->count; i++) {
		if (points[i].percent != percent)
			continue;
		if (whole || points[i].ns != ns)
			points[i].ns = TEXT_UNKNOWN;
		return;
	}
	import_point(&t->in, t->table, percent, ns);
}

/* "| 1.00th=[ 7], 5.00th=[ 7]" */
void text_read_cells(struct text_reader *t, const char *body)
{
	struct text_number percent, value;

	if (!t->table || !text_row(t))
		return;
	for (const char *at = body + 1; text_number(at, &percent);) {
		at = strstr(percent.end, "=[");
		if (strncmp(percent.suffix, "th", 2) != 0 || !at || at > percent.end + 2 ||
			!text_number(at + 2, &value))
			return;
		struct result_style *style = text_style(t);
		style->percentile_decimals = MAX_OF(style->percentile_decimals,
			MIN_OF(percent.decimals, 9u));
		double ns = value.v * (double)t->table_ns;
		if (percent.v > 0 && percent.v <= 100 && *value.end == ']')
			cell_add(t, percent.v, !percent.decimals, text_whole(ns));
		at = value.end + strspn(value.end, "], \n");
		if (*at == '|')
			at++;
	}
}

/* ---- samples ---- */

void text_read_bw(struct text_reader *t, const char *words, const char *body)
{
	struct result_row *row = text_row(t);
	struct text_number n;
	char unit[12];

	if (!row || t->dir < 0)
		return;
	struct result_dir *d = &row->dir[t->dir];
	struct result_dir_told *told = import_dir_told(d);
	const char *open = strchr(words, '(');
	size_t len = 0;
	for (const char *at = open ? open + 1 : ""; *at && *at != ')'; at++)
		if (*at != ' ' && *at != '\n' && len + 1 < sizeof(unit))
			unit[len++] = *at;
	unit[len] = '\0';
	double bytes = text_size_unit(unit, t->old);
	const struct {
		const char *key;
		double *to;
	} fields[] = {{"min=", &d->bw.min}, {"max=", &d->bw.max}, {"avg=", &d->bw.mean},
		{"stdev=", &d->bw.stddev}};
	if (bytes <= 0 || !text_find(body, "avg=", &n))
		return;
	for (size_t i = 0; i < COUNT_OF(fields); i++)
		if (text_find(body, fields[i].key, &n))
			*fields[i].to = text_times(n.v, text_count_unit(n.suffix) * bytes);
	told->bw = true;
	told->bw_count = text_find_whole(body, "samples=", &d->bw.count);
	bool wrong = !t->old && !told->bw_count; /* 2.17 to 2.21: 1024 times too small */
	if (!wrong && text_find(body, "per=", &n))
		told->bw_percent = n.v;
}

void text_read_iops(struct text_reader *t, const char *body)
{
	struct result_row *row = text_row(t);
	struct text_number n;

	if (!row || t->dir < 0)
		return;
	struct result_dir *d = &row->dir[t->dir];
	const struct {
		const char *key;
		double *to;
	} fields[] = {{"min=", &d->iops.min}, {"max=", &d->iops.max}, {"avg=", &d->iops.mean},
		{"stdev=", &d->iops.stddev}};
	for (size_t i = 0; i < COUNT_OF(fields); i++)
		if (text_find(body, fields[i].key, &n))
			*fields[i].to = text_times(n.v, text_count_unit(n.suffix));
	import_dir_told(d)->iops = text_find_whole(body, "samples=", &d->iops.count);
}
