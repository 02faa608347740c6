/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Changes in series whose truth is known, from a fixed seed, so the counts are the same each
 * time.  Asked for: at most 5 of 100 steady series give a change; of steps from 1000 to 600 in
 * noise of 5 %, at least 95 of 100 are found within 2 values (85 where neighbours share some of
 * their noise); a slope is one, and no stair; two steps are two; what goes to and fro
 * between two levels is said to. */
#include "base/bits.h"
#include "base/rng.h"
#include "stat/change.h"
#include "tests/prop/law.h"

#include <stdbool.h>
#include <string.h>

#define SERIES 500
#define LENGTH 1000

/* Box and Muller's. */
static double normal(struct rng *r)
{
	double u = 1 - rng_unit(r), v = rng_unit(r);
	return sqrt(-2 * log(u)) * cos(2 * M_PI * v);
}

/* AR(1) noise of the logarithm around LEVEL. */
static void draw(struct rng *r, double *v, uint32_t n, double rho, double spread)
{
	double e = normal(r);
	for (uint32_t i = 0; i < n; i++) {
		e = rho * e + sqrt(1 - rho * rho) * normal(r);
		v[i] = 1000 * exp(spread * e);
	}
}

static void find(const double *v, uint32_t n, struct changes *c)
{
	LAW(changes_find(v, n, c) == 0, "no memory");
	for (uint32_t i = 0; i < c->count; i++) {
		LAW(c->v[i].at < n && (!i || c->v[i].at > c->v[i - 1].at), "order of %u", i);
	}
}

static void steady_series(struct rng *r)
{
	static const uint32_t lengths[] = {12, 20, 30, 60, 120, 300, 1000};
	static const double rhos[] = {0, 0.3, 0.5, 0.7};
	double v[LENGTH];

	for (size_t i = 0; i < COUNT_OF(lengths); i++)
		for (size_t k = 0; k < COUNT_OF(rhos); k++) {
			unsigned wrong = 0;
			for (unsigned t = 0; t < SERIES; t++) {
				struct changes c;
				draw(r, v, lengths[i], rhos[k], 0.1);
				find(v, lengths[i], &c);
				wrong += c.count || c.trend || c.turns;
			}
			printf("steady, %4u values, rho %.1f: %4.1f of 100\n", lengths[i],
				rhos[k], 100.0 * wrong / SERIES);
			LAW(wrong * 100 <= 5 * SERIES, "%u", wrong);
		}
}

static void steps(struct rng *r)
{
	static const uint32_t lengths[] = {20, 30, 60, 300};
	static const double rhos[] = {0, 0.3, 0.5};
	double v[LENGTH];

	for (size_t i = 0; i < COUNT_OF(lengths); i++)
		for (size_t k = 0; k < COUNT_OF(rhos); k++) {
			unsigned near = 0, n = lengths[i];
			for (unsigned t = 0; t < SERIES; t++) {
				struct changes c;
				uint32_t at = 4 + (uint32_t)rng_below(r, n - 8);
				bool found = false;
				draw(r, v, n, rhos[k], 0.05);
				for (uint32_t j = at; j < n; j++)
					v[j] *= 0.6;
				find(v, n, &c);
				for (uint32_t j = 0; j < c.count; j++)
					found |= c.v[j].at + 2 >= at && c.v[j].at <= at + 2;
				near += found;
			}
			printf("a step, %3u values, rho %.1f: %.1f of 100 within 2\n", n,
				rhos[k], 100.0 * near / SERIES);
			LAW(near * 100 >= (rhos[k] > 0 ? 85u : 95u) * SERIES, "%u", near);
		}
}

static void shapes(struct rng *r)
{
	unsigned slopes = 0, twos = 0, waves = 0;
	double v[LENGTH];
	struct changes c;

	for (unsigned t = 0; t < SERIES; t++) {
		draw(r, v, 100, 0, 0.05);
		for (uint32_t i = 0; i < 100; i++)
			v[i] *= exp(-0.005 * i);
		find(v, 100, &c);
		slopes += c.trend && fabs(c.to / c.from / exp(-0.495) - 1) < 0.1;
		draw(r, v, 90, 0, 0.05);
		for (uint32_t i = 30; i < 60; i++)
			v[i] *= 0.5;
		find(v, 90, &c);
		twos += c.count == 2 && !c.trend && c.v[0].after < 0.6 * c.v[0].before &&
			c.v[1].after > 1.6 * c.v[1].before;
		draw(r, v, 100, 0.5, 0.05);
		for (uint32_t i = 0; i < 100; i++)
			v[i] *= i / 6 % 2 ? 0.5 : 1;
		find(v, 100, &c);
		waves += c.count > 2 || (c.turns == 16 && c.low < 600 && c.high > 900);
	}
	printf("slopes %.1f, two steps %.1f, waves %.1f of 100\n", 100.0 * slopes / SERIES,
		100.0 * twos / SERIES, 100.0 * waves / SERIES);
	LAW(slopes * 100 >= 95 * SERIES && twos * 100 >= 95 * SERIES &&
			waves * 100 >= 95 * SERIES,
		"shapes");
}

/* What no noise explains, and what is no change. */
static void plain(void)
{
	double v[100];
	struct changes c;

	for (int i = 0; i < 100; i++)
		v[i] = i < 50 ? 0 : 200;
	find(v, 100, &c);
	LAW(c.count == 1 && c.v[0].at == 50 && c.v[0].after > 199, "from nothing");
	for (int i = 0; i < 100; i++)
		v[i] = i < 50 ? 1000 : 1020;
	find(v, 100, &c);
	LAW(!c.count && !c.trend && !c.turns, "2 %% is no change");
	for (int i = 0; i < 100; i++)
		v[i] = i % 10 ? 1000 : 300;
	find(v, 100, &c);
	LAW(!c.count && !c.turns, "single values");
	memset(v, 0, sizeof(v));
	find(v, 100, &c);
	LAW(!c.count && !c.trend && !c.turns, "nothing at all");
	find(v, 5, &c);
	LAW(!c.count && !c.turns, "too few");
	/* mean 100, range 21, slope 0; then range 19; then a slope of 3 a round */
	LAW(!change_steady((double[]){89.5, 110.5, 100, 110.5, 89.5}, 5), "range");
	LAW(change_steady((double[]){90.5, 109.5, 100, 109.5, 90.5}, 5), "within it");
	LAW(!change_steady((double[]){94, 97, 100, 103, 106}, 5), "slope");
}

int main(void)
{
	struct rng r;
	rng_init(&r, 8);
	plain();
	steady_series(&r);
	steps(&r);
	shapes(&r);
	return 0;
}
