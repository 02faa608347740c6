/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What drives counted while it ran.  The first drive that says so speaks for all. */
#include "result/notes/notes.h"

#include "base/bits.h"
#include "base/plain.h"
#include "result/watch.h"
#include "result/words.h"

#include <inttypes.h>

/* The first drive of which HAS is true, NULL: none; the note is about it. */
static const struct watch_drive *first(const struct note_case *c, struct note_found *f,
	bool (*has)(const struct watch_drive *d))
{
	const struct watch *w = c->result->watch;

	for (uint32_t i = 0; w && i < w->drives_count; i++) {
		if (!has(&w->drives[i]))
			continue;
		f->target = w->drives[i].name;
		return &w->drives[i];
	}
	return NULL;
}

static bool is_hot(const struct watch_drive *d)
{
	return count_or_0(d->throttled) || count_or_0(d->hot_minutes) ||
	       count_or_0(d->over_limit);
}

static bool drive_hot(const struct note_case *c, struct note_found *f)
{
	const struct watch_drive *d = first(c, f, is_hot);

	if (!d)
		return false;
	if (count_known(d->temperature_c))
		note_number(f, "temperature_c", (double)d->temperature_c);
	if (count_or_0(d->over_limit)) {
		note_number(f, "over_limit", (double)d->over_limit);
		return note_say(f, "it found itself above its temperature limit %s",
			words_count(d->over_limit, "time").text);
	}
	note_number(f, "throttled", (double)count_or_0(d->throttled));
	note_number(f, "hot_minutes", (double)count_or_0(d->hot_minutes));
	return note_say(f, "it was too hot and slowed itself down (%s, %s above its threshold)",
		words_count(count_or_0(d->throttled), "time").text,
		words_count(count_or_0(d->hot_minutes), "minute").text);
}

static uint64_t bad_sectors(const struct watch_drive *d)
{
	return count_or_0(d->pending_sectors) + count_or_0(d->uncorrectable_sectors);
}

static bool has_errors(const struct watch_drive *d)
{
	return count_or_0(d->media_errors) || count_or_0(d->reallocated_sectors) ||
	       bad_sectors(d);
}

static bool drive_errors(const struct note_case *c, struct note_found *f)
{
	const struct watch_drive *d = first(c, f, has_errors);

	if (!d)
		return false;
	if (count_or_0(d->media_errors)) {
		note_number(f, "media_errors", (double)d->media_errors);
		return note_say(f, "it counted %s of its media meanwhile",
			words_count(d->media_errors, "error").text);
	}
	note_number(f, "reallocated_sectors", (double)count_or_0(d->reallocated_sectors));
	note_number(f, "pending_sectors", (double)count_or_0(d->pending_sectors));
	note_number(f, "uncorrectable_sectors", (double)count_or_0(d->uncorrectable_sectors));
	return note_say(f,
		"meanwhile it moved %" PRIu64 " of its sectors elsewhere, and found %" PRIu64
		" that can hardly be read",
		count_or_0(d->reallocated_sectors), bad_sectors(d));
}

static bool has_link_errors(const struct watch_drive *d)
{
	return count_or_0(d->link_errors);
}

static bool link_errors(const struct note_case *c, struct note_found *f)
{
	const struct watch_drive *d = first(c, f, has_link_errors);

	if (!d)
		return false;
	note_number(f, "link_errors", (double)d->link_errors);
	return note_say(f,
		"%s between it and its controller failed meanwhile, and had to be done "
		"again",
		words_count(d->link_errors, "transfer").text);
}

/* ---- what the media wrote ---- */

/* Garbage collection that always takes the emptiest block writes (1 + s) / 2s for each byte of
 * uniform random writes, s being the spare space as a part of what is visible (Agarwal and
 * Marrow, "A closed-form expression for write amplification in NAND flash", 2010): 7.3 for
 * the 7.4 % that lie between GiB and GB, which is the least that drives have, and 2.3 for 28 %.
 * Beyond 8 it is not the load, or blocks are smaller than what the drive writes at a time. */
#define FACTOR_OWN  1.5 /* half as much again: it works for itself */
#define FACTOR_MAX  8.0
#define FACTOR_LESS 0.7 /* a third of it isn't on the media */

static bool has_factor(const struct watch_drive *d)
{
	return d->write_amplification >= FACTOR_OWN || d->write_amplification < FACTOR_LESS;
}

static bool write_amplification(const struct note_case *c, struct note_found *f)
{
	const struct watch_drive *d = first(c, f, has_factor);

	if (!d)
		return false;
	note_number(f, "write_amplification", d->write_amplification);
	if (count_known(d->host_written_bytes))
		note_number(f, "host_written_bytes", (double)d->host_written_bytes);
	if (count_known(d->media_written_bytes))
		note_number(f, "media_written_bytes", (double)d->media_written_bytes);
	if (d->write_amplification < FACTOR_LESS) {
		f->weight = NOTE_DOUBTFUL;
		note_remedy(f, "write random data, more than its cache holds");
		return note_say(f,
			"its media wrote only %s bytes for each that it took: it compresses, or "
			"the rest is in a cache, and is written later",
			plain_number(d->write_amplification, 2).text);
	}
	if (d->write_amplification >= FACTOR_MAX) {
		f->weight = NOTE_DOUBTFUL;
		note_remedy(f, "let it rest, use larger blocks, and compare");
		return note_say(f,
			"its media wrote %s bytes for each that it took, more than random writes "
			"make of any drive: it does earlier work, or the blocks are too small for it",
			plain_number(d->write_amplification, 3).text);
	}
	return note_say(f,
		"its media wrote %s bytes for each that it took: it moves data to make room, so "
		"the rate depends on what was written before, and on how full it is",
		plain_number(d->write_amplification, 2).text);
}

#define RUN(name, w, fn, todo)                                                                 \
	{                                                                                      \
		.id = name, .weight = w, .scope = NOTE_OF_RUN, .check = fn, .remedy = todo     \
	}

static const struct note_rule rules[] = {
	RUN("drive-hot", NOTE_DOUBTFUL, drive_hot, "cool it, and begin anew"),
	RUN("drive-errors", NOTE_DOUBTFUL, drive_errors, "look at its health (smartctl -a)"),
	RUN("link-errors", NOTE_DOUBTFUL, link_errors, "look at cable, backplane and power"),
	RUN("write-amplification", NOTE_INFO, write_amplification, NULL),
};

NOTE_TABLE(notes_drive, rules);
