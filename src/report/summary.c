/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* A line a job and direction, for a log or a look in passing:
 *
 *	rread-128: randread 4k q32: read 445 k IOPS, 1824 MB/s, p50 237 us, p99 1.06 ms
 */
#include "base/bits.h"
#include "base/plain.h"
#include "base/str.h"
#include "report/digits.h"
#include "report/report.h"
#include "report/text.h"
#include "result/known.h"
#include "result/result.h"
#include "stat/precision.h"

#include <math.h>
#include <string.h>

/* V in the largest unit that leaves it at least 1; ERROR is V's standard error. */
static void put_scaled(struct str *out, double v, double error, const struct report_unit *units,
	size_t count)
{
	size_t at = 0;

	double shown = precision_round(v, precision_place(v, error));
	while (at + 1 < count && shown >= units[at + 1].size * 0.9995)
		at++;
	double size = units[at].size;
	int place = precision_place(v / size, error / size);
	if (size <= 1 && v == floor(v))
		place = MAX_OF(place, 0); /* 10 ns, not 10.0 */
	digits_add_at(out, v / size, place);
	str_add(out, units[at].name);
}

static void put_fixed(struct str *out, double v, double error, const struct report_unit *unit,
	const char *per)
{
	digits_add(out, v / unit->size, error / unit->size);
	str_addf(out, " %s%s", unit->name, per);
}

static void put_ns(struct str *out, double ns, double error, const struct report_how *how)
{
	static const struct report_unit units[] = {
		{" ns", 1}, {" \xc2\xb5s", 1e3}, {" ms", 1e6}, {" s", 1e9}};

	if (how->units.latency.name)
		put_fixed(out, ns, error, &how->units.latency, "");
	else
		put_scaled(out, ns, error, units, COUNT_OF(units));
}

/* "<1 us" */
static void put_below(struct str *out, double ns, const struct report_how *how)
{
	const struct report_unit *unit = &how->units.latency;

	if (unit->name)
		str_addf(out, "<%s %s", plain_number(ns / unit->size, 3).text, unit->name);
	else
		str_addf(out, "<%s \xc2\xb5s", plain_number(ns / 1e3, 3).text);
}

static void put_rates(struct str *out, const struct result_row *row, const struct result_dir *d,
	const struct report_how *how)
{
	static const struct report_unit counts[] = {{"", 1}, {" k", 1e3}, {" M", 1e6}};
	static const struct report_unit bytes[] = {
		{" B/s", 1}, {" kB/s", 1e3}, {" MB/s", 1e6}, {" GB/s", 1e9}};

	double ios = result_iops(d), bw = result_bw(d);
	double error = bw * known_rate(row, d, SERIES_BYTES);

	if (ios >= 0) {
		put_scaled(out, ios, ios * known_rate(row, d, SERIES_IOS), counts,
			COUNT_OF(counts));
		str_add(out, bw >= 0 ? " IOPS, " : " IOPS");
	}
	if (bw < 0)
		return;
	if (how->units.bandwidth.name)
		put_fixed(out, bw, error, &how->units.bandwidth, "/s");
	else
		put_scaled(out, bw, error, bytes, COUNT_OF(bytes));
}

static void put_latency(struct str *out, const char *name, const struct result_row *row,
	const struct latency *l, const struct report_how *how)
{
	static const struct {
		const char *name;
		double quantile;
	} shown[] = {{"p50", 0.5}, {"p99", 0.99}};
	uint64_t ns;

	if (!latency_any(l))
		return;
	for (size_t i = 0; i < COUNT_OF(shown); i++) {
		if (!known_find(l, shown[i].quantile, &ns))
			continue;
		str_addf(out, ", %s%s ", name, shown[i].name);
		if (known_below(l, ns))
			put_below(out, (double)known_below(l, ns), how);
		else
			put_ns(out, (double)ns, known_quantile(row, l, shown[i].quantile), how);
	}
}

static void put_head(struct str *out, const struct result_row *row)
{
	text_add(out, row->name);
	str_addf(out, ": %s", row->what && *row->what ? row->what : "?");
	if (result_depth(row) || !row->told)
		str_addf(out, " q%u", result_depth(row));
	if (row->members > 1)
		str_addf(out, " \xc3\x97%u", row->members);
}

static void put_row(struct str *out, const struct result_row *row, const struct report_how *how)
{
	bool any = false;

	for (int dir = 0; dir < DIRS; dir++) {
		const struct result_dir *d = &row->dir[dir];
		if (!result_dir_used(d))
			continue;
		put_head(out, row);
		str_addf(out, ": %s ", dir_name((enum dir)dir));
		put_rates(out, row, d, how);
		put_latency(out, "", row, result_latency(d), how);
		put_latency(out, "response ", row, d->response, how);
		if (d->errors)
			str_addf(out, ", %llu errors", (unsigned long long)d->errors);
		str_add_char(out, '\n');
		any = true;
	}
	if (!any) {
		put_head(out, row);
		str_addf(out, ": %s%s\n", known_ran_only(row) ? "not known" : "no I/O",
			row->error ? ", failed" : "");
	}
}

static void summary_print(const struct result *r, const struct report_how *how, struct str *out)
{
	uint32_t worst = 0;

	for (uint32_t i = 0; i < r->rows_count; i++)
		if (!result_row_hidden(&r->rows[i]))
			put_row(out, &r->rows[i], how);
	for (uint32_t i = 0; i < r->notes_count; i++)
		worst += r->notes[i].weight > NOTE_INFO;
	if (worst)
		str_addf(out, "%u note%s what spoils this: leave --summary out\n", worst,
			worst == 1 ? " says" : "s say");
}

const struct report_format report_summary = {
	.name = "summary",
	.machine = true,
	.print = summary_print,
};
