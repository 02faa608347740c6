/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Where the targets are: their file systems, their extents, what lies on a device. */
#include "result/notes/notes.h"

#include "base/bits.h"
#include "base/str.h"
#include "result/environment.h"
#include "result/words.h"

#include <inttypes.h>
#include <string.h>

#define FULL_SHARE   0.1 /* that is free on a file system that isn't full */
#define EXTENTS_MANY 256
#define EXTENT_SMALL (UINT64_C(256) << 10)

static const struct filesystem_facts *filesystem(const struct note_case *c)
{
	return c->layer ? c->layer->filesystem : NULL;
}

/* ---- file systems ---- */

static bool in_memory(const char *type)
{
	return type && (!strcmp(type, "tmpfs") || !strcmp(type, "ramfs"));
}

static bool full(const struct note_case *c, struct note_found *f)
{
	const struct filesystem_facts *fs = filesystem(c);

	if (!fs || !count_known(fs->size_bytes) || !fs->size_bytes ||
		!count_known(fs->available_bytes) || in_memory(fs->type) ||
		(fs->flags && str_starts(fs->flags, "ro")) ||
		(double)fs->available_bytes >= FULL_SHARE * (double)fs->size_bytes)
		return false;
	note_number(f, "available_bytes", (double)fs->available_bytes);
	note_number(f, "size_bytes", (double)fs->size_bytes);
	return note_say(f,
		"the file system is almost full (%s free): new files come in pieces, and "
		"finding room takes time",
		words_share(fs->available_bytes, fs->size_bytes).text);
}

static bool fs_errors(const struct note_case *c, struct note_found *f)
{
	const struct filesystem_facts *fs = filesystem(c);

	if (!fs || !count_known(fs->errors) || !fs->errors)
		return false;
	note_number(f, "errors", (double)fs->errors);
	return note_say(f, "the file system found itself damaged (%" PRIu64 " errors)",
		fs->errors);
}

static bool remote(const struct note_case *c, struct note_found *f)
{
	const struct filesystem_facts *fs = filesystem(c);

	return fs && fs->remote == 1 &&
	       note_say(f,
		       "the files are on another machine (%s): network and server are measured, too",
		       fs->type ? fs->type : "?");
}

/* ---- targets ---- */

static bool memory_only(const struct note_case *c, struct note_found *f)
{
	const struct filesystem_facts *fs = filesystem(c);

	return fs && in_memory(fs->type) &&
	       note_say(f, "it is on %s: memory is measured, not storage", fs->type);
}

static bool never_written(const struct note_case *c, struct note_found *f)
{
	const struct target_facts *t = c->target;

	if (!count_known(t->unwritten_bytes) || !count_known(t->hole_bytes) ||
		!count_known(t->size_bytes) || !t->size_bytes ||
		(c->layer && c->layer->filesystem && in_memory(c->layer->filesystem->type)))
		return false;
	uint64_t bytes = t->unwritten_bytes + t->hole_bytes;
	if (bytes * 100 <= t->size_bytes)
		return false;
	note_number(f, "unwritten_bytes", (double)t->unwritten_bytes);
	note_number(f, "hole_bytes", (double)t->hole_bytes);
	note_number(f, "size_bytes", (double)t->size_bytes);
	return note_say(f,
		"%s of it was never written: reads of that are zeros from memory, not from "
		"the device",
		words_share(bytes, t->size_bytes).text);
}

static bool fragmented(const struct note_case *c, struct note_found *f)
{
	const struct target_facts *t = c->target;

	if (!count_known(t->extents) || t->extents < EXTENTS_MANY ||
		!count_known(t->written_bytes) ||
		(t->written_bytes + t->unwritten_bytes) / t->extents >= EXTENT_SMALL)
		return false;
	note_number(f, "extents", (double)t->extents);
	note_number(f, "written_bytes", (double)t->written_bytes);
	return note_say(f,
		"it lies in %" PRIu64 " pieces: sequential I/O is not sequential on the device",
		t->extents);
}

static bool in_use(const struct note_case *c, struct note_found *f)
{
	return c->target->used_by &&
	       note_say(f, "%s: others use it while it is measured, and weir won't write to it",
		       c->target->used_by);
}

static bool beside_used(const struct note_case *c, struct note_found *f)
{
	return c->target->used_beside &&
	       note_say(f, "%s: what is asked of that is in the figures, too",
		       c->target->used_beside);
}

static bool holds_data(const struct note_case *c, struct note_found *f)
{
	if (!c->target->holds)
		return false;
	note_remedy(f, "if it may be lost, say so with --destroy=%s", c->target->path);
	return note_say(f, "it holds data, which writing destroys: %s", c->target->holds);
}

static bool not_accessible(const struct note_case *c, struct note_found *f)
{
	if (strcmp(c->target->kind, "not accessible"))
		return false;
	for (uint32_t i = 0; i < c->env->gaps_count; i++)
		if (!strcmp(c->env->gaps[i].path, c->target->path))
			return note_say(f, "it can't be looked at: %s", c->env->gaps[i].reason);
	return note_say(f, "it can't be looked at");
}

static bool missing(const struct note_case *c, struct note_found *f)
{
	if (strcmp(c->target->kind, "missing"))
		return false;
	if (!c->target->folder)
		return note_say(f, "it doesn't exist, and no file is made there");
	f->weight = NOTE_INFO;
	note_remedy(f, "%s", "");
	return note_say(f, "it doesn't exist: a job with a size makes it, in %s",
		c->target->folder);
}

#define PLACE(name, w, what, only, fn, todo)                                                   \
	{                                                                                      \
		.id = name, .weight = w, .scope = what, .doctor_only = only, .check = fn,      \
		.remedy = todo                                                                 \
	}

static const struct note_rule rules[] = {
	PLACE("target-missing", NOTE_INVALID, NOTE_OF_TARGET, true, missing,
		"check the name of the device"),
	PLACE("not-accessible", NOTE_INVALID, NOTE_OF_TARGET, true, not_accessible, NULL),
	PLACE("in-memory", NOTE_DOUBTFUL, NOTE_OF_TARGET, false, memory_only,
		"take a file on the device that is meant"),
	PLACE("filesystem-full", NOTE_DOUBTFUL, NOTE_OF_LAYER, false, full, "delete something"),
	PLACE("filesystem-errors", NOTE_DOUBTFUL, NOTE_OF_LAYER, false, fs_errors, "run fsck"),
	PLACE("in-use", NOTE_DOUBTFUL, NOTE_OF_TARGET, true, in_use, NULL),
	PLACE("in-use", NOTE_INFO, NOTE_OF_TARGET, true, beside_used, NULL),
	PLACE("never-written", NOTE_DOUBTFUL, NOTE_OF_TARGET, true, never_written,
		"write all of it before reads are measured"),
	PLACE("fragmented", NOTE_INFO, NOTE_OF_TARGET, true, fragmented, NULL),
	PLACE("remote", NOTE_INFO, NOTE_OF_LAYER, true, remote, NULL),
	PLACE("holds-data", NOTE_INFO, NOTE_OF_TARGET, true, holds_data, NULL),
};

NOTE_TABLE(notes_place, rules);
