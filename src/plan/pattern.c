/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What comes after what: directions, their mix, random or not, seeds. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/bits.h"
#include "base/err.h"
#include "base/rng.h"
#include "base/str.h"
#include "plan/draft.h"
#include "plan/spread.h"

/* rw's words as what they are made of. */
enum pattern_rw {
	RW_READ = 1 << DIR_READ,
	RW_WRITE = 1 << DIR_WRITE,
	RW_TRIM = 1 << DIR_TRIM,
	RW_RANDOM = 8,
};

enum pattern_sequencer {
	SEQUENCER_ON,
	SEQUENCER_SAME,
};

enum pattern_generator {
	GENERATOR_DEFAULT,
	GENERATOR_LFSR,
};

struct pattern_opts {
	struct opt_word_arg rw;
	int sequencer;
	uint32_t read_percent;
	bool repeat;
	uint64_t seed;
	struct spread3 distribution;
	bool sequence_stride;
	struct opt_u64x3 percent_random;
	bool no_coverage;
	bool soft_map;
	int generator;
	uint32_t trim_ranges;
};

static const struct opt_word pattern_rws[] = {
	{"read", RW_READ, "sequential reads"},
	{"write", RW_WRITE, "sequential writes"},
	{"trim", RW_TRIM, "sequential trims"},
	{"randread", RW_READ | RW_RANDOM, "random reads"},
	{"randwrite", RW_WRITE | RW_RANDOM, "random writes"},
	{"randtrim", RW_TRIM | RW_RANDOM, "random trims"},
	{"rw", RW_READ | RW_WRITE, "sequential reads and writes, each with its own position"},
	{"readwrite", RW_READ | RW_WRITE, "the same as rw"},
	{"randrw", RW_READ | RW_WRITE | RW_RANDOM, "random reads and writes"},
	{"trimwrite", RW_TRIM | RW_WRITE, "each block is trimmed, then written; sequential"},
	{"randtrimwrite", RW_TRIM | RW_WRITE | RW_RANDOM, "the same at random offsets"},
	{0},
};

static const struct opt_word pattern_sequencers[] = {
	{"sequential", SEQUENCER_ON, "they go on from the random offset"},
	{"identical", SEQUENCER_SAME, "they repeat it"},
	{0},
};

static const struct opt_word pattern_generators[] = {
	{"tausworthe", GENERATOR_DEFAULT,
		"weir's own generator, which has no limit of 2^32 blocks"},
	{"tausworthe64", GENERATOR_DEFAULT, "the same"},
	{"lfsr", GENERATOR_LFSR, "a shift register that visits each block once"},
	{0},
};

/* rwmixwrite: the complement, so that the last of the two wins. */
static int mix_write_parse(const struct opt *o, const char *text, void *dst,
	const struct opt_ctx *ctx, struct err *reterr)
{
	uint64_t percent;

	(void)ctx;
	int rc = opt_read_u64(text, &percent, reterr);
	if (rc < 0)
		return rc;
	if (percent > o->max)
		return err_set(reterr, -ERANGE, "%" PRIu64 " is too much, at most %" PRIu64,
			percent, o->max);
	*(uint32_t *)dst = (uint32_t)(100 - percent);
	return 0;
}

static void mix_write_print(const struct opt *o, const void *src, struct str *out)
{
	(void)o;
	str_addf(out, "%u", 100 - *(const uint32_t *)src);
}

static const struct opt_type pattern_mix_write = {
	.name = "number",
	.size = sizeof(uint32_t),
	.parse = mix_write_parse,
	.print = mix_write_print,
};

static const struct opt pattern_rows[] = {
	{.name = "rw",
		.alias = {"readwrite"},
		OPT_WORD_ARG(struct pattern_opts, rw),
		.words = pattern_rws,
		.preset = "read",
		.help = "What is done: read, write, randread, randrw, ...; randread:8, read:4k"},
	{.name = "rw_sequencer",
		OPT_WORD(struct pattern_opts, sequencer),
		.words = pattern_sequencers,
		.preset = "sequential",
		.help = "What the requests between two random offsets of rw=rand...:N do"},
	{.name = "rwmixread",
		OPT_U32(struct pattern_opts, read_percent),
		.max = 100,
		.preset = "50",
		.help = "Percent of the requests of a mix that are reads"},
	{.name = "rwmixwrite",
		OPT_AS(struct pattern_opts, read_percent, uint32_t, pattern_mix_write),
		.max = 100,
		.help = "Percent that are writes; the last of the two wins"},
	{.name = "randrepeat",
		.alias = {"allrandrepeat"},
		OPT_BOOL(struct pattern_opts, repeat),
		.preset = "1",
		.help = "The same random numbers in each run and each pass"},
	{.name = "randseed",
		OPT_U64(struct pattern_opts, seed),
		.preset = "0x89",
		.help = "Seed of all random numbers of the job; when given, passes differ"},
	{.name = "random_distribution",
		OPT_SPREAD(struct pattern_opts, distribution),
		.preset = "random",
		.help = "How random offsets are spread: random, zipf[:T[:C]], pareto[:H[:C]], "
			"normal[:D[:C]], zoned:..., zoned_abs:..., sequence:..."},
	{.name = "random_sequence_stride",
		OPT_BOOL(struct pattern_opts, sequence_stride),
		.help = "With the distribution sequence: each time round begins where the last one "
			"would have ended"},
	{.name = "percentage_random",
		OPT_U64X3(struct pattern_opts, percent_random),
		.max = 100,
		.preset = "100",
		.help = "Percent of the offsets that are random, in a random job; the others go on "
			"behind the last one"},
	{.name = "norandommap",
		OPT_FLAG(struct pattern_opts, no_coverage),
		.help = "Draw each random offset anew: blocks may be repeated and missed"},
	{.name = "softrandommap",
		OPT_BOOL(struct pattern_opts, soft_map),
		.help = "Go on without a map when there is no memory for it",
		.harmless = {"0"},
		.no_effect = "weir visits each block once without a map: this changes nothing"},
	{.name = "random_generator",
		OPT_WORD(struct pattern_opts, generator),
		.words = pattern_generators,
		.preset = "tausworthe",
		.help = "What makes random offsets"},
	{.name = "num_range",
		OPT_U32(struct pattern_opts, trim_ranges),
		.min = 1,
		.max = 256,
		.preset = "1",
		.help = "Ranges of one trim command, for engines that have such commands"},
};

const struct opt_group pattern_group = {
	.name = "pattern",
	.rows = pattern_rows,
	.count = COUNT_OF(pattern_rows),
	.size = sizeof(struct pattern_opts),
};

/* ---- rules ---- */

static const char *pattern_rw_word(int rw)
{
	for (size_t i = 0; pattern_rws[i].word; i++)
		if (pattern_rws[i].value == rw)
			return pattern_rws[i].word;
	return "?";
}

static bool pattern_read_only(const struct draft *d, const struct plan_worker *w,
	const void *block, struct str *why)
{
	const struct pattern_opts *o = block;

	(void)w;
	if (!d->facts->read_only || !(o->rw.word & (RW_WRITE | RW_TRIM)))
		return false;
	str_addf(why,
		"%s changes data, and --readonly forbids that; leave --readonly out or read "
		"only",
		pattern_rw_word(o->rw.word));
	return true;
}

/* No direction skews its offsets or goes on in sequence. */
static bool pattern_all_free(const struct pattern_spec *p)
{
	for (int i = 0; i < DIRS; i++)
		if (p->use[i] && (p->spread[i].kind != SPREAD_UNIFORM ||
					 p->sequential_percent[i] || p->jump_every > 1))
			return false;
	return true;
}

static bool pattern_stride_alone(const struct draft *d, const struct plan_worker *w,
	const void *block, struct str *why)
{
	const struct pattern_opts *o = block;

	(void)d;
	(void)w;
	if (!o->sequence_stride || o->distribution.v[DIR_READ].kind == SPREAD_SEQUENCE)
		return false;
	str_add(why, "only random_distribution=sequence has a sequence: this changes nothing");
	return true;
}

static bool pattern_percent_alone(const struct draft *d, const struct plan_worker *w,
	const void *block, struct str *why)
{
	const struct pattern_opts *o = block;

	(void)d;
	if (!job_gave(w->job, "percentage_random") || (o->rw.word & RW_RANDOM) ||
		(o->percent_random.v[DIR_READ] == 100 && o->percent_random.v[DIR_WRITE] == 100))
		return false;
	str_addf(why,
		"%s is sequential: only random jobs have random offsets, so this changes "
		"nothing",
		pattern_rw_word(o->rw.word));
	return true;
}

static bool pattern_align_covers(const struct pattern_spec *p)
{
	for (int i = 0; i < DIRS; i++)
		if (p->use[i] && p->align[i] && p->align[i] != p->size[i].min)
			return false;
	return true;
}

static bool pattern_loses_coverage(const struct draft *d, const struct plan_worker *w,
	const void *block, struct str *why)
{
	const struct pattern_opts *o = block;
	bool used = false;

	(void)d;
	for (int i = 0; i < DIRS; i++)
		used |= (o->rw.word >> i & 1) && w->pattern.align[i] &&
			w->pattern.align[i] != w->pattern.size[i].min;
	if (!used || !(o->rw.word & RW_RANDOM) || o->no_coverage)
		return false;
	str_add(why,
		"offsets that are not multiples of the block size overlap, so blocks may be "
		"repeated and missed (as with norandommap)");
	return true;
}

static bool pattern_sizes_vary(const struct size_spec size[DIRS], int rw)
{
	uint32_t first = 0;

	for (int i = 0; i < DIRS; i++) {
		if (!(rw >> i & 1))
			continue;
		if (size[i].min != size[i].max || (first && size[i].min != first))
			return true;
		first = size[i].min;
	}
	return false;
}

static bool pattern_lfsr_sizes(const struct draft *d, const struct plan_worker *w,
	const void *block, struct str *why)
{
	const struct pattern_opts *o = block;

	(void)d;
	if (o->generator != GENERATOR_LFSR || !(o->rw.word & RW_RANDOM) ||
		!pattern_sizes_vary(w->pattern.size, o->rw.word))
		return false;
	str_add(why,
		"lfsr works with one block size only; weir's own generator covers every byte "
		"once with several");
	return true;
}

static bool pattern_trim_ranges(const struct draft *d, const struct plan_worker *w,
	const void *block, struct str *why)
{
	const struct pattern_opts *o = block;

	(void)d;
	(void)w;
	if (o->trim_ranges <= 1)
		return false;
	str_add(why,
		"only the engine io_uring_cmd has trims of several ranges, and it is not in this "
		"version of weir; leave it out: each trim is one range");
	return true;
}

static const struct rule pattern_rules[] = {
	{"rw", RULE_ERROR, pattern_read_only},
	{"random_sequence_stride", RULE_NOTE, pattern_stride_alone},
	{"percentage_random", RULE_NOTE, pattern_percent_alone},
	{"ba", RULE_WARNING, pattern_loses_coverage},
	{"random_generator", RULE_NOTE, pattern_lfsr_sizes},
	{"num_range", RULE_ERROR, pattern_trim_ranges},
};

/* ---- derivation ---- */

/* rw=randread:8 and rw=read:4k (also :-4k). */
static int pattern_rw_arg(const struct draft *d, struct plan_worker *w,
	const struct pattern_opts *o, struct err *reterr)
{
	struct pattern_spec *p = &w->pattern;
	const char *arg = o->rw.arg;
	const struct opt_ctx ctx = {.kb_base = 1024, .native = d->facts->native};
	struct err e;
	uint64_t n;

	if (!arg)
		return 0;
	if (p->random) {
		if (opt_read_u64(arg, &n, &e) < 0 || !n || n > UINT32_MAX)
			return job_fail(w->job, "rw", reterr, -EINVAL,
				"\"%s\" is no number of requests; write %s:8 for a new random offset "
				"every 8",
				arg, w->rw);
		p->jump_every = (uint32_t)n;
		p->jump_same = n > 1 && o->sequencer == SEQUENCER_SAME;
		return 0;
	}
	bool back = *arg == '-';
	if (opt_read_bytes(arg + back, &ctx, &n, &e) < 0 || n > INT64_MAX)
		return job_fail(w->job, "rw", reterr, -EINVAL,
			"\"%s\" is no number of bytes; write %s:4k to skip 4 KiB after each request, "
			"%s:-4k to go back",
			arg, w->rw, w->rw);
	p->stride = back ? -(int64_t)n : (int64_t)n;
	return 0;
}

static void pattern_offsets(struct plan_worker *w, const struct pattern_opts *o)
{
	struct pattern_spec *p = &w->pattern;

	for (int i = 0; i < DIRS; i++) {
		p->spread[i] = o->distribution.v[i];
		p->spread[i].sequence_moves = o->sequence_stride &&
					      p->spread[i].kind == SPREAD_SEQUENCE;
		/* Without skew, zipf is uniform, but still repeats and misses. */
		if (p->spread[i].kind == SPREAD_ZIPF && p->spread[i].a == 0)
			p->spread[i].kind = SPREAD_UNIFORM;
		p->sequential_percent[i] = p->random ? 100 - (uint32_t)o->percent_random.v[i]
						     : 0;
	}
}

/* A zipf of theta 0 draws anew, too. */
static bool pattern_draws(const struct pattern_spec *p, const struct pattern_opts *o)
{
	for (int i = 0; i < DIRS; i++)
		if (p->use[i] && o->distribution.v[i].kind != SPREAD_UNIFORM)
			return true;
	return false;
}

static int pattern_derive(struct draft *d, struct plan_worker *w, const void *block,
	struct err *reterr)
{
	const struct pattern_opts *o = block;
	struct pattern_spec *p = &w->pattern;

	w->rw = pattern_rw_word(o->rw.word);
	for (int i = 0; i < DIRS; i++)
		p->use[i] = o->rw.word >> i & 1;
	p->random = (o->rw.word & RW_RANDOM) != 0;
	p->trim_then_write = p->use[DIR_TRIM] && p->use[DIR_WRITE];
	p->read_percent = p->use[DIR_READ] ? 100 : 0;
	if (p->use[DIR_READ] && p->use[DIR_WRITE])
		p->read_percent = o->read_percent;

	int rc = pattern_rw_arg(d, w, o, reterr);
	if (rc < 0)
		return rc;
	pattern_offsets(w, o);
	rc = block_by_order(d, w, reterr);
	if (rc < 0)
		return rc;
	bool can_cover = p->random && pattern_all_free(p) && !pattern_draws(p, o) &&
			 pattern_align_covers(p);
	p->lfsr = can_cover && o->generator == GENERATOR_LFSR &&
		  !pattern_sizes_vary(p->size, o->rw.word);
	p->coverage = p->lfsr || (can_cover && !o->no_coverage);
	p->seed = draft_seed(d, w, SEED_PATTERN);
	p->repeat = o->repeat && !job_gave(w->job, "randseed") && !w->amount.time_based;
	return 0;
}

uint64_t draft_seed(const struct draft *d, const struct plan_worker *w, unsigned stream)
{
	const struct pattern_opts *o = job_block(w->job, &pattern_group);
	bool fixed = o->repeat || job_gave(w->job, "randseed");
	uint64_t base = fixed ? o->seed : d->facts->entropy;

	return rng_mix(rng_mix(base) ^ rng_mix((uint64_t)w->index << 8 | stream));
}

const struct part pattern_part = {
	.group = &pattern_group,
	.rules = pattern_rules,
	.rules_count = COUNT_OF(pattern_rules),
	.derive = pattern_derive,
};
