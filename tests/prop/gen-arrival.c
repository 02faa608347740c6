/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Laws of arrival: linear schedules are exact however long they run; poisson gaps
 * have the mean and the shape they should. */
#include "base/bits.h"
#include "base/rng.h"
#include "gen/arrival.h"
#include "law.h"

__extension__ typedef unsigned __int128 wide;

/* floor(k * 1e9 / rate) */
static uint64_t due_of(uint64_t k, uint64_t rate)
{
	return (uint64_t)((wide)k * NS_PER_S / rate);
}

static uint64_t off_by(uint64_t a, uint64_t b)
{
	return a > b ? a - b : b - a;
}

static void law_requests(uint64_t rate)
{
	struct arrival_spec spec = {.per_second = rate};
	struct arrival a;
	arrival_init(&a, &spec);
	for (uint64_t k = 0; k < 100000; k++) {
		uint64_t want = due_of(k, rate);
		LAW(off_by(a.due_ns, want) <= 1,
			"%" PRIu64 "/s: request %" PRIu64 " at %" PRIu64 ", not %" PRIu64, rate,
			k, a.due_ns, want);
		arrival_advance(&a, 12345);
	}
}

/* Up to 10^12 units; a request of n bytes moves the schedule as n requests do. */
static void law_bytes(uint64_t rate, struct rng *rng)
{
	struct arrival_spec spec = {.per_second = rate, .bytes = true};
	struct arrival a;
	arrival_init(&a, &spec);
	for (uint64_t k = 0; k < UINT64_C(1000000000000);) {
		uint64_t want = due_of(k, rate);
		LAW(off_by(a.due_ns, want) <= 1,
			"%" PRIu64 " bytes/s: byte %" PRIu64 " at %" PRIu64 ", not %" PRIu64,
			rate, k, a.due_ns, want);
		uint64_t bytes = 1 + rng_below(rng, UINT64_C(1) << rng_below(rng, 31));
		arrival_advance(&a, bytes);
		k += bytes;
	}
}

static void law_poisson(uint64_t rate, bool bytes)
{
	enum { DRAWS = 200000, CLASSES = 50 };
	struct arrival_spec spec = {
		.per_second = bytes ? rate * 4096 : rate,
		.bytes = bytes,
		.process = ARRIVAL_POISSON,
		.seed = 3,
	};
	double seen[CLASSES] = {0}, expected[CLASSES], sum = 0, squares = 0;
	double mean = (double)NS_PER_S / (double)rate;
	struct arrival a;
	arrival_init(&a, &spec);
	if (bytes) /* the gap before the first is that of one byte */
		LAW((double)a.due_ns <= 40 * mean, "first at %" PRIu64, a.due_ns);
	for (unsigned i = 0; i < DRAWS; i++) {
		uint64_t due = a.due_ns, part = a.fraction;
		arrival_advance(&a, 4096);
		LAW(a.due_ns >= due, "time goes back");
		double gap = (double)(a.due_ns - due) +
			     ((double)a.fraction - (double)part) * 0x1p-64;
		LAW(gap >= 0 && gap < 40 * mean, "a gap of %g", gap);
		sum += gap;
		squares += gap * gap;
		seen[MIN_OF((unsigned)((1 - exp(-gap / mean)) * CLASSES), CLASSES - 1u)]++;
	}
	double variance = squares / DRAWS - (sum / DRAWS) * (sum / DRAWS);
	LAW(fabs(sum / DRAWS / mean - 1) < 0.01, "%" PRIu64 "/s: mean gap %g", rate,
		sum / DRAWS);
	LAW(fabs(variance / mean / mean - 1) < 0.03, "%" PRIu64 "/s: variance %g", rate,
		variance);
	for (unsigned c = 0; c < CLASSES; c++)
		expected[c] = (double)DRAWS / CLASSES;
	double z = law_chi_square(seen, expected, CLASSES);
	LAW(z < 4, "%" PRIu64 "/s: gaps are not exponential: %.1f sigma", rate, z);
}

static void law_no_schedule(void)
{
	struct arrival_spec spec = {0};
	struct arrival a;
	for (unsigned process = 0; process < 2; process++) {
		spec.process = (enum arrival_process)process;
		arrival_init(&a, &spec);
		arrival_advance(&a, 4096);
		LAW(a.due_ns == 0, "always due");
	}
}

int main(void)
{
	struct rng rng;
	rng_init(&rng, law_seed());
	const uint64_t rates[] = {1, 3, 7, 1000, 44100, 500000, 999999937, UINT64_C(1000000007),
		UINT64_C(123456789012)};
	for (unsigned i = 0; i < COUNT_OF(rates); i++) {
		law_requests(rates[i]);
		if (rates[i] > 100) /* slower ones would pass 2^64 ns */
			law_bytes(rates[i], &rng);
	}
	for (unsigned i = 0; i < 20; i++)
		law_requests(1 + (rng_next(&rng) >> (20 + rng_below(&rng, 40))));
	law_poisson(100, false);
	law_poisson(500000, false);
	law_poisson(100000000, false);
	law_poisson(1000, true);
	law_no_schedule();
	return 0;
}
