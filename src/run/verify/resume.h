/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Judging what a state file says must be there. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct state;
struct unit_expect;
struct unit_spec;
struct verify;
struct verify_slot;

/* Of one read; added to the worker's (struct shared_verify). */
struct resume_counts {
	uint64_t units, wrong, bytes, unjudged;
	uint64_t age[3]; /* enum state_age                                     */
	uint64_t later;  /* beyond the log                                     */
};

/* The units of S, which BUF has.  Any thread. */
void resume_check(struct verify *v, const struct verify_slot *s, const unsigned char *buf,
	struct resume_counts *c);

/* May the wrong UNIT, whose bytes are DATA, be a mixture of the writes that may be there?  Also
 * true when that can't be found out.  Not hot. */
bool resume_is_mixture(struct state *st, uint32_t target, uint64_t unit,
	const struct unit_spec *spec, const struct unit_expect *e, const unsigned char *data);
