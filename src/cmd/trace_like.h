/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* The load that a run shall be like. */
#pragma once

struct err;
struct work;

/* The load of the trace PATH; 0, or negative errno with *reterr. */
int trace_like_read(const char *path, struct work *ret, struct err *reterr);
