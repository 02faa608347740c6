/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "result/checks.h"

const char *check_verdict_name(enum check_verdict v)
{
	static const char *const names[] = {
		[CHECK_PASS] = "pass",
		[CHECK_FAIL] = "fail",
		[CHECK_UNDECIDED] = "undecided",
	};
	return names[v];
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
