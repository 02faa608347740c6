/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Claims held against results.
 *
 * A claim is about the jobs that meet its `where`.  Clones (rows of one name, group,
 * pattern and depth in one result) are judged as one; such jobs in several results are
 * repeats: their mean is judged, with the interval between the runs.  Every other job is
 * judged by itself.
 *
 * Verdict: a figure that isn't known is undecided.  With an interval, the limit must lie
 * outside it.  Without one the figure itself decides, unless a confidence was asked for.
 * A job that failed passes nothing, and a condition under `needs` that is not met leaves
 * the claim undecided. */
#pragma once

#include "cmd/check/spec.h"
#include "result/checks.h"

struct result;

/* What is judged, and the verdicts so far, in the order of the claims; the list may begin with
 * checks of the caller's (`room` says how many there is place for). */
struct judge {
	struct arena *arena; /* owns all that is made */
	const struct result *const *results;
	const char *const *sources; /* file of each result, or NULL */
	uint32_t count;
	const struct condition_list *given; /* or NULL */
	struct result_check *checks;
	uint32_t checks_count, room;
};

/* All assertions of CLAIM, which stands in the file PATH (NULL: LINE is not shown).
 * 0 or -ENOMEM. */
int judge_claim(struct judge *j, const struct spec_claim *claim, const char *path);

/* One list of assertions without conditions; JOB (NULL: any) is whose it is, PLACE
 * where it was written. */
int judge_expect(struct judge *j, const struct assertion_list *list, const char *job,
	const char *place);
