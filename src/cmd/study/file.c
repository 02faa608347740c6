/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Reading the file of a study: lines, sections, and whether it is whole. */
#include "cmd/study/reader.h"

#include "base/err.h"
#include "base/str.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

#define REPEATS_PRESET   5
#define TOLERANCE_PRESET 0.02

/* ---- sections ---- */

/* Names become directories. */
static int name_check(struct study_reader *r, const char *kind, const char *name)
{
	if (!*name)
		return ini_fail(&r->file, "a %s has a name: [%s NAME]", kind, kind);
	if (strlen(name) > 100)
		return ini_fail(&r->file, "'%.20s...' is too long a name", name);
	for (const char *c = name; *c; c++)
		if (!isalnum((unsigned char)*c) && (!strchr("._+-", *c) || c == name))
			return ini_fail(&r->file,
				"'%s': a name of a %s is made of letters, digits and . _ + - "
				"and begins with a letter or a digit",
				name, kind);
	return 0;
}

static int begin_part(struct study_reader *r, const char *kind, char *name,
	struct study_part **list, uint32_t *count, uint32_t most)
{
	name = ini_unquote(str_trim(name));
	int rc = name_check(r, kind, name);

	for (uint32_t i = 0; i < *count && rc == 0; i++)
		if (strcmp((*list)[i].name, name) == 0)
			rc = ini_fail(&r->file, "the %s '%s' is there already, in line %u",
				kind, name, (*list)[i].line);
	if (rc == 0 && *count == most)
		rc = ini_fail(&r->file, "more than %u %ss", most, kind);
	if (rc < 0)
		return rc;
	struct study_part *longer = arena_longer(&r->study->arena, *list, *count,
		sizeof(*longer));
	if (!longer)
		return ini_no_memory(&r->file);
	*list = longer;
	r->part = &(*list)[(*count)++];
	*r->part = (struct study_part){.name = name, .line = r->file.line};
	return 0;
}

static int section_named(struct study_reader *r, char *line)
{
	struct study *s = r->study;
	char *name;

	if ((name = ini_behind(line, "variant"))) {
		r->section = SECTION_VARIANT;
		return begin_part(r, "variant", name, &s->variants, &s->variants_count,
			STUDY_VARIANTS_MOST);
	}
	if ((name = ini_behind(line, "workload"))) {
		r->section = SECTION_WORKLOAD;
		return begin_part(r, "workload", name, &s->workloads, &s->workloads_count,
			STUDY_PARTS_MOST);
	}
	return ini_fail(&r->file,
		"section '%.100s' is unknown; sections are [study], [global], [variant NAME] "
		"and [workload NAME]",
		line);
}

static int section_line(struct study_reader *r, char *line)
{
	struct study *s = r->study;

	line = ini_section(&r->file, line);
	if (!line)
		return -EINVAL;
	bool study = strcmp(line, "study") == 0;
	if (!study && strcmp(line, "global") != 0)
		return section_named(r, line);
	if (study ? r->said_study : s->global.line > 0)
		return ini_fail(&r->file, "[%s] is there already", line);
	r->section = study ? SECTION_STUDY : SECTION_GLOBAL;
	r->part = study ? NULL : &s->global;
	r->said_study |= study;
	if (!study)
		s->global.line = r->file.line;
	return 0;
}

/* ---- lines ---- */

static int key_line(struct study_reader *r, char *line)
{
	bool command = ini_behind(line, "setup") || ini_behind(line, "teardown") ||
		       str_starts(line, "setup=") || str_starts(line, "teardown=");

	if (!command)
		ini_cut_comment(line);
	char *equals = strchr(line, '=');
	if (equals)
		*equals++ = '\0';
	const char *key = str_trim(line);
	char *value = equals ? str_trim(equals) : NULL;
	if (r->section == SECTION_NONE)
		return ini_fail(&r->file, "'%.100s' stands before any section", key);
	if (value && !*value)
		return ini_fail(&r->file, "%s has no value", key);
	return study_key_read(r, key, value);
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
		return ini_no_memory(&r->file);
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
	r->file.line = w->line;
	if (points > STUDY_POINTS_MOST)
		return ini_fail(&r->file,
			"the sweeps of workload '%s' have more than %d points", w->name,
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
		return ini_fail(&r->file, "there is no [workload NAME] in it");
	for (uint32_t i = 0; i < s->workloads_count && rc == 0; i++) {
		struct study_part *w = &s->workloads[i];
		r->file.line = w->line;
		if (!w->job && !w->options.count)
			rc = ini_fail(&r->file,
				"the workload '%s' has neither job = FILE nor options",
				w->name);
		if (rc == 0)
			rc = sweeps_join(r, w);
		points += w->points;
	}
	if (rc == 0 && !s->variants_count) {
		s->variants = arena_alloc(&s->arena, sizeof(*s->variants));
		if (!s->variants)
			return ini_no_memory(&r->file);
		s->variants[s->variants_count++] = (struct study_part){.name = "default"};
	}
	if (rc == 0 && points * s->variants_count * s->repeats > STUDY_RUNS_MOST)
		return ini_fail(&r->file, "these are more than %d runs", STUDY_RUNS_MOST);
	return rc;
}

static int read_lines(struct study_reader *r)
{
	char *line;
	int rc;

	while ((rc = ini_next(&r->file, &line)) > 0) {
		rc = *line == '[' ? section_line(r, line) : key_line(r, line);
		if (rc < 0)
			return rc;
	}
	return rc == 0 ? complete(r) : rc;
}

int study_read(const char *path, const char *text, size_t len, struct study *ret,
	struct err *reterr)
{
	struct err ignored;
	struct study_reader r = {.study = ret};

	*ret = (struct study){
		.repeats = REPEATS_PRESET,
		.metric = COMPARE_BY_JOB,
		.tolerance = TOLERANCE_PRESET,
	};
	int rc = ini_open(&r.file, &ret->arena, "study", path, text, len,
		reterr ? reterr : &ignored);
	ret->path = r.file.path;
	return rc < 0 ? rc : read_lines(&r);
}

void study_done(struct study *s)
{
	arena_done(&s->arena);
}
