/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Is the depth the one that was asked for, and are requests whole? */
#include "result/notes/notes.h"

#include "base/bits.h"
#include "result/words.h"

#include <inttypes.h>

static bool depth_no_effect(const struct note_case *c, struct note_found *f)
{
	const struct result_row *row = c->row;
	const char *engine = row->engine ? row->engine : "its engine";

	if (row->depth_asked <= 1 || !result_row_did_io(row) ||
		(!row->submit_synchronous && row->depth != 1))
		return false;
	note_number(f, "depth_asked", row->depth_asked);
	note_number(f, "depth", row->submit_synchronous ? 1 : row->depth);
	if (row->submit_synchronous) {
		note_remedy(f, "use direct=1 or io_uring for depth, numjobs for parallelism");
		return note_say(f,
			"iodepth=%" PRIu32
			" has no effect: the kernel finished each request before %s's submit "
			"returned",
			row->depth_asked, engine);
	}
	note_remedy(f, "use io_uring or libaio for depth, numjobs for parallelism");
	return note_say(f, "iodepth=%" PRIu32 " has no effect: %s does one request at a time",
		row->depth_asked, engine);
}

static bool submit_synchronous(const struct note_case *c, struct note_found *f)
{
	return c->row->submit_synchronous && c->row->depth_asked <= 1 &&
	       note_say(f,
		       "the kernel finished each request before submit returned: its time is "
		       "in slat, and clat is almost nothing");
}

static bool short_requests(const struct note_case *c, struct note_found *f)
{
	uint64_t count = 0, issued = 0;
	for (int dir = 0; dir < DIRS; dir++) {
		count += c->row->dir[dir].short_ios;
		issued += c->row->dir[dir].issued;
	}
	if (!count)
		return false;
	note_number(f, "count", (double)count);
	note_number(f, "issued", (double)issued);
	return note_say(f, "%" PRIu64 " requests (%s) moved fewer bytes than asked", count,
		words_share(count, issued).text);
}

static const struct note_rule rules[] = {
	{.id = "depth-no-effect",
		.weight = NOTE_DOUBTFUL,
		.scope = NOTE_OF_ROW,
		.check = depth_no_effect},
	{.id = "submit-synchronous",
		.weight = NOTE_INFO,
		.scope = NOTE_OF_ROW,
		.check = submit_synchronous},
	{.id = "short-requests",
		.weight = NOTE_INFO,
		.scope = NOTE_OF_ROW,
		.check = short_requests},
};

NOTE_TABLE(notes_queue, rules);
