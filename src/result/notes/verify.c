/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What was checked: right, wrong, or not at all. */
#include "result/notes/notes.h"

#include <errno.h>
#include <inttypes.h>

#include "base/bits.h"

bool note_data_is_wrong(const struct result_row *row)
{
	return row->error == EILSEQ && row->verify && row->verify->wrong;
}

static bool checks(const struct result_row *row)
{
	return row->verify && row->verify->checked;
}

static bool wrong(const struct note_case *c, struct note_found *f)
{
	const struct result_verify *v = c->row->verify;

	if (!checks(c->row) || !v->wrong)
		return false;
	note_number(f, "wrong", (double)v->wrong);
	note_number(f, "units", (double)v->units);
	if (!v->faults_count)
		return note_say(f,
			"%" PRIu64 " of %" PRIu64 " units that were checked are wrong",
			v->wrong, v->units);
	const struct result_fault *first = &v->faults[0];
	note_number(f, "offset", (double)first->fault.offset);
	f->target = first->target;
	return note_say(f,
		"%" PRIu64 " of %" PRIu64 " units that were checked %s wrong: %s%" PRIu64
		" of %s, %s",
		v->wrong, v->units, v->wrong == 1 ? "is" : "are",
		v->wrong == 1 ? "at " : "the first at ", first->fault.offset, first->target,
		first->guess_text);
}

static bool stopped(const struct note_case *c, struct note_found *f)
{
	const struct result_verify *v = c->row->verify;

	if (!checks(c->row) || v->wrong)
		return false;
	if (v->skipped)
		return note_say(f, "it was stopped before all that %s was read back",
			v->resume ? "the state says" : "it wrote");
	if (!v->resume || !v->resume->unread)
		return false;
	note_number(f, "unread", (double)v->resume->unread);
	return note_say(f,
		"%" PRIu64 " units could not be read, so nobody knows what they hold",
		v->resume->unread);
}

/* A run that went well, and whose report is the last one. */
static bool ended(const struct note_case *c)
{
	const struct result_row *row = c->row;
	return checks(row) && !row->verify->wrong && !row->verify->skipped && !row->error &&
	       !(row->verify->resume && row->verify->resume->unread) && c->result->final &&
	       row->end == END_DONE;
}

static bool nothing(const struct note_case *c, struct note_found *f)
{
	return ended(c) && !c->row->verify->units &&
	       note_say(f,
		       "nothing was checked: nothing that this run wrote was read, or nothing can "
		       "be wrong (verify=null)");
}

/* What the state demands is one thing, what is there beyond it another. */
static bool resumed(const struct result_verify *v, struct note_found *f)
{
	const struct result_resume *r = v->resume;

	note_number(f, "synced", (double)r->synced);
	note_number(f, "newer", (double)(r->newer + r->later));
	note_number(f, "older", (double)r->older);
	return note_say(f,
		"%" PRIu64 " units of %" PRIu32
		" bytes were checked by the state (%s), and all are "
		"right: %" PRIu64 " as %s last, %" PRIu64 " newer, %" PRIu64
		" older, which may be",
		v->units, v->unit_bytes, v->kind, r->synced,
		r->completed ? "completed" : "synced", r->newer + r->later, r->older);
}

static bool right(const struct note_case *c, struct note_found *f)
{
	const struct result_verify *v = c->row->verify;

	if (!ended(c) || !v->units)
		return false;
	note_number(f, "units", (double)v->units);
	note_number(f, "bytes", (double)v->bytes);
	if (!v->unit_bytes)
		return note_say(f,
			"%" PRIu64 " pieces of writes were compared, and all are right",
			v->units);
	if (v->resume)
		return resumed(v, f);
	return note_say(f,
		"%" PRIu64 " units of %" PRIu32 " bytes were checked (%s), and all are right",
		v->units, v->unit_bytes, v->kind);
}

static const struct note_rule rules[] = {
	{.id = "wrong-data", .weight = NOTE_INVALID, .scope = NOTE_OF_ROW, .check = wrong},
	{.id = "not-verified", .weight = NOTE_INVALID, .scope = NOTE_OF_ROW, .check = stopped},
	{.id = "not-verified", .weight = NOTE_DOUBTFUL, .scope = NOTE_OF_ROW, .check = nothing},
	{.id = "verified", .weight = NOTE_INFO, .scope = NOTE_OF_ROW, .check = right},
};

NOTE_TABLE(notes_verify, rules);
