/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Reading many facts of a machine: whatever can be read is, and what exists but may not be
 * read is kept by name, with the reason.  What isn't there is no gap.
 *
 * Texts are in the arena.  One thread; only reads. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct sysroot;

/* What couldn't be read, and why. */
struct survey_gap {
	const char *path;
	const char *reason;
};

#define SURVEY_GAPS 64 /* more are only counted */

/* One survey; the caller's, the texts are the arena's. */
struct survey {
	const struct sysroot *root;
	struct arena *arena;
	struct survey_gap gaps[SURVEY_GAPS];
	uint32_t gaps_count;
	uint32_t gaps_more;
	bool failed; /* out of memory */
};

/* The first line of a file; NULL when it isn't there, is empty or can't be read. */
const char *survey_text(struct survey *s, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* A number, FACT_UNKNOWN likewise, and for one below 0; "max" is FACT_UNKNOWN, too. */
uint64_t survey_count(struct survey *s, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* All of a file, up to 64 KiB; NULL likewise. */
const char *survey_load(struct survey *s, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Last part of what a link points to; NULL: there is none. */
const char *survey_link(struct survey *s, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* A text of ours; NULL when memory ran out. */
const char *survey_copy(struct survey *s, const char *text);
const char *survey_printf(struct survey *s, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* PATH could not be read, for a negative errno; -ENOENT and the like count for nothing. */
void survey_gap(struct survey *s, const char *path, int rc);
void survey_gap_text(struct survey *s, const char *path, const char *reason);

/* The number behind KEY in TEXT ("MemTotal:  123 kB", "x 5"), FACT_UNKNOWN without; KEY is at
 * the beginning of a line. */
uint64_t survey_key(const char *text, const char *key);

/* The folder UP levels above one in sysfs: FOLDER SURVEY_ABOVE, where SURVEY_UP(UP). */
#define SURVEY_ABOVE  "%.*s"
#define SURVEY_UP(up) 3 * (int)(up), "/../../../../../../../../../../../../.."
#define SURVEY_UP_MAX 12u

/* The word in brackets of "none [mq-deadline] bfq"; TEXT itself without. */
const char *survey_chosen(struct survey *s, const char *text);
