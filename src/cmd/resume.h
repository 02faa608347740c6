/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* --verify-resume: a state file becomes a job for each of its targets. */
#pragma once

struct command_line;
struct err;

/* Append them to LINE's words, whose defaults they take.  Nothing without the flag. */
int resume_words(struct command_line *line, struct err *reterr);
