/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* The aggregate bandwidth logs (--bandwidth-log): three files, one a direction, a line
 * every 500 ms with the bandwidth of all jobs together.  A process of its own. */
#pragma once

#include <stdint.h>
#include <sys/types.h>

#include "base/dir.h"

struct shared;

/* "PREFIX-read_bw.log"; the caller's, NULL: no memory. */
char *log_total_path(const char *prefix, enum dir dir);

/* Runs in its process until the supervisor, PARENT, says that all is over. */
void log_total_main(struct shared *shared, uint32_t workers, const char *prefix, pid_t parent);
