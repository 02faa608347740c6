/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* The rest of a job block of fio's classic text: processor, depths, totals; and what can
 * be known only when all of the block was read. */
#include "base/bits.h"
#include "base/str.h"
#include "result/import_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void cpu_read(struct text_reader *t, const char *body)
{
	struct result_row *row = text_row(t);
	struct result_told *told = import_row_told(row);
	struct text_number n;

	if (text_find(body, "usr=", &n))
		told->user_percent = n.v;
	if (text_find(body, "sys=", &n))
		told->system_percent = n.v;
	told->faults = text_find_whole(body, "ctx=", &row->cpu.switches_voluntary);
	text_find_whole(body, "majf=", &row->cpu.faults_major);
	text_find_whole(body, "minf=", &row->cpu.faults_minor);
}

/* "1=0.1%, 2=0.1%, ..., >=64=0.0%", in this order in all versions. */
static const double *shares_read(struct text_reader *t, const char *body)
{
	double *shares = import_alloc(&t->in, RESULT_DEPTHS * sizeof(*shares));
	int n = 0;

	for (const char *at = body; shares && n < RESULT_DEPTHS && (at = strchr(at, '='));
		at++) {
		struct text_number share;
		if (text_number(at + 1, &share) && share.suffix[0] == '%')
			shares[n++] = share.v;
	}
	return n == RESULT_DEPTHS ? shares : NULL;
}

/* The numbers behind KEY: "r=1/w=2/d=0", "1/2/0" or "1,2,0,0"; how many there are. */
static int counts_read(const char *body, const char *key, uint64_t *v)
{
	const char *at = strstr(body, key);
	int n = 0;

	for (at = at ? at + strlen(key) : ""; n < 4; n++) {
		struct text_number number;
		if (at[0] && at[1] == '=')
			at += 2;
		if (at[0] < '0' || at[0] > '9' || !text_number(at, &number))
			break;
		v[n] = text_whole(number.v);
		at = number.end;
		if (*at != '/' && *at != ',') {
			n++;
			break;
		}
		at++;
	}
	return n;
}

static void issued_read(struct text_reader *t, const char *body)
{
	struct result_row *row = text_row(t);
	uint64_t total[4] = {0}, shorts[4] = {0}, dropped[4] = {0};
	int n = counts_read(body, "total=", total);
	bool mixed = row->style->unified == UNIFIED_MIXED;

	if (n < 2)
		return;
	counts_read(body, "short=", shorts);
	if (!counts_read(body, "dropped=", dropped))
		counts_read(body, "drop=", dropped);
	for (int dir = 0; dir < (mixed ? 1 : DIRS); dir++) {
		struct result_dir *d = &row->dir[mixed ? RESULT_MIXED : dir];
		struct result_dir_told *told = import_dir_told(d);
		d->issued = total[dir];
		d->short_ios = shorts[dir];
		d->dropped = dropped[dir];
		told->issued = dir < n;
		told->present |= told->issued;
	}
	if (n == 4) {
		row->syncs = total[3];
		import_row_told(row)->syncs = true;
	}
}

/* "total=1, first_error=28/<No space left on device>" */
static void errors_read(struct text_reader *t, const char *body)
{
	struct result_row *row = text_row(t);
	uint64_t code;

	row->continued_on_error = text_find_whole(body, "total=", &row->total_errors);
	if (text_find_whole(body, "first_error=", &code))
		row->first_error = (int)(code & 0xffff);
}

/* Plain numbers: us before 3.0, then ns; the window is us. Since 3.42 with a unit. */
static uint64_t time_of(const struct text_number *n, double plain_ns)
{
	double unit = *n->suffix ? text_time_unit(n->suffix) : plain_ns;
	return text_whole(n->v * unit);
}

static void goal_read(struct text_reader *t, const char *body)
{
	struct result_row *row = text_row(t);
	struct result_style *style = text_style(t);
	struct text_number n;
	uint64_t depth = 0;

	if (!text_find(body, "target=", &n))
		return;
	import_row_told(row)->goal = true;
	style->goal_ns = time_of(&n, t->old || t->major == 2 ? 1e3 : 1);
	if (text_find(body, "window=", &n))
		style->goal_window_ns = time_of(&n, 1e3);
	if (text_find(body, "percentile=", &n))
		style->goal_percent = n.v;
	if (!text_find_whole(body, "depth=", &depth))
		return;
	depth = MIN_OF(depth, (uint64_t)UINT32_MAX);
	if (style->goal_ns)
		row->goal_depth = (uint32_t)depth;
	else
		row->depth_asked = (uint32_t)depth;
}

/* "attained=yes, bw=15.6GiB/s (16.4GB/s), iops=4091k, iops mean dev=11.388%" */
static void steady_read(struct text_reader *t, const char *body)
{
	struct result_steady *s = import_steady(&t->in);
	const char *kind = strstr(body, "mean dev=");
	struct text_number n;

	if (!s)
		return;
	s->attained = str_starts(body, "attained=yes") || strstr(body, "attained=yes");
	if (text_find(body, "bw=", &n))
		s->told_mean[STEADY_BW] = text_times(n.v, text_size_unit(n.suffix, false));
	if (text_find(body, "iops=", &n))
		s->told_mean[STEADY_IOPS] = text_times(n.v, text_count_unit(n.suffix));
	if (text_find(body, "lat=", &n))
		s->told_mean[STEADY_LAT] = text_times(n.v, text_time_unit(n.suffix));
	s->rule.slope = !kind;
	if (!kind)
		kind = strstr(body, "slope=");
	const char *value = kind ? strchr(kind, '=') + 1 : NULL;
	bool falls = value && *value == '-';
	if (value && text_number(value + falls, &n)) {
		s->told_criterion = falls ? -n.v : n.v;
		s->rule.percent = n.suffix[0] == '%';
		s->rule.figure = kind > body + 4 && !strncmp(kind - 3, "bw ", 3) ? STEADY_BW
				 : kind > body + 4 && !strncmp(kind - 4, "lat ", 4)
					 ? STEADY_LAT
					 : STEADY_IOPS;
	}
	text_row(t)->steady = s;
}

void text_read_row(struct text_reader *t, enum text_kind kind, const char *body)
{
	struct result_row *row = text_row(t);
	struct result_told *told = row ? import_row_told(row) : NULL;

	if (!row)
		return;
	t->table = NULL;
	if (kind == TEXT_CPU)
		cpu_read(t, body);
	else if (kind == TEXT_DEPTHS)
		told->depths = shares_read(t, body);
	else if (kind == TEXT_SUBMIT)
		told->submits = shares_read(t, body);
	else if (kind == TEXT_COMPLETE)
		told->completes = shares_read(t, body);
	else if (kind == TEXT_ISSUED)
		issued_read(t, body);
	else if (kind == TEXT_ERRORS)
		errors_read(t, body);
	else if (kind == TEXT_GOAL)
		goal_read(t, body);
	else if (kind == TEXT_STEADY)
		steady_read(t, body);
	t->has_depths |= kind == TEXT_DEPTHS;
}

/* ---- the end of a block ---- */

#define CUT_LEAST                                                                              \
	100 /* from here on what is cut off a whole number is less than a hundredth            \
	     */

/* What the last digit of the rate may hide: a whole number is cut, 9 is up to 9.99. */
static double rate_step(const struct text_reader *t, int dir, double per_s)
{
	bool cut = t->said[dir].iops_step == 0 && per_s >= 0 && per_s < CUT_LEAST;
	return cut ? 1 : t->said[dir].iops_step;
}

/* fio's rate is the count over the time: where the text has it shortened ("102k") and
 * the count agrees with it, the count is what completed. */
static void ios_settle(struct text_reader *t, struct result_dir *d, int dir)
{
	struct result_dir_told *told = import_dir_told(d);
	uint64_t ms = result_runtime_ms(d);

	if (told->issued && !d->issued && !d->bytes) {
		told->ios = true;
		return;
	}
	double step = rate_step(t, dir, told->ios_per_s);
	if (!told->issued || !ms || step == 0)
		return;
	double rate = (double)d->issued * 1000 / (double)ms;
	if (fabs(rate - told->ios_per_s) > step)
		return;
	d->ios = d->issued;
	told->ios = true;
}

/* "794MiB" of I/Os that were all of one size is known to the byte. */
static void bytes_settle(struct text_reader *t, const struct text_header *h,
	struct result_dir *d, int dir)
{
	int first = dir < DIRS ? dir : 0, last = dir < DIRS ? dir : DIRS - 1;
	double bytes = h && !h->clash ? (double)d->issued * h->least[first] : 0;

	for (int i = first; h && i <= last; i++)
		if (h->most[i] != h->least[first] || h->least[i] != h->least[first])
			bytes = 0;
	if (bytes > 0 && !d->short_ios &&
		fabs(bytes - (double)d->bytes) <= t->said[dir].bytes_step)
		d->bytes = text_whole(bytes);
}

/* Percentiles that were told in two ways aren't known. */
static void points_settle(struct latency *l, struct result_style *style)
{
	struct latency_told *told = l ? import_told(l) : NULL;
	struct latency_point *points = told ? (struct latency_point *)(uintptr_t)told->points
					    : NULL;
	uint32_t n = 0;

	for (uint32_t i = 0; told && i < told->count; i++)
		if (points[i].ns != TEXT_UNKNOWN)
			points[n++] = points[i];
	if (told)
		told->count = n;
	import_style_take(style, l);
}

static void spread_settle(struct text_reader *t, struct result_told *told)
{
	const double **all[] = {&told->us, &told->ms, &told->ns};

	if (!told->ns && !told->us && !told->ms)
		return;
	for (int i = 0; i < (t->old || t->major == 2 ? 2 : 3); i++)
		if (!*all[i])
			*all[i] = import_alloc(&t->in, 12 * sizeof(**all[i]));
}

void text_row_end(struct text_reader *t)
{
	struct result_row *row = text_row(t);

	if (!row || t->in.rc < 0)
		return;
	struct result_style *style = text_style(t);
	for (int dir = 0; dir < RESULT_DIRS; dir++) {
		struct result_dir *d = &row->dir[dir];
		ios_settle(t, d, dir);
		bytes_settle(t, text_header_of(t, row->name, row->group), d, dir);
		points_settle(d->slat, style);
		points_settle(d->clat, style);
		points_settle(d->lat, style);
		for (uint32_t i = 0; i < d->prios_count; i++)
			points_settle(d->prios[i].latency, style);
	}
	points_settle(row->sync, style);
	import_style_sort(style);
	spread_settle(t, import_row_told(row));
	if (!t->has_depths) {
		row->partial = t->in.r->partial = true;
		if (result_note_add(t->in.r, "cut", NOTE_DOUBTFUL, row->name,
			    "the text ends within this job") < 0)
			import_no_memory(&t->in);
	}
	t->in_row = false;
	t->dir = -1;
	t->table = NULL;
}
