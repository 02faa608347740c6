/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* A trace's profile (trace/profile.h) as text, as JSON, and as a job that is like it.
 * Private to cmd/. */
#pragma once

#include "trace/profile.h"

struct json;
struct str;

/* Lines of `weir trace` behind those about time. */
void trace_profile_text(const struct trace_profile *p, struct str *out);

/* "4 KiB 61 %, 16 KiB 30 %, 9 % others". */
void trace_profile_sizes(const struct trace_profile *p, enum trace_action kind,
	struct str *out);

/* An object "profile". */
void trace_profile_json(const struct trace_profile *p, struct json *j);

/* A job file; TITLE says of what. */
void trace_profile_job(const struct trace_profile *p, const char *title, struct str *out);
