/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "base/err.h"
#include "base/scope.h"
#include "base/str.h"
#include "cmd/facts.h"
#include "cmd/study/work.h"
#include "job/job.h"
#include "plan/plan.h"
#include "sys/machine.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- environment ---- */

struct study_env {
	char **before; /* environ */
	char **copy;   /* which setenv() may write to */
};

extern char **environ;

static struct job_env job_env_of(const struct machine *m)
{
	return (struct job_env){
		.native = true,
		.cpus = m->cpus_configured,
		.page_bytes = m->page_bytes,
		.memory_mb = m->memory_bytes >> 20,
	};
}

/* VALUE of NAME with the environment of now. */
static int expand(const struct study *s, const struct study_option *o, struct str *out,
	struct err *reterr)
{
	scope_with(str_done) struct str line = {0};
	struct machine machine;

	if (!strchr(o->value, '$')) {
		str_add(out, o->value);
		return 0;
	}
	machine_look(&machine);
	const struct job_env env = job_env_of(&machine);
	scope_with(str_done) struct str expanded = {0};
	str_addf(&line, "%s=%s", o->name, o->value);
	if (line.failed)
		return err_set(reterr, -ENOMEM, "out of memory");
	if (job_expand_line(&env, str_text(&line), &expanded, reterr) < 0) {
		err_within(reterr, "%s", o->name);
		return err_within(reterr, "%s:%u", s->path, o->line);
	}
	str_add(out, str_text(&expanded) + strlen(o->name) + 1);
	return 0;
}

static int env_options(const struct study *s, const struct study_options *list,
	struct err *reterr)
{
	for (uint32_t i = 0; i < list->count; i++) {
		scope_with(str_done) struct str value = {0};
		int rc = expand(s, &list->v[i], &value, reterr);
		if (rc == 0 &&
			(value.failed || setenv(list->v[i].name, str_text(&value), 1) < 0))
			rc = err_set(reterr, -ENOMEM, "out of memory");
		if (rc < 0)
			return rc;
	}
	return 0;
}

static int env_run(const struct study_work *w, const struct study_run *run)
{
	const struct study_config *c = &w->order.configs[run->config];
	const struct study_part *workload = &w->study.workloads[c->workload];
	scope_with(str_done) struct str point = {0};
	char round[16];

	study_point_add(workload, c->point, " ", &point);
	snprintf(round, sizeof(round), "%" PRIu32, run->round + 1);
	return point.failed || setenv("WEIR_ROUND", round, 1) < 0 ||
			       setenv("WEIR_WORKLOAD", workload->name, 1) < 0 ||
			       setenv("WEIR_POINT", str_text(&point), 1) < 0
		       ? -ENOMEM
		       : 0;
}

static int env_fill(const struct study_work *w, uint32_t variant, const struct study_run *run,
	struct err *reterr)
{
	const struct study *s = &w->study;

	if (setenv("WEIR_STUDY_DIR", w->index.dir, 1) < 0 ||
		setenv("WEIR_VARIANT", s->variants[variant].name, 1) < 0 ||
		(run && env_run(w, run) < 0))
		return err_set(reterr, -ENOMEM, "out of memory");
	int rc = env_options(s, &s->global.env, reterr);
	return rc < 0 ? rc : env_options(s, &s->variants[variant].env, reterr);
}

struct study_env *env_copy(struct err *reterr)
{
	struct study_env *env = calloc(1, sizeof(*env));
	size_t n = 0;

	while (environ && environ[n])
		n++;
	if (env)
		env->copy = calloc(n + 1, sizeof(*env->copy));
	if (!env || !env->copy) {
		free(env);
		err_set(reterr, -ENOMEM, "out of memory");
		return NULL;
	}
	if (n)
		memcpy(env->copy, environ, n * sizeof(*env->copy));
	env->before = environ;
	environ = env->copy;
	return env;
}

struct study_env *env_begin(const struct study_work *w, uint32_t variant,
	const struct study_run *run, struct err *reterr)
{
	struct study_env *env = env_copy(reterr);

	if (!env || env_fill(w, variant, run, reterr) == 0)
		return env;
	env_end(env);
	return NULL;
}

void env_end(struct study_env *env)
{
	if (!env)
		return;
	environ = env->before;
	free(env->copy);
	free(env);
}

static void print_one(const char *name, struct str *out)
{
	const char *value = getenv(name);
	if (value && !strchr(value, '\n'))
		str_addf(out, "%s=%s\n", name, value);
}

void env_print(const struct study_work *w, uint32_t variant, struct str *out)
{
	static const char *const own[] = {
		"WEIR_STUDY_DIR", "WEIR_VARIANT", "WEIR_ROUND", "WEIR_WORKLOAD", "WEIR_POINT"};
	const struct study_options *lists[] = {
		&w->study.global.env, &w->study.variants[variant].env};

	for (size_t i = 0; i < sizeof(own) / sizeof(*own); i++)
		print_one(own[i], out);
	for (size_t k = 0; k < 2; k++)
		for (uint32_t i = 0; i < lists[k]->count; i++)
			print_one(lists[k]->v[i].name, out);
}

int env_put(const char *lines)
{
	scope_mem char *copy = strdup(lines);

	if (!copy)
		return -ENOMEM;
	for (char *next = copy; next;) {
		char *line = strsep(&next, "\n"), *equals = strchr(line, '=');
		if (!equals)
			continue;
		*equals = '\0';
		if (setenv(line, equals + 1, 1) < 0)
			return -errno;
	}
	return 0;
}

/* ---- options ---- */

static int options_take(const struct study *s, const struct study_options *list,
	struct arena *a, struct job_word *words, size_t *count, struct err *reterr)
{
	for (uint32_t i = 0; i < list->count; i++) {
		const struct study_option *o = &list->v[i];
		scope_with(str_done) struct str value = {0};
		int rc = o->value ? expand(s, o, &value, reterr) : 0;
		char *copy = o->value ? arena_text(a, str_text(&value)) : NULL;
		if (rc == 0 && o->value && (!copy || value.failed))
			rc = err_set(reterr, -ENOMEM, "out of memory");
		if (rc < 0)
			return rc;
		words[(*count)++] = (struct job_word){.name = o->name, .value = copy};
	}
	return 0;
}

/* All that CONFIG says of its jobs; what comes later counts more. */
static int config_options(const struct study_work *w, uint32_t config, struct arena *a,
	struct job_word **ret, size_t *ret_count, struct err *reterr)
{
	const struct study *s = &w->study;
	const struct study_config *c = &w->order.configs[config];
	const struct study_part *workload = &s->workloads[c->workload];
	const struct study_options *lists[] = {
		&s->global.options, &workload->options, &s->variants[c->variant].options};
	size_t most = workload->sweeps.count, count = 0;
	int rc = 0;

	for (size_t i = 0; i < 3; i++)
		most += lists[i]->count;
	struct job_word *words = arena_array(a, most + 1, sizeof(*words));
	if (!words)
		return err_set(reterr, -ENOMEM, "out of memory");
	for (size_t i = 0; i < 3 && rc == 0; i++)
		rc = options_take(s, lists[i], a, words, &count, reterr);
	for (uint32_t k = 0; k < workload->sweeps.count; k++)
		words[count++] = (struct job_word){
			.name = workload->sweeps.v[k].name,
			.value = study_value(workload, c->point, k),
		};
	*ret = words;
	*ret_count = count;
	return rc;
}

int config_words(const struct study_work *w, uint32_t config, struct arena *a, char ***ret,
	size_t *ret_count, struct err *reterr)
{
	const struct study_part *workload =
		&w->study.workloads[w->order.configs[config].workload];
	struct job_word *options;
	size_t count = 0, n = 0;
	int rc = config_options(w, config, a, &options, &count, reterr);
	if (rc < 0)
		return rc;
	char **words = arena_array(a, count + w->flags.pass_count + 2, sizeof(*words));
	if (!words)
		return err_set(reterr, -ENOMEM, "out of memory");
	for (size_t i = 0; i < w->flags.pass_count; i++)
		words[n++] = w->flags.pass[i];
	for (size_t i = 0; i < count; i++)
		words[n++] = arena_printf(a, "--override=%s%s%s", options[i].name,
			options[i].value ? "=" : "", options[i].value ? options[i].value : "");
	words[n++] = workload->job ? arena_text(a, workload->job)
				   : arena_printf(a, "--name=%s", workload->name);
	for (size_t i = 0; i < n; i++)
		if (!words[i])
			return err_set(reterr, -ENOMEM, "out of memory");
	*ret = words;
	*ret_count = n;
	return 0;
}

/* ---- checking ---- */

static int config_plan(struct study_work *w, uint32_t config, struct arena *a,
	const struct machine *machine, struct err *reterr)
{
	struct study_config *c = &w->order.configs[config];
	const struct study_part *workload = &w->study.workloads[c->workload];
	struct job_word word = {.name = workload->job ? NULL : "name",
		.value = workload->job ? workload->job : workload->name};
	struct job_env env = job_env_of(machine);
	struct plan_facts facts = {.native = true};
	struct job_word *overrides;
	struct job_set *jobs = NULL;
	struct plan *plan = NULL;

	int rc = config_options(w, config, a, &overrides, &env.overrides_count, reterr);
	env.overrides = overrides;
	if (rc == 0)
		rc = job_read(&word, 1, &env, &jobs, reterr);
	facts_fill(&facts, machine, true);
	if (rc == 0)
		rc = plan_make(jobs, &facts, &plan, reterr);
	if (rc == 0)
		c->seconds = (double)plan->seconds_max;
	plan_free(plan);
	job_set_free(jobs);
	return rc;
}

/* Which part of the study it was. */
static int config_within(const struct study_work *w, uint32_t config, struct err *reterr)
{
	const struct study_config *c = &w->order.configs[config];
	const struct study_part *workload = &w->study.workloads[c->workload];
	const struct study_part *variant = &w->study.variants[c->variant];
	scope_with(str_done) struct str point = {0};

	study_point_add(workload, c->point, " ", &point);
	return err_within(reterr, "%s:%u: workload %s%s%s%s%s", w->study.path, workload->line,
		workload->name, variant->line ? " of variant " : "",
		variant->line ? variant->name : "", point.len ? " at " : "", str_text(&point));
}

int configs_check(struct study_work *w, struct err *reterr)
{
	struct machine machine;
	int rc = 0;

	machine_look(&machine);
	for (uint32_t i = 0; i < w->order.configs_count && rc == 0; i++) {
		const struct study_config *c = &w->order.configs[i];
		struct arena arena = {0};
		if (!w->wanted[c->variant])
			continue;
		struct study_env *env = env_begin(w, c->variant, NULL, reterr);
		if (!env)
			return -EINVAL;
		rc = config_plan(w, i, &arena, &machine, reterr);
		env_end(env);
		arena_done(&arena);
		if (rc < 0)
			return config_within(w, i, reterr);
	}
	return rc;
}
