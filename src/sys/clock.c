/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Calibration.  The kernel's clock and the counter are read in turns,
 *
 *	k0  ticks  k1        k0 and k1 from clock_gettime()
 *
 * and of many such triples the one with the smallest k1 - k0 is kept: there the
 * counter was read within a few nanoseconds of the middle.  Three such points,
 * 4 ms apart, give two slopes; how far they differ says how good they are. */
#include "sys/clock.h"

#include "base/bits.h"
#include "base/err.h"
#include "base/str.h"
#include "sys/sysroot.h"

#include <errno.h>
#include <string.h>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

#define POINT_TRIES 64
#define SPAN_NS     (4 * NS_PER_MS)
#define ERROR_PPM   200.0 /* of two calibrations; more: something is wrong */
#define SPANS_TRIES 3     /* on a busy machine one may be disturbed        */
#define COST_STAMPS 2000
#define COST_TRIES  200
#define COST_FACTOR 2.0 /* a counter so much dearer than clock_gettime() is trapped */
#define STEP_STAMPS 256

#if defined(__aarch64__)
#define COUNTER      "cntvct"
#define COUNTER_WORD "system counter"
#else
#define COUNTER      "tsc"
#define COUNTER_WORD "TSC"
#endif

struct point {
	uint64_t ns, ticks;
};

static struct point point_take(void)
{
	struct point best = {0};
	uint64_t best_width = UINT64_MAX;
	for (int i = 0; i < POINT_TRIES; i++) {
		uint64_t before = clock_kernel_ns();
		uint64_t ticks = clock_ticks();
		uint64_t after = clock_kernel_ns();
		if (after - before < best_width) {
			best_width = after - before;
			best = (struct point){.ns = before + best_width / 2, .ticks = ticks};
		}
	}
	return best;
}

static void wait_ns(uint64_t ns)
{
	uint64_t end = clock_kernel_ns() + ns;
	struct timespec ts = {
		.tv_sec = (time_t)(end / NS_PER_S), .tv_nsec = (long)(end % NS_PER_S)};
	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL) == EINTR)
		;
}

static double ns_per_tick(const struct point *a, const struct point *b)
{
	return b->ticks > a->ticks ? (double)(b->ns - a->ns) / (double)(b->ticks - a->ticks)
				   : 0;
}

static int calibrate(struct clock *c)
{
	for (int i = 0; i < SPANS_TRIES; i++) {
		struct point p[3] = {point_take()};
		for (int k = 1; k < 3; k++) {
			wait_ns(SPAN_NS);
			p[k] = point_take();
		}
		double one = ns_per_tick(&p[0], &p[1]), two = ns_per_tick(&p[1], &p[2]);
		if (one <= 0 || two <= 0)
			return -ERANGE;
		c->error_ppm = (one > two ? one / two - 1 : two / one - 1) * 1e6;
		c->mult = (uint64_t)(ns_per_tick(&p[0], &p[2]) * 0x1p32 + 0.5);
		c->tsc_base = p[2].ticks;
		c->ns_base = p[2].ns;
		if (c->error_ppm <= ERROR_PPM)
			return 0;
	}
	return -ERANGE;
}

/* The counter runs at one rate, whatever the CPU's frequency and sleep state: on arm64
 * always (Arm ARM, D12.1: a system counter of fixed frequency, always powered). */
static bool counter_is_invariant(void)
{
#if defined(__x86_64__)
	unsigned a, b, c, d;
	return __get_cpuid(0x80000007, &a, &b, &c, &d) && (d & (1u << 8));
#elif defined(__aarch64__)
	return true;
#else
	return false;
#endif
}

#if defined(__x86_64__)

/* Flag of the first CPU, as the kernel sees it after its own checks. */
static bool kernel_flag(const struct sysroot *root, const char *flag)
{
	struct str text = {0};
	bool found = false;
	if (sysroot_load(root, &text, "/proc/cpuinfo") == 0) {
		const char *line = strstr(str_text(&text), "\nflags");
		size_t len = line ? strcspn(line + 1, "\n") + 1 : 0;
		const char *at = line ? strstr(line, flag) : NULL;
		found = at && at < line + len && at[-1] == ' ' &&
			strchr(" \n", at[strlen(flag)]);
	}
	str_done(&text);
	return found;
}

/* Guests of KVM and Hyper-V are told the time through a page that the host keeps, made
 * of the TSC; the guest's kernel must have declared the counter reliable (in step on all
 * CPUs, never stopping) too. */
static const char *source_distrust(const struct sysroot *root, const char *source)
{
	if (!strcmp(source, "tsc"))
		return NULL;
	if (strcmp(source, "kvm-clock") != 0 &&
		strcmp(source, "hyperv_clocksource_tsc_page") != 0)
		return "the kernel's clock source isn't the TSC";
	return kernel_flag(root, "tsc_reliable") && kernel_flag(root, "nonstop_tsc")
		       ? NULL
		       : "the kernel of this virtual machine doesn't call the TSC reliable";
}

#else

static const char *source_distrust(const struct sysroot *root, const char *source)
{
	(void)root;
	return !strcmp(source, "arch_sys_counter")
		       ? NULL
		       : "the kernel's clock source isn't the " COUNTER_WORD;
}

#endif

/* Does the kernel keep its own time by the counter? */
const char *clock_distrust(const struct sysroot *root)
{
	char source[64];

	if (sysroot_text(root, source, sizeof(source),
		    "/sys/devices/system/clocksource/clocksource0/current_clocksource") < 0)
		return "the kernel's clock source can't be read";
	return source_distrust(root, source);
}

static const char *why_not_trusted(void)
{
	return counter_is_invariant() ? clock_distrust(&sysroot_real)
				      : "the CPU has no invariant " COUNTER_WORD;
}

static double measure_cost(const struct clock *c, int stamps)
{
	volatile uint64_t sink = 0;
	uint64_t best = UINT64_MAX;
	for (int round = 0; round < 5; round++) {
		uint64_t start = clock_kernel_ns();
		for (int i = 0; i < stamps; i++)
			sink = clock_now(c);
		best = MIN_OF(best, clock_kernel_ns() - start);
	}
	(void)sink;
	return (double)best / stamps;
}

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t rest = a % b;
		a = b;
		b = rest;
	}
	return a;
}

/* A counter may advance by more than one: all its differences are multiples of the step.
 * What clock_gettime() says is rounded to nanoseconds: there the least difference is, if
 * stamps are ever equal, the step; else the step is less than a call and doesn't matter. */
static double measure_step(const struct clock *c)
{
	uint64_t common = 0, least = UINT64_MAX;
	uint64_t last = c->tsc ? clock_ticks() : clock_kernel_ns();
	bool equal = false;

	for (int i = 0; i < STEP_STAMPS; i++) {
		uint64_t now = c->tsc ? clock_ticks() : clock_kernel_ns();
		common = common_divisor(now - last, common);
		equal |= now == last;
		if (now != last)
			least = MIN_OF(least, now - last);
		last = now;
	}
	if (c->tsc)
		return (double)common * (double)c->mult * 0x1p-32;
	return equal && least != UINT64_MAX ? (double)least : 1;
}

/* Both measured: a hypervisor may trap the counter, and arm64 kernels do so where it has
 * errata. */
static const char *why_too_dear(const struct clock *c)
{
	const struct clock system = {.tsc = false};

	return measure_cost(c, COST_TRIES) > COST_FACTOR * measure_cost(&system, COST_TRIES)
		       ? "reading the " COUNTER_WORD " costs more than clock_gettime"
		       : NULL;
}

int clock_init(struct clock *ret, enum clock_want want, struct err *reterr)
{
	struct clock c = {.name = "clock_gettime"};

	if (want != CLOCK_SYSTEM) {
		c.why = why_not_trusted();
		if (!c.why && calibrate(&c) < 0)
			c.why = "two calibrations of the " COUNTER_WORD " disagree";
		c.tsc = !c.why;
	} else {
		c.why = "clock_gettime was asked for";
	}
	if (want == CLOCK_TSC && !c.tsc)
		return err_set(reterr, -EOPNOTSUPP,
			"clocksource=cpu: %s; leave clocksource out, or use clock_gettime",
			c.why);
	if (want == CLOCK_AUTO && c.tsc) {
		c.why = why_too_dear(&c);
		c.tsc = !c.why;
	}
	if (c.tsc)
		c.name = COUNTER;
	c.stamp_cost_ns = measure_cost(&c, COST_STAMPS);
	c.step_ns = measure_step(&c);
	*ret = c;
	return 0;
}

double clock_drift_ns(const struct clock *c)
{
	double best = 0;
	uint64_t best_width = UINT64_MAX;
	for (int i = 0; i < POINT_TRIES; i++) {
		uint64_t before = clock_kernel_ns();
		uint64_t now = clock_now(c);
		uint64_t after = clock_kernel_ns();
		if (after - before < best_width) {
			best_width = after - before;
			best = (double)(int64_t)(now - (before + best_width / 2));
		}
	}
	return best;
}

uint64_t clock_wall_ms(void)
{
	struct timespec ts;
	clock_gettime(CLOCK_REALTIME, &ts);
	return (uint64_t)ts.tv_sec * 1000 + (uint64_t)ts.tv_nsec / NS_PER_MS;
}
