/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "cmd/study/work.h"

#include "base/bits.h"
#include "base/err.h"
#include "base/limits.h"
#include "base/scope.h"
#include "base/str.h"
#include "cmd/again.h"
#include "cmd/cmd.h"
#include "cmd/report_file.h"
#include "cmd/say.h"
#include "sys/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define TAIL_BYTES 4096
#define TAIL_LINES 10

/* ---- files ---- */

/* NAME in the directory, and the directories that it is in. */
static int path_make(const struct study_work *w, const char *name, char *ret,
	struct err *reterr)
{
	if (snprintf(ret, PATH_MAX, "%s/%s", w->index.dir, name) >= PATH_MAX)
		return err_set(reterr, -ENAMETOOLONG, "%s/%s: is too long a name", w->index.dir,
			name);
	for (char *c = ret + strlen(w->index.dir) + 1; (c = strchr(c, '/')); c++) {
		*c = '\0';
		if (mkdir(ret, 0777) < 0 && errno != EEXIST)
			return err_sys(reterr, -errno, "%s", ret);
		*c = '/';
	}
	return 0;
}

static int log_path(const struct study_work *w, uint32_t run, const char *ending, char *ret,
	struct err *reterr)
{
	char name[40];
	snprintf(name, sizeof(name), "logs/%04" PRIu32 ".%s", run + 1, ending);
	return path_make(w, name, ret, reterr);
}

static int result_path(const struct study_work *w, const struct study_run *run, char *ret,
	struct err *reterr)
{
	scope_with(str_done) struct str name = {0};

	order_config_dir(&w->study, &w->order, run->config, &name);
	str_addf(&name, "/%03" PRIu32 ".json", run->round + 1);
	if (name.failed)
		return err_set(reterr, -ENOMEM, "out of memory");
	return path_make(w, str_text(&name), ret, reterr);
}

/* The log of RUN, with a line that says what comes; *RET_AT is where that begins. */
static int log_open(const struct study_work *w, uint32_t run, const char *what, off_t *ret_at,
	struct err *reterr)
{
	char path[PATH_MAX];
	int rc = log_path(w, run, "log", path, reterr);
	if (rc < 0)
		return rc;
	int fd = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
	if (fd < 0)
		return err_sys(reterr, -errno, "%s", path);
	dprintf(fd, "== %s\n", what);
	*ret_at = lseek(fd, 0, SEEK_END);
	return fd;
}

/* The last lines behind AT. */
static void tail_say(int fd, off_t at)
{
	char text[TAIL_BYTES + 1];
	off_t end = lseek(fd, 0, SEEK_END);
	off_t from = MAX_OF(at, end - TAIL_BYTES);
	ssize_t got = pread(fd, text, TAIL_BYTES, from);

	if (got <= 0)
		return;
	text[got] = '\0';
	if (text[got - 1] == '\n')
		text[got - 1] = '\0';
	char *line = text + strlen(text);
	for (int lines = 0; line > text; line--)
		if (line[-1] == '\n' && ++lines == TAIL_LINES)
			break;
	while (line && *line) {
		char *one = strsep(&line, "\n");
		for (char *c = one; *c; c++)
			if ((unsigned char)*c < ' ' && *c != '\t')
				*c = '?';
		say_line("  %s", one);
	}
}

/* ---- set up, torn down ---- */

static const struct study_part *variant_of(const struct study_work *w, uint32_t run)
{
	const struct study_run *r = &w->order.runs[run];
	return &w->study.variants[w->order.configs[r->config].variant];
}

/* Runs of one group have one setup. */
static uint32_t group_of(const struct study_work *w, uint32_t run)
{
	const struct study_run *r = &w->order.runs[run];
	return w->study.setup_per_round ? r->round * w->study.variants_count +
						  w->order.configs[r->config].variant
					: run;
}

static bool has_commands(const struct study_work *w, uint32_t run)
{
	const struct study_part *v = variant_of(w, run), *g = &w->study.global;
	return v->setup.text || v->teardown.text || g->setup.text || g->teardown.text;
}

static const char *or_nothing(const char *text)
{
	return text ? text : "";
}

/* What will be due, within the environment of the run. */
static int active_make(struct study_work *w, uint32_t run)
{
	const struct study_part *v = variant_of(w, run);
	scope_with(str_done) struct str env = {0}, script = {0};
	struct study_active *a = &w->index.active;

	env_print(w, w->order.configs[w->order.runs[run].config].variant, &env);
	str_addf(&script, "%s\n%s", or_nothing(v->teardown.text),
		or_nothing(w->study.global.teardown.text));
	if (env.failed || script.failed)
		return -ENOMEM;
	*a = (struct study_active){
		.is = true,
		.run = run,
		.teardown = strdup(str_text(&script)),
		.env = strdup(str_text(&env)),
		.variant = strdup(v->name),
	};
	return a->teardown && a->env && a->variant ? 0 : -ENOMEM;
}

/* 1: it failed, and that has been said. */
static int setup_do(struct study_work *w, uint32_t run, struct err *reterr)
{
	const struct study_part *v = variant_of(w, run), *g = &w->study.global;
	const struct study_script *first = g->setup.text ? &g->setup : &v->setup;
	scope_with(str_done) struct str script = {0};
	int status;
	off_t at;

	if (!first->text)
		return 0;
	str_addf(&script, "set -e\n%s\n%s", or_nothing(g->setup.text),
		or_nothing(v->setup.text));
	if (script.failed)
		return err_set(reterr, -ENOMEM, "out of memory");
	scope_fd int fd = log_open(w, run, "setup", &at, reterr);
	int rc = fd < 0 ? fd : again_shell(str_text(&script), false, fd, &status, reterr);
	if (rc < 0 || status == 0)
		return rc;
	w->order.runs[run].exit = status;
	if (again_stopped())
		return 1;
	say_line("%s:%u: setup of variant %s ended with status %d; it said", w->study.path,
		v->setup.text ? v->setup.line : g->setup.line, v->name, status);
	tail_say(fd, at);
	return 1;
}

int work_teardown(struct study_work *w, struct err *reterr)
{
	struct study_active *a = &w->index.active;
	int status = 0, rc = 0;
	off_t at = 0;

	if (!a->is)
		return 0;
	struct err ignored;
	scope_fd int fd = log_open(w, a->run, "teardown", &at, &ignored); /* goes on without */
	if (strspn(a->teardown, "\n") != strlen(a->teardown))
		rc = again_shell(a->teardown, true, fd, &status, reterr);
	if (rc < 0)
		return rc;
	if (again_stopped() && status >= STATUS_SIGNAL)
		return err_set(reterr, -EINTR,
			"the teardown of variant %s was broken off; it comes first when weir study "
			"is started again",
			a->variant);
	if (status) {
		say_line("teardown of variant %s ended with status %d; it said", a->variant,
			status);
		tail_say(fd, at);
	}
	index_active_clear(&w->index);
	return 0;
}

/* Teardown of this process' own setup: within its environment. */
static int teardown_own(struct study_work *w, struct err *reterr)
{
	const struct study_run *run = &w->order.runs[w->index.active.run];
	if (!w->index.active.is)
		return 0;
	struct study_env *env = env_begin(w, w->order.configs[run->config].variant, run,
		reterr);
	if (!env)
		return -EINVAL;
	int rc = work_teardown(w, reterr);
	env_end(env);
	return rc;
}

/* ---- a run ---- */

static int sync_file(const char *path, struct err *reterr)
{
	scope_fd int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || fsync(fd) < 0)
		return err_sys(reterr, -errno, "%s", path);
	return 0;
}

/* A whole result to its place, anything else to the log. */
static int result_keep(struct study_work *w, uint32_t i, const char *temp, struct err *reterr)
{
	struct study_run *run = &w->order.runs[i];
	struct stat st;
	char path[PATH_MAX];
	bool there = stat(temp, &st) == 0 && st.st_size > 0;

	if (run->exit == 0 && !there)
		run->exit = STATUS_REFUSED;
	run->status = run->exit == 0 ? RUN_DONE : RUN_FAILED;
	int rc = run->exit == 0 ? result_path(w, run, path, reterr)
				: log_path(w, i, "json", path, reterr);
	if (rc == 0 && run->exit == 0)
		rc = sync_file(temp, reterr);
	if (rc == 0 && there && rename(temp, path) < 0)
		rc = err_sys(reterr, -errno, "%s", path);
	if (!there)
		unlink(temp);
	if (rc < 0)
		run->status = RUN_PENDING;
	return rc;
}

static int run_do(struct study_work *w, uint32_t i, struct err *reterr)
{
	struct study_run *run = &w->order.runs[i];
	struct arena arena = {0};
	char temp[PATH_MAX], **words;
	size_t count;
	off_t at = 0;

	int rc = path_make(w, ".run.json", temp, reterr);
	if (rc == 0)
		rc = config_words(w, run->config, &arena, &words, &count, reterr);
	scope_with(str_done) struct str what = {0};
	str_add(&what, "weir run");
	for (size_t k = 0; rc == 0 && k < count; k++)
		str_addf(&what, " %s", words[k]);
	if (rc == 0 && what.failed)
		rc = err_set(reterr, -ENOMEM, "out of memory");
	scope_fd int fd = rc < 0 ? -1 : log_open(w, i, str_text(&what), &at, reterr);
	index_lock_share(&w->index, true); /* until the run has ended, come what may */
	if (rc == 0)
		rc = fd < 0 ? fd : again_run(words, count, temp, fd, &run->exit, reterr);
	index_lock_share(&w->index, false);
	arena_done(&arena);
	run->command = arena_text(&w->order.arena, str_text(&what));
	if (rc < 0)
		return rc;
	if (again_stopped() && run->exit) {
		unlink(temp);
		run->status = RUN_PENDING;
		return 0;
	}
	rc = result_keep(w, i, temp, reterr);
	if (rc == 0 && run->status == RUN_FAILED) {
		say_line("run %" PRIu32 " ended with status %d; it said", i + 1, run->exit);
		tail_say(fd, at);
	}
	return rc;
}

/* No run of the group can be done. */
static void group_fail(struct study_work *w, uint32_t i)
{
	int exit = w->order.runs[i].exit;

	for (uint32_t k = 0; k < w->order.runs_count; k++) {
		struct study_run *run = &w->order.runs[k];
		if (group_of(w, k) != group_of(w, i) || run->status == RUN_DONE)
			continue;
		run->status = again_stopped() ? RUN_PENDING : RUN_SETUP_FAILED;
		run->exit = exit;
	}
}

/* Set up, unless that is, and run. */
static int prepared_run(struct study_work *w, uint32_t i, struct err *reterr)
{
	bool due = !w->index.active.is && has_commands(w, i);
	int rc = due && active_make(w, i) < 0 ? err_set(reterr, -ENOMEM, "out of memory") : 0;

	w->group = group_of(w, i);
	if (rc == 0)
		rc = index_write(&w->index, &w->study, &w->order, reterr);
	if (rc < 0 && due) /* nothing was done yet */
		index_active_clear(&w->index);
	if (rc == 0 && due)
		rc = setup_do(w, i, reterr);
	if (rc == 1)
		group_fail(w, i);
	else if (rc == 0 && again_stopped())
		w->order.runs[i].status = RUN_PENDING;
	else if (rc == 0)
		rc = run_do(w, i, reterr);
	return rc;
}

static int run_once(struct study_work *w, uint32_t i, struct err *reterr)
{
	struct study_run *run = &w->order.runs[i];
	uint64_t began_ns = clock_kernel_ns();

	run->status = RUN_RUNNING;
	run->attempts++;
	run->exit = 0;
	run->began_ms = clock_wall_ms();
	run->kernel = w->host.release;
	struct study_env *env = env_begin(w, w->order.configs[run->config].variant, run,
		reterr);
	if (!env)
		return -EINVAL;
	int rc = prepared_run(w, i, reterr);
	env_end(env);
	if (rc < 0)
		run->status = RUN_PENDING;
	if (rc == 1 || !w->study.setup_per_round) {
		struct err own;
		int torn = teardown_own(w, &own);
		if (torn < 0 && rc >= 0)
			*reterr = own;
		rc = rc < 0 ? rc : torn;
	}
	run->seconds = (double)(clock_kernel_ns() - began_ns) / (double)NS_PER_S;
	return rc;
}

/* ---- all ---- */

static void progress_say(const struct study_work *w, uint32_t i)
{
	const struct study_run *run = &w->order.runs[i];
	const struct study_config *c = &w->order.configs[run->config];
	scope_with(str_done) struct str text = {0};
	double left = order_seconds_left(&w->study, &w->order, w->wanted);

	str_addf(&text, "run %" PRIu32 " of %" PRIu32 ", round %" PRIu32 "  %s  %s%s", i + 1,
		w->order.runs_count, run->round + 1, w->study.variants[c->variant].name,
		w->study.workloads[c->workload].name,
		w->study.workloads[c->workload].sweeps.count ? " " : "");
	study_point_add(&w->study.workloads[c->workload], c->point, " ", &text);
	if (left >= 0) {
		str_add(&text, "  left: ");
		seconds_print(left, &text);
	}
	say_line("%s", str_text(&text));
}

/* One more of the order. */
static int step(struct study_work *w, uint32_t i, bool first, struct err *reterr)
{
	int rc = 0;

	if (w->index.active.is && group_of(w, i) != w->group)
		rc = teardown_own(w, reterr);
	if (rc == 0 && !first)
		again_pause(w->study.cooldown_ns);
	if (rc < 0 || again_stopped())
		return rc;
	progress_say(w, i);
	rc = run_once(w, i, reterr);
	enum run_status status = w->order.runs[i].status;
	w->failed_now |= status == RUN_FAILED || status == RUN_SETUP_FAILED;
	return rc < 0 ? rc : index_write(&w->index, &w->study, &w->order, reterr);
}

int work_runs(struct study_work *w, struct err *reterr)
{
	bool first = true;
	int rc = 0;

	for (uint32_t i = 0; i < w->order.runs_count && rc == 0 && !again_stopped(); i++) {
		const struct study_run *run = &w->order.runs[i];
		bool stop = w->failed_now && w->study.stop_at_failure;
		bool tried = run->status == RUN_SETUP_FAILED && !first &&
			     w->study.setup_per_round && group_of(w, i) == w->group;
		if (run->status == RUN_DONE || tried || stop ||
			!w->wanted[w->order.configs[run->config].variant])
			continue;
		rc = step(w, i, first, reterr);
		first = false;
	}
	struct err own;
	int torn = rc == -EINTR ? 0 : teardown_own(w, &own); /* -EINTR: that was broken off */
	if (torn < 0 && rc == 0) {
		*reterr = own;
		rc = torn;
	}
	if (rc < 0)
		(void)index_write(&w->index, &w->study, &w->order, NULL);
	return rc < 0 ? rc : index_write(&w->index, &w->study, &w->order, reterr);
}
