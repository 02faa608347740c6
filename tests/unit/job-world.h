/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* For the tests of jobs: groups of their own, a folder of their own, and reading
 * what a command line or a file says. */
#pragma once

#include "base/bits.h"
#include "base/err.h"
#include "base/str.h"
#include "job/job.h"

#include <stdbool.h>

struct core {
	const char *name, *engine, *directory, *description, *format, *prerun;
	int kb_base;
	struct opt_u64x3 bs;
	struct opt_word_arg rw;
	struct opt_names filename;
	struct opt_size size;
	uint32_t iodepth, numjobs, uid, idle;
	bool thread, stonewall, direct;
};

struct uring {
	uint32_t hipri, sqpoll;
};

extern const struct opt_group core_group, uring_group, pvsync2_group;

/* A reader's surroundings, and what came of it. */
struct world {
	struct job_set *set;
	struct err err;
	struct str warnings, notes, shown;
	struct job_env env;
};

struct world new_world(bool native);
void end_world(struct world *w);

/* "--name=value", "--name" and file names, with one blank between. */
int read_line(struct world *w, const char *line);

void put_file(const char *path, const char *text);
void put_bytes(const char *path, const char *text, size_t len);

/* The tests run in an empty folder of their own. */
int enter_folder(void **state);
int leave_folder(void **state);
