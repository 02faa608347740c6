/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* I/O priorities of threads and requests, as the kernel packs them into 16 bits (ioprio_set(2),
 * linux/ioprio.h):
 *
 *	15..13  class      12..3  hint (duration limits)      2..0  level, 0 is the most
 *
 * Whether they have an effect is the I/O scheduler's matter: bfq and mq-deadline know classes,
 * `none` and kyber don't. */
#pragma once

#include <stdint.h>

enum ioprio_class {
	IOPRIO_NONE, /* what nice gives */
	IOPRIO_RT,
	IOPRIO_BE,
	IOPRIO_IDLE,
};

#define IOPRIO_LEVEL_MAX 7u
#define IOPRIO_HINT_MAX  1023u

/* The kernel's number for them; it stands in struct io, too. */
static inline uint16_t ioprio_value(unsigned class, unsigned level, unsigned hint)
{
	return (uint16_t)(class << 13 | hint << 3 | level);
}

/* The parts of such a number. */
static inline unsigned ioprio_class_of(uint16_t value)
{
	return value >> 13;
}

static inline unsigned ioprio_hint_of(uint16_t value)
{
	return value >> 3 & IOPRIO_HINT_MAX;
}

static inline unsigned ioprio_level_of(uint16_t value)
{
	return value & IOPRIO_LEVEL_MAX;
}

/* Give the calling thread VALUE.  0, or a negative errno: -EPERM for the real-time
 * class without CAP_SYS_ADMIN or CAP_SYS_NICE. */
int ioprio_set_thread(uint16_t value);
