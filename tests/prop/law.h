/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* For property tests: a law that must hold, a seed that is printed, and the
 * chi-square statistic.  SEED=n in the environment repeats a run. */
#pragma once

#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define LAW(holds, ...)                                                                        \
	do {                                                                                   \
		if (!(holds)) {                                                                \
			fprintf(stderr, "%s:%d: %s: ", __FILE__, __LINE__, #holds);            \
			fprintf(stderr, __VA_ARGS__);                                          \
			fputc('\n', stderr);                                                   \
			exit(1);                                                               \
		}                                                                              \
	} while (0)

/* A new seed each run, for laws that hold always. */
static inline uint64_t law_seed(void)
{
	const char *text = getenv("SEED");
	uint64_t seed = text ? strtoull(text, NULL, 0) : (uint64_t)time(NULL);
	printf("SEED=%" PRIu64 "\n", seed);
	return seed;
}

/* How many standard deviations the counts are from what is expected: the sum of
 * squares, made normal by Wilson and Hilferty (1931).  Neighbouring classes are
 * pooled until each expects ten at least. */
static inline double law_chi_square(const double *seen, const double *expected, size_t n)
{
	double sum = 0, s = 0, e = 0;
	unsigned classes = 0;
	for (size_t i = 0; i < n; i++) {
		s += seen[i];
		e += expected[i];
		if (e < 10 && i + 1 < n)
			continue;
		if (e > 0)
			sum += (s - e) * (s - e) / e;
		else
			sum += s > 0 ? 1e9 : 0;
		classes++;
		s = 0;
		e = 0;
	}
	if (classes < 2)
		return sum < 1e-6 ? 0 : 99;
	double df = classes - 1, part = 2 / (9 * df);
	return (cbrt(sum / df) - (1 - part)) / sqrt(part);
}
