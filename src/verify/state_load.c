/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What a state file says of each unit.  Of all writes X of a unit, one isn't there any more
 * if another write Y, that was synced, began after X had ended.  So
 *
 *	F      the latest begin of a synced write: what ended before F isn't there
 *	floor  the earliest begin of those that did not end before F
 *
 * and a unit is right if its time is the floor or later: the header has the begin of its
 * write, not its end.  That takes three passes: syncs, F, floor.  A cell has
 *
 *	 63 .. 22             21 .. 3                     2 .. 0
 *	F, µs since the start  µs from the floor to F  any, trim, write may be there
 *
 * Times are cut to µs, so what differs by less counts as at the same time, and may be
 * there. */
#include "verify/state_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/bits.h"

#define MAY_WRITE UINT64_C(1)
#define MAY_TRIM  UINT64_C(2)
#define MAY_ANY   UINT64_C(4) /* a write failed */
#define MAY       UINT64_C(7)

#define BACK_SHIFT 3
#define BACK_MAX   ((UINT64_C(1) << 19) - 1) /* and more: no floor */
#define SYNC_SHIFT 22
#define TIME_MAX   ((UINT64_C(1) << 42) - 1)

/* ---- the passes ---- */

static void tell_record(struct replay *r)
{
	struct state *s = r->state;
	const struct state_record *record = &r->walk.record;

	s->end_ns = MAX_OF(s->end_ns, record->time_ns);
	s->tail_bytes = r->walk.size - r->walk.next;
	if (record->tag == STATE_TAG_WRITE || record->tag == STATE_TAG_TRIM) {
		s->tellers += !s->last_serial[record->worker];
		s->last_serial[record->worker] = record->serial;
	}
	s->syncs += record->tag == STATE_TAG_SYNCED;
	s->failed += record->tag == STATE_TAG_UNSYNCED;
	s->finished += record->tag == STATE_TAG_FINISH;
	if (record->tag == STATE_TAG_MARK)
		s->last_mark = record->serial;
}

static int tell_ended(struct replay *r, const struct state_record *begun, uint64_t end_ns,
	enum how how)
{
	struct state *s = r->state;

	(void)end_ns;
	if (how == HOW_FAILED)
		s->failed++;
	else if (how == HOW_NEVER)
		s->in_flight++;
	else if (begun->tag == STATE_TAG_TRIM)
		s->trims++;
	else
		s->writes++;
	return 0;
}

/* At least 1: 0 is never. */
static uint64_t time_of(const struct state *s, uint64_t ns)
{
	uint64_t us = ns > s->head.start_ns ? (ns - s->head.start_ns) / NS_PER_US : 0;

	return MIN_OF(us + 1, TIME_MAX);
}

static bool was_synced(const struct replay *r, uint32_t target, uint64_t end_ns)
{
	const uint32_t all = r->state->head.targets_count;
	uint64_t synced = MAX_OF(r->synced[target], r->synced[all]);
	uint64_t unsynced = MAX_OF(r->unsynced[target], r->unsynced[all]);

	/* A sync that failed may have dropped what was before it; that the next one says
	 * it's there means nothing. */
	return end_ns < synced && end_ns > unsynced;
}

static int sync_ended(struct replay *r, const struct state_record *begun, uint64_t end_ns,
	enum how how)
{
	struct state *s = r->state;
	uint64_t time = time_of(s, begun->time_ns);
	uint64_t *cell = &s->cell[s->base[begun->target] + begun->first];

	const bool durable = how == HOW_DURABLE || (how == HOW_DONE && s->completed);
	if (!durable && (how != HOW_DONE || !was_synced(r, begun->target, end_ns)))
		return 0;
	for (uint32_t i = 0; i < begun->n; i++)
		cell[i] = MAX_OF(cell[i], time << SYNC_SHIFT);
	return 0;
}

static int floor_ended(struct replay *r, const struct state_record *begun, uint64_t end_ns,
	enum how how)
{
	struct state *s = r->state;
	uint64_t begin = time_of(s, begun->time_ns), end = time_of(s, end_ns);
	uint64_t *cell = &s->cell[s->base[begun->target] + begun->first];
	uint64_t may = how == HOW_FAILED              ? MAY_ANY
		       : begun->tag == STATE_TAG_TRIM ? MAY_TRIM
						      : MAY_WRITE;

	for (uint32_t i = 0; i < begun->n; i++) {
		uint64_t synced = cell[i] >> SYNC_SHIFT,
			 back = cell[i] >> BACK_SHIFT & BACK_MAX;
		if (end < synced)
			continue;
		if (begin < synced)
			back = MAX_OF(back, MIN_OF(synced - begin, BACK_MAX));
		cell[i] = synced << SYNC_SHIFT | back << BACK_SHIFT | (cell[i] & MAY) | may;
	}
	return 0;
}

static int state_replay(struct state *s, struct err *reterr)
{
	struct replay r;
	int rc = replay_init(&r, s, reterr);

	if (rc < 0)
		return rc;
	r.ended = tell_ended;
	rc = replay_pass(&r, tell_record);
	r.ended = sync_ended;
	if (rc == 0)
		rc = replay_pass(&r, NULL);
	r.ended = floor_ended;
	if (rc == 0)
		rc = replay_pass(&r, NULL);
	replay_done(&r);
	return rc;
}

/* ---- the whole ---- */

/* One map for all targets. */
static int state_map(struct state *s, struct err *reterr)
{
	s->base = arena_array(&s->arena, s->head.targets_count + 1, sizeof(*s->base));
	s->last_serial = arena_array(&s->arena, s->head.workers_count + 1,
		sizeof(*s->last_serial));
	if (!s->base || !s->last_serial)
		return err_set(reterr, -ENOMEM, "%s", s->path);
	for (uint32_t i = 0; i < s->head.targets_count; i++) {
		const struct state_target *t = &s->head.targets[i];
		s->base[i] = s->cells;
		s->cells += div_up(t->bytes, t->unit_bytes);
		if (s->cells > INT64_MAX / sizeof(*s->cell))
			return err_set(reterr, -EFBIG, "%s: its targets are too large",
				s->path);
	}
	void *map = mmap(NULL, (s->cells + 1) * sizeof(*s->cell), PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (map == MAP_FAILED)
		return err_sys(reterr, -errno, "%s: a map of %" PRIu64 " units", s->path,
			s->cells);
	s->cell = map;
	return 0;
}

static int state_load_head(struct state *s, struct err *reterr)
{
	struct state_walk w;
	struct state_block block = {0};

	state_walk_init(&w, s);
	int rc = state_walk_block(&w, &block, reterr);
	bool head = rc > 0 && block.worker == STATE_HEAD && w.at == 0 &&
		    state_head_read(&s->arena, w.buf, w.next - sizeof(block), &s->head);
	state_walk_done(&w);
	if (rc < 0)
		return rc;
	return head ? 0
		    : err_set(reterr, -EBADMSG,
			      "%s: not a state file of this weir, or its head is damaged",
			      s->path);
}

int state_look(const char *path, struct arena *arena, struct state_head *ret,
	struct err *reterr)
{
	struct state s = {.path = path, .arena = *arena};

	s.fd = open(path, O_RDONLY | O_CLOEXEC);
	int rc = s.fd < 0 ? err_sys(reterr, -errno, "%s", path) : state_load_head(&s, reterr);
	if (s.fd >= 0)
		close(s.fd);
	*arena = s.arena;
	if (rc == 0)
		*ret = s.head;
	return rc;
}

int state_load(const char *path, bool completed, struct state **ret, struct err *reterr)
{
	struct state *s = calloc(1, sizeof(*s));

	if (!s)
		return err_set(reterr, -ENOMEM, "%s", path);
	s->completed = completed;
	s->fd = open(path, O_RDONLY | O_CLOEXEC);
	s->path = arena_text(&s->arena, path);
	int rc = s->fd < 0 ? err_sys(reterr, -errno, "%s", path) : 0;
	if (rc == 0 && !s->path)
		rc = err_set(reterr, -ENOMEM, "%s", path);
	if (rc == 0)
		rc = state_load_head(s, reterr);
	if (rc == 0)
		rc = state_map(s, reterr);
	if (rc == 0)
		rc = state_replay(s, reterr);
	if (rc == 0)
		*ret = s;
	else
		state_free(s);
	return rc;
}

void state_free(struct state *s)
{
	if (!s)
		return;
	if (s->cell)
		munmap(s->cell, (s->cells + 1) * sizeof(*s->cell));
	if (s->fd >= 0)
		close(s->fd);
	arena_done(&s->arena);
	free(s);
}

/* ---- questions ---- */

int state_target_find(const struct state *s, const char *name, uint64_t bytes,
	uint32_t *ret_target, struct err *reterr)
{
	const struct state_head *h = &s->head;

	for (uint32_t i = 0; i < h->targets_count; i++) {
		if (strcmp(h->targets[i].name, name) != 0)
			continue;
		if (bytes < h->targets[i].bytes)
			return err_set(reterr, -EMEDIUMTYPE,
				"%s is of %s with %" PRIu64 " bytes, and here it has %" PRIu64,
				s->path, name, h->targets[i].bytes, bytes);
		*ret_target = i;
		return 0;
	}
	return err_set(reterr, -ENOENT, "%s is not of %s but of %s%s", s->path, name,
		h->targets_count ? h->targets[0].name : "nothing",
		h->targets_count > 1 ? " and others" : "");
}

bool state_expect(const struct state *s, uint32_t target, uint64_t unit,
	struct unit_expect *ret)
{
	const struct state_target *t = &s->head.targets[target];
	const uint64_t cell = s->cell[s->base[target] + unit];
	const uint64_t synced = cell >> SYNC_SHIFT, back = cell >> BACK_SHIFT & BACK_MAX;

	*ret = (struct unit_expect){
		.offset = unit * t->unit_bytes, .target = t->identity, .any_generation = true};
	ret->before_too = !synced;
	ret->zeroes_too = !synced || cell & MAY_TRIM;
	if (synced && back < BACK_MAX)
		ret->since_ns = s->head.start_ns + (synced - back - 1) * NS_PER_US;
	return !(cell & MAY_ANY);
}

enum state_age state_age(const struct state *s, uint32_t target, uint64_t unit, bool own,
	uint64_t time_ns)
{
	const uint64_t synced = s->cell[s->base[target] + unit] >> SYNC_SHIFT;

	if (!synced)
		return own && s->cell[s->base[target] + unit] & MAY_WRITE ? STATE_NEWER
									  : STATE_OLDER;
	const uint64_t time = own ? time_of(s, time_ns) : synced;
	return time > synced ? STATE_NEWER : time < synced ? STATE_OLDER : STATE_SYNCED;
}

bool state_is_later(const struct state *s, uint32_t worker, uint64_t serial)
{
	return worker < s->head.workers_count && serial > s->last_serial[worker];
}

enum unit_verdict state_check(const struct state *s, const struct unit_spec *spec,
	uint32_t target, uint64_t unit, const void *data, size_t n, bool *ret_later)
{
	struct unit_expect e;
	uint64_t serial;
	uint32_t worker;

	*ret_later = false;
	if (!state_expect(s, target, unit, &e))
		return UNIT_RIGHT;
	enum unit_verdict verdict = unit_check(spec, &e, data, n);
	if (verdict != UNIT_RIGHT && verdict != UNIT_STALE)
		return verdict;
	*ret_later = unit_author(spec, data, n, &worker, &serial) &&
		     state_is_later(s, worker, serial);
	return *ret_later ? UNIT_RIGHT : verdict;
}

uint64_t state_written(const struct state *s, uint32_t target, uint64_t i, uint64_t max,
	uint64_t *ret_first)
{
	const struct state_target *t = &s->head.targets[target];
	const uint64_t *cell = s->cell + s->base[target];
	const uint64_t units = div_up(t->bytes, t->unit_bytes);

	while (i < units && !(cell[i] & MAY))
		i++;
	*ret_first = i;
	while (i < units && cell[i] & MAY && i - *ret_first < max)
		i++;
	return i - *ret_first;
}

struct wanted {
	uint32_t target, max, count;
	uint64_t unit;
	struct unit_stamp *ret;
};

static int wanted_ended(struct replay *r, const struct state_record *begun, uint64_t end_ns,
	enum how how)
{
	const struct state *s = r->state;
	struct wanted *w = r->ctx;
	const struct state_target *t = &s->head.targets[w->target];

	(void)how;
	if (begun->target != w->target || begun->tag != STATE_TAG_WRITE ||
		w->unit - begun->first >= begun->n ||
		time_of(s, end_ns) < s->cell[s->base[w->target] + w->unit] >> SYNC_SHIFT)
		return 0;
	if (w->count < w->max)
		w->ret[w->count] = (struct unit_stamp){
			.offset = w->unit * t->unit_bytes,
			.target = t->identity,
			.serial = begun->serial,
			.time_ns = begun->time_ns,
			.worker = begun->worker,
		};
	w->count++;
	return 0;
}

int state_candidates(struct state *s, uint32_t target, uint64_t unit, struct unit_stamp *ret,
	uint32_t max, uint32_t *ret_count, struct err *reterr)
{
	struct wanted w = {.target = target, .unit = unit, .ret = ret, .max = max};
	struct replay r;
	int rc = replay_init(&r, s, reterr);

	if (rc < 0)
		return rc;
	r.ended = wanted_ended;
	r.ctx = &w;
	rc = replay_pass(&r, NULL);
	replay_done(&r);
	if (rc == 0)
		*ret_count = w.count;
	return rc;
}
