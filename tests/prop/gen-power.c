/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Laws of power: it is what the C library says, and the same one by one, in batches of
 * any length, and in whatever this machine runs best. */
#include "base/bits.h"
#include "base/rng.h"
#include "gen/power.h"
#include "law.h"

#define BATCH 67

static void check_accuracy(struct rng *rng)
{
	double worst_log = 0, worst_exp = 0;
	for (unsigned i = 0; i < 500000; i++) {
		double y = (rng_unit(rng) - 0.5) * (i & 1 ? 1380 : 0.01);
		double v = exp(y), want = log(v);
		if (want != 0)
			worst_log = fmax(worst_log, fabs(power_log(v) / want - 1));
		worst_exp = fmax(worst_exp, fabs(power_exp(y) / exp(y) - 1));
	}
	printf("relative error: log %.1e, exp %.1e\n", worst_log, worst_exp);
	LAW(worst_log < 1e-14 && worst_exp < 2e-14, "log %g, exp %g", worst_log, worst_exp);
	LAW(power_log(1) == 0 && power_exp(0) == 1 && power_of(0.25, 0.5) == 0.5, "exact ones");
}

static void check_batches(struct rng *rng)
{
	void (*const best)(double *v, unsigned n, double p) = power_choose();
	double v[BATCH], a[BATCH], b[BATCH];
	for (unsigned n = 0; n <= BATCH; n++) {
		double p = (rng_unit(rng) - 0.5) * 20;
		for (unsigned i = 0; i < n; i++)
			a[i] = b[i] = v[i] = 1e-10 + rng_unit(rng);
		best(a, n, p);
		power_each(b, n, p);
		for (unsigned i = 0; i < n; i++)
			LAW(a[i] == b[i] && a[i] == power_of(v[i], p), "%u of %u: %a, %a, %a",
				i, n, a[i], b[i], power_of(v[i], p));
	}
}

int main(void)
{
	struct rng rng;
	rng_init(&rng, law_seed());
	check_accuracy(&rng);
	check_batches(&rng);
	return 0;
}
