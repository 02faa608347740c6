/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* A state file's records brought together: a write and its end, a sync and what it
 * says. */
#include "verify/state_parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"

/* ---- what is pending ---- */

static int queue_add(struct replay_queue *q, const struct state_record *record)
{
	if (q->first > q->count / 2 && q->count == q->room) {
		q->count -= q->first;
		memmove(q->v, q->v + q->first, q->count * sizeof(*q->v));
		q->first = 0;
	}
	if (q->count == q->room) {
		size_t room = MAX_OF(q->room * 2, (size_t)16);
		struct replay_pending *v = reallocarray(q->v, room, sizeof(*v));
		if (!v)
			return -ENOMEM;
		q->v = v;
		q->room = room;
	}
	q->v[q->count++] = (struct replay_pending){.begun = *record};
	return 0;
}

static void queue_end(struct replay_queue *q, struct replay_pending *p)
{
	p->ended = true;
	while (q->first < q->count && q->v[q->first].ended)
		q->first++;
}

/* By serial, which rises. */
static struct replay_pending *queue_find(const struct replay_queue *q, uint64_t serial)
{
	size_t low = q->first, high = q->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (q->v[middle].begun.serial < serial)
			low = middle + 1;
		else
			high = middle;
	}
	bool found = low < q->count && q->v[low].begun.serial == serial && !q->v[low].ended;
	return found ? &q->v[low] : NULL;
}

/* Syncs have any numbers, and few are in flight. */
static struct replay_pending *queue_search(const struct replay_queue *q, uint64_t number)
{
	for (size_t i = q->count; i-- > q->first;)
		if (q->v[i].begun.serial == number && !q->v[i].ended)
			return &q->v[i];
	return NULL;
}

/* ---- one pass ---- */

static int replay_begun(struct replay *r, struct replay_queue *q)
{
	const struct state_record *record = &r->walk.record;

	if (record->tag != STATE_TAG_SYNC) {
		if (q->count && record->serial <= q->last)
			return state_walk_wrong(&r->walk, r->reterr, "serials go back");
		q->last = record->serial;
	}
	if (queue_add(q, record) < 0)
		return err_set(r->reterr, -ENOMEM, "%s: too much is in flight in it",
			r->state->path);
	return 0;
}

static int replay_write_ended(struct replay *r)
{
	const struct state_record *record = &r->walk.record;
	struct replay_queue *q = &r->writes[record->worker];
	struct replay_pending *p = queue_find(q, record->serial);

	if (!p)
		return state_walk_wrong(&r->walk, r->reterr,
			"the end of a write that never began");
	int rc = r->ended ? r->ended(r, &p->begun, record->time_ns, (enum how)record->tag) : 0;
	queue_end(q, p);
	return rc;
}

static int replay_sync_ended(struct replay *r)
{
	const struct state_record *record = &r->walk.record;
	struct replay_queue *q = &r->syncs[record->worker];
	struct replay_pending *p = queue_search(q, record->serial);

	if (!p)
		return state_walk_wrong(&r->walk, r->reterr,
			"the end of a sync that never began");
	const uint32_t target = MIN_OF(p->begun.target, r->state->head.targets_count);
	if (record->tag == STATE_TAG_SYNCED)
		r->synced[target] = MAX_OF(r->synced[target], p->begun.time_ns);
	else
		r->unsynced[target] = MAX_OF(r->unsynced[target], record->time_ns);
	queue_end(q, p);
	return 0;
}

static int replay_record(struct replay *r)
{
	const uint32_t worker = r->walk.record.worker;

	switch (r->walk.record.tag) {
	case STATE_TAG_WRITE:
	case STATE_TAG_TRIM:
		return replay_begun(r, &r->writes[worker]);
	case STATE_TAG_SYNC:
		return replay_begun(r, &r->syncs[worker]);
	case STATE_TAG_SYNCED:
	case STATE_TAG_UNSYNCED:
		return replay_sync_ended(r);
	case STATE_TAG_DONE:
	case STATE_TAG_DURABLE:
	case STATE_TAG_FAILED:
		return replay_write_ended(r);
	default:
		return 0;
	}
}

static void replay_reset(struct replay *r)
{
	for (uint32_t i = 0; i < r->state->head.workers_count; i++) {
		r->writes[i].first = r->writes[i].count = 0;
		r->syncs[i].first = r->syncs[i].count = 0;
	}
}

/* What was begun and has no end, too. */
static int replay_rest(struct replay *r)
{
	int rc = 0;

	for (uint32_t i = 0; r->ended && rc == 0 && i < r->state->head.workers_count; i++) {
		const struct replay_queue *q = &r->writes[i];
		for (size_t k = q->first; rc == 0 && k < q->count; k++)
			if (!q->v[k].ended)
				rc = r->ended(r, &q->v[k].begun, UINT64_MAX, HOW_NEVER);
	}
	return rc;
}

int replay_pass(struct replay *r, void (*record)(struct replay *r))
{
	int rc;

	replay_reset(r);
	state_walk_init(&r->walk, r->state);
	while ((rc = state_walk_next(&r->walk, r->reterr)) > 0) {
		rc = replay_record(r);
		if (rc < 0)
			break;
		if (record)
			record(r);
	}
	state_walk_done(&r->walk);
	return rc < 0 ? rc : replay_rest(r);
}

void replay_done(struct replay *r)
{
	for (uint32_t i = 0; i < r->state->head.workers_count; i++) {
		if (r->writes)
			free(r->writes[i].v);
		if (r->syncs)
			free(r->syncs[i].v);
	}
	free(r->writes);
	free(r->syncs);
	free(r->synced);
	free(r->unsynced);
}

int replay_init(struct replay *r, struct state *s, struct err *reterr)
{
	const size_t workers = s->head.workers_count, targets = s->head.targets_count;

	*r = (struct replay){.state = s, .reterr = reterr};
	r->writes = calloc(workers + 1, sizeof(*r->writes));
	r->syncs = calloc(workers + 1, sizeof(*r->syncs));
	r->synced = calloc(targets + 1, sizeof(*r->synced));
	r->unsynced = calloc(targets + 1, sizeof(*r->unsynced));
	if (r->writes && r->syncs && r->synced && r->unsynced)
		return 0;
	replay_done(r);
	return err_set(reterr, -ENOMEM, "%s: %zu workers and %zu targets", s->path, workers,
		targets);
}
