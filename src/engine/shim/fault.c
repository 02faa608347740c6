/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* fault: spoils requests as its script says, and lets all others pass.
 *
 * A request that fails or is lost never reaches the engine inside.  A short one
 * is really shorter there.  A flipped bit is wrong in what was read, or in what
 * is written: the buffer is put right again before it is handed back. */
#include "base/bits.h"
#include "base/err.h"
#include "engine/ready.h"
#include "engine/shim/fault_script.h"
#include "engine/shim/shim.h"
#include "engine/wait.h"
#include "opt/opt.h"

#include <errno.h>
#include <time.h>

struct fault_opts {
	const char *script;
};

/* A request's own bytes. */
struct fault_io {
	enum fault_what what;
	uint32_t bytes;  /* as asked, while io->bytes is shorter     */
	uint64_t offset; /* as asked, while io->offset is another one */
};

struct fault_queue {
	struct fault_script script;
	struct rng dice;
	struct fault_io *ios;
	struct ready ready; /* failed or lost, to be handed back */
	uint32_t inside;
	uint32_t hung;
};

#define FAULT_IO_SIZE (sizeof(struct fault_io) + READY_SLOTS * sizeof(struct io *))

static int fault_open(struct queue *q, struct err *e)
{
	const struct fault_opts *o = q->opts;
	struct fault_queue *fq = q->mine;

	fq->ios = q->ios_mine;
	ready_init(&fq->ready, fq->ios + q->depth, q->depth);
	rng_init(&fq->dice, q->seed);
	return fault_script_parse(o->script, &fq->script, e);
}

static uint32_t fault_short_bytes(const struct fault_rule *r, const struct io *io)
{
	const uint32_t half = io->bytes / 2;

	if (r->bytes)
		return MIN_OF(r->bytes, io->bytes);
	return half >= 512 ? half & ~511u : half; /* keep direct I/O happy */
}

/* The block before it, or behind the first one. */
static uint64_t fault_beside(const struct io *io)
{
	return io->offset >= io->bytes ? io->offset - io->bytes : io->offset + io->bytes;
}

static void fault_flip(struct io *io, uint32_t bytes)
{
	if (bytes)
		((unsigned char *)io->buf)[bytes / 2] ^= 1;
}

/* Before the engine inside sees it: does it get there at all?  If not, io->res
 * is set (but for a hang). */
static bool fault_begin(struct fault_queue *fq, struct io *io)
{
	const struct fault_rule *r = fault_strike(&fq->script, io, &fq->dice);
	struct fault_io *mine = &fq->ios[io->slot];

	*mine = (struct fault_io){
		.what = r ? r->what : FAULT_NONE, .bytes = io->bytes, .offset = io->offset};
	switch (mine->what) {
	case FAULT_ERROR:
		io->res = r->error;
		return false;
	case FAULT_LOST:
		io->res = io->kind < IO_FSYNC ? (int32_t)io->bytes : 0;
		return false;
	case FAULT_HANG:
		return false;
	case FAULT_SHORT:
		if (io->kind < IO_TRIM)
			io->bytes = fault_short_bytes(r, io);
		return true;
	case FAULT_FLIP:
		if (io->kind == IO_WRITE)
			fault_flip(io, io->bytes);
		return true;
	case FAULT_TORN:
		if (io->kind == IO_WRITE)
			io->bytes = fault_short_bytes(r, io);
		return true;
	case FAULT_MISPLACED:
		if (io->kind < IO_FSYNC)
			io->offset = fault_beside(io);
		return true;
	case FAULT_NONE:
		break;
	}
	return true;
}

/* When it comes back from there. */
static void fault_end(struct fault_queue *fq, struct io *io)
{
	const struct fault_io *mine = &fq->ios[io->slot];

	if (mine->what == FAULT_FLIP && io->kind == IO_WRITE)
		fault_flip(io, io->bytes);
	else if (mine->what == FAULT_FLIP && io->kind == IO_READ && io->res > 0)
		fault_flip(io, (uint32_t)io->res);
	if (mine->what == FAULT_TORN && io->res == (int32_t)io->bytes)
		io->res = (int32_t)mine->bytes;
	io->bytes = mine->bytes;
	io->offset = mine->offset;
}

/* It was begun and then not taken: as if it had never been here. */
static void fault_undo(struct fault_queue *fq, struct io *io)
{
	io->res = 0;
	fault_end(fq, io);
	fault_forget(&fq->script, io);
}

/* A slice of sleep; false when a signal came. */
static bool fault_doze(const struct timespec *slice)
{
	return clock_nanosleep(CLOCK_MONOTONIC, 0, slice, NULL) != EINTR;
}

static void fault_perform(struct queue *q, struct io *io)
{
	struct fault_queue *fq = q->mine;
	const struct timespec slice = wait_timespec(WAIT_SLICE_NS);

	if (fault_begin(fq, io)) {
		call_perform(q->inner, io);
		fault_end(fq, io);
		return;
	}
	/* Nothing but the end of the process ends a call that hangs. */
	while (fq->ios[io->slot].what == FAULT_HANG)
		(void)fault_doze(&slice);
}

/* Hand N requests on; what the inner queue doesn't take was not begun. */
static unsigned fault_pass(struct fault_queue *fq, struct queue *q, struct io **ios, unsigned n)
{
	unsigned taken = n ? call_submit(q->inner, ios, n) : 0;

	for (unsigned i = taken; i < n; i++)
		fault_undo(fq, ios[i]);
	fq->inside += taken;
	return taken;
}

static unsigned fault_submit(struct queue *q, struct io **ios, unsigned n)
{
	struct fault_queue *fq = q->mine;
	unsigned run = 0; /* ios[taken .. taken + run) go inside together */
	unsigned taken = 0;

	while (taken + run < n) {
		struct io *io = ios[taken + run];
		if (fault_begin(fq, io)) {
			run++;
			continue;
		}
		unsigned passed = fault_pass(fq, q, ios + taken, run);
		taken += passed;
		if (passed < run) {
			fault_undo(fq, io);
			return taken;
		}
		if (fq->ios[io->slot].what == FAULT_HANG)
			fq->hung++;
		else
			ready_add(&fq->ready, io);
		taken++;
		run = 0;
	}
	return taken + fault_pass(fq, q, ios + taken, run);
}

static unsigned fault_collect(struct queue *q, struct io **done, unsigned max, unsigned min,
	uint64_t until_ns)
{
	struct fault_queue *fq = q->mine;

	if (!fq->inside || !max)
		return 0;
	unsigned got = call_reap(q->inner, done, max, MIN_OF(min, fq->inside), until_ns);
	for (unsigned i = 0; i < got; i++)
		fault_end(fq, done[i]);
	fq->inside -= got;
	return got;
}

static unsigned fault_reap(struct queue *q, struct io **done, unsigned max, unsigned min,
	uint64_t until_ns)
{
	struct fault_queue *fq = q->mine;
	struct timespec slice;
	unsigned got = ready_take(&fq->ready, done, max);

	got += fault_collect(q, done + got, max - got, min > got ? min - got : 0, until_ns);
	while (got < min && fq->hung && !fq->inside && wait_slice(q, until_ns, &slice))
		if (!fault_doze(&slice))
			break;
	return got;
}

static const struct opt fault_rows[] = {
	{.name = "fault_script",
		OPT_TEXT(struct fault_opts, script),
		.flags = OPT_NATIVE,
		.help = "What fails: rate:0.01:EIO, after:1000:ENOSPC, range:1m:2m:short, "
			"nth:5:flip, every:100:lost, ..."},
};

const struct opt_group fault_group = {
	.name = "fault",
	.engine = "fault",
	.rows = fault_rows,
	.count = COUNT_OF(fault_rows),
	.size = sizeof(struct fault_opts),
};

const struct engine engine_fault = {
	.name = "fault",
	.help = "Shim: requests fail as fault_script says",
	.flags = ENGINE_HIDDEN,
	.shim = true,
	.opts = &fault_group,
	.queue_size = sizeof(struct fault_queue),
	.io_size = FAULT_IO_SIZE,
	.target = &target_shim,
	.queue_open = fault_open,
	.perform = fault_perform,
	.submit = fault_submit,
	.reap = fault_reap,
};
