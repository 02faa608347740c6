/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What was seen while it ran, for programs. */
#pragma once

struct json;
struct watch;

/* "watch" : {...} of the open object. */
void report_json_watch(struct json *j, const struct watch *w);
