/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* fio's numbers, its header line and its status line. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>

#include <cmocka.h>
#include <string.h>

#include "base/bits.h"
#include "base/str.h"
#include "report/report.h"
#include "report/text.h"

/* From fio's output: block sizes of 3.33's header lines and figures of 3.42. */
static void scaled(void **state)
{
	static const struct {
		uint64_t value;
		unsigned digits, base;
		const char *unit, *text;
	} cases[] = {
		{0, 4, 1024, "B", "0B"},
		{4096, 4, 1024, "B", "4096B"},
		{9999, 4, 1024, "B", "9999B"},
		{10000, 4, 1024, "B", "9.77KiB"},
		{10111, 4, 1024, "B", "9.87KiB"},
		{10239, 4, 1024, "B", "10.00KiB"},
		{10240, 4, 1024, "B", "10.0KiB"},
		{10496, 4, 1024, "B", "10.2KiB"},
		{20736, 4, 1024, "B", "20.2KiB"},
		{65536, 4, 1024, "B", "64.0KiB"},
		{99999, 4, 1024, "B", "97.7KiB"},
		{102399, 4, 1024, "B", "100.0KiB"},
		{102400, 4, 1024, "B", "100KiB"},
		{131072, 4, 1024, "B", "128KiB"},
		{1023999, 4, 1024, "B", "1000KiB"},
		{1048575, 4, 1024, "B", "1024KiB"},
		{9999999, 4, 1024, "B", "9766KiB"},
		{10239488, 4, 1024, "B", "10000KiB"},
		{10240511, 4, 1024, "B", "9.77MiB"},
		{10485759, 4, 1024, "B", "10.00MiB"},
		{10485760, 4, 1024, "B", "10.0MiB"},
		{20250, 4, 1000, "B", "20.2kB"},
		{2025000, 6, 1024, "B", "1977.5KiB"},
		{2740032, 4, 1000, "", "2740k"},
		{85246, 4, 1000, "", "85.2k"},
		{4141300, 6, 1000, "", "4141.3k"},
		{26799123, 6, 1000, "", "26799k"},
		{3153149, 10, 1000, "", "3153149"},
		{13018624000, 10, 1024, "B", "12713500.0KiB"},
		{13018624000, 10, 1000, "B", "13018624.0kB"},
		{1048576000, 4, 1024, "B/s", "1000MiB/s"},
		{1048576000, 4, 1000, "B/s", "1049MB/s"},
		{1048576000, 0, 1000, "B/s", "1049MB/s"},
		{5000000000, 1, 1000, "B/s", "5GB/s"},
		{UINT64_MAX, 4, 1024, "B", "16.0EiB"},
		{UINT64_MAX, 1, 1000, "", "18E"},
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct str out = {0};
		report_scaled(&out, cases[i].value, cases[i].digits, cases[i].base,
			cases[i].unit);
		assert_string_equal(str_text(&out), cases[i].text);
		str_done(&out);
	}
}

static void head(void **state)
{
	const struct report_job_head clones = {.name = "br",
		.rw = "randrw",
		.bs_min = {512, 8192, 8192},
		.bs_max = {4096, 65536, 65536},
		.engine = "null",
		.depth = 1,
		.clones = true};
	const struct report_job_head decimal = {.name = "a",
		.group = 2,
		.rw = "read",
		.bs_min = {20250, 20250, 20250},
		.bs_max = {20250, 20250, 20250},
		.engine = "psync",
		.depth = 8,
		.kb_base = 1000};
	const struct report_job_head by_order = {.name = "o",
		.rw = "randread",
		.bs_min = {4096, 8192},
		.bs_max = {4096, 8192},
		.bs_by_order = true,
		.engine = "psync",
		.depth = 1};
	struct str out = {0};

	(void)state;
	report_classic_head(&clones, &out);
	report_classic_head(&decimal, &out);
	report_classic_head(&by_order, &out);
	assert_string_equal(str_text(&out),
		"br: (g=0): rw=randrw, bs=(R) 512B-4096B, (W) 8192B-64.0KiB, (T) 8192B-64.0KiB, "
		"ioengine=null, iodepth=1\n...\n"
		"a: (g=2): rw=read, bs=(R) 20.2kB-20.2kB, (W) 20.2kB-20.2kB, (T) 20.2kB-20.2kB, "
		"ioengine=psync, iodepth=8\n"
		"o: (g=0): rw=randread, bs=(R) 4096B-4096B, (W) 8192B-8192B, bs_is_seq_rand, "
		"ioengine=psync, iodepth=1\n");
	str_done(&out);
}

static void live(void **state)
{
	static const struct {
		struct run_view_text view;
		const char *line;
	} cases[] = {
		{{.running = 1, .open_files = 2}, "Jobs: 1 (f=2)"},
		{{.running = 2, .open_files = 2, .rate_max = 1048576},
			"Jobs: 2 (f=2), 0B/s-1024KiB/s"},
		{{.running = 1, .open_files = 1, .rate_max = 5000},
			"Jobs: 1 (f=1), 0B/s-5000B/s"},
		{{.running = 1, .open_files = 1, .rate_max = 124456, .rate_ios = true},
			"Jobs: 1 (f=1), 0-124456 IOPS"},
		{{.running = 2,
			 .open_files = 2,
			 .rate_max = 1048576,
			 .eta_known = true,
			 .states = "r(1),W(1),P(1)",
			 .percent = 100,
			 .moved = {true, true, false},
			 .bytes_per_s = {409600, 1048576, 0},
			 .ios_per_s = {100, 256, 0}},
			"Jobs: 2 (f=2), 0B/s-1024KiB/s: [r(1),W(1),P(1)][100.0%][r=400KiB/s,"
			"w=1024KiB/s][r=100,w=256 IOPS][eta 00m:00s]"},
		{{.running = 1,
			 .open_files = 1,
			 .eta_known = true,
			 .states = "D(1)",
			 .percent = 0.04,
			 .eta_s = 93784,
			 .moved = {false, false, true},
			 .bytes_per_s = {0, 0, 5119},
			 .ios_per_s = {0, 0, 124456}},
			"Jobs: 1 (f=1): [D(1)][0.0%][t=4KiB/s][t=124k IOPS][eta 01d:02h:03m:04s]"},
		{{.running = 1,
			 .open_files = 0,
			 .eta_known = true,
			 .states = "/(1)",
			 .percent = -1,
			 .eta_s = 3723},
			"Jobs: 1 (f=0): [/(1)][-.-%][eta 01h:02m:03s]"},
		{{.eta_known = true, .states = "_(1)"}, "Jobs: 0 (f=0)"},
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct str out = {0};
		report_live_line(&cases[i].view, &out);
		assert_string_equal(str_text(&out), cases[i].line);
		str_done(&out);
	}
}

static void widths(void **state)
{
	static const struct {
		const char *text;
		unsigned width;
		const char *clean;
	} cases[] = {
		{"", 0, ""},
		{"plain", 5, "plain"},
		{"5 \xc2\xb5s \xc3\x97"
		 "4",
			7,
			"5 \xc2\xb5s \xc3\x97"
			"4"},
		{"\xe6\xb5\x8b\xe8\xaf\x95", 4, "\xe6\xb5\x8b\xe8\xaf\x95"}, /* two wide ones */
		{"e\xcc\x81", 1, "e\xcc\x81"}, /* a combining accent */
		{"a\033[2Jb\n", 7, "a?[2Jb?"},
		{"\xff\xc3", 2, "??"},
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct str out = {0};
		assert_int_equal(text_width(cases[i].text), cases[i].width);
		text_add(&out, cases[i].text);
		assert_string_equal(str_text(&out), cases[i].clean);
		str_done(&out);
	}
}

static void wrapping(void **state)
{
	struct str out = {0};

	(void)state;
	str_add(&out, "ab: ");
	text_wrap(&out, "one two  three and-a-long-word four", 4, 2, 12);
	assert_string_equal(str_text(&out), "ab: one two\n  three\n  and-a-long-word\n  four");
	str_done(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(scaled),
		cmocka_unit_test(head),
		cmocka_unit_test(live),
		cmocka_unit_test(widths),
		cmocka_unit_test(wrapping),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
