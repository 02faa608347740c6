/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Jobs in proportion to one another. */
#include "base/bits.h"
#include "plan/draft.h"

struct flow {
	uint32_t weight;
	int32_t id;
	uint64_t sleep_ns;
};

static const struct opt flow_rows[] = {
	{.name = "flow",
		OPT_U32(struct flow, weight),
		.max = 1000,
		.preset = "0",
		.help = "Weight: jobs of one flow_id do requests in proportion to theirs; 0: free"},
	{.name = "flow_id", OPT_I32(struct flow, id), .preset = "0", .help = "Which flow"},
	{.name = "flow_sleep",
		OPT_TIME_US(struct flow, sleep_ns),
		.preset = "0",
		.help = "Wait so long when the others are behind; 0: look again at once"},
};

const struct opt_group flow_group = {
	.name = "flow",
	.rows = flow_rows,
	.count = COUNT_OF(flow_rows),
	.size = sizeof(struct flow),
};

static int flow_derive(struct draft *d, struct plan_worker *w, const void *block,
	struct err *reterr)
{
	const struct flow *f = block;

	(void)d;
	(void)reterr;
	if (f->weight)
		w->flow = (struct plan_flow){
			.weight = f->weight, .id = f->id, .sleep_ns = f->sleep_ns};
	return 0;
}

const struct part flow_part = {.group = &flow_group, .derive = flow_derive};
