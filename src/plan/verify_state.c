/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* The state of a verification: where it is told while a job writes, and which one a job reads
 * back.  Of one that is read back the plan looks at the head only: whose it is. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/bits.h"
#include "base/err.h"
#include "base/json.h"
#include "base/str.h"
#include "plan/draft.h"
#include "plan/show.h"

struct state_opts {
	const char *path;
	bool durable;
	uint64_t atomic;
	const char *resume;
	const char *target;
	int policy;
	bool save, load;
};

static const struct opt_word state_policies[] = {
	{"completed", POLICY_COMPLETED,
		"all writes that came back must be there: only the program ended"},
	{"fsynced", POLICY_FSYNCED, "only what was synced: the machine or disk lost power"},
	{0},
};

static const struct opt state_rows[] = {
	{.name = "verify_state",
		OPT_TEXT(struct state_opts, path),
		.flags = OPT_NATIVE,
		.help = "Tell this file, while the job runs, what is written and synced; for "
			"--verify-resume"},
	{.name = "verify_state_sync",
		OPT_BOOL(struct state_opts, durable),
		.preset = "0",
		.flags = OPT_NATIVE,
		.help = "Write the state file with O_DSYNC: for a power cut of the whole machine"},
	{.name = "verify_atomic",
		OPT_BYTES(struct state_opts, atomic),
		.min = 512,
		.max = LIMIT_BLOCK,
		.preset = "4k",
		.flags = OPT_NATIVE,
		.help = "So many bytes the device writes whole or not at all; a larger unit may be a "
			"mixture after a power cut"},
	{.name = "verify_resume",
		OPT_TEXT(struct state_opts, resume),
		.flags = OPT_NATIVE,
		.help = "Read back all that this state file says was written, and check it; the job "
			"writes nothing"},
	{.name = "verify_target",
		OPT_TEXT(struct state_opts, target),
		.flags = OPT_NATIVE,
		.help = "What the state file calls this job's file, if it has another name here"},
	{.name = "verify_policy",
		OPT_WORD(struct state_opts, policy),
		.words = state_policies,
		.preset = "completed",
		.help = "Which writes of a state must be there"},
	{.name = "verify_state_save",
		OPT_BOOL(struct state_opts, save),
		.preset = "0",
		.help = "Tell the file local-JOB-N-verify.state what is written and synced"},
	{.name = "verify_state_load",
		OPT_BOOL(struct state_opts, load),
		.preset = "0",
		.help = "Check what local-JOB-N-verify.state says; for jobs that only read, or "
			"verify_only"},
};

const struct opt_group verify_state_group = {
	.name = "verify_state",
	.rows = state_rows,
	.count = COUNT_OF(state_rows),
	.size = sizeof(struct state_opts),
};

/* ---- rules ---- */

static bool state_untold(const struct draft *d, const struct plan_worker *w, const void *block,
	struct str *why)
{
	const struct state_opts *o = block;

	(void)d;
	if (!o->path || (w->verify.stamps && !w->verify.phantom))
		return false;
	str_add(why, "there is nothing to tell: the job must write, with verify=crc32c, say");
	return true;
}

static bool state_writes(const struct draft *d, const struct plan_worker *w, const void *block,
	struct str *why)
{
	const struct state_opts *o = block;

	(void)d;
	if (!o->resume || !pattern_writes(&w->pattern))
		return false;
	str_add(why, "a job that reads back what a state says writes nothing; use rw=read");
	return true;
}

static bool state_load_writes(const struct draft *d, const struct plan_worker *w,
	const void *block, struct str *why)
{
	const struct state_opts *o = block;

	(void)d;
	if (!o->load || !pattern_writes(&w->pattern) || w->verify.phantom)
		return false;
	str_add(why,
		"a job that reads back what a state says writes nothing; use verify_only, or "
		"rw=read");
	return true;
}

static const struct rule state_rules[] = {
	{"verify_state", RULE_ERROR, state_untold},
	{"verify_resume", RULE_ERROR, state_writes},
	{"verify_state_load", RULE_ERROR, state_load_writes},
};

/* ---- derivation ---- */

/* fio's name for W's state. */
static const char *state_local(struct draft *d, const struct plan_worker *w, struct err *reterr)
{
	const char *dir = d->facts->aux_path;
	const char *path = arena_printf(&d->plan->arena, "%s%slocal-%s-%u-verify.state",
		dir ? dir : "", dir ? "/" : "", w->name, w->clone);

	if (!path)
		err_set(reterr, -ENOMEM, "out of memory for the name of a state file");
	return path;
}

/* The state at PATH, looked at once for all jobs. */
static int state_open(struct draft *d, const struct plan_worker *w, const char *option,
	const char *path, bool completed, struct plan_resume **ret, struct err *reterr)
{
	struct plan_resume *r;
	struct err e;

	for (r = d->plan->resumes; r; r = r->next) {
		if (strcmp(r->path, path) != 0 || r->completed != completed)
			continue;
		*ret = r;
		return 0;
	}
	r = draft_alloc(d, 1, sizeof(*r), reterr);
	if (!r)
		return -ENOMEM;
	r->path = path;
	r->completed = completed;
	int rc = d->facts->text_only ? 0 : state_look(path, &d->plan->arena, &r->head, &e);
	if (rc < 0)
		return job_fail(w->job, option, reterr, rc, "%s", e.text);
	r->next = d->plan->resumes;
	d->plan->resumes = *ret = r;
	return 0;
}

/* A reader of units that somebody else has stamped, each as the state says. */
static void state_verify(struct draft *d, struct plan_worker *w)
{
	struct plan_verify *v = &w->verify;
	const struct state_head *h = &w->state.resume->head;
	const struct plan_verify had = *v;

	*v = (struct plan_verify){
		.checks = true,
		.go_on = w->end.continue_verify && !had.fatal,
		.fatal = had.fatal,
		.dump = had.dump,
		.trim_zero = had.trim_zero,
		.threads = had.threads,
		.cpus = had.cpus,
	};
	for (uint32_t i = 0; i < h->specs_count && !verify_is_on(v); i++)
		v->unit = h->specs[i];
	d->plan->run_id = d->facts->run_id;
}

static int state_derive(struct draft *d, struct plan_worker *w, const void *block,
	struct err *reterr)
{
	const struct state_opts *o = block;
	const bool load = o->load && !o->resume;
	const char *resume = load ? state_local(d, w, reterr) : o->resume;
	const bool policy = job_gave(w->job, "verify_policy");
	int rc = 0;

	if (load && !resume)
		return -ENOMEM;
	w->state = (struct plan_state){.path = o->path,
		.durable = o->durable,
		.atomic = (uint32_t)o->atomic,
		.name = o->target};
	if (!o->path && o->save && w->verify.stamps && !w->verify.phantom)
		rc = (w->state.path = state_local(d, w, reterr)) ? 0 : -ENOMEM;
	if (!resume || rc < 0)
		return rc;
	const bool completed = policy || load ? o->policy == POLICY_COMPLETED : false;
	rc = state_open(d, w, load ? "verify_state_load" : "verify_resume", resume, completed,
		&w->state.resume, reterr);
	if (rc < 0)
		return rc;
	w->state.path = NULL;
	state_verify(d, w);
	w->queue.spare = w->verify.threads * 4;
	return 0;
}

const struct part verify_state_part = {
	.group = &verify_state_group,
	.rules = state_rules,
	.rules_count = COUNT_OF(state_rules),
	.derive = state_derive,
};

/* ---- when all targets are known ---- */

static const char *state_option(const struct plan_worker *w)
{
	const struct state_opts *o = job_block(w->job, &verify_state_group);
	return o->resume ? "verify_resume" : "verify_state_load";
}

/* The target that the state calls NAME; -1: none. */
static int64_t state_find(const struct state_head *h, const char *name)
{
	for (uint32_t i = 0; i < h->targets_count; i++)
		if (strcmp(h->targets[i].name, name) == 0 && h->targets[i].bytes)
			return i;
	return -1;
}

static int state_unknown(const struct plan_worker *w, const char *name, struct err *reterr)
{
	const struct plan_resume *r = w->state.resume;
	const char *has = "nothing";
	uint32_t others = 0;

	for (uint32_t i = r->head.targets_count; i-- > 0;) {
		if (!r->head.targets[i].bytes)
			continue;
		has = r->head.targets[i].name;
		others++;
	}
	return job_fail(w->job, state_option(w), reterr, -ENOENT,
		"%s is not of %s but of %s%s; if that is this one by another name, say "
		"verify_target=%s",
		r->path, name, has, others > 1 ? " and others" : "", has);
}

/* A file may be shorter than it was: what isn't there is judged, too.  A device can't. */
static int state_target(struct draft *d, const struct plan_worker *w, uint32_t file,
	uint32_t *ret, struct err *reterr)
{
	const struct plan_resume *r = w->state.resume;
	struct plan_target *t = targets_at(d->targets, w->files.targets[file]);
	const char *name = w->state.name ? w->state.name : t->path;
	const int64_t found = state_find(&r->head, name);

	if (found < 0)
		return state_unknown(w, name, reterr);
	const struct state_target *st = &r->head.targets[found];
	if (t->found.kind == LOOK_NOTHING)
		return job_fail(w->job, state_option(w), reterr, -ENOENT,
			"%s isn't there; say where it is: --target=%s=PATH", t->path, name);
	if (t->found.kind == LOOK_BLOCK && t->found.bytes < st->bytes)
		return job_fail(w->job, state_option(w), reterr, -EMEDIUMTYPE,
			"%s is of a device with at least %" PRIu64 " bytes, and %s has %" PRIu64
			": it's another one",
			r->path, st->bytes, t->path, t->found.bytes);
	if (w->queue.buffer_bytes < st->unit_bytes)
		return job_fail(w->job, "bs", reterr, -EINVAL,
			"%s was written in units of %u bytes; use bs=%u, or a multiple",
			t->path, st->unit_bytes, st->unit_bytes);
	t->bytes_wanted = 0; /* nothing is laid out */
	*ret = (uint32_t)found;
	return 0;
}

static int state_targets(struct draft *d, struct plan_worker *w, struct err *reterr)
{
	uint32_t *targets = draft_alloc(d, w->files.count + 1, sizeof(*targets), reterr);
	int rc = targets ? 0 : -ENOMEM;

	if (rc == 0 && w->state.name && w->files.count > 1)
		return job_fail(w->job, "verify_target", reterr, -EINVAL,
			"the job has %u files, and this is the name of one; make a job of each",
			w->files.count);
	for (uint32_t i = 0; i < w->files.count && rc == 0; i++)
		rc = state_target(d, w, i, &targets[i], reterr);
	w->state.targets = targets;
	return rc;
}

/* The same further down: a file system in a file on the target, two volumes of one disk.  1: so
 * it is, and was said. */
static int state_below(struct draft *d, const struct plan_worker *w,
	const struct plan_target *t, struct err *reterr)
{
	char name[MEET_NAME];
	enum meet meet = d->facts->meet ? d->facts->meet(d->facts->look_ctx, w->state.path,
						  t->path, name)
					: MEET_NOWHERE;

	if (meet == MEET_ITSELF)
		return job_fail(w->job, "verify_state", reterr, -EINVAL,
			"%s lies on %s, which the job writes; give a file on another device",
			w->state.path, t->path);
	if (meet == MEET_NOWHERE || !job_gave(w->job, "verify_state"))
		return 0;
	int rc = draft_remark(d, w, "verify_state", true,
		"the state is on the same disk as what it is of: good when the program is "
		"killed, but a power cut may take both; give a file on another disk or machine",
		reterr);
	return rc < 0 ? rc : 1;
}

/* A state on what it is of would be lost with it. */
static int state_apart(struct draft *d, const struct plan_worker *w, struct err *reterr)
{
	struct look found;
	dev_t before = 0;

	if (!d->facts->look || !draft_is_first(d, w))
		return 0;
	d->facts->look(d->facts->look_ctx, w->state.path, &found);
	if (found.kind == LOOK_NOTHING && found.parent_missing)
		return 0; /* refused when it's opened */
	for (uint32_t i = 0; i < w->files.count; i++) {
		const struct plan_target *t = targets_at(d->targets, w->files.targets[i]);
		if (t->found.kind == LOOK_BLOCK && found.dev == t->found.rdev)
			return job_fail(w->job, "verify_state", reterr, -EINVAL,
				"%s lies on %s, which the job writes; give a file on another device",
				w->state.path, t->path);
		if (found.kind == LOOK_FILE && t->found.kind == LOOK_FILE &&
			found.dev == t->found.dev && found.inode == t->found.inode)
			return job_fail(w->job, "verify_state", reterr, -EINVAL,
				"%s is what the job writes; give another file", w->state.path);
		if (job_gave(w->job, "verify_state") && found.dev == t->found.dev &&
			(t->found.kind == LOOK_FILE || t->found.kind == LOOK_NOTHING))
			return draft_remark(d, w, "verify_state", true,
				"the state is on the same file system as what it is of: good when "
				"the program is killed, but a power cut may take both; give a file "
				"on another device or machine",
				reterr);
		dev_t on = t->found.kind == LOOK_BLOCK ? t->found.rdev : t->found.dev;
		int rc = i && on == before ? 0 : state_below(d, w, t, reterr);
		if (rc)
			return rc < 0 ? rc : 0;
		before = on;
	}
	return 0;
}

int verify_states(struct draft *d, struct err *reterr)
{
	int rc = 0;

	for (uint32_t i = 0; i < d->plan->workers_count && rc == 0; i++) {
		struct plan_worker *w = &d->plan->workers[i];
		if (d->facts->text_only)
			break;
		if (w->state.resume)
			rc = state_targets(d, w, reterr);
		if (!w->state.path || rc < 0)
			continue;
		if (w->verify.by_pieces)
			return job_fail(w->job, "verify_state", reterr, -EINVAL,
				"blocks of any size (bs_unaligned) have no headers, so only this run "
				"can check them; leave out one of both");
		rc = state_apart(d, w, reterr);
	}
	return rc;
}

void show_verify_state(const struct plan_worker *w, struct json *out)
{
	const struct plan_state *s = &w->state;

	if (!s->path && !s->resume)
		return;
	json_object(out, "verify_state");
	if (s->path) {
		json_text(out, "file", s->path);
		json_bool(out, "sync", s->durable);
		json_uint(out, "atomic_bytes", s->atomic);
	}
	if (s->resume) {
		json_text(out, "resume", s->resume->path);
		json_bool(out, "completed", s->resume->completed);
	}
	json_object_end(out);
}
