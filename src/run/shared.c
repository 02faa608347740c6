/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "run/shared.h"

#include "base/err.h"
#include "run/source/flow.h"
#include "run/source/overlap.h"

#include <errno.h>
#include <linux/futex.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Hands out pieces of the mapping; the first walk only counts. */
struct shared_cut {
	unsigned char *base; /* NULL while counting */
	size_t used;
};

static void *shared_take(struct shared_cut *cut, size_t bytes)
{
	size_t at = round_up(cut->used, 64);
	cut->used = at + bytes;
	return cut->base ? cut->base + at : NULL;
}

static struct latency *shared_latency(struct shared_cut *cut)
{
	return shared_take(cut, sizeof(struct latency));
}

/* Pages of targets that do nothing are never touched. */
static void shared_cut_targets(struct shared_cut *cut, const struct plan_worker *pw,
	struct shared_places *p)
{
	p->targets = shared_take(cut, sizeof(*p->targets) * pw->files.count);
	for (int d = 0; d < DIRS && (pw->measure.lat || pw->measure.clat); d++)
		if (pw->pattern.use[d])
			p->target_lat[d] = shared_take(cut,
				sizeof(struct latency) * pw->files.count);
}

static void shared_cut_worker(struct shared_cut *cut, const struct plan_worker *pw,
	struct shared_places *p)
{
	bool queue = !pw->queue.use_perform;

	for (int d = 0; d < DIRS; d++) {
		if (!plan_moves(pw, d))
			continue;
		if (queue && pw->measure.slat)
			p->slat[d] = shared_latency(cut);
		if (queue && pw->measure.clat)
			p->clat[d] = shared_latency(cut);
		if (pw->measure.by_priority && d <= DIR_WRITE)
			p->prio[d] = shared_take(cut,
				sizeof(struct latency) * pw->priority.values_count);
		bool scheduled = pw->measure.response && plan_scheduled(pw, d);
		if (scheduled)
			p->lateness[d] = shared_latency(cut);
		for (int s = 0; s < 2; s++) {
			if (pw->measure.lat || (!queue && pw->measure.clat))
				p->set_lat[s][d] = shared_take(cut, sizeof(struct histogram));
			if (scheduled)
				p->set_response[s][d] = shared_take(cut,
					sizeof(struct histogram));
		}
	}
	if (pw->measure.by_target)
		shared_cut_targets(cut, pw, p);
	if (pw->sync.any_periodic)
		p->sync = shared_latency(cut);
	if (verify_is_on(&pw->verify))
		p->verify = shared_take(cut, sizeof(*p->verify));
	if (pw->verify.rereads)
		p->reread = shared_latency(cut);
	if (pw->verify.rereads && pw->pattern.use[DIR_READ])
		p->own_reads = shared_latency(cut);
	if (pw->log.ring_bytes)
		p->log = shared_take(cut, sizeof(*p->log) + pw->log.ring_bytes);
	for (int d = 0; d < DIRS && pw->log.hist; d++)
		if (pw->pattern.use[d])
			p->log_hist[d] = shared_take(cut, sizeof(struct histogram));
	if (pw->flow.weight)
		p->flow = shared_take(cut, sizeof(struct flow_cell));
	if (pw->queue.serialize_all)
		p->overlap = shared_take(cut, overlap_list_bytes(pw->queue.depth));
}

static void shared_cut_all(struct shared_cut *cut, const struct plan *plan, struct shared *s)
{
	s->head = shared_take(cut, sizeof(*s->head));
	s->workers = shared_take(cut, sizeof(*s->workers) * plan->workers_count);
	s->places = shared_take(cut, sizeof(*s->places) * plan->workers_count);
	bool serialize = false;
	for (uint32_t i = 0; i < plan->workers_count; i++) {
		struct shared_places unused;
		shared_cut_worker(cut, &plan->workers[i], s->places ? &s->places[i] : &unused);
		serialize |= plan->workers[i].queue.serialize_all;
	}
	if (serialize)
		s->overlap_lock = shared_take(cut, sizeof(*s->overlap_lock));
}

static int shared_cells(struct shared *s, const struct plan *plan, struct err *reterr)
{
	int rc = 0;

	if (!plan->run_id)
		return 0;
	s->cells = calloc(plan->targets_count, sizeof(*s->cells));
	if (!s->cells)
		return err_set(reterr, -ENOMEM, "out of memory for %u targets",
			plan->targets_count);
	for (; s->cells_count < plan->targets_count && rc == 0; s->cells_count++) {
		const struct plan_target *t = &plan->targets[s->cells_count];
		if (t->unit_bytes)
			rc = cells_open(&s->cells[s->cells_count], t->units, t->unit_bytes,
				t->unit_exclusive, reterr);
	}
	return rc;
}

static void shared_cells_done(struct shared *s)
{
	for (uint32_t i = 0; i < s->cells_count; i++)
		cells_close(&s->cells[i]);
	free(s->cells);
}

int shared_make(struct shared *s, const struct plan *plan, struct err *reterr)
{
	*s = (struct shared){0};
	struct shared_cut cut = {0};
	shared_cut_all(&cut, plan, s);
	s->map_bytes = round_up(cut.used + 1, 4096);
	s->map = mmap(NULL, s->map_bytes, PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (s->map == MAP_FAILED) {
		int code = -errno;
		*s = (struct shared){0};
		return err_sys(reterr, code,
			"shared memory of %zu bytes for the counters of %u jobs", s->map_bytes,
			plan->workers_count);
	}
	cut = (struct shared_cut){.base = s->map};
	shared_cut_all(&cut, plan, s);
	return shared_cells(s, plan, reterr);
}

void shared_done(struct shared *s)
{
	shared_cells_done(s);
	if (s->map)
		munmap(s->map, s->map_bytes);
	*s = (struct shared){0};
}

static long shared_futex(uint32_t *word, int op, uint32_t val, const struct timespec *timeout)
{
	return syscall(SYS_futex, word, op, val, timeout, NULL, 0);
}

/* Either the supervisor sees the new count before it sleeps, or we see that it
 * sleeps: both sides write one word and then read the other's. */
void shared_ring(struct shared *s)
{
	__atomic_fetch_add(&s->head->bell, 1, __ATOMIC_SEQ_CST);
	if (__atomic_load_n(&s->head->asleep, __ATOMIC_SEQ_CST) &&
		__atomic_exchange_n(&s->head->asleep, 0, __ATOMIC_SEQ_CST))
		shared_futex(&s->head->bell, FUTEX_WAKE, 1, NULL);
}

void shared_arrive(struct shared *s)
{
	uint32_t here = __atomic_add_fetch(&s->head->arrived, 1, __ATOMIC_ACQ_REL);
	if (here >= __atomic_load_n(&s->head->expected, __ATOMIC_RELAXED))
		shared_ring(s);
}

void shared_expect(struct shared *s, uint32_t workers)
{
	s->head->expected = workers;
	s->head->arrived = 0;
}

void shared_open_gate(struct shared *s)
{
	__atomic_fetch_add(&s->head->gate, 1, __ATOMIC_RELEASE);
	shared_futex(&s->head->gate, FUTEX_WAKE, INT32_MAX, NULL);
}

void shared_wait_gate(struct shared *s, const uint32_t *go)
{
	for (;;) {
		uint32_t seen = __atomic_load_n(&s->head->gate, __ATOMIC_ACQUIRE);
		if (__atomic_load_n(go, __ATOMIC_ACQUIRE))
			return;
		shared_futex(&s->head->gate, FUTEX_WAIT, seen, NULL);
	}
}

void shared_wake(uint32_t *word)
{
	shared_futex(word, FUTEX_WAKE, INT32_MAX, NULL);
}

void shared_wait_word(uint32_t *word)
{
	while (!__atomic_load_n(word, __ATOMIC_ACQUIRE))
		shared_futex(word, FUTEX_WAIT, 0, NULL);
}

void shared_wait(struct shared *s, uint32_t seen, uint64_t timeout_ns)
{
	struct timespec ts = {
		.tv_sec = (time_t)(timeout_ns / NS_PER_S),
		.tv_nsec = (long)(timeout_ns % NS_PER_S),
	};
	__atomic_store_n(&s->head->asleep, 1, __ATOMIC_SEQ_CST);
	shared_futex(&s->head->bell, FUTEX_WAIT, seen, &ts);
	__atomic_store_n(&s->head->asleep, 0, __ATOMIC_RELAXED);
}
