/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Laws of permute: each number once, in an order that can't be seen. */
#include <string.h>
#include <sys/resource.h>

#include "base/bits.h"
#include "base/rng.h"
#include "gen/permute.h"
#include "law.h"

static void expect_bijection(uint64_t n, uint64_t key)
{
	struct permute p;
	permute_init(&p, n, key);
	unsigned char *seen = calloc(n / 8 + 1, 1);
	LAW(seen, "no memory");
	for (uint64_t i = 0; i < n; i++) {
		uint64_t to = permute_at(&p, i);
		LAW(to < n, "n=%" PRIu64 ": %" PRIu64 " goes to %" PRIu64, n, i, to);
		LAW(!(seen[to / 8] >> (to % 8) & 1), "n=%" PRIu64 ": %" PRIu64 " twice", n, to);
		seen[to / 8] = (unsigned char)(seen[to / 8] | 1 << (to % 8));
	}
	free(seen);
}

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return (x > y) - (x < y);
}

/* What can't be walked is sampled: all in range, none twice. */
static void expect_no_collision(uint64_t n, uint64_t key)
{
	enum { SAMPLES = 1 << 19 };
	struct permute p;
	struct rng rng;
	static uint64_t to[SAMPLES];
	permute_init(&p, n, key);
	rng_init(&rng, key);
	uint64_t first = rng_below(&rng, n - SAMPLES);
	for (unsigned i = 0; i < SAMPLES; i++) {
		to[i] = permute_at(&p, first + i);
		LAW(to[i] < n, "n=%" PRIu64 ": %" PRIu64, n, to[i]);
	}
	qsort(to, SAMPLES, sizeof(to[0]), by_value);
	for (unsigned i = 1; i < SAMPLES; i++)
		LAW(to[i] != to[i - 1], "n=%" PRIu64 ": %" PRIu64 " twice", n, to[i]);
}

/* Number of an order of N things among all N! ones. */
static unsigned order_number(const struct permute *p)
{
	unsigned number = 0, n = (unsigned)p->n;
	for (unsigned i = 0; i < n; i++) {
		unsigned smaller = 0;
		for (unsigned k = i + 1; k < n; k++)
			smaller += permute_at(p, k) < permute_at(p, i);
		number = number * (n - i) + smaller;
	}
	return number;
}

static void expect_all_orders(unsigned n, unsigned orders)
{
	double seen[720] = {0}, expected[720];
	for (unsigned key = 0; key < 200 * orders; key++) {
		struct permute p;
		permute_init(&p, n, key);
		seen[order_number(&p)]++;
	}
	for (unsigned i = 0; i < orders; i++) {
		expected[i] = 200;
		LAW(seen[i] > 0, "order %u of %u things never comes", i, n);
	}
	double z = law_chi_square(seen, expected, orders);
	LAW(z < 4, "orders of %u things are not equally likely: %.1f sigma", n, z);
}

/* How far apart two numbers come whose places are LAG apart, in 64 classes. */
static void expect_no_order(uint64_t n, uint64_t lag)
{
	double seen[64] = {0}, expected[64], total = 0;
	for (unsigned key = 0; total < 200000; key++) {
		struct permute p;
		permute_init(&p, n, key);
		for (uint64_t i = 0; i + lag < n && i < 100000; i++) {
			uint64_t a = permute_at(&p, i), b = permute_at(&p, i + lag);
			seen[mul_div(a > b ? a - b : a + (n - b), 64, n)]++;
			total++;
		}
	}
	for (unsigned c = 0; c < 64; c++) { /* a distance of 0 can't be */
		double from = ceil(c * (double)n / 64), to = ceil((c + 1) * (double)n / 64);
		expected[c] = total * (to - from - !c) / (double)(n - 1);
	}
	double z = law_chi_square(seen, expected, 64);
	LAW(z < 4, "n=%" PRIu64 ", %" PRIu64 " places apart: %.1f sigma", n, lag, z);
}

/* The first half of a pass is spread evenly over the range, more evenly even
 * than independent draws would be. */
static void expect_even_start(uint64_t n)
{
	double seen[64] = {0}, expected[64];
	uint64_t half = MIN_OF(n / 2, UINT64_C(1000000));
	struct permute p;
	permute_init(&p, n, 1);
	for (uint64_t i = 0; i < half; i++)
		seen[mul_div(permute_at(&p, i), 64, n)]++;
	for (unsigned c = 0; c < 64; c++)
		expected[c] = (double)half / 64;
	double z = law_chi_square(seen, expected, 64);
	LAW(z < 4, "n=%" PRIu64 ": first half uneven: %.1f sigma", n, z);
}

static uint64_t memory_kib(void)
{
	struct rusage usage;
	getrusage(RUSAGE_SELF, &usage);
	return (uint64_t)usage.ru_maxrss;
}

/* With an argument: the walk through 2^28 + 1 numbers, which takes ten seconds. */
int main(int argc, char **argv)
{
	(void)argv;
	uint64_t seed = law_seed();
	if (argc > 1) {
		expect_bijection((1 << 28) + 1, seed);
		return 0;
	}
	for (uint64_t n = 1; n <= 1000; n++)
		expect_bijection(n, seed + n);
	const uint64_t around[] = {4095, 4096, 4097, 65535, 65536, 65537, 1 << 20,
		(1 << 20) + 1, (1 << 22) - 1, 5000011};
	for (unsigned i = 0; i < COUNT_OF(around); i++)
		expect_bijection(around[i], seed);

	expect_all_orders(3, 6);
	expect_all_orders(4, 24);
	expect_all_orders(5, 120);
	expect_all_orders(6, 720);
	const uint64_t sizes[] = {64, 100, 255, 256, 1000, 4096, 65536, 100000, 1 << 20,
		24414062, (1 << 28) + 1, UINT64_C(1) << 40};
	for (unsigned i = 0; i < COUNT_OF(sizes); i++) {
		for (uint64_t lag = 1; lag <= 8; lag++)
			expect_no_order(sizes[i], lag);
		if (sizes[i] >= 4096)
			expect_even_start(sizes[i]);
	}

	/* 1 TiB and 8 EiB in blocks of 4 KiB: no memory beyond the samples' */
	uint64_t before = memory_kib();
	expect_no_collision(UINT64_C(1) << 28, seed);
	expect_no_collision(UINT64_C(1) << 51, seed);
	expect_no_collision(UINT64_C(1) << 63, seed);
	uint64_t grown = memory_kib() - before;
	printf("1 TiB, 8 EiB, 2^63: %" PRIu64 " KiB more, the samples' 4096 included\n", grown);
	LAW(grown < 12 * 1024, "memory depends on the size");
	return 0;
}
