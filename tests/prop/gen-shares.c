/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Laws of shares: what a user asks for in percent is what comes out, through the whole
 * pattern.  Each prints how far it was off.  Seeds are fixed, so a failure is a change
 * and never chance; the bounds are four standard deviations of independent draws,
 * unless said otherwise. */
#include <string.h>

#include "base/arena.h"
#include "base/bits.h"
#include "gen/pattern.h"
#include "law.h"

#define BLOCK  4096
#define BLOCKS 100000
#define DRAWS  200000

static const struct pattern_region region = {.start = 12345, .bytes = (uint64_t)BLOCKS * BLOCK};

static struct pattern_spec spec_of(bool random)
{
	return (struct pattern_spec){
		.regions = &region,
		.regions_count = 1,
		.random = random,
		.endless = true,
		.use = {[DIR_READ] = true},
		.size = {{.min = BLOCK, .max = BLOCK}, {.min = BLOCK, .max = BLOCK}},
		.seed = 7,
	};
}

/* SEE is called for each of DRAWS requests with the one before it in its direction. */
static void draw(const struct pattern_spec *spec,
	void (*see)(void *ctx, const struct request *r, const struct request *before),
	void *ctx)
{
	struct arena arena = {0};
	struct request out[64], before[DIRS] = {{0}};
	struct pattern *p = pattern_new(&arena, spec, NULL);
	LAW(p, "no memory");
	for (unsigned i = 0; i < DRAWS; i += COUNT_OF(out)) {
		LAW(pattern_fill(p, out, COUNT_OF(out)) == COUNT_OF(out), "it ends");
		for (unsigned k = 0; k < COUNT_OF(out); k++) {
			see(ctx, &out[k], &before[out[k].dir]);
			before[out[k].dir] = out[k];
		}
	}
	arena_done(&arena);
}

static void expect_share(const char *what, double seen, double all, double percent, double most)
{
	double off = fabs(100 * seen / all - percent);
	printf("%-32s %5.1f %% asked, %7.3f %% came, %.3f off\n", what, percent,
		100 * seen / all, off);
	LAW(off <= most, "%s: %.3f %% instead of %.1f", what, 100 * seen / all, percent);
}

static double four_sigma(double percent, double all)
{
	return 4 * sqrt(percent * (100 - percent) / all);
}

/* ---- mix ---- */

static void see_reads(void *ctx, const struct request *r, const struct request *before)
{
	(void)before;
	((double *)ctx)[r->dir]++;
}

/* Dealt from packs of 100: never off by more than 25 requests. */
static void test_mix(void)
{
	for (uint32_t percent = 0; percent <= 100; percent += 10) {
		struct pattern_spec spec = spec_of(true);
		double n[DIRS] = {0};
		spec.use[DIR_WRITE] = true;
		spec.read_percent = percent;
		spec.coverage = true;
		draw(&spec, see_reads, n);
		expect_share("mix, reads", n[DIR_READ], n[0] + n[1], percent, 2500.0 / DRAWS);
	}
}

/* ---- sequencers ---- */

struct sequel_count {
	double on, all, size_on, size_off;
};

static void see_sequel(void *ctx, const struct request *r, const struct request *before)
{
	struct sequel_count *c = ctx;
	bool on = r->offset == before->offset + before->bytes;
	c->all += r->dir == DIR_READ;
	c->on += r->dir == DIR_READ && on;
	c->size_on += on && r->bytes == 512;
	c->size_off += !on && r->bytes == BLOCK;
}

/* rand...:8 draws one of eight anew; what doesn't fit at the end is one more. */
static void test_jumps(void)
{
	struct pattern_spec spec = spec_of(true);
	struct sequel_count c = {0};
	spec.jump_every = 8;
	draw(&spec, see_sequel, &c);
	expect_share("rand:8, go on", c.on, c.all, 87.5, 0.05);
}

static void test_percentage(void)
{
	const uint32_t random[] = {0, 20, 50, 80, 99};
	for (unsigned i = 0; i < COUNT_OF(random); i++) {
		struct pattern_spec spec = spec_of(true);
		struct sequel_count c = {0};
		spec.sequential_percent[DIR_READ] = 100 - random[i];
		draw(&spec, see_sequel, &c);
		expect_share("percentage_random, go on", c.on, c.all, 100 - random[i],
			four_sigma(100 - random[i], c.all) + 0.01);
	}
	/* each direction its own */
	struct pattern_spec spec = spec_of(true);
	struct sequel_count c = {0};
	spec.use[DIR_WRITE] = true;
	spec.read_percent = 50;
	spec.sequential_percent[DIR_READ] = 70;
	draw(&spec, see_sequel, &c);
	expect_share("percentage_random=30,100, reads", c.on, c.all, 70, four_sigma(70, c.all));
}

/* bs_is_seq_rand: every request that goes on has the one size, every other the other. */
static void test_sequel_sizes(void)
{
	const struct size_spec sequel = {.min = 512, .max = 512};
	struct pattern_spec spec = spec_of(true);
	struct sequel_count c = {0};
	spec.sequential_percent[DIR_READ] = 40;
	spec.sequel = &sequel;
	draw(&spec, see_sequel, &c);
	expect_share("bs_is_seq_rand, sizes", c.size_on + c.size_off, c.all, 100, 0.01);
	expect_share("bs_is_seq_rand, go on", c.size_on, c.all, 40, four_sigma(40, c.all));
}

/* ---- distributions ---- */

static void see_blocks(void *ctx, const struct request *r, const struct request *before)
{
	(void)before;
	((double *)ctx)[(r->offset - region.start) / BLOCK]++;
}

static void test_zoned(void)
{
	static const unsigned shares[][2] = {{60, 10}, {30, 20}, {8, 30}, {2, 40}};
	static double blocks[BLOCKS];
	for (int bytes = 0; bytes < 2; bytes++) {
		struct spread_zones z = {.count = COUNT_OF(shares), .bytes = bytes};
		struct pattern_spec spec = spec_of(true);
		unsigned filled = 0, end = 0;
		for (unsigned i = 0; i < COUNT_OF(shares); i++) {
			end += shares[i][1];
			z.end[i] = bytes ? region.bytes / 100 * end : end;
			memset(z.pick + filled, (int)i, shares[i][0]);
			filled += shares[i][0];
		}
		spec.spread[DIR_READ] = (struct spread_spec){
			.kind = SPREAD_ZONED, .center = -1, .zones = &z};
		memset(blocks, 0, sizeof(blocks));
		draw(&spec, see_blocks, blocks);
		for (unsigned i = 0, at = 0; i < COUNT_OF(shares); i++) {
			double seen = 0;
			for (unsigned k = 0; k < BLOCKS / 100 * shares[i][1]; k++)
				seen += blocks[at++];
			expect_share(bytes ? "zoned_abs" : "zoned", seen, DRAWS, shares[i][0],
				four_sigma(shares[i][0], DRAWS));
		}
	}
}

static int falling(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x < y) - (x > y);
}

static void test_skew(void)
{
	static double blocks[BLOCKS];
	struct pattern_spec spec = spec_of(true);
	double first = 0, all = 0, hot = 0;
	spec.spread[DIR_READ] = (struct spread_spec){
		.kind = SPREAD_ZIPF, .a = 1.2, .center = -1};
	draw(&spec, see_blocks, blocks);
	qsort(blocks, BLOCKS, sizeof(blocks[0]), falling);
	for (unsigned k = 1; k <= BLOCKS; k++)
		all += pow(k, -1.2);
	for (unsigned k = 0; k < 20; k++) {
		first += 100 * pow(k + 1, -1.2) / all;
		hot += blocks[k];
	}
	expect_share("zipf 1.2, first twenty", hot, DRAWS, first, four_sigma(first, DRAWS));
	expect_share("zipf 1.2, hottest", blocks[0], DRAWS, 100 / all,
		four_sigma(100 / all, DRAWS));
	const struct pattern_region few = {.start = region.start, .bytes = 1000 * BLOCK};
	spec.regions = &few;
	memset(blocks, 0, sizeof(blocks));
	spec.spread[DIR_READ] = (struct spread_spec){
		.kind = SPREAD_PARETO, .a = 0.2, .center = -1};
	draw(&spec, see_blocks, blocks);
	qsort(blocks, BLOCKS, sizeof(blocks[0]), falling);
	hot = 0;
	for (unsigned k = 0; k < 1000 / 5; k++)
		hot += blocks[k];
	/* Sorted by what came, not by what was likely: a little more. */
	expect_share("pareto 0.2, a fifth of the blocks", hot, DRAWS, 80, 2);
}

/* ---- files ---- */

static void see_files(void *ctx, const struct request *r, const struct request *before)
{
	(void)before;
	((double *)ctx)[r->file]++;
}

static void test_files(void)
{
	struct pattern_region files[8];
	struct pattern_spec spec = spec_of(false);
	double seen[8] = {0}, all = 0;
	for (unsigned i = 0; i < 8; i++)
		files[i] = (struct pattern_region){.bytes = (1 + i) * 1000 * BLOCK};
	for (unsigned k = 1; k <= 8; k++)
		all += pow(k, -1.2);
	spec.regions = files;
	spec.regions_count = 8;
	spec.files = PATTERN_SPREAD_FILE;
	spec.file_spread = (struct spread_spec){.kind = SPREAD_ZIPF, .a = 1.2, .center = -1};
	draw(&spec, see_files, seen);
	qsort(seen, 8, sizeof(seen[0]), falling);
	for (unsigned k = 0; k < 8; k++) {
		double percent = 100 * pow(k + 1, -1.2) / all;
		expect_share("files by zipf 1.2", seen[k], DRAWS, percent,
			four_sigma(percent, DRAWS));
	}
}

/* ---- strided zones ---- */

struct visits {
	unsigned char *touched; /* in the window that is visited */
	uint64_t window, bytes;
	unsigned windows, covered;
};

static void see_windows(void *ctx, const struct request *r, const struct request *before)
{
	struct visits *v = ctx;
	uint64_t at = r->offset - region.start, window = at / (100 * BLOCK);
	(void)before;
	if (window != v->window) {
		unsigned blocks = 0;
		for (unsigned k = 0; k < 60; k++)
			blocks += v->touched[k];
		v->windows++;
		v->covered += blocks == 60;
		memset(v->touched, 0, 100);
		v->window = window;
	}
	LAW(at % (100 * BLOCK) < 60 * BLOCK, "%" PRIu64 " lies in a gap", at);
	v->touched[at % (100 * BLOCK) / BLOCK]++;
}

/* 60 of 100 blocks are windows; each visit moves as much and covers all of it. */
static void test_strided(void)
{
	unsigned char touched[100] = {0};
	struct visits v = {.touched = touched};
	struct pattern_spec spec = spec_of(true);
	spec.coverage = true;
	spec.zone_size = spec.zone_range = 60 * BLOCK;
	spec.zone_skip = 40 * BLOCK;
	draw(&spec, see_windows, &v);
	expect_share("strided, windows covered", v.covered, v.windows, 100, 0.1);
}

int main(void)
{
	test_mix();
	test_jumps();
	test_percentage();
	test_sequel_sizes();
	test_zoned();
	test_skew();
	test_files();
	test_strided();
	return 0;
}
