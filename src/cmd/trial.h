/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What a verb with jobs of its own works on: a file or a device that is there, or a file
 * that it makes (in a directory, or under a new name) and removes when it is done. */
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
	bool direct;    /* O_DIRECT works there                          */
	uint64_t bytes; /* its size; of a new one: free space            */
	char path[PATH_MAX];
	char name[2 * PATH_MAX]; /* as a value of filename: colons escaped     */
};

/* 0, or -errno with what is wrong with TARGET; nothing is made yet.  Directories get a
 * name that is not there. */
int trial_open(struct trial *t, const char *target, struct err *reterr);

/* Remove what was made.  A zeroed struct is fine. */
void trial_close(struct trial *t);
