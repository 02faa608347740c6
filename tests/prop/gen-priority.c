/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Laws of priorities: each size gets its shares, sizes without a rule get none, and the
 * same seed draws the same. */
#include "base/bits.h"
#include "gen/priority.h"
#include "law.h"

#define DRAWS 100000

static const struct priority_rule rules[] = {
	{4096, 1, (UINT64_C(20) << 32) / 100},
	{8192, 2, UINT64_C(1) << 32},
	{4096, 3, (UINT64_C(30) << 32) / 100},
};

static void count(const struct priority_spec *s, struct rng *dice, uint32_t bytes, double *seen)
{
	for (int i = 0; i < DRAWS; i++)
		seen[priority_next(s, dice, DIR_READ, bytes)]++;
}

static void law_shares(const struct priority_spec *s, struct rng *dice)
{
	const double expected[] = {0.5 * DRAWS, 0.2 * DRAWS, 0, 0.3 * DRAWS};
	double seen[4] = {0};

	count(s, dice, 4096, seen);
	LAW(seen[2] == 0, "%.0f requests have the priority of another size", seen[2]);
	const double kept[] = {seen[0], seen[1], seen[3]};
	const double wanted[] = {expected[0], expected[1], expected[3]};
	double off = law_chi_square(kept, wanted, 3);
	LAW(off < 5, "shares %.0f/%.0f/%.0f are %.1f sigma from 50/20/30 %%", seen[0], seen[1],
		seen[3], off);
}

static void law_all_or_none(const struct priority_spec *s, struct rng *dice)
{
	double seen[4] = {0};

	count(s, dice, 8192, seen);
	LAW(seen[2] == DRAWS, "100 %% are %.0f of %d", seen[2], DRAWS);
	count(s, dice, 512, seen);
	LAW(seen[0] == DRAWS, "a size without a rule got a priority");
	LAW(priority_next(s, dice, DIR_WRITE, 4096) == 0, "a direction without rules got one");
}

static void law_repeats(const struct priority_spec *s, uint64_t seed)
{
	struct rng a, b;

	rng_init(&a, seed);
	rng_init(&b, seed);
	for (int i = 0; i < 1000; i++)
		LAW(priority_next(s, &a, DIR_READ, 4096) ==
				priority_next(s, &b, DIR_READ, 4096),
			"draw %d differs", i);
}

int main(void)
{
	const struct priority_spec s = {
		.any = true,
		.rules = {[DIR_READ] = rules},
		.rules_count = {[DIR_READ] = COUNT_OF(rules)},
	};
	uint64_t seed = law_seed();
	struct rng dice;

	rng_init(&dice, seed);
	law_shares(&s, &dice);
	law_all_or_none(&s, &dice);
	law_repeats(&s, seed);
	return 0;
}
