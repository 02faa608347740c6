/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* The words of a command line, sorted: flags of the program, options of jobs,
 * job files.  The grammar is fio's (GNU "long only"):
 *
 *	--name=value  --name value  -name=value  -name value  --na (a unique prefix)
 *
 * What stands alone never eats the next word; "--" ends the options; "-" is a job
 * file on stdin; job files stand anywhere.  An engine's private options are known
 * to the right of the --ioengine that selects it.
 *
 * Values of job options are not judged here: job_read() does that, which knows
 * the defaults in force. */
#pragma once

#include <stddef.h>

#include "base/arena.h"
#include "cmd/flags.h"

struct cmd_call;
struct err;
struct job_word;

/* Names and values point into argv or the arena; both must live as long as the jobs made of it.
 */
struct command_line {
	struct arena arena; /* owns the texts of flags and words */
	struct flags flags;
	struct job_word *words;
	size_t count;
	unsigned *sections_at; /* index of the word of each of flags.sections */
};

/* Reading ends at the first flag that asks for help or the version: what follows
 * is not looked at.  On failure *reterr names the word. */
int command_line_read(const struct cmd_call *call, struct command_line *ret,
	struct err *reterr);
void command_line_done(struct command_line *line);

/* What --override says, in LINE's arena; NULL: no memory. */
const struct job_word *command_line_overrides(struct command_line *line);
