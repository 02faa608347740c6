/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Where the results of repeated runs are kept: a directory with a file each, one file
 * with a line each, or nowhere. */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

struct err;
struct str;

/* A directory that results go to: NNN.json. */
struct keep_dir {
	char path[PATH_MAX];
	uint32_t next; /* number of the next file */
};

/* Make DIR (and SUB in it, NULL: none) unless it is there.  One with files in it is refused,
 * or (APPEND) is gone on with behind the highest number. */
int keep_dir_open(struct keep_dir *k, const char *dir, const char *sub, bool append,
	struct err *reterr);

/* Path of the next file in RET of PATH_MAX bytes. */
void keep_dir_next(struct keep_dir *k, char *ret);

/* An empty file of no name that matters, for a result that is read and removed. */
int keep_none_next(char *ret, struct err *reterr);

/* PATH, which must be a new file or (APPEND) one of results, is there and can be written. */
int keep_file_open(const char *path, bool append, struct err *reterr);

/* One more line in it: the document DOC, which is put on one line. */
int keep_file_add(const char *path, struct str *doc, struct err *reterr);

/* How results came about: a hidden file in DIR, which no comparison reads. */
int keep_about(const char *dir, const struct str *text, struct err *reterr);
