/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Documents of fio and weir become results.  argv[1] is tests/data/import: files that
 * fio of the version in their name wrote.  What is right is read out of the documents
 * by another JSON reader (jansson). */
#include "report_fill.h"

#include "base/bits.h"
#include "base/err.h"
#include "base/rng.h"
#include "base/str.h"
#include "report/figures.h"
#include "report/report.h"
#include "result/import.h"
#include "result/style.h"

#include <dirent.h>
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "folder.h"

static const char *folder;

static struct import_list import_file(const char *name, char **ret_text)
{
	struct import_list list;
	struct err err;
	size_t len;

	*ret_text = folder_text(folder, name, &len);
	if (import_text(name, *ret_text, len, &list, &err) < 0)
		fail_msg("%s", err.text);
	return list;
}

/* The first document of a text, as jansson sees it. */
static json_t *document(const char *text)
{
	json_error_t e;
	const char *at = text;

	while (*at && *at != '{')
		at = strchr(at, '\n') ? strchr(at, '\n') + 1 : at + strlen(at);
	json_t *doc = json_loads(at, JSON_DISABLE_EOF_CHECK, &e);
	if (!doc)
		fail_msg("line %d: %s", e.line, e.text);
	return doc;
}

/* ---- figures against the document's ---- */

struct era {
	const char *file;
	uint64_t byte; /* of io_bytes */
	uint64_t ns;   /* of a latency */
	bool counted;  /* completions can be known */
};

static const struct era eras[] = {
	{"fio-2.0.15.json", 1024, 1000, false},
	{"fio-2.1.3.json", 1024, 1000, false},
	{"fio-2.2.10.json", 1024, 1000, true},
	{"fio-2.16.json", 1024, 1000, true},
	{"fio-2.21.json", 1, 1000, true},
	{"fio-3.0.json", 1, 1, true},
	{"fio-3.1.json", 1, 1, true},
	{"fio-3.16.json", 1, 1, true},
	{"fio-3.28.json", 1, 1, true},
	{"fio-3.33.json", 1, 1, true},
	{"randrw-libaio-2jobs.json", 1, 1, true},
	{"plus.json", 1, 1, true},
	{"mixed.json", 1, 1, true},
	{"client.json", 1, 1, true},
};

static double number(const json_t *of, const char *key)
{
	const json_t *v = json_object_get(of, key);
	assert_true(json_is_number(v));
	return json_number_value(v);
}

static void check_latency(const struct era *era, const json_t *of, const char *kind,
	const struct latency *l)
{
	char key[16];
	const char *percent;
	json_t *v;
	uint64_t ns;

	snprintf(key, sizeof(key), "%s%s", kind, era->ns == 1 ? "_ns" : "");
	const json_t *from = json_object_get(of, key);
	assert_non_null(from);
	if (number(from, "max") == 0 && number(from, "mean") == 0) {
		assert_null(l);
		return;
	}
	assert_int_equal(l->moments.min, (uint64_t)number(from, "min") * era->ns);
	assert_int_equal(l->moments.max, (uint64_t)number(from, "max") * era->ns);
	assert_true(fabs(latency_mean(l) - number(from, "mean") * (double)era->ns) < 1e-6);
	assert_true(fabs(latency_stddev(l) - number(from, "stddev") * (double)era->ns) < 1e-6);
	assert_int_equal(l->moments.count,
		json_object_get(from, "N") ? (uint64_t)number(from, "N") : 0);
	assert_int_equal(l->told->counted, json_object_get(from, "N") != NULL);
	json_object_foreach(json_object_get(from, "percentile"), percent, v)
	{
		if (strtod(percent, NULL) == 0)
			continue;
		assert_true(latency_find(l, strtod(percent, NULL) / 100, &ns));
		assert_int_equal(ns, json_integer_value(v) * (json_int_t)era->ns);
	}
	/* Between them nothing is known, but where there is the whole histogram. */
	bool whole = json_object_get(from, "bins") != NULL;
	assert_int_equal(latency_find(l, 0.42, &ns), whole);
	assert_int_equal(l->histogram.count, whole ? l->moments.count : 0);
}

static void check_direction(const struct era *era, const json_t *of, const struct result_dir *d)
{
	assert_int_equal(d->bytes, (uint64_t)number(of, "io_bytes") * era->byte);
	assert_int_equal(result_runtime_ms(d), (uint64_t)number(of, "runtime"));
	if (json_object_get(of, "total_ios"))
		assert_int_equal(d->issued, (uint64_t)number(of, "total_ios"));
	if (d->bytes)
		assert_true(fabs(result_iops(d) - number(of, "iops")) < 0.01);
	check_latency(era, of, "slat", d->slat);
	check_latency(era, of, "clat", d->clat);
	check_latency(era, of, "lat", d->lat);
	assert_true(fabs(d->bw.mean - number(of, "bw_mean") * 1024) < 1e-3);
	if (!d->bytes)
		return;
	/* All blocks of these jobs are of 4 KiB but plus.json's. */
	struct figure_value ios;
	bool known = figure_get(figure_find("ios"), &(struct result_row){.dir[0] = *d},
		DIR_READ, &ios);
	assert_int_equal(known, era->counted);
	if (known)
		assert_int_equal(ios.whole * (strcmp(era->file, "plus.json") ? 4096 : 65536),
			d->bytes);
}

static void test_eras(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT_OF(eras); i++) {
		char *text;
		print_message("%s\n", eras[i].file);
		struct import_list list = import_file(eras[i].file, &text);
		json_t *doc = document(text), *jobs = json_object_get(doc, "jobs"), *job;
		const struct result *r = list.results[0];
		size_t at;

		if (!jobs)
			jobs = json_object_get(doc, "client_stats");
		assert_int_equal(list.count, 1);
		assert_int_equal(r->rows_count, json_array_size(jobs));
		assert_string_equal(r->source,
			json_string_value(json_object_get(doc, "fio version")));
		json_array_foreach(jobs, at, job)
		{
			const struct result_row *row = &r->rows[at];
			assert_string_equal(row->name,
				json_string_value(json_object_get(job, "jobname")));
			for (int dir = 0; dir < DIRS; dir++)
				check_direction(&eras[i],
					json_object_get(job, result_dir_name(dir)),
					&row->dir[dir]);
			assert_true(fabs(row->told->user_percent - number(job, "usr_cpu")) <
				    1e-9);
			assert_int_equal(row->cpu.switches_voluntary, number(job, "ctx"));
			const json_t *us = json_object_get(job, "latency_us");
			assert_true(fabs(row->told->us[2] - number(us, "10")) < 1e-9);
		}
		json_decref(doc);
		import_done(&list);
		free(text);
	}
}

/* ---- trees ---- */

/* fio 3.42's documents come out of the reporter as they went in, but for the
 * name of the version and what the model doesn't have. */
static void test_trees(void **state)
{
	static const char *const files[] = {"randrw-libaio-2jobs.json", "unified-both.json",
		"prio-stats.json", "idle-prof-percpu.json", "plus.json",
		"zbd-zone-resets.json"};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(files); i++) {
		char *text;
		struct import_list list = import_file(files[i], &text);
		const struct report_how how = {.version = list.results[0]->source,
			.bins = !strcmp(files[i], "plus.json")};
		char *out = fill_text(list.results[0], &report_json, &how);
		json_t *was = document(text), *is = document(out), *job;
		size_t at;
		json_array_foreach(json_object_get(was, "jobs"), at, job)
		{
			json_object_del(job, "zone_resets");
		}
		if (!json_equal(was, is))
			fail_msg("%s: differs:\n%s", files[i], out);
		json_decref(was);
		json_decref(is);
		free(out);
		free(text);
		import_done(&list);
	}
}

/* Only the line that differs is shown. */
static void check_same(const char *was, const char *is)
{
	size_t at = 0, line = 0;

	for (; was[at] && was[at] == is[at]; at++)
		line = was[at] == '\n' ? at + 1 : line;
	if (was[at] || is[at])
		fail_msg("was %.*s\nis %.*s", (int)strcspn(was + at, "\n") + (int)(at - line),
			was + line, (int)strcspn(is + at, "\n") + (int)(at - line), is + line);
}

/* weir's own: nothing is lost of figures, notes, ends, errors. */
static void test_own(void **state)
{
	const struct report_how how = {.native = true, .version = "weir 0.1"};
	struct result *r = result_new();
	struct result_row *rows = fill_rows(r, 2);
	struct import_list list;
	struct err err;

	(void)state;
	fill_dir(&rows[0].dir[DIR_READ], 1000003, 4096, 1234567891);
	rows[0].dir[DIR_READ].lat = fill_tail(r, 1, 5000, 80000);
	rows[0].dir[DIR_READ].clat = fill_tail(r, 2, 5000, 70000);
	rows[0].dir[DIR_READ].response = fill_tail(r, 3, 5000, 170000);
	rows[0].dir[DIR_READ].due = 77;
	rows[0].dir[DIR_READ].late = 5;
	rows[0].dir[DIR_READ].asked_per_s = 12.5;
	rows[0].runtime_ns = 1234567891;
	rows[0].cpu = (struct result_cpu){12.25, 99.5, 3, 4, 5, 6};
	rows[0].cpu_runtime_ms = 1234;
	rows[0].depths[2] = 7;
	rows[1].end = END_KILLED;
	rows[1].partial = true;
	rows[1].group = 1;
	rows[1].error = 5;
	rows[1].dir[DIR_WRITE].errors = 9;
	result_error_add(&rows[1], 28, DIR_WRITE, 9);
	assert_int_equal(result_note_add(r, "id", NOTE_INVALID, "job", "so \"it\" is\n"), 0);
	const struct result_evidence numbers[] = {{"late", 17}, {"share_percent", 0.25}};
	const struct result_note whole = {.id = "whole",
		.weight = NOTE_INFO,
		.target = "/data",
		.text = "told",
		.remedy = "do it",
		.evidence = numbers,
		.evidence_count = 2};
	assert_int_equal(result_note_put(r, &whole), 0);
	assert_int_equal(result_message_add(r, "said"), 0);
	r->time_ms = 1700000000123;
	r->stop_signal = 15;
	r->title = "x.fio";
	fill_groups(r);
	char *was = fill_text(r, &report_json, &how);
	assert_int_equal(import_text("x", was, strlen(was), &list, &err), 0);
	char *is = fill_text(list.results[0], &report_json, &how);
	check_same(was, is);
	free(is);
	free(was);
	was = fill_text(r, &report_csv, &how);
	is = fill_text(list.results[0], &report_csv, &how);
	check_same(was, is);
	free(is);
	free(was);
	import_done(&list);
	result_free(r);
}

/* Terse lines come out of the reporter as fio wrote them. */
static void test_terse(void **state)
{
	static const struct {
		const char *file;
		uint32_t version;
	} files[] = {{"v2.terse", 2}, {"v3.terse", 3}, {"v4.terse", 4}, {"v5.terse", 5},
		{"both.terse", 3}, {"fio-2.0.15.terse", 3}, {"fio-2.16.terse", 3},
		{"fio-3.0.terse", 3}, {"fio-3.33.terse", 3}};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(files); i++) {
		char *text;
		struct import_list list = import_file(files[i].file, &text);
		const struct report_how how = {
			.version = list.results[0]->source, .terse_version = files[i].version};
		assert_int_equal(list.count, 1);
		print_message("%s\n", files[i].file);
		char *out = fill_text(list.results[0], &report_terse, &how);
		check_same(text, out);
		free(out);
		free(text);
		import_done(&list);
	}
}

/* The same by places counted by hand, of the oldest: name, KiB, clat in us. */
static void test_terse_figures(void **state)
{
	char *text;
	struct import_list list = import_file("fio-2.0.8.terse", &text);
	const struct result_row *row = &list.results[0]->rows[0];
	const struct result_dir *d = &row->dir[DIR_READ];
	char *field[64], *rest = text;
	struct figure_value v;
	uint64_t ns;

	(void)state;
	for (int i = 1; i < 64; i++)
		field[i] = strsep(&rest, ";");
	assert_string_equal(list.results[0]->source, field[2]);
	assert_string_equal(row->name, field[3]);
	assert_int_equal(d->bytes, strtoull(field[6], NULL, 10) * 1024);
	assert_true(result_iops(d) == strtod(field[8], NULL));
	assert_int_equal(result_runtime_ms(d), strtoull(field[9], NULL, 10));
	assert_null(d->slat);
	assert_int_equal(d->clat->moments.max, strtoull(field[15], NULL, 10) * 1000);
	assert_true(fabs(latency_mean(d->clat) - strtod(field[16], NULL) * 1000) < 1e-6);
	assert_true(latency_find(d->clat, 0.5, &ns));
	assert_int_equal(strncmp(field[24], "50.00%=", 7), 0);
	assert_int_equal(ns, strtoull(field[24] + 7, NULL, 10) * 1000);
	assert_false(latency_find(d->lat, 0.5, &ns));
	assert_false(figure_get(figure_find("ios"), row, DIR_READ, &v));
	import_done(&list);
	free(text);

	list = import_file("client.terse", &text);
	assert_int_equal(list.results[0]->rows_count, 3);
	assert_int_equal(list.results[0]->groups_count, 1);
	import_done(&list);
	free(text);
	list = import_file("errors.terse", &text);
	assert_int_equal(list.results[0]->rows[0].total_errors, 1);
	assert_int_equal(list.results[0]->rows[0].first_error, 28);
	assert_string_equal(list.results[0]->rows[0].description, "errors counted");
	import_done(&list);
	free(text);
}

/* ---- several documents, words, absence ---- */

static void test_texts(void **state)
{
	static const char text[] =
		"a: (g=0): rw=read\nStarting {1} process\n"
		"{ \"fio version\":\"fio-3.1\",\"jobs\":[]}{\n\"jobs\" : [ ] }\n"
		"words\n\r {\"jobs\":[{\"jobname\":\"a\x01\xff\\u00e4\"}]}";
	struct import_list list;
	struct err err;

	(void)state;
	assert_int_equal(import_text("x", text, sizeof(text) - 1, &list, &err), 0);
	assert_int_equal(list.count, 3);
	assert_string_equal(list.results[0]->source, "fio-3.1");
	assert_string_equal(list.results[1]->source, "");
	assert_string_equal(list.results[2]->rows[0].name, "a\x01\xff\xc3\xa4");
	import_done(&list);

	char *file;
	list = import_file("status-interval.json", &file);
	assert_true(list.count > 1);
	import_done(&list);
	free(file);
}

static void test_absent(void **state)
{
	static const char *const absent[] = {"ios", "errors", "lat_p50_ns", "clat_samples",
		"slat_mean_ns", "depth", "cpu_user_ms", "switches_voluntary", "cpu_per_io_ns"};
	static const char *const known[] = {"bytes", "ios_per_s", "clat_p50_ns",
		"clat_p99_99_ns", "lat_mean_ns", "lat_max_ns"};
	struct figure_value v;
	char *text;
	struct import_list list = import_file("fio-2.1.3.json", &text);
	const struct result_row *row = &list.results[0]->rows[0];

	(void)state;
	for (size_t i = 0; i < COUNT_OF(absent); i++)
		if (figure_get(figure_find(absent[i]), row, DIR_READ, &v))
			fail_msg("%s is not in the document", absent[i]);
	for (size_t i = 0; i < COUNT_OF(known); i++)
		if (!figure_get(figure_find(known[i]), row, DIR_READ, &v))
			fail_msg("%s is in the document", known[i]);
	import_done(&list);
	free(text);
}

/* ---- faults ---- */

static void test_faults(void **state)
{
	static const struct {
		const char *text, *said;
	} cases[] = {
		{"", "f: is empty"},
		{"some\nwords {\"jobs\":[]}\n", "f: found no report in its 23 bytes"},
		{"{\"a\":1}", "f: line 1: this JSON has neither 'jobs' nor 'client_stats'"},
		{"\n{\"jobs\":[\n{\"jobname\":\"a\",}]}",
			"f: line 3: found '}' where JSON has a key"},
		{"{\"jobs\":[{\"jobname\":\"a\"",
			"f: line 1: the text ends within JSON; a comma or }"},
		{"{\"jobs\":[{\"jobname\":\"a",
			"f: line 1: the text ends within JSON; the quote"},
		{"{\"jobs\":[\n{\"read\":5}]}",
			"f: line 2: 'read' is a number; an object is understood"},
		{"{\"jobs\":{}}", "f: line 1: 'jobs' is an object; an array is understood"},
		{"{\"jobs\":[7]}",
			"f: line 1: '' is a number; an object for each job is understood"},
		{"{\"jobs\":[{\"read\":{\"runtime\":-1}}]}",
			"f: line 1: 'runtime' is a number below 0; a number from 0 to 2^64"},
		{"{\"jobs\":[01]}",
			"f: line 1: found '1' where JSON has no digit behind a leading 0"},
		{"{\"jobs\":[1.]}",
			"f: line 1: found ']' where JSON has a digit behind the point"},
		{"{\"jobs\":[\"\\q\"]}", "f: line 1: found 'q' where JSON has one of"},
		{"{\"jobs\":[\"\\u12g4\"]}",
			"f: line 1: found 'g' where JSON has four hexadecimal"},
	};
	struct import_list list;
	struct err err;

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		const char *text = cases[i].text;
		assert_int_equal(import_text("f", text, strlen(text), &list, &err), -EINVAL);
		if (strncmp(err.text, cases[i].said, strlen(cases[i].said)) != 0)
			fail_msg("%s\nsaid %s\nnot  %s", text, err.text, cases[i].said);
	}
	char *old;
	size_t len;
	old = folder_text(folder, "fio-1.59.terse", &len);
	assert_int_equal(import_text("f", old, len, &list, &err), -EINVAL);
	assert_non_null(strstr(err.text,
		"f: line 2: field 10 of this terse line (version 2, 78 "
		"fields) is '0.000000'; a whole number is understood"));
	free(old);
	char deep[400] = "{\"jobs\":";
	memset(deep + 8, '[', 300);
	assert_int_equal(import_text("f", deep, strlen(deep), &list, &err), -EINVAL);
	assert_non_null(strstr(err.text, "64 levels"));
}

/* ---- any damage is refused or read, never a crash; seeded ---- */

static const struct report_format *const formats[] = {&report_terse, &report_json,
	&report_classic, &report_table, &report_markdown, &report_csv, &report_summary};

static void damage(struct rng *rng, char *text, size_t *len)
{
	static const char bytes[] = "{}[]\",:;0129-.e%=\n\\ \xff";

	for (uint64_t n = rng_below(rng, 3) + 1; n && *len > 1; n--) {
		size_t at = rng_below(rng, *len), span = rng_below(rng, 40) + 1;
		switch (rng_below(rng, 4)) {
		case 0:
			text[at] = bytes[rng_below(rng, sizeof(bytes))];
			break;
		case 1: /* a piece is missing */
			span = MIN_OF(span, *len - at);
			memmove(text + at, text + at + span, *len - at - span);
			*len -= span;
			break;
		case 2: /* a piece stands elsewhere, too */
			span = MIN_OF(span, *len - at);
			memmove(text + rng_below(rng, *len - span + 1), text + at, span);
			break;
		default:
			if (rng_below(rng, 8) == 0)
				*len = at;
			else if (text[at] >= '0' && text[at] <= '9')
				text[at] = (char)('0' + rng_below(rng, 10));
		}
	}
}

static void print_all(const struct import_list *list)
{
	const struct report_how how = {.native = true, .version = "weir", .bins = true};

	for (size_t k = 0; k < list->count; k++)
		for (size_t i = 0; i < COUNT_OF(formats); i++) {
			struct str out = {0};
			formats[i]->print(list->results[k], &how, &out);
			assert_false(out.failed);
			str_done(&out);
		}
}

static void damage_file(const char *name, uint64_t seed, unsigned *read)
{
	struct import_list list;
	struct rng rng;
	size_t len;
	char *text = folder_text(folder, name, &len);

	rng_init(&rng, seed);
	damage(&rng, text, &len);
	char *exact = malloc(len + 1); /* so that reading beyond is seen */
	memcpy(exact, text, len);
	exact[len] = '\0';
	struct err err = {0};
	int rc = import_text(name, exact, len, &list, &err);
	if (rc < 0)
		assert_true(err.text[0] && !strncmp(err.text, name, strlen(name)));
	else
		(*read)++, print_all(&list);
	import_done(&list);
	free(exact);
	free(text);
}

static void test_damage(void **state)
{
	DIR *dir = opendir(folder);
	const struct dirent *entry;
	unsigned read = 0, files = 0;

	(void)state;
	assert_non_null(dir);
	while ((entry = readdir(dir))) {
		if (entry->d_name[0] == '.' || strstr(entry->d_name, "README"))
			continue;
		files++;
		for (uint64_t seed = 0; seed < 40; seed++)
			damage_file(entry->d_name, seed * 1000 + files, &read);
	}
	closedir(dir);
	print_message("%u files, %u damaged texts were read\n", files, read);
	assert_true(read >
		    files); /* else the damage is too heavy to test more than the reader */
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_eras),
		cmocka_unit_test(test_trees),
		cmocka_unit_test(test_own),
		cmocka_unit_test(test_terse),
		cmocka_unit_test(test_terse_figures),
		cmocka_unit_test(test_texts),
		cmocka_unit_test(test_absent),
		cmocka_unit_test(test_faults),
		cmocka_unit_test(test_damage),
	};
	folder = argc > 1 ? argv[1] : "tests/data/import";
	return cmocka_run_group_tests(tests, NULL, NULL);
}
