/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Is the depth the one that was asked for, and are requests whole? */
#include "result/notes/notes.h"

#include "base/bits.h"
#include "result/environment.h"
#include "result/watch.h"
#include "result/words.h"

#include <inttypes.h>
#include <string.h>

/* 1: through the page cache, 0: past it, -1: not known. */
static int buffered(const struct note_case *c)
{
	const struct watch_job *j = note_watch_job(c);
	const char *direct = note_option(c, "direct"), *through = note_option(c, "buffered");

	if (j && j->buffered != FACT_UNKNOWN)
		return j->buffered == 1;
	if (direct)
		return !strcmp(direct, "0");
	return through ? strcmp(through, "0") != 0 : -1;
}

static bool is_ring(const char *engine)
{
	return !strncmp(engine, "io_uring", strlen("io_uring"));
}

static bool on_btrfs(const struct result *r)
{
	const struct environment *e = r->environment;

	for (uint32_t i = 0; e && i < e->targets_count; i++) {
		const struct layer *l = e->targets[i].on < e->stack.count
						? &e->stack.v[e->targets[i].on]
						: NULL;
		if (l && l->filesystem && l->filesystem->type &&
			!strcmp(l->filesystem->type, "btrfs"))
			return true;
	}
	return false;
}

static bool on_file(const struct result *r)
{
	const struct environment *e = r->environment;

	for (uint32_t i = 0; e && i < e->targets_count; i++)
		if (e->targets[i].kind && !strcmp(e->targets[i].kind, "block device"))
			return false;
	return e && e->targets_count;
}

/* Past the page cache already: it is what lies below that does one after the other. */
static void remedy_of_submit(const struct note_case *c, const char *engine,
	struct note_found *f)
{
	if (buffered(c) == 0 && on_btrfs(c->result) && c->row->dir[DIR_WRITE].ios)
		note_remedy(f,
			"btrfs writes so where it keeps checksums or compresses, and beyond the end of "
			"a file: chattr +C of the empty file leaves both out; or use numjobs for "
			"parallelism");
	else if (buffered(c) == 0 && on_file(c->result))
		note_remedy(f,
			"file systems do so beyond the end of a file, with compression or in memory: "
			"write the file first, or use numjobs for parallelism");
	else if (buffered(c) == 0)
		note_remedy(f, "a disk of RAM does so: use numjobs for parallelism");
	else if (is_ring(engine))
		note_remedy(f, "use direct=1 for depth, numjobs for parallelism");
	else
		note_remedy(f, "use direct=1 or io_uring for depth, numjobs for parallelism");
}

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
		remedy_of_submit(c, engine, f);
		return note_say(f,
			"iodepth=%" PRIu32
			" has no effect: the kernel finished each request before "
			"%s's submit returned%s",
			row->depth_asked, engine,
			buffered(c) == 0 ? ", with direct=1 too" : "");
	}
	note_remedy(f, "use %s for depth, numjobs for parallelism",
		buffered(c) == 0 ? "io_uring or libaio" : "io_uring (or libaio with direct=1)");
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
	return note_say(f, "%s (%s) moved fewer bytes than asked",
		words_count(count, "request").text, words_share(count, issued).text);
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
