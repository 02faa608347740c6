/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Text on a terminal: how wide it is, what may be sent there, where lines break.
 * Private to report/. */
#pragma once

struct str;

/* Columns that UTF-8 TEXT takes; a byte that is not UTF-8 takes one. */
unsigned text_width(const char *text);

/* TEXT with control characters and broken UTF-8 as '?': a job's name must not be
 * able to move the cursor. */
void text_add(struct str *out, const char *text);

/* The same where Markdown is read: what would mean something there stands for itself. */
void text_markdown(struct str *out, const char *text);

/* So many blanks. */
void text_pad(struct str *out, unsigned columns);

/* TEXT (as by text_add) broken at blanks so that no line passes COLUMNS; the
 * caller has already written AT columns of the first, later ones begin with
 * INDENT blanks.  A word that is too long stays whole.  No newline at the end. */
void text_wrap(struct str *out, const char *text, unsigned at, unsigned indent,
	unsigned columns);
