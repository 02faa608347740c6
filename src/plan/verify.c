/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What is stamped, read back and checked: the options and one job's share.  What jobs
 * have in common, the units of a target, is in verify_units.c. */
#include <errno.h>
#include <inttypes.h>

#include "base/bits.h"
#include "base/err.h"
#include "base/str.h"
#include "plan/draft.h"

/* verify=; behind the first ones the checksums, in the order of their enum. */
enum verify_word {
	VERIFY_OFF,
	VERIFY_META,
	VERIFY_PATTERN,
	VERIFY_PATTERN_HDR,
	VERIFY_NULL,
	VERIFY_SUMS, /* + enum checksum_kind */
};

struct verify_opts {
	int verify;
	bool check;
	bool only;
	struct filler pattern;
	uint64_t pattern_interval;
	uint64_t interval;
	uint64_t offset;
	bool fatal;
	bool dump;
	uint32_t async;
	struct opt_cpus async_cpus;
	uint32_t backlog;
	uint32_t backlog_batch;
	bool experimental;
	bool sequence;
	bool seed;
	uint32_t trim_percent;
	bool trim_zero;
	uint32_t trim_backlog;
	uint32_t trim_batch;
};

static const struct opt_word verify_words[] = {
	{"0", VERIFY_OFF, "nothing is stamped or checked"},
	{"md5", VERIFY_SUMS + CHECKSUM_MD5, "a header and this checksum in each unit"},
	{"crc64", VERIFY_SUMS + CHECKSUM_CRC64, "the same with another checksum, and so on"},
	{"crc32", VERIFY_SUMS + CHECKSUM_CRC32, "32 bits"},
	{"crc32c", VERIFY_SUMS + CHECKSUM_CRC32C, "32 bits, by the CPU's own instruction"},
	{"crc32c-intel", VERIFY_SUMS + CHECKSUM_CRC32C, "the same as crc32c"},
	{"crc16", VERIFY_SUMS + CHECKSUM_CRC16, "16 bits"},
	{"crc7", VERIFY_SUMS + CHECKSUM_CRC7, "7 bits"},
	{"sha1", VERIFY_SUMS + CHECKSUM_SHA1, "160 bits"},
	{"sha256", VERIFY_SUMS + CHECKSUM_SHA256, "256 bits"},
	{"sha512", VERIFY_SUMS + CHECKSUM_SHA512, "512 bits"},
	{"sha3-224", VERIFY_SUMS + CHECKSUM_SHA3_224, "224 bits"},
	{"sha3-256", VERIFY_SUMS + CHECKSUM_SHA3_256, "256 bits"},
	{"sha3-384", VERIFY_SUMS + CHECKSUM_SHA3_384, "384 bits"},
	{"sha3-512", VERIFY_SUMS + CHECKSUM_SHA3_512, "512 bits"},
	{"xxhash", VERIFY_SUMS + CHECKSUM_XXHASH, "the fastest"},
	{"meta", VERIFY_META, "the header only: where and when it was written, not what"},
	{"pattern", VERIFY_PATTERN, "verify_pattern fills the unit, without a header"},
	{"pattern_hdr", VERIFY_PATTERN_HDR, "a header, and verify_pattern behind it"},
	{"null", VERIFY_NULL, "stamped, and never checked"},
	{0},
};

static const struct opt_word verify_formats[] = {
	{"%o", 0, "the offset of the block"},
	{0},
};

#define VERIFY_ALWAYS "weir knows what was written by its map, so this changes nothing"

static const struct opt verify_rows[] = {
	{.name = "verify",
		OPT_WORD(struct verify_opts, verify),
		.words = verify_words,
		.preset = "0",
		.help = "Stamp what is written, read it back and check it; a job that only reads checks "
			"what it finds"},
	{.name = "do_verify",
		OPT_BOOL(struct verify_opts, check),
		.preset = "1",
		.help = "Read back and check; 0: only stamp"},
	{.name = "verify_only",
		OPT_FLAG(struct verify_opts, only),
		.help = "Write nothing: check what an earlier run of the same job wrote"},
	{.name = "verify_pattern",
		OPT_FILLER(struct verify_opts, pattern),
		.words = verify_formats,
		.help = "Bytes for verify=pattern and pattern_hdr; given alone it means verify=pattern"},
	{.name = "verify_pattern_interval",
		OPT_BYTES(struct verify_opts, pattern_interval),
		.max = LIMIT_BLOCK,
		.preset = "0",
		.help = "Begin the pattern anew every so many bytes; 0: in each unit"},
	{.name = "verify_interval",
		OPT_BYTES(struct verify_opts, interval),
		.min = VERIFY_INTERVAL_MIN,
		.max = LIMIT_BLOCK,
		.help = "A unit has so many bytes, or what divides them and the block"},
	{.name = "verify_offset",
		OPT_BYTES(struct verify_opts, offset),
		.max = LIMIT_BLOCK,
		.preset = "0",
		.help = "Where in a unit its header is"},
	{.name = "verify_fatal",
		OPT_BOOL(struct verify_opts, fatal),
		.preset = "0",
		.help = "End the job at the first wrong unit, whatever continue_on_error says"},
	{.name = "verify_dump",
		OPT_BOOL(struct verify_opts, dump),
		.preset = "0",
		.help = "Save wrong units, and what should be there, to FILE.OFFSET.received and "
			".expected"},
	{.name = "verify_async",
		OPT_U32(struct verify_opts, async),
		.max = LIMIT_CPUS,
		.preset = "0",
		.help = "So many threads check, beside the one that reads"},
	{.name = "verify_async_cpus",
		OPT_CPUS(struct verify_opts, async_cpus),
		.help = "CPUs of those threads"},
	{.name = "verify_backlog",
		OPT_U32(struct verify_opts, backlog),
		.preset = "0",
		.help = "Read back after every so many writes; 0: after each pass"},
	{.name = "verify_backlog_batch",
		OPT_U32(struct verify_opts, backlog_batch),
		.preset = "0",
		.help = "How many blocks to read back at a time; 0: all since the last time"},
	{.name = "experimental_verify",
		OPT_BOOL(struct verify_opts, experimental),
		.preset = "0",
		.no_effect = VERIFY_ALWAYS,
		.help = "How fio knows what it wrote"},
	{.name = "verify_write_sequence",
		OPT_BOOL(struct verify_opts, sequence),
		.preset = "1",
		.no_effect = VERIFY_ALWAYS,
		.help = "Check which write of a block is found"},
	{.name = "verify_header_seed",
		OPT_BOOL(struct verify_opts, seed),
		.preset = "1",
		.help = "Check run and generation of units of this run; 0: only that they are whole"},
	{.name = "trim_percentage",
		OPT_U32(struct verify_opts, trim_percent),
		.max = 100,
		.preset = "0",
		.help = "Trim so many percent of the blocks that were written; needs trim_backlog"},
	{.name = "trim_verify_zero",
		OPT_BOOL(struct verify_opts, trim_zero),
		.preset = "1",
		.help = "Trimmed units must read as zeroes; 0: whatever"},
	{.name = "trim_backlog",
		OPT_U32(struct verify_opts, trim_backlog),
		.preset = "0",
		.help = "Trim after every so many writes"},
	{.name = "trim_backlog_batch",
		OPT_U32(struct verify_opts, trim_batch),
		.preset = "0",
		.help = "How many blocks to trim at a time; 0: as many as trim_backlog"},
};

const struct opt_group verify_group = {
	.name = "verify",
	.rows = verify_rows,
	.count = COUNT_OF(verify_rows),
	.size = sizeof(struct verify_opts),
};

/* verify_pattern alone is enough. */
static int verify_word_of(const struct plan_worker *w, const struct verify_opts *o)
{
	if (o->verify == VERIFY_OFF && o->pattern.count && !job_gave(w->job, "verify"))
		return VERIFY_PATTERN;
	return o->verify;
}

static enum checksum_kind verify_sum_of(const struct plan_worker *w,
	const struct verify_opts *o)
{
	int word = verify_word_of(w, o);
	return word > VERIFY_SUMS ? (enum checksum_kind)(word - VERIFY_SUMS) : CHECKSUM_NONE;
}

/* ---- rules ---- */

static bool verify_no_pattern(const struct draft *d, const struct plan_worker *w,
	const void *block, struct str *why)
{
	const struct verify_opts *o = block;

	(void)d;
	(void)w;
	if ((o->verify != VERIFY_PATTERN && o->verify != VERIFY_PATTERN_HDR) ||
		o->pattern.count)
		return false;
	str_add(why, "there is no pattern to write; add verify_pattern=0xdeadbeef, say");
	return true;
}

static bool verify_no_library(const struct draft *d, const struct plan_worker *w,
	const void *block, struct str *why)
{
	const char *missing = checksum_missing(verify_sum_of(w, block));

	(void)d;
	if (!missing)
		return false;
	str_addf(why, "this weir was built without %s, which it needs for that; use crc32c",
		missing);
	return true;
}

static bool verify_no_data(const struct draft *d, const struct plan_worker *w,
	const void *block, struct str *why)
{
	(void)d;
	const int word = verify_word_of(w, block);

	if (word == VERIFY_OFF || word == VERIFY_NULL || !(queue_flags(w) & ENGINE_NO_FILES))
		return false;
	str_addf(why,
		"ioengine=%s keeps no data, so there is nothing to check; leave out verify, "
		"or use another engine",
		engine_chain_base(&w->queue.chain)->name);
	return true;
}

static bool verify_needless_trim(const struct draft *d, const struct plan_worker *w,
	const void *block, struct str *why)
{
	const struct verify_opts *o = block;

	(void)d;
	if (!o->trim_percent || (o->trim_backlog && verify_word_of(w, o) != VERIFY_OFF))
		return false;
	str_addf(why,
		"it has no effect without %s, as in fio; rw=randtrimwrite mixes trims in, too",
		o->trim_backlog ? "verify" : "trim_backlog");
	return true;
}

static bool verify_phantom_time(const struct draft *d, const struct plan_worker *w,
	const void *block, struct str *why)
{
	const struct verify_opts *o = block;

	(void)d;
	if (!o->only || !w->amount.time_based)
		return false;
	str_add(why,
		"a job by time doesn't say which blocks it wrote; leave out time_based, or use "
		"rw=read with verify, which checks all that it finds");
	return true;
}

static bool verify_lost(const struct draft *d, const struct plan_worker *w, const void *block,
	struct str *why)
{
	const struct verify_opts *o = block;

	(void)d;
	if (verify_word_of(w, o) == VERIFY_OFF || !w->files.unlink_each)
		return false;
	str_add(why, "the files are gone before the last pass over them is checked; leave out "
		     "unlink_each_loop");
	return true;
}

static const struct rule verify_rules[] = {
	{"verify", RULE_ERROR, verify_no_pattern},
	{"verify", RULE_ERROR, verify_no_library},
	{"verify", RULE_ERROR, verify_no_data},
	{"verify_only", RULE_ERROR, verify_phantom_time},
	{"unlink_each_loop", RULE_ERROR, verify_lost},
	{"trim_percentage", RULE_WARNING, verify_needless_trim},
};

/* ---- derivation ---- */

uint32_t verify_interval(const struct plan_worker *w)
{
	const struct verify_opts *o = job_block(w->job, &verify_group);
	return (uint32_t)o->interval;
}

static enum unit_kind verify_kind_of(int word)
{
	switch (word) {
	case VERIFY_OFF:
		return UNIT_NONE;
	case VERIFY_META:
		return UNIT_META;
	case VERIFY_PATTERN:
		return UNIT_PATTERN;
	case VERIFY_PATTERN_HDR:
		return UNIT_PATTERN_HDR;
	case VERIFY_NULL:
		return UNIT_NULL;
	default:
		return UNIT_CHECKSUM;
	}
}

static void verify_unit(const struct draft *d, struct plan_worker *w,
	const struct verify_opts *o)
{
	struct unit_spec *u = &w->verify.unit;
	int word = verify_word_of(w, o);

	*u = (struct unit_spec){
		.kind = verify_kind_of(word),
		.checksum = verify_sum_of(w, o),
		.header_at = (uint32_t)o->offset,
		.pattern = o->pattern,
		.pattern_interval = (uint32_t)o->pattern_interval,
		.run = d->facts->run_id,
		.data = w->data,
	};
	if (u->kind == UNIT_PATTERN)
		u->header_at = 0;
	/* As fio's refill: what is the same each time would hide a stale block. */
	if (u->data.kind == DATA_CONSTANT && !job_gave(w->job, "refill_buffers"))
		u->data.kind = DATA_FRESH;
}

#define SPARE_BUFFERS 4 /* for each checker: one it checks, the others wait */

static int verify_derive(struct draft *d, struct plan_worker *w, const void *block,
	struct err *reterr)
{
	const struct verify_opts *o = block;
	struct plan_verify *v = &w->verify;
	const struct pattern_spec *p = &w->pattern;

	(void)reterr;
	*v = (struct plan_verify){0};
	verify_unit(d, w, o);
	if (!verify_is_on(v))
		return 0;
	d->plan->run_id = d->facts->run_id;
	bool writes = pattern_writes(p), judged = o->check;
	v->stamps = writes;
	v->phantom = writes && o->only;
	v->checks = p->use[DIR_READ] && judged;
	v->by_map = o->seed && !v->phantom;
	v->by_header = !writes;
	v->rereads = writes && (judged || o->only);
	v->fatal = o->fatal;
	v->go_on = w->end.continue_verify && !o->fatal;
	v->dump = o->dump;
	v->trim_zero = o->trim_zero;
	v->threads = v->checks || v->rereads ? o->async : 0;
	v->cpus = o->async_cpus;
	v->backlog = v->rereads && !v->phantom ? o->backlog : 0;
	v->backlog_batch = o->backlog_batch ? o->backlog_batch : o->backlog;
	if (o->trim_backlog && o->trim_percent && p->use[DIR_WRITE]) {
		v->trim_percent = o->trim_percent;
		v->trim_backlog = o->trim_backlog;
		v->trim_batch = o->trim_batch ? o->trim_batch : o->trim_backlog;
	}
	/* Each write has a stamp of its own, so each a buffer of its own. */
	if (v->stamps)
		w->queue.write_apart = false;
	if (v->rereads && !p->use[DIR_WRITE]) {
		uint32_t most = MIN_OF(p->size[DIR_TRIM].max, VERIFY_READ_MAX);
		w->queue.buffer_bytes = MAX_OF(w->queue.buffer_bytes,
			(uint32_t)round_up(most, MAX_OF(w->queue.buffer_align, 1u)));
	}
	w->queue.spare = SPARE_BUFFERS * v->threads;
	return 0;
}

const struct part verify_part = {
	.group = &verify_group,
	.rules = verify_rules,
	.rules_count = COUNT_OF(verify_rules),
	.derive = verify_derive,
};
