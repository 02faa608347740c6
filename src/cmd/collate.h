/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Warnings that many jobs share, said once:
 *
 *	jobs.fio:5: [j0] bs: ... (in 128 jobs)
 *
 * Two texts are the same when they differ in file, line and job only. */
#pragma once

#include <stddef.h>

#include "cmd/output.h"

/* A line that was said, and how often again. */
struct collate_line {
	enum speech what;
	char *text;     /* the first one            */
	unsigned again; /* how many came after it   */
};

/* Zeroed is empty. */
struct collate {
	struct collate_line *lines;
	size_t count, room;
};

/* TEXT is copied.  Where memory is out a line is lost, and nobody is told: it was no error. */
void collate_add(struct collate *c, enum speech what, const char *text);

/* Say all, in the order of their first; then it is empty. */
void collate_say(struct collate *c, struct output *out);
void collate_done(struct collate *c);
