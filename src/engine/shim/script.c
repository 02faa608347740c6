/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "engine/shim/script.h"

#include "base/err.h"

#include <errno.h>
#include <string.h>

static int script_dirs(const char *name, unsigned *ret, struct err *reterr)
{
	for (int dir = 0; dir < DIRS_ALL; dir++)
		if (!strcmp(name, dir_name(dir))) {
			*ret = 1u << dir;
			return 0;
		}
	return err_set(reterr, -EINVAL, "\"%s\" is not read, write, trim or sync", name);
}

int script_next(const char **text, struct script_part *ret, struct err *reterr)
{
	if (!**text)
		return 0;

	size_t len = strcspn(*text, ",");
	if (len >= sizeof(ret->text))
		return err_set(reterr, -E2BIG,
			"more than %zu letters in one part: \"%.40s...\"",
			sizeof(ret->text) - 1, *text);
	*ret = (struct script_part){.dirs = (1u << DIRS_ALL) - 1};
	memcpy(ret->text, *text, len);
	*text += len + ((*text)[len] == ',');

	char *words = ret->text, *at = strchr(ret->text, '@');
	if (at) {
		*at = '\0';
		int rc = script_dirs(ret->text, &ret->dirs, reterr);
		if (rc < 0)
			return rc;
		words = at + 1;
	}
	for (char *word; (word = strsep(&words, ":"));) {
		if (ret->words == SCRIPT_WORDS)
			return err_set(reterr, -E2BIG, "more than %d words in one part",
				SCRIPT_WORDS);
		ret->word[ret->words++] = word;
	}
	return 1;
}
