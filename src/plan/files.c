/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Which files and devices a worker uses, and in which turn. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/bits.h"
#include "base/err.h"
#include "base/str.h"
#include "plan/draft.h"
#include "plan/spread.h"

enum files_service {
	SERVICE_ROUNDROBIN = PATTERN_ROUNDROBIN,
	SERVICE_SEQUENTIAL = PATTERN_SEQUENTIAL,
	SERVICE_RANDOM = PATTERN_RANDOM_FILE,
	SERVICE_ZIPF,
	SERVICE_PARETO,
	SERVICE_NORMAL,
};

struct files_opts {
	struct opt_names directory;
	struct opt_names filename;
	const char *format;
	uint32_t nrfiles;
	uint32_t openfiles;
	struct opt_word_arg service;
	bool unique;
	int lock;
	const char *scheduler;
	const char *opendir;
};

static const struct opt_word files_locks[] = {
	{"none", LOCK_NONE, "no lock"},
	{"exclusive", LOCK_EXCLUSIVE, "one request at a time, of all jobs that share the file"},
	{"readwrite", LOCK_READWRITE, "the same, but reads don't exclude one another"},
	{0},
};

static const struct opt_word files_services[] = {
	{"roundrobin", SERVICE_ROUNDROBIN, "one after another, roundrobin[:N] requests each"},
	{"sequential", SERVICE_SEQUENTIAL, "finish a file before the next"},
	{"random", SERVICE_RANDOM, "any that is not finished, random[:N] requests each"},
	{"zipf", SERVICE_ZIPF, "zipf[:THETA[:CENTER]]; a finished file begins again"},
	{"pareto", SERVICE_PARETO, "pareto[:H[:CENTER]]; likewise"},
	{"normal", SERVICE_NORMAL, "normal[:DEVIATION[:CENTER]]; likewise"},
	{"gauss", SERVICE_NORMAL, "the same as normal"},
	{0},
};

static const struct opt files_rows[] = {
	{.name = "directory",
		OPT_NAMES(struct files_opts, directory),
		.help = "Where files are; of several (a:b) generated files take turns"},
	{.name = "filename",
		OPT_NAMES(struct files_opts, filename),
		.flags = OPT_LATE | OPT_GATHER,
		.help = "Files or devices to use (a:b); shared by the clones"},
	{.name = "filename_format",
		OPT_TEXT(struct files_opts, format),
		.flags = OPT_LATE,
		.preset = "$jobname.$jobnum.$filenum",
		.help = "How generated names are made: $jobname, $jobnum, $filenum"},
	{.name = "nrfiles",
		.alias = {"nr_files"},
		OPT_U32(struct files_opts, nrfiles),
		.max = LIMIT_FILES,
		.preset = "1",
		.help = "Files of each worker"},
	{.name = "openfiles",
		OPT_U32(struct files_opts, openfiles),
		.max = LIMIT_FILES,
		.help = "Use only so many files at a time; 0: all"},
	{.name = "file_service_type",
		OPT_WORD_ARG(struct files_opts, service),
		.words = files_services,
		.preset = "roundrobin",
		.help = "Which file the next request goes to"},
	{.name = "opendir",
		OPT_TEXT(struct files_opts, opendir),
		.help = "Use all regular files below this directory, too"},
	{.name = "lockfile",
		OPT_WORD(struct files_opts, lock),
		.words = files_locks,
		.preset = "none",
		.help = "Lock the file around each request, among the jobs of this run"},
	{.name = "ioscheduler",
		OPT_TEXT(struct files_opts, scheduler),
		.help = "I/O scheduler of the files' disks during the run (needs root)"},
	{.name = "unique_filename",
		OPT_BOOL(struct files_opts, unique),
		.help = "Put the client's address into generated names",
		.harmless = {"1"},
		.no_effect = "on one host this changes nothing"},
};

const struct opt_group files_group = {
	.name = "files",
	.rows = files_rows,
	.count = COUNT_OF(files_rows),
	.size = sizeof(struct files_opts),
};

/* ---- rules ---- */

static bool files_no_directory(const struct draft *d, const struct plan_worker *w,
	const void *block, struct str *why)
{
	const struct files_opts *o = block;

	(void)w;
	for (size_t i = 0; i < o->directory.count; i++) {
		struct look found;
		d->facts->look(d->facts->look_ctx, o->directory.v[i], &found);
		bool wrong = found.kind == LOOK_NOTHING || found.kind == LOOK_FILE;
		if (!wrong) /* of what is in a device, files_usable() complains */
			continue;
		str_addf(why, "\"%s\" %s; make it (mkdir -p) or name another",
			o->directory.v[i],
			found.kind == LOOK_NOTHING ? "doesn't exist" : "is not a directory");
		return true;
	}
	return false;
}

/* A path with colons, as those in /dev/disk/by-path: they separate names. */
static const char *files_whole(const struct draft *d, const struct job_given *given,
	size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const char *value = given[i].value, *colon = strchr(value, ':');
		struct look whole, first;
		char piece[256];
		if (strcmp(given[i].name, "filename") != 0 || !colon ||
			(size_t)(colon - value) >= sizeof(piece))
			continue;
		snprintf(piece, sizeof(piece), "%.*s", (int)(colon - value), value);
		d->facts->look(d->facts->look_ctx, value, &whole);
		d->facts->look(d->facts->look_ctx, piece, &first);
		if (whole.kind != LOOK_NOTHING && first.kind == LOOK_NOTHING)
			return value;
	}
	return NULL;
}

static bool files_split_path(const struct draft *d, const struct plan_worker *w,
	const void *block, struct str *why)
{
	const struct job *job = w->job;

	(void)block;
	const char *whole = files_whole(d, job->given, job->given_count);
	if (!whole)
		whole = files_whole(d, job->globals, job->globals_count);
	if (!whole)
		return false;
	str_addf(why,
		"\"%.200s\" exists, but ':' separates names: these are several files; write "
		"\\: for each colon of a name",
		whole);
	return true;
}

static bool files_lock_depth(const struct draft *d, const struct plan_worker *w,
	const void *block, struct str *why)
{
	const struct files_opts *o = block;

	(void)d;
	if (o->lock == LOCK_NONE || w->queue.depth == 1)
		return false;
	str_addf(why, "a lock is held around each request, so one is in flight, not %u",
		w->queue.depth);
	return true;
}

static const struct rule files_rules[] = {
	{"lockfile", RULE_NOTE, files_lock_depth},
	{"directory", RULE_ERROR, files_no_directory},
	{"filename", RULE_WARNING, files_split_path},
};

/* ---- names ---- */

/* "$jobname.$jobnum.$filenum", any case; what is not a known word stays. */
static const char *files_expand(struct draft *d, const struct plan_worker *w,
	const char *format, const char *directory, uint32_t file)
{
	struct str s = {0};

	if (directory)
		str_addf(&s, "%s/", directory);
	for (const char *p = *format ? format : "$jobname.$jobnum.$filenum"; *p;) {
		if (!strncasecmp(p, "$jobname", 8)) {
			str_add(&s, w->job->section);
			p += 8;
		} else if (!strncasecmp(p, "$jobnum", 7)) {
			str_addf(&s, "%u", w->clone);
			p += 7;
		} else if (!strncasecmp(p, "$filenum", 8)) {
			str_addf(&s, "%u", file);
			p += 8;
		} else if (!strncasecmp(p, "$clientuid", 10)) {
			p += 10; /* of runs on several hosts: empty on one */
		} else {
			str_add_char(&s, *p++);
		}
	}
	const char *out = s.failed ? NULL : arena_text(&d->plan->arena, str_text(&s));
	str_done(&s);
	return out;
}

/* A job that is called like a device uses it. */
static bool files_is_device(const struct draft *d, const char *name)
{
	struct look found;

	d->facts->look(d->facts->look_ctx, name, &found);
	return found.kind == LOOK_BLOCK || found.kind == LOOK_CHAR;
}

/* What opendir found. */
struct files_found {
	struct draft *d;
	const char **v;
	uint32_t count, room;
	bool failed;
};

static bool files_found_one(void *arg, const char *path)
{
	struct files_found *f = arg;

	if (f->count == f->room) {
		uint32_t room = f->room ? f->room * 2 : 64;
		const char **more = arena_array(&f->d->plan->arena, room, sizeof(*more));
		if (more && f->count)
			memcpy(more, f->v, f->count * sizeof(*more));
		f->failed = !more;
		if (f->failed)
			return false;
		f->v = more;
		f->room = room;
	}
	f->v[f->count] = arena_text(&f->d->plan->arena, path);
	f->failed = !f->v[f->count];
	return !f->failed && ++f->count < LIMIT_FILES;
}

static int files_find(struct draft *d, const struct plan_worker *w, const char *dir,
	struct files_found *f, struct err *reterr)
{
	f->d = d;
	int rc = d->facts->walk ? d->facts->walk(d->facts->look_ctx, dir, files_found_one, f)
				: 0;
	if (f->failed)
		return err_set(reterr, -ENOMEM, "out of memory for the files below %s", dir);
	if (rc < 0)
		return job_fail(w->job, "opendir", reterr, rc, "\"%s\": %s", dir,
			strerror(-rc));
	if (!f->count)
		return job_fail(w->job, "opendir", reterr, -ENOENT,
			"there is no regular file below \"%s\"", dir);
	return 0;
}

static const char *files_path(struct draft *d, const struct plan_worker *w,
	const struct files_opts *o, const struct files_found *found, uint32_t file)
{
	const struct opt_names *dirs = &o->directory;

	if (found->count && file >= o->filename.count)
		return found->v[file - o->filename.count];
	if (!o->filename.count) {
		const char *dir = dirs->count ? dirs->v[w->clone % dirs->count] : NULL;
		if (!dir && o->nrfiles == 1 && !(queue_flags(w) & ENGINE_NO_FILES) &&
			files_is_device(d, w->job->section))
			return w->job->section;
		return files_expand(d, w, o->format, dir, file);
	}
	if (!dirs->count)
		return o->filename.v[file];
	return arena_printf(&d->plan->arena, "%s/%s", dirs->v[0], o->filename.v[file]);
}

/* ---- derivation ---- */

static int files_usable(struct draft *d, const struct plan_worker *w, uint32_t index,
	struct err *reterr)
{
	const struct plan_target *t = targets_at(d->targets, index);
	const char *option = job_gave(w->job, "filename") ? "filename" : "name";

	if (t->found.error)
		return job_fail(w->job, option, reterr, t->found.error,
			"can't look at \"%s\": %s", t->path, strerror(-t->found.error));
	if (t->found.kind == LOOK_DIRECTORY)
		return job_fail(w->job, option, reterr, -EISDIR,
			"\"%s\" is a directory; for files in it use directory=%s", t->path,
			t->path);
	return 0;
}

static int files_list(struct draft *d, struct plan_worker *w, const struct files_opts *o,
	const struct files_found *found, uint32_t count, struct err *reterr)
{
	bool look = !(queue_flags(w) & ENGINE_NO_FILES);
	uint32_t *list = draft_alloc(d, count, sizeof(*list), reterr);

	if (!list)
		return -ENOMEM;
	for (uint32_t i = 0; i < count; i++) {
		const char *path = files_path(d, w, o, found, i);
		int64_t index = path ? targets_add(d->targets, path, look, d->facts) : -ENOMEM;
		if (index < 0)
			return err_set(reterr, (int)index, "out of memory for %u files", count);
		int rc = look ? files_usable(d, w, (uint32_t)index, reterr) : 0;
		if (rc < 0)
			return rc;
		list[i] = (uint32_t)index;
	}
	w->files.targets = list;
	return 0;
}

/* zipf:1.2, normal:20:0.5, ... */
static int files_spread(struct plan_worker *w, const struct files_opts *o, struct err *reterr)
{
	static const enum spread_kind kinds[] = {
		[SERVICE_ZIPF] = SPREAD_ZIPF,
		[SERVICE_PARETO] = SPREAD_PARETO,
		[SERVICE_NORMAL] = SPREAD_NORMAL,
	};
	struct pattern_spec *p = &w->pattern;
	struct err e;

	int rc = spread_read(kinds[o->service.word], o->service.arg, &p->file_spread, &e);
	if (rc < 0)
		return job_fail(w->job, "file_service_type", reterr, rc, "%s", e.text);
	p->files = PATTERN_SPREAD_FILE;
	p->files_every = 1;
	if (p->file_spread.kind == SPREAD_ZIPF && p->file_spread.a == 0)
		p->files = PATTERN_RANDOM_FILE; /* zipf without skew */
	return 0;
}

/* roundrobin:8, random:8 */
static int files_turns(struct plan_worker *w, const struct files_opts *o, struct err *reterr)
{
	uint64_t every = 1;
	struct err e;

	if (o->openfiles < w->files.count)
		w->files.open_max = o->openfiles;
	if (o->service.word >= SERVICE_ZIPF)
		return files_spread(w, o, reterr);
	if (o->service.arg &&
		(opt_read_u64(o->service.arg, &every, &e) < 0 || !every || every > UINT32_MAX))
		return job_fail(w->job, "file_service_type", reterr, -EINVAL,
			"\"%s\" is no number of requests; write roundrobin:8, say",
			o->service.arg);
	w->pattern.files = (enum pattern_files)o->service.word;
	w->pattern.files_every = (uint32_t)every;
	w->pattern.files_open = w->files.open_max;
	return 0;
}

static int files_derive(struct draft *d, struct plan_worker *w, const void *block,
	struct err *reterr)
{
	const struct files_opts *o = block;
	bool named = o->filename.count || o->opendir;
	struct files_found found = {0};
	int rc = 0;

	if (o->opendir && draft_is_first(d, w) && !replay_on(w))
		rc = files_find(d, w, o->opendir, &found, reterr);
	if (rc < 0)
		return rc;
	w->files.lock = (enum plan_lock)o->lock;
	w->files.scheduler = o->scheduler;
	if (replay_on(w))
		return replay_files(d, w, reterr);
	w->files.count = o->nrfiles;
	if (named) {
		w->files.count = draft_is_first(d, w)
					 ? (uint32_t)MIN_OF(o->filename.count + found.count,
						   (size_t)LIMIT_FILES)
					 : draft_first(d, w)->files.count;
		if (job_gave(w->job, "nrfiles"))
			w->files.count = MIN_OF(w->files.count, o->nrfiles);
	}
	if (named && !draft_is_first(d, w))
		w->files.targets = draft_first(d, w)->files.targets;
	else
		rc = files_list(d, w, o, &found, w->files.count, reterr);
	return rc < 0 ? rc : files_turns(w, o, reterr);
}

const struct part files_part = {
	.group = &files_group,
	.rules = files_rules,
	.rules_count = COUNT_OF(files_rules),
	.derive = files_derive,
};
