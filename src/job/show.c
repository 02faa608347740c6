/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* --showcmd: jobs as command lines that mean the same.
 *
 * Where fio's own line would mean something else it is made to mean the same:
 * defaults that change between jobs stand behind a --name=global, a renamed job
 * is one --name, and what a shell would take apart is quoted. */
#include "job/job.h"

#include "base/str.h"

#include <string.h>

/* All but what no shell looks at. */
static bool needs_quotes(const char *text)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789%+,-./:=@_^";
	return text[strspn(text, plain)] != '\0';
}

static void add_quoted(const char *text, struct str *out)
{
	str_add_char(out, '"');
	for (; *text; text++) {
		if (strchr("\"\\$`", *text))
			str_add_char(out, '\\');
		str_add_char(out, *text);
	}
	str_add_char(out, '"');
}

static void add_option(const char *name, const char *value, struct str *out)
{
	str_addf(out, "--%s", name);
	bool text = strcmp(name, "description") == 0;
	if (*value || strcmp(name, "name") == 0) {
		str_add_char(out, '=');
		if (text || needs_quotes(value))
			add_quoted(value, out);
		else
			str_add(out, value);
	}
	str_add_char(out, ' ');
}

static bool is_name(const struct job_given *g)
{
	return strcmp(g->name, "name") == 0;
}

/* The defaults that came since the job before. */
static void add_globals(const struct job *job, size_t from, bool first, struct str *out)
{
	if (from == job->globals_count)
		return;
	if (!first && !is_name(&job->globals[from]))
		add_option("name", "global", out);
	for (size_t i = from; i < job->globals_count; i++) {
		const struct job_given *g = &job->globals[i];
		if (!is_name(g) || str_starts(g->value, "global"))
			add_option(g->name, g->value, out);
	}
}

static void add_job(const struct job *job, struct str *out)
{
	add_option("name", job->name, out);
	for (size_t i = 0; i < job->given_count; i++)
		if (!is_name(&job->given[i]))
			add_option(job->given[i].name, job->given[i].value, out);

	/* Files are named after the section, whatever the job is called. */
	bool renamed = strcmp(job->name, job->section) != 0;
	if (renamed && !job_gave(job, "filename") && !job_gave(job, "filename_format")) {
		struct str format = {0};
		str_addf(&format, "%s.$jobnum.$filenum", job->section);
		add_option("filename_format", str_text(&format), out);
		str_done(&format);
	}
}

void job_show_command(const struct job_set *set, const char *program, struct str *out)
{
	size_t globals = 0;
	for (size_t i = 0; i < set->count; i++) {
		const struct job *job = &set->jobs[i];
		/* Jobs of the command line run together with the first file. */
		bool first = !i ||
			     (job->file_index > 1 && job->file_index != job[-1].file_index);
		if (first) {
			str_addf(out, "%s%s ", i ? "\n" : "", program);
			globals = 0;
		}
		add_globals(job, globals, first, out);
		globals = job->globals_count;
		add_job(job, out);
	}
	str_add_char(out, '\n');
}
