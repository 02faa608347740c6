/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What several runs of one verb say beside their figures: the machine, once, and their notes,
 * each once with the runs that it is of.
 *
 * A zeroed struct is a valid empty one.  Out of memory: the documents are failed. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

struct environment;
struct gathered_note;
struct json;
struct report_how;
struct result;
struct result_note;
struct str;

struct gathered {
	struct arena arena;
	struct environment *environment; /* of the first run; a reference, or NULL      */
	struct gathered_note *v;
	uint32_t count;
	uint32_t results; /* that were added */
	uint32_t invalid; /* notes that say so, also those that --no-notes hides */
	bool failed;
};

/* A note that a verb means otherwise than a run: it isn't said, or there is something else to
 * do about it. */
struct gathered_but {
	const char *id;
	const char *remedy; /* NULL: it isn't said */
};

/* Take what R says; it's copied.  LABEL is the run's name; BUT ends with a NULL id, or is
 * NULL. */
void gathered_add(struct gathered *g, const struct result *r, const char *label,
	const struct gathered_but *but);

/* One more, of the verb itself; copied. */
void gathered_put(struct gathered *g, const struct result_note *n);

/* "notes" and a line each, the worst first: report_notes(). */
void gathered_text(const struct gathered *g, const struct report_how *how, struct str *out);

/* "weir" : {environment, notes} of the open object. */
void gathered_json(const struct gathered *g, struct json *j);

void gathered_done(struct gathered *g);
