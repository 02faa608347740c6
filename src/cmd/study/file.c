/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Reading the file of a study. */
#include "base/bits.h"
#include "base/err.h"
#include "base/limits.h"
#include "base/scope.h"
#include "base/str.h"
#include "cmd/ratio.h"
#include "cmd/study/study.h"
#include "job/job.h"
#include "opt/opt.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define REPEATS_PRESET   5
#define TOLERANCE_PRESET 0.02

enum section {
	SECTION_NONE,
	SECTION_STUDY,
	SECTION_GLOBAL,
	SECTION_VARIANT,
	SECTION_WORKLOAD,
};

struct study_reader {
	struct study *study;
	enum section section;
	struct study_part *part; /* NULL: [study] */
	unsigned line;
	bool said_study; /* [study] was there */
	uint32_t keys;   /* bits of the keys of [study] that were there */
	struct err *err;
};

static int fail(struct study_reader *r, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static int fail(struct study_reader *r, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	err_setv(r->err, -EINVAL, fmt, ap);
	va_end(ap);
	return err_within(r->err, "%s:%u", r->study->path, r->line);
}

static int within(struct study_reader *r, const char *key)
{
	err_within(r->err, "%s", key);
	return err_within(r->err, "%s:%u", r->study->path, r->line);
}

static int no_memory(struct study_reader *r)
{
	return err_set(r->err, -ENOMEM, "out of memory");
}

/* Room for one more in a list of the arena; doubles at powers of two. */
static int list_grow(struct study_reader *r, void *list, uint32_t count, size_t size)
{
	void *old, *longer;

	if (count == STUDY_PARTS_MOST)
		return fail(r, "more than %d of a kind", STUDY_PARTS_MOST);
	if (count & (count - 1))
		return 0;
	memcpy(&old, list, sizeof(old));
	longer = arena_array(&r->study->arena, count ? 2 * (size_t)count : 1, size);
	if (!longer)
		return no_memory(r);
	if (count)
		memcpy(longer, old, count * size);
	memcpy(list, &longer, sizeof(longer));
	return 0;
}

/* ---- text ---- */

static void cut_comment(char *line)
{
	bool quoted = false;

	for (char *c = line; *c; c++) {
		if (*c == '"')
			quoted = !quoted;
		bool mark = (*c == '#' || *c == ';') && !quoted;
		if (mark && (c == line || isspace((unsigned char)c[-1]))) {
			*c = '\0';
			return;
		}
	}
}

static char *unquote(char *text)
{
	size_t len = strlen(text);

	if (len < 2 || text[0] != '"' || text[len - 1] != '"')
		return text;
	text[len - 1] = '\0';
	return text + 1;
}

/* VALUE with the environment in it, in the arena. */
static int expand(struct study_reader *r, const char *key, const char *value, char **ret)
{
	scope_with(str_done) struct str line = {0}, out = {0};
	const struct job_env env = {.native = true};

	str_addf(&line, "%s=%s", key, value);
	if (line.failed)
		return no_memory(r);
	if (job_expand_line(&env, str_text(&line), &out, r->err) < 0)
		return within(r, key);
	*ret = arena_text(&r->study->arena, str_text(&out) + strlen(key) + 1);
	return *ret ? 0 : no_memory(r);
}

/* ---- sections ---- */

/* Names become directories. */
static int name_check(struct study_reader *r, const char *kind, const char *name)
{
	if (!*name)
		return fail(r, "a %s has a name: [%s NAME]", kind, kind);
	if (strlen(name) > 100)
		return fail(r, "'%.20s...' is too long a name", name);
	for (const char *c = name; *c; c++)
		if (!isalnum((unsigned char)*c) && (!strchr("._+-", *c) || c == name))
			return fail(r,
				"'%s': a name of a %s is made of letters, digits and . _ + - "
				"and begins with a letter or a digit",
				name, kind);
	return 0;
}

static int begin_part(struct study_reader *r, const char *kind, char *name,
	struct study_part **list, uint32_t *count, uint32_t most)
{
	name = unquote(str_trim(name));
	int rc = name_check(r, kind, name);

	for (uint32_t i = 0; i < *count && rc == 0; i++)
		if (strcmp((*list)[i].name, name) == 0)
			rc = fail(r, "the %s '%s' is there already, in line %u", kind, name,
				(*list)[i].line);
	if (rc == 0 && *count == most)
		rc = fail(r, "more than %u %ss", most, kind);
	if (rc == 0)
		rc = list_grow(r, list, *count, sizeof(**list));
	if (rc < 0)
		return rc;
	r->part = &(*list)[(*count)++];
	*r->part = (struct study_part){.name = name, .line = r->line};
	return 0;
}

/* REST of "WORD REST", NULL when LINE doesn't begin so. */
static char *behind(char *line, const char *word)
{
	size_t len = strlen(word);
	return str_starts(line, word) && (!line[len] || isspace((unsigned char)line[len]))
		       ? line + len
		       : NULL;
}

static int section_named(struct study_reader *r, char *line)
{
	struct study *s = r->study;
	char *name;

	if ((name = behind(line, "variant"))) {
		r->section = SECTION_VARIANT;
		return begin_part(r, "variant", name, &s->variants, &s->variants_count,
			STUDY_VARIANTS_MOST);
	}
	if ((name = behind(line, "workload"))) {
		r->section = SECTION_WORKLOAD;
		return begin_part(r, "workload", name, &s->workloads, &s->workloads_count,
			STUDY_PARTS_MOST);
	}
	return fail(r,
		"section '%.100s' is unknown; sections are [study], [global], [variant NAME] "
		"and [workload NAME]",
		line);
}

static int section_line(struct study_reader *r, char *line)
{
	struct study *s = r->study;
	size_t len = strlen(line);

	if (line[len - 1] != ']')
		return fail(r, "section '%.100s' does not end in ']'", line);
	line[len - 1] = '\0';
	line = str_trim(line + 1);
	bool study = strcmp(line, "study") == 0;
	if (!study && strcmp(line, "global") != 0)
		return section_named(r, line);
	if (study ? r->said_study : s->global.line > 0)
		return fail(r, "[%s] is there already", line);
	r->section = study ? SECTION_STUDY : SECTION_GLOBAL;
	r->part = study ? NULL : &s->global;
	r->said_study |= study;
	if (!study)
		s->global.line = r->line;
	return 0;
}

/* ---- [study] ---- */

static int repeats_key(struct study_reader *r, const char *value)
{
	uint64_t n;
	if (opt_read_u64(value, &n, r->err) < 0)
		return -EINVAL;
	if (!n || n > STUDY_RUNS_MOST)
		return err_set(r->err, -ERANGE, "1 to %d", STUDY_RUNS_MOST);
	r->study->repeats = (uint32_t)n;
	return 0;
}

static int seed_key(struct study_reader *r, const char *value)
{
	r->study->seeded = true;
	return opt_read_u64(value, &r->study->seed, r->err);
}

static int cooldown_key(struct study_reader *r, const char *value)
{
	return opt_read_time(value, NS_PER_S, &r->study->cooldown_ns, r->err);
}

static int one_of(struct study_reader *r, const char *value, const char *no, const char *yes,
	bool *ret)
{
	*ret = strcmp(value, yes) == 0;
	if (*ret || strcmp(value, no) == 0)
		return 0;
	return err_set(r->err, -EINVAL, "'%.100s' is neither %s nor %s", value, no, yes);
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
	return err_set(r->err, -EINVAL,
		"'%.100s' can't decide; figures that can are " COMPARE_METRICS, value);
}

static int tolerance_key(struct study_reader *r, const char *value)
{
	return ratio_read("tolerance", value, &r->study->tolerance, r->err);
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
			return fail(r, "%s stands twice in this section", key);
		r->keys |= 1u << i;
		int rc = expand(r, key, value ? value : "", &text);
		if (rc < 0)
			return rc;
		if (keys[i].read(r, text) == 0)
			return 0;
		return keys[i].read == tolerance_key /* names itself */
			       ? err_within(r->err, "%s:%u", r->study->path, r->line)
			       : within(r, key);
	}
	return fail(r,
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
		return fail(r, "unknown option '%.100s'%s%s%s", name,
			near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
	}
	if (strcmp(found.row->name, "name") == 0)
		return fail(r, "name: a job is called as its workload");
	if (!value && !bare)
		return 0;
	void *block = arena_alloc(&r->study->arena, opt_groups[found.group]->size);
	if (!block)
		return no_memory(r);
	return opt_parse(found.row, value, block, &ctx, r->err) < 0 ? within(r, name) : 0;
}

static int options_add(struct study_reader *r, struct study_options *list, const char *name,
	const char *value)
{
	for (uint32_t i = 0; i < list->count; i++)
		if (strcmp(list->v[i].name, name) == 0)
			return fail(r, "%s stands twice in this section, first in line %u",
				name, list->v[i].line);
	int rc = list_grow(r, &list->v, list->count, sizeof(*list->v));
	if (rc == 0)
		list->v[list->count++] = (struct study_option){name, value, r->line};
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
	struct study_sweep sweep = {.name = name, .line = r->line};
	char *text;

	if (r->section == SECTION_VARIANT)
		return fail(r, "sweep.%s: sweeps are said in [global] or of a workload", name);
	for (uint32_t i = 0; i < list->count; i++)
		if (strcmp(list->v[i].name, name) == 0)
			return fail(r, "sweep.%s stands twice in this section", name);
	int rc = list_grow(r, &list->v, list->count, sizeof(*list->v));
	if (rc == 0)
		rc = option_check(r, name, NULL, false);
	if (rc == 0)
		rc = expand(r, name, value, &text);
	if (rc < 0)
		return rc;
	if (study_values_read(&r->study->arena, text, &sweep, r->err) < 0) {
		err_within(r->err, "sweep.%s", name);
		return err_within(r->err, "%s:%u", r->study->path, r->line);
	}
	for (uint32_t i = 0; i < sweep.count && rc == 0; i++)
		rc = option_check(r, name, sweep.values[i], false);
	list->v[list->count++] = sweep;
	return rc;
}

static int env_key(struct study_reader *r, const char *name, const char *value)
{
	if (r->section == SECTION_WORKLOAD)
		return fail(r, "env.%s: a variable is said in [global] or of a variant", name);
	if (!*name || isdigit((unsigned char)*name))
		return fail(r, "env.%s: names no variable", name);
	for (const char *c = name; *c; c++)
		if (!isalnum((unsigned char)*c) && *c != '_')
			return fail(r, "env.%s: names no variable", name);
	if (str_starts(name, "WEIR_"))
		return fail(r, "env.%s: WEIR_... are set by weir", name);
	return options_add(r, &r->part->env, name, value);
}

static int script_key(struct study_reader *r, struct study_script *script, const char *value)
{
	if (r->section == SECTION_WORKLOAD)
		return fail(r, "commands are said in [global] or of a variant");
	script->text = arena_printf(&r->study->arena, "%s%s%s",
		script->text ? script->text : "", script->text ? "\n" : "", value);
	if (!script->line)
		script->line = r->line;
	return script->text ? 0 : no_memory(r);
}

static int kernel_key(struct study_reader *r, char *value)
{
	char *text;

	if (r->section != SECTION_VARIANT)
		return fail(r, "kernel is said of a variant");
	if (r->part->kernel)
		return fail(r, "kernel stands twice in this section");
	r->part->kernel_line = r->line;
	int rc = expand(r, "kernel", unquote(value), &text);
	r->part->kernel = rc == 0 ? text : NULL;
	return rc;
}

/* Beside the study's file, or else as it is named. */
static int job_key(struct study_reader *r, char *value)
{
	const char *slash = strrchr(r->study->path, '/');
	char *path;

	if (r->section != SECTION_WORKLOAD)
		return fail(r, "job is said of a workload");
	if (r->part->job)
		return fail(r, "job stands twice in this section; make it two workloads");
	int rc = expand(r, "job", unquote(value), &path);
	if (rc < 0)
		return rc;
	const char *beside = *path == '/' || !slash ? path
						    : arena_printf(&r->study->arena, "%.*s/%s",
							      (int)(slash - r->study->path),
							      r->study->path, path);
	if (!beside)
		return no_memory(r);
	r->part->job = access(beside, F_OK) == 0 ? beside : path;
	if (access(r->part->job, R_OK) == 0)
		return 0;
	err_sys(r->err, -errno, "%s", path);
	return within(r, "job");
}

static int part_key(struct study_reader *r, const char *key, char *value)
{
	bool command = strcmp(key, "setup") == 0 || strcmp(key, "teardown") == 0;

	if (value && !command)
		value = str_trim(value);
	if (!value && (command || strchr(key, '.') || strcmp(key, "job") == 0 ||
			      strcmp(key, "kernel") == 0))
		return fail(r, "%s has no value", key);
	if (command)
		return script_key(r, *key == 's' ? &r->part->setup : &r->part->teardown, value);
	if (str_starts(key, "sweep."))
		return sweep_key(r, key + 6, value);
	if (str_starts(key, "env."))
		return env_key(r, key + 4, unquote(value));
	if (strcmp(key, "kernel") == 0)
		return kernel_key(r, value);
	if (strcmp(key, "job") == 0)
		return job_key(r, value);
	return option_key(r, key, value);
}

static int key_line(struct study_reader *r, char *line)
{
	bool command = behind(line, "setup") || behind(line, "teardown") ||
		       str_starts(line, "setup=") || str_starts(line, "teardown=");

	if (!command)
		cut_comment(line);
	char *equals = strchr(line, '=');
	if (equals)
		*equals++ = '\0';
	const char *key = str_trim(line);
	char *value = equals ? str_trim(equals) : NULL;
	if (r->section == SECTION_NONE)
		return fail(r, "'%.100s' stands before any section", key);
	if (value && !*value)
		return fail(r, "%s has no value", key);
	return r->section == SECTION_STUDY ? study_key(r, key, value) : part_key(r, key, value);
}

/* ---- the whole ---- */

/* A workload has the sweeps of all, and its own in their place or behind. */
static int sweeps_join(struct study_reader *r, struct study_part *w)
{
	const struct study_sweeps own = w->sweeps, all = r->study->global.sweeps;
	uint64_t points = 1;

	w->sweeps = (struct study_sweeps){.v = NULL};
	w->sweeps.v = arena_array(&r->study->arena, own.count + all.count + 1,
		sizeof(*w->sweeps.v));
	if (!w->sweeps.v)
		return no_memory(r);
	for (uint32_t i = 0; i < all.count; i++) {
		bool mine = false;
		for (uint32_t k = 0; k < own.count; k++)
			mine |= strcmp(own.v[k].name, all.v[i].name) == 0;
		if (!mine)
			w->sweeps.v[w->sweeps.count++] = all.v[i];
	}
	for (uint32_t k = 0; k < own.count; k++)
		w->sweeps.v[w->sweeps.count++] = own.v[k];
	for (uint32_t k = 0; k < w->sweeps.count && points <= STUDY_POINTS_MOST; k++)
		points *= w->sweeps.v[k].count;
	r->line = w->line;
	if (points > STUDY_POINTS_MOST)
		return fail(r, "the sweeps of workload '%s' have more than %d points", w->name,
			STUDY_POINTS_MOST);
	w->points = (uint32_t)points;
	return 0;
}

static int complete(struct study_reader *r)
{
	struct study *s = r->study;
	uint64_t points = 0;
	int rc = 0;

	if (!s->workloads_count)
		return fail(r, "there is no [workload NAME] in it");
	for (uint32_t i = 0; i < s->workloads_count && rc == 0; i++) {
		struct study_part *w = &s->workloads[i];
		r->line = w->line;
		if (!w->job && !w->options.count)
			rc = fail(r, "the workload '%s' has neither job = FILE nor options",
				w->name);
		if (rc == 0)
			rc = sweeps_join(r, w);
		points += w->points;
	}
	if (rc == 0 && !s->variants_count) {
		s->variants = arena_alloc(&s->arena, sizeof(*s->variants));
		if (!s->variants)
			return no_memory(r);
		s->variants[s->variants_count++] = (struct study_part){.name = "default"};
	}
	if (rc == 0 && points * s->variants_count * s->repeats > STUDY_RUNS_MOST)
		return fail(r, "these are more than %d runs", STUDY_RUNS_MOST);
	return rc;
}

static int read_lines(struct study_reader *r, char *text)
{
	int rc = 0;

	for (char *next = text; next && rc == 0;) {
		char *line = strsep(&next, "\n");
		r->line++;
		if (strlen(line) > LIMIT_LINE)
			return fail(r, "the line is longer than %d bytes", LIMIT_LINE);
		line = str_trim(line);
		if (!*line || *line == '#' || *line == ';')
			continue;
		if (*line == '[')
			cut_comment(line);
		rc = *line == '[' ? section_line(r, str_trim(line)) : key_line(r, line);
	}
	return rc == 0 ? complete(r) : rc;
}

int study_read(const char *path, const char *text, size_t len, struct study *ret,
	struct err *reterr)
{
	struct err ignored;
	struct study_reader r = {.study = ret, .err = reterr ? reterr : &ignored};

	*ret = (struct study){
		.path = path,
		.repeats = REPEATS_PRESET,
		.metric = COMPARE_BY_JOB,
		.tolerance = TOLERANCE_PRESET,
	};
	if (memchr(text, 0, len))
		return err_set(r.err, -EINVAL, "%s: is no study: it has NUL bytes", path);
	char *copy = arena_bytes(&ret->arena, text, len);
	ret->path = arena_text(&ret->arena, path);
	if (!copy || !ret->path)
		return no_memory(&r);
	return read_lines(&r, copy);
}

void study_done(struct study *s)
{
	arena_done(&s->arena);
}
