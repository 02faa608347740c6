/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "run/verify/verify.h"

#include <errno.h>

#include "base/arena.h"
#include "base/bits.h"
#include "base/err.h"
#include "run/verify/by_pieces.h"
#include "run/verify/fault.h"
#include "run/verify/tell.h"

/* The name a target has, to tell its units from those of others: FNV-1a, 64 bits. */
uint64_t verify_identity(const char *path)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);

	for (const unsigned char *p = (const unsigned char *)path; *p; p++)
		h = (h ^ *p) * UINT64_C(0x100000001b3);
	return h;
}

/* The smallest unit of W's targets: so many cells one request may have. */
static uint32_t verify_unit_min(const struct plan *plan, const struct plan_worker *pw)
{
	uint32_t least = pw->verify.unit.bytes;

	for (uint32_t i = 0; i < pw->files.count; i++) {
		uint32_t unit = plan->targets[pw->files.targets[i]].unit_bytes;
		if (unit)
			least = MIN_OF(least, unit);
	}
	return least;
}

/* Cells of the largest request: a trim may be larger than any buffer. */
static uint32_t verify_cells_max(const struct plan *plan, const struct plan_worker *pw)
{
	const struct pattern_spec *p = &pw->pattern;
	uint32_t most = MAX_OF(pw->queue.buffer_bytes, p->sequel ? p->sequel->max : 0);

	for (int d = 0; d < DIRS; d++)
		if (p->use[d])
			most = MAX_OF(most, p->size[d].max);
	const uint32_t unit = verify_unit_min(plan, pw);
	return unit ? most / unit + 2 : 1;
}

static bool verify_slots(struct verify *v, struct arena *arena, struct io *ios, uint32_t depth,
	uint32_t cells)
{
	v->slots = arena_array(arena, depth, sizeof(*v->slots));
	uint8_t *all = arena_array(arena, depth, cells);

	for (uint32_t i = 0; v->slots && all && i < depth; i++) {
		v->slots[i].cells = all + (size_t)i * cells;
		v->slots[i].buf = ios[i].buf;
	}
	return v->slots && all;
}

static int verify_tells(struct verify *v, struct arena *arena, const struct shared *shared,
	const struct clock *clock, struct err *reterr)
{
	v->serial = 1; /* 0 is none */
	v->tell = tell_new(arena, v->worker, shared->states.told[v->worker->index], clock,
		v->wall_ns, reterr);
	return v->tell ? 0 : reterr->code;
}

struct verify *verify_new(struct arena *arena, const struct plan *plan,
	const struct plan_worker *pw, const struct shared *shared, const struct clock *clock,
	struct io *ios, uint32_t depth, struct err *reterr)
{
	struct verify *v = arena_alloc(arena, sizeof(*v));
	uint64_t *identity = arena_array(arena, pw->files.count + 1, sizeof(*identity));
	const char **paths = arena_array(arena, pw->files.count + 1, sizeof(*paths));
	const struct plan_verify *pv = &pw->verify;
	const uint32_t cells = verify_cells_max(plan, pw);

	if (!v || !identity || !paths || !verify_slots(v, arena, ios, depth, cells)) {
		err_set(reterr, -ENOMEM, "out of memory to verify %u requests at a time",
			depth);
		return NULL;
	}
	v->plan = pv;
	v->cells_max = cells;
	if (pv->backlog) {
		v->ring_room = pv->backlog + depth;
		v->ring = arena_array(arena, v->ring_room, sizeof(*v->ring));
	}
	v->worker = pw;
	v->cells = shared->cells;
	v->identity = identity;
	v->sh = shared->places[pw->index].verify;
	v->spec = pw->verify.unit;
	v->paths = paths;
	for (uint32_t i = 0; i < pw->files.count; i++) {
		paths[i] = plan->targets[pw->files.targets[i]].path;
		identity[i] = verify_identity(paths[i]);
	}
	unit_data_init(&v->spec, &v->data, pw->index);
	if (v->ring_room && !v->ring) {
		err_set(reterr, -ENOMEM, "out of memory for verify_backlog=%u", pv->backlog);
		return NULL;
	}
	if (pv->by_pieces && by_pieces_init(v, arena, reterr) < 0)
		return NULL;
	v->wall_ns = shared->states.wall_ns;
	v->resume = pw->state.resume ? shared->states.loaded[pw->index] : NULL;
	return pw->state.path && verify_tells(v, arena, shared, clock, reterr) < 0 ? NULL : v;
}

void verify_forget(struct verify *v)
{
	for (uint32_t i = 0; i < v->worker->queue.depth; i++) {
		struct io never = {.slot = i, .res = -ECANCELED};
		if (v->slots[i].out && v->slots[i].kind != IO_READ)
			verify_back(v, &never);
		v->slots[i].out = false;
	}
}
