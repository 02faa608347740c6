/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Digits where they mean more than a figure: beside a limit, beside 1; and what is known of
 * rows that have no seconds. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/scope.h"
#include "base/str.h"
#include "report/checks.h"
#include "report/compare.h"
#include "report/report.h"
#include "report_fill.h"
#include "result/checks.h"
#include "result/compare.h"
#include "result/known.h"

#define TEN_S (10 * NS_PER_S)

static char *check_text(double value, double error, double limit)
{
	const struct result_check c = {.text = "read.iops >= limit",
		.reason = "",
		.quantity = QUANTITY_RATE,
		.known = true,
		.value = value,
		.error = error,
		.limit = limit,
		.runs = 1};
	const struct report_checks all = {.checks = &c, .count = 1};
	const struct report_how how = {0};
	struct str out = {0};

	checks_table(&all, &how, &out);
	return out.text;
}

/* A figure that fails doesn't look as if it had the limit. */
static void beside_a_limit(void **state)
{
	static const struct {
		double value, error, limit;
		const char *text;
	} cases[] = {
		{445231, 2000, 430000, " 445k "},
		{9964, 200, 5000, " 10000 "},
		{9964, 200, 10000, " 9960 "}, /* not 10000 */
		{10004, 200, 10000, " 10.00k "},
		{445231, 0, 430000, " 445.2k "},
		{500, 30, 500, " 500 "},
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		scope_mem char *text = check_text(cases[i].value, cases[i].error,
			cases[i].limit);
		if (!strstr(text, cases[i].text))
			fail_msg("no \"%s\" in %s", cases[i].text, text);
	}
}

static char *compare_text(double log_ratio, double se)
{
	struct result r = {0};
	const struct result *runs[] = {&r};
	const struct compare_side sides[] = {{"a", runs, 1, false}, {"b", runs, 1, false}};
	struct compare_line line = {.job = "j", .what = "read", .side = 1};
	struct compare c = {.sides = sides,
		.sides_count = 2,
		.lines = &line,
		.lines_count = 1,
		.tolerance = 0.02};
	struct compare_cell *cell = &line.cells[COMPARE_IOPS];
	const struct report_how how = {.deciding_only = true};
	struct str out = {0};

	*cell = (struct compare_cell){.has_a = true,
		.has_b = true,
		.a = 10000,
		.b = 10000 * exp(log_ratio),
		.error_a = 300,
		.error_b = 300,
		.interval = true};
	cell->estimate = (struct estimate){true, log_ratio, se, 1e9};
	estimate_interval(&cell->estimate, 0.95, &cell->low, &cell->high);
	compare_table(&c, &how, &out);
	return out.text;
}

/* exp(0.05 +- 1.96 * 0.02) is 1.011 to 1.093: hundredths.  exp(0.05 +- 1.96 * 0.023) is 1.005
 * to 1.100: 1.00 would be in doubt, so thousandths. */
static void beside_one(void **state)
{
	(void)state;
	scope_mem char *clear = compare_text(0.05, 0.02);
	assert_non_null(strstr(clear, " 1.05   1.01 to 1.09\n"));
	assert_non_null(strstr(clear, " 10000  10500 "));
	scope_mem char *near = compare_text(0.05, 0.0235);
	assert_non_null(strstr(near, " 1.051  1.004 to 1.101\n"));
	scope_mem char *wide = compare_text(0.05, 0.3);
	assert_non_null(strstr(wide, " 1.1     0.6 to 1.9\n"));
	/* exp(0.05 +- 5.88) is 0.0029 to 376, exp(0.05 +- 11.8) 0.000008 to 134000: an end
	 * isn't 0. */
	scope_mem char *wider = compare_text(0.05, 3);
	assert_non_null(strstr(wider, " 0.003 to 376"));
	scope_mem char *widest = compare_text(0.05, 6);
	assert_non_null(strstr(widest, " <0.001 to >9999\n"));
}

static void near(double seen, double wanted)
{
	if (!(fabs(seen - wanted) <= 0.005 * wanted))
		fail_msg("%g, not %g", seen, wanted);
}

/* By hand, of 10000 requests in 10 s without a series. */
static void rates(void **state)
{
	struct result *r = result_new();
	struct result_row *row = fill_rows(r, 1);
	struct result_dir *d = &row->dir[DIR_READ];
	static const struct result_option poisson = {"rate_process", "poisson"};

	(void)state;
	fill_dir(d, 10000, 4096, 10 * NS_PER_S);
	near(known_rate(row, d, SERIES_IOS), 0.01);
	/* Latencies that deviate by three times their mean. */
	d->lat = fill_latency(r, 10000, 10, 90000, 1000, 3000);
	near(known_rate(row, d, SERIES_IOS), 0.03);
	/* A schedule, and one of chance. */
	d->asked_per_s = 1000;
	d->due = 10000;
	near(known_rate(row, d, SERIES_IOS), 0.0001);
	row->options = &poisson;
	row->options_count = 1;
	near(known_rate(row, d, SERIES_IOS), 0.01);
	row->options_count = 0;
	d->asked_random = true;
	near(known_rate(row, d, SERIES_IOS), 0.01);
	/* Of somebody else's summary, which says 1000 a second and no count. */
	const struct result_dir_told told = {.present = true, .ios_per_s = 1000};
	*d = (struct result_dir){.told = &told, .runtime_ns = 10 * NS_PER_S};
	near(known_rate(row, d, SERIES_IOS), 0.01);
	/* It has made its own seconds, 100 of 1000 +- 200. */
	d->iops = (struct samples){.count = 100, .mean = 1000, .stddev = 200};
	near(known_rate(row, d, SERIES_IOS), 0.02);
	result_free(r);
}

/* 500 requests of one file of a job whose seconds vary more than chance: seconds of 80 and 120,
 * 20 of them: 20 * sqrt(20 / (20 * 19)) = 4.59, with t 1.03, of 100. */
static void targets(void **state)
{
	struct result *r = result_new();
	struct result_row *row = fill_rows(r, 1);
	struct result_dir one = {0};

	(void)state;
	row->series = (struct series){.interval_ns = NS_PER_S};
	for (uint32_t i = 0; i < 20; i++)
		series_add(&row->series, i * NS_PER_S, DIR_READ, i % 2 ? 80 : 120, 4096, NULL,
			NULL);
	fill_dir(&row->dir[DIR_READ], 2000, 4096, 20 * NS_PER_S);
	row->runtime_ns = 20 * NS_PER_S;
	near(known_rate(row, &row->dir[DIR_READ], SERIES_IOS), 0.0459 * 1.03);
	fill_dir(&one, 500, 4096, 20 * NS_PER_S);
	near(known_target(row, DIR_READ, &one, SERIES_IOS), 0.0459 * 1.03);
	fill_dir(&one, 100, 4096, 20 * NS_PER_S);
	near(known_target(row, DIR_READ, &one, SERIES_IOS), 0.1);
	/* Syncs are no better known than what they follow. */
	row->syncs = 2000;
	near(known_syncs(row), 0.0459 * 1.03);
	result_free(r);
}

/* weir's JSON tells quantiles and has the histograms of its seconds: as good as the samples. */
static void told_with_seconds(void **state)
{
	struct result *r = result_new();
	struct result_row *row = fill_rows(r, 1);
	struct histogram *h = arena_alloc(&r->arena, sizeof(*h));
	struct latency *l = arena_alloc(&r->arena, sizeof(*l));
	struct latency_point p99 = {.percent = 99};
	const struct latency_told told = {.mean = -1, .stddev = -1, .count = 1, .points = &p99};

	(void)state;
	row->series = (struct series){.interval_ns = NS_PER_S};
	for (uint32_t second = 0; second < 10; second++) {
		histogram_reset(h);
		for (uint64_t i = 1; i <= 1000; i++) {
			uint64_t ns = 1000 * i * (second % 3 + 2);
			histogram_record(h, ns);
			latency_record(l, ns);
		}
		series_add(&row->series, second * NS_PER_S, DIR_READ, 1000, 1000, h, NULL);
	}
	fill_dir(&row->dir[DIR_READ], 10000, 4096, TEN_S);
	row->runtime_ns = TEN_S;
	row->dir[DIR_READ].lat = l;
	double sampled = known_quantile(row, l, 0.99);
	p99.ns = latency_quantile(l, 0.99);
	*l = (struct latency){.told = &told, .moments.count = 10000};
	assert_true(sampled > 10000);
	near(known_quantile(row, l, 0.99), sampled);
	result_free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(beside_a_limit),
		cmocka_unit_test(beside_one),
		cmocka_unit_test(rates),
		cmocka_unit_test(targets),
		cmocka_unit_test(told_with_seconds),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
