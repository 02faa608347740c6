/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* All samples of a family stand together, so each family is a walk over the rows. */
#include "report/metrics.h"

#include "base/bits.h"
#include "base/str.h"
#include "result/pulse.h"
#include "stat/histogram.h"

#include <string.h>

/* Upper bounds of latency buckets, three a decade, as OpenMetrics writes numbers.  A bin that
 * straddles one counts by its middle, which is within 1/128 of all in it. */
static const struct {
	uint64_t ns;
	const char *le;
} bounds[] = {
	{1000, "1e-06"},
	{2000, "2e-06"},
	{5000, "5e-06"},
	{10000, "1e-05"},
	{20000, "2e-05"},
	{50000, "5e-05"},
	{100000, "0.0001"},
	{200000, "0.0002"},
	{500000, "0.0005"},
	{1000000, "0.001"},
	{2000000, "0.002"},
	{5000000, "0.005"},
	{10000000, "0.01"},
	{20000000, "0.02"},
	{50000000, "0.05"},
	{100000000, "0.1"},
	{200000000, "0.2"},
	{500000000, "0.5"},
	{1000000000, "1.0"},
	{2000000000, "2.0"},
	{5000000000, "5.0"},
	{10000000000, "10.0"},
};

/* A label's value: \ " and line ends escaped, what is no UTF-8 becomes U+FFFD. */
static void escaped(struct str *out, const char *text)
{
	while (*text) {
		size_t len = str_utf8(text);
		if (*text == '\n')
			str_add(out, "\\n");
		else if (*text == '\\' || *text == '"')
			str_addf(out, "\\%c", *text);
		else if (len)
			str_add_bytes(out, text, len);
		else
			str_add(out, "\xef\xbf\xbd");
		text += len ? len : 1;
	}
}

static void family(struct str *out, const char *name, const char *type, const char *unit,
	const char *help)
{
	str_addf(out, "# TYPE %s %s\n", name, type);
	if (unit)
		str_addf(out, "# UNIT %s %s\n", name, unit);
	str_addf(out, "# HELP %s %s\n", name, help);
}

static void gauge(struct str *out, const char *name, const char *unit, const char *help,
	double value)
{
	family(out, name, "gauge", unit, help);
	str_addf(out, "%s %.15g\n", name, value);
}

/* {job="...",row="1",group="0" -- and whatever the caller adds before the brace. */
static void labels(struct str *out, const struct pulse_row *row, int dir)
{
	str_add(out, "{job=\"");
	escaped(out, row->name);
	str_addf(out, "\",row=\"%u\",group=\"%u\"", row->number, row->group);
	if (dir < DIRS)
		str_addf(out, ",direction=\"%s\"", dir_name((enum dir)dir));
}

/* ---- counters and gauges of rows ---- */

enum count {
	COUNT_IOS,
	COUNT_BYTES,
	COUNT_ERRORS,
};

static void counter(struct str *out, const struct pulse *pulse, enum count which,
	const char *name, const char *unit, const char *help)
{
	family(out, name, "counter", unit, help);
	for (uint32_t i = 0; i < pulse->rows_count; i++) {
		const struct pulse_row *row = &pulse->rows[i];
		for (int d = 0; d < DIRS && !row->hidden; d++) {
			const struct pulse_counts *c = &row->dir[d].total;
			if (!row->dir[d].used)
				continue;
			str_addf(out, "%s_total", name);
			labels(out, row, d);
			str_addf(out, "} %llu\n",
				(unsigned long long)(which == COUNT_IOS     ? c->ios
						     : which == COUNT_BYTES ? c->bytes
									    : c->errors));
		}
	}
}

static void row_gauge(struct str *out, const struct pulse *pulse, const char *name,
	const char *help, size_t offset)
{
	family(out, name, "gauge", NULL, help);
	for (uint32_t i = 0; i < pulse->rows_count; i++) {
		const struct pulse_row *row = &pulse->rows[i];
		uint32_t value;
		if (row->hidden)
			continue;
		memcpy(&value, (const char *)row + offset, sizeof(value));
		str_add(out, name);
		labels(out, row, DIRS);
		str_addf(out, "} %u\n", value);
	}
}

/* ---- latencies ---- */

static void bucket(struct str *out, const char *name, const struct pulse_row *row, int d,
	const char *le, uint64_t count)
{
	str_addf(out, "%s_bucket", name);
	labels(out, row, d);
	str_addf(out, ",le=\"%s\"} %llu\n", le, (unsigned long long)count);
}

static void samples(struct str *out, const char *name, const struct pulse_row *row, int d,
	const struct pulse_latency *l)
{
	static const struct histogram none;
	const struct histogram *h = l->total->count ? l->total : &none;
	uint64_t count = 0;
	uint32_t bin = h->lo;

	for (size_t b = 0; b < COUNT_OF(bounds); b++) {
		for (; bin <= h->hi && histogram_bin_mid(bin) <= bounds[b].ns; bin++)
			count += h->bins[bin];
		bucket(out, name, row, d, bounds[b].le, count);
	}
	for (; bin <= h->hi; bin++)
		count += h->bins[bin];
	bucket(out, name, row, d, "+Inf", count);
	str_addf(out, "%s_count", name);
	labels(out, row, d);
	str_addf(out, "} %llu\n%s_sum", (unsigned long long)count, name);
	labels(out, row, d);
	str_addf(out, "} %llu.%09llu\n", (unsigned long long)(l->sum_ns / NS_PER_S),
		(unsigned long long)(l->sum_ns % NS_PER_S));
}

static void latencies(struct str *out, const struct pulse *pulse, bool response,
	const char *name, const char *help)
{
	family(out, name, "histogram", "seconds", help);
	for (uint32_t i = 0; i < pulse->rows_count; i++) {
		const struct pulse_row *row = &pulse->rows[i];
		for (int d = 0; d < DIRS && !row->hidden; d++) {
			const struct pulse_latency *l = response ? &row->dir[d].response
								 : &row->dir[d].lat;
			if (row->dir[d].used && l->total)
				samples(out, name, row, d, l);
		}
	}
}

/* ---- the run ---- */

static void phases(struct str *out, const char *now)
{
	static const char *const names[] = {"start", "layout", "running", "done"};

	family(out, "weir_phase", "gauge", NULL, "1 for what the run does now.");
	for (size_t i = 0; i < COUNT_OF(names); i++)
		str_addf(out, "weir_phase{phase=\"%s\"} %d\n", names[i],
			strcmp(names[i], now) == 0);
}

void metrics_rows(const struct pulse *pulse, struct str *out)
{
	counter(out, pulse, COUNT_IOS, "weir_ios", NULL,
		"I/Os completed in the measured window.");
	counter(out, pulse, COUNT_BYTES, "weir_bytes", "bytes",
		"Bytes moved in the measured window.");
	counter(out, pulse, COUNT_ERRORS, "weir_errors", NULL, "I/Os that failed.");
	row_gauge(out, pulse, "weir_workers", "Processes or threads of the job.",
		offsetof(struct pulse_row, workers));
	row_gauge(out, pulse, "weir_running_workers", "Workers that do I/O now.",
		offsetof(struct pulse_row, running));
	row_gauge(out, pulse, "weir_in_flight", "Requests in flight now.",
		offsetof(struct pulse_row, in_flight));
	latencies(out, pulse, false, "weir_latency_seconds",
		"Total latency, from issue to completion.");
	latencies(out, pulse, true, "weir_response_seconds",
		"Response time, from when a request was due to its completion; jobs with a rate.");
}

void metrics_print(const struct metrics *m, const char *rows, struct str *out)
{
	family(out, "weir_version", "gauge", NULL, "Always 1; the version is a label.");
	str_add(out, "weir_version{version=\"");
	escaped(out, m->version);
	str_add(out, "\"} 1\n");
	phases(out, m->phase);
	gauge(out, "weir_start_time_seconds", "seconds", "Wall clock when weir began.",
		m->start_s);
	gauge(out, "weir_updated_time_seconds", "seconds", "Wall clock when this was written.",
		m->updated_s);
	gauge(out, "weir_elapsed_seconds", "seconds", "Time since weir began.",
		(double)m->elapsed_ns / (double)NS_PER_S);
	if (m->layout_total) {
		gauge(out, "weir_layout_done_bytes", "bytes", "Filled of the files to lay out.",
			(double)m->layout_bytes);
		gauge(out, "weir_layout_wanted_bytes", "bytes", "Size of the files to lay out.",
			(double)m->layout_total);
	}
	gauge(out, "weir_ended", NULL, "1: the run is over, figures are final.", m->ended);
	if (m->ended) {
		gauge(out, "weir_complete", NULL,
			"1: all of it was measured; 0: stopped, or something is missing.",
			m->complete);
		gauge(out, "weir_failed_workers", NULL, "Workers that ended with an error.",
			m->failed);
	}
	str_add(out, rows);
	str_add(out, "# EOF\n");
}
