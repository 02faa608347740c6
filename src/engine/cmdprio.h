/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* cmdprio_*: what the engines that can give a single request a priority (io->prio) ask
 * the plan for.  The options belong to the engines; the draws are the source's. */
#pragma once

#include <stdint.h>

#include "opt/opt.h"

/* One entry of cmdprio_bssplit: SIZE/PERCENT[/CLASS/LEVEL[/HINT]] */
struct cmdprio_entry {
	uint64_t bytes;
	uint32_t percent;
	int32_t class, level, hint; /* -1: as cmdprio_class, cmdprio, cmdprio_hint say */
};

/* V[d] has count[d] entries, in the arena of the options; no entry: not given. */
struct cmdprio_split {
	const struct cmdprio_entry *v[2]; /* reads, writes */
	uint32_t count[2];
};

/* The value of the rows below; plan/priority.c makes a struct priority_spec of it. */
struct cmdprio_opts {
	struct opt_u64x3 percentage, class, level, hint; /* of reads, writes; trims have none */
	struct cmdprio_split split;
};

extern const struct opt_type cmdprio_split_type;

/* The rows of an engine whose options have a struct cmdprio_opts M. */
#define CMDPRIO_ROWS(s, m)                                                                     \
	{.name = "cmdprio_percentage",                                                         \
		OPT_U64X3(s, m.percentage),                                                    \
		.max = 100,                                                                    \
		.help = "Percent of the requests (reads,writes) with the priority below"},     \
		{.name = "cmdprio_class",                                                      \
			OPT_U64X3(s, m.class),                                                 \
			.min = 1,                                                              \
			.max = 3,                                                              \
			.preset = "1",                                                         \
			.help = "Their class: 1 real time, 2 best effort, 3 idle"},            \
		{.name = "cmdprio",                                                            \
			OPT_U64X3(s, m.level),                                                 \
			.max = 7,                                                              \
			.help = "Their priority in the class, from 0 (most) to 7"},            \
		{.name = "cmdprio_hint",                                                       \
			OPT_U64X3(s, m.hint),                                                  \
			.max = 1023,                                                           \
			.help = "Their hint: the device's command duration limit"},            \
	{                                                                                      \
		.name = "cmdprio_bssplit",                                                     \
		OPT_AS(s, m.split, struct cmdprio_split, cmdprio_split_type),                  \
		.help = "Priorities by size: SIZE/PERCENT[/CLASS/LEVEL[/HINT]]:..., for r,w"   \
	}
