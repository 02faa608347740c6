/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* delay: lets the engine inside do the work and hands each request back at a
 * time of its own choosing: so long after it was submitted as the script says,
 * or when the engine is done, if that is later.
 *
 * It is a device of known behaviour to test statistics with.  It measures what
 * it delivered itself, with the queue's clock, directly before it hands a
 * request back, and writes that list when it is closed (delay_record).
 *
 *	submit --> inner --> held: a heap by due time --> reap
 *	  due = now + draw                          due <= now
 *
 * A sleep ends late by an amount nobody controls, so the last DELAY_SPIN_NS are
 * spent looking at the clock. */
#include "base/bits.h"
#include "base/err.h"
#include "base/rng.h"
#include "engine/shim/delay_script.h"
#include "engine/shim/shim.h"
#include "engine/wait.h"
#include "opt/opt.h"

#include <errno.h>
#include <inttypes.h>
#include <sys/mman.h>
#include <sys/prctl.h>

#define DELAY_SPIN_NS (100 * NS_PER_US)

struct delay_opts {
	const char *script;
	const char *record;
};

/* What was delivered: one entry a request, in the order of delivery. */
struct delay_entry {
	uint64_t submit_ns, done_ns;
};

struct delay_list {
	struct delay_entry *entries; /* mapped; NULL: not wanted */
	size_t count, room;
	uint64_t lost; /* no memory was left for so many */
};

/* A request's own bytes. */
struct delay_io {
	uint64_t submit_ns, due_ns;
};

struct delay_queue {
	struct delay_script script;
	struct rng dice;
	struct delay_list list;
	struct shim_lines lines;
	struct delay_io *ios; /* one a slot                                  */
	struct io **held;     /* heap by due time: done inside, not yet due   */
	struct io **scratch;  /* room for a reap of the inner queue           */
	uint32_t held_count;
	uint32_t inside; /* in flight in the inner queue                 */
	int slack_before_ns;
};

#define DELAY_IO_SIZE (sizeof(struct delay_io) + 2 * sizeof(struct io *))

/* ---- the list ---- */

#define DELAY_LIST_FIRST 65536

static bool delay_list_grow(struct delay_list *l)
{
	size_t room = l->room ? l->room * 2 : DELAY_LIST_FIRST;
	void *entries = l->entries
				? mremap(l->entries, l->room * sizeof(*l->entries),
					  room * sizeof(*l->entries), MREMAP_MAYMOVE)
				: mmap(NULL, room * sizeof(*l->entries), PROT_READ | PROT_WRITE,
					  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (entries == MAP_FAILED)
		return false;
	l->entries = entries;
	l->room = room;
	return true;
}

static void delay_list_add(struct delay_list *l, uint64_t submit_ns, uint64_t done_ns)
{
	if (!l->entries)
		return;
	if (unlikely(l->count == l->room) && !delay_list_grow(l)) {
		l->lost++;
		return;
	}
	l->entries[l->count++] = (struct delay_entry){submit_ns, done_ns};
}

static void delay_list_write(const struct delay_list *l, struct shim_lines *lines)
{
	for (size_t i = 0; i < l->count; i++) {
		const struct delay_entry *e = &l->entries[i];
		shim_lines_add(lines, "%" PRIu64 " %" PRIu64 " %" PRIu64 "\n", e->submit_ns,
			e->done_ns, e->done_ns - e->submit_ns);
	}
	if (l->lost)
		shim_lines_add(lines, "# %" PRIu64 " more were not recorded: no memory\n",
			l->lost);
}

/* ---- open, close ---- */

static int delay_record_open(struct delay_queue *dq, const char *path, struct err *e)
{
	int rc = shim_lines_open(&dq->lines, path, e);

	if (rc < 0)
		return rc;
	if (delay_list_grow(&dq->list))
		return 0;
	shim_lines_close(&dq->lines);
	return err_set(e, -ENOMEM, "delay_record: no memory for the list");
}

static int delay_open(struct queue *q, struct err *e)
{
	const struct delay_opts *o = q->opts;
	struct delay_queue *dq = q->mine;

	dq->ios = q->ios_mine;
	dq->held = (struct io **)(dq->ios + q->depth);
	dq->scratch = dq->held + q->depth;
	dq->lines.fd = -1;
	rng_init(&dq->dice, q->seed);
	int rc = delay_script_parse(o->script, &dq->script, e);
	if (rc == 0 && o->record)
		rc = delay_record_open(dq, o->record, e);
	if (rc < 0)
		return rc;
	dq->slack_before_ns = prctl(PR_GET_TIMERSLACK, 0, 0, 0, 0);
	(void)prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0);
	return 0;
}

static void delay_close(struct queue *q)
{
	struct delay_queue *dq = q->mine;

	if (dq->list.entries) {
		delay_list_write(&dq->list, &dq->lines);
		munmap(dq->list.entries, dq->list.room * sizeof(*dq->list.entries));
	}
	shim_lines_close(&dq->lines);
	if (dq->slack_before_ns > 0)
		(void)prctl(PR_SET_TIMERSLACK, dq->slack_before_ns, 0, 0, 0);
}

/* ---- waiting ---- */

/* Until UNTIL_NS by the queue's clock; false when a signal or the stop flag cut
 * it short. */
static bool delay_sleep(const struct queue *q, uint64_t until_ns)
{
	for (;;) {
		uint64_t now = clock_now(q->clock);
		if (now >= until_ns)
			return true;
		if (queue_stopped(q))
			return false;
		if (until_ns - now <= DELAY_SPIN_NS)
			continue;
		struct timespec rest = wait_timespec(MIN_OF(until_ns - now - DELAY_SPIN_NS,
			WAIT_SLICE_NS));
		if (clock_nanosleep(CLOCK_MONOTONIC, 0, &rest, NULL) == EINTR)
			return false;
	}
}

static void delay_perform(struct queue *q, struct io *io)
{
	struct delay_queue *dq = q->mine;
	const uint64_t draw_ns = delay_draw(&dq->script.shape[io_dir(io->kind)], &dq->dice);
	const uint64_t submit_ns = clock_now(q->clock);

	call_perform(q->inner, io);
	while (!delay_sleep(q, submit_ns + draw_ns) && !queue_stopped(q))
		; /* a signal doesn't shorten a synchronous request */
	delay_list_add(&dq->list, submit_ns, clock_now(q->clock));
}

/* ---- the heap: the earliest due at [0] ---- */

static uint64_t delay_due(const struct delay_queue *dq, uint32_t i)
{
	return dq->ios[dq->held[i]->slot].due_ns;
}

static void delay_swap(struct delay_queue *dq, uint32_t a, uint32_t b)
{
	struct io *io = dq->held[a];

	dq->held[a] = dq->held[b];
	dq->held[b] = io;
}

static void delay_hold(struct delay_queue *dq, struct io *io)
{
	uint32_t i = dq->held_count++;

	dq->held[i] = io;
	while (i && delay_due(dq, i) < delay_due(dq, (i - 1) / 2)) {
		delay_swap(dq, i, (i - 1) / 2);
		i = (i - 1) / 2;
	}
}

static struct io *delay_release(struct delay_queue *dq)
{
	struct io *io = dq->held[0];
	uint32_t i = 0, child;

	dq->held[0] = dq->held[--dq->held_count];
	while ((child = 2 * i + 1) < dq->held_count) {
		if (child + 1 < dq->held_count &&
			delay_due(dq, child + 1) < delay_due(dq, child))
			child++;
		if (delay_due(dq, i) <= delay_due(dq, child))
			break;
		delay_swap(dq, i, child);
		i = child;
	}
	return io;
}

/* ---- the queue ---- */

static unsigned delay_submit(struct queue *q, struct io **ios, unsigned n)
{
	struct delay_queue *dq = q->mine;
	const struct rng before = dq->dice;
	const uint64_t now = clock_now(q->clock);

	/* Stamped first: the inner engine may finish a request inside submit(). */
	for (unsigned i = 0; i < n; i++) {
		struct delay_io *mine = &dq->ios[ios[i]->slot];
		mine->submit_ns = now;
		mine->due_ns = now +
			       delay_draw(&dq->script.shape[io_dir(ios[i]->kind)], &dq->dice);
	}
	unsigned taken = call_submit(q->inner, ios, n);
	if (taken < n) {
		/* Draws belong to requests that were taken: rewind, take theirs again. */
		dq->dice = before;
		for (unsigned i = 0; i < taken; i++)
			(void)delay_draw(&dq->script.shape[io_dir(ios[i]->kind)], &dq->dice);
	}
	dq->inside += taken;
	return taken;
}

/* Move what the inner queue has finished to the heap; waits for one of them until
 * UNTIL_NS (0: not at all). */
static unsigned delay_collect(struct queue *q, uint64_t until_ns)
{
	struct delay_queue *dq = q->mine;

	if (!dq->inside)
		return 0;
	unsigned got = call_reap(q->inner, dq->scratch, dq->inside, until_ns ? 1 : 0, until_ns);
	for (unsigned i = 0; i < got; i++)
		delay_hold(dq, dq->scratch[i]);
	dq->inside -= got;
	return got;
}

static unsigned delay_deliver(struct queue *q, struct io **done, unsigned max)
{
	struct delay_queue *dq = q->mine;
	unsigned got = 0;

	while (got < max && dq->held_count) {
		const uint64_t now = clock_now(q->clock);
		if (delay_due(dq, 0) > now)
			break;
		struct io *io = delay_release(dq);
		delay_list_add(&dq->list, dq->ios[io->slot].submit_ns, now);
		done[got++] = io;
	}
	return got;
}

/* Wait for the next thing that may happen; false when a signal or the stop flag
 * came first. */
static bool delay_wait(struct queue *q, uint64_t until_ns)
{
	struct delay_queue *dq = q->mine;
	const uint64_t next_ns = dq->held_count ? MIN_OF(until_ns, delay_due(dq, 0)) : until_ns;

	if (!dq->inside)
		return delay_sleep(q, next_ns);
	/* Something inside may finish first, and be due sooner. */
	if (next_ns > DELAY_SPIN_NS && clock_now(q->clock) < next_ns - DELAY_SPIN_NS) {
		const uint64_t wake_ns = next_ns == UINT64_MAX ? UINT64_MAX
							       : next_ns - DELAY_SPIN_NS;
		return delay_collect(q, wake_ns) || clock_now(q->clock) >= wake_ns;
	}
	(void)delay_collect(q, 0);
	return true;
}

static unsigned delay_reap(struct queue *q, struct io **done, unsigned max, unsigned min,
	uint64_t until_ns)
{
	struct delay_queue *dq = q->mine;
	unsigned got = 0;

	for (;;) {
		(void)delay_collect(q, 0);
		got += delay_deliver(q, done + got, max - got);
		if (got >= min || (!dq->held_count && !dq->inside) || queue_stopped(q))
			break;
		if (until_ns != UINT64_MAX && clock_now(q->clock) >= until_ns)
			break;
		if (!delay_wait(q, until_ns))
			break;
	}
	return got;
}

static const struct opt delay_rows[] = {
	{.name = "delay_script",
		OPT_TEXT(struct delay_opts, script),
		.flags = OPT_NATIVE,
		.help = "How long requests take: const:100us, uniform:LO:HI, "
			"bimodal:100us/90:5ms/10, tail:pareto:100us:1.5"},
	{.name = "delay_record",
		OPT_TEXT(struct delay_opts, record),
		.flags = OPT_NATIVE,
		.help = "Append to this file, at the end: submit ns, completion ns, delivered ns"},
};

const struct opt_group delay_group = {
	.name = "delay",
	.engine = "delay",
	.rows = delay_rows,
	.count = COUNT_OF(delay_rows),
	.size = sizeof(struct delay_opts),
};

const struct engine engine_delay = {
	.name = "delay",
	.help = "Shim: requests take as long as delay_script says",
	.flags = ENGINE_HIDDEN,
	.shim = true,
	.opts = &delay_group,
	.queue_size = sizeof(struct delay_queue),
	.io_size = DELAY_IO_SIZE,
	.target = &target_shim,
	.queue_open = delay_open,
	.queue_close = delay_close,
	.perform = delay_perform,
	.submit = delay_submit,
	.reap = delay_reap,
};
