/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* The native table: what it says, how it is laid out, what it can't be made to do. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>

#include <cmocka.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/err.h"
#include "base/json.h"
#include "base/scope.h"
#include "base/str.h"
#include "report/figures.h"
#include "report/report.h"
#include "report/text.h"
#include "report_fill.h"

#define TEN_S (10 * NS_PER_S)

/* Every sample in one bin but the longest thousandth: mean, p50, p99 known to three digits. */
static struct latency *flat(struct result *r, uint64_t ns, uint64_t max)
{
	struct latency *l = arena_alloc(&r->arena, sizeof(*l));
	assert_non_null(l);
	for (int i = 0; i < 99900; i++)
		latency_record(l, ns);
	for (int i = 0; i < 100; i++)
		latency_record(l, max);
	return l;
}

static void fill_job(struct result *r, struct result_row *row, const char *name,
	const char *what, enum dir dir, uint64_t ios, uint64_t block, uint64_t ns, uint64_t max)
{
	row->name = name;
	row->what = what;
	row->runtime_ns = TEN_S;
	row->cpu_runtime_ms = 10000;
	fill_dir(&row->dir[dir], ios, block, TEN_S);
	row->dir[dir].lat = flat(r, ns, max);
}

static char *print(const struct result *r, uint32_t columns, bool colour)
{
	const struct report_how how = {
		.native = true, .version = "weir 0.1", .columns = columns, .colour = colour};
	return fill_text(r, &report_table, &how);
}

/* By hand, without a series: 128850 I/Os whose latencies deviate by 89.0 us from a mean of 66.8
 * are 12885 a second to 1.333 / sqrt(128850), 48: 12890.  4452310 are 445231 to 1 / sqrt of
 * it, 211: 445200. */
static struct result *two_jobs(void)
{
	struct result *r = result_new();
	struct result_row *rows = fill_rows(r, 2);

	r->title = "jobs.fio";
	r->targets = "/dev/nvme0n1";
	r->kernel = "Linux 6.18";
	fill_job(r, &rows[0], "rread-q1", "randread 4k", DIR_READ, 128850, 4096, 64000,
		2881000);
	rows[0].cpu.user_ms = 300;
	rows[0].cpu.system_ms = 409;
	fill_job(r, &rows[1], "rread-128", "randread 4k", DIR_READ, 4452310, 4096, 253952,
		4049000);
	rows[1].depth = 32;
	rows[1].members = 4;
	rows[1].group = 1;
	rows[1].cpu.user_ms = 2000;
	rows[1].cpu.system_ms = 2452;
	return r;
}

static void wide(void **state)
{
	struct result *r = two_jobs();

	(void)state;
	result_note_add(r, "x", NOTE_DOUBTFUL, "rread-q1",
		"7 %% of the reads hit extents that were never written: fill the device first");
	result_note_add(r, "y", NOTE_INFO, NULL, "said of all");
	result_note_put(r, &(struct result_note){.id = "z",
				   .target = "/data",
				   .text = "is full",
				   .remedy = "make room"});
	scope_mem char *text = print(r, 0, false);
	assert_string_equal(text,
		"weir 0.1   jobs.fio   /dev/nvme0n1   Linux 6.18\n"
		"\n"
		"                                                      latency, \xc2\xb5s\n"
		"job        what                   IOPS  MB/s  mean   p50   p99  p99.9   max   CPU/IO\n"
		"rread-q1   randread 4k  q1       12890  52.8  66.8  64.3  64.3   64.3  2881  5.50 "
		"\xc2\xb5s\n"
		"rread-128  randread 4k  q32 \xc3\x97"
		"4  445200  1824   258   255   255    255  4049  "
		"1.00 \xc2\xb5s\n"
		"\n"
		"notes\n"
		"  doubtful  rread-q1  7 % of the reads hit extents that were never written: fill the "
		"device first\n"
		"  info                said of all\n"
		"  info                /data: is full; make room\n");
	result_free(r);
}

static void narrow(void **state)
{
	struct result *r = two_jobs();

	(void)state;
	scope_mem char *text = print(r, 70, false);
	assert_string_equal(text,
		"weir 0.1   jobs.fio   /dev/nvme0n1   Linux 6.18\n"
		"\n"
		"                          latency, \xc2\xb5s\n"
		"      IOPS  MB/s  mean   p50   p99  p99.9   max   CPU/IO\n"
		"rread-q1   randread 4k  q1\n"
		"     12890  52.8  66.8  64.3  64.3   64.3  2881  5.50 \xc2\xb5s\n"
		"rread-128  randread 4k  q32 \xc3\x97"
		"4\n"
		"    445200  1824   258   255   255    255  4049  1.00 \xc2\xb5s\n");
	result_free(r);
}

/* Stacked, one long name moves nobody else's labels. */
static void long_name(void **state)
{
	struct result *r = two_jobs();

	(void)state;
	r->rows[0].name = "a-name-that-is-longer-than-most-others-and-then-some";
	scope_mem char *text = print(r, 80, false);
	assert_non_null(strstr(text,
		"\na-name-that-is-longer-than-most-others-and-then-some  randread 4k  q1\n"));
	assert_non_null(strstr(text, "\nrread-128                 randread 4k  q32"));
	result_free(r);
}

/* Beside a long name there is no room: the sentence has its column below it. */
static void note_of_long_name(void **state)
{
	struct result *r = two_jobs();

	(void)state;
	result_note_put(r, &(struct result_note){.id = "x",
				   .weight = NOTE_INFO,
				   .job = "a-name-that-is-longer-than-most-others",
				   .text = "said of it"});
	result_note_put(r, &(struct result_note){.id = "y",
				   .weight = NOTE_INFO,
				   .job = "sequential_write and 4 more",
				   .text = "said of these"});
	scope_mem char *text = print(r, 0, false);
	assert_non_null(strstr(text,
		"  info      a-name-that-is-longer-than-most-others\n"
		"                                          said of it\n"
		"  info      sequential_write and 4 more   said of these\n"));
	result_free(r);
}

/* Notes are broken where they are still easy to read. */
static void very_wide(void **state)
{
	struct result *r = two_jobs();
	size_t longest = 0;

	(void)state;
	result_note_add(r, "x", NOTE_INFO, NULL,
		"a sentence that goes on and on, longer than anybody would want to read in one "
		"line, even where the window is as wide as the desk, and then some more words");
	scope_mem char *text = print(r, 300, false);
	char *rest = strstr(text, "notes\n"), *line;
	while ((line = strsep(&rest, "\n")))
		longest = longest > strlen(line) ? longest : strlen(line);
	assert_in_range(longest, 90, 110);
	result_free(r);
}

/* Directions, syncs, response time and errors have lines of their own. */
static void parts(void **state)
{
	struct result *r = result_new();
	struct result_row *rows = fill_rows(r, 3);

	(void)state;
	fill_job(r, &rows[0], "mix", "randrw 8k", DIR_READ, 20000, 8192, 64000, 90000);
	fill_job(r, &rows[0], "mix", "randrw 8k", DIR_WRITE, 5000, 8192, 128000, 5000000);
	rows[0].dir[DIR_WRITE].errors = 3;
	rows[0].sync = flat(r, 1024000, 2000000);
	rows[0].syncs = 1000;
	rows[0].end = END_ERROR;
	rows[0].error = 28;
	fill_job(r, &rows[1], "paced", "randread 4k", DIR_READ, 5000, 4096, 64000, 90000);
	rows[1].dir[DIR_READ].response = flat(r, 131072000, 700000000);
	rows[1].dir[DIR_READ].lateness = flat(r, 4000, 8000);
	rows[1].group = 1;
	rows[2].name = "idle";
	rows[2].group = 2;
	scope_mem char *text = print(r, 120, false);
	static const char *const lines[] = {
		"job    what                        IOPS  MB/s    mean ",
		"max  CPU/IO  errors\n",
		"\nmix    randrw 8k  q1     read      2000  16.4    64.0    64.3 ",
		"\n                         write      500  4.10     133     129 ",
		"5000               3\n",
		"\n                         sync       100          1025    1030 ",
		"\n       failed, errno 28\n",
		"\npaced  randread 4k  q1              500  2.05    64.0    64.3 ",
		"\n                         response              131640  132000  132000  132000  700000\n",
		"\n                         lateness                4.00    4.02 ",
		"\nidle   read 4k  q1       no I/O\n",
	};
	for (size_t i = 0; i < COUNT_OF(lines); i++)
		if (!strstr(text, lines[i]))
			fail_msg("no line \"%s\" in:\n%s", lines[i], text);
	result_free(r);
}

/* A mean ends where its standard error begins, a quantile has three digits, and a mark where
 * fewer than ten samples are beyond it: of 500, the ten slowest are beyond p98. */
static void precision(void **state)
{
	struct result *r = result_new();
	struct result_row *row = fill_rows(r, 1);
	struct latency *l = arena_alloc(&r->arena, sizeof(*l));

	(void)state;
	fill_job(r, row, "a", "b", DIR_READ, 500, 4096, 1, 1);
	for (int i = 0; i < 500; i++)
		latency_record(l, i % 2 ? 110000 : 300000);
	row->dir[DIR_READ].lat = l;
	scope_mem char *text = print(r, 0, false);
	/* 205 +- 4.2; the bins of 110 and 300; 500 I/Os are 50 +- 2.2 a second */
	static const char *const parts_of[] = {"  50  0.20   205  110  ~300   ~300  300  ",
		"\n~ rests on fewer than 10 samples beyond it\n"};
	for (size_t i = 0; i < COUNT_OF(parts_of); i++)
		if (!strstr(text, parts_of[i]))
			fail_msg("no \"%s\" in:\n%s", parts_of[i], text);
	result_free(r);
}

/* What nobody measured has no column. */
static void absent_columns(void **state)
{
	struct result *r = result_new();
	struct result_row *row = fill_rows(r, 1);

	(void)state;
	fill_dir(&row->dir[DIR_READ], 100, 4096, TEN_S);
	scope_mem char *text = print(r, 0, false);
	assert_string_equal(text, "weir 0.1\n"
				  "\n"
				  "job  what         IOPS   MB/s  CPU/IO\n"
				  "job  read 4k  q1    10  0.041       -\n");
	result_free(r);
}

static void units(void **state)
{
	static const struct {
		uint64_t ns, max;
		const char *heading, *p50;
	} cases[] = {
		{23, 20000000, "latency, ns", "  23   23     23 "},
		{9000, 20000000, "latency, ns", "  9020  9020 "},
		{64000, 20000000, "latency, \xc2\xb5s", " 64.3  64.3 "},
		{900000, 20000000, "latency, \xc2\xb5s", "  900  900 "},
		{4096000, 20000000, "latency, ms", " 4.11  4.11 "},
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct result *r = result_new();
		fill_job(r, fill_rows(r, 1), "a", "b", DIR_READ, 100, 4096, cases[i].ns,
			cases[i].max);
		scope_mem char *text = print(r, 0, false);
		if (!strstr(text, cases[i].heading) || !strstr(text, cases[i].p50))
			fail_msg("no \"%s\" or \"%s\" in:\n%s", cases[i].heading, cases[i].p50,
				text);
		result_free(r);
	}
}

/* clat stands in only where nothing measured the whole, and is named so. */
static void completion_latency(void **state)
{
	struct result *r = result_new();
	struct result_row *row = fill_rows(r, 1);

	(void)state;
	fill_dir(&row->dir[DIR_READ], 100, 4096, TEN_S);
	row->dir[DIR_READ].clat = flat(r, 64000, 70000);
	scope_mem char *clat = print(r, 0, false);
	assert_non_null(strstr(clat, "completion latency, "));
	row->dir[DIR_READ].lat = flat(r, 64000, 70000);
	scope_mem char *lat = print(r, 0, false);
	assert_null(strstr(lat, "completion"));
	result_free(r);
}

static void series_of(struct result_row *row, uint64_t start_s, uint32_t n, uint64_t ios)
{
	row->series = (struct series){.interval_ns = NS_PER_S, .start_ns = start_s * NS_PER_S};
	row->window_start_ns = start_s * NS_PER_S;
	row->window_end_ns = (start_s + n) * NS_PER_S;
	for (uint32_t i = 0; i < n; i++)
		series_add(&row->series, (start_s + i) * NS_PER_S, DIR_READ, ios, ios * 4096,
			NULL, NULL);
	fill_dir(&row->dir[DIR_READ], ios * n, 4096, n * NS_PER_S);
}

/* Seconds of 445231 +- 6000 in turns: sqrt(10 * 6000^2 / (10 * 9)) = 2000, times 1.06 (GUM,
 * table G.2, 9 degrees of freedom): the thousands are known.  Without its seconds: 445200. */
static void digits_by_seconds(void **state)
{
	struct result *r = result_new();
	struct result_row *row = fill_rows(r, 1);

	(void)state;
	series_of(row, 10, 10, 445231);
	for (uint32_t i = 0; i < 10; i++) {
		row->series.records[i].ios[DIR_READ] += i % 2 ? 6000 : -6000;
		row->series.records[i].bytes[DIR_READ] = row->series.records[i].ios[DIR_READ] *
							 4096;
	}
	row->runtime_ns = TEN_S;
	scope_mem char *by_seconds = print(r, 0, false);
	assert_non_null(strstr(by_seconds, "q1  445000  1824  "));
	row->series.count = 0;
	scope_mem char *by_count = print(r, 0, false);
	assert_non_null(strstr(by_count, "q1  445200  1824  "));
	/* On a schedule: to one in 4452310. */
	row->dir[DIR_READ].asked_per_s = 445231;
	scope_mem char *asked = print(r, 0, false);
	assert_non_null(strstr(asked, "q1  445231  1824  "));
	result_free(r);
}

/* Neither is p99.9 seen below p99, nor anything above the maximum, whatever its digits: by hand
 * p99.9 is known to 1.9 ms, and would be 250 us beside 255. */
static void digits_in_order(void **state)
{
	struct result *r = two_jobs();

	(void)state;
	scope_mem char *text = print(r, 0, false);
	assert_non_null(strstr(text, "  255   255    255  4049"));
	result_free(r);
	r = result_new();
	/* 12192 of a bin whose middle is more: clamped to the longest; three digits are 12200,
	 * four 12190. */
	fill_job(r, fill_rows(r, 1), "a", "b", DIR_READ, 100, 4096, 12192000, 12192000);
	const struct report_how how = {
		.native = true, .version = "weir 0.1", .units.latency = {"us", 1e3}};
	scope_mem char *most = fill_text(r, &report_table, &how);
	assert_non_null(strstr(most, "  12192  12190  12190  12190  12192"));
	result_free(r);
}

static void together(void **state)
{
	struct result *r = result_new();
	struct result_row *rows = fill_rows(r, 3);

	(void)state;
	series_of(&rows[0], 10, 4, 1000);
	series_of(&rows[1], 12, 6, 500);
	series_of(&rows[2], 20, 6, 10);
	rows[2].group = 1;
	scope_mem char *text = print(r, 0, false);
	const char *line = strstr(text, "all 2  while together, 2 s  1500   6.14");
	assert_non_null(line);
	assert_null(strstr(line + 1, "all "));
	result_free(r);
}

static void said_above(void **state)
{
	struct result *r = two_jobs();

	(void)state;
	r->final = false;
	r->elapsed_s = 12;
	scope_mem char *interim = print(r, 0, false);
	assert_non_null(strstr(interim,
		"Linux 6.18\ninterim report, 12 s after the start\n\n"));
	r->final = true;
	r->stop_signal = 2;
	scope_mem char *stopped = print(r, 0, false);
	assert_non_null(strstr(stopped, "\npartial report: "));
	result_free(r);
}

/* ---- laws of the layout, over widths ---- */

static void drop_colours(char *text)
{
	char *to = text;
	while (*text) {
		if (*text == '\033')
			text = strchr(text, 'm') + 1;
		else
			*to++ = *text++;
	}
	*to = '\0';
}

static void colours_change_nothing(void **state)
{
	struct result *r = two_jobs();

	(void)state;
	result_note_add(r, "x", NOTE_INVALID, "rread-q1", "text");
	scope_mem char *plain = print(r, 100, false);
	scope_mem char *colour = print(r, 100, true);
	assert_null(strchr(plain, '\033'));
	assert_non_null(strstr(colour, "\033[1;31minvalid\033[0m"));
	drop_colours(colour);
	assert_string_equal(plain, colour);
	result_free(r);
}

static void fits(void **state)
{
	struct result *r = two_jobs();

	(void)state;
	result_note_add(r, "x", NOTE_DOUBTFUL, "rread-q1",
		"a sentence that is long enough to be broken at least once at every width that is "
		"tried here, with numbers like 12345 and a remedy: do something else");
	for (uint32_t columns = 64; columns <= 130; columns++) {
		scope_mem char *text = print(r, columns, false);
		char *rest = text, *line;
		while ((line = strsep(&rest, "\n"))) {
			size_t len = strlen(line);
			if (text_width(line) > columns)
				fail_msg("%u columns: %s", columns, line);
			assert_false(len && line[len - 1] == ' ');
		}
	}
	result_free(r);
}

/* A job's name is not a way to the terminal. */
static void names_are_harmless(void **state)
{
	struct result *r = two_jobs();

	(void)state;
	r->rows[0].name = "a\033[2J\rb";
	r->title = "\033]0;x\007";
	result_note_add(r, "x", NOTE_INFO, "a\033", "b\nc\033");
	scope_mem char *text = print(r, 100, false);
	assert_null(strchr(text, '\033'));
	assert_null(strchr(text, '\r'));
	assert_null(strchr(text, '\007'));
	assert_non_null(strstr(text, "a?[2J?b"));
	result_free(r);
}

/* ---- the figures ---- */

static void figures(void **state)
{
	struct result *r = two_jobs();
	struct figure_value v;

	(void)state;
	for (size_t i = 0; i < figures_dir_count; i++) {
		const struct figure *f = &figures_dir[i];
		assert_non_null(f->key);
		assert_non_null(f->help);
		assert_true(f->of_dir && !f->of_row);
		for (size_t k = 0; k < i; k++)
			assert_string_not_equal(f->key, figures_dir[k].key);
	}
	for (size_t i = 0; i < figures_row_count; i++)
		assert_true(figures_row[i].of_row && !figures_row[i].of_dir);
	assert_null(figure_find("no_such_figure"));
	assert_true(figure_get(figure_find("lat_max_ns"), r->rows, DIR_READ, &v));
	assert_int_equal(v.whole, 2881000);
	assert_true(v.real == 2881000);
	assert_true(figure_get(figure_find("ios_per_s"), r->rows, DIR_READ, &v));
	assert_true(fabs(v.real - 12885) < 1e-9);
	assert_false(figure_get(figure_find("lat_max_ns"), r->rows, DIR_WRITE, &v));
	assert_false(figure_get(figure_find("due"), r->rows, DIR_READ, &v));
	assert_true(figure_get(figure_find("cpu_per_io_ns"), r->rows, DIR_READ, &v));
	assert_int_equal(v.whole, 5502);
	result_free(r);
}

/* The table as Markdown: units in the titles, bars in names harmless. */
static void markdown(void **state)
{
	struct result *r = two_jobs();
	const struct report_how how = {.native = true, .version = "weir 0.1"};

	(void)state;
	r->rows[1].name = "a|b";
	result_note_add(r, "x", NOTE_DOUBTFUL, "rread-q1", "too short");
	scope_mem char *text = fill_text(r, &report_markdown, &how);
	assert_string_equal(text,
		"weir 0.1   jobs.fio   /dev/nvme0n1   Linux 6.18\n\n"
		"| job | what | IOPS | MB/s | mean, \xc2\xb5s | p50, \xc2\xb5s | p99, \xc2\xb5s | "
		"p99.9, \xc2\xb5s | max, \xc2\xb5s | CPU/IO |\n"
		"| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n"
		"| rread-q1 | randread 4k  q1 | 12890 | 52.8 | 66.8 | 64.3 | 64.3 | 64.3 | 2881 | "
		"5.50 \xc2\xb5s |\n"
		"| a\\|b | randread 4k  q32 \xc3\x97"
		"4 | 445200 | 1824 | 258 | 255 | 255 | 255 | 4049 | 1.00 \xc2\xb5s |\n"
		"\n- doubtful, rread-q1: too short\n");
	result_free(r);
}

/* A line a job and direction; 12885 IOPS and 52.8 MB/s as in the table. */
static void summary(void **state)
{
	struct result *r = two_jobs();
	struct report_how how = {.native = true, .version = "weir 0.1"};
	struct err err = {0};

	(void)state;
	result_note_add(r, "x", NOTE_DOUBTFUL, NULL, "too short");
	result_note_add(r, "y", NOTE_INFO, NULL, "by the way");
	r->rows[1].dir[DIR_READ].errors = 3;
	scope_mem char *text = fill_text(r, &report_summary, &how);
	assert_string_equal(text,
		"rread-q1: randread 4k q1: read 12.9 k IOPS, 52.8 MB/s, p50 64.3 \xc2\xb5s, "
		"p99 64.3 \xc2\xb5s\n"
		"rread-128: randread 4k q32 \xc3\x97"
		"4: read 445 k IOPS, 1.82 GB/s, p50 255 \xc2\xb5s, p99 255 \xc2\xb5s, 3 errors\n"
		"1 note says what spoils this: leave --summary out\n");
	assert_int_equal(report_units_read("ms,MiB", &how.units, &err), 0);
	scope_mem char *fixed = fill_text(r, &report_summary, &how);
	assert_non_null(strstr(fixed, "445 k IOPS, 1739 MiB/s, p50 0.25 ms, p99 0.25 ms"));
	scope_mem char *table = fill_text(r, &report_table, &how);
	assert_non_null(strstr(table, "MiB/s"));
	assert_non_null(strstr(table, "latency, ms"));
	assert_non_null(strstr(table, "50.3")); /* 52.8 MB are 50.3 MiB */
	result_free(r);
}

static void wrong_units(void **state)
{
	static const char *const wrong[] = {"", "ms,", "ms,us", "KB", "MB,GB", "MS"};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(wrong); i++) {
		struct report_units units = {0};
		struct err err = {0};
		if (report_units_read(wrong[i], &units, &err) != -EINVAL || !err.text[0])
			fail_msg("'%s' was taken", wrong[i]);
	}
}

/* Field N (from 0) of line LINE (from 0) of TEXT without quotes. */
static const char *csv_field(const char *text, unsigned line, unsigned n)
{
	static char field[64];
	while (line--)
		text = strchr(text, '\n') + 1;
	while (n--)
		text = strchr(text, ',') + 1;
	snprintf(field, sizeof(field), "%.*s", (int)strcspn(text, ",\n"), text);
	return field;
}

/* Titles and values stand in the same columns; what wasn't measured is empty. */
static void csv(void **state)
{
	struct result *r = two_jobs();
	const struct report_how how = {.native = true};
	unsigned column = 5;

	(void)state;
	r->rows[1].name = "say \"a\",\nb";
	scope_mem char *text = fill_text(r, &report_csv, &how);
	assert_string_equal(csv_field(text, 0, 0), "job");
	assert_string_equal(csv_field(text, 1, 0), "rread-q1");
	assert_string_equal(csv_field(text, 1, 4), "read");
	for (size_t i = 0; i < figures_dir_count; i++, column++)
		assert_string_equal(csv_field(text, 0, column), figures_dir[i].key);
	assert_string_equal(csv_field(text, 1, 5), "128850");
	assert_string_equal(csv_field(text, 1, 7), "12885.000000");
	for (column = 5; strcmp(csv_field(text, 0, column), "response_p99_ns"); column++)
		;
	assert_string_equal(csv_field(text, 1, column), "");
	assert_non_null(strstr(text, "\n\"say \"\"a\"\",\nb\",1,4,randread 4k,read,4452310,"));
	result_free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(markdown),
		cmocka_unit_test(summary),
		cmocka_unit_test(wrong_units),
		cmocka_unit_test(csv),
		cmocka_unit_test(wide),
		cmocka_unit_test(narrow),
		cmocka_unit_test(parts),
		cmocka_unit_test(long_name),
		cmocka_unit_test(note_of_long_name),
		cmocka_unit_test(very_wide),
		cmocka_unit_test(absent_columns),
		cmocka_unit_test(precision),
		cmocka_unit_test(units),
		cmocka_unit_test(completion_latency),
		cmocka_unit_test(digits_by_seconds),
		cmocka_unit_test(digits_in_order),
		cmocka_unit_test(together),
		cmocka_unit_test(said_above),
		cmocka_unit_test(colours_change_nothing),
		cmocka_unit_test(fits),
		cmocka_unit_test(names_are_harmless),
		cmocka_unit_test(figures),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
