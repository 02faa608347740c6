/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What the first and last blocks of a device say it holds. */
#pragma once

#include <stddef.h>

/* Read-only look for file systems, RAID, encryption, swap and partition tables.
 * 1 with TEXT filled ("ext4 file system, gpt partition table"), 0 when there is
 * nothing known, -ENOSYS when weir was built without libblkid, or the negative
 * errno of opening or reading.  May wait for the device. */
int signature_find(const char *path, char *text, size_t size);
