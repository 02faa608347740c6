/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* The form of a state file; private to state_*.c.  Blocks, each:
 *
 *	u32 magic, u32 bytes of the payload, u32 crc32c of all but itself, u32 worker,
 *	u64 time, u64 serial; payload
 *
 * all little-endian.  The first is the head, of worker UINT32_MAX.  In the others are records:
 * a tag, the time since the last record (the first: since the block's), and numbers, all
 * but the tag as LEB128: seven bits a byte, the lowest first, the top bit says that more
 * follow.  Serials are told by the difference to the last write that began. */
#pragma once

#include "verify/state.h"

#define STATE_MAGIC     UINT32_C(0x74737677) /* "wvst" */
#define STATE_FORMAT    1
#define STATE_HEAD      UINT32_MAX
#define STATE_BLOCK_MAX (128 << 20) /* bytes of the head; others have STATE_BUFFER */
#define STATE_RECORD    64          /* bytes of the longest record, and more       */

/* Which record, and what follows the tag and the time.  Numbers are the format: they stay. */
enum state_tag {
	STATE_TAG_WRITE = 1, /* serial since the last, target, first, n               */
	STATE_TAG_TRIM,      /* the same                                              */
	STATE_TAG_DONE,      /* how far its serial is behind the last                 */
	STATE_TAG_DURABLE,
	STATE_TAG_FAILED,
	STATE_TAG_SYNC,     /* number, target + 1 or 0                               */
	STATE_TAG_SYNCED,   /* number                                                */
	STATE_TAG_UNSYNCED, /* number: it failed                                     */
	STATE_TAG_MARK,     /* number                                                */
	STATE_TAG_FINISH,
};

/* The head of a block as it lies in the file, before its payload. */
struct state_block {
	uint32_t magic, bytes, crc, worker;
	uint64_t time_ns, serial;
};

/* Of HEAD, whose crc isn't looked at, and the payload. */
uint32_t state_crc(const struct state_block *head, const void *payload);

/* A record of the payload, decoded. */
struct state_record {
	enum state_tag tag;
	uint32_t worker, target, n;      /* target: also STATE_ALL_TARGETS               */
	uint64_t time_ns, serial, first; /* serial: also the number of a sync or mark   */
};

/* ---- state_head.c ---- */

struct str;

/* The payload of the first block, appended to OUT. */
void state_head_make(const struct state_head *head, struct str *out);

/* False: not a head; what is read lives in ARENA. */
bool state_head_read(struct arena *arena, const uint8_t *data, size_t n,
	struct state_head *ret);

/* ---- state_read.c ---- */

/* Bytes being taken apart; failed once something was wrong, and then zeroes come. */
struct state_bytes {
	const uint8_t *at, *end;
	bool failed;
};

/* The next LEB128 number; 0 once it has failed. */
uint64_t state_take(struct state_bytes *b);
/* N bytes as they are, or NULL. */
const uint8_t *state_take_bytes(struct state_bytes *b, size_t n);

/* A walk through all records of a file, in its order: each worker's are in the order in
 * which they were told. */
struct state_walk {
	const struct state *state;
	struct state_record record;
	uint64_t at, next, size; /* this block, the next one, the file              */
	uint64_t count;          /* records so far, for messages                    */
	uint64_t last_serial;
	uint8_t *buf;
	size_t room;
	struct state_bytes rest;
};

/* W walks S from its first block; nothing is read yet. */
void state_walk_init(struct state_walk *w, const struct state *s);
void state_walk_done(struct state_walk *w);

/* The next block to w->buf: 1; 0: there is none, w->next is where what is whole ends. */
int state_walk_block(struct state_walk *w, struct state_block *ret, struct err *reterr);
/* The next record: 1, to w->record; 0 at the end. */
int state_walk_next(struct state_walk *w, struct err *reterr);
/* -EBADMSG: WHAT is wrong with the record. */
int state_walk_wrong(const struct state_walk *w, struct err *reterr, const char *what);

/* ---- state_replay.c ---- */

/* How a write or trim ended. */
enum how {
	HOW_DONE = STATE_TAG_DONE,
	HOW_DURABLE = STATE_TAG_DURABLE,
	HOW_FAILED = STATE_TAG_FAILED,
	HOW_NEVER, /* no end told */
};

/* A write, trim or sync that began. */
struct replay_pending {
	struct state_record begun;
	bool ended;
};

/* Of one worker, as they began. */
struct replay_queue {
	struct replay_pending *v;
	size_t first, count, room;
	uint64_t last; /* serial */
};

/* A pass over all that a file says, with what is under way at each moment. */
struct replay {
	struct state *state;
	struct state_walk walk;
	struct replay_queue *writes, *syncs; /* of each worker                         */
	uint64_t *synced, *unsynced; /* of each target and, last, of all: begin of the last
				      * sync that was done, end of the last that failed */
	int (*ended)(struct replay *r, const struct state_record *begun, uint64_t end_ns,
		enum how how);
	void *ctx;
	struct err *reterr;
};

/* 0, or -ENOMEM and nothing to be done. */
int replay_init(struct replay *r, struct state *s, struct err *reterr);
/* All records once, with r->ended for each write and trim: when it ends, and at last those that
 * don't.  RECORD, optional: each record. */
int replay_pass(struct replay *r, void (*record)(struct replay *r));
void replay_done(struct replay *r);
