/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What is written. */
#include "base/bits.h"
#include "plan/draft.h"

struct data_opts {
	bool zero;
	bool refill;
	bool scramble;
};

static const struct opt data_rows[] = {
	{.name = "zero_buffers",
		OPT_FLAG(struct data_opts, zero),
		.help = "Write zeroes; goes before the two others"},
	{.name = "refill_buffers",
		OPT_FLAG(struct data_opts, refill),
		.help = "Write new random bytes each time"},
	{.name = "scramble_buffers",
		OPT_BOOL(struct data_opts, scramble),
		.preset = "1",
		.help = "Change each block a little before it is written, so that no two are equal"},
};

const struct opt_group data_group = {
	.name = "data",
	.rows = data_rows,
	.count = COUNT_OF(data_rows),
	.size = sizeof(struct data_opts),
};

static int data_derive(struct draft *d, struct plan_worker *w, const void *block,
	struct err *reterr)
{
	const struct data_opts *o = block;

	(void)reterr;
	w->data.kind = o->zero       ? DATA_ZERO
		       : o->refill   ? DATA_REFILL
		       : o->scramble ? DATA_SCRAMBLE
				     : DATA_CONSTANT;
	w->data.seed = draft_seed(d, w, SEED_DATA);
	return 0;
}

const struct part data_part = {.group = &data_group, .derive = data_derive};
