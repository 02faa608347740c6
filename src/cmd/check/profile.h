/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Profiles: jobs with what is expected of them, in the program.  Each is a job file, as
 * `weir check --profile=NAME --show` prints it; who wants other limits edits that. */
#pragma once

#include "cmd/measure.h"

struct arena;
struct cmd_call;
struct err;

struct profile_how {
	const struct cmd_call *call;
	const char *target;  /* a file, a directory, a device, or a new name        */
	const char *destroy; /* consent, or NULL                                    */
	const char *runtime; /* of each job, as typed; NULL: the profile's          */
	const char *title;   /* set: what the profile is                            */
	struct measure_told told;
};

/* Run profile NAME; RET, which is the caller's to end, has a result with its checks.  A file
 * that wasn't there is gone afterwards. */
int profile_run(const char *name, struct profile_how *how, struct arena *arena,
	struct measure *ret, struct err *reterr);

/* The job file of NAME on stdout, or ("list") all names. */
int profile_show(const char *name, struct err *reterr);
