/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* The words of --debug: weir's areas, and fio's names. */
#pragma once

#include <stdbool.h>

struct str;

#define DEBUG_AREAS "job, plan, run, engine, io, sys, all"

/* Is it --debug=help or --debug=?: what areas there are. */
bool debug_asks(const char *text);
void debug_list(struct str *out);

/* The set of enum log_area that TEXT ("plan,run") names; UNKNOWN hears of each word
 * that is no area. */
unsigned debug_areas(const char *text, void (*unknown)(void *ctx, const char *word), void *ctx);
