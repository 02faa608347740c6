/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What is found among several results, by result/compare or `knee`: no check. */
#include "result/notes/notes.h"

#include "base/bits.h"

static const struct note_rule rules[] = {
	[COMPARED_ONE_RUN] = {.id = "one-run",
		.weight = NOTE_DOUBTFUL,
		.scope = NOTE_OF_COMPARISON,
		.remedy = "run each at least 5 times, in turns: weir repeat -n 5 --interleave"},
	[COMPARED_MEANS_HIDE] = {.id = "means-hide",
		.weight = NOTE_DOUBTFUL,
		.scope = NOTE_OF_COMPARISON,
		.remedy = "compare by the figure that matters to you, say --metric=p99"},
	[COMPARED_SETTINGS] = {.id = "settings-changed",
		.weight = NOTE_INFO,
		.scope = NOTE_OF_COMPARISON},
	[COMPARED_OTHER_WORK] = {.id = "other-work",
		.weight = NOTE_DOUBTFUL,
		.scope = NOTE_OF_COMPARISON},
	[COMPARED_IN_SEQUENCE] = {.id = "in-sequence",
		.weight = NOTE_DOUBTFUL,
		.scope = NOTE_OF_COMPARISON,
		.remedy = "let them take turns: weir repeat --interleave"},
	[COMPARED_ISSUED_LATE] = {.id = "issued-late",
		.weight = NOTE_DOUBTFUL,
		.scope = NOTE_OF_COMPARISON,
		.remedy =
			"stop other programs, or ask for less with fewer jobs than there are CPUs"},
};

NOTE_TABLE(notes_compared, rules);
