/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* How long the delay shim makes a request take.
 *
 *	delay_script=PART[,PART...]      the last part that names a direction counts
 *	PART    [read@|write@|trim@|sync@] SHAPE
 *	SHAPE   const:100us
 *	        uniform:50us:150us
 *	        bimodal:100us/90:5ms/10          any number of TIME/WEIGHT
 *	        tail:pareto:100us:1.5[:MAX]      scale and shape
 *	        tail:lognormal:100us:0.8[:MAX]   median and sigma
 *
 * A time without a unit is in microseconds. */
#pragma once

#include "base/dir.h"

#include <stdint.h>

struct err;
struct rng;

#define DELAY_MODES 7

/* The distribution of one direction's delays, ready to be drawn from. */
struct delay_shape {
	enum delay_form {
		DELAY_NONE,
		DELAY_UNIFORM, /* a constant is one of no width */
		DELAY_MODAL,
		DELAY_PARETO,
		DELAY_LOGNORMAL,
	} form;
	uint64_t lo_ns, hi_ns; /* of uniform; hi_ns the MAX of a tail, 0: none */
	double shape;
	uint32_t modes;
	uint64_t mode_ns[DELAY_MODES];
	uint32_t mode_below[DELAY_MODES]; /* running sum of the weights */
};

/* A shape for each direction, by enum dir. */
struct delay_script {
	struct delay_shape shape[DIRS_ALL];
};

/* TEXT NULL: no delay at all. */
int delay_script_parse(const char *text, struct delay_script *ret, struct err *reterr);

/* ns; one draw of DICE, none of a constant. */
uint64_t delay_draw(const struct delay_shape *s, struct rng *dice);
