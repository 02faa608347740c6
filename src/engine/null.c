/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* HOT.  null: finishes every request at once without moving a byte.  Its speed is
 * weir's own overhead, which is why the benchmarks run on it. */
#include "base/bits.h"
#include "engine/engine.h"
#include "engine/ready.h"

struct null_queue {
	struct ready ready;
};

static int null_open(struct queue *q, struct err *e)
{
	struct null_queue *nq = q->mine;

	(void)e;
	ready_init(&nq->ready, q->ios_mine, q->depth);
	return 0;
}

static inline int32_t null_result(const struct io *io)
{
	return io->kind < IO_FSYNC ? (int32_t)io->bytes : 0;
}

static void null_perform(struct queue *q, struct io *io)
{
	(void)q;
	io->res = null_result(io);
}

static unsigned null_submit(struct queue *q, struct io **ios, unsigned n)
{
	struct null_queue *nq = q->mine;

	ready_reserve(&nq->ready, n);
	struct io **end = nq->ready.slots + nq->ready.end;
	for (unsigned i = 0; i < n; i++) {
		struct io *io = ios[i];
		io->res = null_result(io);
		end[i] = io;
	}
	nq->ready.end += n;
	return n;
}

static unsigned null_reap(struct queue *q, struct io **done, unsigned max, unsigned min,
	uint64_t until_ns)
{
	struct null_queue *nq = q->mine;

	(void)min; /* all that is in flight is ready */
	(void)until_ns;
	return ready_take(&nq->ready, done, max);
}

const struct engine engine_null = {
	.name = "null",
	.help = "Complete at once and move nothing: measures weir itself",
	.flags = ENGINE_NO_FILES | ENGINE_DIRECT_OK | ENGINE_TRIM | ENGINE_PARALLEL,
	.queue_size = sizeof(struct null_queue),
	.io_size = READY_SLOTS * sizeof(struct io *),
	.target = &target_none,
	.queue_open = null_open,
	.perform = null_perform,
	.submit = null_submit,
	.reap = null_reap,
};
