/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "run/fileset.h"

#include "base/arena.h"
#include "base/bits.h"
#include "base/err.h"
#include "engine/call.h"
#include "plan/plan.h"
#include "sys/mark.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

int fileset_init(struct fileset *f, struct arena *arena, const struct plan *plan,
	const struct plan_worker *pw, uint32_t limit, struct err *reterr)
{
	*f = (struct fileset){.plan = pw, .made_of = plan->targets, .count = pw->files.count};

	if (pw->files.open_max)
		limit = MIN_OF(limit, pw->files.open_max);
	if (engine_chain_base(&pw->queue.chain)->flags & ENGINE_NO_FILES)
		limit = f->count;
	f->limit = MAX_OF(limit, 1u);
	f->all_open = f->count <= f->limit;

	size_t mine = engine_chain_base(&pw->queue.chain)->target_size;
	unsigned char *bytes = arena_array(arena, MAX_OF(f->count, 1u),
		MAX_OF(mine, (size_t)1));
	f->targets = arena_array(arena, MAX_OF(f->count, 1u), sizeof(*f->targets));
	if (!f->all_open) {
		f->busy = arena_array(arena, f->count, sizeof(*f->busy));
		f->used = arena_array(arena, f->count, sizeof(*f->used));
		f->slots = arena_array(arena, f->count, sizeof(*f->slots));
	}
	if (!f->targets || !bytes || (!f->all_open && (!f->busy || !f->used || !f->slots)))
		return err_set(reterr, -ENOMEM, "out of memory for %u files", f->count);

	for (uint32_t i = 0; i < f->count; i++) {
		struct target *t = &f->targets[i];
		t->path = plan->targets[pw->files.targets[i]].path;
		t->fd = -1;
		t->index = i;
		t->mine = bytes + i * mine;
	}
	return 0;
}

static struct target_how fileset_how(const struct fileset *f, uint32_t index)
{
	struct target_how how = f->plan->files.how;
	how.range_start = f->plan->pattern.regions[index].start;
	how.range_bytes = f->plan->pattern.regions[index].bytes;
	return how;
}

static int fileset_open_one(struct fileset *f, struct target *t, struct err *reterr)
{
	struct target_how how = fileset_how(f, t->index);
	int rc = call_target_open(f->queue, t, &how, reterr);
	if (rc < 0)
		return rc;
	if (!f->all_open)
		f->slots[f->open] = t->index;
	f->open++;
	return 0;
}

int fileset_open(struct fileset *f, struct queue *queue, struct err *reterr)
{
	f->queue = queue;
	uint32_t first = MIN_OF(f->count, f->limit);
	for (uint32_t i = 0; i < first; i++) {
		int rc = fileset_open_one(f, &f->targets[i], reterr);
		if (rc < 0)
			return rc;
	}
	return 0;
}

/* Targets of engines without files have no descriptor and are open all the same. */
static bool fileset_is_open(const struct fileset *f, const struct target *t)
{
	return t->fd >= 0 || queue_base(f->queue)->target == &target_none;
}

/* Second chance: the hand goes round the open files and skips those that are busy or
 * were used within the last half of `limit` uses; after one turn anything idle will do.
 * Closed files are not in its way, however many there are. */
static void fileset_close_one(struct fileset *f)
{
	for (uint32_t step = 0; step < 2 * f->open; step++) {
		f->hand = f->hand + 1 >= f->open ? 0 : f->hand + 1;
		struct target *t = &f->targets[f->slots[f->hand]];
		bool fresh = f->used[t->index] + f->limit / 2 > f->clock && step < f->open;
		if (f->busy[t->index] || fresh)
			continue;
		call_target_close(f->queue, t);
		t->fd = -1;
		f->slots[f->hand] = f->slots[--f->open];
		return;
	}
}

struct target *fileset_use(struct fileset *f, uint32_t index, struct err *reterr)
{
	struct target *t = &f->targets[index];
	if (f->all_open)
		return t;
	if (!fileset_is_open(f, t)) {
		if (f->open >= f->limit)
			fileset_close_one(f);
		if (fileset_open_one(f, t, reterr) < 0)
			return NULL;
	}
	f->busy[index]++;
	f->used[index] = f->clock++;
	return t;
}

void fileset_aim(struct fileset *f, uint32_t index, struct io *io)
{
	struct err e;
	io->target = fileset_use(f, index, &e);
	if (!io->target)
		io->res = e.code;
}

void fileset_invalidate(struct fileset *f)
{
	const struct target_ops *ops = f->queue->engine->target;
	if (!ops->invalidate || !f->plan->files.how.invalidate)
		return;
	for (uint32_t i = 0; i < f->count; i++) {
		struct target_how how = fileset_how(f, i);
		if (fileset_is_open(f, &f->targets[i]))
			ops->invalidate(f->queue, &f->targets[i], &how);
	}
}

static bool fileset_system(const struct target *t, dev_t *ret)
{
	struct stat st;

	if (t->fd < 0 || fstat(t->fd, &st) < 0)
		return false;
	*ret = st.st_dev;
	return true;
}

bool fileset_shares_system(const struct fileset *f, uint32_t i)
{
	dev_t own, other;

	if (!fileset_system(&f->targets[i], &own))
		return false;
	for (uint32_t k = 0; k < i; k++)
		if (fileset_system(&f->targets[k], &other) && other == own)
			return true;
	return false;
}

void fileset_close(struct fileset *f)
{
	if (!f->queue)
		return;
	for (uint32_t i = 0; i < f->count; i++) {
		struct target *t = &f->targets[i];
		if (t->fd < 0)
			continue;
		call_target_close(f->queue, t);
		t->fd = -1;
	}
	f->open = 0;
}

/* Was it not there before the run, or does it have weir's mark? */
static bool fileset_is_weirs(const struct fileset *f, const struct target *t)
{
	const struct look *found = &f->made_of[f->plan->files.targets[t->index]].found;
	struct stat st;

	return lstat(t->path, &st) == 0 && S_ISREG(st.st_mode) &&
	       (found->kind == LOOK_NOTHING || mark_get_path(t->path));
}

int fileset_make_anew(struct fileset *f, struct err *reterr)
{
	struct queue *queue = f->queue;

	if (queue_base(queue)->target == &target_none)
		return 0;
	fileset_close(f);
	for (uint32_t i = 0; i < f->count; i++) {
		const struct target *t = &f->targets[i];
		if (fileset_is_weirs(f, t) && unlink(t->path) < 0 && errno != ENOENT)
			return err_sys(reterr, -errno, "unlink_each_loop: can't remove %s",
				t->path);
	}
	return fileset_open(f, queue, reterr);
}
