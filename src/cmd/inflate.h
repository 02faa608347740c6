/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* --inflate-log: fio's compressed logs as text. */
#pragma once

struct output;

/* Print the lines of the log at PATH (written by fio with log_store_compressed) on stdout.
 * Errors are said on OUT; what comes before the damage of a file is printed.  Returns the
 * exit status. */
int inflate_log(struct output *out, const char *path);
