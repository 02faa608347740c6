/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "stat/depth_search.h"

#include "base/bits.h"

/* Windows that must meet the goal before a found depth is raised again. */
#define DEPTH_TRUST 8

void depth_search_init(struct depth_search *s, uint32_t depth_max, double percent)
{
	*s = (struct depth_search){.depth_max = depth_max, .percent = percent, .depth = 1};
}

bool depth_search_meets(const struct depth_search *s, uint64_t ios, uint64_t over)
{
	return (double)(ios - over) * 100.0 >= s->percent * (double)ios;
}

static enum depth_step depth_settle(struct depth_search *s, uint32_t depth)
{
	s->depth = depth;
	s->found = true;
	s->met = 0;
	return DEPTH_FOUND;
}

static enum depth_step depth_try(struct depth_search *s, uint32_t depth)
{
	s->depth = depth;
	return DEPTH_MOVED;
}

static enum depth_step depth_met(struct depth_search *s)
{
	s->good = s->depth;
	if (s->depth == s->depth_max || (s->bad && s->bad == s->depth + 1))
		return depth_settle(s, s->depth);
	if (!s->bad)
		return depth_try(s, s->depth > s->depth_max / 2 ? s->depth_max : s->depth * 2);
	return depth_try(s, s->good + (s->bad - s->good) / 2);
}

static enum depth_step depth_failed(struct depth_search *s)
{
	s->bad = s->depth;
	if (s->depth == 1) {
		depth_settle(s, 1);
		return DEPTH_MISSED;
	}
	if (s->good && s->bad == s->good + 1)
		return depth_settle(s, s->good);
	return depth_try(s, s->good + (s->bad - s->good) / 2);
}

static enum depth_step depth_correct(struct depth_search *s, bool met)
{
	if (!met) {
		s->met = 0;
		if (s->depth == 1)
			return DEPTH_SAME;
		return depth_try(s, s->depth / 2);
	}
	if (++s->met < DEPTH_TRUST || s->depth == s->depth_max)
		return DEPTH_SAME;
	s->met = 0;
	return depth_try(s, s->depth + 1);
}

enum depth_step depth_search_window(struct depth_search *s, uint64_t ios, uint64_t over)
{
	bool met = depth_search_meets(s, ios, over);

	if (s->found)
		return depth_correct(s, met);
	return met ? depth_met(s) : depth_failed(s);
}
