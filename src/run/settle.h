/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What a worker does to its own thread before it touches a file: memory policy,
 * I/O priority, control group, name, group and user. */
#pragma once

struct err;
struct plan_worker;

int settle(const struct plan_worker *pw, struct err *reterr);
