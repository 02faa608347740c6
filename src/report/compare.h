/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* A comparison as text.  Pure; each appends to OUT. */
#pragma once

#include <stdbool.h>

struct compare;
struct report_how;
struct str;

/* Reads columns, colour and deciding_only of HOW; Markdown only the last. */
void compare_table(const struct compare *c, const struct report_how *how, struct str *out);
void compare_markdown(const struct compare *c, const struct report_how *how, struct str *out);

/* An object on many lines; docs/guide/compare.md lists its keys. */
#define COMPARE_VERSION 2 /* 1: notes were texts */
void compare_json(const struct compare *c, struct str *out);

/* Its keys, into an open object of another document. */
struct json;
void compare_json_keys(const struct compare *c, struct json *j);

/* What the verdicts mean, where several are given: a sentence; else nothing. */
void compare_add_levels(const struct compare *c, bool deciding_only, struct str *out);
