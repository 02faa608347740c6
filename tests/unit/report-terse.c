/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* fio's terse lines.  The expected fields are made here from the figures that the
 * result was given, in the order of fio's manual; their number is what Debian's
 * fio prints (161, 121, 162, 180 without disks). */
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
#include "report/report.h"
#include "report_fill.h"

#define MS UINT64_C(1000000)

/* 100 reads of 4 KiB in half a second: 200 IOPS, 800 KiB/s, all of them 2500 ns. */
static struct result *a_run(void)
{
	struct result *r = result_new();
	struct result_row *row = fill_rows(r, 1);
	struct result_dir *d = &row->dir[DIR_READ];

	row->name = "a;b";
	row->group = 7;
	fill_dir(d, 100, 4096, 500 * MS);
	d->clat = fill_latency(r, 100, 2500, 2500, 2500, 0);
	d->lat = fill_latency(r, 100, 2600, 2600, 2600, 0);
	d->bw = (struct samples){.count = 1, .min = 819200, .max = 819200, .mean = 819200};
	d->iops = (struct samples){.count = 1, .min = 200, .max = 200, .mean = 200};
	row->cpu_runtime_ms = 500;
	row->cpu.user_ms = 50;
	row->cpu.switches_voluntary = 3;
	row->cpu.faults_minor = 9;
	row->depths[0] = 100;
	row->spread.ns[0] = 40;
	row->spread.us[0] = 10;
	row->spread.us[1] = 50;
	fill_groups(r);
	return r;
}

static char *line_of(struct result *r, uint32_t version)
{
	const struct report_how how = {.version = "fio-3.42", .terse_version = version};
	return fill_text(r, &report_terse, &how);
}

static unsigned fields_of(const char *line)
{
	unsigned n = 1;
	for (; *line && *line != '\n'; line++)
		n += *line == ';';
	return n;
}

/* Field N, counted from 1 as cut(1) does. */
static const char *field_of(const char *line, unsigned n)
{
	static char text[64];
	while (--n)
		line = strchr(line, ';') + 1;
	snprintf(text, sizeof(text), "%.*s", (int)strcspn(line, ";\n"), line);
	return text;
}

static void counts(void **state)
{
	static const unsigned fields[] = {[2] = 161, [3] = 121, [4] = 162, [5] = 180};

	(void)state;
	for (uint32_t version = 2; version <= 5; version++) {
		struct result *r = a_run();
		scope_mem char *line = line_of(r, version);
		assert_int_equal(fields_of(line), fields[version]);
		assert_int_equal(line[strlen(line) - 1], '\n');
		result_free(r);
	}
}

static void figures(void **state)
{
	static const struct {
		unsigned n; /* of version 3 */
		const char *text;
	} cases[] = {
		{1, "3"},
		{2, "fio-3.42"},
		{3, "a b"},
		{4, "7"},
		{5, "0"},
		{6, "400"},
		{7, "800"},
		{8, "200"},
		{9, "500"},
		{10, "0"},
		{12, "0.000000"}, /* slat: not measured */
		{14, "2"},
		{15, "2"},
		{16, "2.500000"}, /* clat, cut to us    */
		{18, "1.000000%=2"},
		{34, "99.990000%=2"},
		{35, "0%=0"},
		{38, "2"},
		{40, "2.600000"}, /* lat                */
		{42, "800"},
		{43, "800"},
		{44, "100.000000%"},
		{45, "800.000000"},
		{47, "0"}, /* nothing written    */
		{88, "10.000000%"},
		{89, "0.000000%"},
		{90, "3"},
		{91, "0"},
		{92, "9"},
		{93, "100.0%"},
		{94, "0.0%"},
		{100, "50.00%"}, /* 2 us, with the ns  */
		{101, "50.00%"},
		{121, "0.00%"},
	};
	struct result *r = a_run();
	scope_mem char *line = line_of(r, 3);

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++)
		if (strcmp(field_of(line, cases[i].n), cases[i].text) != 0)
			fail_msg("field %u is %s, not %s", cases[i].n,
				field_of(line, cases[i].n), cases[i].text);
	result_free(r);
}

/* Version 5 has six fields of samples more a direction, and version 2 its
 * description on a line of its own. */
static void versions(void **state)
{
	struct result *r = a_run();
	r->rows[0].description = "two; words";
	scope_mem char *five = line_of(r, 5), *two = line_of(r, 2);

	(void)state;
	assert_string_equal(field_of(five, 47), "1"); /* bw samples */
	assert_string_equal(field_of(five, 48), "200");
	assert_string_equal(field_of(five, 50), "200.000000");
	assert_string_equal(field_of(five, 181), "two  words");
	assert_string_equal(field_of(two, 2), "a b");
	assert_string_equal(strchr(two, '\n'), "\n;two  words\n");
	result_free(r);
}

static void disks_and_errors(void **state)
{
	struct result *r = a_run();
	struct result_disk disks[2] = {{.name = "md0",
					       .slaves = 1,
					       .util_max = 12.5,
					       .own = {.ios = {1, 2},
						       .merges = {3, 4},
						       .ticks_ms = {5, 6},
						       .in_queue_ms = 7,
						       .util_percent = 50},
					       .mean = {.ios = {8, 9}, .in_queue_ms = 10}},
		{.name = "sda", .is_slave = true}};

	(void)state;
	r->disks = disks;
	r->disks_count = 2;
	r->rows[0].continued_on_error = true;
	r->rows[0].total_errors = 3;
	r->rows[0].first_error = 5;
	scope_mem char *line = line_of(r, 3);
	const char *tail = line;
	for (int i = 0; i < 121; i++)
		tail = strchr(tail, ';') + 1;
	assert_string_equal(tail, "md0;1;2;3;4;5;6;7;50.00%;slaves;8;9;0;0;0;0;10;12.50%;"
				  "sda;0;0;0;0;0;0;0;0.00%;3;5\n");
	r->disks = NULL;
	r->disks_count = 0;
	result_free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts),
		cmocka_unit_test(figures),
		cmocka_unit_test(versions),
		cmocka_unit_test(disks_and_errors),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
