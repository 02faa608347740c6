/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "result/checks.h"

#include <math.h>

const char *check_verdict_name(enum check_verdict v)
{
	static const char *const names[] = {
		[CHECK_PASS] = "pass",
		[CHECK_FAIL] = "fail",
		[CHECK_UNDECIDED] = "undecided",
	};
	return names[v];
}

bool check_by_chance(const struct result_check *c)
{
	bool speed = c->quantity == QUANTITY_RATE || c->quantity == QUANTITY_BANDWIDTH ||
		     c->quantity == QUANTITY_TIME;

	return c->runs == 1 && c->known && speed && c->verdict != CHECK_UNDECIDED &&
	       c->limit > 0 && fabs(c->value / c->limit - 1) < CHECK_CHANCE;
}

enum check_verdict check_verdict_of(const struct result_check *checks, uint32_t count)
{
	enum check_verdict worst = count ? CHECK_PASS : CHECK_UNDECIDED;

	for (uint32_t i = 0; i < count; i++) {
		if (checks[i].verdict == CHECK_FAIL)
			return CHECK_FAIL;
		if (checks[i].verdict == CHECK_UNDECIDED)
			worst = CHECK_UNDECIDED;
	}
	return worst;
}
