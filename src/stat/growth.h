/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What a histogram has got since somebody last looked at it.
 *
 * The histogram may be one that another process is filling: bins only grow, so what a
 * look misses the next one has.  The sum of all growths is the histogram, whatever
 * the moments at which it was looked at. */
#pragma once

#include <stdint.h>

#include "stat/histogram.h"

/* So many came to BIN. */
struct growth_bin {
	uint64_t count;
	uint32_t bin;
};

/* The bins that grew, ascending. */
struct growth {
	const struct growth_bin *bins;
	uint32_t count;
};

/* How many bins of NOW can have grown at most. */
uint32_t growth_room(const struct histogram *now);

/* What NOW has more than SEEN, into OUT, which has room for growth_room(); returns how
 * many bins.  SEEN, which holds what was in NOW at an earlier look, becomes NOW. */
uint32_t growth_take(struct histogram *seen, const struct histogram *now,
	struct growth_bin *out);
