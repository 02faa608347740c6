/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Laws of spread: frequencies are those of the distribution, and where the ranks
 * are placed.  Seeds are fixed, so a failure is a change and never chance. */
#include "base/bits.h"
#include "base/rng.h"
#include "gen/spread.h"
#include "law.h"

#define DRAWS   400000
#define CLASSES 64

/* Class of rank r among n: each of the first 16 has its own, the rest is divided
 * evenly by the logarithm. */
static unsigned class_of(uint64_t rank, uint64_t n)
{
	if (rank < 16 || n <= CLASSES)
		return (unsigned)rank;
	double share = log((double)rank / 16) / log((double)n / 16);
	return MIN_OF(16 + (unsigned)(share * (CLASSES - 16)), (unsigned)CLASSES - 1);
}

static double integral_of_power(double a, double from, double to)
{
	if (fabs(a - 1) < 1e-12)
		return log(to / from);
	return (pow(to, 1 - a) - pow(from, 1 - a)) / (1 - a);
}

/* Weights of the classes: summed up rank by rank; beyond 10^6 a stretch of ranks
 * weighs as much as the integral over it. */
static void zipf_weights(double a, uint64_t n, double *weights)
{
	uint64_t exact = MIN_OF(n, UINT64_C(1000000));
	for (uint64_t r = 0; r < exact; r++)
		weights[class_of(r, n)] += pow((double)(r + 1), -a);
	for (uint64_t r = exact; r < n;) {
		uint64_t to = MIN_OF(r + MAX_OF(r / 1000, UINT64_C(1)), n);
		weights[class_of(r, n)] += integral_of_power(a, (double)r + 0.5,
			(double)to + 0.5);
		r = to;
	}
}

static void expect_zipf(double a, uint64_t n)
{
	double seen[CLASSES] = {0}, expected[CLASSES] = {0}, sum = 0;
	struct spread_spec spec = {.kind = SPREAD_ZIPF, .a = a, .center = -1};
	struct spread s;
	struct rng rng;
	rng_init(&rng, 7);
	spread_init(&s, &spec);
	spread_resize(&s, n, 1);
	for (unsigned i = 0; i < DRAWS; i++) {
		uint64_t rank = spread_rank(&s, &rng);
		LAW(rank < n, "zipf %g of %" PRIu64 ": rank %" PRIu64, a, n, rank);
		seen[class_of(rank, n)]++;
	}
	zipf_weights(a, n, expected);
	for (unsigned c = 0; c < CLASSES; c++)
		sum += expected[c];
	for (unsigned c = 0; c < CLASSES; c++)
		expected[c] *= DRAWS / sum;
	double z = law_chi_square(seen, expected, CLASSES);
	LAW(z < 4, "zipf %g of %" PRIu64 ": %.1f sigma", a, n, z);
}

static void expect_pareto(double h, uint64_t n)
{
	double seen[CLASSES] = {0}, expected[CLASSES] = {0};
	struct spread_spec spec = {.kind = SPREAD_PARETO, .a = h, .center = -1};
	struct spread s;
	struct rng rng;
	double inside = 0, power = log1p(-h) / log(h);
	rng_init(&rng, 7);
	spread_init(&s, &spec);
	spread_resize(&s, n, 1);
	for (unsigned i = 0; i < DRAWS; i++) {
		uint64_t rank = spread_rank(&s, &rng);
		LAW(rank < n, "pareto %g of %" PRIu64 ": rank %" PRIu64, h, n, rank);
		seen[mul_div(rank, CLASSES, n)]++;
		inside += (double)rank < h * (double)n;
	}
	for (unsigned c = 0; c < CLASSES; c++) {
		double from = ceil(c * (double)n / CLASSES),
		       to = ceil((c + 1.0) * (double)n / CLASSES);
		expected[c] = DRAWS *
			      (pow(to / (double)n, power) - pow(from / (double)n, power));
	}
	double z = law_chi_square(seen, expected, CLASSES);
	LAW(z < 4, "pareto %g of %" PRIu64 ": %.1f sigma", h, n, z);
	LAW(n < 1000 || fabs(inside / DRAWS - (1 - h)) < 0.01,
		"pareto %g: %.3f of the accesses to the first %g", h, inside / DRAWS, h);
}

static void expect_normal(double percent, double center, uint64_t n)
{
	double seen[CLASSES] = {0}, expected[CLASSES] = {0};
	struct spread_spec spec = {.kind = SPREAD_NORMAL, .a = percent, .center = center};
	struct spread s;
	struct rng rng;
	double middle = center < 0 ? 0.5 : center, width = percent / 100 * sqrt(2);
	rng_init(&rng, 7);
	spread_init(&s, &spec);
	spread_resize(&s, n, 1);
	for (unsigned i = 0; i < DRAWS; i++) {
		uint64_t block = spread_place(&s, spread_rank(&s, &rng));
		LAW(block < n, "normal %g of %" PRIu64 ": block %" PRIu64, percent, n, block);
		seen[mul_div(block, CLASSES, n)]++;
	}
	double all = erf((1 - middle) / width) - erf(-middle / width);
	for (unsigned c = 0; c < CLASSES; c++) {
		double from = ceil(c * (double)n / CLASSES) / (double)n;
		double to = ceil((c + 1.0) * (double)n / CLASSES) / (double)n;
		double part = erf((to - middle) / width) - erf((from - middle) / width);
		expected[c] = DRAWS * part / all;
	}
	double z = law_chi_square(seen, expected, CLASSES);
	LAW(z < 4, "normal %g:%g of %" PRIu64 ": %.1f sigma", percent, center, n, z);
}

/* 60/10:30/20:8/30:2/40 and the like: shares of zones, and evenly within them. */
static void expect_zoned(const struct spread_zones *z, uint64_t n)
{
	double seen[CLASSES] = {0}, expected[CLASSES] = {0}, shares[SPREAD_ZONES] = {0},
	       off = 0;
	struct spread_spec spec = {.kind = SPREAD_ZONED, .center = -1, .zones = z};
	struct spread s;
	struct rng rng;
	rng_init(&rng, 7);
	spread_init(&s, &spec);
	spread_resize(&s, n, 1);
	for (unsigned i = 0; i < DRAWS; i++) {
		uint64_t block = spread_place(&s, spread_rank(&s, &rng));
		LAW(block < n, "zoned, of %" PRIu64 ": block %" PRIu64, n, block);
		seen[mul_div(block, CLASSES, n)]++;
		uint32_t zone = 0;
		while (block >= mul_div(z->end[zone], n, 100))
			zone++;
		shares[zone]++;
	}
	for (uint32_t k = 0; k < z->count; k++) {
		uint64_t from = k ? mul_div(z->end[k - 1], n, 100) : 0;
		uint64_t to = mul_div(z->end[k], n, 100);
		double share = 0;
		for (unsigned p = 0; p < 100; p++)
			share += z->pick[p] == k;
		off = fmax(off, fabs(shares[k] * 100 / DRAWS - share));
		for (unsigned c = 0; c < CLASSES; c++) {
			uint64_t low = div_up(c * n, CLASSES),
				 high = div_up((c + 1) * n, CLASSES);
			low = MAX_OF(low, from);
			high = MIN_OF(high, to);
			if (high > low)
				expected[c] += DRAWS * share / 100 * (double)(high - low) /
					       (double)(to - from);
		}
	}
	double sigma = law_chi_square(seen, expected, CLASSES);
	printf("zoned, of %" PRIu64 " blocks: shares off by at most %.3f %%\n", n, off);
	LAW(sigma < 4, "zoned, of %" PRIu64 ": %.1f sigma", n, sigma);
	LAW(off < 0.4, "zoned, of %" PRIu64 ": a share is off by %.2f %%", n, off);
}

static void zones_set(struct spread_zones *z, const unsigned (*shares)[2], uint32_t count)
{
	unsigned filled = 0;
	*z = (struct spread_zones){.count = count};
	for (uint32_t i = 0; i < count; i++) {
		z->end[i] = (i ? z->end[i - 1] : 0) + shares[i][1];
		for (unsigned k = 0; k < shares[i][0]; k++)
			z->pick[filled++] = (uint8_t)i;
	}
}

/* A zone in which no block begins is the block in which it begins. */
static void expect_zoned_edges(void)
{
	const unsigned thin[][2] = {{90, 1}, {0, 9}, {10, 90}};
	struct spread_zones z;
	struct spread_spec spec = {.kind = SPREAD_ZONED, .center = -1, .zones = &z};
	struct spread s;
	struct rng rng;
	double first = 0;
	rng_init(&rng, 7);
	zones_set(&z, thin, COUNT_OF(thin));
	spread_init(&s, &spec);
	spread_resize(&s, 32, 1);
	for (unsigned i = 0; i < DRAWS; i++) {
		uint64_t block = spread_rank(&s, &rng);
		LAW(block == 0 || (block >= 3 && block < 32), "thin zones: block %" PRIu64,
			block);
		first += block == 0;
	}
	LAW(fabs(first / DRAWS - 0.9) < 0.004, "thin zone: %.3f of the accesses",
		first / DRAWS);
	spread_resize(&s, 1, 1);
	for (unsigned i = 0; i < 100; i++)
		LAW(spread_rank(&s, &rng) == 0, "zones of one block");
}

static void expect_zones(void)
{
	const unsigned manual[][2] = {{60, 10}, {30, 20}, {8, 30}, {2, 40}};
	const unsigned rest[][2] = {{90, 10}, {10, 40}};
	struct spread_zones z;
	zones_set(&z, manual, COUNT_OF(manual));
	expect_zoned(&z, 1000);
	expect_zoned(&z, 1000003);
	expect_zoned(&z, UINT64_C(1) << 40);
	zones_set(&z, rest, COUNT_OF(rest));
	expect_zoned(&z, 1000);
	expect_zoned(&z, UINT64_C(1) << 40);
	expect_zoned_edges();
}

/* Ranks go to different blocks; the first lies in the centre if there is one,
 * and they don't lie in order. */
static void expect_placed(enum spread_kind kind, double a, double center, uint64_t n)
{
	struct spread_spec spec = {.kind = kind, .a = a, .center = center};
	struct spread s;
	unsigned char *seen = calloc(n, 1);
	uint64_t neighbours = 0;
	LAW(seen, "no memory");
	spread_init(&s, &spec);
	spread_resize(&s, n, 3);
	for (uint64_t rank = 0; rank < n; rank++) {
		uint64_t block = spread_place(&s, rank);
		LAW(block < n && !seen[block], "rank %" PRIu64 " at %" PRIu64, rank, block);
		seen[block] = 1;
		neighbours += rank && block == spread_place(&s, rank - 1) + 1;
	}
	if (center >= 0) {
		uint64_t want = MIN_OF((uint64_t)(center * (double)n), n - 1);
		LAW(spread_place(&s, 0) == want, "centre %g: first rank at %" PRIu64, center,
			spread_place(&s, 0));
	}
	LAW(n < 1000 || neighbours < 20, "%" PRIu64 " of %" PRIu64 " in order", neighbours, n);
	free(seen);
}

/* A degenerate deviation gives the centre, and a sharp edge still ends. */
static void expect_normal_edges(void)
{
	struct spread_spec spec = {.kind = SPREAD_NORMAL, .a = 0, .center = 1};
	struct spread s;
	struct rng rng;
	rng_init(&rng, 1);
	spread_init(&s, &spec);
	spread_resize(&s, 1000, 1);
	LAW(spread_rank(&s, &rng) == 999, "deviation 0 around the end");
	spec.center = -1;
	spread_init(&s, &spec);
	spread_resize(&s, 1000, 1);
	LAW(spread_rank(&s, &rng) == 500, "deviation 0 around the middle");
}

int main(void)
{
	const double thetas[] = {
		0.1, 0.5, 0.8, 0.99, 0.999999, 1, 1.000001, 1.01, 1.1, 1.2, 2, 5};
	const uint64_t sizes[] = {1, 2, 3, 10, 64, 1000, 1000000, UINT64_C(1) << 40};
	for (unsigned i = 0; i < COUNT_OF(thetas); i++) {
		for (unsigned k = 0; k < COUNT_OF(sizes); k++)
			expect_zipf(thetas[i], sizes[k]);
	}
	const double shares[] = {0.05, 0.2, 0.5, 0.8, 0.95};
	for (unsigned i = 0; i < COUNT_OF(shares); i++) {
		for (unsigned k = 0; k < COUNT_OF(sizes); k++)
			expect_pareto(shares[i], sizes[k]);
	}
	const double percents[] = {1, 10, 30, 99};
	for (unsigned i = 0; i < COUNT_OF(percents); i++) {
		for (unsigned k = 4; k < COUNT_OF(sizes); k++) {
			expect_normal(percents[i], -1, sizes[k]);
			expect_normal(percents[i], 0.25, sizes[k]);
			expect_normal(percents[i], 0, sizes[k]);
		}
	}
	expect_normal_edges();
	expect_zones();
	for (double center = -1; center <= 1; center += 0.25) {
		expect_placed(SPREAD_ZIPF, 1.2, center, 1);
		expect_placed(SPREAD_ZIPF, 1.2, center, 100003);
		expect_placed(SPREAD_PARETO, 0.2, center, 7);
		expect_placed(SPREAD_PARETO, 0.2, center, 4096);
	}
	return 0;
}
