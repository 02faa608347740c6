/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Distributions as typed: zipf:1.2, normal:10:0.25, zoned:60/10:40/90, with commas
 * between those of reads, writes and trims.  Private to plan/. */
#pragma once

#include "gen/pattern.h"
#include "opt/opt.h"

struct err;
struct plan_worker;

/* The option's value: a distribution for each direction. */
struct spread3 {
	struct spread_spec v[DIRS];
	const char *text; /* as typed */
};

extern const struct opt_type spread_type;

#define OPT_SPREAD(s, f) OPT_AS(s, f, struct spread3, spread_type)

/* The numbers of zipf, pareto or normal: "1.2" or "1.2:0.5"; NULL: none. */
int spread_read(enum spread_kind kind, const char *arg, struct spread_spec *ret,
	struct err *reterr);

/* Zones in bytes must lie in the regions: an error where they don't. */
int spread_check_zones(const struct plan_worker *w, struct err *reterr);
