/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* The two faces: weir's own, and the drop-in for fio.  All differences between
 * them begin in this table; where one is asked, it is by the member that names
 * the difference. */
#pragma once

#include <stdbool.h>

/* const; there are two. */
struct face {
	const char *name;    /* for --compat                                       */
	const char *program; /* in front of every message                          */
	const char *version; /* "weir 0.1", "fio-3.42"                              */
	const char *format;  /* what comes out when no format was asked for        */
	bool native;         /* weir's rules: consent, no value with two readings,
			      * its own objects in JSON                            */
	bool verbs;          /* the first word may be a verb                       */
	bool words_inline;   /* in classic text notes and warnings stand in the
			      * stream of the report; else all words are on stderr */
	bool live_on_stderr; /* the live line; else on stdout                      */
	bool json_lines;     /* several documents: one a line; else one after another */
};

/* By the program's name, or by --compat=NAME among the words before "--".
 * NULL when --compat names none; that has been said on stderr. */
const struct face *face_choose(int argc, char **argv);
