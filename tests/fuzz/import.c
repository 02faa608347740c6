/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Fuzzing of everything that reads results: JSON, terse lines, streams, logs, fio's
 * classic text.  An input is a file; when its first line begins with "#name ", the rest
 * of that line is the file's name ("#name x_bw.1.log"), which says what a log is of.  A line
 * "#fail SEED RATE" before it makes one allocation in RATE fail.
 *
 * Whatever the input, reading ends with results, each of which every reporter can print
 * and which can be merged with itself, or with an error that has a text; and it makes
 * no difference in which pieces the bytes come. */
#include "fuzz.h"

#include "base/bits.h"
#include "base/err.h"
#include "base/str.h"
#include "report/report.h"
#include "result/import.h"
#include "result/result.h"

#include <errno.h>
#include <string.h>

static const struct report_format *const formats[] = {&report_terse, &report_json,
	&report_classic, &report_table, &report_markdown, &report_csv, &report_summary};

struct input {
	const char *text;
	size_t len, at, step;
	size_t results, rows;
};

static ssize_t input_read(void *ctx, char *buffer, size_t size)
{
	struct input *in = ctx;
	size_t n = MIN_OF(MIN_OF(size, in->step), in->len - in->at);

	if (n)
		memcpy(buffer, in->text + in->at, n);
	in->at += n;
	return (ssize_t)n;
}

static int input_take(void *ctx, struct result *r)
{
	struct input *in = ctx;

	in->results++;
	in->rows += r->rows_count;
	result_free(r);
	return 0;
}

static void print_all(const struct result *r)
{
	const struct report_how how = {.native = true, .version = "weir", .bins = true};

	for (size_t i = 0; i < COUNT_OF(formats); i++) {
		struct str out = {0};
		formats[i]->print(r, &how, &out);
		MUST(!out.failed, "%s has no end", formats[i]->name);
		str_done(&out);
	}
}

static void merge_rows(const struct result *r)
{
	struct result *sum = result_new();
	struct result_row all = {0};

	MUST(sum, "no memory");
	for (uint32_t i = 0; i < r->rows_count; i++) {
		MUST(result_row_merge(sum, &all, &r->rows[i]) == 0, "no memory");
		MUST(result_row_merge(sum, &all, &r->rows[i]) == 0, "no memory");
	}
	series_done(&all.series);
	result_free(sum);
}

static size_t name_take(const uint8_t *data, size_t size, char *name, size_t room)
{
	static const char mark[] = "#name ";
	size_t at = sizeof(mark) - 1, n = 0;

	if (size <= at || memcmp(data, mark, at) != 0)
		return 0;
	for (; at < size && data[at] && data[at] != '\n'; at++)
		if (n + 1 < room)
			name[n++] = (char)data[at];
	name[n] = '\0';
	return MIN_OF(at + 1, size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct import_list list;
	struct err err = {0};
	char name[64] = "f";
	uint32_t seed, rate;

	memory_fails_as_said(&data, &size, &seed, &rate);
	size_t skip = name_take(data, size, name, sizeof(name));
	size_t len = size - skip;
	char *text = malloc(len + 1);
	MUST(text, "no memory for the input");
	memcpy(text, data + skip, len);
	text[len] = '\0';

	memory_fails(seed, rate);
	int rc = import_text(name, text, len, &list, &err);
	memory_fails(0, 0);
	MUST(rc <= 0 && (rc == 0 || err.text[0]), "rc %d without a text", rc);
	size_t rows = 0;
	for (size_t i = 0; i < list.count; i++) {
		rows += list.results[i]->rows_count;
		print_all(list.results[i]);
		merge_rows(list.results[i]);
	}
	for (size_t step = 1; !rate && step < 4000; step = step * 60 + 1) {
		struct input in = {.text = text, .len = len, .step = step};
		int other = import_stream(&(struct import_source){name, input_read, &in},
			&(struct import_sink){input_take, &in}, &err);
		MUST(other == rc, "%d by pieces of %zu, %d as a whole", other, step, rc);
		MUST(rc < 0 || (in.results == list.count && in.rows == rows),
			"%zu results of %zu rows by pieces of %zu, %zu of %zu as a whole",
			in.results, in.rows, step, list.count, rows);
	}
	import_done(&list);
	free(text);
	return 0;
}
