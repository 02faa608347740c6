/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Notes as rules: what spoils a figure, found by looking at what was captured.
 *
 * A rule is a const struct with a pure check: it reads the case (a result, a row of it,
 * a device of its environment) and says nothing, or one sentence with the numbers
 * behind it.  It reads no clock, no file, no option, so a test plays any machine to it.
 *
 * To add one: the struct in a table of this folder, and docs/notes/ID.md; `weir help
 * note:ID` shows the page, and tests/notes.py holds the two together.
 *
 * A run asks all rules at its end (result_notes_make()); `weir doctor` asks those
 * about the environment before a run (notes_doctor()). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/dir.h"
#include "result/result.h"

struct environment;
struct layer;
struct target_facts;
struct watch_job;

#define NOTE_EVIDENCE 14

/* What a rule is asked about, and so how often. */
enum note_scope {
	NOTE_OF_ROW,        /* each row that is shown                                */
	NOTE_OF_DIR,        /* each direction of it                                  */
	NOTE_OF_ERROR,      /* each kind of error in it                              */
	NOTE_OF_GROUP,      /* each direction of each group                          */
	NOTE_OF_RUN,        /* once, with the notes made so far in sight             */
	NOTE_OF_MACHINE,    /* once, if the environment is known                     */
	NOTE_OF_LAYER,      /* each file system and device below the targets         */
	NOTE_OF_TARGET,     /* each target                                           */
	NOTE_OF_COMPARISON, /* never: `weir compare` finds and says it               */
};

/* All that a check may see.  What its scope doesn't give is NULL. */
struct note_case {
	const struct result *result;       /* never NULL; without rows before a run */
	const struct result_row *row;      /* ROW, DIR, ERROR                       */
	const struct result_error *error;  /* ERROR                                 */
	const struct result_group *group;  /* GROUP                                 */
	enum dir dir;                      /* DIR, GROUP                            */
	const struct environment *env;     /* NULL: not captured (--env=none, imported) */
	const struct layer *layer;         /* LAYER; what the TARGET is on, or NULL */
	const struct target_facts *target; /* TARGET                               */
};

/* What a check says; it comes with the rule's weight and remedy and the name of the row,
 * target or device, which the check may change. */
struct note_found {
	enum note_weight weight;
	const char *job, *target;
	char text[1024];
	char remedy[512];
	struct result_evidence evidence[NOTE_EVIDENCE];
	uint32_t evidence_count;
};

/* A kind of trouble; const, in a table of its file. */
struct note_rule {
	const char *id;          /* stable: programs and pages know it             */
	enum note_weight weight; /* usual                                          */
	enum note_scope scope;
	bool doctor_only;   /* true before a run, but not of one: load, say   */
	const char *remedy; /* usual, or NULL                                 */
	bool (*check)(const struct note_case *c, struct note_found *f); /* true: found */
};

/* The rules of one file. */
struct note_table {
	const struct note_rule *rules;
	size_t count;
};

/* All tables in the order of asking, ended by NULL. */
extern const struct note_table *const note_tables[];

#define NOTE_TABLE(name, array)                                                                \
	const struct note_table name = {.rules = (array), .count = COUNT_OF(array)}

/* Tables, one a file. */
extern const struct note_table notes_around, notes_average, notes_cache, notes_compared,
	notes_course, notes_dd, notes_device, notes_drive, notes_ends, notes_goals, notes_load,
	notes_machine, notes_measuring, notes_nvme, notes_partial, notes_place, notes_queue,
	notes_replay, notes_saturated, notes_schedule, notes_told, notes_verify, notes_whole,
	notes_work;

/* Those of comparisons (result/compare), by their place in notes_compared. */
enum note_compared {
	COMPARED_ONE_RUN,
	COMPARED_MEANS_HIDE,
	COMPARED_SETTINGS,
	COMPARED_OTHER_WORK,
	COMPARED_IN_SEQUENCE,
	COMPARED_ISSUED_LATE, /* of the rates of `knee` */
};

/* The sentence, without what to do.  Always true, so that a check ends with it. */
bool note_say(struct note_found *f, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void note_remedy(struct note_found *f, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* ROW ended with wrong data, which the notes of verification say. */
bool note_data_is_wrong(const struct result_row *row);

/* A number behind the sentence; KEY (static, with its unit) as in JSON. */
void note_number(struct note_found *f, const char *key, double value);

/* What was watched of the row's workers; NULL: nothing. */
const struct watch_job *note_watch_job(const struct note_case *c);

/* The value that the row's job was given for an option ("" of a flag), its own before a global
 * one; NULL: none. */
const char *note_option(const struct note_case *c, const char *name);

/* "info", "doubtful", "invalid". */
const char *note_weight_name(enum note_weight weight);

/* The notes that R's environment allows, for `weir doctor`: in order, the worst first.
 * 0 or -ENOMEM. */
int notes_doctor(struct result *r);

/* How many of R's notes have this weight. */
uint32_t notes_count(const struct result *r, enum note_weight weight);
