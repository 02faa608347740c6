/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* How many I/Os a second one worker of weir can make here, without a device: a short run on the
 * engine `null`, as a process of its own.
 *
 * Kept in $XDG_CACHE_HOME/weir/ceiling (else ~/.cache/weir/ceiling) for this version, kernel
 * and CPU; `weir doctor` measures it, runs only read it.  A cache that can't be read or written
 * is no error. */
#pragma once

/* From the cache; 0: not there. */
double ceiling_known(const char *version);

/* The same, but measured (0.1 s) and kept where it wasn't there; 0: that failed. */
double ceiling_find(const char *version);
