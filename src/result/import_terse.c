/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* fio's terse lines, versions 2 to 5: latencies in whole us, sizes in KiB, rates as
 * integers.  What stands where (the reporter is report/fio_terse.c):
 *
 *	V;[fio-version;]name;group;error  head
 *	41 fields (5: 47) a direction     they go on until the user time, "0.5%"
 *	5 cpu, 7 depths, 10 us, 12 ms
 *	9 a disk, "slaves" and 8 more     not in version 2; in client mode a line of their own
 *	2 errors gone on after            with continue_on_error
 *	description                       version 2: a line of its own
 *
 * The percentiles are of clat, unless only lat was measured: a line doesn't say. */
#include "base/bits.h"
#include "base/err.h"
#include "result/import_parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define FIELDS_MAX        4096
#define TERSE_PERCENTILES 20

/* A line in fields, and the next one to be read. */
struct terse {
	struct import *in;
	size_t line;
	unsigned version;
	char **fields;
	size_t count, at;
};

static bool ends_percent(const char *text)
{
	size_t len = strlen(text);
	return len && text[len - 1] == '%';
}

static void terse_fault(struct terse *t, const char *understood)
{
	struct import *in = t->in;
	const char *found = t->at < t->count ? t->fields[t->at] : NULL;

	if (in->rc < 0)
		return;
	in->rc = err_set(in->err, -EINVAL,
		"%s: line %zu: field %zu of this terse line (version %u, %zu fields) is %s%.40s%s; "
		"%s is understood",
		in->name, t->line, t->at + 1, t->version, t->count, found ? "'" : "missing",
		found ? found : "", found ? "'" : "", understood);
}

static const char *take_text(struct terse *t)
{
	if (t->at >= t->count)
		terse_fault(t, "a text");
	return t->in->rc == 0 ? import_copy(t->in, t->fields[t->at++]) : "";
}

static uint64_t take_whole(struct terse *t)
{
	char *end = NULL;
	uint64_t v = 0;

	if (t->at < t->count && t->fields[t->at][0] >= '0' && t->fields[t->at][0] <= '9')
		v = strtoull(t->fields[t->at], &end, 10);
	if (!end || *end) {
		terse_fault(t, "a whole number");
		return 0;
	}
	t->at++;
	return v;
}

/* With a % behind it or without; what isn't a number ("-nan%" of a job without I/O)
 * is NONE. */
static double take_real(struct terse *t, double none)
{
	char *end = NULL;
	double v = 0;

	if (t->at < t->count)
		v = strtod(t->fields[t->at], &end);
	if (!end || end == t->fields[t->at] || (*end && strcmp(end, "%") != 0)) {
		terse_fault(t, "a number");
		return none;
	}
	t->at++;
	return v >= 0 && v <= IMPORT_REAL_MAX ? v : none;
}

/* ---- a direction ---- */

static struct latency *take_latency(struct terse *t)
{
	uint64_t least = take_whole(t), most = take_whole(t);
	double mean = take_real(t, -1), stddev = take_real(t, -1);

	if (t->in->rc < 0 || (!most && !(mean > 0)))
		return NULL;
	struct latency *l = import_latency(t->in);
	if (!l)
		return NULL;
	struct latency_told *told = import_told(l);
	told->mean = mean < 0 ? -1 : mean * NS_PER_US;
	told->stddev = stddev < 0 ? -1 : stddev * NS_PER_US;
	l->moments.min = mul_capped(least, NS_PER_US);
	l->moments.max = mul_capped(most, NS_PER_US);
	return l;
}

/* "99.000000%=17"; "0%=0" is an empty place. */
static void take_percentile(struct terse *t, struct latency *l, struct result_style *style)
{
	char *end = NULL;
	double percent = 0;

	if (t->at < t->count)
		percent = strtod(t->fields[t->at], &end);
	if (!end || strncmp(end, "%=", 2) != 0 || end[2] < '0' || end[2] > '9') {
		terse_fault(t, "a percentile, PERCENT%=MICROSECONDS,");
		return;
	}
	uint64_t us = strtoull(end + 2, NULL, 10);
	t->at++;
	if (!(percent > 0) || percent > 100)
		return;
	if (l)
		import_point(t->in, l, percent, mul_capped(us, NS_PER_US));
	uint32_t k = 0;
	while (k < style->percentiles_count && style->percentiles[k] < percent)
		k++;
	if (k == style->percentiles_count && k < LIMIT_PERCENTILES)
		style->percentiles[style->percentiles_count++] = percent;
}

static void take_samples(struct terse *t, struct result_dir *d)
{
	struct result_dir_told *told = import_dir_told(d);

	d->bw.min = take_real(t, 0) * 1024;
	d->bw.max = take_real(t, 0) * 1024;
	told->bw_percent = take_real(t, -1);
	d->bw.mean = take_real(t, 0) * 1024;
	d->bw.stddev = take_real(t, 0) * 1024;
	told->bw = true;
	if (t->version < 5)
		return;
	d->bw.count = take_whole(t);
	d->iops.min = take_real(t, 0);
	d->iops.max = take_real(t, 0);
	d->iops.mean = take_real(t, 0);
	d->iops.stddev = take_real(t, 0);
	d->iops.count = take_whole(t);
	told->bw_count = told->iops = true;
}

static void take_direction(struct terse *t, struct result_dir *d, struct result_style *style)
{
	struct result_dir_told *told = import_dir_told(d);

	told->present = true;
	d->bytes = mul_capped(take_whole(t), 1024);
	(void)take_whole(t); /* bw: bytes over the runtime */
	told->ios_per_s = take_real(t, -1);
	d->runtime_ns = mul_capped(take_whole(t), NS_PER_MS);
	told->ios = !d->bytes && told->ios_per_s == 0; /* none, then; else the rate only */
	d->slat = take_latency(t);
	d->clat = take_latency(t);
	size_t percentiles = t->at;
	t->at = MIN_OF(t->at + TERSE_PERCENTILES, t->count);
	d->lat = take_latency(t);
	size_t behind = t->at;
	t->at = percentiles;
	for (int i = 0; i < TERSE_PERCENTILES && t->in->rc == 0; i++)
		take_percentile(t, d->clat ? d->clat : d->lat, style);
	style->lat_percentiles |= d->lat && !d->clat;
	style->clat_percentiles |= d->clat && d->clat->told->count;
	t->at = behind;
	take_samples(t, d);
}

/* Blocks go on until a percentage; how many there are says what they are of. */
static void take_directions(struct terse *t, struct result_row *row, struct result_style *style)
{
	size_t width = t->version == 5 ? 47 : 41, n = 0;
	int plain = t->version == 3 ? 2 : 3;

	while (t->at + n * width < t->count && !ends_percent(t->fields[t->at + n * width]))
		n++;
	if (n != 1 && n != (size_t)plain && n != (size_t)plain + 1) {
		t->at = MIN_OF(t->at + n * width, t->count);
		terse_fault(t, "the user time in percent");
		return;
	}
	style->unified = n == 1              ? UNIFIED_MIXED
			 : n > (size_t)plain ? UNIFIED_BOTH
					     : UNIFIED_NONE;
	for (int dir = 0; dir < RESULT_DIRS && t->in->rc == 0; dir++) {
		bool here = dir == RESULT_MIXED ? style->unified != UNIFIED_NONE
						: n > 1 && dir < plain;
		if (here)
			take_direction(t, &row->dir[dir], style);
		row->runtime_ns = MAX_OF(row->runtime_ns, row->dir[dir].runtime_ns);
	}
}

/* ---- the rest of a line ---- */

static const double *take_shares(struct terse *t, uint32_t n)
{
	double *shares = import_alloc(t->in, n * sizeof(*shares));

	for (uint32_t i = 0; shares && i < n && t->in->rc == 0; i++)
		shares[i] = take_real(t, 0);
	return shares;
}

static double take_counters(struct terse *t, struct result_disk_counters *c)
{
	for (int i = 0; i < 2; i++)
		c->ios[i] = take_whole(t);
	for (int i = 0; i < 2; i++)
		c->merges[i] = take_whole(t);
	for (int i = 0; i < 2; i++)
		c->ticks_ms[i] = take_whole(t);
	c->in_queue_ms = take_whole(t);
	return take_real(t, 0);
}

#define DISKS_MAX 64

/* They stand in every line of a run, and are of the whole run: the last ones count. */
static void take_disks(struct terse *t)
{
	struct result *r = t->in->r;

	while (t->in->rc == 0 && t->at + 9 <= t->count && ends_percent(t->fields[t->at + 8])) {
		const char *name = take_text(t);
		uint32_t k = 0;
		if (!r->disks)
			r->disks = import_alloc(t->in, DISKS_MAX * sizeof(*r->disks));
		while (k < r->disks_count && strcmp(r->disks[k].name, name) != 0)
			k++;
		if (!r->disks || k == DISKS_MAX)
			return;
		struct result_disk *d = &r->disks[k];
		d->name = name;
		d->no_sectors = true;
		r->disks_count = MAX_OF(r->disks_count, k + 1);
		d->own.util_percent = take_counters(t, &d->own);
		if (t->at < t->count && !strcmp(t->fields[t->at], "slaves")) {
			t->at++;
			d->util_max = take_counters(t, &d->mean);
			d->slaves = 1;
		}
	}
}

static bool is_whole(const char *text)
{
	return *text && !text[strspn(text, "0123456789")];
}

static void take_tail(struct terse *t, struct result_row *row)
{
	if (t->at + 2 <= t->count && is_whole(t->fields[t->at]) &&
		is_whole(t->fields[t->at + 1])) {
		row->continued_on_error = true;
		row->total_errors = take_whole(t);
		row->first_error = (int)(take_whole(t) & 0xffff);
	}
	if (t->at < t->count)
		row->description = take_text(t);
}

static void take_line(struct terse *t, struct result_row *row)
{
	struct import *in = t->in;

	import_row_init(in, row);
	if (in->rc < 0)
		return;
	struct result_style *style = (struct result_style *)(uintptr_t)row->style;
	struct result_told *told = import_row_told(row);
	t->at = 1;
	if (t->version > 2) {
		const char *source = take_text(t);
		if (!in->r->source)
			in->r->source = source;
	}
	row->name = take_text(t);
	row->group = (uint32_t)take_whole(t);
	row->error = (int)(take_whole(t) & 0xffff);
	row->members = 0; /* one or a group: a line doesn't say */
	take_directions(t, row, style);
	told->user_percent = take_real(t, -1);
	told->system_percent = take_real(t, -1);
	row->cpu.switches_voluntary = take_whole(t);
	row->cpu.faults_major = take_whole(t);
	row->cpu.faults_minor = take_whole(t);
	told->faults = true;
	told->depths = take_shares(t, RESULT_DEPTHS);
	told->us = take_shares(t, 10);
	told->ms = take_shares(t, 12);
	take_disks(t);
	take_tail(t, row);
}

/* ---- lines ---- */

static void split(struct terse *t, char *line)
{
	t->count = 0;
	t->at = 0;
	for (char *rest = line; rest && t->count < FIELDS_MAX;)
		t->fields[t->count++] = strsep(&rest, ";");
}

/* "3;fio-3.33;..." at the start of a line, also of a quoted one. */
static bool is_terse(const char *line)
{
	return line[0] >= '2' && line[0] <= '5' && line[1] == ';';
}

static void read_line(struct terse *t, char *line)
{
	struct result *r = t->in->r;

	line += strspn(line, " \t\r>");
	line[strcspn(line, "\r")] = '\0';
	if (is_terse(line)) {
		t->version = (unsigned)(line[0] - '0');
		split(t, line);
		take_line(t, &r->rows[r->rows_count++]);
	} else if (line[0] == ';' && r->rows_count) {
		split(t, line);
		t->at = 1;
		if (t->count >= 10 && ends_percent(t->fields[9]))
			take_disks(t);
		else if (t->version == 2)
			r->rows[r->rows_count - 1].description = import_copy(t->in, line + 1);
	}
}

static size_t lines_in(const char *text, size_t len)
{
	size_t n = 1;
	for (size_t i = 0; i < len; i++)
		n += text[i] == '\n';
	return n;
}

static size_t count_terse(const char *text, size_t len)
{
	size_t n = 0;

	for (size_t at = 0; at < len;) {
		const char *end = memchr(text + at, '\n', len - at);
		size_t next = end ? (size_t)(end - text) + 1 : len;
		while (at < next && strchr(" \t\r>", text[at]) && text[at])
			at++;
		n += next - at > 2 && is_terse(text + at);
		at = next;
	}
	return n;
}

bool import_is_terse(const char *text, size_t len)
{
	return count_terse(text, len) > 0;
}

void import_terse(struct import *in, size_t len, bool *ret_found)
{
	size_t rows = count_terse(in->text, len), lines = lines_in(in->text, len);
	char *copy = rows ? malloc(len + 1) : NULL;
	struct terse t = {.in = in};

	*ret_found = rows > 0;
	if (!rows)
		return;
	t.fields = reallocarray(NULL, FIELDS_MAX, sizeof(*t.fields));
	in->r->rows = import_alloc(in, rows * sizeof(*in->r->rows));
	in->r->final = true;
	if (!copy || !t.fields)
		import_no_memory(in);
	else {
		memcpy(copy, in->text, len);
		copy[len] = '\0';
	}
	char *rest = copy;
	for (t.line = 1; t.line <= lines && rest && in->rc == 0; t.line++)
		read_line(&t, strsep(&rest, "\n"));
	free(copy);
	free(t.fields);
}
