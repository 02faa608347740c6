/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* How a worker opens its targets, and what that asks of sizes and buffers. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>

#include "base/bits.h"
#include "base/err.h"
#include "base/str.h"
#include "plan/draft.h"

enum open_sync {
	OPEN_ASYNC,
	OPEN_SYNC,
	OPEN_DSYNC,
};

enum open_hint {
	HINT_NONE,
	HINT_PATTERN,
	HINT_RANDOM,
	HINT_SEQUENTIAL,
	HINT_NOREUSE,
};

/* What filetype says it is; weir looks all the same. */
static const struct opt_word open_types[] = {
	{"none", LOOK_NOTHING, "whatever is there"},
	{"file", LOOK_FILE, "a regular file"},
	{"block", LOOK_BLOCK, "a block device"},
	{"char", LOOK_CHAR, "a character device"},
	{0},
};

/* The kernel's RWH_WRITE_LIFE_*. */
static const struct opt_word open_lives[] = {
	{"none", 1, "no particular one"},
	{"short", 2, NULL},
	{"medium", 3, NULL},
	{"long", 4, NULL},
	{"extreme", 5, NULL},
	{0},
};

struct open_opts {
	int type;
	int life;
	bool pre_read;
	bool atomic;
	bool direct;
	int sync;
	bool invalidate;
	int fadvise;
	bool create_on_open;
	bool allow_create;
	bool allow_mounted;
	int trim_files;
};

static const struct opt_word open_syncs[] = {
	{"none", OPEN_ASYNC, "neither"},
	{"sync", OPEN_SYNC, "O_SYNC: data and all metadata are durable when a write returns"},
	{"dsync", OPEN_DSYNC, "O_DSYNC: data, and what is needed to find it"},
	{"0", OPEN_ASYNC, "the same as none"},
	{"1", OPEN_SYNC, "the same as sync"},
	{0},
};

enum open_trims {
	TRIMS_NONE,
	TRIMS_PUNCH,
};

static const struct opt_word open_trims[] = {
	{"none", TRIMS_NONE, "refuse to trim regular files, as fio does"},
	{"punch", TRIMS_PUNCH, "punch a hole: the file keeps its size and loses the blocks"},
	{0},
};

static const struct opt_word open_hints[] = {
	{"0", HINT_NONE, "none"},
	{"1", HINT_PATTERN, "random or sequential, as rw is"},
	{"random", HINT_RANDOM, "POSIX_FADV_RANDOM"},
	{"sequential", HINT_SEQUENTIAL, "POSIX_FADV_SEQUENTIAL"},
	{"noreuse", HINT_NOREUSE, "POSIX_FADV_NOREUSE"},
	{0},
};

/* buffered: the inverse of direct, in the same place, so that the last wins. */
static int buffered_parse(const struct opt *o, const char *text, void *dst,
	const struct opt_ctx *ctx, struct err *reterr)
{
	bool buffered;
	int rc = opt_bool.parse(o, text, &buffered, ctx, reterr);
	if (rc == 0)
		*(bool *)dst = !buffered;
	return rc;
}

static void buffered_print(const struct opt *o, const void *src, struct str *out)
{
	bool buffered = !*(const bool *)src;
	opt_bool.print(o, &buffered, out);
}

static const struct opt_type open_buffered = {
	.name = "0 or 1",
	.size = sizeof(bool),
	.parse = buffered_parse,
	.print = buffered_print,
};

static const struct opt open_rows[] = {
	{.name = "direct",
		OPT_BOOL(struct open_opts, direct),
		.preset = "0",
		.help = "Go past the page cache (O_DIRECT)"},
	{.name = "buffered",
		OPT_AS(struct open_opts, direct, bool, open_buffered),
		.help = "The inverse of direct; the last of the two wins"},
	{.name = "sync",
		OPT_WORD(struct open_opts, sync),
		.words = open_syncs,
		.preset = "none",
		.help = "Open with O_SYNC or O_DSYNC"},
	{.name = "invalidate",
		OPT_BOOL(struct open_opts, invalidate),
		.preset = "1",
		.help = "Drop what the page cache has of the targets before each pass"},
	{.name = "fadvise_hint",
		OPT_WORD(struct open_opts, fadvise),
		.words = open_hints,
		.preset = "1",
		.help = "What the kernel is told about the pattern"},
	{.name = "write_hint",
		OPT_WORD(struct open_opts, life),
		.words = open_lives,
		.help = "How long what is written is expected to live (F_SET_RW_HINT)"},
	{.name = "pre_read",
		OPT_BOOL(struct open_opts, pre_read),
		.preset = "0",
		.help = "Read the files once before the job, so that the page cache has them"},
	{.name = "atomic",
		OPT_BOOL(struct open_opts, atomic),
		.preset = "0",
		.help = "Writes are whole or not at all (RWF_ATOMIC)"},
	{.name = "filetype",
		OPT_WORD(struct open_opts, type),
		.words = open_types,
		.preset = "none",
		.help = "What the targets are; anything else is an error"},
	{.name = "create_on_open",
		OPT_BOOL(struct open_opts, create_on_open),
		.preset = "0",
		.help = "Lay nothing out; the job makes its files when it opens them"},
	{.name = "allow_file_create",
		OPT_BOOL(struct open_opts, allow_create),
		.preset = "1",
		.help = "0: a missing file is an error"},
	{.name = "allow_mounted_write",
		OPT_BOOL(struct open_opts, allow_mounted),
		.preset = "0",
		.help = "Write to a block device although it is mounted (only when called as fio)"},
	{.name = "trim_files",
		OPT_WORD(struct open_opts, trim_files),
		.words = open_trims,
		.flags = OPT_NATIVE,
		.preset = "none",
		.help = "What a trim does to a regular file: none (refused), punch (makes a hole)"},
};

const struct opt_group open_group = {
	.name = "open",
	.rows = open_rows,
	.count = COUNT_OF(open_rows),
	.size = sizeof(struct open_opts),
};

/* ---- rules ---- */

static bool open_mounted_native(const struct draft *d, const struct plan_worker *w,
	const void *block, struct str *why)
{
	const struct open_opts *o = block;

	(void)w;
	if (!o->allow_mounted || !d->facts->native)
		return false;
	str_add(why,
		"a job can't give this consent itself: it has no effect; give --destroy=TARGET "
		"on the command line");
	return true;
}

static bool open_direct_unknown(const struct draft *d, const struct plan_worker *w,
	const void *block, struct str *why)
{
	const struct open_opts *o = block;

	(void)d;
	if (!o->direct || queue_flags(w) & (ENGINE_DIRECT_OK | ENGINE_NO_FILES))
		return false;
	str_addf(why, "the engine %s goes through the page cache: direct has no effect",
		engine_chain_base(&w->queue.chain)->name);
	return true;
}

static bool open_not_atomic(const struct draft *d, const struct plan_worker *w,
	const void *block, struct str *why)
{
	const struct open_opts *o = block;

	(void)d;
	if (!o->atomic || !w->pattern.use[DIR_WRITE] || queue_flags(w) & ENGINE_ATOMIC)
		return false;
	str_addf(why,
		"the engine %s can't write atomically; use ioengine=pvsync2, libaio or io_uring",
		engine_chain_base(&w->queue.chain)->name);
	return true;
}

static const struct rule open_rules[] = {
	{"atomic", RULE_ERROR, open_not_atomic},
	{"allow_mounted_write", RULE_WARNING, open_mounted_native},
	{"direct", RULE_NOTE, open_direct_unknown},
};

/* ---- derivation ---- */

/* The first size that is no multiple of GRANULE; 0: all are. */
static uint32_t open_odd_size(const struct size_spec *size, uint32_t granule)
{
	for (uint32_t i = 0; i < size->splits_count; i++)
		if (size->splits[i].bytes % granule)
			return size->splits[i].bytes;
	if (size->unaligned)
		return size->min + 1;
	return size->min % granule ? size->min : 0;
}

static const char *open_size_option(const struct size_spec *size)
{
	return size->splits_count ? "bssplit" : size->min < size->max ? "bsrange" : "bs";
}

static int open_check_sizes(const struct plan_worker *w, const struct size_spec *size,
	const struct plan_target *t, struct err *reterr)
{
	uint32_t granule = t->found.logical_block;
	uint32_t odd = open_odd_size(size, granule);

	if (!odd)
		return 0;
	return job_fail(w->job, open_size_option(size), reterr, -EINVAL,
		"%u is not a multiple of %u (the block of \"%s\"); try %" PRIu64 " or direct=0",
		odd, granule, t->path, round_up(odd, granule));
}

/* Past the page cache all that reaches a device is in its blocks. */
static int open_check_direct(const struct plan_worker *w, const struct plan_target *t,
	const struct pattern_region *region, struct err *reterr)
{
	const struct pattern_spec *p = &w->pattern;
	uint32_t granule = t->found.logical_block;

	if (t->found.kind != LOOK_BLOCK || !granule)
		return 0;
	if (replay_on(w))
		return replay_check_direct(w, t, granule, reterr);
	for (int i = 0; i < DIRS; i++) {
		if (!p->use[i])
			continue;
		int rc = open_check_sizes(w, &p->size[i], t, reterr);
		if (rc == 0 && p->sequel)
			rc = open_check_sizes(w, p->sequel, t, reterr);
		if (rc < 0)
			return rc;
		if (p->align[i] % granule)
			return job_fail(w->job, "ba", reterr, -EINVAL,
				"%u is not a multiple of %u (the block of \"%s\"); raise it or use "
				"direct=0",
				p->align[i], granule, t->path);
	}
	if (region->start % granule || (!p->random && p->stride % (int64_t)granule))
		return job_fail(w->job, region->start % granule ? "offset" : "rw", reterr,
			-EINVAL,
			"offsets are not multiples of %u (the block of \"%s\"); round it or use "
			"direct=0",
			granule, t->path);
	if (p->zone_size && (p->zone_range + p->zone_skip) % granule)
		return job_fail(w->job, job_gave(w->job, "zoneskip") ? "zoneskip" : "zonesize",
			reterr, -EINVAL,
			"windows begin at multiples of %" PRIu64
			", which is no multiple of %u (the block of \"%s\"); round it or use direct=0",
			p->zone_range + p->zone_skip, granule, t->path);
	return 0;
}

static int open_check_type(const struct plan_worker *w, const struct open_opts *o,
	const struct plan_target *t, struct err *reterr)
{
	static const char *const names[] = {
		[LOOK_NOTHING] = "not there",
		[LOOK_FILE] = "a regular file",
		[LOOK_BLOCK] = "a block device",
		[LOOK_CHAR] = "a character device",
		[LOOK_DIRECTORY] = "a directory",
		[LOOK_PIPE] = "a pipe",
		[LOOK_OTHER] = "something else",
	};
	bool made = o->type == LOOK_FILE && t->found.kind == LOOK_NOTHING;

	if (o->type == LOOK_NOTHING || (int)t->found.kind == o->type || made)
		return 0;
	return job_fail(w->job, "filetype", reterr, -EINVAL,
		"\"%s\" is %s, not %s; name another or leave filetype out", t->path,
		names[t->found.kind], names[o->type]);
}

/* What goes through a pipe has an order and no offsets. */
static int open_check_pipe(const struct plan_worker *w, const struct plan_target *t,
	struct err *reterr)
{
	const char *engine = engine_chain_base(&w->queue.chain)->name;
	unsigned flags = queue_flags(w);
	bool in_order = !w->pattern.random && !w->pattern.stride;

	if (flags & ENGINE_AT_OFFSET)
		return job_fail(w->job, "ioengine", reterr, -ESPIPE,
			"\"%s\" is a pipe, which has no offsets, and %s reads and writes at one; say "
			"ioengine=sync, with rw=read or rw=write",
			t->path, engine);
	if (flags & ENGINE_NO_EXTEND)
		return job_fail(w->job, "ioengine", reterr, -ENODEV,
			"\"%s\" is a pipe, which can't be mapped; say ioengine=sync, with rw=read or "
			"rw=write",
			t->path);
	if (flags & ENGINE_SEATED && !in_order)
		return job_fail(w->job, "rw", reterr, -ESPIPE,
			"\"%s\" is a pipe: %s can only go through it in order; say rw=read or "
			"rw=write",
			t->path, engine);
	return 0;
}

static int open_check_target(const struct plan_worker *w, const struct open_opts *o,
	const struct plan_target *t, struct err *reterr)
{
	bool file = t->found.kind == LOOK_FILE || t->found.kind == LOOK_NOTHING;
	int rc = open_check_type(w, o, t, reterr);

	if (rc == 0 && t->found.kind == LOOK_PIPE)
		rc = open_check_pipe(w, t, reterr);
	if (rc < 0)
		return rc;
	if (t->found.kind == LOOK_OTHER)
		return job_fail(w->job, job_gave(w->job, "filename") ? "filename" : "name",
			reterr, -ENXIO,
			"\"%s\" is a socket, and none can be opened by its name; name a file, a device "
			"or a pipe",
			t->path);
	if (w->pattern.use[DIR_TRIM] && file && o->trim_files == TRIMS_NONE)
		return job_fail(w->job, replay_on(w) ? "read_iolog" : "rw", reterr, -ENOTTY,
			"%s: \"%s\" is no block device, and only those can be trimmed; name one, "
			"write, or say trim_files=punch to make holes in it",
			w->rw, t->path);
	if (t->found.kind == LOOK_NOTHING && !o->allow_create)
		return job_fail(w->job, "allow_file_create", reterr, -ENOENT,
			"\"%s\" doesn't exist, and allow_file_create=0 forbids making it; make it "
			"first or allow it",
			t->path);
	return 0;
}

static int open_advice(const struct plan_worker *w, int hint)
{
	switch (hint) {
	case HINT_PATTERN:
		return w->pattern.random ? POSIX_FADV_RANDOM : POSIX_FADV_SEQUENTIAL;
	case HINT_RANDOM:
		return POSIX_FADV_RANDOM;
	case HINT_SEQUENTIAL:
		return POSIX_FADV_SEQUENTIAL;
	case HINT_NOREUSE:
		return POSIX_FADV_NOREUSE;
	default:
		return -1;
	}
}

static int open_derive(struct draft *d, struct plan_worker *w, const void *block,
	struct err *reterr)
{
	const struct open_opts *o = block;
	bool files = !(queue_flags(w) & ENGINE_NO_FILES);
	bool direct = o->direct && queue_flags(w) & ENGINE_DIRECT_OK;
	uint32_t granule = (uint32_t)MAX_OF(d->facts->page_bytes, UINT64_C(512));

	for (uint32_t k = 0; k < w->files.count && files; k++) {
		struct plan_target *t = targets_at(d->targets, w->files.targets[k]);
		int rc = open_check_target(w, o, t, reterr);
		if (rc == 0 && direct)
			rc = open_check_direct(w, t, &w->pattern.regions[k], reterr);
		if (rc < 0)
			return rc;
		if (direct)
			granule = MAX_OF(granule, t->found.logical_block);
		t->create |= o->allow_create;
		/* All who write must agree; who writes first decides alone. */
		bool allowed = o->allow_mounted && !d->facts->native;
		bool others = t->written || t->trimmed;
		if (pattern_writes(&w->pattern))
			t->allow_mounted = allowed && (!others || t->allow_mounted);
	}
	w->files.create_on_open = o->create_on_open;
	w->files.how = (struct target_how){
		.read = true, /* a mapping for writing needs it, and fio opens so */
		.write = pattern_writes(&w->pattern),
		.direct = direct,
		.sync = o->sync == OPEN_SYNC,
		.dsync = o->sync == OPEN_DSYNC,
		.create = o->allow_create && (w->pattern.use[DIR_WRITE] || o->create_on_open),
		.invalidate = o->invalidate && !o->pre_read,
		.life = o->life,
		.advice = open_advice(w, o->fadvise),
	};
	w->files.pre_read = o->pre_read && files;
	w->queue.atomic = o->atomic && w->pattern.use[DIR_WRITE];
	w->queue.direct = direct;
	queue_size_buffers(w, granule);
	return 0;
}

const struct part open_part = {
	.group = &open_group,
	.rules = open_rules,
	.rules_count = COUNT_OF(open_rules),
	.derive = open_derive,
};
