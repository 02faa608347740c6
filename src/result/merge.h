/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Adding up parts of a result, for merge.c (rows) and finish.c (what is made of them).  Private
 * to result/.
 *
 * Counts, sums, extremes and histograms are exact, in whatever order parts are added.  Of what
 * was only told (struct latency_told and the like) as much is known afterwards as is known of
 * all parts. */
#pragma once

#include <stdint.h>

#include "result/result.h"

/* Add FROM to TO, which may be zeroed; histograms that TO hasn't got are made in A.  0 or
 * -ENOMEM. */
int merge_dir(struct arena *a, struct result_dir *to, const struct result_dir *from);

/* Add the targets FROM[0 .. COUNT-1] to the list TO: those of one path become one.  0 or
 * -ENOMEM. */
int merge_targets(struct arena *a, struct result_target **to, uint32_t *to_count,
	const struct result_target *from, uint32_t count);
