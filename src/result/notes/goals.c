/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Did a job reach what it was to reach: a latency, steadiness, more than its ramp? */
#include "result/notes/notes.h"

#include "base/bits.h"
#include "base/plain.h"
#include "result/style.h"
#include "result/words.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static bool ramp_only(const struct note_case *c, struct note_found *f)
{
	return c->row->ramp_only &&
	       note_say(f, "ended within its ramp: these are the ramp's figures");
}

/* ---- latency_target ---- */

enum goal {
	GOAL_NONE,
	GOAL_MISSED,
	GOAL_OPEN,
	GOAL_LOST,
	GOAL_KEPT,
};

static enum goal goal_of(const struct result_row *row)
{
	uint64_t ios = row->goal_ios, over = row->goal_over;

	if (!row->goal_depth)
		return GOAL_NONE;
	if (row->goal_missed)
		return GOAL_MISSED;
	if (row->ramp_only)
		return GOAL_OPEN;
	if (ios && (double)(ios - over) * 100 < row->style->goal_percent * (double)ios)
		return GOAL_LOST;
	return GOAL_KEPT;
}

static void goal_numbers(const struct result_row *row, struct note_found *f)
{
	note_number(f, "depth", row->goal_depth);
	note_number(f, "target_ns", (double)row->style->goal_ns);
}

static bool goal_missed(const struct note_case *c, struct note_found *f)
{
	if (goal_of(c->row) != GOAL_MISSED)
		return false;
	goal_numbers(c->row, f);
	return note_say(f,
		"latency_target=%s was not kept even with one request in flight: these are the "
		"figures of depth 1",
		words_time(c->row->style->goal_ns).text);
}

static bool goal_open(const struct note_case *c, struct note_found *f)
{
	if (goal_of(c->row) != GOAL_OPEN)
		return false;
	goal_numbers(c->row, f);
	return note_say(f,
		"the search for the depth had no answer when the job ended (it was at depth "
		"%" PRIu32 ")",
		c->row->goal_depth);
}

static bool goal_lost(const struct note_case *c, struct note_found *f)
{
	if (goal_of(c->row) != GOAL_LOST)
		return false;
	goal_numbers(c->row, f);
	note_number(f, "slower", (double)c->row->goal_over);
	note_number(f, "measured", (double)c->row->goal_ios);
	return note_say(f,
		"depth %" PRIu32
		" kept latency_target when it was found, but %s of the requests measured "
		"afterwards were slower",
		c->row->goal_depth, words_share(c->row->goal_over, c->row->goal_ios).text);
}

static bool goal_kept(const struct note_case *c, struct note_found *f)
{
	if (goal_of(c->row) != GOAL_KEPT)
		return false;
	goal_numbers(c->row, f);
	return note_say(f, "depth %" PRIu32 " is the largest that keeps latency_target=%s",
		c->row->goal_depth, words_time(c->row->style->goal_ns).text);
}

/* ---- steadystate ---- */

struct steady_words {
	char text[112];
};

/* " by iops:5% over 10.0 s"; fio prints 5.000000, and its text doesn't say it at all. */
static struct steady_words steady_words(const struct result_steady *s)
{
	const size_t name = s->text ? strcspn(s->text, "0123456789") : 0;
	struct steady_words w = {""};
	double v;

	if (name && sscanf(s->text + name, "%lf", &v) == 1)
		snprintf(w.text, sizeof(w.text), " by %.*s%s%s over %s", (int)MIN_OF(name, 16u),
			s->text, plain_number(v, 6).text, strchr(s->text, '%') ? "%" : "",
			words_time(s->window_ns).text);
	return w;
}

static bool steady(const struct note_case *c, struct note_found *f)
{
	const struct result_steady *s = c->row->steady;

	if (!s || !s->attained)
		return false;
	note_number(f, "window_ns", (double)s->window_ns);
	return note_say(f, "steady%s: ended there", steady_words(s).text);
}

static bool not_steady(const struct note_case *c, struct note_found *f)
{
	const struct result_steady *s = c->row->steady;

	if (!s || s->attained)
		return false;
	note_number(f, "window_ns", (double)s->window_ns);
	if (s->full)
		return note_say(f, "never became steady%s", steady_words(s).text);
	return note_say(f,
		"ended before it was measured long enough to judge whether it is steady%s",
		steady_words(s).text);
}

#define GOAL(name, w, fn, todo)                                                                \
	{                                                                                      \
		.id = name, .weight = w, .scope = NOTE_OF_ROW, .check = fn, .remedy = todo     \
	}

static const struct note_rule rules[] = {
	GOAL("ramp-only", NOTE_DOUBTFUL, ramp_only, "give it more to do, or a shorter ramp"),
	GOAL("latency-target-missed", NOTE_DOUBTFUL, goal_missed, NULL),
	GOAL("latency-target-open", NOTE_DOUBTFUL, goal_open,
		"give it more time, or a shorter latency_window"),
	GOAL("latency-target-lost", NOTE_DOUBTFUL, goal_lost, NULL),
	GOAL("latency-target", NOTE_INFO, goal_kept, NULL),
	GOAL("steady", NOTE_INFO, steady, NULL),
	GOAL("not-steady", NOTE_DOUBTFUL, not_steady, NULL),
};

NOTE_TABLE(notes_goals, rules);
