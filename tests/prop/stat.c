/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Laws of stat: merging is recording both, a quantile is in the bin of the
 * sorted truth, moments are exact, a series loses nothing. */
#include <string.h>

#include "base/bits.h"
#include "base/limits.h"
#include "base/rng.h"
#include "law.h"
#include "stat/growth.h"
#include "stat/latency.h"
#include "stat/series.h"

#define VALUES 3000

/* Every magnitude is equally likely. */
static uint64_t some_ns(struct rng *rng, unsigned bits)
{
	return rng_next(rng) >> (64 - bits + rng_below(rng, bits));
}

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return (x > y) - (x < y);
}

static void law_merge(struct rng *rng)
{
	static struct latency all, part[3], left, right;
	latency_reset(&all);
	for (unsigned i = 0; i < 3; i++)
		latency_reset(&part[i]);
	for (unsigned i = 0; i < VALUES; i++) {
		uint64_t ns = some_ns(rng, 50);
		latency_record(&all, ns);
		latency_record(&part[rng_below(rng, 3)], ns);
	}
	left = part[0]; /* (a + b) + c */
	latency_merge(&left, &part[1]);
	latency_merge(&left, &part[2]);
	right = part[2]; /* c + b + a */
	latency_merge(&right, &part[1]);
	latency_merge(&right, &part[0]);
	LAW(!memcmp(&all, &left, sizeof(all)), "merge is not recording both");
	LAW(!memcmp(&left, &right, sizeof(left)), "merge depends on the order");
}

/* Looked at at any moments, also one after the other, growths add up to what is there; each
 * is what was recorded since the look before. */
static void law_growth(struct rng *rng)
{
	static struct histogram now, seen, since, sum;
	static struct growth_bin grown[HISTOGRAM_BINS];
	unsigned looks = 0;
	histogram_reset(&now);
	histogram_reset(&seen);
	histogram_reset(&since);
	histogram_reset(&sum);
	for (unsigned i = 0; i < VALUES; i++) {
		uint64_t ns = some_ns(rng, 50), times = 1 + rng_below(rng, UINT64_C(1) << 40);
		histogram_record_bin(&now, histogram_bin(ns), times);
		histogram_record_bin(&since, histogram_bin(ns), times);
		while (i + 1 == VALUES ? looks < 1 || since.count : rng_below(rng, 100) == 0) {
			uint32_t n = growth_take(&seen, &now, grown);
			LAW(n <= growth_room(&now), "more bins grew than there is room");
			for (uint32_t k = 0; k < n; k++) {
				LAW(!k || grown[k - 1].bin < grown[k].bin,
					"bins not ascending");
				LAW(grown[k].count == since.bins[grown[k].bin],
					"a growth is not what was recorded since");
				histogram_record_bin(&sum, grown[k].bin, grown[k].count);
			}
			histogram_reset(&since);
			looks++;
		}
	}
	LAW(!memcmp(&sum, &now, sizeof(sum)), "growths don't add up");
	LAW(!memcmp(&seen, &now, sizeof(sum)), "what was seen is not what is there");
}

static void law_quantile(struct rng *rng)
{
	static struct latency l;
	static uint64_t seen[VALUES];
	unsigned n = 1 + (unsigned)rng_below(rng, VALUES);
	unsigned bits = 1 + (unsigned)rng_below(rng, 50);
	latency_reset(&l);
	for (unsigned i = 0; i < n; i++) {
		seen[i] = some_ns(rng, bits);
		latency_record(&l, seen[i]);
	}
	qsort(seen, n, sizeof(seen[0]), by_value);
	for (unsigned k = 1; k <= 1000; k++) {
		uint64_t truth = seen[((uint64_t)n * k + 999) / 1000 - 1];
		uint64_t got = latency_quantile(&l, k / 1000.0);
		LAW(histogram_bin(got) == histogram_bin(truth),
			"%u of %u values: p%g is %" PRIu64 ", not %" PRIu64, k, n, k / 10.0,
			got, truth);
		LAW(got >= seen[0] && got <= seen[n - 1], "p%g outside of all values",
			k / 10.0);
	}
}

/* Values are BASE and a bit, so the deviation is that of the bits. */
static void law_moments(struct rng *rng)
{
	uint64_t base = rng_next(rng) >> (12 + rng_below(rng, 50));
	uint64_t range = 2 + (rng_next(rng) >> (44 + rng_below(rng, 18)));
	unsigned n = 2 + (unsigned)rng_below(rng, VALUES - 2);
	struct moments m = {0};
	uint64_t sum = 0;
	long double squares = 0;
	static uint64_t bits[VALUES];
	for (unsigned i = 0; i < n; i++) {
		bits[i] = rng_below(rng, range);
		sum += bits[i];
		moments_record(&m, base + bits[i]);
	}
	long double mean = (long double)sum / n;
	for (unsigned i = 0; i < n; i++)
		squares += (bits[i] - mean) * (bits[i] - mean);
	double want = (double)sqrtl(squares / (n - 1)), got = moments_stddev(&m);
	LAW(fabs(got - want) <= 1e-12 * want,
		"base %" PRIu64 " range %" PRIu64 ": stddev %.17g, not %.17g", base, range, got,
		want);
	double mean_all = (double)(base + mean);
	LAW(fabs(moments_mean(&m) - mean_all) <= 1e-15 * mean_all, "mean");
}

struct totals {
	uint64_t ios[DIRS], bytes[DIRS], lat[DIRS], response[DIRS];
};

static uint64_t sparse_total(const struct series_sparse *sparse)
{
	uint64_t sum = 0;
	for (uint32_t i = 0; i < sparse->count; i++) {
		LAW(!i || sparse->bins[i].bin > sparse->bins[i - 1].bin, "bins not ascending");
		LAW(sparse->bins[i].count, "an empty bin");
		sum += sparse->bins[i].count;
	}
	return sum;
}

static struct totals totals_of(const struct series *s)
{
	struct totals t = {0};
	LAW(!s->failed && s->count <= LIMIT_INTERVALS && s->count <= s->room, "series broken");
	for (uint32_t i = 0; i < s->count; i++) {
		for (unsigned d = 0; d < DIRS; d++) {
			t.ios[d] += s->records[i].ios[d];
			t.bytes[d] += s->records[i].bytes[d];
			t.lat[d] += sparse_total(&s->records[i].lat[d]);
			t.response[d] += sparse_total(&s->records[i].response[d]);
		}
	}
	return t;
}

static void add_some(struct series *s, struct totals *t, struct rng *rng, uint64_t span_ns)
{
	static struct histogram lat, response;
	enum dir d = (enum dir)rng_below(rng, DIRS);
	uint64_t ios = rng_below(rng, 20), bytes = ios * 512;
	histogram_reset(&lat);
	histogram_reset(&response);
	for (uint64_t i = 0; i < ios; i++) {
		histogram_record(&lat, some_ns(rng, 40));
		if (i % 2)
			histogram_record(&response, some_ns(rng, 40));
	}
	series_add(s, s->start_ns + rng_below(rng, span_ns), d, ios, bytes, &lat,
		rng_below(rng, 2) ? &response : NULL);
	t->ios[d] += ios;
	t->bytes[d] += bytes;
	t->lat[d] += ios;
}

/* Samples of all steps weigh as much as the totals. */
static void law_samples(const struct series *s, const struct totals *t, struct rng *rng)
{
	uint64_t end = s->start_ns + s->count * s->interval_ns;
	uint64_t step = s->interval_ns * (1 + rng_below(rng, 5));
	struct samples got = series_samples(s, 1u << DIR_READ, SERIES_IOS, step, end);
	uint64_t whole = s->count * s->interval_ns / step * step;
	if (whole != end - s->start_ns)
		return; /* the last step is partial */
	double total = got.mean * (double)whole / (double)NS_PER_S;
	LAW(fabs(total - (double)t->ios[DIR_READ]) < 1e-6 * (1 + total),
		"samples say %g, records %" PRIu64, total, t->ios[DIR_READ]);
	LAW(got.min <= got.mean && got.mean <= got.max, "min, mean, max");
}

static void law_series(struct rng *rng)
{
	struct totals want = {0};
	struct series all = {.interval_ns = 1 + rng_below(rng, NS_PER_S)};
	struct series other = {.interval_ns = 1 + rng_below(rng, NS_PER_S)};
	all.start_ns = rng_below(rng, NS_PER_S * 100);
	other.start_ns = rng_below(rng, NS_PER_S * 100);
	uint64_t span = all.interval_ns * (1 + rng_below(rng, 3 * LIMIT_INTERVALS));
	for (unsigned i = 0; i < 300; i++)
		add_some(rng_below(rng, 2) ? &all : &other, &want, rng, span);

	struct totals a = totals_of(&all), b = totals_of(&other);
	struct totals before = want;
	series_merge(&all, &other);
	struct totals got = totals_of(&all);
	for (unsigned d = 0; d < DIRS; d++) {
		want.response[d] = a.response[d] + b.response[d];
		before.response[d] = want.response[d];
	}
	LAW(!memcmp(&got, &before, sizeof(got)), "a merge or a doubling lost something");
	law_samples(&all, &got, rng);
	series_done(&all);
	series_done(&other);
}

int main(void)
{
	struct rng rng;
	rng_init(&rng, law_seed());
	for (unsigned i = 0; i < 100; i++) {
		law_merge(&rng);
		law_growth(&rng);
		law_quantile(&rng);
		law_series(&rng);
	}
	for (unsigned i = 0; i < 2000; i++)
		law_moments(&rng);
	return 0;
}
