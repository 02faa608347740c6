/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Telling a state file.  HOT: a record is some ten bytes into a buffer, and the buffer
 * one write() when it is full. */
#include "verify/state_parts.h"

#include <endian.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/bits.h"
#include "verify/crc.h"

uint32_t state_crc(const struct state_block *head, const void *payload)
{
	struct state_block without = *head;

	without.crc = 0;
	return (uint32_t)crc32c_more(crc32c_more(0, &without, sizeof(without)), payload,
		le32toh(head->bytes));
}

void state_stream_init(struct state_stream *s, int fd, uint32_t worker, void *buf)
{
	*s = (struct state_stream){.fd = fd, .worker = worker, .buf = buf};
}

/* Blocks of several workers don't mix, since each is appended by one call. */
int state_flush(struct state_stream *s)
{
	struct state_block block;

	if (!s->used || s->error)
		return s->error;
	memcpy(&block, s->buf, sizeof(block));
	block.bytes = htole32(s->used - (uint32_t)sizeof(block));
	block.crc = htole32(state_crc(&block, s->buf + sizeof(block)));
	memcpy(s->buf, &block, sizeof(block));
	ssize_t rc;
	do
		rc = write(s->fd, s->buf, s->used);
	while (rc < 0 && errno == EINTR);
	if (rc != (ssize_t)s->used)
		s->error = rc < 0 ? -errno : -ENOSPC;
	s->used = 0;
	return s->error;
}

static void state_put(struct state_stream *s, uint64_t value)
{
	uint8_t *to = s->buf + s->used;

	for (; value >= 0x80; value >>= 7)
		*to++ = (uint8_t)(value | 0x80);
	*to++ = (uint8_t)value;
	s->used = (uint32_t)(to - s->buf);
}

/* Tag and time of a record for which there is room. */
static void state_begin(struct state_stream *s, enum state_tag tag, uint64_t time_ns)
{
	if (unlikely(s->used + STATE_RECORD > STATE_BUFFER))
		state_flush(s);
	if (unlikely(!s->used)) {
		const struct state_block block = {
			.magic = htole32(STATE_MAGIC),
			.worker = htole32(s->worker),
			.time_ns = htole64(time_ns),
			.serial = htole64(s->last_serial),
		};
		memcpy(s->buf, &block, sizeof(block));
		s->used = sizeof(block);
		s->last_ns = time_ns;
	}
	s->buf[s->used++] = (uint8_t)tag;
	/* Whoever goes back is told to be at the same time. */
	time_ns = MAX_OF(time_ns, s->last_ns);
	state_put(s, time_ns - s->last_ns);
	s->last_ns = time_ns;
}

static void state_begun(struct state_stream *s, enum state_tag tag, uint64_t time_ns,
	uint64_t serial, uint32_t target, uint64_t first, uint32_t n)
{
	state_begin(s, tag, time_ns);
	state_put(s, serial - s->last_serial);
	state_put(s, target);
	state_put(s, first);
	state_put(s, n);
	s->last_serial = serial;
}

void state_write_begun(struct state_stream *s, uint64_t time_ns, uint64_t serial,
	uint32_t target, uint64_t first, uint32_t n)
{
	state_begun(s, STATE_TAG_WRITE, time_ns, serial, target, first, n);
}

void state_trim_begun(struct state_stream *s, uint64_t time_ns, uint64_t serial,
	uint32_t target, uint64_t first, uint32_t n)
{
	state_begun(s, STATE_TAG_TRIM, time_ns, serial, target, first, n);
}

void state_write_ended(struct state_stream *s, uint64_t time_ns, uint64_t serial,
	enum state_end end)
{
	static const uint8_t tags[] = {
		[STATE_DONE] = STATE_TAG_DONE,
		[STATE_DURABLE] = STATE_TAG_DURABLE,
		[STATE_FAILED] = STATE_TAG_FAILED,
	};

	state_begin(s, tags[end], time_ns);
	state_put(s, s->last_serial - serial);
}

void state_sync_begun(struct state_stream *s, uint64_t time_ns, uint32_t target,
	uint64_t number)
{
	state_begin(s, STATE_TAG_SYNC, time_ns);
	state_put(s, number);
	state_put(s, target == STATE_ALL_TARGETS ? 0 : (uint64_t)target + 1);
}

void state_sync_ended(struct state_stream *s, uint64_t time_ns, uint64_t number, bool failed)
{
	state_begin(s, failed ? STATE_TAG_UNSYNCED : STATE_TAG_SYNCED, time_ns);
	state_put(s, number);
}

void state_mark(struct state_stream *s, uint64_t time_ns, uint64_t number)
{
	state_begin(s, STATE_TAG_MARK, time_ns);
	state_put(s, number);
}

void state_finish(struct state_stream *s, uint64_t time_ns)
{
	state_begin(s, STATE_TAG_FINISH, time_ns);
	state_flush(s);
}
