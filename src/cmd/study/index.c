/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "cmd/study/index.h"

#include "base/bits.h"
#include "base/err.h"
#include "base/json.h"
#include "base/json_read.h"
#include "base/limits.h"
#include "base/scope.h"
#include "base/str.h"
#include "cmd/again.h"
#include "cmd/output.h"
#include "cmd/report_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* PATH of NAME in the directory; false: too long. */
static bool path_of(const struct study_index *x, const char *name, char *ret)
{
	int len = snprintf(ret, PATH_MAX, "%s/%s", x->dir, name);
	return len < PATH_MAX;
}

/* ---- the directory ---- */

#define LOCK_TRIES    20
#define LOCK_PAUSE_NS (150 * NS_PER_MS)

void index_lock_share(const struct study_index *x, bool share)
{
	(void)fcntl(x->lock_fd, F_SETFD, share ? 0 : FD_CLOEXEC);
}

/* A run of one that was killed ends within a moment. */
static int lock(struct study_index *x, struct err *reterr)
{
	x->lock_fd = open(x->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (x->lock_fd < 0)
		return err_sys(reterr, -errno, "%s", x->dir);
	for (unsigned i = 0; i < LOCK_TRIES && !again_stopped(); i++) {
		if (flock(x->lock_fd, LOCK_EX | LOCK_NB) == 0)
			return 0;
		if (errno != EWOULDBLOCK)
			return err_sys(reterr, -errno, "%s", x->dir);
		again_pause(LOCK_PAUSE_NS);
	}
	return err_set(reterr, -EBUSY,
		"%s: another weir study is at work in it, or a run of one that was killed; wait, "
		"or name another directory with --output-dir=DIR",
		x->dir);
}

/* One that has something in it, but no index, is somebody else's. */
static int check_empty(const struct study_index *x, struct err *reterr)
{
	DIR *dir = opendir(x->dir);
	const struct dirent *entry;
	bool empty = true;

	if (!dir)
		return err_sys(reterr, -errno, "%s", x->dir);
	while ((entry = readdir(dir)))
		empty &= entry->d_name[0] == '.';
	closedir(dir);
	if (empty)
		return 0;
	return err_set(reterr, -EEXIST,
		"%s: is not empty, and no study's (there is no study.json in it); name another "
		"directory with --output-dir=DIR",
		x->dir);
}

/* ---- reading ---- */

static uint64_t whole(const struct json_value *v, const char *key)
{
	const struct json_value *n = json_get(v, key);
	return n && n->kind == JSON_NUMBER && n->is_whole ? n->whole : 0;
}

static const char *text(const struct json_value *v, const char *key)
{
	const struct json_value *t = json_get(v, key);
	return t && t->kind == JSON_STRING ? t->text : NULL;
}

static int active_read(struct study_index *x, const struct json_value *v)
{
	const char *teardown = text(v, "teardown"), *env = text(v, "env");
	const char *variant = text(v, "variant");

	if (!v || v->kind != JSON_OBJECT)
		return 0;
	x->active = (struct study_active){
		.is = true,
		.run = (uint32_t)(whole(v, "run") ? whole(v, "run") - 1 : 0),
		.teardown = strdup(teardown ? teardown : ""),
		.env = strdup(env ? env : ""),
		.variant = strdup(variant ? variant : ""),
	};
	return x->active.teardown && x->active.env && x->active.variant ? 0 : -ENOMEM;
}

static int index_read(struct study_index *x, const char *path, struct err *reterr)
{
	scope_with(str_done) struct str doc = {0};
	const struct json_value *v;
	size_t at = 0;
	int rc = report_file_text(path, LIMIT_REPORT_FILE, &doc, reterr);

	if (rc == 0)
		rc = json_read(&x->arena, str_text(&doc), doc.len, &at, &v, reterr);
	if (rc < 0)
		return err_within(reterr, "%s", path);
	if (whole(v, "weir_study") != STUDY_VERSION)
		return err_set(reterr, -EINVAL, "%s: is no index of a study of this version",
			path);
	x->there = true;
	x->seed = whole(v, "seed");
	x->rounds = (uint32_t)whole(v, "repeats");
	const char *of = text(v, "of");
	x->fingerprint = of ? strtoull(of, NULL, 16) : 0;
	x->runs = json_get(v, "runs");
	if (active_read(x, json_get(v, "active")) < 0)
		return err_set(reterr, -ENOMEM, "out of memory");
	return 0;
}

int index_open(struct study_index *x, const char *dir, bool work, struct err *reterr)
{
	char path[PATH_MAX];

	*x = (struct study_index){.lock_fd = -1};
	bool made = work && mkdir(dir, 0777) == 0;
	if (!realpath(dir, x->dir))
		return err_sys(reterr, -errno, "%s", dir);
	if (!path_of(x, "study.json", path))
		return err_set(reterr, -ENAMETOOLONG, "%s: is too long a name", dir);
	if (access(path, F_OK) < 0 && !made && work && check_empty(x, reterr) < 0)
		return -EEXIST;
	int rc = work ? lock(x, reterr) : 0;
	if (rc < 0 || access(path, F_OK) < 0)
		return rc;
	return index_read(x, path, reterr);
}

void index_active_clear(struct study_index *x)
{
	free(x->active.teardown);
	free(x->active.env);
	free(x->active.variant);
	x->active = (struct study_active){.is = false};
}

void index_close(struct study_index *x)
{
	index_active_clear(x);
	if (x->lock_fd >= 0)
		close(x->lock_fd);
	arena_done(&x->arena);
}

/* ---- what became of runs ---- */

static enum run_status status_read(const char *word)
{
	for (int i = 0; word && i <= RUN_SETUP_FAILED; i++)
		if (strcmp(word, run_status_names[i]) == 0)
			return i == RUN_RUNNING ? RUN_PENDING : (enum run_status)i;
	return RUN_PENDING;
}

/* Runs stand in the order, which is the same; there may be more or fewer rounds now. */
int index_apply(struct study_index *x, struct study_order *o, struct err *reterr)
{
	const struct json_value *v = x->runs ? x->runs->first : NULL;

	for (uint32_t i = 0; v && i < o->runs_count; i++, v = v->next) {
		struct study_run *run = &o->runs[i];
		const struct json_value *seconds = json_get(v, "seconds");
		if (whole(v, "round") != run->round + 1 ||
			whole(v, "config") != run->config + 1)
			return err_set(reterr, -EINVAL,
				"%s/study.json: run %" PRIu32 " is not what the seed gives",
				x->dir, i + 1);
		run->status = status_read(text(v, "status"));
		run->exit = (int)whole(v, "exit");
		run->attempts = (uint32_t)whole(v, "attempts");
		run->began_ms = whole(v, "began_ms");
		run->seconds = seconds ? seconds->real : 0;
		run->kernel = text(v, "kernel");
		run->command = text(v, "command");
	}
	return 0;
}

/* ---- writing ---- */

static void write_active(struct json *j, const struct study_active *a)
{
	if (!a->is)
		return;
	json_object(j, "active");
	json_uint(j, "run", a->run + 1);
	json_text(j, "variant", a->variant);
	json_text(j, "teardown", a->teardown);
	json_text(j, "env", a->env);
	json_object_end(j);
}

static void write_script(struct json *j, const char *key, const struct study_script *script)
{
	if (script->text)
		json_text(j, key, script->text);
}

static void write_options(struct json *j, const char *key, const struct study_options *o)
{
	if (!o->count)
		return;
	json_object(j, key);
	for (uint32_t i = 0; i < o->count; i++)
		json_text(j, o->v[i].name, o->v[i].value ? o->v[i].value : "");
	json_object_end(j);
}

static void write_part(struct json *j, const char *key, const struct study_part *p)
{
	json_object(j, key);
	if (p->name)
		json_text(j, "name", p->name);
	if (p->job)
		json_text(j, "job", p->job);
	if (p->kernel)
		json_text(j, "kernel", p->kernel);
	write_script(j, "setup", &p->setup);
	write_script(j, "teardown", &p->teardown);
	write_options(j, "env", &p->env);
	write_options(j, "options", &p->options);
	json_object_end(j);
}

static void write_run(struct json *j, const struct study *s, const struct study_order *o,
	uint32_t i)
{
	const struct study_run *run = &o->runs[i];
	const struct study_config *c = &o->configs[run->config];
	const struct study_part *w = &s->workloads[c->workload];
	scope_with(str_done) struct str point = {0}, path = {0};

	study_point_add(w, c->point, " ", &point);
	order_config_dir(s, o, run->config, &path);
	str_addf(&path, "/%03" PRIu32 ".json", run->round + 1);
	json_object(j, NULL);
	json_uint(j, "run", i + 1);
	json_uint(j, "round", run->round + 1);
	json_uint(j, "config", run->config + 1);
	json_text(j, "variant", s->variants[c->variant].name);
	json_text(j, "workload", w->name);
	if (point.len)
		json_text(j, "point", str_text(&point));
	json_text(j, "status", run_status_names[run->status]);
	if (run->status == RUN_FAILED || run->status == RUN_SETUP_FAILED)
		json_int(j, "exit", run->exit);
	if (run->status == RUN_DONE)
		json_text(j, "result", str_text(&path));
	if (run->attempts) {
		json_uint(j, "attempts", run->attempts);
		json_uint(j, "began_ms", run->began_ms);
		json_double(j, "seconds", run->seconds);
	}
	if (run->kernel)
		json_text(j, "kernel", run->kernel);
	if (run->command)
		json_text(j, "command", run->command);
	json_object_end(j);
	j->out->failed |= point.failed || path.failed;
}

static void write_all(const struct study_index *x, const struct study *s,
	const struct study_order *o, struct str *out)
{
	struct json j;

	json_init(&j, out, JSON_FIO);
	json_object(&j, NULL);
	json_uint(&j, "weir_study", STUDY_VERSION);
	json_text(&j, "file", s->path);
	char of[20];
	snprintf(of, sizeof(of), "%016" PRIx64, x->fingerprint);
	json_text(&j, "of", of);
	json_uint(&j, "seed", x->seed);
	json_uint(&j, "repeats", s->repeats);
	write_active(&j, &x->active);
	write_part(&j, "global", &s->global);
	json_array(&j, "variants");
	for (uint32_t i = 0; i < s->variants_count; i++)
		write_part(&j, NULL, &s->variants[i]);
	json_array_end(&j);
	json_array(&j, "workloads");
	for (uint32_t i = 0; i < s->workloads_count; i++)
		write_part(&j, NULL, &s->workloads[i]);
	json_array_end(&j);
	json_array(&j, "runs");
	for (uint32_t i = 0; i < o->runs_count; i++)
		write_run(&j, s, o, i);
	json_array_end(&j);
	json_object_end(&j);
	str_add_char(out, '\n');
}

/* TEXT is on the disk under the name TEMP, then takes the name PATH. */
static int replace(const struct study_index *x, const char *temp, const char *path,
	const struct str *data)
{
	scope_fd int fd = open(temp, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	int rc = fd < 0 ? -errno : output_write(fd, str_text(data), data->len);

	if (rc == 0 && fsync(fd) < 0)
		rc = -errno;
	if (rc == 0 && rename(temp, path) < 0)
		rc = -errno;
	if (rc == 0 && fsync(x->lock_fd) < 0 && errno != EINVAL)
		rc = -errno;
	return rc;
}

int index_file_write(const struct study_index *x, const char *name, const struct str *data,
	struct err *reterr)
{
	char path[PATH_MAX], temp[PATH_MAX];

	if (data->failed)
		return err_set(reterr, -ENOMEM, "out of memory");
	if (!path_of(x, name, path) ||
		snprintf(temp, sizeof(temp), "%s/.%s.new", x->dir, name) >= PATH_MAX)
		return err_set(reterr, -ENAMETOOLONG, "%s: is too long a name", x->dir);
	int rc = replace(x, temp, path, data);
	if (rc < 0)
		unlink(temp);
	return rc < 0 ? err_sys(reterr, rc, "%s", path) : 0;
}

int index_write(const struct study_index *x, const struct study *s, const struct study_order *o,
	struct err *reterr)
{
	scope_with(str_done) struct str out = {0};

	write_all(x, s, o, &out);
	return index_file_write(x, "study.json", &out, reterr);
}

/* ---- removing ---- */

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *at)
{
	(void)st, (void)kind, (void)at;
	return remove(path);
}

/* Results first: as long as they are there, so is the index. */
int index_remove(struct study_index *x, struct err *reterr)
{
	static const char *const names[] = {"runs", "logs", "study.weir", "study.json"};
	char path[PATH_MAX];

	for (size_t i = 0; i < COUNT_OF(names); i++) {
		bool fits = path_of(x, names[i], path);
		if (fits && nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT) != 0 &&
			errno != ENOENT)
			return err_sys(reterr, -errno, "%s", path);
	}
	index_active_clear(x);
	x->there = false;
	x->runs = NULL;
	return 0;
}
