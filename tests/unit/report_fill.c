/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "report_fill.h"

#include "base/bits.h"
#include "base/rng.h"
#include "base/str.h"
#include "report/report.h"

#include <math.h>
#include <stdarg.h>
#include <setjmp.h>

#include <cmocka.h>

struct latency *fill_latency(struct result *r, uint64_t count, uint64_t min, uint64_t max,
	double mean, double stddev)
{
	struct latency *l = arena_alloc(&r->arena, sizeof(*l));
	assert_non_null(l);
	if (!count)
		return l;
	long double n = (long double)count;
	long double squares = (long double)stddev * stddev * (n - 1) + n * mean * mean;
	l->moments = (struct moments){
		.count = count,
		.sum = (uint64_t)llroundl(n * mean),
		.min = min,
		.max = max,
		.sum_squares = (uint128)squares,
	};
	histogram_record_bin(&l->histogram, histogram_bin(max), count);
	return l;
}

void fill_percentiles(struct latency *l, const double *percentiles, const uint64_t *values,
	uint32_t n)
{
	uint64_t count = l->moments.count, done = 0;

	histogram_reset(&l->histogram);
	for (uint32_t i = 0; i < n; i++) {
		long double exact = (long double)percentiles[i] * (long double)count / 100;
		uint64_t upto = (uint64_t)ceill(exact - exact * 0x1p-50L);
		if (upto <= done)
			continue;
		histogram_record_bin(&l->histogram, histogram_bin(values[i]), upto - done);
		done = upto;
	}
	if (count > done)
		histogram_record_bin(&l->histogram, histogram_bin(l->moments.max),
			count - done);
}

uint64_t fill_usec(uint64_t microseconds)
{
	for (uint64_t ns = microseconds * 1000; ns + 1000 > microseconds * 1000; ns--)
		if (div_up(histogram_bin_mid(histogram_bin(ns)), 1000) == microseconds)
			return ns;
	fail_msg("no bin is shown as %llu us", (unsigned long long)microseconds);
	return 0;
}

struct latency *fill_tail(struct result *r, uint64_t seed, uint64_t samples, uint64_t median_ns)
{
	struct latency *l = arena_alloc(&r->arena, sizeof(*l));
	struct rng rng;

	assert_non_null(l);
	rng_init(&rng, seed);
	for (uint64_t i = 0; i < samples; i++) {
		double x = rng_unit(&rng);
		double tail = x > 0.99 ? 4 / (1.001 - x) / 100 : 0;
		latency_record(l, (uint64_t)((double)median_ns * (0.8 + 0.4 * x + tail)));
	}
	return l;
}

struct latency *fill_humps(struct result *r, uint64_t seed, const struct fill_kind *kind)
{
	struct latency *l = arena_alloc(&r->arena, sizeof(*l));
	struct rng rng;

	assert_non_null(l);
	rng_init(&rng, seed);
	double level = 1 + 0.005 * (rng_unit(&rng) - 0.5);
	for (unsigned i = 0; i < 40000; i++) {
		bool slow = rng_unit(&rng) * 1000 < kind->slow;
		double us = slow ? kind->slow_us : kind->usual_us;
		latency_record(l, (uint64_t)(us * 1000 * level * (0.8 + 0.4 * rng_unit(&rng))));
	}
	return l;
}

struct result_row *fill_rows(struct result *r, uint32_t count)
{
	r->rows = arena_array(&r->arena, count, sizeof(*r->rows));
	assert_non_null(r->rows);
	r->rows_count = count;
	r->final = true;
	r->elapsed_s = 1;
	for (uint32_t i = 0; i < count; i++) {
		r->rows[i].name = "job";
		r->rows[i].what = "read 4k";
		r->rows[i].members = 1;
		r->rows[i].engine = "psync";
		r->rows[i].engine_used = "";
		r->rows[i].depth_asked = 1;
		r->rows[i].depth = 1;
		r->rows[i].pid = 1000 + (int)i;
	}
	return r->rows;
}

void fill_dir(struct result_dir *d, uint64_t ios, uint64_t block, uint64_t runtime_ns)
{
	d->ios = ios;
	d->issued = ios;
	d->bytes = ios * block;
	d->runtime_ns = runtime_ns;
}

void fill_groups(struct result *r)
{
	r->groups = arena_array(&r->arena, r->rows_count, sizeof(*r->groups));
	assert_non_null(r->groups);
	for (uint32_t i = 0; i < r->rows_count; i++) {
		uint32_t g = 0;
		while (g < r->groups_count && r->groups[g].id != r->rows[i].group)
			g++;
		if (g == r->groups_count)
			r->groups[r->groups_count++].id = r->rows[i].group;
		result_group_add(&r->groups[g], &r->rows[i]);
	}
}

char *fill_text(const struct result *r, const struct report_format *format,
	const struct report_how *how)
{
	struct str out = {0};
	format->print(r, how, &out);
	assert_false(out.failed);
	assert_non_null(out.text);
	return out.text;
}
