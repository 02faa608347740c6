/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* The kernel's block traces: struct blk_io_trace of linux/blktrace_api.h, 48 bytes, and
 * pdu_len bytes behind each.  The byte order is that of the machine that traced.
 *
 * Requests are what was queued (Q): merges, splits of them are passed over, and unless
 * they are asked for when they were issued to the device and completed;
 * so are messages of any kind and requests that are no I/O of a file system (SCSI and
 * NVMe commands).  A queued request with the flush flag is a sync before its data. */
#include "trace/reader.h"

#include "base/bits.h"
#include "base/err.h"
#include "trace/bytes.h"

#include <errno.h>
#include <linux/blktrace_api.h>
#include <stdio.h>
#include <string.h>

#define BLK_SECTOR 512

struct blktrace {
	bool swapped;
	bool held_any; /* the data behind a flush come next */
	struct trace_record held;
};

static uint32_t blk_32(const struct blktrace *b, uint32_t v)
{
	return b->swapped ? __builtin_bswap32(v) : v;
}

static uint64_t blk_64(const struct blktrace *b, uint64_t v)
{
	return b->swapped ? __builtin_bswap64(v) : v;
}

static uint32_t blk_magic(const unsigned char *at)
{
	uint32_t magic;
	memcpy(&magic, at, sizeof(magic));
	return magic;
}

static bool blk_is_magic(uint32_t magic)
{
	return (magic & 0xffffff00) == BLK_IO_TRACE_MAGIC;
}

static bool blk_probe(const unsigned char *head, size_t n)
{
	return n >= sizeof(uint32_t) &&
	       (blk_is_magic(blk_magic(head)) ||
		       blk_is_magic(__builtin_bswap32(blk_magic(head))));
}

static int blk_begin(struct trace_reader *r, struct err *reterr)
{
	struct blktrace *b = r->mine;
	const unsigned char *at;
	size_t n;

	int rc = trace_bytes_look(r->bytes, sizeof(uint32_t), &at, &n, reterr);
	if (rc < 0)
		return trace_fail_within(r, reterr);
	b->swapped = !blk_is_magic(blk_magic(at));
	uint32_t version = blk_32(b, blk_magic(at)) & 0xff;
	if (version != BLK_IO_TRACE_VERSION)
		return trace_fail(r, reterr, -EINVAL,
			"is a blktrace of version %u; weir reads version %d", version,
			BLK_IO_TRACE_VERSION);
	return 0;
}

/* Past what belongs to the record. */
static int blk_pass(struct trace_reader *r, size_t bytes, struct err *reterr)
{
	const unsigned char *at;
	size_t n;

	int rc = trace_bytes_look(r->bytes, bytes, &at, &n, reterr);
	if (rc < 0)
		return trace_fail_within(r, reterr);
	if (n < bytes && trace_bytes_failed(r->bytes, reterr) < 0)
		return trace_fail_within(r, reterr);
	if (n < bytes)
		return trace_fail(r, reterr, -EINVAL,
			"is cut off: %zu of the %zu bytes behind it are there", n, bytes);
	trace_bytes_skip(r->bytes, bytes);
	return 0;
}

/* The next 48 bytes, in our byte order: 1; 0 at the end. */
static int blk_event(struct trace_reader *r, struct blk_io_trace *ret, struct err *reterr)
{
	const struct blktrace *b = r->mine;
	const unsigned char *at;
	size_t n;

	r->number++;
	int rc = trace_bytes_look(r->bytes, sizeof(*ret), &at, &n, reterr);
	if (rc < 0)
		return trace_fail_within(r, reterr);
	if (!n)
		return 0;
	if (n < sizeof(*ret) && trace_bytes_failed(r->bytes, reterr) < 0)
		return trace_fail_within(r, reterr);
	if (n < sizeof(*ret))
		return trace_fail(r, reterr, -EINVAL,
			"is cut off: %zu of its %zu bytes are there", n, sizeof(*ret));
	memcpy(ret, at, sizeof(*ret));
	if (blk_32(b, ret->magic) != (BLK_IO_TRACE_MAGIC | BLK_IO_TRACE_VERSION))
		return trace_fail(r, reterr, -EINVAL,
			"doesn't begin with blktrace's magic number but with %08x (byte %llu): the "
			"file is damaged from here on",
			blk_32(b, ret->magic),
			(unsigned long long)trace_bytes_position(r->bytes));
	trace_bytes_skip(r->bytes, sizeof(*ret));
	ret->time = blk_64(b, ret->time);
	ret->sector = blk_64(b, ret->sector);
	ret->bytes = blk_32(b, ret->bytes);
	ret->action = blk_32(b, ret->action);
	ret->device = blk_32(b, ret->device);
	ret->pdu_len = b->swapped ? __builtin_bswap16(ret->pdu_len) : ret->pdu_len;
	rc = blk_pass(r, ret->pdu_len, reterr);
	return rc < 0 ? rc : 1;
}

static bool blk_is_request(const struct blk_io_trace *t)
{
	uint32_t kinds = t->action >> BLK_TC_SHIFT;
	uint32_t act = t->action & 0xffff & ~(uint32_t)__BLK_TA_CGROUP;

	return act == __BLK_TA_QUEUE && !(kinds & (BLK_TC_NOTIFY | BLK_TC_PC)) &&
	       (t->bytes || kinds & BLK_TC_FLUSH);
}

/* Devices are called "MAJOR:MINOR", of the kernel's 12 and 20 bits. */
static int blk_name(struct trace_reader *r, uint32_t device, uint32_t *ret, struct err *reterr)
{
	char name[32];
	int len = snprintf(name, sizeof(name), "%u:%u", device >> 20, device & 0xfffff);
	int64_t index = trace_names_add(&r->names, name, (size_t)len);

	if (index < 0)
		return trace_fail(r, reterr, (int)index, "names too many devices");
	*ret = (uint32_t)index;
	return 0;
}

static int blk_record(struct trace_reader *r, const struct blk_io_trace *t,
	struct trace_record *ret, struct err *reterr)
{
	struct blktrace *b = r->mine;
	uint32_t kinds = t->action >> BLK_TC_SHIFT;

	int rc = blk_name(r, t->device, &ret->name, reterr);
	if (rc < 0)
		return rc;
	if (t->bytes && t->sector > ((uint64_t)INT64_MAX - t->bytes) / BLK_SECTOR)
		return trace_fail(r, reterr, -EINVAL,
			"sector %llu is behind the end of anything that a device can be",
			(unsigned long long)t->sector);
	ret->time_ns = t->time;
	ret->action = kinds & BLK_TC_DISCARD ? TRACE_TRIM
		      : kinds & BLK_TC_WRITE ? TRACE_WRITE
					     : TRACE_READ;
	ret->offset = t->sector * BLK_SECTOR;
	ret->bytes = t->bytes;
	if (!(kinds & BLK_TC_FLUSH))
		return 0;
	b->held = *ret;
	b->held_any = t->bytes > 0;
	ret->action = TRACE_SYNC;
	ret->offset = ret->bytes = 0;
	return 0;
}

/* What the device got (D) and gave back (C). */
static bool blk_is_completion(const struct blk_io_trace *t)
{
	uint32_t kinds = t->action >> BLK_TC_SHIFT;
	uint32_t act = t->action & 0xffff & ~(uint32_t)__BLK_TA_CGROUP;

	return (act == __BLK_TA_ISSUE || act == __BLK_TA_COMPLETE) && t->bytes &&
	       !(kinds & (BLK_TC_NOTIFY | BLK_TC_PC)) &&
	       t->sector <= ((uint64_t)INT64_MAX - t->bytes) / BLK_SECTOR;
}

static int blk_completion(struct trace_reader *r, const struct blk_io_trace *t,
	struct trace_record *ret, struct err *reterr)
{
	bool issue = (t->action & 0xffff & ~(uint32_t)__BLK_TA_CGROUP) == __BLK_TA_ISSUE;

	ret->time_ns = t->time;
	ret->action = issue ? TRACE_ISSUED : TRACE_DONE;
	ret->offset = t->sector * BLK_SECTOR;
	ret->bytes = t->bytes;
	return blk_name(r, t->device, &ret->name, reterr);
}

static int blk_next(struct trace_reader *r, struct trace_record *ret, struct err *reterr)
{
	struct blktrace *b = r->mine;
	struct blk_io_trace t;

	if (b->held_any) {
		b->held_any = false;
		*ret = b->held;
		return 1;
	}
	for (;;) {
		int rc = blk_event(r, &t, reterr);
		if (rc <= 0)
			return rc;
		if (r->completions && blk_is_completion(&t)) {
			rc = blk_completion(r, &t, ret, reterr);
			return rc < 0 ? rc : 1;
		}
		if (!blk_is_request(&t)) {
			r->odd.passed_over++;
			continue;
		}
		rc = blk_record(r, &t, ret, reterr);
		return rc < 0 ? rc : 1;
	}
}

const struct trace_format trace_blktrace = {
	.name = "blktrace",
	.unit = "record",
	.absolute = true,
	.probe = blk_probe,
	.size = sizeof(struct blktrace),
	.begin = blk_begin,
	.next = blk_next,
};
