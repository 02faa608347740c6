/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "stat/growth.h"

uint32_t growth_room(const struct histogram *now)
{
	return now->count ? now->hi - now->lo + 1 : 0;
}

uint32_t growth_take(struct histogram *seen, const struct histogram *now,
	struct growth_bin *out)
{
	uint32_t n = 0;

	if (!now->count)
		return 0;
	for (uint32_t bin = now->lo; bin <= now->hi; bin++) {
		uint64_t had = seen->bins[bin];
		if (now->bins[bin] <= had)
			continue;
		out[n++] = (struct growth_bin){now->bins[bin] - had, bin};
		histogram_record_bin(seen, bin, now->bins[bin] - had);
	}
	return n;
}
