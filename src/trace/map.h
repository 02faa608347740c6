/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What a replay changes of each record: which are left out, where they go (replay_skip,
 * replay_redirect, replay_scale, replay_align).  The plan's look at a trace and the replay
 * itself apply the same map, so that what was planned is what is done. */
#pragma once

#include "base/bits.h"
#include "trace/reader.h"

/* const; a zeroed one changes nothing. */
struct trace_map {
	bool skip[TRACE_IO_ACTIONS];
	bool redirect;  /* all names are one                                   */
	uint32_t scale; /* offsets are divided by this; 0 and 1: not           */
	uint32_t align; /* and rounded down to a multiple of this; 0: not      */
};

/* False: R is left out. */
static inline bool trace_map_apply(const struct trace_map *m, struct trace_record *r)
{
	if (r->action < TRACE_IO_ACTIONS && m->skip[r->action])
		return false;
	if (m->scale > 1)
		r->offset /= m->scale;
	if (m->align)
		r->offset = round_down(r->offset, m->align);
	if (m->redirect)
		r->name = 0;
	return true;
}
