/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* The kernel's log, from now on: what it says about devices while they are measured. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* At its end; never waits.  A descriptor, or a negative errno (-EPERM: for root only). */
int kmsg_open(void);

/* The text of the next record of warning or worse into BUF, false when there is none; at most
 * a few hundred records are passed over at a time. */
bool kmsg_next(int fd, char *buf, size_t size);

/* A record as /dev/kmsg gives it, "4,812,90012345,-;text": its text if it is a warning or
 * worse and not a program's, without what follows in further lines.  Pure. */
bool kmsg_text(const char *record, char *buf, size_t size);

/* Is NAME ("sda", "nvme0n1") a word of TEXT?  A digit or letter behind it makes another name,
 * but "p2" and digits of a partition don't. */
bool kmsg_names(const char *text, const char *name);
