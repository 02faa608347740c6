/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What a person reads before the figures: the lines of classic text that name
 * each job, and the facts in the native table's first line. */
#pragma once

struct plan;
struct result;
struct str;

/* One line a job, and "..." after one with clones, newline included. */
void head_add_jobs(const struct plan *plan, struct str *out);

/* Title and kernel of R, where the run left them open. */
void head_fill_result(const struct plan *plan, struct result *r);
