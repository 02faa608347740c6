/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Small arithmetic that C lacks.  All inline, all pure. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Elements of an array.  Not for pointers: a parameter declared as `v[3]` is one. */
#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/* Of the same type both; each is evaluated once. They may be nested: the names of
 * the locals are numbered. */
#define MIN_OF(a, b)         PICK_OF(a, <, b, __COUNTER__)
#define MAX_OF(a, b)         PICK_OF(a, >, b, __COUNTER__)
#define PICK_OF(a, op, b, n) PICK_NAMED(a, op, b, n)
#define PICK_NAMED(a, op, b, n)                                                                \
	({                                                                                     \
		__typeof__(a) pick_a##n = (a);                                                 \
		__typeof__(b) pick_b##n = (b);                                                 \
		pick_a##n op pick_b##n ? pick_a##n : pick_b##n;                                \
	})

/* For branches in HOT files whose usual way is known from what the job is, not guessed: the
 * compiler puts the other way out of line. */
#define likely(x)   __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

/* Times inside the program are nanoseconds in a uint64_t, which lasts 584 years.  These are
 * for its borders: options, reports, the kernel's structs. */
#define NS_PER_S  UINT64_C(1000000000)
#define NS_PER_MS UINT64_C(1000000)
#define NS_PER_US UINT64_C(1000)

/* Index of the highest set bit; V must not be 0. */
static inline unsigned bits_top(uint64_t v)
{
	return 63u - (unsigned)__builtin_clzll(v);
}

/* 0 is none. */
static inline bool bits_is_power_of_2(uint64_t v)
{
	return v && !(v & (v - 1));
}

/* UNIT is any number but 0, not only a power of two; a division each.  Not for HOT files. */
static inline uint64_t round_down(uint64_t v, uint64_t unit)
{
	return v - v % unit;
}

/* Saturates at the last multiple of UNIT instead of wrapping. */
static inline uint64_t round_up(uint64_t v, uint64_t unit)
{
	uint64_t rest = v % unit;
	if (!rest)
		return v;
	return v > UINT64_MAX - (unit - rest) ? UINT64_MAX - UINT64_MAX % unit
					      : v + (unit - rest);
}

/* V / UNIT, rounded up; UNIT must not be 0. */
static inline uint64_t div_up(uint64_t v, uint64_t unit)
{
	return v / unit + (v % unit != 0);
}

/* a * b; saturates.  B must not be 0. */
static inline uint64_t mul_capped(uint64_t a, uint64_t b)
{
	return a > UINT64_MAX / b ? UINT64_MAX : a * b;
}

/* a * b / c without overflow in the middle; C must not be 0; saturates. */
static inline uint64_t mul_div(uint64_t a, uint64_t b, uint64_t c)
{
	__extension__ unsigned __int128 wide = (unsigned __int128)a * b / c;
	return wide > UINT64_MAX ? UINT64_MAX : (uint64_t)wide;
}
