/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* HOT.  pvsync2: preadv2() and pwritev2(), which take flags for each call. */
#include "base/rng.h"
#include "engine/posix.h"
#include "opt/opt.h"

#include <sys/uio.h>

struct pvsync2_opts {
	bool hipri;
	uint32_t hipri_percentage;
	uint32_t uncached;
	bool nowait;
};

struct pvsync2_queue {
	int flags;            /* of every call                                   */
	int write_flags;      /* of writes also                                  */
	uint64_t hipri_below; /* RWF_HIPRI too when the dice show less; of 2^32  */
	struct rng dice;
};

static int pvsync2_open(struct queue *q, struct err *e)
{
	const struct pvsync2_opts *o = q->opts;
	struct pvsync2_queue *pq = q->mine;

	(void)e;
	if (o->uncached)
		pq->flags |= POSIX_RWF_DONTCACHE;
	if (o->nowait)
		pq->flags |= RWF_NOWAIT;
	if (o->hipri && o->hipri_percentage == 100)
		pq->flags |= RWF_HIPRI;
	else if (o->hipri)
		pq->hipri_below = ((uint64_t)o->hipri_percentage << 32) / 100;
	if (q->atomic)
		pq->write_flags = POSIX_RWF_ATOMIC;
	rng_init(&pq->dice, q->seed);
	return 0;
}

static int pvsync2_added(struct queue *q, struct target *t, struct err *e)
{
	const struct pvsync2_opts *o = q->opts;

	return o->uncached ? posix_check_uncached(t, e) : 0;
}

static inline int pvsync2_flags(struct pvsync2_queue *pq)
{
	if (likely(!pq->hipri_below) || rng_next(&pq->dice) >> 32 >= pq->hipri_below)
		return pq->flags;
	return pq->flags | RWF_HIPRI;
}

static void pvsync2_perform(struct queue *q, struct io *io)
{
	const struct iovec vector = {.iov_base = io->buf, .iov_len = io->bytes};
	const int fd = io->target->fd;
	ssize_t moved;

	if (unlikely(io->kind >= IO_TRIM)) {
		io->res = posix_other(io);
		return;
	}
	struct pvsync2_queue *pq = q->mine;
	const int flags = pvsync2_flags(pq);
	do {
		if (io->kind == IO_READ)
			moved = preadv2(fd, &vector, 1, (off_t)io->offset, flags);
		else
			moved = pwritev2(fd, &vector, 1, (off_t)io->offset,
				flags | pq->write_flags);
	} while (posix_again(q, moved));
	io->res = posix_result(moved);
}

static const struct opt pvsync2_rows[] = {
	{.name = "hipri",
		OPT_FLAG(struct pvsync2_opts, hipri),
		.help = "Ask for polled completion (RWF_HIPRI)"},
	{.name = "hipri_percentage",
		OPT_U32(struct pvsync2_opts, hipri_percentage),
		.max = 100,
		.preset = "100",
		.help = "Share of the requests that hipri is for"},
	{.name = "uncached",
		OPT_U32(struct pvsync2_opts, uncached),
		.max = 1,
		.preset = "0",
		.help = "Don't leave buffered data in the page cache (RWF_DONTCACHE)"},
	{.name = "nowait",
		OPT_BOOL(struct pvsync2_opts, nowait),
		.preset = "0",
		.help = "Fail with EAGAIN rather than wait (RWF_NOWAIT)"},
};

const struct opt_group pvsync2_group = {
	.name = "pvsync2",
	.engine = "pvsync2",
	.rows = pvsync2_rows,
	.count = COUNT_OF(pvsync2_rows),
	.size = sizeof(struct pvsync2_opts),
};

const struct engine engine_pvsync2 = {
	.name = "pvsync2",
	.help = "preadv2() and pwritev2() with flags, one at a time",
	.flags = ENGINE_DIRECT_OK | ENGINE_TRIM | ENGINE_ATOMIC | ENGINE_AT_OFFSET,
	.opts = &pvsync2_group,
	.queue_size = sizeof(struct pvsync2_queue),
	.target = &target_posix,
	.queue_open = pvsync2_open,
	.target_added = pvsync2_added,
	.perform = pvsync2_perform,
};
