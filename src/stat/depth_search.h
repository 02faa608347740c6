/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* How many requests may be in flight so that latency stays below a goal?
 *
 *	1 2 4 8 16        doubled while the goal is met,
 *	    good bad      then halved between the best that met it and the
 *	                  least that did not
 *
 * Fed with one window of requests after another, each at the depth that the
 * search says.  Pure: it knows no clock. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* The search, between two windows. */
struct depth_search {
	uint32_t depth_max;
	double percent;     /* of the requests that must meet the goal, 0 .. 100 */
	uint32_t depth;     /* to be tried now, or found                         */
	uint32_t good, bad; /* 0: none yet                                       */
	uint32_t met;       /* windows in a row that met it, once found          */
	bool found;
};

/* What is to be done after a window. */
enum depth_step {
	DEPTH_SAME,   /* go on as before                                         */
	DEPTH_MOVED,  /* another depth                                           */
	DEPTH_FOUND,  /* depth is the answer                                     */
	DEPTH_MISSED, /* not even one request in flight meets the goal           */
};

/* Begins at depth 1.  PERCENT of a window's requests must meet the goal. */
void depth_search_init(struct depth_search *s, uint32_t depth_max, double percent);

/* Does a window of IOS requests, of which OVER took longer, meet the goal? */
bool depth_search_meets(const struct depth_search *s, uint64_t ios, uint64_t over);

/* A window is over.  After the answer, windows go on to correct it: it is halved
 * when one fails, and one more is tried after many that did not. */
enum depth_step depth_search_window(struct depth_search *s, uint64_t ios, uint64_t over);
