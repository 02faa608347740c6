/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* dd as a benchmark: of what it printed.  A job of weir that is the same (in order, through the
 * page cache, never synced) gets the notes that name what is wrong with it. */
#include "result/notes/notes.h"

#include "base/bits.h"

#include <string.h>

static bool has_word(const char *list, const char *word)
{
	size_t len = strlen(word);

	for (const char *at = list; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
		if (!strncmp(at, word, len) && (!at[len] || at[len] == ','))
			return true;
	return false;
}

/* Through the page cache, or how else? */
static const char *dd_way(const struct note_case *c)
{
	bool writes = c->row->dir[DIR_WRITE].bytes;
	const char *flags = note_option(c, writes ? "oflag" : "iflag");
	const char *conv = note_option(c, "conv");

	if (!c->row->options_count)
		return ", and its text doesn't say whether it went through the page cache";
	if (c->row->dir[RESULT_MIXED].bytes)
		return ", and the rate is that of the slower of two sides";
	if (has_word(flags, "direct"))
		return "";
	if (writes && (has_word(conv, "fsync") || has_word(conv, "fdatasync") ||
			      has_word(flags, "sync") || has_word(flags, "dsync")))
		return ", through the page cache with a sync";
	return writes ? ", through the page cache, and nobody knows how much of it reached the device"
		      : ", through the page cache, which may have had it already";
}

static bool dd(const struct note_case *c, struct note_found *f)
{
	const char *to = c->row->engine && !strcmp(c->row->engine, "dd") ? note_option(c, "of")
									 : NULL;
	const char *from = note_option(c, "if");
	bool zeros = from && !strcmp(from, "/dev/zero") && c->row->dir[DIR_WRITE].bytes;
	uint64_t bytes = 0;

	if (!c->row->engine || strcmp(c->row->engine, "dd") != 0)
		return false;
	for (int d = 0; d < RESULT_DIRS; d++)
		bytes += c->row->dir[d].bytes;
	note_number(f, "bytes", (double)bytes);
	note_number(f, "runtime_ns", (double)c->row->runtime_ns);
	if (c->row->dir[DIR_READ].bytes)
		to = from;
	note_remedy(f, "weir quick %s", to && *to ? to : "TARGET");
	return note_say(f,
		"dd measured one stream in order, one request at a time%s%s: it says nothing of "
		"latency, of random access or of more than one request at a time",
		dd_way(c),
		zeros ? "; zeros are data that some drives and file systems don't store" : "");
}

static const struct note_rule rules[] = {
	{.id = "dd", .weight = NOTE_DOUBTFUL, .scope = NOTE_OF_ROW, .check = dd},
};

NOTE_TABLE(notes_dd, rules);
