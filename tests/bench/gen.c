/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What weir's own parts cost, in ns: the generator per request, statistics per
 * record, data per 4 KiB.  Each figure is the best and the median of many short
 * rounds of CPU time, since other work on the machine only ever adds. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/arena.h"
#include "base/bits.h"
#include "gen/arrival.h"
#include "gen/data.h"
#include "gen/pattern.h"
#include "gen/permute.h"
#include "stat/latency.h"

#define ROUNDS 301
#define TIMES  16384

static uint64_t cpu_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * NS_PER_S + (uint64_t)t.tv_nsec;
}

static int by_value(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

/* ROUND does the thing TIMES times. */
static void measure(const char *what, void (*round)(void *ctx), void *ctx)
{
	static double ns[ROUNDS];
	for (int i = 0; i < ROUNDS; i++) {
		uint64_t start = cpu_ns();
		round(ctx);
		ns[i] = (double)(cpu_ns() - start) / TIMES;
	}
	qsort(ns, ROUNDS, sizeof(ns[0]), by_value);
	printf("%-44s %8.2f %8.2f\n", what, ns[0], ns[ROUNDS / 2]);
}

/* ---- patterns ---- */

struct fill_bench {
	struct pattern *pattern;
	unsigned batch;
};

static void fill_round(void *ctx)
{
	struct fill_bench *b = ctx;
	struct request out[32];
	for (unsigned i = 0; i < TIMES; i += b->batch) {
		if (pattern_fill(b->pattern, out, b->batch) != b->batch)
			pattern_rewind(b->pattern);
		__asm__ volatile("" : : "r"(out) : "memory");
	}
}

static void bench_pattern(const char *what, const struct pattern_spec *spec)
{
	struct arena arena = {0};
	char name[80];
	struct fill_bench b = {.pattern = pattern_new(&arena, spec, NULL)};
	if (!b.pattern)
		exit(1);
	for (b.batch = 32; b.batch; b.batch = b.batch == 32 ? 1 : 0) {
		snprintf(name, sizeof(name), "%s, by %u", what, b.batch);
		measure(name, fill_round, &b);
	}
	arena_done(&arena);
}

static const struct size_split splits[] = {{4096, 50}, {16384, 30}, {65536, 20}};

static struct pattern_spec spec_of(const struct pattern_region *region, bool random)
{
	return (struct pattern_spec){
		.regions = region,
		.regions_count = 1,
		.random = random,
		.use = {[DIR_READ] = true},
		.read_percent = 70,
		.size = {{.min = 4096, .max = 4096}, {.min = 4096, .max = 4096}},
		.seed = 1,
	};
}

static void bench_sequential(const struct pattern_region *region)
{
	struct pattern_spec spec = spec_of(region, false);
	bench_pattern("sequential", &spec);
	spec.use[DIR_WRITE] = true;
	bench_pattern("sequential mixed", &spec);
	spec.use[DIR_WRITE] = false;
	spec.stride = 4096;
	bench_pattern("sequential with a stride", &spec);
}

static void bench_random(const struct pattern_region *region)
{
	struct pattern_spec spec = spec_of(region, true);
	bench_pattern("random, no map", &spec);
	spec.use[DIR_WRITE] = true;
	bench_pattern("random mixed, no map", &spec);
	spec.coverage = true;
	bench_pattern("random mixed, coverage", &spec);
	spec.use[DIR_WRITE] = false;
	bench_pattern("random, coverage", &spec);
	spec.size[DIR_READ] = (struct size_spec){.splits = splits, .splits_count = 3};
	bench_pattern("random bssplit, coverage", &spec);
	spec.coverage = false;
	bench_pattern("random bssplit, no map", &spec);
	spec.jump_every = 8;
	bench_pattern("random bssplit, jump every 8", &spec);
}

static void bench_spread(const struct pattern_region *region)
{
	struct pattern_spec spec = spec_of(region, true);
	spec.spread[DIR_READ] = (struct spread_spec){
		.kind = SPREAD_ZIPF, .a = 1.1, .center = -1};
	bench_pattern("zipf 1.1", &spec);
	spec.spread[DIR_READ].a = 0.8;
	bench_pattern("zipf 0.8", &spec);
	spec.spread[DIR_READ] = (struct spread_spec){
		.kind = SPREAD_PARETO, .a = 0.2, .center = -1};
	bench_pattern("pareto 0.2", &spec);
	spec.spread[DIR_READ] = (struct spread_spec){
		.kind = SPREAD_NORMAL, .a = 10, .center = -1};
	bench_pattern("normal 10", &spec);
}

static void bench_files(void)
{
	uint32_t count = 1000;
	struct pattern_region *regions = calloc(count, sizeof(*regions));
	if (!regions)
		exit(1);
	for (uint32_t i = 0; i < count; i++)
		regions[i] = (struct pattern_region){.bytes = 64 << 20};
	struct pattern_spec spec = spec_of(regions, true);
	spec.regions_count = count;
	spec.coverage = true;
	bench_pattern("1000 files in turn, coverage", &spec);
	spec.coverage = false;
	spec.files = PATTERN_RANDOM_FILE;
	bench_pattern("1000 files at random, no map", &spec);
	free(regions);
}

static void permute_round(void *ctx)
{
	const struct permute *p = ctx;
	uint64_t out[64];
	for (unsigned i = 0; i < TIMES; i += 64) {
		for (unsigned k = 0; k < 64; k++)
			out[k] = permute_at(p, (i + k) & 511);
		__asm__ volatile("" : : "r"(out) : "memory");
	}
}

static void bench_permute(const char *what, uint64_t n)
{
	struct permute p;
	permute_init(&p, n, 1);
	measure(what, permute_round, &p);
}

/* ---- statistics ---- */

struct record_bench {
	uint64_t values[1024];
	struct latency latency;
};

static void histogram_round(void *ctx)
{
	struct record_bench *b = ctx;
	for (unsigned i = 0; i < TIMES; i++)
		histogram_record(&b->latency.histogram, b->values[i % 1024]);
}

static void latency_round(void *ctx)
{
	struct record_bench *b = ctx;
	for (unsigned i = 0; i < TIMES; i++)
		latency_record(&b->latency, b->values[i % 1024]);
}

static void bench_records(void)
{
	static struct record_bench b;
	struct rng rng;
	rng_init(&rng, 1);
	for (unsigned i = 0; i < 1024; i++)
		b.values[i] = 50000 + rng_below(&rng, 1 << rng_below(&rng, 24));
	measure("histogram_record", histogram_round, &b);
	measure("latency_record", latency_round, &b);
}

/* ---- arrivals and data ---- */

static void arrival_round(void *ctx)
{
	struct arrival *a = ctx;
	for (unsigned i = 0; i < TIMES; i++)
		arrival_advance(a, 4096);
}

static void bench_arrivals(void)
{
	struct arrival a;
	struct arrival_spec spec = {.per_second = 500000};
	arrival_init(&a, &spec);
	measure("arrival, linear requests", arrival_round, &a);
	spec.bytes = true;
	arrival_init(&a, &spec);
	measure("arrival, linear bytes", arrival_round, &a);
	spec = (struct arrival_spec){.per_second = 500000, .process = ARRIVAL_POISSON};
	arrival_init(&a, &spec);
	measure("arrival, poisson", arrival_round, &a);
}

struct data_bench {
	struct data data;
	_Alignas(4096) unsigned char buf[32 * 4096]; /* as a queue has them */
};

static void data_round(void *ctx)
{
	struct data_bench *b = ctx;
	for (unsigned i = 0; i < TIMES; i++)
		data_fill(&b->data, b->buf + 4096 * (i % 32), 4096);
}

static void bench_data(const char *what, const struct data_spec *spec)
{
	static struct data_bench b;
	if (!noise_path_works(spec->path)) {
		printf("%-44s not on this machine\n", what);
		return;
	}
	data_init(&b.data, spec);
	data_prepare(&b.data, b.buf, sizeof(b.buf));
	measure(what, data_round, &b);
}

static void bench_datas(void)
{
	static uint64_t set = 100000;
	struct data_spec spec = {.kind = DATA_FRESH, .seed = 1, .path = NOISE_PLAIN};
	bench_data("data 4 KiB, fresh, plain C", &spec);
	spec.path = NOISE_AVX2;
	bench_data("data 4 KiB, fresh, AVX2", &spec);
	spec.path = NOISE_BEST;
	spec.dedupe = (struct dedupe_spec){.percent = 30, .sets = &set, .sets_count = 1};
	bench_data("data 4 KiB, 30 % of a working set", &spec);
	spec.dedupe.percent = 0;
	spec.compress_percent = 50;
	bench_data("data 4 KiB, half compressible, whole", &spec);
	spec.compress_chunk = 512;
	bench_data("data 4 KiB, half compressible, of 512", &spec);
	spec.filler = (struct filler){.bytes = (const uint8_t *)"pattern", .count = 7};
	bench_data("data 4 KiB, half a pattern, of 512", &spec);
	spec.kind = DATA_CONSTANT;
	bench_data("data 4 KiB, constant, zero, pattern", &spec);
}

int main(void)
{
	const struct pattern_region region = {.start = 1 << 20, .bytes = UINT64_C(100) << 30};
	printf("%-44s %8s %8s\n", "ns of CPU time", "best", "median");
	bench_sequential(&region);
	bench_random(&region);
	bench_spread(&region);
	bench_files();
	bench_permute("permutation of 1000", 1000);
	bench_permute("permutation of 2^28 + 1", (1 << 28) + 1);
	bench_permute("permutation of 2^40", UINT64_C(1) << 40);
	bench_records();
	bench_arrivals();
	bench_datas();
	return 0;
}
