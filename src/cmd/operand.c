/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "cmd/operand.h"

#include "base/err.h"
#include "base/scope.h"
#include "base/str.h"
#include "cmd/report_file.h"
#include "cmd/say.h"
#include "result/import.h"
#include "result/result.h"

#include <dirent.h>
#include <errno.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int no_memory(struct err *reterr)
{
	return err_set(reterr, -ENOMEM, "out of memory");
}

/* The same run, not only the same figures: no two end in the same millisecond after
 * beginning in the same. */
static bool same_run(const struct result *a, const struct result *b)
{
	return a->time_ms && a->time_ms == b->time_ms && a->rows_count && b->rows_count &&
	       a->rows[0].job_start_ms && a->rows[0].job_start_ms == b->rows[0].job_start_ms;
}

/* One that counts twice would make any interval too narrow. */
static bool is_there(const struct operand_side *side, const struct result *r)
{
	for (uint32_t i = 0; i < side->count; i++)
		if (same_run(side->runs[i], r))
			return true;
	return false;
}

static int side_add(struct operand_side *side, struct result *r, struct err *reterr)
{
	struct result **more = reallocarray(side->runs, side->count + 1, sizeof(*more));

	if (!more) {
		result_free(r);
		return no_memory(reterr);
	}
	side->runs = more;
	more[side->count++] = r;
	return 0;
}

/* ---- a file ---- */

static uint64_t start_of(const struct result *r)
{
	return r->rows_count ? r->rows[0].job_start_ms : 0;
}

/* A report of the same run that came later has all that this one has. */
static bool superseded(const struct import_list *list, size_t i)
{
	const struct result *r = list->results[i];
	const struct result *next = i + 1 < list->count ? list->results[i + 1] : NULL;

	if (!next)
		return false;
	return !r->final || (start_of(r) && start_of(r) == start_of(next) &&
				    r->rows_count == next->rows_count);
}

static int file_take(struct operand_side *side, const char *path, struct err *reterr)
{
	scope_with(import_done) struct import_list list = {0};
	int rc = report_file_read(path, &list, reterr);

	for (size_t i = 0; i < list.count && rc == 0; i++) {
		if (superseded(&list, i))
			continue;
		if (is_there(side, list.results[i])) {
			say_line("%s: this run is on the same side already; it counts once",
				path);
			continue;
		}
		struct result *r = list.results[i];
		list.results[i] = NULL;
		rc = side_add(side, r, reterr);
	}
	return rc;
}

/* ---- a directory, a pattern ---- */

static int visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

static int dir_take(struct operand_side *side, const char *path, struct err *reterr)
{
	struct dirent **entries;
	uint32_t before = side->count;
	int n = scandir(path, &entries, visible, alphasort), rc = 0;

	if (n < 0)
		return err_sys(reterr, -errno, "%s", path);
	for (int i = 0; i < n; i++) {
		char file[PATH_MAX];
		struct stat st;
		int len = snprintf(file, sizeof(file), "%s%s%s", path,
			path[strlen(path) - 1] == '/' ? "" : "/", entries[i]->d_name);
		if (rc == 0 && len < PATH_MAX && stat(file, &st) == 0 && S_ISREG(st.st_mode))
			rc = file_take(side, file, reterr);
		free(entries[i]);
	}
	free(entries);
	if (rc == 0 && side->count == before)
		return err_set(reterr, -ENOENT,
			"%s: no file with results is in it (directories in it are not looked at)",
			path);
	return rc;
}

static int pattern_take(struct operand_side *side, const char *path, struct err *reterr)
{
	glob_t found;
	int rc = glob(path, 0, NULL, &found);

	if (rc == GLOB_NOSPACE)
		return no_memory(reterr);
	if (rc)
		return err_set(reterr, -ENOENT, "%s: no file has such a name", path);
	for (size_t i = 0; i < found.gl_pathc && rc == 0; i++)
		rc = file_take(side, found.gl_pathv[i], reterr);
	globfree(&found);
	return rc;
}

static int path_take(struct operand_side *side, const char *path, struct err *reterr)
{
	struct stat st;

	if (!strcmp(path, "-"))
		return file_take(side, path, reterr);
	if (stat(path, &st) < 0 && strpbrk(path, "*?["))
		return pattern_take(side, path, reterr);
	if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
		return dir_take(side, path, reterr);
	return file_take(side, path, reterr);
}

/* ---- a word, a side ---- */

static bool exists(const char *path)
{
	return access(path, F_OK) == 0;
}

/* "NAME=" in front of WORD, which is no file itself; its length, 0: none. */
static size_t name_length(const char *word)
{
	size_t len = strcspn(word, "=/,");
	return word[len] == '=' && len && word[len + 1] && !exists(word) ? len : 0;
}

static int word_take(struct operand_side *side, const char *word, struct err *reterr)
{
	size_t skip = name_length(word);
	const char *at = skip ? word + skip + 1 : word;
	int rc = 0;

	if (exists(at))
		return path_take(side, at, reterr);
	while (*at && rc == 0) {
		size_t len = strcspn(at, ",");
		scope_mem char *path = strndup(at, len);
		if (!path)
			return no_memory(reterr);
		if (len)
			rc = path_take(side, path, reterr);
		at += len + (at[len] != 0);
	}
	return rc;
}

static int side_name(struct operand_side *side, const char *word)
{
	size_t len = name_length(word);

	side->name = len ? strndup(word, len) : strdup(!strcmp(word, "-") ? "stdin" : word);
	if (!side->name)
		return -ENOMEM;
	len = strlen(side->name);
	while (len > 1 && side->name[len - 1] == '/')
		side->name[--len] = 0;
	return 0;
}

static int side_read(struct operands *o, char *const *words, size_t count, struct err *reterr)
{
	int rc = 0;

	if (!count)
		return err_set(reterr, -EINVAL, "compare: nothing stands beside a '--'");
	if (o->count == OPERAND_SIDES)
		return err_set(reterr, -E2BIG,
			"compare: more than %d sides; where '--' stands between sides, all words up "
			"to it are one: weir compare old/*.json -- new/*.json",
			OPERAND_SIDES);
	struct operand_side *side = &o->sides[o->count++];
	if (side_name(side, words[0]) < 0)
		return no_memory(reterr);
	for (size_t i = 0; i < count && rc == 0; i++)
		rc = word_take(side, words[i], reterr);
	if (rc == 0 && !side->count)
		rc = err_set(reterr, -EINVAL, "%s: has no results", side->name);
	return rc;
}

/* Words of one side, from AT on. */
static size_t side_words(char *const *words, size_t count, size_t at, bool dashes)
{
	size_t n = 0;
	while (dashes && at + n < count && strcmp(words[at + n], "--") != 0)
		n++;
	return dashes ? n : 1;
}

static int clones_join(struct operands *o)
{
	for (uint32_t i = 0; i < o->count; i++)
		for (uint32_t k = 0; k < o->sides[i].count; k++)
			if (result_join_clones(o->sides[i].runs[k]) < 0)
				return -ENOMEM;
	return 0;
}

int operands_read(struct operands *o, char *const *words, size_t count, struct err *reterr)
{
	bool dashes = false;
	int rc = 0;

	for (size_t i = 0; i < count; i++)
		dashes |= !strcmp(words[i], "--");
	for (size_t at = 0; at < count && rc == 0;) {
		size_t n = side_words(words, count, at, dashes);
		rc = side_read(o, words + at, n, reterr);
		at += n + dashes;
	}
	if (rc == 0 && !o->each_clone && clones_join(o) < 0)
		return no_memory(reterr);
	for (uint32_t i = 0; i < o->count; i++)
		o->view[i] = (struct compare_side){
			.name = o->sides[i].name,
			.runs = (const struct result *const *)o->sides[i].runs,
			.count = o->sides[i].count,
		};
	return rc;
}

void operands_done(struct operands *o)
{
	for (uint32_t i = 0; i < o->count; i++) {
		for (uint32_t k = 0; k < o->sides[i].count; k++)
			result_free(o->sides[i].runs[k]);
		free(o->sides[i].runs);
		free(o->sides[i].name);
	}
	*o = (struct operands){0};
}
