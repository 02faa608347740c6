/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What memory the I/O buffers are, where in it they begin, and what is locked. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/bits.h"
#include "base/err.h"
#include "base/str.h"
#include "plan/draft.h"

enum memory_word {
	WORD_MALLOC,
	WORD_MMAP,
	WORD_MMAPSHARED,
	WORD_MMAPHUGE,
	WORD_SHM,
	WORD_SHMHUGE,
	WORD_GPU,
};

/* What each is, and whether a file may back it. */
static const struct {
	const char *word;
	enum plan_memory_kind kind;
	bool file;
} memory_of[] = {
	[WORD_MALLOC] = {"malloc", MEMORY_PRIVATE, false},
	[WORD_MMAP] = {"mmap", MEMORY_PRIVATE, true},
	[WORD_MMAPSHARED] = {"mmapshared", MEMORY_SHARED, true},
	[WORD_MMAPHUGE] = {"mmaphuge", MEMORY_HUGE, true},
	[WORD_SHM] = {"shm", MEMORY_SEGMENT, false},
	[WORD_SHMHUGE] = {"shmhuge", MEMORY_SEGMENT_HUGE, false},
	[WORD_GPU] = {"cudamalloc", MEMORY_PRIVATE, false},
};

struct memory_opts {
	struct opt_word_arg mem;
	uint64_t align;
	uint64_t hugepage;
	uint64_t lock;
};

static const struct opt_word memory_words[] = {
	{"malloc", WORD_MALLOC, "private memory of the worker, in whole pages"},
	{"mmap", WORD_MMAP, "the same; mmap:FILE maps a file of its own beside FILE privately"},
	{"mmapshared", WORD_MMAPSHARED, "a shared mapping; mmapshared:FILE of such a file"},
	{"mmaphuge", WORD_MMAPHUGE, "huge pages; mmaphuge:FILE from the hugetlbfs at FILE"},
	{"shm", WORD_SHM, "a System V segment"},
	{"shmhuge", WORD_SHMHUGE, "a System V segment of huge pages"},
	{"cudamalloc", WORD_GPU, NULL},
	{0},
};

static const struct opt memory_rows[] = {
	{.name = "mem",
		.alias = {"iomem"},
		OPT_WORD_ARG(struct memory_opts, mem),
		.words = memory_words,
		.preset = "malloc",
		.help = "Kind of memory for I/O buffers"},
	{.name = "iomem_align",
		.alias = {"mem_align"},
		OPT_BYTES(struct memory_opts, align),
		.max = LIMIT_BLOCK,
		.preset = "0",
		.help = "How far behind the start of a page the first buffer begins"},
	{.name = "hugepage-size",
		OPT_BYTES(struct memory_opts, hugepage),
		.max = UINT64_C(1) << 40,
		.help = "Which of the machine's huge pages to use; not given: its default"},
	{.name = "lockmem",
		OPT_BYTES(struct memory_opts, lock),
		.max = UINT64_C(1) << 50,
		.preset = "0",
		.help = "Memory that each worker locks beside its buffers, to leave less for others"},
};

const struct opt_group memory_group = {
	.name = "memory",
	.rows = memory_rows,
	.count = COUNT_OF(memory_rows),
	.size = sizeof(struct memory_opts),
};

/* ---- rules ---- */

static bool memory_gpu(const struct draft *d, const struct plan_worker *w, const void *block,
	struct str *why)
{
	const struct memory_opts *o = block;

	(void)d;
	(void)w;
	if (o->mem.word != WORD_GPU)
		return false;
	str_add(why, "weir can't use the memory of a GPU; it has malloc, mmap, mmapshared, "
		     "mmaphuge, shm and shmhuge");
	return true;
}

static bool memory_needless_file(const struct draft *d, const struct plan_worker *w,
	const void *block, struct str *why)
{
	const struct memory_opts *o = block;

	(void)d;
	(void)w;
	if (!o->mem.arg || memory_of[o->mem.word].file)
		return false;
	str_addf(why, "%s takes no file: \"%s\" has no effect", memory_of[o->mem.word].word,
		o->mem.arg);
	return true;
}

static bool memory_no_place(const struct draft *d, const struct plan_worker *w,
	const void *block, struct str *why)
{
	const struct memory_opts *o = block;
	struct look found;

	(void)w;
	if (!o->mem.arg || !memory_of[o->mem.word].file)
		return false;
	d->facts->look(d->facts->look_ctx, o->mem.arg, &found);
	if (found.error)
		str_addf(why, "can't look at \"%s\": %s", o->mem.arg, strerror(-found.error));
	else if (found.on_dev)
		str_addf(why,
			"\"%s\" is among the device nodes, where weir makes no files; name "
			"another folder",
			o->mem.arg);
	else if (found.parent_missing)
		str_addf(why, "the folder of \"%s\" doesn't exist; make it or name another",
			o->mem.arg);
	else
		return false;
	return true;
}

static bool memory_odd_page(const struct draft *d, const struct plan_worker *w,
	const void *block, struct str *why)
{
	const struct memory_opts *o = block;

	(void)d;
	if (!job_gave(w->job, "hugepage-size") ||
		(o->hugepage && bits_is_power_of_2(o->hugepage)))
		return false;
	str_addf(why,
		"%" PRIu64 " is no size of a page: those are powers of two, 2m or 1g, say",
		o->hugepage);
	return true;
}

static bool memory_page_unused(const struct draft *d, const struct plan_worker *w,
	const void *block, struct str *why)
{
	const struct memory_opts *o = block;

	(void)d;
	if (!job_gave(w->job, "hugepage-size") || o->mem.word == WORD_MMAPHUGE ||
		o->mem.word == WORD_SHMHUGE)
		return false;
	str_addf(why, "mem=%s uses no huge pages, so this has no effect; mem=mmaphuge would",
		memory_of[o->mem.word].word);
	return true;
}

static const struct rule memory_rules[] = {
	{"mem", RULE_ERROR, memory_gpu},
	{"mem", RULE_WARNING, memory_needless_file},
	{"mem", RULE_ERROR, memory_no_place},
	{"hugepage-size", RULE_ERROR, memory_odd_page},
	{"hugepage-size", RULE_NOTE, memory_page_unused},
};

/* ---- derivation ---- */

/* In a folder that was named the file needs a name of its own. */
static const char *memory_file(struct draft *d, const char *name)
{
	struct look found;

	d->facts->look(d->facts->look_ctx, name, &found);
	if (found.kind == LOOK_DIRECTORY)
		return arena_printf(&d->plan->arena, "%s/weir", name);
	return arena_text(&d->plan->arena, name);
}

static int memory_derive(struct draft *d, struct plan_worker *w, const void *block,
	struct err *reterr)
{
	const struct memory_opts *o = block;

	if (!draft_is_first(d, w)) {
		w->memory = draft_first(d, w)->memory;
		return 0;
	}
	w->memory = (struct plan_memory){
		.word = memory_of[o->mem.word].word,
		.kind = memory_of[o->mem.word].kind,
		.align = (uint32_t)o->align,
		.lock_bytes = o->lock,
	};
	if (memory_is_huge(&w->memory))
		w->memory.hugepage_bytes = o->hugepage;
	if (!o->mem.arg || !memory_of[o->mem.word].file)
		return 0;
	w->memory.file = memory_file(d, o->mem.arg);
	if (!w->memory.file)
		return err_set(reterr, -ENOMEM, "out of memory for the plan");
	return 0;
}

const struct part memory_part = {
	.group = &memory_group,
	.rules = memory_rules,
	.rules_count = COUNT_OF(memory_rules),
	.derive = memory_derive,
};
