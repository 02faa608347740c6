/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What fio's reports allow to say: only options, figures and disk counters are known, and
 * nothing was watched. */
#include "result/notes/notes.h"

#include "base/bits.h"
#include "result/words.h"

#include <inttypes.h>
#include <string.h>

static bool told(const struct note_case *c)
{
	bool dd = c->row->engine &&
		  !strcmp(c->row->engine, "dd"); /* which has a note of its own */
	return c->row->told && !c->row->told->native && c->row->options_count && !dd;
}

static bool on(const struct note_case *c, const char *name)
{
	const char *value = note_option(c, name);
	return value && strcmp(value, "0") != 0;
}

static bool buffered(const struct note_case *c)
{
	const char *through = note_option(c, "buffered");
	return !on(c, "direct") && !(through && !strcmp(through, "0"));
}

static const char *engine_of(const struct note_case *c)
{
	const char *name = note_option(c, "ioengine");
	return name ? name : c->row->engine ? c->row->engine : "";
}

/* They do one request at a time, whatever iodepth says. */
static bool synchronous(const char *engine)
{
	static const char *const names[] = {
		"sync", "psync", "vsync", "pvsync", "pvsync2", "mmap"};
	for (size_t i = 0; i < COUNT_OF(names); i++)
		if (!strcmp(engine, names[i]))
			return true;
	return false;
}

/* Without the name of an engine fio took psync. */
static bool told_depth(const struct note_case *c, struct note_found *f)
{
	const char *engine = told(c) ? engine_of(c) : "";
	uint32_t depth = c->row->depth_asked;

	if (!told(c) || depth <= 1)
		return false;
	note_number(f, "depth_asked", depth);
	if (!*engine || synchronous(engine))
		return note_say(f,
			"iodepth=%" PRIu32 " had no effect: %s does one request at a time",
			depth, *engine ? engine : "the default engine");
	note_remedy(f, "use direct=1 or io_uring for depth, numjobs for parallelism");
	return !strcmp(engine, "libaio") && buffered(c) &&
	       note_say(f,
		       "iodepth=%" PRIu32
		       " had no effect, most likely: libaio without direct=1 waits in each submit",
		       depth);
}

static bool told_unsynced(const struct note_case *c, struct note_found *f)
{
	static const char *const syncs[] = {
		"end_fsync", "fsync", "fdatasync", "sync", "fsync_on_close", "sync_file_range"};

	if (!told(c) || !c->row->dir[DIR_WRITE].bytes || !buffered(c) ||
		!strcmp(engine_of(c), "null"))
		return false;
	for (size_t i = 0; i < COUNT_OF(syncs); i++)
		if (on(c, syncs[i]))
			return false;
	note_number(f, "written_bytes", (double)c->row->dir[DIR_WRITE].bytes);
	return note_say(f,
		"it wrote through the page cache and waited for no sync: nobody knows how much "
		"of that reached the device");
}

static bool told_cache(const struct note_case *c, struct note_found *f)
{
	uint64_t moved = 0, device = 0;
	const struct result *r = c->result;

	for (uint32_t i = 0; i < r->rows_count; i++) {
		const struct note_case one = {.result = r, .row = &r->rows[i]};
		if (!told(&one) || !buffered(&one))
			return false;
		moved += r->rows[i].dir[DIR_READ].bytes;
	}
	for (uint32_t i = 0; i < r->disks_count; i++) {
		if (r->disks[i].no_sectors)
			return false;
		device += r->disks[i].is_slave ? 0 : r->disks[i].own.sectors[0] * 512;
	}
	if (!moved || !r->disks_count || device >= moved - moved / 20)
		return false;
	note_number(f, "read_bytes", (double)moved);
	note_number(f, "device_bytes", (double)device);
	if (device < moved / 2000)
		return note_say(f,
			"the disks delivered hardly anything of what was read: it came from the page "
			"cache");
	return note_say(f,
		"the disks delivered only %s of what was read: the rest came from the page cache",
		words_share(device, moved).text);
}

static const struct note_rule rules[] = {
	{.id = "depth-no-effect",
		.weight = NOTE_DOUBTFUL,
		.scope = NOTE_OF_ROW,
		.remedy = "use io_uring or libaio for depth, numjobs for parallelism",
		.check = told_depth},
	{.id = "unsynced",
		.weight = NOTE_DOUBTFUL,
		.scope = NOTE_OF_ROW,
		.remedy = "use end_fsync=1, which tells both rates, or direct=1",
		.check = told_unsynced},
	{.id = "page-cache",
		.weight = NOTE_DOUBTFUL,
		.scope = NOTE_OF_RUN,
		.remedy = "use direct=1, or a file of twice the memory",
		.check = told_cache},
};

NOTE_TABLE(notes_told, rules);
