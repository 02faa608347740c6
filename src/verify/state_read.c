/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Walking through a state file, one block in memory. */
#include "verify/state_parts.h"

#include <endian.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/bits.h"
#include "base/limits.h"

#define RESYNC_BYTES (64 << 10)

uint64_t state_take(struct state_bytes *b)
{
	uint64_t value = 0;

	for (unsigned shift = 0; shift < 64 && b->at < b->end; shift += 7) {
		const uint8_t byte = *b->at++;
		value |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return value;
	}
	b->failed = true;
	b->at = b->end;
	return 0;
}

const uint8_t *state_take_bytes(struct state_bytes *b, size_t n)
{
	const uint8_t *at = b->at;

	if (b->failed || n > (size_t)(b->end - b->at)) {
		b->failed = true;
		return NULL;
	}
	b->at += n;
	return at;
}

void state_walk_init(struct state_walk *w, const struct state *s)
{
	off_t size = lseek(s->fd, 0, SEEK_END);

	*w = (struct state_walk){.state = s, .size = size > 0 ? (uint64_t)size : 0};
}

void state_walk_done(struct state_walk *w)
{
	free(w->buf);
	w->buf = NULL;
}

int state_walk_wrong(const struct state_walk *w, struct err *reterr, const char *what)
{
	return err_set(reterr, -EBADMSG,
		"%s: block at byte %" PRIu64 ", record %" PRIu64 ": %s", w->state->path, w->at,
		w->count, what);
}

static int walk_read(const struct state_walk *w, uint64_t at, void *to, size_t n,
	struct err *reterr)
{
	uint8_t *p = to;

	while (n) {
		ssize_t got = pread(w->state->fd, p, n, (off_t)at);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return got < 0 ? err_sys(reterr, -errno, "%s", w->state->path)
				       : err_set(reterr, -EBADMSG,
						 "%s: it got shorter while it was read",
						 w->state->path);
		p += got;
		n -= (size_t)got;
		at += (uint64_t)got;
	}
	return 0;
}

/* The block at w->next, if it is whole: 1; 0 if not. */
static int walk_whole(struct state_walk *w, struct state_block *ret, struct err *reterr)
{
	if (w->size - w->next < sizeof(*ret))
		return 0;
	int rc = walk_read(w, w->next, ret, sizeof(*ret), reterr);
	if (rc < 0)
		return rc;
	const uint32_t bytes = le32toh(ret->bytes);
	if (ret->magic != htole32(STATE_MAGIC) || bytes > STATE_BLOCK_MAX ||
		bytes > w->size - w->next - sizeof(*ret))
		return 0;
	if (bytes > w->room) {
		free(w->buf);
		w->room = 0;
		w->buf = malloc(bytes);
		if (!w->buf)
			return err_set(reterr, -ENOMEM, "%s: a block of %u bytes",
				w->state->path, bytes);
		w->room = bytes;
	}
	rc = walk_read(w, w->next + sizeof(*ret), w->buf, bytes, reterr);
	if (rc < 0)
		return rc;
	return state_crc(ret, w->buf) == le32toh(ret->crc);
}

/* Is there a whole block anywhere behind the one that isn't?  Then it's no cut end. */
static int walk_more_behind(const struct state_walk *broken, struct err *reterr)
{
	static const uint8_t magic[] = {'w', 'v', 's', 't'};
	uint8_t piece[RESYNC_BYTES];
	struct state_walk w = *broken;
	struct state_block block;
	int rc = 0;

	w.buf = NULL;
	w.room = 0;
	for (uint64_t at = broken->next + 1; rc == 0 && w.size - at > sizeof(block);) {
		size_t n = MIN_OF(sizeof(piece), (size_t)(w.size - at));
		rc = walk_read(&w, at, piece, n, reterr);
		const uint8_t *found = rc ? NULL : memmem(piece, n, magic, sizeof(magic));
		w.next = found ? at + (uint64_t)(found - piece) : at;
		at = found ? w.next + 1 : at + n - (n > 3 ? 3 : 0);
		if (found)
			rc = walk_whole(&w, &block, reterr);
		else if (n < sizeof(piece))
			break;
	}
	free(w.buf);
	return rc;
}

int state_walk_block(struct state_walk *w, struct state_block *ret, struct err *reterr)
{
	w->at = w->next;
	if (w->next == w->size)
		return 0;
	int rc = walk_whole(w, ret, reterr);
	if (rc == 0 && w->next)
		rc = walk_more_behind(w, reterr);
	else if (rc > 0) {
		w->next += sizeof(*ret) + le32toh(ret->bytes);
		return rc;
	}
	return rc > 0 ? state_walk_wrong(w, reterr,
				"its checksum is wrong, and blocks that "
				"are whole follow")
		      : rc;
}

/* ---- records ---- */

static void take_place(struct state_walk *w, struct state_record *r)
{
	uint64_t target = state_take(&w->rest), n;

	w->last_serial += r->serial;
	r->serial = w->last_serial;
	r->first = state_take(&w->rest);
	n = state_take(&w->rest);
	w->rest.failed |= target >= UINT32_MAX || n > UINT32_MAX;
	r->target = (uint32_t)target;
	r->n = (uint32_t)n;
}

static void take_record(struct state_walk *w, struct state_record *r)
{
	r->tag = (enum state_tag) * w->rest.at++;
	r->time_ns += state_take(&w->rest);
	r->target = r->n = 0;
	r->first = 0;
	r->serial = r->tag == STATE_TAG_FINISH ? 0 : state_take(&w->rest);
	switch (r->tag) {
	case STATE_TAG_WRITE:
	case STATE_TAG_TRIM:
		take_place(w, r);
		break;
	case STATE_TAG_DONE:
	case STATE_TAG_DURABLE:
	case STATE_TAG_FAILED:
		r->serial = w->last_serial - r->serial;
		break;
	case STATE_TAG_SYNC: {
		uint64_t target = state_take(&w->rest);
		w->rest.failed |= target > UINT32_MAX;
		r->target = target ? (uint32_t)(target - 1) : STATE_ALL_TARGETS;
		break;
	}
	case STATE_TAG_SYNCED:
	case STATE_TAG_UNSYNCED:
	case STATE_TAG_MARK:
	case STATE_TAG_FINISH:
		break;
	default:
		w->rest.failed = true;
	}
}

static const char *record_fault(const struct state_walk *w)
{
	const struct state_record *r = &w->record;
	const struct state_head *h = &w->state->head;

	if (w->rest.failed)
		return "not a record";
	if (r->tag == STATE_TAG_SYNC)
		return r->target >= h->targets_count && r->target != STATE_ALL_TARGETS
			       ? "no such target"
			       : NULL;
	if (r->tag != STATE_TAG_WRITE && r->tag != STATE_TAG_TRIM)
		return NULL;
	if (r->target >= h->targets_count)
		return "no such target";
	const struct state_target *t = &h->targets[r->target];
	const uint64_t units = div_up(t->bytes, t->unit_bytes);
	if (r->first > units || r->n > units - r->first)
		return "behind the target's end";
	return (uint64_t)r->n * t->unit_bytes > 2ull * LIMIT_BLOCK ? "longer than any request"
								   : NULL;
}

static int walk_next_block(struct state_walk *w, struct err *reterr)
{
	struct state_block block;
	int rc = state_walk_block(w, &block, reterr);

	if (rc <= 0)
		return rc;
	w->rest = (struct state_bytes){w->buf, w->buf + le32toh(block.bytes), false};
	if (w->at == 0) {
		w->rest.at = w->rest.end; /* the head */
		return 1;
	}
	w->record = (struct state_record){
		.worker = le32toh(block.worker), .time_ns = le64toh(block.time_ns)};
	w->last_serial = le64toh(block.serial);
	if (w->record.worker >= w->state->head.workers_count)
		return state_walk_wrong(w, reterr, "no such worker");
	return 1;
}

int state_walk_next(struct state_walk *w, struct err *reterr)
{
	while (w->rest.at == w->rest.end) {
		int rc = walk_next_block(w, reterr);
		if (rc <= 0)
			return rc;
	}
	w->count++;
	take_record(w, &w->record);
	const char *fault = record_fault(w);
	return fault ? state_walk_wrong(w, reterr, fault) : 1;
}
