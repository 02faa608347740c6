/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* About the run as a whole, and groups of it. */
#include "result/notes/notes.h"

#include "base/bits.h"
#include "result/words.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define SHORT_NS NS_PER_S /* a window below this proves little */

/* Of a log with one millisecond in it no length is known; what an error ended has a note that
 * says after how long. */
static bool is_short(const struct result_row *row)
{
	return !result_row_hidden(row) && result_row_did_io(row) && row->runtime_ns &&
	       row->runtime_ns < SHORT_NS && row->end != END_ERROR;
}

static bool is_dd(const struct result_row *row)
{
	return row->engine && !strcmp(row->engine, "dd");
}

static bool say_short(uint32_t count, uint64_t least, uint64_t most, struct note_found *f)
{
	const struct words low = words_time(least), high = words_time(most);
	bool same = !strcmp(low.text, high.text);

	if (count == 1)
		return note_say(f,
			"was measured for only %s: chance and start-up rule such a figure",
			high.text);
	return note_say(f,
		"%" PRIu32 " jobs were measured for less than a second (%s%s%s): chance and "
		"start-up rule such a figure",
		count, low.text, same ? "" : " to ", same ? " each" : high.text);
}

/* One note however many jobs: a file of twenty smoke jobs says it once. */
static bool short_run(const struct note_case *c, struct note_found *f)
{
	const struct result *r = c->result;
	uint64_t least = UINT64_MAX, most = 0;
	uint32_t count = 0;
	const char *first = NULL;

	for (uint32_t i = 0; i < r->rows_count; i++) {
		const struct result_row *row = &r->rows[i];
		if (!is_short(row))
			continue;
		if (is_dd(row))
			note_remedy(f, "let dd copy for 30 s or more (count=)");
		first = count++ ? NULL : row->name;
		least = MIN_OF(least, row->runtime_ns);
		most = MAX_OF(most, row->runtime_ns);
	}
	if (!count)
		return false;
	f->job = first;
	note_number(f, "jobs", count);
	note_number(f, "shortest_ns", (double)least);
	note_number(f, "longest_ns", (double)most);
	return say_short(count, least, most, f);
}

static bool uneven_ends(const struct note_case *c, struct note_found *f)
{
	const struct result_group_dir *d = &c->group->dir[c->dir];
	struct result_together t;
	char together[96] = "";

	if (d->run_max_ms < 1000 || d->run_min_ms >= d->run_max_ms - d->run_max_ms / 10)
		return false;
	note_number(f, "group", c->group->id);
	note_number(f, "shortest_ms", (double)d->run_min_ms);
	note_number(f, "longest_ms", (double)d->run_max_ms);
	note_number(f, "bytes_per_s", (double)d->bw);
	if (result_together(c->result, c->group->id, c->dir, &t)) {
		snprintf(together, sizeof(together), "; while all ran it was %s",
			words_rate(t.bytes_per_s, 1, 0).text);
		note_number(f, "together_bytes_per_s", t.bytes_per_s);
	}
	return note_say(f,
		"jobs of group %" PRIu32
		" ran between %s and %s (%s), and the group's %s divides "
		"by the longest%s",
		c->group->id, words_time(d->run_min_ms * NS_PER_MS).text,
		words_time(d->run_max_ms * NS_PER_MS).text, dir_name(c->dir),
		words_rate((double)d->bw, 1, 0).text, together);
}

/* How busy the machine was is told where somebody asked for it. */
static bool idle(const struct note_case *c, struct note_found *f)
{
	if (!c->result->idle.given)
		return false;
	note_number(f, "idle_percent", c->result->idle.system);
	return note_say(f,
		"the CPUs were %.1f %% idle (--idle-prof; the JSON and classic forms have each of "
		"them)",
		c->result->idle.system);
}

static const struct note_rule rules[] = {
	{.id = "short-run",
		.weight = NOTE_DOUBTFUL,
		.scope = NOTE_OF_RUN,
		.remedy = "measure longer (time_based with runtime=30)",
		.check = short_run},
	{.id = "uneven-ends",
		.weight = NOTE_DOUBTFUL,
		.scope = NOTE_OF_GROUP,
		.check = uneven_ends},
	{.id = "idle", .weight = NOTE_INFO, .scope = NOTE_OF_RUN, .check = idle},
};

NOTE_TABLE(notes_whole, rules);
