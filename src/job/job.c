/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Questions to a job that was read. */
#include "job/job.h"

#include "job/reader.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

const void *job_block(const struct job *job, const struct opt_group *group)
{
	for (size_t g = 0; g < opt_groups_count; g++)
		if (opt_groups[g] == group)
			return job->blocks[g];
	assert(false && "a group that the build does not know");
	return NULL;
}

/* The last one counts. */
static const struct job_given *find_given(const struct job_given *given, size_t count,
	const char *name)
{
	while (count--)
		if (strcmp(given[count].name, name) == 0)
			return &given[count];
	return NULL;
}

const struct opt_where *job_where(const struct job *job, const char *name)
{
	const struct job_given *g = find_given(job->given, job->given_count, name);
	if (g)
		return &g->where;
	g = find_given(job->globals, job->globals_count, name);
	return g && !(g->row->flags & OPT_NO_INHERIT) ? &g->where : NULL;
}

bool job_gave(const struct job *job, const char *name)
{
	return job_where(job, name) != NULL;
}

int job_fail(const struct job *job, const char *option, struct err *reterr, int code,
	const char *fmt, ...)
{
	const struct opt_where *where = option ? job_where(job, option) : NULL;
	struct place place = {where ? *where : job->where, job->section, option};
	va_list ap;

	va_start(ap, fmt);
	place_failv(&place, reterr, code, fmt, ap);
	va_end(ap);
	return code;
}

void job_set_free(struct job_set *set)
{
	if (!set)
		return;
	/* The set itself lies outside: arena_done() unmaps the arena's memory. */
	arena_done(&set->arena);
	free(set);
}
