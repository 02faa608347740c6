/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "run/prepare/limits.h"

#include "base/bits.h"
#include "base/err.h"
#include "base/log.h"
#include "plan/plan.h"
#include "run/prepare/memory.h"
#include "run/run.h"
#include "run/slab.h"
#include "sys/machine.h"
#include "sys/sysroot.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <sys/resource.h>

#define FILES_RESERVE 64 /* of one process: rings, logs, libraries        */
#define FILES_LEAST   12 /* of a worker that is a process, and has one file open at a time */
#define TASKS_RESERVE 8  /* supervisor, helpers, a shell in the next room */

/* Mappings of a host process. Stacks and small buffers of all threads are in one. */
#define MAPS_PROCESS 200 /* libraries, counters, what else there is        */
#define MAPS_QUEUE   8   /* rings, or helper threads, of an engine's queue */
#define MAPS_BUFFERS 2   /* that don't fit into the thread's room          */
#define MAPS_ARENA   4   /* neither does its view of many files            */
#define FILES_MANY   256

/* ---- what is needed ---- */

static uint64_t aio_depth(const struct plan_worker *w)
{
	bool queued = !w->queue.use_perform;
	bool libaio = strcmp(engine_chain_base(&w->queue.chain)->name, "libaio") == 0;
	return queued && libaio ? w->queue.depth : 0;
}

static uint64_t thread_maps(const struct plan_worker *w)
{
	const struct engine *base = engine_chain_base(&w->queue.chain);
	uint64_t buffers = plan_buffers_bytes(&w->queue);
	bool own = w->memory.kind != MEMORY_PRIVATE || w->memory.file || buffers > SLAB_BUFFERS;
	uint64_t maps = 0;

	if (base->submit && !(base->flags & ENGINE_NO_FILES))
		maps += MAPS_QUEUE;
	if (strcmp(base->name, "mmap") == 0) /* a window of each */
		maps += w->files.count;
	if (own)
		maps += MAPS_BUFFERS;
	if (w->files.count > FILES_MANY || w->queue.depth > FILES_MANY)
		maps += MAPS_ARENA;
	return maps + 2u * (w->memory.lock_bytes > 0);
}

/* Where the kernel has no light guards, few threads get two mappings each for theirs. */
static uint64_t guard_maps(uint64_t threads)
{
	return threads <= SLAB_GUARDS ? 2 * threads : 0;
}

void limits_need(const struct plan *plan, struct limits_need *ret)
{
	struct limits_need most = {.memory = plan->memory_bytes};

	for (uint32_t wave = 0, i = 0; wave < plan->waves_count; wave++) {
		struct limits_need n = {0};
		uint64_t threads = 0;
		for (; i < plan->workers_count && plan->workers[i].wave == wave; i++) {
			const struct plan_worker *w = &plan->workers[i];
			n.workers++;
			threads += w->thread;
			if (w->thread)
				n.maps += thread_maps(w);
			n.aio += aio_depth(w);
		}
		n.processes = n.workers - threads + (threads > 0);
		n.maps += MAPS_PROCESS + guard_maps(threads);
		most.workers = MAX_OF(most.workers, n.workers);
		most.processes = MAX_OF(most.processes, n.processes);
		most.aio = MAX_OF(most.aio, n.aio);
		most.maps = MAX_OF(most.maps, n.maps);
	}
	*ret = most;
}

/* ---- what there is ---- */

struct limit {
	const char *name;
	uint64_t need, max, used;
	const char *remedy;
};

static int limit_compare(const struct limit *l, struct err *reterr)
{
	uint64_t room = l->max > l->used ? l->max - l->used : 0;
	log_debug(LOG_RUN, "limit %s: need %" PRIu64 ", %" PRIu64 " of %" PRIu64 " used",
		l->name, l->need, l->used, l->max);
	if (l->max == UINT64_MAX || l->need <= room)
		return 0;
	if (!l->used)
		return err_set(reterr, -EAGAIN,
			"this run needs %" PRIu64 " %s, the limit is %" PRIu64 "; %s", l->need,
			l->name, l->max, l->remedy);
	return err_set(reterr, -EAGAIN,
		"this run needs %" PRIu64 " %s, the limit is %" PRIu64 " of which %" PRIu64
		" are taken; %s",
		l->need, l->name, l->max, l->used, l->remedy);
}

static uint64_t value_or(const struct sysroot *r, const char *path, uint64_t otherwise)
{
	uint64_t value;
	return sysroot_u64(r, &value, "%s", path) == 0 ? value : otherwise;
}

/* Threads of the whole machine, from the fourth word of loadavg: "2/345". */
static uint64_t tasks_now(const struct sysroot *r)
{
	char text[128];
	uint64_t all = 0;
	if (sysroot_text(r, text, sizeof(text), "/proc/loadavg") < 0 ||
		sscanf(text, "%*s %*s %*s %*u/%" SCNu64, &all) != 1)
		return 0;
	return all;
}

static int compare_tasks(const struct sysroot *r, const struct limits_need *need,
	struct err *reterr)
{
	struct machine_limit pids;
	struct rlimit nproc = {RLIM_INFINITY, RLIM_INFINITY};
	uint64_t tasks = tasks_now(r), wanted = need->workers + TASKS_RESERVE;

	machine_cgroup_pids(r, &pids);
	getrlimit(RLIMIT_NPROC, &nproc);
	/* RLIMIT_NPROC counts the user's, which only a walk through /proc would tell;
	 * root is exempt. */
	bool free_of_nproc = geteuid() == 0 || nproc.rlim_cur == RLIM_INFINITY;
	const struct limit limits[] = {
		{"process numbers (kernel.pid_max)", wanted,
			value_or(r, "/proc/sys/kernel/pid_max", UINT64_MAX), tasks,
			"raise it with sysctl kernel.pid_max, or lower numjobs"},
		{"threads (kernel.threads-max)", wanted,
			value_or(r, "/proc/sys/kernel/threads-max", UINT64_MAX), tasks,
			"raise it with sysctl kernel.threads-max, or lower numjobs"},
		{"processes and threads (pids.max of the control group)", wanted, pids.max,
			pids.used, "raise the control group's pids.max, or lower numjobs"},
		{"processes of one user (ulimit -u)", wanted,
			free_of_nproc ? UINT64_MAX : nproc.rlim_cur, 0,
			"raise it with ulimit -u, or lower numjobs"},
	};
	for (size_t i = 0; i < COUNT_OF(limits); i++) {
		int rc = limit_compare(&limits[i], reterr);
		if (rc < 0)
			return rc;
	}
	return 0;
}

static int compare_memory(const struct sysroot *r, const struct limits_need *need,
	struct err *reterr)
{
	struct machine_limit group;
	machine_cgroup_memory(r, &group);
	/* The group's page cache counts as used but gives way, so its size rules. */
	const struct limit limits[] = {
		{"bytes of memory", need->memory, machine_memory_available(r), 0,
			"lower iodepth, bs or numjobs"},
		{"bytes of memory (limit of the control group)", need->memory, group.max, 0,
			"raise the limit of the control group, or lower iodepth, bs or "
			"numjobs"},
		{"memory mappings in one process (vm.max_map_count)", need->maps,
			value_or(r, "/proc/sys/vm/max_map_count", UINT64_MAX), 0,
			"raise it with sysctl vm.max_map_count, or leave out thread"},
	};
	for (size_t i = 0; i < COUNT_OF(limits); i++) {
		int rc = limit_compare(&limits[i], reterr);
		if (rc < 0)
			return rc;
	}
	return 0;
}

int limits_compare(const struct sysroot *root, const struct limits_need *need,
	struct err *reterr)
{
	const struct limit aio = {
		"requests in flight by libaio (fs.aio-max-nr)",
		need->aio,
		value_or(root, "/proc/sys/fs/aio-max-nr", UINT64_MAX),
		value_or(root, "/proc/sys/fs/aio-nr", 0),
		"raise it with sysctl fs.aio-max-nr, or lower iodepth or numjobs",
	};
	int rc = need->aio ? limit_compare(&aio, reterr) : 0;
	if (rc == 0)
		rc = compare_tasks(root, need, reterr);
	return rc < 0 ? rc : compare_memory(root, need, reterr);
}

/* ---- open files ---- */

static uint64_t raise_files(void)
{
	struct rlimit files;
	if (getrlimit(RLIMIT_NOFILE, &files) < 0)
		return 1024;
	if (files.rlim_cur < files.rlim_max) {
		struct rlimit more = {.rlim_cur = files.rlim_max, .rlim_max = files.rlim_max};
		if (setrlimit(RLIMIT_NOFILE, &more) == 0)
			files.rlim_cur = files.rlim_max;
	}
	return files.rlim_cur == RLIM_INFINITY ? UINT32_MAX : files.rlim_cur;
}

/* Of one process. */
static uint32_t open_files(void)
{
	struct rlimit files;
	if (getrlimit(RLIMIT_NOFILE, &files) < 0)
		return 1024 - FILES_RESERVE;
	uint64_t all = MIN_OF((uint64_t)files.rlim_cur, (uint64_t)UINT32_MAX);
	return all > 2 * FILES_RESERVE ? (uint32_t)(all - FILES_RESERVE)
				       : (uint32_t)MAX_OF(all / 2, UINT64_C(1));
}

uint32_t limits_open_files_of(const struct plan *plan, uint32_t worker)
{
	const struct plan_worker *w = &plan->workers[worker];
	uint32_t threads = 0, all = open_files();
	if (!w->thread)
		return all;
	for (uint32_t i = 0; i < plan->workers_count; i++)
		threads += plan->workers[i].wave == w->wave && plan->workers[i].thread;
	return MAX_OF(all / threads, 1u);
}

static bool opens_files(const struct plan_worker *w)
{
	return !(engine_chain_base(&w->queue.chain)->flags & ENGINE_NO_FILES);
}

/* A host process holds at least one file and one ring for each of its threads;
 * workers that are processes do with any limit. */
static int check_files(const struct plan *plan, uint64_t max, struct err *reterr)
{
	uint64_t most = 0;
	for (uint32_t i = 0, wave = 0; wave < plan->waves_count; wave++) {
		uint64_t threads = 0;
		for (; i < plan->workers_count && plan->workers[i].wave == wave; i++)
			threads += plan->workers[i].thread && opens_files(&plan->workers[i]);
		most = MAX_OF(most, threads);
	}
	const struct limit files = {
		"open files in one process (ulimit -n)",
		most ? most * 2 + FILES_RESERVE : FILES_LEAST,
		max,
		0,
		most ? "raise it with ulimit -n, or leave out thread"
		     : "raise it with ulimit -n",
	};
	return limit_compare(&files, reterr);
}

int limits_check(const struct plan *plan, const struct run_how *how, struct err *reterr)
{
	struct limits_need need;
	limits_need(plan, &need);
	int rc = check_files(plan, raise_files(), reterr);
	if (rc == 0)
		rc = limits_compare(&sysroot_real, &need, reterr);
	return rc < 0 ? rc : memory_check(plan, how, reterr);
}
