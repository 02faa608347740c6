/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Engines that fio has and weir doesn't have yet. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct opt_group;
struct str;

/* const; so that a job for such an engine is refused with a reason, and its options are known.
 */
struct engine_later {
	const char *name;
	const char *help;             /* what it does, and by which library */
	const struct opt_group *opts; /* refused rows; NULL: it has none    */
};

/* NULL: fio has no such engine, or weir has it. */
const struct engine_later *engine_later_find(const char *name);

/* The name of weir's engines that is nearest to NAME, NULL when none is near. */
const char *engine_nearest(const char *name);

/* The engines that have an option called NAME: "pvsync2 or io_uring".  Those that
 * weir has, or else the others of fio; *ret_have says which. */
void engine_owners(const char *option, struct str *out, bool *ret_have);
