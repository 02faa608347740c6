/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Time, cheaply.
 *
 * All times inside weir are uint64_t nanoseconds of CLOCK_MONOTONIC, wherever
 * they come from: a deadline made with clock_now() may be given to the kernel.
 * The source is the CPU's counter when the CPU and the kernel both trust it
 * (calibrated against CLOCK_MONOTONIC at start, in milliseconds, and checked),
 * else clock_gettime().  The counter is the invariant TSC, on arm64 the virtual
 * count of the generic timer (CNTVCT_EL0).  The struct is const after
 * clock_init(); it is copied into workers and holds across fork. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

struct err;
struct sysroot;

/* What the user asked for. */
enum clock_want {
	CLOCK_AUTO,
	CLOCK_TSC,    /* clocksource=cpu: refused when it can't be trusted */
	CLOCK_SYSTEM, /* clock_gettime */
};

struct clock {
	bool tsc; /* the counter, whatever its name                              */
	uint64_t tsc_base;
	uint64_t ns_base;
	uint64_t mult;        /* ns = (ticks - tsc_base) * mult / 2^32           */
	double stamp_cost_ns; /* what one clock_now() costs here, measured       */
	double step_ns;       /* stamps differ by this or more, seen; a counter of
			       * 25 MHz goes in steps of 40                      */
	double error_ppm;     /* how far two calibrations were apart             */
	const char *name;     /* "tsc", "cntvct" (arm64), "clock_gettime"        */
	const char *why;      /* why not the counter, or NULL                    */
};

/* Takes some ms, to calibrate.  0, or a negative errno: CLOCK_TSC was wanted and can't be
 * trusted here; CLOCK_AUTO never fails. */
int clock_init(struct clock *ret, enum clock_want want, struct err *reterr);

/* The kernel's opinion of the counter as a machine's files tell it: NULL, or why it
 * isn't to be trusted.  clock_init() asks this machine. */
const char *clock_distrust(const struct sysroot *root);

/* The CPU's counter.  On x86-64 unordered: an rdtsc may be executed some ns early, which is
 * less than what a fence costs.  On arm64 a counter may be read before what stands before it
 * is done, another read of it too, and time would go back: the barrier keeps them in order
 * (Arm ARM, "Counters and timers": reads are speculative without one).  The kernel's clock
 * pays it, too. */
static inline uint64_t clock_ticks(void)
{
#if defined(__x86_64__)
	return __rdtsc();
#elif defined(__aarch64__)
	uint64_t v;
	__asm__ volatile("isb\n\tmrs %0, cntvct_el0" : "=r"(v) : : "memory");
	return v;
#else
	return 0;
#endif
}

/* CLOCK_MONOTONIC from the kernel, for whoever has no struct clock. */
static inline uint64_t clock_kernel_ns(void)
{
	struct timespec ts;
	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * UINT64_C(1000000000) + (uint64_t)ts.tv_nsec;
}

/* ns of CLOCK_MONOTONIC; stamp_cost_ns is what it costs here.  Never allocates or locks. */
static inline uint64_t clock_now(const struct clock *c)
{
	if (!c->tsc)
		return clock_kernel_ns();
	__extension__ unsigned __int128 wide = (unsigned __int128)(clock_ticks() -
								   c->tsc_base) *
					       c->mult;
	return c->ns_base + (uint64_t)(wide >> 32);
}

/* How far C is ahead of the kernel's clock now; right after clock_init() some ns.
 * A run asks again at its end: much more than error_ppm allows says that the
 * counter's rate changed under way (a virtual machine that moved). */
double clock_drift_ns(const struct clock *c);

/* Wall clock, milliseconds since the epoch. */
uint64_t clock_wall_ms(void);
