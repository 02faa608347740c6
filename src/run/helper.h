/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Things that may hang, done in a forked process so that the supervisor doesn't. */
#pragma once

#include <stdint.h>

/* FN(ARG) in a child that ignores the terminal's signals; returns what it returned,
 * 0 or a negative errno: -ETIMEDOUT when it wasn't back after TIMEOUT_NS (it is left
 * alone then to do its work), -EINTR when it was killed. */
int helper_run(int (*fn)(void *arg), void *arg, uint64_t timeout_ns);
