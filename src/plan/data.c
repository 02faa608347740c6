/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What is written. */
#include <errno.h>

#include "base/bits.h"
#include "base/rng.h"
#include "base/str.h"
#include "plan/draft.h"

enum data_dedupe {
	DEDUPE_REPEAT,
	DEDUPE_SET,
};

struct data_opts {
	bool zero;
	bool refill;
	bool scramble;
	uint32_t compress;
	uint64_t compress_chunk;
	struct filler pattern;
	const char *corpus;
	uint32_t dedupe;
	int dedupe_mode;
	uint32_t dedupe_set; /* percent of the size */
	bool dedupe_global;
};

static const struct opt_word data_dedupes[] = {
	{"repeat", DEDUPE_REPEAT, "the new write before it once more"},
	{"working_set", DEDUPE_SET, "one of the first new writes, at random"},
	{0},
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
		.help = "Write new random bytes each time; 0 (and no refill_buffers): the same "
			"again and again"},
	{.name = "buffer_compress_percentage",
		OPT_U32(struct data_opts, compress),
		.max = 100,
		.help = "So much of each chunk can be compressed: zeroes, or buffer_pattern"},
	{.name = "buffer_compress_chunk",
		OPT_BYTES(struct data_opts, compress_chunk),
		.max = LIMIT_BLOCK,
		.preset = "512",
		.help = "Size of a chunk for buffer_compress_percentage; 0: the whole block"},
	{.name = "buffer_pattern",
		OPT_FILLER(struct data_opts, pattern),
		.help = "Write these bytes, repeated through each block"},
	{.name = "buffer_corpus",
		OPT_TEXT(struct data_opts, corpus),
		.help = "Write cuttings of this file, from random places in it",
		.flags = OPT_NATIVE},
	{.name = "dedupe_percentage",
		OPT_U32(struct data_opts, dedupe),
		.max = 100,
		.help = "So many of 100 writes repeat an earlier one"},
	{.name = "dedupe_mode",
		OPT_WORD(struct data_opts, dedupe_mode),
		.words = data_dedupes,
		.preset = "repeat",
		.help = "What is repeated"},
	{.name = "dedupe_working_set_percentage",
		OPT_U32(struct data_opts, dedupe_set),
		.max = 100,
		.preset = "5",
		.help = "The working set, as a share of the size"},
	{.name = "dedupe_global",
		OPT_BOOL(struct data_opts, dedupe_global),
		.preset = "0",
		.help = "One working set for all jobs that say so"},
};

const struct opt_group data_group = {
	.name = "data",
	.rows = data_rows,
	.count = COUNT_OF(data_rows),
	.size = sizeof(struct data_opts),
};

/* ---- rules ---- */

static bool data_set_too_large(const struct draft *d, const struct plan_worker *w,
	const void *block, struct str *why)
{
	const struct data_opts *o = block;

	(void)d;
	(void)w;
	if (!o->dedupe || o->dedupe_mode != DEDUPE_SET || o->dedupe + o->dedupe_set <= 100)
		return false;
	str_addf(why,
		"%u %% of the writes can't be repeated while the working set is %u %% of the size "
		"and each of its blocks new once; use at most dedupe_percentage=%u",
		o->dedupe, o->dedupe_set, 100 - o->dedupe_set);
	return true;
}

static bool data_pattern_lost(const struct draft *d, const struct plan_worker *w,
	const void *block, struct str *why)
{
	const struct data_opts *o = block;

	(void)d;
	(void)w;
	if (!o->pattern.count || !o->dedupe || o->compress || o->corpus)
		return false;
	str_add(why, "it has no effect: with dedupe_percentage blocks are random, but for what "
		     "buffer_compress_percentage leaves to the pattern");
	return true;
}

static bool data_zero_lost(const struct draft *d, const struct plan_worker *w,
	const void *block, struct str *why)
{
	const struct data_opts *o = block;
	const char *by = o->corpus           ? "buffer_corpus"
			 : o->pattern.count  ? "buffer_pattern"
			 : o->dedupe         ? "dedupe_percentage"
			 : o->compress % 100 ? "buffer_compress_percentage"
					     : NULL;
	(void)d;
	(void)w;
	if (!o->zero || !by)
		return false;
	str_addf(why, "it has no effect: %s says what is written", by);
	return true;
}

static bool data_global_lost(const struct draft *d, const struct plan_worker *w,
	const void *block, struct str *why)
{
	const struct data_opts *o = block;

	(void)d;
	(void)w;
	if (!o->dedupe_global || !o->dedupe || o->dedupe_mode == DEDUPE_SET)
		return false;
	str_add(why,
		"it has no effect: only a working set can be shared (dedupe_mode=working_set)");
	return true;
}

static bool data_corpus_bad(const struct draft *d, const struct plan_worker *w,
	const void *block, struct str *why)
{
	const struct data_opts *o = block;

	(void)d;
	(void)w;
	return o->corpus && corpus_unusable(o->corpus, why);
}

static bool data_compress_lost(const struct draft *d, const struct plan_worker *w,
	const void *block, struct str *why)
{
	const struct data_opts *o = block;

	(void)d;
	(void)w;
	if (!o->corpus || !o->compress)
		return false;
	str_add(why, "it has no effect: buffer_corpus says what is written");
	return true;
}

static bool data_pattern_covered(const struct draft *d, const struct plan_worker *w,
	const void *block, struct str *why)
{
	const struct data_opts *o = block;

	(void)d;
	(void)w;
	if (!o->corpus || !o->pattern.count)
		return false;
	str_add(why, "it has no effect: buffer_corpus says what is written");
	return true;
}

static const struct rule data_rules[] = {
	{"buffer_corpus", RULE_ERROR, data_corpus_bad},
	{"buffer_compress_percentage", RULE_WARNING, data_compress_lost},
	{"buffer_pattern", RULE_WARNING, data_pattern_covered},
	{"dedupe_percentage", RULE_ERROR, data_set_too_large},
	{"buffer_pattern", RULE_WARNING, data_pattern_lost},
	{"zero_buffers", RULE_WARNING, data_zero_lost},
	{"dedupe_global", RULE_WARNING, data_global_lost},
};

/* ---- derivation ---- */

/* Dedupe and compression want blocks that differ: they go before a pattern and
 * zeroes.  Who says refill_buffers=0 himself gets the same block, compressible,
 * again and again. */
static enum data_kind data_kind_of(const struct plan_worker *w, const struct data_opts *o)
{
	bool refused = job_gave(w->job, "refill_buffers") && !o->refill;

	if (o->corpus)
		return DATA_CORPUS;
	if (o->dedupe)
		return DATA_FRESH;
	if (o->compress % 100)
		return refused ? DATA_CONSTANT : DATA_FRESH;
	if (o->pattern.count)
		return DATA_PATTERN;
	if (o->zero || o->compress == 100)
		return DATA_ZERO;
	return o->refill || o->scramble ? DATA_FRESH : DATA_CONSTANT;
}

static const struct data_opts *data_opts_of(const struct plan_worker *w)
{
	return job_block(w->job, &data_group);
}

static bool data_shares(const struct plan_worker *w)
{
	const struct data_opts *o = data_opts_of(w);
	return o->dedupe && o->dedupe_mode == DEDUPE_SET && o->dedupe_global;
}

/* The table of a shared working set is made by the first who has a share; W's
 * entry is behind that of the sharer before it. */
static int data_share(struct draft *d, struct plan_worker *w, struct err *reterr)
{
	struct plan_worker *all = d->plan->workers, *before = w;
	struct dedupe_spec *own = &w->data.dedupe;
	uint32_t sharers = 0;

	while (before > all && !(before != w && data_shares(before)))
		before--;
	if (before != w && data_shares(before)) {
		w->data.seed = before->data.seed;
		own->sets = before->data.dedupe.sets;
		own->sets_count = before->data.dedupe.sets_count;
		own->mine = before->data.dedupe.mine + 1;
		return 0;
	}
	for (uint32_t i = w->index; i < d->plan->workers_count; i++)
		sharers += data_shares(&all[i]);
	own->sets_count = sharers;
	own->sets = draft_alloc(d, sharers, sizeof(*own->sets), reterr);
	return own->sets ? 0 : -ENOMEM;
}

static int data_working_set(struct draft *d, struct plan_worker *w, const struct data_opts *o,
	struct err *reterr)
{
	struct dedupe_spec *own = &w->data.dedupe;
	uint64_t bytes = 0;

	if (o->dedupe_global) {
		int rc = data_share(d, w, reterr);
		if (rc < 0)
			return rc;
	} else {
		own->sets_count = 1;
		own->sets = draft_alloc(d, 1, sizeof(*own->sets), reterr);
		if (!own->sets)
			return -ENOMEM;
	}
	if (!w->pattern.use[DIR_WRITE])
		return 0;
	for (uint32_t i = 0; i < w->pattern.regions_count; i++)
		bytes += w->pattern.regions[i].bytes;
	uint64_t blocks = bytes / MAX_OF(w->pattern.size[DIR_WRITE].max, 1u);
	uint64_t set = blocks / 100 * o->dedupe_set + blocks % 100 * o->dedupe_set / 100;
	own->sets[own->mine] = MAX_OF(set, UINT64_C(1));
	return 0;
}

static int data_derive(struct draft *d, struct plan_worker *w, const void *block,
	struct err *reterr)
{
	const struct data_opts *o = block;
	const uint64_t seed = draft_seed(d, w, SEED_DATA);

	w->data = (struct data_spec){
		.kind = data_kind_of(w, o),
		.seed = seed,
		.compress_percent = o->compress,
		.compress_chunk = (uint32_t)o->compress_chunk,
		.filler = o->pattern,
		.dedupe = {.percent = o->dedupe, .seed = rng_mix(seed)},
	};
	if (o->corpus) {
		const struct plan_corpus *corpus;
		int rc = corpus_open(d, o->corpus, &corpus, reterr);
		if (rc < 0)
			return rc;
		w->data.filler = (struct filler){0};
		w->data.corpus = corpus->bytes;
		w->data.corpus_bytes = corpus->count;
	}
	if (w->data.kind == DATA_PATTERN || w->data.kind == DATA_ZERO || o->corpus)
		w->data.compress_percent = 0;
	else if (!o->compress)
		w->data.filler = (struct filler){0};
	w->queue.write_apart = data_is_still(&w->data) && w->pattern.use[DIR_READ] &&
			       w->pattern.use[DIR_WRITE];
	if (o->dedupe && o->dedupe_mode == DEDUPE_SET)
		return data_working_set(d, w, o, reterr);
	return 0;
}

const struct part data_part = {
	.group = &data_group,
	.rules = data_rules,
	.rules_count = COUNT_OF(data_rules),
	.derive = data_derive,
};
