/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Reading the shims' small scripts: parts between separators, each part words
 * between ':'; a part may begin with the direction it is for ("write@..."). */
#pragma once

#include "base/dir.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;

#define SCRIPT_WORDS 8
#define SCRIPT_TEXT  128

/* One part, taken apart; longer ones and those with more words are refused. */
struct script_part {
	char text[SCRIPT_TEXT]; /* the words, each NUL-terminated */
	char *word[SCRIPT_WORDS];
	unsigned words;
	unsigned dirs; /* a bit for each enum dir it is for   */
};

/* Read one part at *text (which moves behind it and its comma). Returns 1, 0 at
 * the end of the text, or a negative errno. */
int script_next(const char **text, struct script_part *ret, struct err *reterr);
