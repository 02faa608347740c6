/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* HOT: v^p for many v at a time, which is most of the cost of zipf and pareto.
 *
 * log and exp are polynomials without a branch or a table, so a compiler makes one
 * loop over several numbers of them, and the result does not depend on how many
 * there are.  v must be normal and positive, and |p log v| at most 690.  The relative
 * errors of logarithm and exponential are below 1e-14 (tests/prop/gen-power.c). */
#pragma once

#include <stdint.h>
#include <string.h>

/* Replaces each of V[0 .. n-1] by its power; use power_choose() once to get one. */
void power_each(double *v, unsigned n, double p);

/* The quickest that this machine can run; all give the same. */
void (*power_choose(void))(double *v, unsigned n, double p);

/* A double as its bits, and back. */
static inline uint64_t power_bits(double v)
{
	uint64_t bits;
	memcpy(&bits, &v, sizeof(bits));
	return bits;
}

static inline double power_of_bits(uint64_t bits)
{
	double v;
	memcpy(&v, &bits, sizeof(v));
	return v;
}

/* v = 2^k m, m from sqrt(1/2) to sqrt(2); log m = 2 atanh((m - 1) / (m + 1)). */
static inline double power_log(double v)
{
	uint64_t bits = power_bits(v);
	uint64_t shifted = bits + (UINT64_C(0x3ff0000000000000) - UINT64_C(0x3fe6a09e667f3bcd));
	uint64_t exponent = shifted & UINT64_C(0xfff0000000000000);
	double m = power_of_bits(bits - exponent + UINT64_C(0x3ff0000000000000));
	double k = power_of_bits(shifted >> 52 | UINT64_C(0x4330000000000000)) -
		   (0x1p52 + 1023);
	double s = (m - 1) / (m + 1), z = s * s;
	double sum = 1.0 / 15 + z * (1.0 / 17);
	sum = 1.0 / 13 + z * sum;
	sum = 1.0 / 11 + z * sum;
	sum = 1.0 / 9 + z * sum;
	sum = 1.0 / 7 + z * sum;
	sum = 1.0 / 5 + z * sum;
	sum = 1.0 / 3 + z * sum;
	return k * 0.69314718055994530942 + 2 * s * (1 + z * sum);
}

/* y = n log 2 + r, r within half of log 2, which is taken off in two parts (Cody and Waite);
 * then the Taylor series to r^11, and 2^n by adding to the exponent. */
static inline double power_exp(double y)
{
	double rounded = y * 1.44269504088896340736 + 0x1.8p52;
	double n = rounded - 0x1.8p52;
	double r = y - n * 0x1.62e42fefp-1;
	r = r - n * 0x1.473de6af278edp-34;
	double sum = 1.0 / 3628800 + r * (1.0 / 39916800);
	sum = 1.0 / 362880 + r * sum;
	sum = 1.0 / 40320 + r * sum;
	sum = 1.0 / 5040 + r * sum;
	sum = 1.0 / 720 + r * sum;
	sum = 1.0 / 120 + r * sum;
	sum = 1.0 / 24 + r * sum;
	sum = 1.0 / 6 + r * sum;
	sum = 0.5 + r * sum;
	sum = 1 + r * (1 + r * sum);
	return power_of_bits(power_bits(sum) + (power_bits(rounded) << 52));
}

/* One number; power_each() is this in a loop. */
static inline double power_of(double v, double p)
{
	return power_exp(power_log(v) * p);
}
