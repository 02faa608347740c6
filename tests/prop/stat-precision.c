/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Digits that are shown: rounding is small, and what is left is true.
 *
 * The first law holds for any figure, by a new seed each time.  The others count, from a fixed
 * seed, how often the truth lies within a standard error of what a simulated run gives (0.68
 * of a normal distribution) and within two and the rounding of what is shown of it (0.95).
 * With 2000 runs a share of 0.68 is counted to 0.01 (one standard deviation). */
#include "base/bits.h"
#include "base/rng.h"
#include "base/str.h"
#include "report/digits.h"
#include "result/known.h"
#include "result/result.h"
#include "stat/precision.h"
#include "stat/uncertainty.h"
#include "tests/prop/law.h"

#include <stdbool.h>
#include <string.h>

#define RUNS 2000

static double normal(struct rng *r)
{
	double u = 1 - rng_unit(r), v = rng_unit(r);
	return sqrt(-2 * log(u)) * cos(2 * M_PI * v);
}

/* ---- rounding ---- */

static unsigned digits_in(const char *text)
{
	unsigned n = 0;
	for (const char *c = text + strspn(text, "-0."); *c; c++)
		n += *c != '.';
	return n;
}

/* Half a unit of the last digit is half a standard error at most, or the figure has two digits
 * only; or it's the form that ends there: three digits, or all of the whole part. */
static void rounding_is_small(struct rng *r)
{
	for (int i = 0; i < 200000; i++) {
		double v = pow(10, 12 * rng_unit(r) - 2),
		       error = v * pow(10, -8 * rng_unit(r) + 1);
		struct str out = {0};
		digits_add(&out, v, error);
		const char *text = str_text(&out);
		double off = fabs(strtod(text, NULL) - v), form = pow(10, -digits_form(v)) / 2;
		double two = pow(10, floor(log10(v))) / 2, room = 1 + 1e-9;
		LAW(off <= fmax(fmin(error / 2, two), form) * room, "%g +- %g: %s", v, error,
			text);
		LAW(v < 0.0995 || digits_in(text) >= 2, "%g +- %g: %s", v, error, text);
		LAW(strlen(text) <= 14, "%g: %s", v, text);
		str_done(&out);
	}
}

/* Figures of the same place keep their order. */
static void order_is_kept(struct rng *r)
{
	for (int i = 0; i < 200000; i++) {
		double a = 1e6 * rng_unit(r), b = a + 1e4 * rng_unit(r);
		int place = (int)rng_below(r, 8) - 3;
		LAW(precision_round(a, place) <= precision_round(b, place), "%g %g %d", a, b,
			place);
	}
}

/* ---- truth ---- */

struct tally {
	unsigned runs, within, shown;
};

static void count(struct tally *t, double v, double error, double truth)
{
	int place = precision_place(v, error);
	double half = place == PRECISION_ALL ? 0 : pow(10, place) / 2;

	t->runs++;
	t->within += fabs(v - truth) <= error;
	t->shown += fabs(precision_round(v, place) - truth) <= 2 * error + half;
}

static void judge(const char *name, const struct tally *t, double least, double most,
	double shown)
{
	double within = (double)t->within / t->runs, all = (double)t->shown / t->runs;

	printf("%-26s %.3f within one standard error, %.3f within two of what is shown\n", name,
		within, all);
	LAW(within >= least && within <= most, "%s: %.3f", name, within);
	LAW(all >= shown, "%s: %.3f", name, all);
}

/* Seconds of a rate of 12345, normal, 5 %, AR(1). */
static void rates_are_true(void)
{
	static const struct {
		const char *name;
		uint32_t seconds;
		double phi, least, most, shown;
	} cases[] = {
		{"2 s", 2, 0, 0.64, 0.72, 0.80},
		{"5 s", 5, 0, 0.64, 0.72, 0.90},
		{"60 s", 60, 0, 0.64, 0.74, 0.95},
		{"60 s, AR(1) 0.5", 60, 0.5, 0.60, 0.72, 0.90},
		{"300 s, AR(1) 0.5", 300, 0.5, 0.64, 0.72, 0.95},
		{"300 s, AR(1) 0.9", 300, 0.9, 0.58, 0.72, 0.90},
	};
	static double v[300];
	struct rng r;

	rng_init(&r, 5);
	for (size_t c = 0; c < COUNT_OF(cases); c++) {
		struct tally t = {0};
		for (int run = 0; run < RUNS; run++) {
			double x = normal(&r), own = sqrt(1 - cases[c].phi * cases[c].phi),
			       sum = 0;
			for (uint32_t i = 0; i < cases[c].seconds; i++) {
				v[i] = 12345 * (1 + 0.05 * x);
				sum += v[i];
				x = cases[c].phi * x + own * normal(&r);
			}
			count(&t, sum / cases[c].seconds, uncertainty_mean(v, cases[c].seconds),
				12345);
		}
		judge(cases[c].name, &t, cases[c].least, cases[c].most, cases[c].shown);
	}
}

#define SECONDS    30
#define PER_SECOND 300
#define OWN        0.5 /* of the logarithm of a request's latency          */
#define COMMON     0.1 /* of what the requests of a second have in common */

static void fill_second(struct result_row *row, struct rng *r, uint32_t second,
	struct histogram *h)
{
	struct result_dir *d = &row->dir[DIR_READ];
	double common = COMMON * normal(r);

	histogram_reset(h);
	for (int i = 0; i < PER_SECOND; i++) {
		uint64_t ns = (uint64_t)(1e6 * exp(OWN * normal(r) + common));
		latency_record(d->lat, ns);
		histogram_record(h, ns);
	}
	series_add(&row->series, second * NS_PER_S, DIR_READ, PER_SECOND, PER_SECOND * 4096, h,
		NULL);
}

/* A run's mean, p50 and p99 as its table has them; the logarithm is normal with OWN and COMMON
 * together.  Requests that know nothing of each other would know the mean three times better
 * than they do. */
static void latencies_are_true(void)
{
	double sigma = hypot(OWN, COMMON);
	struct result_row *row = calloc(1, sizeof(*row));
	struct latency *l = calloc(1, sizeof(*l));
	struct histogram *h = calloc(1, sizeof(*h));
	struct tally mean = {0}, p50 = {0}, p99 = {0};
	struct rng r;

	LAW(row && l && h, "no memory");
	rng_init(&r, 6);
	for (int run = 0; run < RUNS / 4; run++) {
		latency_reset(l);
		row->dir[DIR_READ] = (struct result_dir){.lat = l,
			.ios = SECONDS * PER_SECOND,
			.runtime_ns = SECONDS * NS_PER_S};
		row->runtime_ns = SECONDS * NS_PER_S;
		row->series = (struct series){.interval_ns = NS_PER_S};
		for (uint32_t i = 0; i < SECONDS; i++)
			fill_second(row, &r, i, h);
		count(&mean, latency_mean(l), known_mean(row, l), 1e6 * exp(sigma * sigma / 2));
		count(&p50, (double)latency_quantile(l, 0.5), known_quantile(row, l, 0.5), 1e6);
		count(&p99, (double)latency_quantile(l, 0.99), known_quantile(row, l, 0.99),
			1e6 * exp(2.326348 * sigma));
		series_done(&row->series);
	}
	judge("mean latency, 30 s", &mean, 0.62, 0.74, 0.93);
	judge("p50, 30 s", &p50, 0.62, 0.78, 0.93);
	judge("p99, 30 s", &p99, 0.62, 0.78, 0.89); /* of 90 samples: skewed */
	free(row);
	free(l);
	free(h);
}

int main(void)
{
	struct rng r;

	rng_init(&r, law_seed());
	rounding_is_small(&r);
	order_is_kept(&r);
	rates_are_true();
	latencies_are_true();
	return 0;
}
