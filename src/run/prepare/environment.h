/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Capturing the machine around a run: once, by the supervisor, before the first job
 * starts and after files were laid out; never while something is measured. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct clock;
struct environment;
struct plan;
struct sysroot;

struct environment_how {
	const struct sysroot *root;
	const char *const *paths; /* targets; the first ENVIRONMENT_TARGETS are looked at */
	uint32_t paths_count;
	uint32_t paths_more;       /* that aren't even in the list                */
	const struct clock *clock; /* or NULL                                    */
	bool danger;               /* also who uses a target and what it holds   */
	bool health;               /* ask smartctl also of disks that may not be ATA       */
	bool ask_devices;          /* of a root that isn't real, too: for tests            */
	bool full;                 /* with serial numbers and host name           */
	uint64_t patience_ns;      /* for devices and file systems to answer      */
};

/* NULL: out of memory.  Free it with environment_free(). */
struct environment *environment_capture(const struct environment_how *how);

/* The same for the targets that the workers of PLAN open. */
struct environment *environment_of_plan(const struct plan *plan, const struct clock *clock,
	bool full);
