/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What plain.c and plain_paced.c share.  plain.c draws, keeps the budget and the passes;
 * plain_paced.c stands in its next() for jobs with a schedule, periodic syncs, pauses
 * or writes that must not overlap.  HOT: the functions here are inlined into both. */
#pragma once

#include "run/source/source.h"

#include "base/bits.h"
#include "plan/plan.h"
#include "run/fileset.h"
#include "run/source/supply.h"

struct arena;
struct err;
struct overlap;

#define PLAIN_AHEAD 64

/* The source of a job that is neither a replay nor a read-back.  Members of a theme are looked
 * at only when the plan has that theme. */
struct plain {
	struct source source; /* first */
	const struct plan_worker *plan;
	struct pattern *pattern;
	struct pattern_spec spec; /* the plan's, with what the run decides */
	struct supply supply;
	struct fileset *files;

	uint64_t bytes_left, ios_left; /* of the budget; 2^64: there is none */
	uint32_t passes_left;
	bool pass_stops; /* something is to be done between passes */
	bool pass_any;   /* this pass has given out something      */
	bool pass_over;  /* it ended, and what is in flight is waited for */

	struct request ahead[PLAIN_AHEAD];
	unsigned ahead_at, ahead_n;

	/* schedules */
	struct arrival arrival[DIRS];
	bool scheduled[DIRS], any_scheduled;
	int unscheduled; /* the direction without a rate beside one with; DIRS: none */
	uint64_t schedule_start_ns;
	struct request held[DIRS]; /* drawn for a direction, not yet due */
	bool held_any[DIRS];

	/* syncs */
	uint32_t writes; /* since the last fsync count began */
	bool sync_due;
	uint32_t last_file;
	struct plain_dirty {
		uint64_t from, end;
	} * dirty; /* by file: written since its last sync_file_range; NULL: not asked */

	/* pauses */
	uint32_t think_left; /* requests until the next one; 0: counted in time only */
	bool think_due;
	uint64_t think_from_ns, think_until_ns;
	uint64_t think_since_ns; /* when the last one ended                  */
	uint64_t think_burn;     /* CPU cycles owed for what came back       */

	/* what must not overlap */
	struct overlap *overlap; /* NULL: whatever                           */
	unsigned out;            /* in flight, with what this batch has so far */
};

static inline struct plain *plain_of(struct source *s)
{
	return (struct plain *)s;
}

/* ---- plain.c ---- */

/* The pass has nothing more: go on with the next and return true, or say why not. */
bool plain_pass_over(struct plain *p);

/* Nothing is in ahead[]: fill it and return true, or say why not. */
bool plain_refill(struct plain *p);

void plain_done(struct source *s, struct io *const *ios, unsigned n, uint64_t now_ns);
void plain_rewind(struct source *s);
void plain_start(struct source *s, uint64_t start_ns);
void plain_opened(struct source *s, uint64_t now_ns);

/* ---- plain_paced.c ---- */

extern const struct source_ops plain_paced_ops;

/* Schedules, syncs, pauses: what P's plan asks for, in ARENA.  0, or negative errno. */
int plain_paced_init(struct plain *p, struct arena *arena, struct err *reterr);

/* Does the plan ask for any of that? */
bool plain_is_paced(const struct plain *p);

/* ---- both ---- */

/* Something is in ahead[], or say tells why not. */
static inline bool plain_draw(struct plain *p)
{
	return likely(p->ahead_at < p->ahead_n) || plain_refill(p);
}

/* The budget covers a request as long as something of it is left: the last one is
 * whole. */
static inline bool plain_spend(struct plain *p, uint32_t bytes)
{
	if (unlikely(!p->bytes_left || !p->ios_left)) {
		p->source.say = SOURCE_END;
		return false;
	}
	p->ios_left--; /* without such a budget it is 2^64, which nobody uses up */
	p->bytes_left -= MIN_OF(p->bytes_left, (uint64_t)bytes);
	return true;
}

/* Make R the request of IO. */
static inline void plain_convert(struct plain *p, const struct request *r, struct io *io)
{
	const bool writes = r->dir == DIR_WRITE;

	if (unlikely(p->source.buffers_moved))
		supply_buffer(&p->supply, writes, io);
	io->offset = r->offset;
	io->bytes = r->bytes;
	io->kind = (uint8_t)r->dir;
	io->target = &p->files->targets[r->file];
	if (unlikely(!p->files->all_open))
		fileset_aim(p->files, r->file, io);
	if (writes && p->supply.fresh)
		supply_write(&p->supply, io);
}
