/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* One line on stderr, "weir: " in front: what a verb has to say that has no report of a run to
 * put it in.  (Those that have one speak through cmd/output.h.) */
#pragma once

void say_line(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* The same; returns STATUS, so that a verb that fails ends in one line. */
int say_status(int status, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
