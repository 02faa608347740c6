/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Comparisons of pairs of runs whose truth is known.
 *
 * Each case draws 1000 pairs of series (normal, standard deviation 5 % of the mean; AR(1)
 * where it says so) from a fixed seed, so the counts are the same each time.  Of each
 * pair: is the true ratio in the 95 % interval, and what is the verdict?  Asked for are
 * coverage of 93 to 97 %, at most 5 + 1.5 % false differences, and "can't tell" in at least
 * 95 % where a run is too short for its memory or has no level.  With 1000 pairs a
 * coverage of 95 % is counted to 0.7 % (one standard deviation). */
#include "base/bits.h"
#include "base/rng.h"
#include "stat/autocorrelation.h"
#include "stat/batches.h"
#include "stat/estimate.h"
#include "stat/histogram.h"
#include "stat/resample.h"
#include "stat/series.h"
#include "tests/prop/law.h"

#include <stdbool.h>

#define PAIRS     1000
#define SECONDS   1000
#define SPREAD    0.05
#define TOLERANCE 0.02

/* What must come out: shares of PAIRS, in percent. */
struct truth {
	const char *name;
	uint32_t seconds;
	double phi;   /* AR(1)                                       */
	double drift; /* of B: end against start, share of the mean */
	double jump;  /* of B: the last third lies higher          */
	bool decides; /* else: "can't tell" in at least 95 %       */
};

struct tally {
	unsigned intervals, covered, different, undecided, same, drifting;
};

/* Box and Muller's. */
static double normal(struct rng *r)
{
	double u = 1 - rng_unit(r), v = rng_unit(r);
	return sqrt(-2 * log(u)) * cos(2 * M_PI * v);
}

static void draw(struct rng *r, const struct truth *t, double mean, bool moves, double *v)
{
	double x = normal(r), own = sqrt(1 - t->phi * t->phi);

	for (uint32_t i = 0; i < t->seconds; i++) {
		double at = i / (t->seconds - 1.0);
		double move = moves ? t->drift * (at - 0.5) + (at > 2 / 3.0 ? t->jump : 0) : 0;
		v[i] = mean * (1 + move + SPREAD * x);
		x = t->phi * x + own * normal(r);
	}
}

static void compare(struct rng *r, const struct truth *t, double ratio, struct tally *n)
{
	static double a[SECONDS], b[SECONDS];
	double low, high;

	draw(r, t, 1000, false, a);
	draw(r, t, 1000 * ratio, true, b);
	struct batches of_a = batches_of(a, t->seconds, TOLERANCE);
	struct batches of_b = batches_of(b, t->seconds, TOLERANCE);
	struct estimate e = estimate_means(&of_a.means, &of_b.means);
	if (e.known) {
		estimate_interval(&e, 0.95, &low, &high);
		n->intervals++;
		n->covered += low <= ratio && ratio <= high;
	}
	bool usable = of_a.use == BATCHES_USABLE && of_b.use == BATCHES_USABLE;
	enum verdict v = usable ? estimate_verdict(&e, TOLERANCE, 0.05) : VERDICT_UNDECIDED;
	n->different += v == VERDICT_LESS || v == VERDICT_MORE;
	n->same += v == VERDICT_SAME;
	n->undecided += v == VERDICT_UNDECIDED;
	n->drifting += of_a.use == BATCHES_DRIFTING || of_b.use == BATCHES_DRIFTING;
}

static struct tally simulate(const struct truth *t, double ratio)
{
	struct tally n = {0};
	struct rng r;

	rng_init(&r, 20260101 + t->seconds + (uint64_t)(t->phi * 10));
	for (unsigned i = 0; i < PAIRS; i++)
		compare(&r, t, ratio, &n);
	printf("%-24s ratio %.2f: %4u intervals, %5.1f %% of them hold; different %5.1f %%, same "
	       "%5.1f %%, can't tell %5.1f %%\n",
		t->name, ratio, n.intervals, 100.0 * n.covered / MAX_OF(n.intervals, 1u),
		n.different / 10.0, n.same / 10.0, n.undecided / 10.0);
	return n;
}

static void judge(const struct truth *t)
{
	struct tally n = simulate(t, 1);
	double held = 100.0 * n.covered / MAX_OF(n.intervals, 1u);

	LAW(n.different <= 65, "%s: %u false differences", t->name, n.different);
	if (t->decides) {
		LAW(n.intervals >= PAIRS * 9 / 10, "%s: %u intervals", t->name, n.intervals);
		LAW(held >= 93 && held <= 97, "%s: %.1f %% of intervals hold", t->name, held);
	} else {
		LAW(n.undecided >= PAIRS * 95 / 100, "%s: decided %u times", t->name,
			PAIRS - n.undecided);
	}
	struct tally shifted = simulate(t, 1.05); /* the power */
	if (t->decides)
		LAW(shifted.different >= n.different, "%s: a shift is not seen", t->name);
	else
		LAW(shifted.undecided >= PAIRS * 95 / 100, "%s: decided %u times", t->name,
			PAIRS - shifted.undecided);
}

/* ---- percentiles ---- */

#define TAIL_PAIRS   200
#define TAIL_SECONDS 60
#define TAIL_SAMPLES 400

struct tail {
	struct histogram h;
	struct series series;
	const struct series_sparse *v[TAIL_SECONDS];
};

/* Latencies of a lognormal body with a tail, 400 a second; their level is AR(1). */
static void draw_tail(struct rng *r, struct tail *t, double phi)
{
	double x = normal(r), own = sqrt(1 - phi * phi);

	series_done(&t->series);
	t->series = (struct series){.interval_ns = NS_PER_S};
	for (unsigned i = 0; i < TAIL_SECONDS; i++) {
		histogram_reset(&t->h);
		for (unsigned k = 0; k < TAIL_SAMPLES; k++) {
			double spread = rng_unit(r) < 0.05 ? 1.0 : 0.1;
			double ns = 1e5 * exp(0.03 * x + spread * fabs(normal(r)));
			histogram_record(&t->h, (uint64_t)ns);
		}
		series_add(&t->series, i * NS_PER_S, DIR_READ, 0, 0, &t->h, NULL);
		x = phi * x + own * normal(r);
	}
	for (unsigned i = 0; i < TAIL_SECONDS; i++)
		t->v[i] = &t->series.records[i].lat[DIR_READ];
}

/* Two runs of one device: the interval of the ratio holds 1. */
static void percentiles(double phi, double time)
{
	static struct tail a, b;
	static const double q[] = {RESAMPLE_MEAN, 0.5, 0.99};
	unsigned covered[COUNT_OF(q)] = {0};
	struct rng r;

	rng_init(&r, 20260101);
	for (unsigned i = 0; i < TAIL_PAIRS; i++) {
		struct resampled ra[COUNT_OF(q)], rb[COUNT_OF(q)];
		draw_tail(&r, &a, phi);
		draw_tail(&r, &b, phi);
		LAW(resample_figures(a.v, TAIL_SECONDS, time, q, COUNT_OF(q), ra) == 0,
			"memory");
		LAW(resample_figures(b.v, TAIL_SECONDS, time, q, COUNT_OF(q), rb) == 0,
			"memory");
		for (size_t k = 0; k < COUNT_OF(q); k++) {
			struct estimate e = estimate_resampled(&ra[k], &rb[k]);
			double low, high;
			estimate_interval(&e, 0.95, &low, &high);
			covered[k] += low <= 1 && 1 <= high;
		}
	}
	for (size_t k = 0; k < COUNT_OF(q); k++) {
		double held = 100.0 * covered[k] / TAIL_PAIRS;
		printf("bootstrap, AR(1) %.1f, q %.2f: %5.1f %% of intervals hold\n", phi, q[k],
			held);
		LAW(held >= 91 && held <= 99, "q %.2f: %.1f %%", q[k], held);
	}
	series_done(&a.series);
	series_done(&b.series);
}

int main(void)
{
	static const struct truth cases[] = {
		{"iid, 60 s", 60, 0, 0, 0, true},
		{"iid, 300 s", 300, 0, 0, 0, true},
		{"AR(1) 0.5, 60 s", 60, 0.5, 0, 0, true},
		{"AR(1) 0.5, 300 s", 300, 0.5, 0, 0, true},
		{"AR(1) 0.9, 1000 s", 1000, 0.9, 0, 0, true},
		{"AR(1) 0.9, 60 s", 60, 0.9, 0, 0, false},
		{"drift 10 %, 60 s", 60, 0, 0.10, 0, false},
		{"drift 10 %, 300 s", 300, 0, 0.10, 0, false},
		{"AR(1) 0.5 drift, 300 s", 300, 0.5, 0.1, 0, false},
		{"jump 10 %, 60 s", 60, 0, 0, 0.10, false},
		{"AR(1) 0.5 jump, 300 s", 300, 0.5, 0, 0.10, false},
	};
	for (unsigned i = 0; i < COUNT_OF(cases); i++)
		judge(&cases[i]);
	percentiles(0, 1);
	percentiles(0.5, 3);
	return 0;
}
