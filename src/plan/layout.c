/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What is done to files before and after the job. */
#include "base/bits.h"
#include "base/str.h"
#include "plan/draft.h"

struct layout {
	int fallocate;
	bool overwrite;
	bool fsync;
	bool serialize;
	bool only;
	bool unlink;
	bool unlink_each;
};

static const struct opt_word layout_preallocs[] = {
	{"none", PREALLOC_NONE, "none"},
	{"native", PREALLOC_NATIVE,
		"fallocate(); where it fails the file grows as it is written"},
	{"posix", PREALLOC_POSIX, "posix_fallocate(), which writes where fallocate() can't be"},
	{"keep", PREALLOC_KEEP, "fallocate() that leaves the file's size as it is"},
	{"truncate", PREALLOC_TRUNCATE, "only set the size: a sparse file"},
	{"0", PREALLOC_NONE, "the same as none"},
	{"1", PREALLOC_POSIX, "the same as posix"},
	{0},
};

static const struct opt layout_rows[] = {
	{.name = "fallocate",
		OPT_WORD(struct layout, fallocate),
		.words = layout_preallocs,
		.preset = "native",
		.help = "How space is reserved in a file that is laid out"},
	{.name = "overwrite",
		OPT_BOOL(struct layout, overwrite),
		.preset = "0",
		.help = "Write the file in full before the job, as it is for jobs that read"},
	{.name = "create_fsync",
		OPT_BOOL(struct layout, fsync),
		.preset = "1",
		.help = "fsync() a file after it was laid out"},
	{.name = "create_serialize",
		OPT_BOOL(struct layout, serialize),
		.preset = "1",
		.help = "Lay out the files of one job after the other",
		.harmless = {"1"},
		.no_effect =
			"weir lays all files out at the same time, before any job starts: this changes nothing"},
	{.name = "create_only",
		OPT_BOOL(struct layout, only),
		.preset = "0",
		.help = "Lay the files out and do nothing else"},
	{.name = "unlink",
		OPT_BOOL(struct layout, unlink),
		.preset = "0",
		.help = "Remove the job's files at its end"},
	{.name = "unlink_each_loop",
		OPT_BOOL(struct layout, unlink_each),
		.preset = "0",
		.help = "Remove the job's files between its loops, so that each makes them anew"},
};

const struct opt_group layout_group = {
	.name = "layout",
	.rows = layout_rows,
	.count = COUNT_OF(layout_rows),
	.size = sizeof(struct layout),
};

/* Layout writes in the job's blocks, but not in small ones. */
#define LAYOUT_BLOCK_MIN (1u << 20)

static void layout_target(struct plan_target *t, const struct plan_worker *w,
	const struct layout *l)
{
	const struct pattern_spec *p = &w->pattern;
	bool none = queue_flags(w) & ENGINE_NO_FILES || w->files.create_on_open;

	if (!none && t->no_layout) { /* the first who needs it there */
		t->first_worker = w->index;
		t->prealloc = (enum plan_prealloc)l->fallocate;
		t->no_layout = false;
	}
	t->read |= p->use[DIR_READ];
	t->written |= p->use[DIR_WRITE];
	t->trimmed |= p->use[DIR_TRIM];
	if (none)
		return;
	bool holes = p->use[DIR_TRIM] && !p->use[DIR_WRITE]; /* need data to be made in */
	t->fill |= p->use[DIR_READ] || holes || l->overwrite ||
		   queue_flags(w) & ENGINE_NO_EXTEND;
	t->sync_layout |= l->fsync;
	uint32_t chunk = MAX_OF(block_max(p), LAYOUT_BLOCK_MIN);
	t->layout_block = MAX_OF(t->layout_block, chunk);
}

static bool layout_unlink_each(const struct plan_worker *w, const struct layout *l)
{
	return l->unlink_each && w->amount.loops > 1 && !w->amount.time_based;
}

static bool layout_gone(const struct draft *d, const struct plan_worker *w, const void *block,
	struct str *why)
{
	bool maps = queue_flags(w) & ENGINE_NO_EXTEND;

	(void)d;
	if (!layout_unlink_each(w, block) || (!w->pattern.use[DIR_READ] && !maps))
		return false;
	str_addf(why,
		"the second loop would find nothing to %s; use it with rw=write or randwrite%s",
		maps ? "map" : "read", maps ? " and another engine" : "");
	return true;
}

static const struct rule layout_rules[] = {
	{"unlink_each_loop", RULE_ERROR, layout_gone},
};

static int layout_derive(struct draft *d, struct plan_worker *w, const void *block,
	struct err *reterr)
{
	const struct layout *l = block;

	(void)reterr;
	for (uint32_t k = 0; k < w->files.count; k++)
		layout_target(targets_at(d->targets, w->files.targets[k]), w, l);
	w->files.unlink = l->unlink;
	w->files.unlink_each = layout_unlink_each(w, l);
	if (l->only) {
		w->amount.bytes = 0;
		w->amount.time_based = false;
	}
	return 0;
}

const struct part layout_part = {
	.group = &layout_group,
	.rules = layout_rules,
	.rules_count = COUNT_OF(layout_rules),
	.derive = layout_derive,
};
