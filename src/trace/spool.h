/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Standard input as a trace that can be read twice: for the plan, and for the replay. */
#pragma once

#include <stddef.h>

struct err;

#define TRACE_SPOOLED "/proc/self/fd/" /* such a path is one of ours */

/* Copy all of standard input, as it comes, into a file without a name (in TMPDIR, else
 * /var/tmp), which lives as long as this process and those forked from it.  Its path is
 * put into PATH. */
int trace_spool(char *path, size_t size, struct err *reterr);
