/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Files and folders of tests: a folder of a test's own, removed with all that is in it, and the
 * text of a file.  Include <cmocka.h> before. */
#pragma once

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static inline int folder_remove_one(const char *path, const struct stat *st, int what,
	struct FTW *ftw)
{
	(void)st, (void)what, (void)ftw;
	return remove(path);
}

static inline void folder_remove(const char *folder)
{
	nftw(folder, folder_remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* A cmocka setup: make a folder in the one we are in, and go there; *STATE is its name. */
static inline int folder_setup(void **state)
{
	char *folder = strdup("weir-test-XXXXXX");

	*state = folder;
	if (!folder || !mkdtemp(folder))
		return -1;
	return chdir(folder);
}

/* The teardown: back, and all of it goes. */
static inline int folder_teardown(void **state)
{
	char *folder = *state;
	int rc = chdir("..");

	folder_remove(folder);
	free(folder);
	return rc;
}

/* FOLDER/NAME, at most 1 MiB of it, NUL-terminated; the caller frees it. */
static inline char *folder_text(const char *folder, const char *name, size_t *ret_len)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	FILE *f = fopen(path, "rb");
	assert_non_null(f);
	char *text = calloc(1, 1 << 20);
	assert_non_null(text);
	*ret_len = fread(text, 1, (1 << 20) - 1, f);
	fclose(f);
	return text;
}

/* FOLDER/NAME anew, with TEXT in it. */
static inline void folder_put(const char *folder, const char *name, const char *text,
	mode_t mode)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
	assert_int_equal(chmod(path, mode), 0);
}
