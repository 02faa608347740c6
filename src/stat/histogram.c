/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "stat/histogram.h"

#include <assert.h>
#include <math.h>
#include <string.h>

void histogram_merge(struct histogram *h, const struct histogram *from)
{
	if (!from->count)
		return;
	h->lo = h->count ? MIN_OF(h->lo, from->lo) : from->lo;
	h->hi = h->count ? MAX_OF(h->hi, from->hi) : from->hi;
	h->count += from->count;
	for (uint32_t bin = from->lo; bin <= from->hi; bin++)
		h->bins[bin] += from->bins[bin];
}

void histogram_reset(struct histogram *h)
{
	if (h->count)
		memset(&h->bins[h->lo], 0, (h->hi - h->lo + 1) * sizeof(h->bins[0]));
	h->count = 0;
	h->lo = 0;
	h->hi = 0;
}

/* ceil(quantile * count), where a quantile that is a decimal fraction means that
 * fraction: 0.999 * 1000 is 999, although 0.999 is a bit more as a double.  The
 * double is off by 2^-53 of itself, and by as much again where it was divided. */
static uint64_t histogram_rank(uint64_t count, double quantile)
{
	long double exact = (long double)quantile * (long double)count;
	long double rank = ceill(exact - exact * 0x1p-51L);
	if (rank < 1)
		return 1;
	return rank >= (long double)count ? count : (uint64_t)rank;
}

uint64_t histogram_quantile(const struct histogram *h, double quantile)
{
	assert(quantile > 0 && quantile <= 1);
	if (!h->count)
		return 0;
	uint64_t rank = histogram_rank(h->count, quantile);
	uint64_t seen = 0;
	uint32_t bin = h->lo;
	for (; bin < h->hi; bin++) {
		seen += h->bins[bin];
		if (seen >= rank)
			break;
	}
	return histogram_bin_mid(bin);
}
