/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What a verb with jobs of its own works on: a file or a device that is there, or a file
 * that it makes (in a directory, or under a new name) and removes when it is done.
 *
 * A run that is killed can't remove it.  So the file is marked and locked (sys/owned.h), and
 * what a dead one left in a directory, under a name of weir's, is removed by the next that
 * comes there.  Under a name that somebody chose it's only told: a copy that he put over it has
 * the same mark.  Ruled out: a file without a name (O_TMPFILE): jobs, helpers and /proc go by
 * paths, and it would be named /proc/self/fd/N in all that is told. */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

struct err;

/* What TARGET turned out to be. */
enum trial_kind {
	TRIAL_FILE,
	TRIAL_DEVICE,
	TRIAL_NEW,
};

struct trial {
	enum trial_kind kind;
	bool made;      /* it is removed at the end                      */
	int lock;       /* of what is made: held until it is removed; -1: none */
	bool direct;    /* O_DIRECT works there                          */
	uint64_t bytes; /* its size; of a new one: free space            */
	char path[PATH_MAX];
	char name[2 * PATH_MAX]; /* as a value of filename: colons escaped     */
};

/* 0, or -errno with what is wrong with TARGET.  Directories get a name that is not there.  A
 * new file is empty and ours, or (where a file system knows no marks) isn't made yet.  Says on
 * stderr what dead runs left, and what of it was removed. */
int trial_open(struct trial *t, const char *target, struct err *reterr);

/* Remove what was made.  A zeroed struct is fine. */
void trial_close(struct trial *t);
