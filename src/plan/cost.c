/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What the plan needs of the machine: memory, descriptors, time. */
#include <errno.h>
#include <stdlib.h>

#include "base/bits.h"
#include "base/err.h"
#include "plan/draft.h"
#include "stat/latency.h"

/* Of a histogram only the bins in use are touched: latencies of one worker lie
 * within some ten octaves of 64 bins, and the moments are in front of them. */
#define COST_LATENCY (10 * 64 * sizeof(uint64_t) + sizeof(struct moments))

static uint64_t cost_latencies(const struct plan_worker *w)
{
	const struct plan_measure *m = &w->measure;
	uint64_t count = 0;

	for (int i = 0; i < DIRS; i++)
		if (w->pattern.use[i])
			count += (uint64_t)m->slat + m->clat + m->lat + 2u * m->response;
	return count + (w->sync.fsync_every || w->sync.fdatasync_every || w->sync.end_fsync ||
			       w->sync.fsync_on_close);
}

/* Of a worker that does nothing, measured (docs/internals/start.md): for a process
 * page tables, pages that it wrote to since the fork, and what the kernel keeps. */
#define COST_PROCESS (160 * 1024)
#define COST_THREAD  (40 * 1024)

static uint64_t cost_memory(const struct plan_worker *w)
{
	uint64_t beside = w->memory.align + w->memory.lock_bytes;
	uint64_t request = sizeof(struct io) + w->queue.buffer_bytes;
	uint64_t queue = 0;

	for (uint32_t i = 0; i < w->queue.chain.count; i++) {
		request += w->queue.chain.link[i]->io_size;
		queue += w->queue.chain.link[i]->queue_size;
	}
	uint64_t files = w->files.count *
			 (sizeof(struct target) +
				 engine_chain_base(&w->queue.chain)->target_size);
	uint64_t apart = (uint64_t)(w->queue.write_apart + w->queue.spare) *
			 w->queue.buffer_bytes;
	uint64_t ahead = replay_on(w) ? (uint64_t)w->replay.ring * REPLAY_ENTRY_BYTES : 0;
	uint64_t told = w->state.path ? STATE_BUFFER : 0;
	return (w->thread ? COST_THREAD : COST_PROCESS) + beside + apart + ahead + told +
	       w->queue.depth * request + queue + files + w->log.ring_bytes +
	       cost_latencies(w) * COST_LATENCY;
}

/* Beside its targets: standard streams, the engine's own, some room. */
#define COST_DESCRIPTORS 8

static uint64_t cost_descriptors(const struct plan_worker *w)
{
	uint32_t files = w->files.count;

	if (queue_flags(w) & ENGINE_NO_FILES)
		files = 0;
	if (w->files.open_max)
		files = MIN_OF(files, w->files.open_max);
	return files + w->queue.chain.count;
}

/* Workers are processes, but threads of a wave share one. */
static uint64_t cost_descriptors_max(const struct plan *plan)
{
	uint64_t most = 0, threads = 0;

	for (uint32_t i = 0; i < plan->workers_count; i++) {
		const struct plan_worker *w = &plan->workers[i];
		if (i && w->wave != w[-1].wave)
			threads = 0;
		uint64_t need = cost_descriptors(w);
		if (w->thread)
			need = threads += need;
		most = MAX_OF(most, need);
	}
	return most + COST_DESCRIPTORS;
}

/* When the last worker ends, as far as times say it. A wave begins when the one
 * before it has ended; startdelay counts from the program's start. */
static int cost_time_max(const struct plan *plan, uint64_t *ret_ns, struct err *reterr)
{
	uint64_t *ends = calloc(plan->workers_count, sizeof(*ends));
	uint64_t wave_start = 0, last = 0;

	if (!ends)
		return err_set(reterr, -ENOMEM, "out of memory for %u workers",
			plan->workers_count);
	*ret_ns = 0;
	for (uint32_t i = 0; i < plan->workers_count; i++) {
		const struct plan_worker *w = &plan->workers[i];
		if (!w->time.runtime_ns && w->amount.bytes) {
			free(ends);
			return 0;
		}
		if (i && w->wave != w[-1].wave)
			wave_start = last;
		uint64_t start = MAX_OF(wave_start, w->time.delay_ns);
		for (uint32_t k = 0; k < w->end.wait_count; k++)
			start = MAX_OF(start, ends[w->end.wait_for[k]]);
		ends[i] = start + w->time.ramp_ns + w->time.runtime_ns;
		last = MAX_OF(last, ends[i]);
	}
	free(ends);
	*ret_ns = last;
	return 0;
}

int cost_estimate(struct plan *plan, uint64_t page_bytes, struct err *reterr)
{
	uint64_t ns = 0;

	int rc = cost_time_max(plan, &ns, reterr);
	if (rc < 0)
		return rc;
	plan->seconds_max = div_up(ns, NS_PER_S);
	for (uint32_t i = 0; i < plan->workers_count; i++) {
		struct plan_worker *w = &plan->workers[i];
		w->memory.cost_bytes = cost_memory(w);
		plan->memory_bytes += w->memory.cost_bytes;
	}
	verify_map_cost(plan, page_bytes);
	plan->memory_bytes += plan->map_bytes;
	plan->descriptors = cost_descriptors_max(plan);
	return 0;
}
