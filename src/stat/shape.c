/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "stat/shape.h"

#include "base/bits.h"
#include "stat/histogram.h"

/* Time that the slowest SHARE of all samples took; of the bin that it ends in, a part. */
static double time_of_slowest(const struct histogram *h, double share)
{
	double left = share * (double)h->count, time = 0;

	for (uint32_t bin = h->hi; left > 0; bin--) {
		double take = MIN_OF((double)h->bins[bin], left);
		time += take * (double)histogram_bin_mid(bin);
		left -= take;
		if (bin == h->lo)
			break;
	}
	return time;
}

struct shape shape_of(const struct histogram *h)
{
	struct shape s = {.count = h->count};
	double time = 0, near = 0, slower = 0, slower_time = 0;

	if (!h->count)
		return s;
	for (uint32_t bin = h->lo; bin <= h->hi; bin++)
		time += (double)h->bins[bin] * (double)histogram_bin_mid(bin);
	s.mean = time / (double)h->count;
	for (uint32_t bin = h->lo; bin <= h->hi; bin++) {
		double v = (double)histogram_bin_mid(bin), n = (double)h->bins[bin];
		if (v * SHAPE_NEAR < s.mean)
			continue;
		if (v <= s.mean * SHAPE_NEAR) {
			near += n;
			continue;
		}
		slower += n;
		slower_time += n * v;
	}
	s.near = near / (double)h->count;
	s.slower = slower / (double)h->count;
	if (time > 0) {
		s.slower_time = slower_time / time;
		s.slowest_time = time_of_slowest(h, 0.01) / time;
	}
	return s;
}
