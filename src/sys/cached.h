/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* How much of a file or device is in the page cache, and how much of that isn't on the device
 * yet: cachestat(2), Linux 6.5. */
#pragma once

#include <stdint.h>

struct cached {
	uint64_t bytes;     /* in the page cache           */
	uint64_t dirty;     /* of them changed              */
	uint64_t writeback; /* on their way to the device   */
};

/* Opens PATH for reading, which may wait for the device.  0 or a negative errno: -ENOSYS on
 * an older kernel, -EOPNOTSUPP for what has no pages. */
int cached_find(const char *path, struct cached *ret);
