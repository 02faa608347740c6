/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* From the words of a command line to all jobs. */
#include "job/reader.h"

#include "base/err.h"
#include "base/scope.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int check_sections(struct reader *r)
{
	for (size_t i = 0; i < r->env->sections_count; i++)
		if (str_starts(r->env->sections[i], "global"))
			return err_set(r->err, -EINVAL,
				"--section=%.100s: global sections are read anyway; name a job",
				r->env->sections[i]);
	return 0;
}

/* Texts of words outlive the reader only as copies. */
static const char *keep(struct reader *r, const char *text)
{
	return text ? arena_text(&r->set->arena, text) : NULL;
}

static int say_word(struct reader *r, const struct job_word *w)
{
	const char *name = keep(r, w->name), *value = keep(r, w->value);
	if (!name || (w->value && !value))
		return reader_out_of_memory(r);
	return reader_say(r, name, value, (struct opt_where){0});
}

static bool opens_job(const struct job_word *w)
{
	struct opt_found found;
	return opt_find(w->name, "", &found) && strcmp(found.row->name, "name") == 0;
}

static int finish_section(struct reader *r, const struct section *section)
{
	if (section->skip) {
		r->said_count = 0;
		return 0;
	}
	return reader_section(r, section);
}

/* A --name ends the section before it; before the first are defaults.  Job files
 * end nothing: they may stand anywhere. */
static int read_words(struct reader *r, const struct job_word *words, size_t count)
{
	struct section section = {.defaults = true};
	int rc = 0;

	for (size_t i = 0; i < count && rc == 0; i++) {
		const struct job_word *w = &words[i];
		if (!w->name)
			continue;
		if (opens_job(w)) {
			if (!w->value || !*w->value)
				return err_set(r->err, -EINVAL,
					"command line: --name needs a value");
			rc = finish_section(r, &section);
			section = (struct section){.name = keep(r, w->value)};
			if (!section.name)
				return reader_out_of_memory(r);
			section.defaults = str_starts(section.name, "global");
			section.skip = !section.defaults &&
				       !reader_wants(r, section.name, w->index);
		}
		if (rc == 0)
			rc = say_word(r, w);
	}
	return rc < 0 ? rc : finish_section(r, &section);
}

static int read_files(struct reader *r, const struct job_word *words, size_t count)
{
	const char **sources = arena_array(&r->set->arena, count, sizeof(*sources));
	int rc = 0;

	r->cli_defaults = r->defaults.given;
	r->cli_noted = arena_array(&r->set->arena, r->cli_defaults.count, sizeof(bool));
	if (!sources || !r->cli_noted)
		return reader_out_of_memory(r);
	r->set->sources = sources;
	for (size_t i = 0; i < count && rc == 0; i++) {
		if (words[i].name)
			continue;
		if (r->file_index++)
			rc = reader_reset_defaults(r);
		r->first_of_file = true;
		const char *path = keep(r, words[i].value ? words[i].value : "");
		if (!path)
			return reader_out_of_memory(r);
		sources[r->set->sources_count++] = path;
		if (rc == 0)
			rc = reader_file(r, path);
	}
	return rc;
}

static int no_jobs(struct reader *r)
{
	if (r->env->sections_count)
		return err_set(r->err, -ENOENT,
			"No job(s) defined: there is no section '%.100s'", r->env->sections[0]);
	if (r->set->sources_count)
		return err_set(r->err, -ENOENT,
			"No job(s) defined: %.200s has no section of a job",
			r->set->sources[0]);
	return err_set(r->err, -ENOENT,
		"No job(s) defined: name a job file, or give --name=JOB");
}

/* Everything is read: hand it over. */
static int finish(struct reader *r)
{
	struct job_set *set = r->set;
	if (!r->jobs_count)
		return no_jobs(r);
	set->jobs = arena_array(&set->arena, r->jobs_count, sizeof(*set->jobs));
	if (!set->jobs)
		return reader_out_of_memory(r);
	memcpy(set->jobs, r->jobs, r->jobs_count * sizeof(*set->jobs));
	set->count = r->jobs_count;
	set->globals = r->defaults.given.v;
	set->globals_count = r->defaults.given.count;
	return 0;
}

int job_read(const struct job_word *words, size_t count, const struct job_env *env,
	struct job_set **ret, struct err *reterr)
{
	struct err ignored;
	struct reader r = {.env = env, .err = reterr ? reterr : &ignored};

	r.set = calloc(1, sizeof(*r.set));
	if (!r.set)
		return reader_out_of_memory(&r);
	int rc = check_sections(&r);
	if (rc == 0)
		rc = reader_init(&r);
	if (rc == 0)
		rc = read_words(&r, words, count);
	if (rc == 0)
		rc = read_files(&r, words, count);
	if (rc == 0)
		rc = finish(&r);
	reader_done(&r);
	if (rc < 0) {
		job_set_free(r.set);
		return rc;
	}
	*ret = r.set;
	return 0;
}
