/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "cmd/knee_search.h"

#include "base/bits.h"

/* Of the capacity.  The last ones matter only to a goal that even overload meets. */
static const double shares[] = {0.25, 0.5, 0.75, 0.9, 1.0, 1.1, 1.25, 1.5, 2.0};

#define SHARE_LEAST (1.0 / 64) /* a goal that fails below this is met nowhere */

double knee_search_next(struct knee_search *s)
{
	while (s->step < COUNT_OF(shares)) {
		double rate = s->capacity * shares[s->step++];
		if (s->fail > 0 && rate >= s->fail)
			s->step = COUNT_OF(shares);
		else
			return rate;
	}
	if (s->fail <= 0 || s->fail < s->capacity * SHARE_LEAST)
		return 0;
	if (s->pass > 0 && s->fail <= s->pass * s->ratio)
		return 0;
	return (s->pass + s->fail) / 2;
}

void knee_search_tell(struct knee_search *s, double rate, bool met, bool sure)
{
	if (met) {
		s->pass = MAX_OF(s->pass, rate);
		s->sure_pass = sure ? MAX_OF(s->sure_pass, rate) : s->sure_pass;
		return;
	}
	s->fail = s->fail > 0 ? MIN_OF(s->fail, rate) : rate;
	if (sure)
		s->sure_fail = s->sure_fail > 0 ? MIN_OF(s->sure_fail, rate) : rate;
}
