/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Where in its files a worker works, and how much it moves.
 *
 *   file       what the file is or is to become: found, filesize or size
 *   region     [start, start + bytes) of each file: offset, and size divided by
 *              the number of files; of a device no more than there is
 *   pass       all whole blocks of all regions once
 *   amount     passes (loops), or io_size, or number_ios, or only time */
#include <errno.h>
#include <inttypes.h>

#include "base/bits.h"
#include "base/err.h"
#include "base/rng.h"
#include "base/str.h"
#include "plan/draft.h"
#include "plan/spread.h"

struct size_opts {
	struct opt_size size;
	struct opt_size io_size;
	struct opt_size offset;
	struct opt_size increment;
	uint64_t offset_align;
	uint64_t number_ios;
	uint32_t loops;
	bool fill_device;
	bool append;
	struct opt_range filesize;
};

static const struct opt size_rows[] = {
	{.name = "size",
		OPT_SIZE(struct size_opts, size),
		.help = "Bytes that the job works on, over all its files; or N% of what is there"},
	{.name = "io_size",
		.alias = {"io_limit"},
		OPT_SIZE(struct size_opts, io_size),
		.help = "Bytes to move, when more or less than size; or N% of it"},
	{.name = "offset",
		.alias = {"fileoffset"},
		OPT_SIZE(struct size_opts, offset),
		.help = "Where in each file the job begins; or N% of the file"},
	{.name = "offset_align",
		OPT_BYTES(struct size_opts, offset_align),
		.preset = "0",
		.help = "A percent offset is rounded up to a multiple of this; 0: of the block size"},
	{.name = "offset_increment",
		OPT_SIZE(struct size_opts, increment),
		.help = "Added to offset once for the second clone, twice for the third, ..."},
	{.name = "number_ios",
		OPT_U64(struct size_opts, number_ios),
		.preset = "0",
		.help = "Stop after so many requests (times loops); 0: no limit"},
	{.name = "loops",
		OPT_U32(struct size_opts, loops),
		.preset = "1",
		.help = "Do the whole job so many times"},
	{.name = "fill_device",
		.alias = {"fill_fs"},
		OPT_BOOL(struct size_opts, fill_device),
		.preset = "0",
		.help = "Write until nothing more fits; that ends the job in success"},
	{.name = "file_append",
		OPT_BOOL(struct size_opts, append),
		.preset = "0",
		.help = "Begin at the end of each file, whatever offset says; size bytes from there"},
	{.name = "filesize",
		OPT_RANGE(struct size_opts, filesize),
		.min = 1,
		.help = "Size of each file; of a range, each file draws one"},
};

const struct opt_group size_group = {
	.name = "size",
	.rows = size_rows,
	.count = COUNT_OF(size_rows),
	.size = sizeof(struct size_opts),
};

/* ---- rules ---- */

static const struct {
	const char *option;
	size_t offset;
} size_values[] = {
	{"size", offsetof(struct size_opts, size)},
	{"io_size", offsetof(struct size_opts, io_size)},
	{"offset", offsetof(struct size_opts, offset)},
	{"offset_increment", offsetof(struct size_opts, increment)},
};

/* Sizes in zones (4z) as bytes. */
static int size_in_bytes(const struct plan_worker *w, struct size_opts *o, struct err *reterr)
{
	for (size_t i = 0; i < COUNT_OF(size_values); i++) {
		struct opt_size *v = (void *)((char *)o + size_values[i].offset);
		if (!v->zones)
			continue;
		if (!w->pattern.zone_size)
			return job_fail(w->job, size_values[i].option, reterr, -EINVAL,
				"a size in zones needs zones: zonemode=strided and zonesize; or give "
				"bytes");
		*v = (struct opt_size){.bytes = mul_div(v->zones, w->pattern.zone_size, 1)};
	}
	return 0;
}

static bool size_below_block(const struct draft *d, const struct plan_worker *w,
	const void *block, struct str *why)
{
	const struct size_opts *o = block;

	(void)d;
	if (!o->size.bytes || replay_on(w) || o->size.bytes >= block_min(&w->pattern))
		return false;
	str_addf(why, "%" PRIu64 " is less than the smallest block, %u; raise it or lower bs",
		o->size.bytes, block_min(&w->pattern));
	return true;
}

static bool size_fill_reads(const struct draft *d, const struct plan_worker *w,
	const void *block, struct str *why)
{
	const struct size_opts *o = block;

	(void)d;
	if (!o->fill_device || pattern_writes(&w->pattern) || o->size.bytes || o->size.percent)
		return false;
	str_add(why,
		"a job that only reads fills nothing; give size=, or fill with a writing job "
		"first");
	return true;
}

static const struct rule size_rules[] = {
	{"size", RULE_ERROR, size_below_block},
	{"fill_device", RULE_ERROR, size_fill_reads},
};

/* ---- regions ---- */

/* "Without end", with room for sums. */
#define SIZE_ENDLESS (UINT64_C(1) << 61)

/* One file on its way to a region. */
struct size_file {
	const char *path;
	uint64_t found; /* bytes there now                                      */
	bool fixed;     /* a device: it is as big as it is                      */
	uint64_t whole; /* filesize, drawn; 0: not asked                        */
};

static struct size_file size_look(const struct draft *d, const struct plan_worker *w,
	const struct size_opts *o, uint32_t k, struct rng *rng)
{
	const struct plan_target *t = targets_at(d->targets, w->files.targets[k]);
	const struct opt_range *range = &o->filesize;
	struct size_file f = {.path = t->path, .whole = range->lo};

	if (!(queue_flags(w) & ENGINE_NO_FILES)) {
		f.found = t->found.bytes;
		f.fixed = t->found.kind == LOOK_BLOCK ||
			  (t->found.kind == LOOK_CHAR && f.found);
	}
	if (range->hi > range->lo) {
		uint32_t unit = block_min(&w->pattern);
		uint64_t drawn = range->lo + rng_below(rng, range->hi - range->lo + 1);
		f.whole = MAX_OF(round_down(drawn, unit), range->lo);
		if (f.found >= range->lo && f.found <= range->hi)
			f.whole = f.found;
	}
	return f;
}

/* What percentages of the file mean. */
static uint64_t size_base(const struct size_file *f, const struct size_opts *o, uint32_t files)
{
	if (f->fixed || (f->found && !f->whole))
		return f->found;
	return f->whole ? f->whole : o->size.bytes / files;
}

/* offset and offset_increment; with a percentage in it, the sum is rounded up. */
static uint64_t size_start(const struct plan_worker *w, const struct size_opts *o,
	uint64_t base)
{
	uint64_t bytes = o->offset.bytes;
	uint64_t step = mul_div(o->increment.bytes, w->clone, 1);

	if (o->offset.percent)
		bytes = mul_div(base, o->offset.percent, 100);
	if (o->increment.percent)
		step = mul_div(base, (uint64_t)o->increment.percent * w->clone, 100);
	if (bytes > SIZE_ENDLESS || step > SIZE_ENDLESS)
		return UINT64_MAX;
	bytes += step;
	if (!o->offset.percent && !o->increment.percent)
		return bytes;
	return round_up(bytes, o->offset_align ? o->offset_align : block_min(&w->pattern));
}

static int size_beyond(const struct plan_worker *w, const struct size_file *f, uint64_t start,
	uint64_t end, struct err *reterr)
{
	const char *option = job_gave(w->job, "offset") ? "offset" : "offset_increment";

	return job_fail(w->job, option, reterr, -EINVAL,
		"%" PRIu64 " is not a valid offset: \"%s\" ends at %" PRIu64 "; lower it%s",
		start, f->path, end, f->fixed ? "" : " or give size=");
}

static int size_missing(const struct plan_worker *w, const struct size_file *f,
	struct err *reterr)
{
	bool percent = job_gave(w->job, "size");

	if (queue_flags(w) & ENGINE_NO_FILES)
		return job_fail(w->job, "size", reterr, -EINVAL,
			"you need to specify size= in bytes: the engine %s has no files whose size "
			"could be taken",
			engine_chain_base(&w->queue.chain)->name);
	return job_fail(w->job, "size", reterr, -EINVAL,
		"you need to specify size=%s: \"%s\" %s", percent ? " in bytes" : "", f->path,
		f->found ? "has no size of its own" : "is empty or doesn't exist yet");
}

/* Bytes of a file from START on; negative errno when there can be none. */
static int size_bytes(const struct plan_worker *w, const struct size_opts *o,
	const struct size_file *f, uint64_t start, uint64_t *ret, struct err *reterr)
{
	uint32_t files = w->files.count;
	uint64_t whole = f->fixed || !f->whole ? f->found : f->whole;
	uint64_t share = o->size.bytes / files;

	if (start > SIZE_ENDLESS || share > SIZE_ENDLESS)
		return job_fail(w->job,
			o->size.bytes / files > SIZE_ENDLESS ? "size" : "offset", reterr,
			-EFBIG, "no file can be so large");
	if (!f->fixed && !f->whole && o->size.bytes) {
		*ret = share;
		return 0;
	}
	if (!f->fixed && !f->whole && !o->size.percent && o->fill_device) {
		*ret = SIZE_ENDLESS / files;
		return 0;
	}
	if (!whole)
		return size_missing(w, f, reterr);
	if (start >= whole)
		return size_beyond(w, f, start, whole, reterr);
	*ret = whole - start;
	if (o->size.percent)
		*ret = MIN_OF(*ret, mul_div(whole, o->size.percent, 100));
	else if (f->fixed && o->size.bytes)
		*ret = MIN_OF(*ret, share);
	return 0;
}

static int size_regions(struct draft *d, struct plan_worker *w, const struct size_opts *o,
	struct err *reterr)
{
	uint32_t files = w->files.count;
	struct pattern_region *regions = draft_alloc(d, files, sizeof(*regions), reterr);
	/* Clones that share their files must agree about their sizes. */
	const struct plan_worker *first = draft_first(d, w);
	bool shared = w->files.targets == first->files.targets;
	struct rng rng;

	if (!regions)
		return -ENOMEM;
	rng_init(&rng, draft_seed(d, shared ? first : w, SEED_FILESIZE));
	for (uint32_t k = 0; k < files; k++) {
		struct size_file f = size_look(d, w, o, k, &rng);
		struct plan_target *t = targets_at(d->targets, w->files.targets[k]);
		uint64_t start = size_start(w, o, size_base(&f, o, files));
		if (o->append && !f.fixed) /* also behind what earlier workers are to append */
			start = MAX_OF(f.found, t->bytes_wanted);
		uint64_t bytes = 0;

		int rc = size_bytes(w, o, &f, start, &bytes, reterr);
		if (rc < 0)
			return rc;
		regions[k] = (struct pattern_region){.start = start, .bytes = bytes};
		/* A file of a size is that large, also where nobody works. */
		uint64_t wanted = MAX_OF(start + bytes, f.fixed ? 0 : f.whole);
		if (bytes < SIZE_ENDLESS / files)
			t->bytes_wanted = MAX_OF(t->bytes_wanted, wanted);
	}
	w->pattern.regions = regions;
	w->pattern.regions_count = files;
	return 0;
}

/* ---- amount ---- */

static uint64_t size_times(uint64_t n, uint64_t times)
{
	return mul_div(n, times, 1);
}

static void size_amount(struct plan_worker *w, const struct size_opts *o, uint64_t pass)
{
	struct plan_amount *a = &w->amount;
	uint32_t loops = MAX_OF(o->loops, 1u);
	uint64_t each = w->pattern.trim_then_write ? 2 : 1; /* budgets are of each direction */
	uint64_t asked = size_times(o->io_size.bytes, each);

	if (o->io_size.percent)
		asked = mul_div(pass, o->io_size.percent, 100);
	a->ios = o->number_ios ? size_times(o->number_ios, loops * each) : UINT64_MAX;
	a->loops = loops;
	if (asked) {
		a->bytes = size_times(asked, loops);
		a->loops = (uint32_t)MIN_OF(div_up(a->bytes, pass), (uint64_t)UINT32_MAX);
		return;
	}
	if (o->filesize.lo && o->size.bytes)
		pass = MIN_OF(pass, size_times(o->size.bytes, each));
	a->bytes = size_times(pass, loops);
	if (o->fill_device && !o->size.bytes && !o->size.percent)
		a->bytes = UINT64_MAX;
}

static int size_nothing(struct draft *d, struct plan_worker *w, struct err *reterr)
{
	w->amount = (struct plan_amount){.ios = UINT64_MAX, .loops = 1};
	if (!draft_is_first(d, w))
		return 0;
	if (!w->files.count)
		return draft_remark(d, w, "nrfiles", true,
			"without a file the job does nothing", reterr);
	struct str why = {0};
	str_addf(&why, "no file has room for one block of %u bytes: the job does nothing",
		block_min(&w->pattern));
	int rc = draft_remark(d, w, "size", true, str_text(&why), reterr);
	str_done(&why);
	return rc;
}

static int size_derive(struct draft *d, struct plan_worker *w, const void *block,
	struct err *reterr)
{
	struct size_opts copy = *(const struct size_opts *)block;
	const struct size_opts *o = &copy;

	if (replay_on(w))
		return replay_sizes(d, w, o->loops, reterr);
	int rc = size_in_bytes(w, &copy, reterr);
	if (rc == 0)
		rc = size_regions(d, w, o, reterr);
	if (rc == 0)
		rc = spread_check_zones(w, reterr);
	if (rc < 0)
		return rc;
	w->pattern.endless = w->amount.time_based && w->files.count == 1;
	w->amount.fill_device = o->fill_device;
	uint64_t pass = w->files.count ? pattern_pass_bytes(&w->pattern) : 0;
	if (!pass)
		return size_nothing(d, w, reterr);
	if (w->amount.time_based) {
		w->amount.bytes = w->amount.ios = UINT64_MAX;
		w->amount.loops = UINT32_MAX;
		return 0;
	}
	size_amount(w, o, pass);
	return 0;
}

const struct part size_part = {
	.group = &size_group,
	.rules = size_rules,
	.rules_count = COUNT_OF(size_rules),
	.derive = size_derive,
};
