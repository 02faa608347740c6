/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What is in a trace, as text for people and as JSON.  Private to cmd/. */
#pragma once

#include <stdint.h>

#include "trace/profile.h"
#include "trace/summary.h"
#include "trace/trace.h"

struct str;

struct trace_view {
	const char *title;  /* the files                                        */
	const char *format; /* "fio iolog v3 (gzip)"                            */
	const struct trace_names *names;
	const struct trace_summary *sum; /* a deep one                          */
	const struct trace_profile *profile;
	struct trace_odd odd;
};

/* Both append to OUT. */
void trace_view_text(const struct trace_view *v, struct str *out);
void trace_view_json(const struct trace_view *v, struct str *out);
