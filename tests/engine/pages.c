/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* docs/engines: every engine has a page NAME.md with a heading for each of its
 * options, and every page has an engine.
 *
 *	pages FOLDER */
#include "base/scope.h"
#include "base/str.h"
#include "engine/engine.h"
#include "opt/opt.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>

/* Engines of this tree that a build may leave out; their pages stay. */
static const char *const optional[] = {"libaio", "io_uring"};

/* Does the page have a line "## `NAME`" (any level of heading)? */
static bool page_has_heading(FILE *page, const char *name)
{
	char line[512], wanted[80];

	snprintf(wanted, sizeof(wanted), " `%s`\n", name);
	rewind(page);
	while (fgets(line, sizeof(line), page))
		if (line[0] == '#' && str_ends(line, wanted))
			return true;
	return false;
}

static unsigned check_engine(const char *folder, const struct engine *e)
{
	char path[512];
	unsigned missing = 0;

	snprintf(path, sizeof(path), "%s/%s.md", folder, e->name);
	scope_file FILE *page = fopen(path, "re");
	if (!page) {
		fprintf(stderr, "engine %s has no page %s\n", e->name, path);
		return 1;
	}
	for (size_t i = 0; e->opts && i < e->opts->count; i++) {
		const struct opt *row = &e->opts->rows[i];
		if (row->refused || page_has_heading(page, row->name))
			continue;
		fprintf(stderr, "%s: no heading for option %s\n", path, row->name);
		missing++;
	}
	return missing;
}

static bool engine_is_known(const char *name)
{
	for (size_t i = 0; i < sizeof(optional) / sizeof(*optional); i++)
		if (!strcmp(optional[i], name))
			return true;
	const struct engine *e = engine_find(name);
	return e && !strcmp(e->name, name);
}

int main(int argc, char **argv)
{
	unsigned wrong = 0, pages = 0;

	if (argc != 2) {
		fprintf(stderr, "usage: pages FOLDER\n");
		return 2;
	}
	for (size_t i = 0; i < engines_count; i++)
		wrong += check_engine(argv[1], engines[i]);

	DIR *dir = opendir(argv[1]);
	for (struct dirent *entry; dir && (entry = readdir(dir));) {
		char *dot = strrchr(entry->d_name, '.');
		if (!dot || strcmp(dot, ".md") != 0 || !strcmp(entry->d_name, "README.md"))
			continue;
		*dot = '\0';
		pages++;
		if (!engine_is_known(entry->d_name)) {
			fprintf(stderr, "page %s.md is of no engine\n", entry->d_name);
			wrong++;
		}
	}
	if (dir)
		closedir(dir);
	printf("%zu engines, %u pages\n", engines_count, pages);
	return wrong || !pages;
}
