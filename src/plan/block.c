/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* How big requests are, and what their offsets are multiples of. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/bits.h"
#include "base/err.h"
#include "plan/draft.h"

struct block {
	struct opt_u64x3 bs;
	struct opt_range3 range;
	struct opt_split3 split;
	bool unaligned;
	bool seq_rand;
	struct opt_u64x3 align;
};

static const struct opt block_rows[] = {
	{.name = "bs",
		.alias = {"blocksize"},
		OPT_BYTES3(struct block, bs),
		.min = 1,
		.max = LIMIT_BLOCK,
		.preset = "4k",
		.help = "Bytes of one request, for reads, writes and trims"},
	{.name = "bsrange",
		.alias = {"blocksize_range"},
		OPT_RANGE3(struct block, range),
		.min = 1,
		.max = LIMIT_BLOCK,
		.help = "Random sizes from LOW to HIGH, in multiples of LOW; goes before bs"},
	{.name = "bssplit",
		OPT_SPLIT3(struct block, split),
		.min = 1,
		.max = LIMIT_BLOCK,
		.help = "Sizes with their share of the requests: 4k/70:64k/30; goes before bs and "
			"bsrange"},
	{.name = "bs_unaligned",
		.alias = {"blocksize_unaligned"},
		OPT_FLAG(struct block, unaligned),
		.help = "Sizes of bsrange may be any number of bytes"},
	{.name = "bs_is_seq_rand",
		OPT_BOOL(struct block, seq_rand),
		.help = "The size for reads is that of sequential requests, the one for writes that "
			"of random ones"},
	{.name = "ba",
		.alias = {"blockalign"},
		OPT_BYTES3(struct block, align),
		.min = 1,
		.max = LIMIT_BLOCK,
		.help = "Random offsets are multiples of this; not given: of the smallest size"},
};

const struct opt_group block_group = {
	.name = "block",
	.rows = block_rows,
	.count = COUNT_OF(block_rows),
	.size = sizeof(struct block),
};

/* ---- splits ---- */

/* Sum of the shares that were given, and how many were left blank. */
static uint64_t split_sum(const struct opt_split *v, uint32_t count, uint32_t *ret_blank)
{
	uint64_t sum = 0;

	*ret_blank = 0;
	for (uint32_t i = 0; i < count; i++) {
		if (v[i].percent < 0)
			++*ret_blank;
		else
			sum += (uint32_t)v[i].percent;
	}
	return sum;
}

/* Shares that total 100: blanks divide the rest, else the heaviest has it.  Of more
 * than 100, which weir's face refuses, the first hundred count, as in fio. */
static uint32_t split_weights(const struct opt_split *v, uint32_t count, struct size_split *out)
{
	uint32_t blank;
	uint64_t sum = split_sum(v, count, &blank);
	uint32_t rest = sum < 100 ? 100 - (uint32_t)sum : 0;
	uint32_t left = 100, n = 0, heaviest = 0;

	for (uint32_t i = 0; i < count; i++) {
		uint32_t weight = (uint32_t)v[i].percent;
		if (v[i].percent < 0) {
			weight = rest / blank;
			rest -= weight;
			blank--;
		}
		weight = MIN_OF(weight, left);
		if (!weight)
			continue;
		left -= weight;
		out[n] = (struct size_split){.bytes = (uint32_t)v[i].bytes, .weight = weight};
		if (out[n].weight > out[heaviest].weight)
			heaviest = n;
		n++;
	}
	if (n)
		out[heaviest].weight += left;
	return n;
}

static int block_split(struct draft *d, const struct opt_split3 *split, int dir,
	struct size_spec *size, struct err *reterr)
{
	struct size_split *out = draft_alloc(d, split->count[dir], sizeof(*out), reterr);
	if (!out)
		return -ENOMEM;
	uint32_t n = split_weights(split->v[dir], split->count[dir], out);
	if (!n) /* all shares are 0: the first size is meant */
		out[n++] = (struct size_split){(uint32_t)split->v[dir][0].bytes, 100};
	size->splits = out;
	size->splits_count = n;
	size->min = size->max = out[0].bytes;
	for (uint32_t i = 1; i < n; i++) {
		size->min = MIN_OF(size->min, out[i].bytes);
		size->max = MAX_OF(size->max, out[i].bytes);
	}
	if (n == 1)
		*size = (struct size_spec){.min = size->min, .max = size->max};
	return 0;
}

/* ---- derivation ---- */

static int block_derive(struct draft *d, struct plan_worker *w, const void *block,
	struct err *reterr)
{
	const struct block *b = block;

	if (!draft_is_first(d, w)) {
		const struct pattern_spec *p = &draft_first(d, w)->pattern;
		memcpy(w->pattern.size, p->size, sizeof(p->size));
		memcpy(w->pattern.align, p->align, sizeof(p->align));
		w->pattern.sequel = p->sequel;
		w->sizes_by_order = draft_first(d, w)->sizes_by_order;
		return 0;
	}
	for (int i = 0; i < DIRS; i++) {
		struct size_spec *size = &w->pattern.size[i];
		size->min = size->max = (uint32_t)b->bs.v[i];
		if (b->align.given[i])
			w->pattern.align[i] = (uint32_t)b->align.v[i];
		if (b->split.count[i]) {
			int rc = block_split(d, &b->split, i, size, reterr);
			if (rc < 0)
				return rc;
		} else if (b->range.given[i]) {
			size->min = (uint32_t)b->range.v[i].lo;
			size->max = (uint32_t)b->range.v[i].hi;
			size->unaligned = b->unaligned && size->min < size->max;
		}
	}
	return 0;
}

const struct part block_part = {.group = &block_group, .derive = block_derive};

int block_by_order(struct draft *d, struct plan_worker *w, struct err *reterr)
{
	const struct block *b = job_block(w->job, &block_group);
	struct pattern_spec *p = &w->pattern;

	if (!b->seq_rand || !draft_is_first(d, w))
		return 0;
	struct size_spec *by_order = draft_alloc(d, 2, sizeof(*by_order), reterr);
	if (!by_order)
		return -ENOMEM;
	by_order[0] = p->size[DIR_READ];
	by_order[1] = p->size[DIR_WRITE];
	w->sizes_by_order = by_order;
	for (int i = 0; i < DIRS; i++)
		p->size[i] = by_order[p->random];
	bool goes_on = p->jump_every > 1;
	for (int i = 0; i < DIRS; i++)
		goes_on |= p->use[i] && p->sequential_percent[i];
	if (p->random && goes_on)
		p->sequel = &by_order[0];
	return 0;
}

uint32_t block_min(const struct pattern_spec *p)
{
	uint32_t min = p->sequel ? p->sequel->min : UINT32_MAX;
	for (int i = 0; i < DIRS; i++)
		if (p->use[i])
			min = MIN_OF(min, p->size[i].min);
	return min;
}

uint32_t block_max(const struct pattern_spec *p)
{
	uint32_t max = p->sequel ? p->sequel->max : 0;
	for (int i = 0; i < DIRS; i++)
		if (p->use[i])
			max = MAX_OF(max, p->size[i].max);
	return max;
}
