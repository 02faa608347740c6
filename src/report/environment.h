/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What was captured of the machine, for programs and for people. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct environment;
struct json;
struct str;

/* "environment" : {...} of the open object; STACK_ONLY: targets, layers and what could
 * not be read. */
void report_json_environment(struct json *j, const struct environment *e, bool stack_only);

/* Each target and what it lies on, as a tree. */
void report_stack(const struct environment *e, struct str *out);

/* "not read" and a line each; nothing when all was. */
void report_gaps(const struct environment *e, struct str *out);

/* "4 KiB", "1.5 GiB". */
void report_size(struct str *out, uint64_t bytes);
