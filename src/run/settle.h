/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What a worker does to its own thread before it touches a file: memory policy,
 * I/O priority, control group, name, group and user. */
#pragma once

struct err;
struct plan_worker;

/* In the worker's own thread.  0, or a negative errno with the option that couldn't be obeyed;
 * the worker then fails and has done no I/O.  User and group come last: nothing that needs root
 * is behind them. */
int settle(const struct plan_worker *pw, struct err *reterr);
