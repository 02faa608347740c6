/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Making and freeing queues.  All bytes that belong to one queue are one
 * allocation, zeroed (so also faulted in), each part on its own cache line:
 *
 *	struct queue | mine | ios_mine | mine of each target                    */
#include "base/bits.h"
#include "base/err.h"
#include "base/log.h"
#include "engine/engine.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define QUEUE_LINE 64

/* Append COUNT things of ITEM bytes to the block; false when that is too much. */
static bool queue_part(size_t *total, size_t count, size_t item, size_t *ret_at)
{
	size_t bytes;

	if (__builtin_mul_overflow(count, item, &bytes) || bytes > SIZE_MAX / 4 ||
		*total > SIZE_MAX / 4)
		return false;
	*ret_at = *total;
	*total = (*total + bytes + QUEUE_LINE - 1) & ~(size_t)(QUEUE_LINE - 1);
	return true;
}

static struct queue *queue_alloc(const struct engine *engine, const struct queue *template)
{
	size_t total = 0, at_queue, at_mine, at_ios, at_targets;

	if (!queue_part(&total, 1, sizeof(struct queue), &at_queue) ||
		!queue_part(&total, 1, engine->queue_size, &at_mine) ||
		!queue_part(&total, template->depth, engine->io_size, &at_ios) ||
		!queue_part(&total, template->targets_count, engine->target_size, &at_targets))
		return NULL;

	char *block = aligned_alloc(QUEUE_LINE, total);
	if (!block)
		return NULL;
	memset(block, 0, total);

	struct queue *q = (struct queue *)(block + at_queue);
	*q = *template;
	q->engine = engine;
	q->inner = NULL;
	q->opts = NULL;
	q->mine = block + at_mine;
	q->ios_mine = block + at_ios;
	memset(q->used, 0, sizeof(q->used));
	if (engine->target_size)
		for (uint32_t i = 0; i < q->targets_count; i++)
			q->targets[i].mine = block + at_targets + i * engine->target_size;
	return q;
}

/* The outermost queue speaks for all of them. */
static void queue_used_join(struct queue *q)
{
	if (!q->inner || !q->inner->used[0])
		return;
	size_t len = strlen(q->used);
	snprintf(q->used + len, sizeof(q->used) - len, "%s%s", len ? ", " : "", q->inner->used);
}

static int queue_open_link(const struct engine *engine, const struct queue *template,
	const void *opts, struct queue *inner, struct queue **ret, struct err *reterr)
{
	assert(!engine->opts || opts);
	assert(engine->shim == (inner != NULL));

	struct queue *q = queue_alloc(engine, template);
	if (!q)
		return err_set(reterr, -ENOMEM,
			"ioengine=%s: no memory for a queue of %u requests; lower iodepth or numjobs",
			engine->name, template->depth);
	q->opts = opts;
	q->inner = inner;

	int rc = engine->queue_open ? engine->queue_open(q, reterr) : 0;
	if (rc < 0) {
		err_within(reterr, "ioengine=%s", engine->name);
		free(q);
		return rc;
	}
	queue_used_join(q);
	log_debug(LOG_ENGINE, "%s: depth %u%s%s", engine->name, q->depth,
		q->used[0] ? ", " : "", q->used);
	*ret = q;
	return 0;
}

/* Queues inside of a shim that makes the queue do no I/O themselves, unless perform may
 * be called in parallel. */
static uint32_t queue_link_depth(const struct engine_chain *chain, uint32_t link,
	uint32_t depth)
{
	for (uint32_t i = 0; i < link; i++)
		if (chain->link[i]->makes_queue &&
			!(chain->link[i + 1]->flags & ENGINE_PARALLEL))
			return 1;
	return depth;
}

int queue_new(const struct engine_chain *chain, const struct queue *template,
	const void *const *opts, struct queue **ret, struct err *reterr)
{
	assert(chain->count > 0 && template->depth > 0);

	struct queue *q = NULL;
	for (uint32_t i = chain->count; i-- > 0;) {
		struct queue mine = *template;
		mine.depth = queue_link_depth(chain, i, template->depth);
		int rc = queue_open_link(chain->link[i], &mine, opts ? opts[i] : NULL, q, &q,
			reterr);
		if (rc < 0) {
			queue_free(q);
			return rc;
		}
	}
	*ret = q;
	return 0;
}

int queue_twin(const struct queue *q, struct io *io, struct target *targets, struct queue **ret,
	struct err *reterr)
{
	struct queue template = *q, *inner = NULL;

	if (q->inner) {
		int rc = queue_twin(q->inner, io, targets, &inner, reterr);
		if (rc < 0)
			return rc;
	}
	template.ios = io;
	template.depth = 1;
	template.targets = targets;
	int rc = queue_open_link(q->engine, &template, q->opts, inner, ret, reterr);
	if (rc < 0)
		queue_free(inner);
	return rc;
}

void queue_free(struct queue *q)
{
	while (q) {
		struct queue *inner = q->inner;
		if (q->engine->queue_close)
			q->engine->queue_close(q);
		free(q);
		q = inner;
	}
}
