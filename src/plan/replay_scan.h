/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* One look through a trace: what a replay of it does, and where.  Private to plan/. */
#pragma once

struct draft;
struct err;
struct plan_worker;

/* Fill w->replay from its inputs, map and speed; REDIRECT is the only target, or NULL.
 * Notes what is odd about the trace. */
int replay_scan(struct draft *d, struct plan_worker *w, const char *redirect,
	struct err *reterr);
