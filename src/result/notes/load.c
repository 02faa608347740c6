/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Is the load one that means something on these devices? */
#include "result/notes/notes.h"

#include "base/bits.h"
#include "result/environment.h"
#include "result/watch.h"
#include "result/words.h"

#include <inttypes.h>
#include <string.h>

/* ---- what the plan says ---- */

static bool jobs_in_step(const struct note_case *c, struct note_found *f)
{
	const struct watch_job *j = note_watch_job(c);

	if (!j || !count_known(j->in_step) || j->in_step < 2)
		return false;
	note_number(f, "workers", (double)j->in_step);
	return note_say(f,
		"%" PRIu64
		" workers read the same bytes in the same order at the same time: all but "
		"the first may find them in a cache",
		j->in_step);
}

static bool is_device(const struct layer *l)
{
	return l->queue && l->block && !strcmp(l->kind, "disk");
}

static uint64_t requests_of(const struct result *r)
{
	uint64_t all = 0;
	for (uint32_t i = 0; r->watch && i < r->watch->jobs_count; i++)
		if (count_known(r->watch->jobs[i].requests))
			all = MAX_OF(all, r->watch->jobs[i].requests);
	return all;
}

static bool depth_beyond(const struct note_case *c, struct note_found *f)
{
	const struct layer *l = c->layer;
	uint64_t asked = requests_of(c->result), takes;

	if (!is_device(l) || !count_known(l->queue->requests))
		return false;
	takes = count_known(l->queue->device_depth)
			? l->queue->device_depth
			: l->queue->requests *
				  (count_known(l->queue->hardware_queues)
						  ? MAX_OF(l->queue->hardware_queues,
							    UINT64_C(1))
						  : 1);
	if (!takes || asked <= takes)
		return false;
	note_number(f, "asked", (double)asked);
	note_number(f, "device_takes", (double)takes);
	return note_say(f,
		"a job wants %" PRIu64 " requests in flight, and the device takes %" PRIu64
		" at a time: the others wait in front of it",
		asked, takes);
}

static uint64_t smallest_write(const struct result *r)
{
	uint64_t least = UINT64_MAX;
	for (uint32_t i = 0; r->watch && i < r->watch->jobs_count; i++) {
		const struct watch_job *j = &r->watch->jobs[i];
		if (count_known(j->write_block_bytes) && j->write_block_bytes &&
			j->buffered == 0)
			least = MIN_OF(least, j->write_block_bytes);
	}
	return least;
}

static bool small_blocks(const struct note_case *c, struct note_found *f)
{
	const struct block_facts *b = c->layer->block;
	uint64_t least = smallest_write(c->result);

	if (!b || !is_device(c->layer) || !count_known(b->physical_block_bytes) ||
		least >= b->physical_block_bytes)
		return false;
	note_number(f, "write_bytes", (double)least);
	note_number(f, "physical_block_bytes", (double)b->physical_block_bytes);
	return note_say(f,
		"writes of %" PRIu64 " bytes go to physical blocks of %" PRIu64
		": the device reads, changes and writes back whole ones",
		least, b->physical_block_bytes);
}

/* ---- data ---- */

static bool given(const char *value)
{
	return value && strcmp(value, "0") != 0;
}

static bool compresses(const struct environment *e)
{
	for (uint32_t i = 0; e && i < e->stack.count; i++) {
		const struct layer *l = &e->stack.v[i];
		if ((l->block && l->block->compressor) || !strcmp(l->kind, "vdo") ||
			(l->filesystem && l->filesystem->options &&
				strstr(l->filesystem->options, "compress")))
			return true;
	}
	return false;
}

static bool plain_data(const struct note_case *c, struct note_found *f)
{
	const char *what = given(note_option(c, "zero_buffers")) ? "zeros"
			   : note_option(c, "buffer_pattern")    ? "one pattern again and again"
								 : NULL;

	if (!what || !c->row->dir[DIR_WRITE].bytes)
		return false;
	f->weight = compresses(c->result->environment) ? NOTE_DOUBTFUL : NOTE_INFO;
	return note_say(f, "it wrote %s: %s", what,
		f->weight == NOTE_DOUBTFUL
			? "what is below compresses that, and hardly writes anything"
			: "drives that compress or find repeats are faster with that than with data");
}

/* fio's K of 1024 and K of 1000 change places. */
static bool units(const struct note_case *c, struct note_found *f)
{
	const char *base = note_option(c, "kb_base");

	return base && !strcmp(base, "1000") &&
	       note_say(f,
		       "kb_base=1000: in its options 4k is 4000 bytes and 4Ki 4096, and fio's text "
		       "divides by 1000");
}

/* So far from what was asked that the reader should know why. */
static bool ended_early(const struct note_case *c, struct note_found *f)
{
	const struct watch_job *j = note_watch_job(c);
	const struct result_row *row = c->row;

	if (!j || !count_known(j->runtime_asked_ns) || row->end != END_DONE || row->steady ||
		!c->result->final || row->runtime_ns >= j->runtime_asked_ns / 2)
		return false;
	note_number(f, "measured_ns", (double)row->runtime_ns);
	note_number(f, "asked_ns", (double)j->runtime_asked_ns);
	return note_say(f, "ended after %s of runtime=%s: all that its size asks for was done",
		words_time(row->runtime_ns).text, words_time(j->runtime_asked_ns).text);
}

static const struct note_rule rules[] = {
	{.id = "jobs-in-step",
		.weight = NOTE_DOUBTFUL,
		.scope = NOTE_OF_ROW,
		.remedy = "use offset_increment, a file each, or random reads",
		.check = jobs_in_step},
	{.id = "depth-beyond-device",
		.weight = NOTE_INFO,
		.scope = NOTE_OF_LAYER,
		.remedy = "ask for no more than it takes",
		.check = depth_beyond},
	{.id = "small-blocks",
		.weight = NOTE_DOUBTFUL,
		.scope = NOTE_OF_LAYER,
		.remedy = "use a block size that is a multiple of it",
		.check = small_blocks},
	{.id = "plain-data",
		.weight = NOTE_INFO,
		.scope = NOTE_OF_ROW,
		.remedy = "write random data, the default, or buffer_compress_percentage",
		.check = plain_data},
	{.id = "units", .weight = NOTE_INFO, .scope = NOTE_OF_ROW, .check = units},
	{.id = "ended-early",
		.weight = NOTE_INFO,
		.scope = NOTE_OF_ROW,
		.remedy = "use time_based",
		.check = ended_early},
};

NOTE_TABLE(notes_load, rules);
