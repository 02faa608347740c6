/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "gen/power.h"

#include "base/bits.h"

void power_each(double *v, unsigned n, double p)
{
	for (unsigned i = 0; i < n; i++)
		v[i] = power_of(v[i], p);
}

#ifdef __x86_64__

/* The same on four at a time.  Without FMA, whose rounding is another. */
__attribute__((target("avx2"))) static void power_each_avx2(double *v, unsigned n, double p)
{
	for (unsigned i = 0; i < n; i++)
		v[i] = power_of(v[i], p);
}

void (*power_choose(void))(double *v, unsigned n, double p)
{
	return __builtin_cpu_supports("avx2") ? power_each_avx2 : power_each;
}

#else

void (*power_choose(void))(double *v, unsigned n, double p)
{
	return power_each;
}

#endif
