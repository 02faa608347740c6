/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "report/scaled.h"

#include "base/bits.h"
#include "base/str.h"
#include "report/report.h"
#include "result/result.h"
#include "result/style.h"

#include <time.h>

static unsigned digits_of(uint64_t v)
{
	unsigned n = 1;
	while (v >= 10) {
		v /= 10;
		n++;
	}
	return n;
}

#define STEPS 7

void scaled_from(struct str *out, uint64_t value, unsigned digits, unsigned base, unsigned step,
	const char *unit)
{
	static const char *const decimal[STEPS] = {"", "k", "M", "G", "T", "P", "E"};
	static const char *const binary[STEPS] = {"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"};
	const char *const *prefix = base == 1000 ? decimal : binary;
	unsigned first = step, rest = 0;

	/* Only the last remainder rounds: 10485759 is "10.00MiB", as in fio. */
	while (digits_of(value) > digits && step + 1 < STEPS) {
		rest = (unsigned)(value % base);
		value /= base;
		step++;
	}
	unsigned used = digits_of(value);
	if (step == first) {
		str_addf(out, "%llu", (unsigned long long)value);
	} else if (used + 1 >= digits) {
		value += rest * 2 >= base;
		str_addf(out, "%llu", (unsigned long long)value);
	} else {
		char part[24];
		snprintf(part, sizeof(part), "%.*f", (int)(digits - used - 1),
			(double)rest / (double)base);
		value += part[0] == '1';
		str_addf(out, "%llu%s", (unsigned long long)value, part + 1);
	}
	str_add(out, prefix[step]);
	str_add(out, unit);
}

#define DIGITS_PRESET 4

void report_scaled(struct str *out, uint64_t value, unsigned digits, unsigned base,
	const char *unit)
{
	scaled_from(out, value, digits ? digits : DIGITS_PRESET, base, 0, unit);
}

static unsigned style_base(const struct result_style *style, bool second)
{
	return (style->kb_base == 1000) != second ? 1000 : 1024;
}

void scaled_rate(struct str *out, uint64_t bytes_per_s, const struct result_style *style,
	bool second)
{
	bool bits = style->unit_base == 1;
	report_scaled(out, bits ? bytes_per_s * 8 : bytes_per_s, style->digits,
		style_base(style, second), bits ? "bit/s" : "B/s");
}

void scaled_rates(struct str *out, uint64_t bytes_per_s, const struct result_style *style)
{
	scaled_rate(out, bytes_per_s, style, false);
	str_add(out, " (");
	scaled_rate(out, bytes_per_s, style, true);
	str_add(out, ")");
}

void scaled_bytes(struct str *out, uint64_t bytes, const struct result_style *style,
	bool second)
{
	report_scaled(out, bytes, style->digits, style_base(style, second), "B");
}

const struct result_style *fio_style(const struct result_row *row)
{
	static const struct result_style preset = {
		.percentiles = {1, 5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 99, 99.5, 99.9,
			99.95, 99.99},
		.percentiles_count = 17,
		.percentile_decimals = 2,
		.clat_percentiles = true,
		.kb_base = 1024,
		.unit_base = 8,
		.digits = DIGITS_PRESET,
	};
	return row && row->style ? row->style : &preset;
}

static uint64_t fio_quantile(const struct latency *l, double percent)
{
	uint64_t ns = latency_quantile(l, percent / 100.0);
	if (histogram_bin(ns) < HISTOGRAM_FIO_BINS - 1)
		return ns;
	return MAX_OF(histogram_bin_mid(HISTOGRAM_FIO_BINS - 1), l->moments.min);
}

bool fio_find(const struct latency *l, double percent, uint64_t *ret)
{
	if (l->told)
		return latency_find(l, percent / 100.0, ret);
	*ret = fio_quantile(l, percent);
	return true;
}

void fio_cpu(const struct result_row *row, double *ret_user, double *ret_system)
{
	double ms = row->cpu_runtime_ms;

	*ret_user = ms > 0 ? 100.0 * row->cpu.user_ms / ms : 0.0;
	*ret_system = ms > 0 ? 100.0 * row->cpu.system_ms / ms : 0.0;
	if (!row->told)
		return;
	*ret_user = MAX_OF(row->told->user_percent, 0.0);
	*ret_system = MAX_OF(row->told->system_percent, 0.0);
}

double fio_iops(const struct result_dir *d)
{
	uint64_t ms = d->ios || d->bytes ? result_runtime_ms(d) : 0;

	if (d->told)
		return MAX_OF(d->told->ios_per_s, 0.0);
	return ms ? (double)d->ios * 1000.0 / (double)ms : 0.0;
}

void fio_date(uint64_t time_ms, char *text, unsigned size)
{
	time_t seconds = (time_t)(time_ms / 1000);
	struct tm tm;

	text[0] = '\0';
	/* The day of the month is padded with a blank: ctime()'s form. */
	if (localtime_r(&seconds, &tm))
		strftime(text, size, "%a %b %e %H:%M:%S %Y", &tm);
}

static const struct result_group *group_of(const struct result *r, uint32_t id)
{
	for (uint32_t i = 0; i < r->groups_count; i++)
		if (r->groups[i].id == id)
			return &r->groups[i];
	return NULL;
}

double fio_bw_percent(const struct result *r, const struct result_row *row, int dir)
{
	const struct result_group *g = group_of(r, row->group);
	const struct samples *bw = &row->dir[dir].bw;

	if (row->dir[dir].told)
		return MAX_OF(row->dir[dir].told->bw_percent, 0.0);
	if (!bw->count || !g || !g->dir[dir].bw)
		return 0.0;
	double percent = 100.0 * bw->mean / (double)g->dir[dir].bw;
	return MIN_OF(percent, 100.0);
}

double fio_percent(uint64_t count, uint64_t total, double least)
{
	if (!count || !total)
		return 0.0;
	return MAX_OF(100.0 * (double)count / (double)total, least);
}

double fio_share(const double *told, const uint64_t *counts, uint32_t i, uint64_t total,
	double least)
{
	return told ? told[i] : fio_percent(counts[i], total, least);
}

bool fio_has(const struct result_row *row, const double *told)
{
	return !row->told || told;
}

uint64_t fio_issued(const struct result_row *row)
{
	uint64_t issued = 0;
	for (int dir = 0; dir < DIRS; dir++)
		issued += row->dir[dir].issued;
	return issued;
}

int fio_error(const struct result_row *row)
{
	return row->error || !row->continued_on_error ? row->error : row->first_error;
}
