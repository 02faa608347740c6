/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* The devices below the targets: alignment, links, settings, arrays. */
#include "result/notes/notes.h"

#include "base/bits.h"
#include "base/str.h"
#include "result/environment.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define MIB            (UINT64_C(1) << 20)
#define SATA_SPEED_MAX 6.0 /* Gb/s */

static bool is(const char *text, const char *word)
{
	return text && !strcmp(text, word);
}

static bool misaligned(const struct note_case *c, struct note_found *f)
{
	const struct block_facts *b = c->layer->block;
	uint64_t start = b ? b->partition_start_bytes : FACT_UNKNOWN;

	if (!b || !count_known(start) || !count_known(b->physical_block_bytes) ||
		!b->physical_block_bytes || start % b->physical_block_bytes == 0)
		return false;
	note_number(f, "start_bytes", (double)start);
	note_number(f, "physical_block_bytes", (double)b->physical_block_bytes);
	return note_say(f,
		"the partition begins at byte %" PRIu64 ", inside a physical block of "
		"%" PRIu64 " bytes: each write of one block touches two",
		start, b->physical_block_bytes);
}

/* "16.0 GT/s PCIe". */
static double link_speed(const char *text)
{
	double speed;
	return text && sscanf(text, "%lf", &speed) == 1 ? speed : 0;
}

static bool link_degraded(const struct note_case *c, struct note_found *f)
{
	const struct controller_facts *k = c->layer->controller;
	double speed = k ? link_speed(k->link_speed) : 0;
	double possible = k ? link_speed(k->link_speed_possible) : 0;
	bool width = k && count_known(k->link_width) && count_known(k->link_width_possible);
	bool narrow = width && k->link_width && k->link_width < k->link_width_possible;

	if (speed <= 0 || (speed >= possible && !narrow))
		return false;
	note_number(f, "speed_gt_per_s", speed);
	note_number(f, "speed_possible_gt_per_s", possible);
	note_number(f, "width", width ? (double)k->link_width : 0);
	note_number(f, "width_possible", width ? (double)k->link_width_possible : 0);
	return note_say(f, "its link runs at %s x%.0f, and could at %s x%.0f", k->link_speed,
		width ? (double)k->link_width : 0, k->link_speed_possible,
		width ? (double)k->link_width_possible : 0);
}

/* Of a SATA disk, by smartctl. */
static bool ata_link(const struct note_case *c, struct note_found *f)
{
	const struct ata_facts *a = c->layer->ata;
	double speed = a ? link_speed(a->link_speed) : 0;
	double possible = a ? link_speed(a->link_speed_possible) : 0;

	if (speed <= 0 || speed >= possible)
		return false;
	note_number(f, "speed_gb_per_s", speed);
	note_number(f, "speed_possible_gb_per_s", possible);
	return note_say(f, "its link runs at %s, and could at %s", a->link_speed,
		a->link_speed_possible);
}

/* By the kernel after errors, or by the firmware; by default there is no limit. */
static bool ata_limited(const struct note_case *c, struct note_found *f)
{
	const struct controller_facts *k = c->layer->controller;
	double limit = k ? link_speed(k->port_speed_limit) : 0;

	if (limit <= 0 || limit >= SATA_SPEED_MAX)
		return false;
	note_number(f, "limit_gb_per_s", limit);
	return note_say(f,
		"its SATA link is limited to %s: the kernel does so after errors, or the firmware "
		"did",
		k->port_speed_limit);
}

static bool ata_failing(const struct note_case *c, struct note_found *f)
{
	const struct ata_facts *a = c->layer->ata;

	return a && a->passed == 0 && note_say(f, "the disk says that it is failing");
}

static bool ata_sectors(const struct note_case *c, struct note_found *f)
{
	const struct ata_facts *a = c->layer->ata;
	uint64_t moved = a ? count_or_0(a->reallocated_sectors) : 0;
	uint64_t pending = a ? count_or_0(a->pending_sectors) : 0;

	if (!moved && !pending)
		return false;
	f->weight = pending ? NOTE_DOUBTFUL : NOTE_INFO;
	note_number(f, "reallocated_sectors", (double)moved);
	note_number(f, "pending_sectors", (double)pending);
	return note_say(f,
		"%" PRIu64 " of its sectors were moved elsewhere and %" PRIu64
		" can hardly be read: such places take longer",
		moved, pending);
}

/* "254:0 rbps=1048576; 8:0 ...": is this device in it? */
static bool io_limit(const struct note_case *c, struct note_found *f)
{
	const struct block_facts *b = c->layer->block;
	const char *limits = c->env->group.io_limits, *at = limits;
	size_t len = b && b->number ? strlen(b->number) : 0;

	for (; limits && len && (at = strstr(at, b->number)); at += len) {
		if ((at > limits && at[-1] != ' ') || at[len] != ' ')
			continue;
		int rest = (int)strcspn(at, ";");
		return note_say(f, "the control group limits it: %.*s", rest, at);
	}
	return false;
}

static bool md_degraded(const struct note_case *c, struct note_found *f)
{
	const struct block_facts *b = c->layer->block;

	if (!b || !b->md_level || !count_known(b->md_missing) || !b->md_missing)
		return false;
	note_number(f, "missing", (double)b->md_missing);
	return note_say(f, "the array works without %" PRIu64 " of its members", b->md_missing);
}

static bool md_busy(const struct note_case *c, struct note_found *f)
{
	const struct block_facts *b = c->layer->block;

	return b && b->md_action && !is(b->md_action, "idle") && !is(b->md_action, "frozen") &&
	       note_say(f, "the array is busy with itself (%s)", b->md_action);
}

/* ---- settings ---- */

static bool scheduler(const struct note_case *c, struct note_found *f)
{
	const struct queue_facts *q = c->layer->queue;
	const struct block_facts *b = c->layer->block;

	if (!q || !b || strcmp(c->layer->kind, "disk"))
		return false;
	if (b->rotational == 0 && is(q->scheduler, "bfq")) {
		f->weight = NOTE_DOUBTFUL;
		note_remedy(f, "write none to /sys/block/%s/queue/scheduler", c->layer->id);
		return note_say(f,
			"the scheduler bfq costs CPU time for each request, and a fast "
			"device waits for it");
	}
	return b->rotational == 1 && is(b->transport, "sata") && is(q->scheduler, "none") &&
	       note_say(f,
		       "a rotating disk without a scheduler: requests are not put in order");
}

static bool read_ahead(const struct note_case *c, struct note_found *f)
{
	const struct queue_facts *q = c->layer->queue;

	if (!q || !count_known(q->read_ahead_bytes) || q->read_ahead_bytes <= MIB)
		return false;
	note_number(f, "read_ahead_bytes", (double)q->read_ahead_bytes);
	return note_say(f,
		"read-ahead is %" PRIu64 " KiB: buffered sequential reads are mostly of what "
		"was fetched before",
		q->read_ahead_bytes >> 10);
}

static bool write_cache(const struct note_case *c, struct note_found *f)
{
	const struct queue_facts *q = c->layer->queue;

	return q && !strcmp(c->layer->kind, "disk") && is(q->write_cache, "write back") &&
	       note_say(f,
		       "it has a volatile write cache: a write is done when it is there, not when it "
		       "is safe");
}

static bool link_power(const struct note_case *c, struct note_found *f)
{
	const struct controller_facts *k = c->layer->controller;

	return k && k->link_power && strcmp(k->link_power, "max_performance") &&
	       note_say(f, "its link sleeps when idle (%s): the first request afterwards waits",
		       k->link_power);
}

static bool numa(const struct note_case *c, struct note_found *f)
{
	const struct controller_facts *k = c->layer->controller;

	if (!k || !count_known(k->numa_node) || !count_known(c->env->cpu.numa_nodes) ||
		c->env->cpu.numa_nodes < 2)
		return false;
	note_number(f, "node", (double)k->numa_node);
	note_remedy(f, "numa_cpu_nodes=%" PRIu64, k->numa_node);
	return note_say(f,
		"it is at memory node %" PRIu64 " (CPUs %s): workers elsewhere pay for the way",
		k->numa_node, k->numa_cpus ? k->numa_cpus : "?");
}

/* ---- what isn't a disk ---- */

static bool loop_buffered(const struct note_case *c, struct note_found *f)
{
	const struct block_facts *b = c->layer->block;

	return b && b->backing_file && b->loop_direct == 0 &&
	       note_say(f,
		       "the loop device goes through the page cache of the file below it: direct I/O "
		       "to it is none");
}

static bool compressing(const struct note_case *c, struct note_found *f)
{
	const struct filesystem_facts *fs = c->layer->filesystem;
	const struct block_facts *b = c->layer->block;

	if (b && b->compressor)
		return note_say(f, "it compresses (%s): what it takes depends on the data",
			b->compressor);
	return fs && fs->options && strstr(fs->options, "compress") &&
	       note_say(f, "the file system compresses: what it takes depends on the data");
}

static bool encrypting(const struct note_case *c, struct note_found *f)
{
	return is(c->layer->kind, "crypt") &&
	       note_say(f,
		       "all goes through encryption, which costs CPU time: it is in the latencies");
}

#define LAYER(name, w, only, fn, todo)                                                         \
	{                                                                                      \
		.id = name, .weight = w, .scope = NOTE_OF_LAYER, .doctor_only = only,          \
		.check = fn, .remedy = todo                                                    \
	}

static const struct note_rule rules[] = {
	LAYER("misaligned", NOTE_DOUBTFUL, false, misaligned,
		"let it begin at a multiple of 1 MiB"),
	LAYER("link-degraded", NOTE_DOUBTFUL, false, link_degraded,
		"look at slot, cable and firmware settings"),
	LAYER("link-degraded", NOTE_DOUBTFUL, false, ata_link,
		"look at cable, port and firmware settings"),
	LAYER("link-degraded", NOTE_INFO, true, ata_limited,
		"look at the kernel's log, cable and firmware settings"),
	LAYER("ata-failing", NOTE_DOUBTFUL, false, ata_failing, "save what is on it"),
	LAYER("ata-sectors", NOTE_DOUBTFUL, false, ata_sectors, NULL),
	LAYER("io-limit", NOTE_DOUBTFUL, false, io_limit, "lift io.max for the test"),
	LAYER("md-degraded", NOTE_DOUBTFUL, false, md_degraded, NULL),
	LAYER("md-busy", NOTE_DOUBTFUL, false, md_busy, "wait for its end (/proc/mdstat)"),
	LAYER("loop-buffered", NOTE_DOUBTFUL, true, loop_buffered, "losetup --direct-io=on"),
	LAYER("scheduler", NOTE_INFO, true, scheduler, NULL),
	LAYER("read-ahead", NOTE_INFO, true, read_ahead, NULL),
	LAYER("write-cache", NOTE_INFO, true, write_cache,
		"for the speed of safe writes, use fsync, fdatasync or sync=1"),
	LAYER("link-power", NOTE_INFO, true, link_power, NULL),
	LAYER("numa", NOTE_INFO, true, numa, NULL),
	LAYER("compressing", NOTE_INFO, true, compressing,
		"choose buffer_compress_percentage as your data are"),
	LAYER("encrypting", NOTE_INFO, true, encrypting, NULL),
};

NOTE_TABLE(notes_device, rules);
