/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* The directory of a study, and its index: study.json.
 *
 *	DIR/study.json                       what is done and what is to do; replaced as a whole
 *	DIR/study.weir                       the file as it was at the begin
 *	DIR/runs/WORKLOAD/[POINT/]VARIANT/   001.json ...: a result a round, whole ones only
 *	DIR/logs/0001.log                    what run 1 and its commands said
 *	DIR/logs/0001.json                   what there is of a run that failed
 *
 * `active` is what was set up and not torn down: written before the setup begins, so that
 * whoever comes after a kill -9 finds it. */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "cmd/study/order.h"

#define STUDY_VERSION 1

/* A teardown that is due, as text, since the file may be another one by then. */
struct json_value;
struct str;

/* Heap, since it outlives what it was made of. */
struct study_active {
	bool is;
	uint32_t run; /* of the order */
	char *teardown;
	char *env; /* "NAME=VALUE" lines */
	char *variant;
};

/* One process works with it: the lock on DIR/study.json's directory says so. */
struct study_index {
	char dir[PATH_MAX]; /* absolute */
	int lock_fd;        /* -1: none */
	bool there;         /* study.json was read */
	uint64_t seed, fingerprint;
	uint32_t rounds; /* of the runs that it had */
	struct study_active active;
	struct arena arena;            /* of what was read             */
	const struct json_value *runs; /* NULL: none; for index_apply() */
};

/* Read the index of DIR; to WORK in it, make the directory unless it is there, and lock it
 * first.  One that is somebody else's or at work is refused.  RET is valid for index_close()
 * in any case. */
int index_open(struct study_index *x, const char *dir, bool work, struct err *reterr);
void index_close(struct study_index *x);

/* Programs begun from here on hold the lock, too, as long as they live; or no more. */
void index_lock_share(const struct study_index *x, bool share);

/* What became of the runs of O, by what was read. */
int index_apply(struct study_index *x, struct study_order *o, struct err *reterr);

/* Write it, so that it is on the disk, or leave the one before. */
int index_write(const struct study_index *x, const struct study *s, const struct study_order *o,
	struct err *reterr);

/* Remove what a study made in DIR: index, runs and logs. */
int index_remove(struct study_index *x, struct err *reterr);

/* TEXT in DIR/NAME, whole or not at all. */
int index_file_write(const struct study_index *x, const char *name, const struct str *text,
	struct err *reterr);

void index_active_clear(struct study_index *x);
