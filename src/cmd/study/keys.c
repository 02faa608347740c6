/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What a key says, in the file of a study. */
#include "cmd/study/reader.h"

#include "base/bits.h"
#include "base/err.h"
#include "base/scope.h"
#include "base/str.h"
#include "cmd/ratio.h"
#include "job/job.h"
#include "opt/opt.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

/* Room for one more in LIST, a pointer to the first of COUNT. */
static int list_grow(struct study_reader *r, void *list, uint32_t count, size_t size)
{
	void *old, *longer;

	if (count == STUDY_PARTS_MOST)
		return ini_fail(&r->file, "more than %d of a kind", STUDY_PARTS_MOST);
	memcpy(&old, list, sizeof(old));
	longer = arena_longer(&r->study->arena, old, count, size);
	if (!longer)
		return ini_no_memory(&r->file);
	memcpy(list, &longer, sizeof(longer));
	return 0;
}

/* VALUE with the environment in it, in the arena. */
static int expand(struct study_reader *r, const char *key, const char *value, char **ret)
{
	scope_with(str_done) struct str line = {0}, out = {0};
	const struct job_env env = {.native = true};

	str_addf(&line, "%s=%s", key, value);
	if (line.failed)
		return ini_no_memory(&r->file);
	if (job_expand_line(&env, str_text(&line), &out, r->file.err) < 0)
		return ini_within(&r->file, key);
	*ret = arena_text(&r->study->arena, str_text(&out) + strlen(key) + 1);
	return *ret ? 0 : ini_no_memory(&r->file);
}

/* ---- [study] ---- */

static int repeats_key(struct study_reader *r, const char *value)
{
	uint64_t n;
	if (opt_read_u64(value, &n, r->file.err) < 0)
		return -EINVAL;
	if (!n || n > STUDY_RUNS_MOST)
		return err_set(r->file.err, -ERANGE, "1 to %d", STUDY_RUNS_MOST);
	r->study->repeats = (uint32_t)n;
	return 0;
}

static int seed_key(struct study_reader *r, const char *value)
{
	r->study->seeded = true;
	return opt_read_u64(value, &r->study->seed, r->file.err);
}

static int cooldown_key(struct study_reader *r, const char *value)
{
	return opt_read_time(value, NS_PER_S, &r->study->cooldown_ns, r->file.err);
}

static int one_of(struct study_reader *r, const char *value, const char *no, const char *yes,
	bool *ret)
{
	*ret = strcmp(value, yes) == 0;
	if (*ret || strcmp(value, no) == 0)
		return 0;
	return err_set(r->file.err, -EINVAL, "'%.100s' is neither %s nor %s", value, no, yes);
}

static int failure_key(struct study_reader *r, const char *value)
{
	return one_of(r, value, "continue", "stop", &r->study->stop_at_failure);
}

static int setup_per_key(struct study_reader *r, const char *value)
{
	return one_of(r, value, "run", "round", &r->study->setup_per_round);
}

static int metric_key(struct study_reader *r, const char *value)
{
	r->study->metric = compare_figure_named(value);
	if (r->study->metric != COMPARE_BY_JOB && !compare_figures[r->study->metric].no_verdict)
		return 0;
	return err_set(r->file.err, -EINVAL,
		"'%.100s' can't decide; figures that can are " COMPARE_METRICS, value);
}

static int tolerance_key(struct study_reader *r, const char *value)
{
	return ratio_read("tolerance", value, &r->study->tolerance, r->file.err);
}

static int study_key(struct study_reader *r, const char *key, const char *value)
{
	static const struct {
		const char *name;
		int (*read)(struct study_reader *r, const char *value);
	} keys[] = {{"repeats", repeats_key}, {"seed", seed_key}, {"cooldown", cooldown_key},
		{"on_failure", failure_key}, {"setup_per", setup_per_key},
		{"metric", metric_key}, {"tolerance", tolerance_key}};
	char *text;

	for (uint32_t i = 0; i < COUNT_OF(keys); i++) {
		if (strcmp(key, keys[i].name) != 0)
			continue;
		if (r->keys & 1u << i)
			return ini_fail(&r->file, "%s stands twice in this section", key);
		r->keys |= 1u << i;
		int rc = expand(r, key, value ? value : "", &text);
		if (rc < 0)
			return rc;
		if (keys[i].read(r, text) == 0)
			return 0;
		return ini_within(&r->file, keys[i].read == tolerance_key ? NULL : key);
	}
	return ini_fail(&r->file,
		"'%.100s' is unknown; [study] has repeats, seed, cooldown, on_failure, "
		"setup_per, metric and tolerance",
		key);
}

/* ---- options of jobs ---- */

/* Is NAME an option, and VALUE (NULL: none, or not known before it runs) one of its values? */
static int option_check(struct study_reader *r, const char *name, const char *value, bool bare)
{
	const struct opt_ctx ctx = {.arena = &r->study->arena, .native = true};
	struct opt_found found;

	if (!opt_find(name, NULL, &found) || found.row->flags & OPT_CLI_ONLY) {
		const char *near = opt_nearest(name, "");
		return ini_fail(&r->file, "unknown option '%.100s'%s%s%s", name,
			near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
	}
	if (strcmp(found.row->name, "name") == 0)
		return ini_fail(&r->file, "name: a job is called as its workload");
	if (!value && !bare)
		return 0;
	void *block = arena_alloc(&r->study->arena, opt_groups[found.group]->size);
	if (!block)
		return ini_no_memory(&r->file);
	return opt_parse(found.row, value, block, &ctx, r->file.err) < 0
		       ? ini_within(&r->file, name)
		       : 0;
}

static int options_add(struct study_reader *r, struct study_options *list, const char *name,
	const char *value)
{
	for (uint32_t i = 0; i < list->count; i++)
		if (strcmp(list->v[i].name, name) == 0)
			return ini_fail(&r->file,
				"%s stands twice in this section, first in line %u", name,
				list->v[i].line);
	int rc = list_grow(r, &list->v, list->count, sizeof(*list->v));
	if (rc == 0)
		list->v[list->count++] = (struct study_option){name, value, r->file.line};
	return rc;
}

static int option_key(struct study_reader *r, const char *key, const char *value)
{
	bool later = value && strchr(value, '$');
	int rc = option_check(r, key, later ? NULL : value, !value);
	return rc < 0 ? rc : options_add(r, &r->part->options, key, value);
}

/* ---- keys of sections ---- */

static int sweep_key(struct study_reader *r, const char *name, const char *value)
{
	struct study_sweeps *list = &r->part->sweeps;
	struct study_sweep sweep = {.name = name, .line = r->file.line};
	char *text;

	if (r->section == SECTION_VARIANT)
		return ini_fail(&r->file,
			"sweep.%s: sweeps are said in [global] or of a workload", name);
	for (uint32_t i = 0; i < list->count; i++)
		if (strcmp(list->v[i].name, name) == 0)
			return ini_fail(&r->file, "sweep.%s stands twice in this section",
				name);
	int rc = list_grow(r, &list->v, list->count, sizeof(*list->v));
	if (rc == 0)
		rc = option_check(r, name, NULL, false);
	if (rc == 0)
		rc = expand(r, name, value, &text);
	if (rc < 0)
		return rc;
	if (study_values_read(&r->study->arena, text, &sweep, r->file.err) < 0) {
		err_within(r->file.err, "sweep.%s", name);
		return ini_within(&r->file, NULL);
	}
	for (uint32_t i = 0; i < sweep.count && rc == 0; i++)
		rc = option_check(r, name, sweep.values[i], false);
	list->v[list->count++] = sweep;
	return rc;
}

static int env_key(struct study_reader *r, const char *name, const char *value)
{
	if (r->section == SECTION_WORKLOAD)
		return ini_fail(&r->file,
			"env.%s: a variable is said in [global] or of a variant", name);
	if (!*name || isdigit((unsigned char)*name))
		return ini_fail(&r->file, "env.%s: names no variable", name);
	for (const char *c = name; *c; c++)
		if (!isalnum((unsigned char)*c) && *c != '_')
			return ini_fail(&r->file, "env.%s: names no variable", name);
	if (str_starts(name, "WEIR_"))
		return ini_fail(&r->file, "env.%s: WEIR_... are set by weir", name);
	return options_add(r, &r->part->env, name, value);
}

static int script_key(struct study_reader *r, struct study_script *script, const char *value)
{
	if (r->section == SECTION_WORKLOAD)
		return ini_fail(&r->file, "commands are said in [global] or of a variant");
	script->text = arena_printf(&r->study->arena, "%s%s%s",
		script->text ? script->text : "", script->text ? "\n" : "", value);
	if (!script->line)
		script->line = r->file.line;
	return script->text ? 0 : ini_no_memory(&r->file);
}

static int kernel_key(struct study_reader *r, char *value)
{
	char *text;

	if (r->section != SECTION_VARIANT)
		return ini_fail(&r->file, "kernel is said of a variant");
	if (r->part->kernel)
		return ini_fail(&r->file, "kernel stands twice in this section");
	r->part->kernel_line = r->file.line;
	int rc = expand(r, "kernel", ini_unquote(value), &text);
	r->part->kernel = rc == 0 ? text : NULL;
	return rc;
}

/* Beside the study's file, or else as it is named. */
static int job_key(struct study_reader *r, char *value)
{
	const char *slash = strrchr(r->study->path, '/');
	char *path;

	if (r->section != SECTION_WORKLOAD)
		return ini_fail(&r->file, "job is said of a workload");
	if (r->part->job)
		return ini_fail(&r->file,
			"job stands twice in this section; make it two workloads");
	int rc = expand(r, "job", ini_unquote(value), &path);
	if (rc < 0)
		return rc;
	const char *beside = *path == '/' || !slash ? path
						    : arena_printf(&r->study->arena, "%.*s/%s",
							      (int)(slash - r->study->path),
							      r->study->path, path);
	if (!beside)
		return ini_no_memory(&r->file);
	r->part->job = access(beside, F_OK) == 0 ? beside : path;
	if (access(r->part->job, R_OK) == 0)
		return 0;
	err_sys(r->file.err, -errno, "%s", path);
	return ini_within(&r->file, "job");
}

static int part_key(struct study_reader *r, const char *key, char *value)
{
	bool command = strcmp(key, "setup") == 0 || strcmp(key, "teardown") == 0;

	if (value && !command)
		value = str_trim(value);
	if (!value && (command || strchr(key, '.') || strcmp(key, "job") == 0 ||
			      strcmp(key, "kernel") == 0))
		return ini_fail(&r->file, "%s has no value", key);
	if (command)
		return script_key(r, *key == 's' ? &r->part->setup : &r->part->teardown, value);
	if (str_starts(key, "sweep."))
		return sweep_key(r, key + 6, value);
	if (str_starts(key, "env."))
		return env_key(r, key + 4, ini_unquote(value));
	if (strcmp(key, "kernel") == 0)
		return kernel_key(r, value);
	if (strcmp(key, "job") == 0)
		return job_key(r, value);
	return option_key(r, key, value);
}

int study_key_read(struct study_reader *r, const char *key, char *value)
{
	return r->section == SECTION_STUDY ? study_key(r, key, value) : part_key(r, key, value);
}
