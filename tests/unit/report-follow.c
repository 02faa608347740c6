/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* The lines of a stream and the text of metrics, for a pulse made here.  What a line must
 * be is docs/guide/stream.md's; the metrics' form is that of OpenMetrics 1.0. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/scope.h"
#include "base/str.h"
#include "report/metrics.h"
#include "report/report.h"
#include "report/stream.h"
#include "report_fill.h"
#include "result/pulse.h"
#include "stat/histogram.h"

/* A row that reads: 3 I/Os since the last look, of 5. */
struct given {
	struct histogram total;
	struct growth_bin bins[2];
	struct pulse_row rows[2];
	struct pulse pulse;
};

static struct given *given_new(const char *name)
{
	struct given *g = calloc(1, sizeof(*g));
	assert_non_null(g);
	histogram_record_bin(&g->total, histogram_bin(100), 4);
	histogram_record_bin(&g->total, histogram_bin(3 * NS_PER_MS), 1);
	g->bins[0] = (struct growth_bin){2, histogram_bin(100)};
	g->bins[1] = (struct growth_bin){1, histogram_bin(3 * NS_PER_MS)};
	g->rows[0] = (struct pulse_row){.name = name,
		.number = 1,
		.group = 7,
		.workers = 4,
		.running = 2,
		.in_flight = 9,
		.fresh = true,
		.from_ns = 1500 * NS_PER_MS,
		.to_ns = 2750 * NS_PER_MS,
		.dir[DIR_READ] = {
			.used = true,
			.total = {5, 20480, 1},
			.news = {3, 12288, 0},
			.lat = {&g->total, 3000000400, {g->bins, 2}},
		}};
	g->rows[1] = g->rows[0];
	g->rows[1].number = 2;
	g->rows[1].hidden = true;
	g->pulse = (struct pulse){.rows = g->rows, .rows_count = 2};
	return g;
}

static void check_lines(struct str *out, const char *want)
{
	assert_false(out->failed);
	assert_string_equal(str_text(out), want);
	str_done(out);
}

static void test_interval(void **state)
{
	(void)state;
	scope_mem struct given *g = given_new("a \"b\"\n");
	struct str out = {0};
	char want[512];

	stream_pulse(&g->pulse, &out);
	snprintf(want, sizeof(want),
		"{\"type\":\"interval\",\"t_s\":1.500000,\"seconds\":1.250000,\"row\":1,"
		"\"job\":\"a \\\"b\\\"\\n\",\"group\":7,\"direction\":\"read\",\"running\":2,"
		"\"in_flight\":9,\"ios\":3,\"bytes\":12288,\"errors\":0,"
		"\"lat_ns\":[[100,2],[%llu,1]]}\n",
		(unsigned long long)histogram_bin_mid(histogram_bin(3 * NS_PER_MS)));
	check_lines(&out, want);

	g->rows[0].dir[DIR_READ].lat.news.count = 0; /* a second without I/O */
	g->rows[0].dir[DIR_READ].news = (struct pulse_counts){0};
	stream_pulse(&g->pulse, &out);
	assert_non_null(strstr(str_text(&out),
		"\"ios\":0,\"bytes\":0,\"errors\":0,\"lat_ns\":[]}\n"));
	str_reset(&out);
	g->rows[0].dir[DIR_READ].lat.total = NULL; /* not measured */
	stream_pulse(&g->pulse, &out);
	assert_non_null(strstr(str_text(&out), "\"ios\":0,\"bytes\":0,\"errors\":0}\n"));
	str_reset(&out);
	g->rows[0].fresh = false;
	stream_pulse(&g->pulse, &out);
	check_lines(&out, "");
}

static void test_other_lines(void **state)
{
	(void)state;
	struct str out = {0};
	const struct stream_job job = {.name = "j",
		.number = 1,
		.workers = 2,
		.engine = "null",
		.rw = "rw",
		.dirs = 1u << DIR_READ | 1u << DIR_WRITE};
	const struct stream_begin begin = {.version = "weir 0.1",
		.time_ms = 12,
		.interval_ns = NS_PER_S,
		.jobs = &job,
		.jobs_count = 1};

	stream_begin(&begin, &out);
	check_lines(&out,
		"{\"type\":\"begin\",\"weir_stream\":1,\"version\":\"weir 0.1\",\"time_ms\":12,"
		"\"interval_s\":1.000000,\"jobs\":[{\"row\":1,\"job\":\"j\",\"group\":0,"
		"\"workers\":2,\"engine\":\"null\",\"rw\":\"rw\",\"directions\":[\"read\","
		"\"write\"]}]}\n");
	stream_phase(NS_PER_S, "running", "", &out);
	check_lines(&out,
		"{\"type\":\"phase\",\"t_s\":1.000000,\"phase\":\"running\",\"text\":\"\"}\n");
	stream_layout(0, 5, 10, &out);
	check_lines(&out,
		"{\"type\":\"layout\",\"t_s\":0.000000,\"bytes\":5,\"total_bytes\":10}\n");
	stream_words(0, "message", "error", "x\ty", &out);
	check_lines(&out,
		"{\"type\":\"message\",\"t_s\":0.000000,\"weight\":\"error\",\"text\":\"x\\ty\"}\n");
	stream_refused(0, "no", &out);
	check_lines(&out, "{\"type\":\"refused\",\"t_s\":0.000000,\"text\":\"no\"}\n");
}

/* The result is the JSON document, on one line. */
static void test_result(void **state)
{
	(void)state;
	const struct report_how how = {.native = true, .version = "weir 0.1"};
	struct result *r = result_new();
	struct str out = {0};

	fill_rows(r, 1)->name = "line\nend  two blanks";
	fill_groups(r);
	r->final = false;
	stream_result(0, r, &how, &out);
	assert_true(str_starts(out.text,
		"{\"type\":\"interim\",\"t_s\":0.000000,\"result\":{"));
	assert_true(str_ends(out.text, "}}\n"));
	assert_ptr_equal(strchr(out.text, '\n'), out.text + out.len - 1);
	assert_non_null(strstr(out.text, "\"line\\nend  two blanks\""));
	str_reset(&out);
	r->final = true;
	stream_result(0, r, &how, &out);
	assert_true(str_starts(out.text, "{\"type\":\"result\","));
	str_done(&out);
	result_free(r);
}

static void expect(const char *text, const char *line)
{
	if (!strstr(text, line))
		fail_msg("no '%s' in:\n%s", line, text);
}

static void test_metrics(void **state)
{
	(void)state;
	scope_mem struct given *g = given_new("a\\b\"c\nd\xff");
	struct str rows = {0}, text = {0};
	struct metrics m = {.version = "weir 0.1", .phase = "running", .start_s = 10.5};

	metrics_rows(&g->pulse, &rows);
	metrics_print(&m, str_text(&rows), &text);
#define LABELS "job=\"a\\\\b\\\"c\\nd\xef\xbf\xbd\",row=\"1\",group=\"7\""
	expect(text.text, "\nweir_ios_total{" LABELS ",direction=\"read\"} 5\n");
	expect(text.text, "\nweir_bytes_total{" LABELS ",direction=\"read\"} 20480\n");
	expect(text.text, "\nweir_errors_total{" LABELS ",direction=\"read\"} 1\n");
	expect(text.text, "\nweir_in_flight{" LABELS "} 9\n");
	expect(text.text, "\nweir_running_workers{" LABELS "} 2\n");
	expect(text.text, "\nweir_workers{" LABELS "} 4\n");
#define BUCKET "\nweir_latency_seconds_bucket{" LABELS ",direction=\"read\",le="
	expect(text.text, BUCKET "\"1e-06\"} 4\n");
	expect(text.text, BUCKET "\"0.002\"} 4\n");
	expect(text.text, BUCKET "\"0.005\"} 5\n");
	expect(text.text, BUCKET "\"+Inf\"} 5\n");
	expect(text.text,
		"\nweir_latency_seconds_sum{" LABELS ",direction=\"read\"} 3.000000400\n");
	expect(text.text, "\nweir_phase{phase=\"running\"} 1\n");
	expect(text.text, "\nweir_start_time_seconds 10.5\n");
	expect(text.text, "\nweir_ended 0\n");
	assert_null(strstr(text.text, "row=\"2\"")); /* hidden */
	assert_null(strstr(text.text, "weir_complete"));
	assert_true(str_ends(text.text, "\n# EOF\n"));
	str_done(&text);
	str_done(&rows);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_interval),
		cmocka_unit_test(test_other_lines),
		cmocka_unit_test(test_result),
		cmocka_unit_test(test_metrics),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
