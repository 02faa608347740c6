/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* A load in a few figures: what a result is to be like (--like=TRACE), and what it was.
 * Figures that aren't known are NaN, and left out of JSON. */
#pragma once

#include <stdint.h>

#include "base/fact.h"

struct work {
	const char *trace; /* its file                                          */
	uint64_t requests; /* reads, writes and trims                           */
	double ios_per_s;
	double read_percent;            /* of the requests                               */
	double read_bytes, write_bytes; /* mean size                             */
	double random_percent;          /* of reads and writes                            */
	double depth;                   /* in flight, median                               */
	double syncs_percent;           /* so many per 100 writes                         */
};

extern const struct fact_table work_table;
