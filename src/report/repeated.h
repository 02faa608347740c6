/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Repeated runs as text.  Pure; each appends to OUT. */
#pragma once

#include <stdint.h>

struct repeated;
struct report_how;
struct str;

/* One of them: "run  3  db read 12885 IOPS".  NAME of the variant, NULL: there is one. */
void repeated_run(const struct repeated *r, uint32_t run, const char *name, struct str *out);

/* What all of a variant say. */
void repeated_table(const struct repeated *r, const char *name, const struct report_how *how,
	struct str *out);

/* The same as a table of Markdown, for one variant. */
void repeated_markdown(const struct repeated *r, struct str *out);

/* An object of an open array: name, and of each job and direction its figure. */
struct json;
void repeated_json(struct json *j, const struct repeated *r, const char *name);
