/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* fio's normal output: prints the result top to bottom, in the form of 3.42.
 *
 *	mix: (groupid=0, jobs=1): err= 0: pid=7336: Mon Nov 30 16:18:32 2026   head
 *	  read: IOPS=85.2k, BW=333MiB/s (349MB/s)(333MiB/1001msec)             direction
 *	    slat (nsec): min=457, ...                                     classic_latency.c
 *	   bw (  KiB/s): min=305616, ...                                       samples
 *	  cpu          : usr=5.80%, ...                                        tail
 *	Run status group 0 (all jobs):                                  classic_group.c */
#include "report/classic.h"

#include "base/bits.h"
#include "base/str.h"
#include "report/report.h"
#include "report/scaled.h"
#include "result/result.h"
#include "result/style.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define ERROR_TEXT_MAX 128 /* fio cuts the parenthesis there; some scripts' lines are fixed */

static void block_head(const struct result *r, const struct result_row *row, struct str *out)
{
	char date[64] = "", text[ERROR_TEXT_MAX] = "";

	if (r->time_ms)
		fio_date(r->time_ms, date, sizeof(date));
	else if (r->date)
		snprintf(date, sizeof(date), "%s", r->date);
	str_addf(out, "%s: (groupid=%" PRIu32 ", jobs=%" PRIu32 "): err=%2d", row->name,
		row->group, row->members, fio_error(row));
	if (fio_error(row)) {
		if (row->error_text && *row->error_text)
			snprintf(text, sizeof(text), RESULT_ERROR_PLACE ", %s",
				row->error_text);
		else if (!row->error)
			snprintf(text, sizeof(text),
				RESULT_ERROR_PLACE ", func=io_u error, error=%s",
				strerror(fio_error(row)));
		str_addf(out, " (%s)", text);
	}
	str_addf(out, ": pid=%d%s%s\n", row->pid, *date ? ": " : "", date);
	if (row->description && *row->description)
		str_addf(out, "  Description  : [%s]\n", row->description);
}

static void bw_line(const struct result *r, const struct result_row *row, int dir,
	struct str *out)
{
	const struct samples *bw = &row->dir[dir].bw;
	bool decimal = fio_style(row)->kb_base == 1000;
	double base = decimal ? 1000 : 1024;
	const char *unit = decimal ? "kB" : "KiB";
	double unit_bytes = base;

	if (!bw->count && !(row->told && bw->mean > 0))
		return;
	if (bw->mean > base * base * base) {
		unit = decimal ? "MB" : "MiB";
		unit_bytes *= base;
	}
	str_addf(out,
		"   bw (%5s/s): min=%5" PRIu64 ", max=%5" PRIu64 ", per=%.2f%%, avg=%5.2f, "
		"stdev=%5.2f",
		unit, (uint64_t)(bw->min / unit_bytes), (uint64_t)(bw->max / unit_bytes),
		fio_bw_percent(r, row, dir), bw->mean / unit_bytes, bw->stddev / unit_bytes);
	if (bw->count)
		str_addf(out, ", samples=%" PRIu64, bw->count);
	str_add_char(out, '\n');
}

static void iops_line(const struct result_dir *d, struct str *out)
{
	const struct samples *iops = &d->iops;

	if (!iops->count)
		return;
	str_addf(out,
		"   iops        : min=%5" PRIu64 ", max=%5" PRIu64 ", avg=%5.2f, stdev=%5.2f, "
		"samples=%" PRIu64 "\n",
		(uint64_t)iops->min, (uint64_t)iops->max, iops->mean, iops->stddev,
		iops->count);
}

static void block_direction(const struct result *r, const struct result_row *row, int dir,
	struct str *out)
{
	const struct result_dir *d = &row->dir[dir];
	const struct result_style *style = fio_style(row);
	uint64_t ms = result_runtime_ms(d);

	if (!d->bytes || !ms || !result_shows(row, dir))
		return;
	str_addf(out, "  %s: IOPS=", result_dir_name(dir));
	report_scaled(out, d->told ? (uint64_t)fio_iops(d) : mul_div(d->ios, 1000, ms),
		style->digits, 1000, "");
	str_add(out, ", BW=");
	scaled_rates(out, mul_div(d->bytes, 1000, ms), style);
	str_add_char(out, '(');
	scaled_bytes(out, d->bytes, style, false);
	str_addf(out, "/%" PRIu64 "msec)\n", ms);
	classic_latencies(row, dir, out);
	bw_line(r, row, dir, out);
	iops_line(d, out);
}

/* ---- cpu, depths, totals ---- */

static void cpu_line(const struct result_row *row, struct str *out)
{
	const struct result_cpu *cpu = &row->cpu;
	double user, system;

	if (row->told && row->told->user_percent < 0)
		return;
	fio_cpu(row, &user, &system);
	str_addf(out,
		"  cpu          : usr=%.2f%%, sys=%.2f%%, ctx=%" PRIu64 ", majf=%" PRIu64
		", minf=%" PRIu64 "\n",
		user, system, cpu->switches_voluntary + cpu->switches_involuntary,
		cpu->faults_major, cpu->faults_minor);
}

static void depth_line(const char *title, const double *told, const uint64_t *counts,
	uint64_t total, const char *const *labels, struct str *out)
{
	str_add(out, title);
	for (int i = 0; i < RESULT_DEPTHS; i++)
		str_addf(out, "%s%s=%.1f%%", i ? ", " : " ", labels[i],
			fio_share(told, counts, (uint32_t)i, total, 0.1));
	str_add_char(out, '\n');
}

static uint64_t depths_sum(const uint64_t *counts)
{
	uint64_t sum = 0;
	for (int i = 0; i < RESULT_DEPTHS; i++)
		sum += counts[i];
	return sum;
}

static void depth_lines(const struct result_row *row, struct str *out)
{
	static const char *const depths[] = {"1", "2", "4", "8", "16", "32", ">=64"};
	static const char *const batches[] = {"0", "4", "8", "16", "32", "64", ">=64"};

	static const struct result_told none;
	const struct result_told *t = row->told ? row->told : &none;

	if (fio_has(row, t->depths))
		depth_line("  IO depths    :", t->depths, row->depths, fio_issued(row), depths,
			out);
	if (fio_has(row, t->submits))
		depth_line("     submit    :", t->submits, row->submits,
			depths_sum(row->submits), batches, out);
	if (fio_has(row, t->completes))
		depth_line("     complete  :", t->completes, row->completes,
			depths_sum(row->completes), batches, out);
}

/* "target=500.00us": in the largest unit that leaves a whole part. */
static void add_time(struct str *out, const char *label, double ns)
{
	static const char *const units[] = {"ns", "us", "ms", "s"};
	unsigned unit = 0;

	for (; unit < 3 && ns >= 1000; unit++)
		ns /= 1000;
	str_addf(out, "%s%.2f%s", label, ns, units[unit]);
}

static void goal_line(const struct result_row *row, struct str *out)
{
	const struct result_style *style = fio_style(row);

	add_time(out, "     latency   : target=", (double)style->goal_ns);
	add_time(out, ", window=", (double)style->goal_window_ns);
	str_addf(out, ", percentile=%.2f%%, depth=%" PRIu32 "\n",
		style->goal_ns ? style->goal_percent : 100.0,
		row->goal_depth ? row->goal_depth : row->depth_asked);
}

/* What is reported as one is counted as one: in the first place. */
static void issued_line(const struct result_row *row, struct str *out)
{
	static const struct result_dir none;
	bool apart = result_shows(row, DIR_READ);
	const struct result_dir *d[DIRS] = {&row->dir[RESULT_MIXED], &none, &none};

	for (int dir = 0; dir < DIRS && apart; dir++)
		d[dir] = &row->dir[dir];
	str_addf(out,
		"     issued rwts: total=%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64
		" short=%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",0 dropped=%" PRIu64 ",%" PRIu64
		",%" PRIu64 ",0\n",
		d[0]->issued, d[1]->issued, d[2]->issued, row->syncs, d[0]->short_ios,
		d[1]->short_ios, d[2]->short_ios, d[0]->dropped, d[1]->dropped, d[2]->dropped);
}

/* An imported row may not have these counts. */
static bool has_issued(const struct result_row *row)
{
	return row->dir[DIR_READ].told->issued || row->dir[RESULT_MIXED].told->issued;
}

static void totals_lines(const struct result_row *row, struct str *out)
{
	if (!row->told || has_issued(row))
		issued_line(row, out);
	if (row->continued_on_error)
		str_addf(out, "     errors    : total=%" PRIu64 ", first_error=%d/<%s>\n",
			row->total_errors, row->first_error,
			result_error_text(row->first_error));
	if (!row->told || row->told->goal)
		goal_line(row, out);
}

/* "steadystate  : attained=yes, bw=..., iops=..., iops mean dev=0.067%".  Of a window
 * that was never full, what there is. */
static void steady_line(const struct result_row *row, struct str *out)
{
	static const char *const figures[] = {"iops", "bw", "lat"};
	const struct result_steady *s = row->steady;
	const struct result_style *style = fio_style(row);

	if (!s)
		return;
	double criterion = result_steady_criterion(s);
	criterion = isnan(criterion) ? 0 : criterion;
	str_addf(out, "  steadystate  : attained=%s, bw=", s->attained ? "yes" : "no");
	scaled_rates(out, (uint64_t)(result_steady_mean(s, STEADY_BW) + 0.5), style);
	str_add(out, ", iops=");
	report_scaled(out, (uint64_t)(result_steady_mean(s, STEADY_IOPS) + 0.5), style->digits,
		1000, "");
	if (s->rule.figure == STEADY_LAT)
		add_time(out, ", lat=", result_steady_mean(s, STEADY_LAT));
	str_addf(out, ", %s %s=%.3f%s\n", figures[s->rule.figure],
		s->rule.slope ? "slope" : "mean dev", criterion, s->rule.percent ? "%" : "");
}

static void block(const struct result *r, const struct result_row *row, struct str *out)
{
	block_head(r, row, out);
	for (int dir = 0; dir < RESULT_DIRS; dir++)
		block_direction(r, row, dir, out);
	classic_spread(row, out);
	classic_sync(row, out);
	cpu_line(row, out);
	depth_lines(row, out);
	totals_lines(row, out);
	steady_line(row, out);
}

static void classic_print(const struct result *r, const struct report_how *how, struct str *out)
{
	(void)how; /* the form is the same in both faces */
	str_add_char(out, '\n');
	for (uint32_t i = 0; i < r->rows_count; i++) {
		const struct result_row *row = &r->rows[i];
		if (!result_row_hidden(row) && result_row_did_io(row))
			block(r, row, out);
	}
	classic_groups(r, out);
	classic_disks(r, out);
	classic_idle(r, out);
}

const struct report_format report_classic = {
	.name = "normal",
	.print = classic_print,
};
