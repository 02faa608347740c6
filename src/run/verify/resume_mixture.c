/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What is wrong and larger than what the device writes whole may be a mixture of writes: those
 * that may be there are looked for in the state file, which reads all of it. */
#include "run/verify/resume.h"

#include <stdlib.h>

#include "base/err.h"
#include "verify/state.h"

#define RESUME_CANDIDATES 256 /* writes of one unit that may be there */

/* All by writers whose units look as SPEC says, or nothing can be said. */
static bool resume_alike(const struct state_head *h, const struct unit_stamp *writes,
	uint32_t n, const struct unit_spec *spec)
{
	for (uint32_t i = 0; i < n; i++)
		if (writes[i].worker >= h->workers_count ||
			&h->specs[h->spec_of[writes[i].worker]] != spec)
			return false;
	return true;
}

bool resume_is_mixture(struct state *st, uint32_t target, uint64_t unit,
	const struct unit_spec *spec, const struct unit_expect *e, const unsigned char *data)
{
	struct unit_stamp *writes = malloc(RESUME_CANDIDATES * sizeof(*writes));
	unsigned char *scratch = malloc(2 * (size_t)spec->bytes);
	uint32_t n;
	struct err err;
	bool may = true; /* what can't be found out is not called wrong */

	if (writes && scratch &&
		state_candidates(st, target, unit, writes, RESUME_CANDIDATES, &n, &err) == 0 &&
		n <= RESUME_CANDIDATES && resume_alike(&st->head, writes, n, spec))
		may = unit_is_mixture(spec, e, writes, n, st->head.atomic, data, spec->bytes,
			scratch);
	free(writes);
	free(scratch);
	return may;
}
