/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Did the bytes come from the device, and did they get there? */
#include "result/notes/notes.h"

#include "base/bits.h"
#include "base/plain.h"
#include "result/environment.h"
#include "result/watch.h"
#include "result/words.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define SHARE_LEAST 0.01

static bool page_cache(const struct note_case *c, struct note_found *f)
{
	const struct watch_job *j = note_watch_job(c);
	double share = j ? watch_cache_share(j) : -1;

	if (share < SHARE_LEAST)
		return false;
	note_number(f, "cache_percent", 100 * share);
	note_number(f, "read_bytes", (double)j->moved_read_bytes);
	note_number(f, "from_storage_bytes", (double)j->storage_read_bytes);
	return note_say(f,
		"%.3g %% of what it read came from the page cache, so memory was measured, not the "
		"device",
		100 * share);
}

/* In files that are in memory anyway nothing waits for a device. */
static bool in_memory(const struct result *r, const char *path)
{
	const struct environment *e = r->environment;

	for (uint32_t i = 0; e && path && i < e->targets_count; i++) {
		if (strcmp(e->targets[i].path, path) != 0 || e->targets[i].on == STACK_NOTHING)
			continue;
		const struct layer *l = &e->stack.v[e->targets[i].on];
		const char *type = l->filesystem ? l->filesystem->type : NULL;
		return type && (!strcmp(type, "tmpfs") || !strcmp(type, "ramfs"));
	}
	return false;
}

/* What is left in memory, of all files. */
static uint64_t unsynced_bytes(const struct result *r)
{
	const struct watch *w = r->watch;
	uint64_t bytes = 0;

	for (uint32_t i = 0; i < w->targets_count; i++) {
		const struct watch_target *t = &w->targets[i];
		if (count_known(t->dirty_bytes) && count_known(t->writeback_bytes) &&
			!in_memory(r, t->path))
			bytes += t->dirty_bytes + t->writeback_bytes;
	}
	return bytes;
}

/* From less than this the speed of a device isn't known. */
#define WROTE_LEAST      (UINT64_C(16) << 20)
#define WROTE_LEAST_S    0.1
#define WROTE_LEAST_PART 20 /* of what the estimate is for */

/* Bytes a second that the devices took while they were busy; < 0: they wrote too little to
 * tell, or read too much meanwhile. */
static double device_took(const struct watch *w, uint64_t bytes)
{
	uint64_t written = w->run.device_written_bytes, read = w->run.device_read_bytes;
	double busy_percent = 0;

	for (uint32_t i = 0; i < w->devices_count; i++)
		if (w->devices[i].written_bytes)
			busy_percent = fmax(busy_percent, w->devices[i].busy_percent);
	double busy_s = busy_percent / 100 * (double)w->run.watched_ns / 1e9;
	if (!count_known(written) || written < WROTE_LEAST ||
		written < bytes / WROTE_LEAST_PART || busy_s < WROTE_LEAST_S ||
		(count_known(read) && read > written / 4))
		return -1;
	return (double)written / busy_s;
}

/* Of all that was written, over the longest of the windows and then AFTER_S. */
static double written_per_s(const struct result *r, double after_s)
{
	uint64_t bytes = 0, longest = 0;

	for (uint32_t i = 0; i < r->rows_count; i++) {
		const struct result_dir *d = &r->rows[i].dir[DIR_WRITE];
		bytes += d->bytes;
		longest = MAX_OF(longest, d->runtime_ns);
	}
	return longest ? (double)bytes / ((double)longest / 1e9 + after_s) : 0;
}

static void say_cost(const struct note_case *c, uint64_t bytes, struct note_found *f,
	char *text, size_t size)
{
	double took = device_took(c->result->watch, bytes);
	bool large = bytes >= 1000000000;
	double left = (double)bytes / (large ? 1e9 : 1e6);
	const char *unit = large ? "GB" : "MB";

	if (took <= 0) {
		snprintf(text, size,
			"; what a sync of the %s %s costs isn't known, as the device wrote too "
			"little meanwhile",
			plain_number(left, 3).text, unit);
		return;
	}
	double cost_s = (double)bytes / took, with = written_per_s(c->result, cost_s);
	note_number(f, "device_bytes_per_s", took);
	note_number(f, "sync_estimated_s", cost_s);
	note_number(f, "written_bytes_per_s", written_per_s(c->result, 0));
	note_number(f, "with_sync_bytes_per_s", with);
	snprintf(text, size,
		". By the %s that the device took meanwhile a sync of the %s %s would take about "
		"%s, and the rate with it be about %s, not %s",
		words_rate(took, 1, 0).text, plain_number(left, 3).text, unit,
		words_time((uint64_t)(cost_s * 1e9)).text, words_rate(with, 1, 0).text,
		words_rate(written_per_s(c->result, 0), 1, 0).text);
}

static bool unsynced(const struct note_case *c, struct note_found *f)
{
	const struct watch *w = c->result->watch;
	uint64_t written = w ? w->run.moved_written_bytes : FACT_UNKNOWN;
	char cost[320];

	if (!c->result->final || !count_known(written) || !written)
		return false;
	uint64_t bytes = unsynced_bytes(c->result);
	if ((double)bytes < SHARE_LEAST * (double)written)
		return false;
	note_number(f, "unsynced_bytes", (double)bytes);
	note_number(f, "written_bytes", (double)written);
	say_cost(c, bytes, f, cost, sizeof(cost));
	return note_say(f,
		"%s of what was written was not on the device at the end, but in memory: these "
		"rates are not the device's%s",
		words_share(MIN_OF(bytes, written), written).text, cost);
}

/* A rate of memory, and one of the device: both, where the job asked for the sync. */
static bool sync_at_end(const struct note_case *c, struct note_found *f)
{
	const struct result_row *row = c->row;
	const struct result_dir *d = &row->dir[DIR_WRITE];
	const struct watch_job *j = note_watch_job(c);
	double ran = (double)d->runtime_ns, sync = (double)row->last_sync_ns;

	if (!c->result->final || !d->bytes || ran <= 0 || sync < SHARE_LEAST * ran)
		return false;
	double without = (double)d->bytes * 1e9 / ran,
	       with = (double)d->bytes * 1e9 / (ran + sync);
	note_number(f, "written_bytes", (double)d->bytes);
	note_number(f, "written_bytes_per_s", without);
	note_number(f, "with_sync_bytes_per_s", with);
	note_number(f, "sync_ns", sync);
	return note_say(f, "wrote %s, and %s with the sync at its end, which took %s%s",
		words_rate(without, 1, 0).text, words_rate(with, 1, 0).text,
		words_time(row->last_sync_ns).text,
		j && j->buffered == 1 ? ": the first is memory's rate, the second the device's"
				      : "");
}

/* A page that is dirty already isn't counted again by the kernel when it is written.  Where
 * nothing is written back to a disk of this machine, nothing may be counted at all. */
#define OVER_LEAST 0.05

static bool written_over(const struct note_case *c, struct note_found *f)
{
	const struct watch *w = c->result->watch;
	uint64_t stored = w ? w->run.storage_written_bytes : FACT_UNKNOWN;
	uint64_t written = w ? w->run.moved_written_bytes : FACT_UNKNOWN;

	if (!c->result->final || !count_known(stored) || !count_known(written) ||
		!w->devices_count || stored >= written)
		return false;
	for (uint32_t i = 0; i < w->targets_count; i++)
		if (in_memory(c->result, w->targets[i].path))
			return false;
	if ((double)(written - stored) < OVER_LEAST * (double)written)
		return false;
	note_number(f, "over_bytes", (double)(written - stored));
	note_number(f, "written_bytes", (double)written);
	note_number(f, "to_storage_bytes", (double)stored);
	return note_say(f,
		"%s of what was written replaced bytes that were still in memory, and went to no "
		"device: these rates are not the device's",
		words_share(written - stored, written).text);
}

static bool read_unwritten(const struct note_case *c, struct note_found *f)
{
	const struct watch *w = c->result->watch;
	uint64_t range = 0, unwritten = 0;
	const char *path = NULL;

	for (uint32_t i = 0; w && i < w->targets_count; i++) {
		const struct watch_target *t = &w->targets[i];
		if (!count_known(t->read_bytes_range) ||
			!count_known(t->read_unwritten_bytes) || in_memory(c->result, t->path))
			continue;
		range += t->read_bytes_range;
		unwritten += t->read_unwritten_bytes;
		if (t->read_unwritten_bytes && !path)
			path = t->path;
	}
	if (!range || (double)unwritten < SHARE_LEAST * (double)range)
		return false;
	f->target = path;
	note_number(f, "unwritten_bytes", (double)unwritten);
	note_number(f, "range_bytes", (double)range);
	return note_say(f,
		"%s of the range that was read was never written: those reads were zeros from "
		"memory, not from the device",
		words_share(unwritten, range).text);
}

/* So little, so often: it is in some cache by then, if not in this machine's. */
#define OFTEN 10

static bool small_range(const struct note_case *c, struct note_found *f)
{
	const struct watch_job *j = note_watch_job(c);
	uint64_t bytes = c->row->dir[DIR_READ].bytes;

	if (!j || !count_known(j->random_read_bytes) || !j->random_read_bytes ||
		j->random_read_bytes >= UINT64_C(4) << 30 ||
		bytes / j->random_read_bytes < OFTEN || j->buffered == 1)
		return false;
	note_number(f, "range_bytes", (double)j->random_read_bytes);
	note_number(f, "read_bytes", (double)bytes);
	return note_say(f,
		"it read its range of %s MiB %" PRIu64
		" times: caches of the device, of the controller or of a host had it by then",
		plain_number((double)j->random_read_bytes / (1 << 20), 2).text,
		bytes / j->random_read_bytes);
}

/* ---- before a run ---- */

static bool fits_memory(const struct note_case *c, struct note_found *f)
{
	uint64_t size = c->target->size_bytes, memory = c->env->memory.total_bytes;

	if (!count_known(size) || !count_known(memory) || !size || size >= 2 * memory ||
		strcmp(c->target->kind, "file") != 0 || in_memory(c->result, c->target->path))
		return false;
	note_number(f, "size_bytes", (double)size);
	note_number(f, "memory_bytes", (double)memory);
	return note_say(f,
		"it is not twice as large as the memory: without direct=1 much of it is read from there");
}

static const struct note_rule rules[] = {
	{.id = "page-cache",
		.weight = NOTE_DOUBTFUL,
		.scope = NOTE_OF_ROW,
		.remedy = "use direct=1, or a file of twice the memory",
		.check = page_cache},
	{.id = "unsynced",
		.weight = NOTE_DOUBTFUL,
		.scope = NOTE_OF_RUN,
		.remedy = "use end_fsync=1, which tells both rates, or direct=1",
		.check = unsynced},
	{.id = "written-over",
		.weight = NOTE_DOUBTFUL,
		.scope = NOTE_OF_RUN,
		.remedy = "use direct=1, or write each block once",
		.check = written_over},
	{.id = "sync-at-end", .weight = NOTE_INFO, .scope = NOTE_OF_ROW, .check = sync_at_end},
	{.id = "read-unwritten",
		.weight = NOTE_DOUBTFUL,
		.scope = NOTE_OF_RUN,
		.remedy = "write all of it first",
		.check = read_unwritten},
	{.id = "small-range",
		.weight = NOTE_INFO,
		.scope = NOTE_OF_ROW,
		.remedy = "use a range as large as your data",
		.check = small_range},
	{.id = "fits-memory",
		.weight = NOTE_INFO,
		.scope = NOTE_OF_TARGET,
		.doctor_only = true,
		.check = fits_memory},
};

NOTE_TABLE(notes_cache, rules);
