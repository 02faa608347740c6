/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* fio's documents, read into a result, must come out of the reporter as they were:
 * every key, its place, its kind of number, its figure. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>

#include <cmocka.h>
#include <ctype.h>
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/scope.h"
#include "report/report.h"
#include "report_fill.h"

static const char *golden_folder; /* of the fixtures: the program's argument */

/* ---- a document of fio to a result ---- */

static uint64_t get_int(const json_t *o, const char *key)
{
	const json_t *v = json_object_get(o, key);
	assert_true(json_is_integer(v));
	return (uint64_t)json_integer_value(v);
}

static double get_real(const json_t *o, const char *key)
{
	const json_t *v = json_object_get(o, key);
	assert_true(json_is_real(v));
	return json_real_value(v);
}

static struct latency *read_latency(struct result *r, const json_t *o)
{
	struct latency *l = fill_latency(r, get_int(o, "N"), get_int(o, "min"),
		get_int(o, "max"), get_real(o, "mean"), get_real(o, "stddev"));
	const json_t *list = json_object_get(o, "percentile");
	double percentiles[LIMIT_PERCENTILES];
	uint64_t values[LIMIT_PERCENTILES];
	uint32_t n = 0;
	const char *key;
	json_t *v;

	json_object_foreach((json_t *)list, key, v)
	{
		percentiles[n] = strtod(key, NULL);
		values[n++] = (uint64_t)json_integer_value(v);
	}
	if (n)
		fill_percentiles(l, percentiles, values, n);
	return l;
}

static struct samples read_samples(const json_t *o, const char *min, const char *max,
	const char *mean, const char *stddev, const char *count, double unit)
{
	return (struct samples){
		.min = (double)get_int(o, min) * unit,
		.max = (double)get_int(o, max) * unit,
		.mean = get_real(o, mean) * unit,
		.stddev = get_real(o, stddev) * unit,
		.count = get_int(o, count),
	};
}

static void read_dir(struct result *r, struct result_dir *d, const json_t *o)
{
	d->bytes = get_int(o, "io_bytes");
	d->runtime_ns = get_int(o, "runtime") * NS_PER_MS;
	d->issued = get_int(o, "total_ios");
	d->ios = (uint64_t)llround(get_real(o, "iops") * (double)get_int(o, "runtime") / 1000);
	d->short_ios = get_int(o, "short_ios");
	d->dropped = get_int(o, "drop_ios");
	d->slat = read_latency(r, json_object_get(o, "slat_ns"));
	d->clat = read_latency(r, json_object_get(o, "clat_ns"));
	d->lat = read_latency(r, json_object_get(o, "lat_ns"));
	d->bw = read_samples(o, "bw_min", "bw_max", "bw_mean", "bw_dev", "bw_samples", 1024);
	d->iops = read_samples(o, "iops_min", "iops_max", "iops_mean", "iops_stddev",
		"iops_samples", 1);
}

/* Counts that are these percents of TOTAL.  LEAST is what any small count shows
 * as: those share what the others leave. */
static void read_buckets(uint64_t *counts, const json_t *o, double total, double least)
{
	double left = 100;
	unsigned small = 0;
	const char *key;
	json_t *v;

	json_object_foreach((json_t *)o, key, v)
	{
		bool is_small = json_real_value(v) == least;
		small += is_small;
		left -= is_small ? 0 : json_real_value(v);
	}
	json_object_foreach((json_t *)o, key, v)
	{
		double percent = json_real_value(v);
		double share = floor(fmin(left / small, least) * total / 100);
		*counts++ = percent == least ? (uint64_t)fmax(share, 1)
					     : (uint64_t)llround(percent * total / 100);
	}
}

#define CALLS 100000000.0 /* submits and completes: fine enough for six decimals */

static void read_spreads(struct result_row *row, const json_t *job)
{
	double issued = 0;
	for (int dir = 0; dir < DIRS; dir++)
		issued += (double)row->dir[dir].issued;
	read_buckets(row->depths, json_object_get(job, "iodepth_level"), issued, 0.1);
	read_buckets(row->submits, json_object_get(job, "iodepth_submit"), CALLS, 0.1);
	read_buckets(row->completes, json_object_get(job, "iodepth_complete"), CALLS, 0.1);
	read_buckets(row->spread.ns, json_object_get(job, "latency_ns"), issued, 0.01);
	read_buckets(row->spread.us, json_object_get(job, "latency_us"), issued, 0.01);
	read_buckets(row->spread.ms, json_object_get(job, "latency_ms"), issued, 0.01);
}

static const struct result_option *read_options(struct result *r, const json_t *o,
	uint32_t *count)
{
	struct result_option *list = arena_array(&r->arena, json_object_size(o) + 1,
		sizeof(*list));
	const char *key;
	json_t *v;

	assert_non_null(list);
	json_object_foreach((json_t *)o, key, v)
		list[(*count)++] = (struct result_option){key, json_string_value(v)};
	return list;
}

static void read_job(struct result *r, struct result_row *row, const json_t *job)
{
	double ms = (double)get_int(job, "job_runtime");

	row->name = json_string_value(json_object_get(job, "jobname"));
	row->description = json_string_value(json_object_get(job, "desc"));
	row->group = (uint32_t)get_int(job, "groupid");
	row->job_start_ms = get_int(job, "job_start");
	row->error = (int)get_int(job, "error");
	r->elapsed_s = get_int(job, "elapsed");
	row->options = read_options(r, json_object_get(job, "job options"),
		&row->options_count);
	for (int dir = 0; dir < DIRS; dir++)
		read_dir(r, &row->dir[dir], json_object_get(job, dir_name((enum dir)dir)));
	row->syncs = get_int(json_object_get(job, "sync"), "total_ios");
	row->sync = read_latency(r, json_object_get(json_object_get(job, "sync"), "lat_ns"));
	row->cpu_runtime_ms = ms;
	row->cpu.user_ms = get_real(job, "usr_cpu") * ms / 100;
	row->cpu.system_ms = get_real(job, "sys_cpu") * ms / 100;
	row->cpu.switches_voluntary = get_int(job, "ctx");
	row->cpu.faults_major = get_int(job, "majf");
	row->cpu.faults_minor = get_int(job, "minf");
	read_spreads(row, job);
	row->continued_on_error = json_object_get(job, "total_err") != NULL;
	if (row->continued_on_error) {
		row->total_errors = get_int(job, "total_err");
		row->first_error = (int)get_int(job, "first_error");
	}
	row->depth_asked = (uint32_t)get_int(job, "latency_depth");
}

static void read_disks(struct result *r, const json_t *list)
{
	r->disks_count = (uint32_t)json_array_size(list);
	r->disks = arena_array(&r->arena, r->disks_count + 1, sizeof(*r->disks));
	assert_non_null(r->disks);
	for (uint32_t i = 0; i < r->disks_count; i++) {
		const json_t *o = json_array_get(list, i);
		struct result_disk_counters *c = &r->disks[i].own;
		r->disks[i].name = json_string_value(json_object_get(o, "name"));
		c->ios[0] = get_int(o, "read_ios");
		c->ios[1] = get_int(o, "write_ios");
		c->sectors[0] = get_int(o, "read_sectors");
		c->sectors[1] = get_int(o, "write_sectors");
		c->merges[0] = get_int(o, "read_merges");
		c->merges[1] = get_int(o, "write_merges");
		c->ticks_ms[0] = get_int(o, "read_ticks");
		c->ticks_ms[1] = get_int(o, "write_ticks");
		c->in_queue_ms = get_int(o, "in_queue");
		c->util_percent = get_real(o, "util");
	}
}

static void read_document(struct result *r, const json_t *doc)
{
	const json_t *jobs = json_object_get(doc, "jobs");
	struct result_row *rows = fill_rows(r, (uint32_t)json_array_size(jobs));

	r->time_ms = get_int(doc, "timestamp_ms");
	r->globals = read_options(r, json_object_get(doc, "global options"), &r->globals_count);
	for (uint32_t i = 0; i < r->rows_count; i++)
		read_job(r, &rows[i], json_array_get(jobs, i));
	fill_groups(r);
	read_disks(r, json_object_get(doc, "disk_util"));
}

/* ---- comparing ---- */

/* How far a number may be off: averages as far as whole sums allow; percentiles by
 * their bin, because weir's never lie outside what was seen. */
static double tolerance(bool real, bool percentile, double v)
{
	if (percentile)
		return v / 64 + 1;
	return real ? 2e-6 + fabs(v) * 2e-6 : 0;
}

static bool same_line(const char *want, const char *got, bool percentile)
{
	/* The key, and the text of strings, must be equal; the number after " : " too. */
	const char *a = strstr(want, "\" : "), *b = strstr(got, "\" : ");
	if (!a || !b || a - want != b - got || !isdigit((unsigned char)a[4]))
		return !strcmp(want, got);
	if (strncmp(want, got, (size_t)(a - want) + 4) != 0)
		return false;
	char *a_end, *b_end;
	double x = strtod(a + 4, &a_end), y = strtod(b + 4, &b_end);
	bool x_real = memchr(a + 4, '.', (size_t)(a_end - a - 4));
	bool y_real = memchr(b + 4, '.', (size_t)(b_end - b - 4));
	return x_real == y_real && !strcmp(a_end, b_end) &&
	       fabs(x - y) <= tolerance(x_real, percentile, x);
}

static void compare(const char *name, char *want, char *got)
{
	bool percentile = false;
	unsigned number = 1;

	for (;; number++) {
		char *a = strsep(&want, "\n"), *b = strsep(&got, "\n");
		if (!a && !b)
			return;
		if (!a || !b || !same_line(a, b, percentile))
			fail_msg("%s:%u: expected: %s\n     got: %s", name, number,
				a ? a : "(end)", b ? b : "(end)");
		if (strstr(a, "\"percentile\""))
			percentile = true;
		else if (strchr(a, '}'))
			percentile = false;
	}
}

static char *read_file(const char *name)
{
	char path[1024];
	snprintf(path, sizeof(path), "%s/%s", golden_folder, name);
	scope_file FILE *f = fopen(path, "r");
	if (!f)
		fail_msg("%s: %s", path, strerror(errno));
	char *text = NULL;
	size_t room = 0;
	assert_true(getdelim(&text, &room, '\0', f) > 0);
	return text;
}

static void round_trip(void **state)
{
	const char *name = *state;
	const struct report_how how = {.version = "fio-3.42-135-gf5344"};
	scope_mem char *text = read_file(name);
	json_t *doc = json_loads(text, 0, NULL);
	struct result *r = result_new();

	assert_non_null(doc);
	read_document(r, doc);
	scope_mem char *got = fill_text(r, &report_json, &how);
	compare(name, text, got);
	result_free(r);
	json_decref(doc);
}

/* ---- what the fixtures don't have ---- */

static json_t *document(const struct result *r, const struct report_how *how)
{
	scope_mem char *text = fill_text(r, &report_json, how);
	json_error_t error;
	json_t *doc = json_loads(text, JSON_REJECT_DUPLICATES, &error);
	if (!doc)
		fail_msg("line %d: %s", error.line, error.text);
	return doc;
}

static const json_t *last_member(const json_t *doc, const char **ret_key)
{
	const json_t *last = NULL;
	const char *key;
	json_t *v;
	json_object_foreach((json_t *)doc, key, v)
	{
		last = v;
		*ret_key = key;
	}
	return last;
}

/* Words are in the document only when something went wrong and nothing else is on
 * the stream; then they come last. */
static void messages_when_unclean(void **state)
{
	static const struct {
		int error;
		bool mixed, expected;
	} cases[] = {{0, false, false}, {28, false, true}, {28, true, false}};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct result *r = result_new();
		const struct report_how how = {
			.version = "fio-3.42", .stdout_is_mixed = cases[i].mixed};
		const char *key = NULL;
		fill_rows(r, 1)->error = cases[i].error;
		result_message_add(r, "fio: first \"quoted\"\tline");
		result_message_add(r, "second");
		json_t *doc = document(r, &how);
		const json_t *last = last_member(doc, &key);
		assert_int_equal(!strcmp(key, "messages"), cases[i].expected);
		if (cases[i].expected) {
			assert_string_equal(json_string_value(json_array_get(last, 0)),
				"fio: first \"quoted\"\tline");
			assert_int_equal(json_array_size(last), 2);
		}
		assert_null(json_object_get(doc, "weir"));
		json_decref(doc);
		result_free(r);
	}
}

/* An option given twice stands there twice, in order, as in fio. */
/* One that is said twice stands where it was said last. */
static void options_in_order(void **state)
{
	const struct result_option options[] = {
		{"rw", "read"}, {"time_based", ""}, {"rw", "write"}};
	const struct report_how how = {.version = "fio-3.42"};
	struct result *r = result_new();
	struct result_row *row = fill_rows(r, 1);

	(void)state;
	row->options = options;
	row->options_count = COUNT_OF(options);
	scope_mem char *text = fill_text(r, &report_json, &how);
	assert_non_null(strstr(text, "      \"job options\" : {\n"
				     "        \"time_based\" : \"\",\n"
				     "        \"rw\" : \"write\"\n"
				     "      },\n"));
	result_free(r);
}

static void hidden_rows(void **state)
{
	const struct report_how how = {.version = "fio-3.42"};
	const struct result_style hidden = {.hidden = true};
	struct result *r = result_new();

	(void)state;
	fill_rows(r, 2)[1].style = &hidden;
	json_t *doc = document(r, &how);
	assert_int_equal(json_array_size(json_object_get(doc, "jobs")), 1);
	json_decref(doc);
	result_free(r);
}

/* Everything beyond fio's last bin is in it. */
static void last_bin(void **state)
{
	const struct report_how how = {.version = "fio-3.42"};
	struct result *r = result_new();
	struct result_row *row = fill_rows(r, 1);

	(void)state;
	fill_dir(&row->dir[DIR_READ], 2, 4096, 100 * NS_PER_S);
	row->dir[DIR_READ].clat = arena_alloc(&r->arena, sizeof(struct latency));
	latency_record(row->dir[DIR_READ].clat, 60 * NS_PER_S);
	latency_record(row->dir[DIR_READ].clat, 1000);
	json_t *doc = document(r, &how);
	const json_t *job = json_array_get(json_object_get(doc, "jobs"), 0);
	const json_t *clat = json_object_get(json_object_get(job, "read"), "clat_ns");
	assert_int_equal(get_int(clat, "max"), 60 * NS_PER_S);
	assert_int_equal(get_int(json_object_get(clat, "percentile"), "99.000000"),
		histogram_bin_mid(HISTOGRAM_FIO_BINS - 1));
	assert_int_equal(get_int(json_object_get(clat, "percentile"), "50.000000"),
		histogram_bin_mid(histogram_bin(1000)));
	json_decref(doc);
	result_free(r);
}

/* A device with others below it. */
static void stacked_disk(void **state)
{
	const struct report_how how = {.version = "fio-3.42"};
	struct result *r = result_new();
	struct result_disk disks[] = {
		{.name = "dm-0", .slaves = 1, .mean = {.merges = {3, 4}}, .util_max = 12.5},
		{.name = "vda", .is_slave = true}};

	(void)state;
	fill_rows(r, 1);
	r->disks = disks;
	r->disks_count = 2;
	json_t *doc = document(r, &how);
	const json_t *list = json_object_get(doc, "disk_util");
	assert_int_equal(get_int(json_array_get(list, 0), "aggr_write_merge"), 4);
	assert_true(get_real(json_array_get(list, 0), "aggr_util") == 12.5);
	assert_int_equal(json_object_size(json_array_get(list, 0)), 21);
	assert_int_equal(json_object_size(json_array_get(list, 1)), 11);
	json_decref(doc);
	result_free(r);
}

static struct result *native_result(void)
{
	struct result *r = result_new();
	struct result_row *row = fill_rows(r, 1);
	struct result_dir *d = &row->dir[DIR_READ];
	struct histogram *h = calloc(1, sizeof(*h));

	assert_non_null(h);
	r->clock = "tsc";
	fill_dir(d, 300, 4096, 3 * NS_PER_S);
	row->runtime_ns = d->runtime_ns;
	d->lat = fill_tail(r, 1, 300, 50000);
	d->response = fill_tail(r, 2, 320, 90000);
	d->due = 320;
	d->late = 40;
	d->missed = 20;
	d->asked_per_s = 320.0 / 3;
	row->series = (struct series){.interval_ns = NS_PER_S};
	histogram_record(h, 50000);
	histogram_record(h, 70000);
	series_add(&row->series, 0, DIR_READ, 200, 200 * 4096, h, NULL);
	series_add(&row->series, 2 * NS_PER_S, DIR_READ, 100, 100 * 4096, h, h);
	result_error_add(row, EIO, DIR_READ, 2);
	free(h);
	result_message_add(r, "a warning");
	assert_int_equal(result_notes_make(r), 0);
	return r;
}

static void native_objects(void **state)
{
	const struct report_how how = {.version = "weir 0.1", .native = true};
	struct result *r = native_result();
	json_t *doc = document(r, &how);
	const json_t *job = json_array_get(json_object_get(doc, "jobs"), 0);
	const json_t *weir = json_object_get(job, "weir");
	const json_t *read = json_object_get(weir, "read");
	const json_t *series = json_object_get(weir, "series");
	const json_t *run = json_object_get(doc, "weir");

	(void)state;
	assert_string_equal(json_string_value(json_object_get(doc, "fio version")), "fio-3.42");
	assert_string_equal(json_string_value(json_object_get(run, "version")), "weir 0.1");
	assert_int_equal(json_array_size(json_object_get(run, "messages")), 1);
	assert_string_equal(json_string_value(json_object_get(
				    json_array_get(json_object_get(run, "notes"), 0), "id")),
		"rate-not-reached");
	assert_int_equal(get_int(read, "missed"), 20);
	assert_true(get_int(read, "response_p50_ns") > get_int(read, "lat_p50_ns"));
	assert_null(json_object_get(read, "lateness_p50_ns")); /* not measured: absent */
	assert_null(json_object_get(weir, "write"));
	assert_null(json_object_get(weir, "stopped_ns"));

	assert_int_equal(json_array_size(series), 3);
	const json_t *empty = json_object_get(json_array_get(series, 1), "read");
	assert_int_equal(get_int(empty, "ios"), 0); /* a second without I/O is a zero */
	assert_null(json_object_get(empty, "lat_p50_ns"));
	const json_t *last = json_object_get(json_array_get(series, 2), "read");
	assert_int_equal(get_int(last, "lat_p50_ns"), histogram_bin_mid(histogram_bin(50000)));
	assert_int_equal(get_int(last, "lat_max_ns"), histogram_bin_mid(histogram_bin(70000)));
	assert_int_equal(get_int(last, "response_p99_ns"), get_int(last, "lat_max_ns"));
	const json_t *error = json_array_get(json_object_get(weir, "errors"), 0);
	assert_int_equal(get_int(error, "errno"), EIO);
	assert_int_equal(get_int(error, "count"), 2);
	json_decref(doc);
	result_free(r);
}

/* json+: bins by their value, together N; what is beyond fio's histogram is in its
 * last bin. */
static void bins_of_json_plus(void **state)
{
	const struct report_how how = {.version = "fio-3.42", .bins = true};
	const struct result_style style = {.percentiles = {50},
		.percentiles_count = 1,
		.clat_percentiles = true,
		.kb_base = 1024,
		.unit_base = 8};
	struct result *r = result_new();
	struct result_row *row = fill_rows(r, 1);
	struct result_dir *d = &row->dir[DIR_READ];
	char beyond[32];

	(void)state;
	row->style = &style;
	fill_dir(d, 4, 4096, NS_PER_S);
	d->clat = fill_latency(r, 4, 9, 100 * NS_PER_S, 25e9, 43e9);
	histogram_reset(&d->clat->histogram);
	histogram_record(&d->clat->histogram, 9);
	histogram_record(&d->clat->histogram, 9);
	histogram_record(&d->clat->histogram, 50 * NS_PER_S);
	histogram_record(&d->clat->histogram, 100 * NS_PER_S);
	d->lat = d->clat;
	fill_groups(r);

	scope_mem char *text = fill_text(r, &report_json, &how);
	json_t *doc = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
	const json_t *read = json_object_get(json_array_get(json_object_get(doc, "jobs"), 0),
		"read");
	const json_t *bins = json_object_get(json_object_get(read, "clat_ns"), "bins");
	snprintf(beyond, sizeof(beyond), "%llu",
		(unsigned long long)histogram_bin_mid(HISTOGRAM_FIO_BINS - 1));
	assert_int_equal(json_object_size(bins), 2);
	assert_int_equal(get_int(bins, "9"), 2);
	assert_int_equal(get_int(bins, beyond), 2);
	/* without percentiles there are no bins either, as in fio */
	assert_null(json_object_get(json_object_get(read, "lat_ns"), "bins"));
	json_decref(doc);
	result_free(r);
}

int main(int argc, char **argv)
{
	if (argc != 2) {
		fprintf(stderr, "usage: %s FOLDER-OF-FIXTURES\n", argv[0]);
		return 2;
	}
	golden_folder = argv[1];
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_prestate(round_trip, "01.json"),
		cmocka_unit_test_prestate(round_trip, "02.json"),
		cmocka_unit_test_prestate(round_trip, "03.json"),
		cmocka_unit_test_prestate(round_trip, "04.json"),
		cmocka_unit_test_prestate(round_trip, "07.json"),
		cmocka_unit_test_prestate(round_trip, "11.json"),
		cmocka_unit_test_prestate(round_trip, "12.json"),
		cmocka_unit_test_prestate(round_trip, "20b.json"),
		cmocka_unit_test_prestate(round_trip, "31.json"),
		cmocka_unit_test_prestate(round_trip, "32.json"),
		cmocka_unit_test(messages_when_unclean),
		cmocka_unit_test(options_in_order),
		cmocka_unit_test(bins_of_json_plus),
		cmocka_unit_test(hidden_rows),
		cmocka_unit_test(last_bin),
		cmocka_unit_test(stacked_disk),
		cmocka_unit_test(native_objects),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
