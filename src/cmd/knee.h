/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* A load-latency curve and its end, private to cmd/knee*.c. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/dir.h"
#include "cmd/check/assertion.h"
#include "cmd/check/reading.h"
#include "cmd/gathered.h"
#include "cmd/knee_search.h"

struct json;
struct result;
struct str;
struct watch;

#define KNEE_POINTS 64

/* One rate that was offered; offered 0: the closed loop, as fast as it goes. */
struct knee_point {
	double offered, achieved; /* requests a second, all jobs  */
	double in_flight;         /* achieved x mean latency: Little's law */
	double mean_ns;           /* of the service               */
	bool has_response;
	double response_mean_ns, response_p50_ns, response_p99_ns;
	double achieved_error, mean_error; /* standard errors, for the digits shown */
	double response_mean_error, response_p50_error, response_p99_error;
	uint64_t runtime_ns;
	struct reading goal; /* of the figure that the goal is about */
	bool saturated;      /* it did not take what was offered     */
	bool late; /* requests waited though slots were free: for this machine, not for the disk
		    */
	bool met, sure;
	const char *kept;          /* file of its result, or NULL */
	const struct watch *watch; /* of its result, which lives as long; or NULL */
};

/* One call of the verb; the points in the order in which they were measured. */
struct knee {
	struct arena arena;
	const char *version, *goal_text, *job_title;
	struct assertion goal;
	bool on_response; /* the goal's latency is judged on done - due */
	struct knee_search search;
	struct knee_point points[KNEE_POINTS];
	uint32_t count;
	struct gathered gathered; /* notes of all points, and the machine */
	uint32_t depth;           /* all workers' */
	double share[DIRS];
	uint32_t users[DIRS]; /* workers of each direction */
	bool timed_out;
	const char *unknown; /* why a point's figure wasn't known, which ended the search */
	int stopped;
};

/* The figures of R, which was run at P's rate; then, if it was offered, whether the rows of R
 * that the goal is about meet it, taken as one. */
void knee_point_take(const struct knee *k, struct knee_point *p, const struct result *r);
void knee_point_judge(const struct knee *k, struct knee_point *p, const struct result *r);

/* Where the load stops being taken: depth over the latency that an unloaded request
 * has; 0: not known. */
double knee_little(const struct knee *k);

/* What came of a point, in a word. */
const char *knee_word(const struct knee_point *p);

/* Highest rate that met the goal, 0: none. */
double knee_found(const struct knee *k);

/* What the points say together of the machine, into GATHERED. */
void knee_notes(struct knee *k);

/* Both append to OUT: the curve and the answer, for people and for programs. */
void knee_table(const struct knee *k, bool colour, uint32_t columns, struct str *out);
void knee_json(const struct knee *k, struct str *out);
