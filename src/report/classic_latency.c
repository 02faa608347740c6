/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Latency lines, percentile tables and distributions of fio's normal output. */
#include "base/bits.h"
#include "base/str.h"
#include "report/classic.h"
#include "report/report.h"
#include "report/scaled.h"
#include "result/result.h"
#include "result/style.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

struct unit {
	const char *name;
	uint64_t ns;
};

static const struct unit nsec = {"nsec", 1};
static const struct unit usec = {"usec", NS_PER_US};
static const struct unit msec = {"msec", NS_PER_MS};

/* fio's choice: the larger unit only where it loses nothing that is seen. */
static const struct unit *unit_for(uint64_t least, uint64_t most, double stddev)
{
	if (least > 2 * NS_PER_MS && most > 99999999 && stddev > 1e6)
		return &msec;
	if (least > 2 * NS_PER_US && most > 99999 && stddev > 1e3)
		return &usec;
	return &nsec;
}

#define LATENCY_DIGITS 6 /* of min and max, whatever significant_figures says */

static void latency_line(const char *name, const struct latency *l, struct str *out)
{
	if (!latency_any(l))
		return;
	const struct moments *m = &l->moments;
	double mean = MAX_OF(latency_mean(l), 0.0), stddev = MAX_OF(latency_stddev(l), 0.0);
	const struct unit *unit = unit_for(m->min, m->max, stddev);

	str_addf(out, "    %s (%s): min=", name, unit->name);
	report_scaled(out, m->min / unit->ns, LATENCY_DIGITS, 1000, "");
	str_add(out, ", max=");
	report_scaled(out, m->max / unit->ns, LATENCY_DIGITS, 1000, "");
	str_addf(out, ", avg=%5.2f, stdev=%5.2f\n", mean / (double)unit->ns,
		stddev / (double)unit->ns);
}

static unsigned width_of(uint64_t v)
{
	char text[24];
	return (unsigned)snprintf(text, sizeof(text), "%" PRIu64, v);
}

#define CELLS_WIDTH 73 /* what a line of cells may take, with fio's own count of a cell */
#define VALUE_WIDTH 5u

static void percentile_table(const char *name, const struct latency *l,
	const struct result_style *style, struct str *out)
{
	uint64_t values[LIMIT_PERCENTILES];
	double percents[LIMIT_PERCENTILES];
	uint32_t wanted = MIN_OF(style->percentiles_count, (uint32_t)LIMIT_PERCENTILES), n = 0;
	unsigned precision = style->percentile_decimals;

	if (!latency_any(l))
		return;
	for (uint32_t i = 0; i < wanted; i++) {
		percents[n] = style->percentiles[i];
		n += fio_find(l, percents[n], &values[n]);
	}
	if (!n)
		return;
	const struct unit *unit = unit_for(values[0], values[n - 1], INFINITY);
	for (uint32_t i = 0; i < n; i++)
		values[i] = div_up(values[i], unit->ns);

	unsigned width = MAX_OF(VALUE_WIDTH, width_of(values[n - 1]));
	unsigned per_line = MAX_OF(CELLS_WIDTH / (precision + 10 + width), 1u);
	str_addf(out, "    %s percentiles (%s):\n", name, unit->name);
	for (uint32_t i = 0; i < n; i++) {
		bool ends = i + 1 == n || (i + 1) % per_line == 0;
		str_addf(out, "%s %*.*fth=[%*" PRIu64 "]%s%s", i % per_line ? "" : "     |",
			(int)precision + 3, (int)precision, percents[i], (int)width, values[i],
			i + 1 < n ? "," : "", ends ? "\n" : "");
	}
}

/* fio tells priorities apart where there are two at least. */
static void prio_name(const struct result_dir *d, uint32_t i, char *buf, size_t size)
{
	uint16_t v = d->prios[i].value;
	snprintf(buf, size, "%s prio %u/%u/%u", d->prios_of_lat ? "lat" : "clat",
		(unsigned)v >> 13, v & 7u, v >> 3 & 1023u);
}

static void prio_lines(const struct result_dir *d, struct str *out)
{
	for (uint32_t i = 0; d->prios_count > 1 && i < d->prios_count; i++) {
		char name[48];
		prio_name(d, i, name, sizeof(name));
		latency_line(name, d->prios[i].latency, out);
	}
}

static void prio_tables(const struct result_dir *d, const struct result_style *style,
	struct str *out)
{
	uint64_t total = 0;

	for (uint32_t i = 0; i < d->prios_count; i++)
		total += d->prios[i].latency->moments.count;
	for (uint32_t i = 0; d->prios_count > 1 && total && i < d->prios_count; i++) {
		char name[48], title[80];
		prio_name(d, i, name, sizeof(name));
		snprintf(title, sizeof(title), "%s (%.2f%% of IOs)", name,
			100.0 * (double)d->prios[i].latency->moments.count / (double)total);
		percentile_table(title, d->prios[i].latency, style, out);
	}
}

void classic_latencies(const struct result_row *row, int dir, struct str *out)
{
	const struct result_dir *d = &row->dir[dir];
	const struct result_style *style = fio_style(row);

	latency_line("slat", d->slat, out);
	latency_line("clat", d->clat, out);
	latency_line(" lat", d->lat, out);
	prio_lines(d, out);
	if (style->slat_percentiles)
		percentile_table("slat", d->slat, style, out);
	if (style->clat_percentiles)
		percentile_table("clat", d->clat, style, out);
	if (style->lat_percentiles)
		percentile_table("lat", d->lat, style, out);
	if (d->prios_of_lat ? style->lat_percentiles : style->clat_percentiles)
		prio_tables(d, style, out);
}

/* Non-empty buckets, five a line, each line with the title. */
static void spread_lines(const char *unit, const double *told, const uint64_t *counts,
	uint32_t n, uint64_t total, struct str *out)
{
	static const char *const labels[] = {"2", "4", "10", "20", "50", "100", "250", "500",
		"750", "1000", "2000", ">=2000"};
	unsigned printed = 0;

	for (uint32_t i = 0; i < n; i++) {
		double percent = fio_share(told, counts, i, total, 0.01);
		if (percent <= 0)
			continue;
		if (printed % 5 == 0)
			str_addf(out, "%s  lat (%s)   : ", printed ? "\n" : "", unit);
		else
			str_add(out, ", ");
		str_addf(out, "%s=%.2f%%", labels[i], percent);
		printed++;
	}
	if (printed)
		str_add_char(out, '\n');
}

void classic_spread(const struct result_row *row, struct str *out)
{
	const struct latency_spread *s = &row->spread;
	uint64_t issued = fio_issued(row);

	static const struct result_told none;
	const struct result_told *t = row->told ? row->told : &none;

	spread_lines("nsec", t->ns, s->ns, COUNT_OF(s->ns), issued, out);
	spread_lines("usec", t->us, s->us, COUNT_OF(s->us), issued, out);
	spread_lines("msec", t->ms, s->ms, COUNT_OF(s->ms), issued, out);
}

void classic_sync(const struct result_row *row, struct str *out)
{
	const struct result_style *style = fio_style(row);

	if (!latency_any(row->sync))
		return;
	str_add(out, "  fsync/fdatasync/sync_file_range/syncfs:\n");
	latency_line("sync", row->sync, out);
	if (style->clat_percentiles || style->lat_percentiles)
		percentile_table("sync", row->sync, style, out);
}
