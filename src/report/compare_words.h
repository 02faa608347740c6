/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Answers in words.  Private to report/. */
#pragma once

#include "result/compare.h"

struct str;

/* "better", "can't tell"; for programs "undecided". */
const char *compare_answer_text(enum compare_answer answer);
const char *compare_answer_word(enum compare_answer answer);

/* "wide", "short", ... for programs. */
const char *compare_why_word(enum compare_why why);

/* Why CELL of LINE is undecided and what would help. */
void compare_add_why(struct str *out, const struct compare_line *line,
	const struct compare_cell *cell);

/* "runs", "pairs", "series", "one". */
const char *compare_basis_word(enum compare_basis basis);

/* What values of FIGURE about as large as V are shown in: the size of one, in ns, I/Os or bytes
 * a second, and its name ("" where the figure says it). */
double compare_unit(enum compare_figure figure, double v, const char **ret_name);

/* "old (5 runs)" */
void compare_add_side(struct str *out, const struct compare_side *side);
