/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Help: walks over rows.  All of it goes to stdout, a complaint about a name to
 * stderr; each function returns the exit status. */
#pragma once

#include <stdbool.h>

struct cmd_call;
struct opt;
struct str;

/* The page of --help. */
int help_usage(const struct cmd_call *call);

/* --cmdhelp[=NAME]: "" and "all" list every job option.  As fio an unknown name is
 * 0, too. */
int help_option(const struct cmd_call *call, const char *name);

/* --enghelp[=ENGINE[,OPTION]]: "" lists the engines. */
int help_engine(const char *what);

/* --debug=help */
int help_debug(void);

/* ---- parts ---- */

#define HELP_FLAG_WIDTH 28 /* of names in the lists of --help */

/* "min=1, max=65536", or "-". */
void help_add_range(struct str *out, const struct opt *row);

/* All rows, for programs; see help_rows.c. */
void help_add_rows(struct str *out);

/* What docs/options say about OPTION, if they do. */
void help_add_prose(struct str *out, const char *option);

/* What docs/engines say about ENGINE. */
void help_add_engine_prose(struct str *out, const char *engine);

/* A theme with all its options; false: there is no such theme. */
bool help_add_theme(struct str *out, const char *theme);
void help_add_themes(struct str *out);

/* The page of a note; false: there is none. */
bool help_add_note(struct str *out, const char *id);

/* What notes are, and the id of each. */
void help_add_notes(struct str *out);
