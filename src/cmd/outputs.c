/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "cmd/outputs.h"

#include "base/arena.h"
#include "base/err.h"
#include "base/scope.h"
#include "base/str.h"
#include "cmd/flags.h"
#include "job/job.h"
#include "plan/plan.h"
#include "run/logs/total.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Who writes a file: an option of a job, or a flag (job NULL). */
struct outputs_file {
	const char *path;
	const char *option;
	const struct job *job;
	bool shared; /* others may write it, too, if they know of it          */
	dev_t dev;
	ino_t inode;
	const char *name; /* in the folder INODE; NULL: INODE is the file          */
	size_t order;
};

struct outputs {
	struct arena arena;
	struct outputs_file *files;
	size_t count;
};

static void outputs_done(struct outputs *o)
{
	arena_done(&o->arena);
}

/* Where PATH is, or will be. False: nothing that could be written over. */
static bool outputs_locate(struct outputs *o, struct outputs_file *f)
{
	const char *slash = strrchr(f->path, '/');
	const char *folder = !slash             ? "."
			     : slash == f->path ? "/"
						: arena_printf(&o->arena, "%.*s",
							  (int)(slash - f->path), f->path);
	struct stat st;

	if (stat(f->path, &st) < 0) {
		f->name = slash ? slash + 1 : f->path;
		if (!folder || stat(folder, &st) < 0)
			return false;
	} else if (!S_ISREG(st.st_mode)) {
		return false;
	}
	f->dev = st.st_dev;
	f->inode = st.st_ino;
	return true;
}

static void outputs_add(struct outputs *o, struct outputs_file f)
{
	f.order = o->count;
	if (f.path && strcmp(f.path, "-") != 0 && outputs_locate(o, &f))
		o->files[o->count++] = f;
}

static void outputs_of_worker(struct outputs *o, const struct plan_worker *w)
{
	for (int k = 0; k < PLAN_LOGS; k++)
		outputs_add(o, (struct outputs_file){
				       .path = w->log.path[k],
				       .option = plan_log_names[k].option,
				       .job = w->job,
				       .shared = w->log.append && k < PLAN_LOG_BINARY,
			       });
}

static int outputs_gather(struct outputs *o, const struct plan *plan, const struct flags *flags,
	struct err *reterr)
{
	size_t most = 3 + DIRS + (size_t)plan->workers_count * PLAN_LOGS;

	o->files = arena_array(&o->arena, most, sizeof(*o->files));
	if (!o->files)
		return err_set(reterr, -ENOMEM, "out of memory for the names of outputs");
	outputs_add(o, (struct outputs_file){.path = flags->output, .option = "--output"});
	outputs_add(o, (struct outputs_file){.path = flags->stream, .option = "--stream"});
	outputs_add(o,
		(struct outputs_file){.path = flags->metrics, .option = "--metrics-file"});
	for (int d = 0; d < DIRS && flags->bandwidth_log; d++) {
		scope_mem char *path = log_total_path(flags->bandwidth_log, (enum dir)d);
		outputs_add(o, (struct outputs_file){
				       .path = path ? arena_text(&o->arena, path) : NULL,
				       .option = "--bandwidth-log",
			       });
	}
	for (uint32_t i = 0; i < plan->workers_count; i++)
		if (plan->workers[i].log.any)
			outputs_of_worker(o, &plan->workers[i]);
	return 0;
}

static int outputs_order(const void *va, const void *vb)
{
	const struct outputs_file *a = va, *b = vb;

	if (a->dev != b->dev)
		return a->dev < b->dev ? -1 : 1;
	if (a->inode != b->inode)
		return a->inode < b->inode ? -1 : 1;
	int names = strcmp(a->name ? a->name : "", b->name ? b->name : "");
	return names ? names : a->order < b->order ? -1 : 1;
}

static bool outputs_same(const struct outputs_file *a, const struct outputs_file *b)
{
	return a->dev == b->dev && a->inode == b->inode &&
	       strcmp(a->name ? a->name : "", b->name ? b->name : "") == 0 &&
	       !(a->shared && b->shared);
}

static int outputs_refuse(const struct outputs_file *first, const struct outputs_file *second,
	struct err *reterr)
{
	scope_with(str_done) struct str other = {0};
	const struct opt_where *at = first->job ? job_where(first->job, first->option) : NULL;

	if (first->job)
		str_addf(&other, "[%s] ", first->job->name);
	str_add(&other, first->option);
	if (at && at->file)
		str_addf(&other, " (%s:%u)", at->file, at->line);
	if (second->job)
		return job_fail(second->job, second->option, reterr, -EEXIST,
			"%s is written by %s, too, and one would overwrite the other; name another "
			"file",
			second->path, str_text(&other));
	return err_set(reterr, -EEXIST,
		"%s: %s is written by %s, too, and one would overwrite the other; name another file",
		second->option, second->path, str_text(&other));
}

int outputs_check(const struct plan *plan, const struct flags *flags, struct err *reterr)
{
	scope_with(outputs_done) struct outputs o = {0};
	int rc = outputs_gather(&o, plan, flags, reterr);

	if (rc < 0 || o.count < 2)
		return rc;
	qsort(o.files, o.count, sizeof(*o.files), outputs_order);
	for (size_t i = 1; i < o.count; i++)
		if (outputs_same(&o.files[i - 1], &o.files[i]))
			return outputs_refuse(&o.files[i - 1], &o.files[i], reterr);
	return 0;
}
