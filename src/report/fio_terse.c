/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* fio's terse output, versions 2 to 5: a line per row, fields between semicolons,
 * latencies in microseconds, bandwidths in KiB/s.  Programs count columns, so the
 * fields stand in fio's order and number (fio(1), TERSE OUTPUT), and no text of the
 * user's may bring a semicolon or a line end of its own. */
#include "base/bits.h"
#include "base/str.h"
#include "report/report.h"
#include "report/scaled.h"
#include "result/result.h"
#include "result/style.h"

#define TERSE_PERCENTILES 20

/* Every field but the first of a line has its semicolon in front. */
#define field(out, ...) str_addf(out, ";" __VA_ARGS__)

static void terse_text(struct str *out, const char *text)
{
	str_add(out, ";");
	for (; *text; text++)
		str_add_char(out, *text == ';' || (unsigned char)*text < ' ' ? ' ' : *text);
}

static void terse_latency(struct str *out, const struct latency *l)
{
	static const struct latency none;

	if (!latency_any(l))
		l = &none;
	field(out, "%llu", (unsigned long long)(l->moments.min / 1000));
	field(out, "%llu", (unsigned long long)(l->moments.max / 1000));
	field(out, "%f", MAX_OF(latency_mean(l), 0.0) / 1000);
	field(out, "%f", MAX_OF(latency_stddev(l), 0.0) / 1000);
}

static void terse_percentiles(struct str *out, const struct result_dir *d,
	const struct result_style *style)
{
	const struct latency *l = style->lat_percentiles ? d->lat : d->clat;
	bool any = style->lat_percentiles || style->clat_percentiles;

	for (uint32_t i = 0; i < TERSE_PERCENTILES; i++) {
		if (!any || i >= style->percentiles_count) {
			field(out, "0%%=0");
			continue;
		}
		uint64_t ns = 0;
		if (latency_any(l) && !fio_find(l, style->percentiles[i], &ns))
			ns = 0; /* columns are counted: nothing can be left out */
		field(out, "%f%%=%llu", style->percentiles[i], (unsigned long long)(ns / 1000));
	}
}

static void terse_samples(struct str *out, const struct result *r, const struct result_row *row,
	int dir, uint32_t version)
{
	const struct samples *bw = &row->dir[dir].bw, *iops = &row->dir[dir].iops;

	field(out, "%llu", (unsigned long long)(bw->min / 1024));
	field(out, "%llu", (unsigned long long)(bw->max / 1024));
	field(out, "%f%%", fio_bw_percent(r, row, dir));
	field(out, "%f", bw->mean / 1024);
	field(out, "%f", bw->stddev / 1024);
	if (version < 5)
		return;
	field(out, "%llu", (unsigned long long)bw->count);
	field(out, "%llu", (unsigned long long)iops->min);
	field(out, "%llu", (unsigned long long)iops->max);
	field(out, "%f", iops->mean);
	field(out, "%f", iops->stddev);
	field(out, "%llu", (unsigned long long)iops->count);
}

static void terse_direction(struct str *out, const struct result *r,
	const struct result_row *row, int dir, uint32_t version)
{
	const struct result_dir *d = &row->dir[dir];
	uint64_t ms = d->ios || d->bytes ? result_runtime_ms(d) : 0;

	field(out, "%llu", (unsigned long long)(d->bytes >> 10));
	field(out, "%llu", (unsigned long long)(ms ? mul_div(d->bytes, 1000, ms) >> 10 : 0));
	field(out, "%llu",
		(unsigned long long)(d->told ? (uint64_t)fio_iops(d)
				     : ms    ? mul_div(d->ios, 1000, ms)
					     : 0));
	field(out, "%llu", (unsigned long long)ms);
	terse_latency(out, d->slat);
	terse_latency(out, d->clat);
	terse_percentiles(out, d, fio_style(row));
	terse_latency(out, d->lat);
	terse_samples(out, r, row, dir, version);
}

static void terse_cpu(struct str *out, const struct result_row *row)
{
	const struct result_cpu *cpu = &row->cpu;
	double user, system;

	fio_cpu(row, &user, &system);
	field(out, "%f%%", user);
	field(out, "%f%%", system);
	field(out, "%llu",
		(unsigned long long)(cpu->switches_voluntary + cpu->switches_involuntary));
	field(out, "%llu", (unsigned long long)cpu->faults_major);
	field(out, "%llu", (unsigned long long)cpu->faults_minor);
}

/* Depths, then latencies up to 1000 us (the nanoseconds in the first), then from
 * 2 ms on. */
static void terse_told(struct str *out, const struct result_told *t)
{
	static const double none[12];
	const double *depths = t->depths ? t->depths : none, *ms = t->ms ? t->ms : none;
	const double *ns = t->ns ? t->ns : none, *us = t->us ? t->us : none;
	double below = 0;

	for (uint32_t i = 0; i < RESULT_DEPTHS; i++)
		field(out, "%3.1f%%", depths[i]);
	for (uint32_t i = 0; i < 10; i++)
		below += ns[i];
	for (uint32_t i = 0; i < 10; i++)
		field(out, "%3.2f%%", us[i] + (i ? 0 : below));
	for (uint32_t i = 0; i < 12; i++)
		field(out, "%3.2f%%", ms[i]);
}

static void terse_spread(struct str *out, const struct result_row *row)
{
	const struct latency_spread *s = &row->spread;
	uint64_t issued = fio_issued(row), ns = 0;

	if (row->told) {
		terse_told(out, row->told);
		return;
	}

	for (uint32_t i = 0; i < RESULT_DEPTHS; i++)
		field(out, "%3.1f%%", fio_percent(row->depths[i], issued, 0.1));
	for (uint32_t i = 0; i < COUNT_OF(s->ns); i++)
		ns += s->ns[i];
	for (uint32_t i = 0; i < COUNT_OF(s->us); i++)
		field(out, "%3.2f%%", fio_percent(s->us[i] + (i ? 0 : ns), issued, 0.01));
	for (uint32_t i = 0; i < COUNT_OF(s->ms); i++)
		field(out, "%3.2f%%", fio_percent(s->ms[i], issued, 0.01));
}

static void terse_counters(struct str *out, const struct result_disk_counters *c, double util)
{
	for (int i = 0; i < 2; i++)
		field(out, "%llu", (unsigned long long)c->ios[i]);
	for (int i = 0; i < 2; i++)
		field(out, "%llu", (unsigned long long)c->merges[i]);
	for (int i = 0; i < 2; i++)
		field(out, "%llu", (unsigned long long)c->ticks_ms[i]);
	field(out, "%llu", (unsigned long long)c->in_queue_ms);
	field(out, "%3.2f%%", util);
}

static void terse_disks(struct str *out, const struct result *r)
{
	for (uint32_t i = 0; i < r->disks_count; i++) {
		const struct result_disk *d = &r->disks[i];
		terse_text(out, d->name);
		terse_counters(out, &d->own, d->own.util_percent);
		if (!d->slaves)
			continue;
		field(out, "slaves");
		terse_counters(out, &d->mean, d->util_max);
	}
}

static void terse_row(struct str *out, const struct result *r, const struct result_row *row,
	const struct report_how *how)
{
	const uint32_t version = how->terse_version ? how->terse_version : 3;

	str_addf(out, "%u", version);
	if (version > 2)
		terse_text(out, how->native ? REPORT_FIO_VERSION : how->version);
	terse_text(out, row->name);
	field(out, "%u", row->group);
	field(out, "%d", row->error);
	for (int dir = 0; dir < RESULT_DIRS; dir++)
		if (result_shows(row, dir) && (dir != DIR_TRIM || version != 3))
			terse_direction(out, r, row, dir, version);
	terse_cpu(out, row);
	terse_spread(out, row);
	if (version > 2)
		terse_disks(out, r);
	if (row->continued_on_error) {
		field(out, "%llu", (unsigned long long)row->total_errors);
		field(out, "%d", row->first_error);
	}
	if (row->description && *row->description) {
		if (version == 2)
			str_add(out, "\n");
		terse_text(out, row->description);
	}
	str_add(out, "\n");
}

static void fio_terse_print(const struct result *r, const struct report_how *how,
	struct str *out)
{
	for (uint32_t i = 0; i < r->rows_count; i++)
		if (!result_row_hidden(&r->rows[i]))
			terse_row(out, r, &r->rows[i], how);
}

const struct report_format report_terse = {
	.name = "terse",
	.machine = true,
	.print = fio_terse_print,
};
