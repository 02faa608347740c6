/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* How true a replay was to its trace, in one sentence. */
#include "result/notes/notes.h"

#include "base/bits.h"
#include "base/str.h"
#include "result/words.h"

#include <inttypes.h>
#include <stdlib.h>

/* More than a hundredth came late, or never. */
static bool is_late(const struct result_row *row)
{
	uint64_t due = 0, behind = row->replay.dropped;

	for (int dir = 0; dir < DIRS; dir++) {
		due += row->dir[dir].due;
		behind += row->dir[dir].late;
	}
	return row->replay.timed && behind > due / 100;
}

static void add_lateness(const struct result_row *row, struct str *text, struct note_found *f)
{
	struct latency *all = calloc(1, sizeof(*all));

	if (all && result_replay_lateness(row, all)) {
		uint64_t p50 = latency_quantile(all, 0.5), p99 = latency_quantile(all, 0.99);
		str_addf(text, "; %s late in the median", words_time(p50).text);
		str_addf(text, ", %s at p99", words_time(p99).text);
		str_addf(text, ", %s at most", words_time(all->moments.max).text);
		note_number(f, "lateness_p50_ns", (double)p50);
		note_number(f, "lateness_p99_ns", (double)p99);
		note_number(f, "lateness_max_ns", (double)all->moments.max);
	}
	free(all);
}

static void add_time(const struct result_row *row, struct str *text, struct note_found *f)
{
	const struct result_replay *p = &row->replay;

	str_addf(text, " in %s", words_time(p->replay_ns).text);
	if (!p->timed) {
		str_add(text, ", without its times");
		return;
	}
	str_addf(text, " (%s in the trace)", words_time(p->trace_ns).text);
	add_lateness(row, text, f);
}

static bool say_replay(const struct result_row *row, struct note_found *f)
{
	const struct result_replay *p = &row->replay;
	struct str text = {0};

	str_addf(&text, "replayed %" PRIu64, p->issued);
	if (p->records)
		str_addf(&text, " of %" PRIu64, p->records);
	str_add(&text, " requests");
	add_time(row, &text, f);
	if (p->left_out)
		str_addf(&text, "; %" PRIu64 " left out by replay_skip", p->left_out);
	if (p->dropped)
		str_addf(&text, "; %" PRIu64 " more were due and never issued", p->dropped);
	if (p->dry)
		str_addf(&text, "; the trace was read too slowly %" PRIu64 " times", p->dry);
	note_number(f, "issued", (double)p->issued);
	note_number(f, "dropped", (double)p->dropped);
	note_number(f, "trace_ns", (double)p->trace_ns);
	note_number(f, "replay_ns", (double)p->replay_ns);
	note_say(f, "%s", str_text(&text));
	str_done(&text);
	return true;
}

static bool replay_late(const struct note_case *c, struct note_found *f)
{
	return c->row->replay.on && is_late(c->row) && say_replay(c->row, f);
}

static bool replay(const struct note_case *c, struct note_found *f)
{
	const struct result_replay *p = &c->row->replay;

	return p->on && p->issued && !is_late(c->row) && say_replay(c->row, f);
}

static const struct note_rule rules[] = {
	{.id = "replay-late",
		.weight = NOTE_INVALID,
		.scope = NOTE_OF_ROW,
		.remedy =
			"the target, or this machine, can't follow the trace at this depth; raise "
			"iodepth, or lower replay_time_scale",
		.check = replay_late},
	{.id = "replay", .weight = NOTE_INFO, .scope = NOTE_OF_ROW, .check = replay},
};

NOTE_TABLE(notes_replay, rules);
