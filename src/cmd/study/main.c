/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* The verb `study`: an experiment, from its file to one comparison. */
#include "cmd/cmd.h"

#include "base/err.h"
#include "base/limits.h"
#include "base/scope.h"
#include "base/str.h"
#include "cmd/again.h"
#include "cmd/output.h"
#include "cmd/report_file.h"
#include "cmd/say.h"
#include "cmd/study/work.h"
#include "sys/clock.h"

#include <errno.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- which variants ---- */

static int variant_named(const struct study *s, const char *name, uint32_t *ret,
	struct err *reterr)
{
	for (*ret = 0; *ret < s->variants_count; ++*ret)
		if (strcmp(s->variants[*ret].name, name) == 0)
			return 0;
	scope_with(str_done) struct str names = {0};
	for (uint32_t i = 0; i < s->variants_count; i++)
		str_addf(&names, "%s%s", i ? ", " : "", s->variants[i].name);
	return err_set(reterr, -EINVAL, "study: --variant=%s: there is none; %s has %s", name,
		s->path, str_text(&names));
}

static bool fits_kernel(const struct study_work *w, const struct study_part *v)
{
	return !v->kernel || fnmatch(v->kernel, w->host.release, 0) == 0;
}

/* Those that were named; each must fit. */
static int choose_named(struct study_work *w, struct err *reterr)
{
	for (size_t i = 0; i < w->flags.variants_count; i++) {
		uint32_t v;
		if (variant_named(&w->study, w->flags.variants[i], &v, reterr) < 0)
			return -EINVAL;
		const struct study_part *part = &w->study.variants[v];
		if (!fits_kernel(w, part))
			return err_set(reterr, -EINVAL,
				"%s:%u: variant %s is for kernel %s, and this is %s: boot that one",
				w->study.path, part->kernel_line, part->name, part->kernel,
				w->host.release);
		w->wanted[v] = true;
	}
	return 0;
}

/* All that fit this kernel; the others have their turn after a reboot. */
static int choose_fitting(struct study_work *w, struct err *reterr)
{
	bool any = false;

	for (uint32_t v = 0; v < w->study.variants_count; v++) {
		const struct study_part *part = &w->study.variants[v];
		any |= w->wanted[v] = fits_kernel(w, part);
		if (!w->wanted[v] && !w->flags.report && !w->flags.dry_run)
			say_line("variant %s is for kernel %s, and this is %s: it is left for "
				 "later",
				part->name, part->kernel, w->host.release);
	}
	if (any || w->flags.report)
		return 0;
	return err_set(reterr, -EINVAL, "%s: no variant is for this kernel, %s", w->study.path,
		w->host.release);
}

static int variants_choose(struct study_work *w, struct err *reterr)
{
	return w->flags.variants_count ? choose_named(w, reterr) : choose_fitting(w, reterr);
}

/* ---- opening ---- */

static int file_read(struct study_work *w, struct str *text, struct err *reterr)
{
	const char *path = w->flags.file;
	int rc = report_file_text(path, LIMIT_JOB_FILE, text, reterr);

	if (rc == 0)
		rc = study_read(path, str_text(text), text->len, &w->study, reterr);
	if (rc == 0)
		rc = study_flags_apply(&w->flags, &w->study, reterr);
	return rc;
}

static void seed_choose(struct study_work *w)
{
	uint64_t *seed = &w->index.seed;

	if (w->flags.seeded)
		*seed = w->flags.seed;
	else if (w->study.seeded)
		*seed = w->study.seed;
	else if (getrandom(seed, sizeof(*seed), 0) != sizeof(*seed))
		*seed = clock_wall_ms();
	if (!w->flags.seeded && !w->study.seeded)
		*seed &= UINT32_MAX; /* short enough to be typed */
}

/* The one that was begun is the one that goes on. */
static int check_same(struct study_work *w, uint64_t fingerprint, struct err *reterr)
{
	const char *what = NULL;

	if (fingerprint != w->index.fingerprint)
		what = "the study or one of its job files has changed since";
	else if (w->flags.seeded && w->flags.seed != w->index.seed)
		what = "it was begun with another seed";
	if (!what)
		return 0;
	return err_set(reterr, -EINVAL,
		"%s: %s; --fresh begins anew (and removes the results), --output-dir=DIR leaves "
		"them",
		w->index.dir, what);
}

/* The last rounds are kept: they are only not looked at. */
static int check_rounds(struct study_work *w, struct err *reterr)
{
	if (w->study.repeats >= w->index.rounds || w->flags.report)
		return 0;
	return err_set(reterr, -EINVAL,
		"%s: has %" PRIu32 " repeats, more than %" PRIu32 "; --repeats=%" PRIu32
		" or more goes on, --report --repeats=%" PRIu32 " looks at the first",
		w->index.dir, w->index.rounds, w->study.repeats, w->index.rounds,
		w->study.repeats);
}

static int order_open(struct study_work *w, struct err *reterr)
{
	uint64_t fingerprint;
	int rc = study_fingerprint(&w->study, &fingerprint, reterr);

	if (rc == 0 && w->index.there)
		rc = check_same(w, fingerprint, reterr);
	if (rc == 0 && w->index.there)
		rc = check_rounds(w, reterr);
	if (rc < 0)
		return rc;
	if (!w->index.there)
		seed_choose(w);
	w->index.fingerprint = fingerprint;
	if (order_make(&w->study, w->index.seed, &w->order) < 0)
		return err_set(reterr, -ENOMEM, "out of memory");
	return index_apply(&w->index, &w->order, reterr);
}

/* The index holds commands: those of somebody else are not run. */
static int check_owner(const struct study_work *w, struct err *reterr)
{
	char path[PATH_MAX];
	struct stat st;
	int len = snprintf(path, sizeof(path), "%s/study.json", w->index.dir);

	if (len >= PATH_MAX || stat(path, &st) < 0)
		return err_sys(reterr, -errno, "%s", w->index.dir);
	if (st.st_uid == geteuid())
		return 0;
	return err_set(reterr, -EPERM,
		"%s: variant %s is still set up, and the teardown in this file is another user's (uid "
		"%u): that one starts weir study again, or name another --output-dir=DIR",
		path, w->index.active.variant, st.st_uid);
}

/* What was set up when it died is torn down, whatever comes now. */
static int stale_teardown(struct study_work *w, struct err *reterr)
{
	if (!w->index.active.is)
		return 0;
	if (check_owner(w, reterr) < 0)
		return -EPERM;
	say_line("variant %s is still set up: torn down first", w->index.active.variant);
	struct study_env *env = env_copy(reterr);
	if (!env)
		return -ENOMEM;
	int rc = env_put(w->index.active.env);
	rc = rc < 0 ? err_set(reterr, rc, "out of memory") : work_teardown(w, reterr);
	env_end(env);
	return rc;
}

/* ---- ends ---- */

static bool all_done(const struct study_work *w)
{
	for (uint32_t i = 0; i < w->order.runs_count; i++)
		if (w->order.runs[i].status != RUN_DONE &&
			w->wanted[w->order.configs[w->order.runs[i].config].variant])
			return false;
	return true;
}

static bool any_done(const struct study_work *w)
{
	for (uint32_t i = 0; i < w->order.runs_count; i++)
		if (w->order.runs[i].status == RUN_DONE)
			return true;
	return false;
}

static int report_only(struct study_work *w)
{
	struct err err;
	if (!w->index.there)
		err_set(&err, -ENOENT, "%s: no study was begun there", w->flags.dir);
	else if (study_report(w, &err) == 0)
		return STATUS_OK;
	return say_status(STATUS_REFUSED, "%s", err.text);
}

static int finish(struct study_work *w, int rc, struct err *err)
{
	if (rc < 0)
		say_line("%s", err->text);
	if (again_stopped())
		return say_status(STATUS_SIGNAL,
			"stopped; the same command goes on, with --report it compares what is "
			"there");
	if (any_done(w) && study_report(w, err) < 0) {
		say_line("%s", err->text);
		rc = -EIO;
	}
	return rc < 0 ? STATUS_REFUSED : all_done(w) ? STATUS_OK : STATUS_DOUBTFUL;
}

/* ---- the verb ---- */

static int work(struct study_work *w, const struct str *text)
{
	struct err err;
	int rc = configs_check(w, &err);

	if (rc < 0)
		return say_status(STATUS_REFUSED, "%s", err.text);
	if (w->flags.dry_run)
		rc = study_dry_run(w, &err);
	else if (!w->index.there)
		rc = index_file_write(&w->index, "study.weir", text, &err);
	if (rc < 0)
		say_line("%s", err.text);
	if (rc < 0 || w->flags.dry_run)
		return rc < 0 ? STATUS_REFUSED : STATUS_OK;
	if (all_done(w))
		say_line("all runs are done: --repeats=N adds some, --fresh begins anew");
	rc = work_runs(w, &err);
	return finish(w, rc, &err);
}

/* Read the study, open its directory.  The index is there, too, where nothing was begun and
 * only a look is wanted. */
static int open_all(struct study_work *w, struct str *text, struct err *reterr)
{
	bool look = w->flags.dry_run || w->flags.report;
	int rc = file_read(w, text, reterr);

	if (rc == 0)
		rc = variants_choose(w, reterr);
	if (rc == 0 && (!look || access(w->flags.dir, F_OK) == 0))
		rc = index_open(&w->index, w->flags.dir, !look, reterr);
	else if (rc == 0)
		snprintf(w->index.dir, sizeof(w->index.dir), "%s", w->flags.dir);
	if (rc == 0 && !look)
		rc = stale_teardown(w, reterr);
	if (rc == 0 && w->flags.fresh && w->index.there)
		rc = index_remove(&w->index, reterr);
	return rc < 0 ? rc : order_open(w, reterr);
}

static int study_all(struct study_work *w, const struct cmd_call *call)
{
	scope_with(str_done) struct str text = {0};
	struct err err;

	uname(&w->host);
	if (study_flags_read(&w->flags, call->argc, call->argv, &err) < 0)
		return say_status(STATUS_REFUSED, "%s", err.text);
	again_begin();
	if (open_all(w, &text, &err) < 0) {
		say_line("%s", err.text);
		return again_stopped() ? STATUS_SIGNAL : STATUS_REFUSED;
	}
	return w->flags.report ? report_only(w) : work(w, &text);
}

int cmd_study(const struct cmd_call *call)
{
	struct study_work *w = calloc(1, sizeof(*w));

	if (!w || call->argc < 1) {
		(void)output_write(STDERR_FILENO, study_usage, strlen(study_usage));
		free(w);
		return STATUS_REFUSED;
	}
	w->index.lock_fd = -1;
	int status = study_all(w, call);
	order_done(&w->order);
	index_close(&w->index);
	study_done(&w->study);
	study_flags_done(&w->flags);
	free(w);
	return status;
}
