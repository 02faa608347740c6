/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "result/result.h"

bool result_replay_lateness(const struct result_row *row, struct latency *ret)
{
	for (int dir = 0; dir < DIRS; dir++) {
		const struct latency *l = row->dir[dir].lateness;
		if (l && l->moments.count && !l->told)
			latency_merge(ret, l);
	}
	return ret->moments.count > 0;
}
