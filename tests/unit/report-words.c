/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Figures in words and cells as a reader finds them: no exponent, no 0 of what isn't, no
 * percentile above the maximum, nothing said twice. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/plain.h"
#include "base/scope.h"
#include "base/str.h"
#include "cmd/gathered.h"
#include "report/digits.h"
#include "report/report.h"
#include "report_fill.h"
#include "result/known.h"
#include "result/words.h"

static void plain_numbers(void **state)
{
	static const struct {
		double v;
		int digits;
		const char *text;
	} cases[] = {
		{99.7, 2, "100"},
		{1800, 3, "1800"},
		{999.96, 3, "1000"},
		{16384, 4, "16384"},
		{128, 2, "128"},
		{7.876, 3, "7.88"},
		{2.5, 2, "2.5"},
		{4.0, 2, "4"},
		{0.01234, 2, "0.012"},
		{0, 3, "0"},
		{-2.5, 2, "-2.5"},
		{100, 3, "100"},
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++)
		assert_string_equal(plain_number(cases[i].v, cases[i].digits).text,
			cases[i].text);
}

static void words(void **state)
{
	(void)state;
	assert_string_equal(words_time(42).text, "42 ns");
	assert_string_equal(words_time(999600).text, "1.0 ms"); /* not 1000 us */
	assert_string_equal(words_time(99960).text, "100 \xc2\xb5s");
	assert_string_equal(words_time(UINT64_MAX / 2).text, "9223372037 s");
	assert_string_equal(words_rate(4100, 1, 0).text, "0.0041 MB/s");
	assert_string_equal(words_rate(0.004, 0, 0).text, "0.0040 I/O/s");
	assert_string_equal(words_rate(0, 1, 0).text, "0.00 MB/s");
	assert_string_equal(words_share(0, 1000).text, "0 %");
	assert_string_equal(words_share(1, 100000).text, "less than 0.1 %");
	assert_string_equal(words_share(3, 1000).text, "0.3 %");
	assert_string_equal(words_share(999, 1000).text, "100 %");
	assert_string_equal(words_count(1, "time").text, "1 time");
	assert_string_equal(words_count(3, "time").text, "3 times");
}

static void small_digits(void **state)
{
	static const struct {
		double v, error;
		const char *text;
	} cases[] = {
		{0.05, 0, "0.050"},
		{0.0051, 0, "0.0051"},
		{0.0000205, 0, "0.000021"},
		{0.0051, 0.002, "0.0051"}, /* two digits at least */
		{0, 0, "0"},
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		scope_with(str_done) struct str out = {0};
		digits_add(&out, cases[i].v, cases[i].error);
		assert_string_equal(str_text(&out), cases[i].text);
	}
}

/* ---- what reports of fio tell ---- */

static char *told_table(uint64_t p50, uint64_t p99, uint64_t max,
	const struct report_format *format)
{
	struct result *r = result_new();
	struct result_row *row = fill_rows(r, 1);
	const struct latency_point points[] = {{50, p50}, {99, p99}};
	const struct latency_told told = {
		.mean = -1, .stddev = -1, .count = COUNT_OF(points), .points = points};
	struct latency l = {.told = &told, .moments.max = max};
	const struct report_how how = {.version = "weir"};

	fill_dir(&row->dir[DIR_READ], 100000, 4096, 10 * NS_PER_S);
	row->runtime_ns = 10 * NS_PER_S;
	row->dir[DIR_READ].clat = &l;
	char *text = fill_text(r, format, &how);
	result_free(r);
	return text;
}

static void has(const char *text, const char *words)
{
	if (!strstr(text, words))
		fail_msg("no \"%s\" in %s", words, text);
}

/* fio's p99.9 of 5152 ns is the end of a bin, and its maximum 5144. */
static void percentiles_end_at_the_maximum(void **state)
{
	(void)state;
	scope_mem char *text = told_table(139, 5152, 5144, &report_table);
	has(text, " 139  5140  5144 ");
}

/* Terse lines have whole us: 0 is less than one, and 16 isn't 16.0. */
static void told_in_whole_us(void **state)
{
	(void)state;
	scope_mem char *ns = told_table(0, 4000, 6000, &report_table);
	has(ns, " <1000  4000  6000 ");
	scope_mem char *us = told_table(0, 12000, 16000, &report_table);
	has(us, " <1   12   16 ");
	scope_mem char *line = told_table(0, 12000, 16000, &report_summary);
	has(line, ", p50 <1 \xc2\xb5s, p99 12 \xc2\xb5s");
	const struct latency exact = {.moments.max = 6000};
	assert_int_equal(known_below(&exact, 0), 0); /* samples of weir's own */
}

static void rate_without_bytes(void **state)
{
	struct result *r = result_new();
	struct result_row *row = fill_rows(r, 1);
	const struct result_dir_told told = {
		.present = true, .no_bytes = true, .ios_per_s = 999.8};
	const struct report_how how = {.version = "weir"};

	(void)state;
	row->dir[DIR_READ] = (struct result_dir){
		.told = &told, .issued = 9998, .runtime_ns = 10 * NS_PER_S};
	scope_mem char *text = fill_text(r, &report_summary, &how);
	has(text, ": read 1.00 k IOPS\n");
	result_free(r);
}

/* A log of mean latencies says how long it was, and not of how many; one of rates says 0. */
static void ran_is_not_nothing(void **state)
{
	struct result *r = result_new();
	struct result_row *row = fill_rows(r, 1);
	const struct result_told told = {.user_percent = -1, .system_percent = -1};
	struct result_dir_told of_dir = {.present = false};
	const struct report_how how = {.version = "weir"};

	(void)state;
	row->told = &told;
	row->dir[DIR_READ] = (struct result_dir){.told = &of_dir, .runtime_ns = NS_PER_S};
	scope_mem char *table = fill_text(r, &report_table, &how);
	has(table, " not known\n");
	scope_mem char *line = fill_text(r, &report_summary, &how);
	has(line, ": not known\n");
	of_dir.bw = true;
	scope_mem char *nothing = fill_text(r, &report_table, &how);
	has(nothing, " no I/O\n");
	result_free(r);
}

/* ---- notes ---- */

static const struct result_note *note_of(const struct result *r, const char *id)
{
	for (uint32_t i = 0; i < r->notes_count; i++)
		if (!strcmp(r->notes[i].id, id))
			return &r->notes[i];
	return NULL;
}

static void ran(struct result_row *row, uint64_t runtime_ns)
{
	fill_dir(&row->dir[DIR_READ], 10, 4096, runtime_ns);
	row->runtime_ns = runtime_ns;
}

static void short_run_once(void **state)
{
	struct result *r = result_new();
	struct result_row *rows = fill_rows(r, 4);

	(void)state;
	ran(&rows[0], 3 * NS_PER_MS);
	ran(&rows[1], 3 * NS_PER_MS);
	ran(&rows[2], 0);             /* a log with one line: nobody knows how long */
	ran(&rows[3], 2 * NS_PER_MS); /* its failure says after how long */
	rows[3].end = END_ERROR;
	rows[3].error = 28;
	assert_int_equal(result_notes_make(r), 0);
	has(note_of(r, "short-run")->text,
		"2 jobs were measured for less than a second (3.0 ms each)");
	has(note_of(r, "job-failed")->text, "after 2.0 ms");
	result_free(r);
}

static void short_run_of_dd(void **state)
{
	struct result *r = result_new();
	struct result_row *rows = fill_rows(r, 1);

	(void)state;
	ran(&rows[0], 3 * NS_PER_MS);
	rows[0].engine = "dd";
	assert_int_equal(result_notes_make(r), 0);
	has(note_of(r, "short-run")->remedy, "let dd");
	assert_null(strstr(note_of(r, "short-run")->remedy, "runtime"));
	result_free(r);
}

/* 32 jobs of 64 each: 2048 in flight, 200 times as slow as alone. */
static void saturated_without_exponent(void **state)
{
	static const double percents[] = {1, 50, 100};
	static const uint64_t values[] = {10000, 2000000, 2100000};
	struct result *r = result_new();
	struct result_row *row = fill_rows(r, 1);

	(void)state;
	fill_dir(&row->dir[DIR_READ], 10240000, 4096, 10 * NS_PER_S);
	row->runtime_ns = 10 * NS_PER_S;
	row->depth = row->depth_asked = 64;
	row->members = 32;
	row->dir[DIR_READ].lat = fill_latency(r, 10240000, 9000, 2100000, 2000000, 100000);
	fill_percentiles(row->dir[DIR_READ].lat, percents, values, COUNT_OF(values));
	assert_int_equal(result_notes_make(r), 0);
	const struct result_note *note = note_of(r, "saturated");
	assert_non_null(note);
	has(note->text, "; 2048 were in flight");
	assert_null(strstr(note->text, "e+"));
	result_free(r);
}

/* Rate and mean make 2048, and there can't be more than 2000: 125 jobs of 16. */
static void saturated_within_depth(void **state)
{
	static const double percents[] = {1, 50, 100};
	static const uint64_t values[] = {10000, 2000000, 2100000};
	struct result *r = result_new();
	struct result_row *row = fill_rows(r, 1);

	(void)state;
	fill_dir(&row->dir[DIR_READ], 10240000, 4096, 10 * NS_PER_S);
	row->runtime_ns = 10 * NS_PER_S;
	row->depth = row->depth_asked = 16;
	row->members = 125;
	row->dir[DIR_READ].lat = fill_latency(r, 10240000, 9000, 2100000, 2000000, 100000);
	fill_percentiles(row->dir[DIR_READ].lat, percents, values, COUNT_OF(values));
	assert_int_equal(result_notes_make(r), 0);
	has(note_of(r, "saturated")->text, "; 2000 were in flight");
	result_free(r);
}

/* A file that can't be opened: there are no figures to speak of. */
static void failed_before_all(void **state)
{
	struct result *r = result_new();
	struct result_row *row = fill_rows(r, 1);

	(void)state;
	ran(row, 0);
	row->end = END_ERROR;
	row->error = 13;
	assert_int_equal(result_notes_make(r), 0);
	has(note_of(r, "job-failed")->text, "before its first request");
	result_free(r);
}

static void steady_in_words(void **state)
{
	struct result *r = result_new();
	struct result_row *row = fill_rows(r, 1);
	struct result_steady s = {
		.attained = true, .text = "iops_slope:0.300000%", .window_ns = 3 * NS_PER_S};

	(void)state;
	ran(row, 10 * NS_PER_S);
	row->steady = &s;
	assert_int_equal(result_notes_make(r), 0);
	assert_string_equal(note_of(r, "steady")->text,
		"steady by iops_slope:0.3% over 3.0 s: ended there");
	s.text = ""; /* of fio's text, which doesn't have it */
	result_free(r);

	r = result_new();
	row = fill_rows(r, 1);
	ran(row, 10 * NS_PER_S);
	row->steady = &s;
	assert_int_equal(result_notes_make(r), 0);
	assert_string_equal(note_of(r, "steady")->text, "steady: ended there");
	result_free(r);
}

/* Of six that say the same in other figures three are shown, and the others counted. */
static void many_alike(void **state)
{
	struct result *r = result_new();
	const struct report_how how = {.version = "weir"};

	(void)state;
	fill_rows(r, 1);
	for (int i = 0; i < 6; i++)
		result_note_add(r, "errors", NOTE_INVALID, "a", "%d of its requests failed",
			10 + i);
	for (int i = 0; i < 4; i++)
		result_note_add(r, "log-wait", NOTE_INFO, "a", "stood still for %d s", 20 + i);
	scope_mem char *table = fill_text(r, &report_table, &how);
	has(table, "  invalid   a  10 of its requests failed\n"
		   "  invalid   a  11 of its requests failed\n"
		   "  invalid   a  12 of its requests failed\n"
		   "               and 3 more like these (errors); JSON has them\n"
		   "  info      a  stood still for 20 s\n");
	has(table, "stood still for 23 s\n");
	scope_mem char *markdown = fill_text(r, &report_markdown, &how);
	has(markdown,
		"12 of its requests failed\n- and 3 more like these (errors); JSON has them\n");
	result_free(r);
}

/* A name may hold anything, and a list of Markdown is read as one. */
static void names_in_markdown(void **state)
{
	struct result *r = result_new();
	const struct report_how how = {.version = "weir"};

	(void)state;
	fill_rows(r, 1)->name = "a|b*_<i>\xc3\xa9";
	result_note_add(r, "errors", NOTE_INVALID, "a|b*_<i>\xc3\xa9", "x\033[2Jy");
	scope_mem char *text = fill_text(r, &report_markdown, &how);
	has(text, "| a\\|b\\*\\_\\<i\\>\xc3\xa9 |");
	has(text, "- invalid, a\\|b\\*\\_\\<i\\>\xc3\xa9: x?[2Jy\n");
	result_free(r);
}

/* Results come and go, and the next may lie where the last one lay: each counts. */
static void gathered_of_runs(void **state)
{
	struct result *r = result_new();
	const struct report_how how = {.version = "weir"};
	struct gathered g = {0};
	scope_with(str_done) struct str out = {0};

	(void)state;
	result_note_add(r, "stolen", NOTE_DOUBTFUL, NULL, "the host took 5 %%");
	gathered_add(&g, r, "first", NULL);
	gathered_add(&g, r, "second", NULL);
	gathered_add(&g, r, "third", NULL);
	gathered_text(&g, &how, &out);
	has(str_text(&out), "  doubtful  first and 2 more  the host took 5 %\n");
	gathered_done(&g);
	result_free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(plain_numbers),
		cmocka_unit_test(words),
		cmocka_unit_test(small_digits),
		cmocka_unit_test(percentiles_end_at_the_maximum),
		cmocka_unit_test(told_in_whole_us),
		cmocka_unit_test(rate_without_bytes),
		cmocka_unit_test(ran_is_not_nothing),
		cmocka_unit_test(short_run_once),
		cmocka_unit_test(short_run_of_dd),
		cmocka_unit_test(saturated_without_exponent),
		cmocka_unit_test(saturated_within_depth),
		cmocka_unit_test(failed_before_all),
		cmocka_unit_test(steady_in_words),
		cmocka_unit_test(many_alike),
		cmocka_unit_test(names_in_markdown),
		cmocka_unit_test(gathered_of_runs),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
