/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What is asked when the run is over, and all that was seen put together. */
#include "run/observe.h"

#include "base/bits.h"
#include "result/environment.h"
#include "run/prepare/guard.h"
#include "run/supervisor.h"
#include "sys/apart.h"
#include "sys/cached.h"
#include "sys/extents.h"
#include "sys/sysroot.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define EXTENTS_NS  (20 * NS_PER_MS)
#define PATIENCE_NS (2 * NS_PER_S)
#define SECTOR      512u

/* ---- what may wait for a device: in a process of its own ---- */

struct asked_target {
	const char *path;
	uint64_t read_from, read_end; /* by any worker; equal: not read */
};

struct asked {
	struct asked_target targets[OBSERVE_TARGETS];
	uint32_t targets_count;
	struct drives_asked drives;
};

struct answers {
	uint32_t targets_done;
	int cached_rc[OBSERVE_TARGETS], extents_rc[OBSERVE_TARGETS];
	struct cached cached[OBSERVE_TARGETS];
	struct extents extents[OBSERVE_TARGETS];
	struct drives_told drives; /* last: its size differs */
};

static int ask(void *ctx, void *room)
{
	const struct asked *q = ctx;
	struct answers *a = room;

	for (; a->targets_done < q->targets_count; a->targets_done++) {
		uint32_t i = a->targets_done;
		const struct asked_target *t = &q->targets[i];
		a->cached_rc[i] = cached_find(t->path, &a->cached[i]);
		a->extents_rc[i] = t->read_end > t->read_from
					   ? extents_find_range(t->path, t->read_from,
						     t->read_end, EXTENTS_NS, &a->extents[i])
					   : -ENODATA;
	}
	drives_ask(&q->drives, &a->drives);
	return 0;
}

static struct asked_target *target_of(struct asked *q, const char *path)
{
	for (uint32_t i = 0; i < q->targets_count; i++)
		if (!strcmp(q->targets[i].path, path))
			return &q->targets[i];
	if (q->targets_count == OBSERVE_TARGETS)
		return NULL;
	q->targets[q->targets_count] = (struct asked_target){.path = path};
	return &q->targets[q->targets_count++];
}

/* Ranges of several workers on one target are taken as one, from the first to the last byte. */
static void take_reads(struct asked_target *t, const struct pattern_region *region)
{
	bool none = t->read_end == t->read_from;
	uint64_t end = region->start + region->bytes;

	t->read_from = none ? region->start : MIN_OF(t->read_from, region->start);
	t->read_end = none ? end : MAX_OF(t->read_end, end);
}

static void list_targets(const struct supervisor *s, struct asked *q)
{
	for (uint32_t i = 0; i < s->plan->workers_count; i++) {
		const struct plan_worker *w = &s->plan->workers[i];
		if (!guard_opens_files(w) || !s->shared.workers[i].window_start_ns)
			continue;
		for (uint32_t k = 0; k < w->files.count; k++) {
			const struct plan_target *pt = &s->plan->targets[w->files.targets[k]];
			struct asked_target *t = target_of(q, pt->path);
			if (!t)
				return;
			if (w->pattern.use[DIR_READ] && k < w->pattern.regions_count)
				take_reads(t, &w->pattern.regions[k]);
		}
	}
}

static void take_target(struct observe *o, const struct asked_target *t,
	const struct answers *a, uint32_t i)
{
	struct watch_target *to = &o->targets[o->targets_count++];

	facts_forget(&watch_target_table, to);
	to->path = t->path;
	if (a->cached_rc[i] == 0) {
		to->cached_bytes = a->cached[i].bytes;
		to->dirty_bytes = a->cached[i].dirty;
		to->writeback_bytes = a->cached[i].writeback;
	}
	const struct extents *x = &a->extents[i];
	if (a->extents_rc[i] == 0 && x->complete) {
		to->read_bytes_range = x->written + x->unwritten + x->holes;
		to->read_unwritten_bytes = x->unwritten + x->holes;
	}
}

/* Bytes that the kernel wrote to DISK since the first look. */
static uint64_t written_to(void *ctx, const char *disk)
{
	const struct observe *o = ctx;
	struct disk_counters c;

	for (size_t i = 0; i < o->disks.count; i++)
		if (!strcmp(o->disks.v[i].name, disk) &&
			disk_read(&sysroot_real, o->disks.v[i].rdev, &c) == 0)
			return (c.sectors[1] - o->disks_first[i].sectors[1]) * SECTOR;
	return FACT_UNKNOWN;
}

void observe_after(struct supervisor *s)
{
	struct observe *o = s->observe;
	struct asked q = {0};

	if (!o)
		return;
	list_targets(s, &q);
	drives_list(s->environment, &q.drives);
	if (!(q.targets_count + q.drives.nvme_count + q.drives.ata_count))
		return;
	size_t size = offsetof(struct answers, drives) + drives_size(&q.drives);
	struct answers *a = calloc(1, sizeof(*a));
	int rc = a ? apart_run(ask, &q, a, size, PATIENCE_NS) : -ENOMEM;
	if (rc == 0 || rc == -ETIMEDOUT) {
		for (uint32_t i = 0; i < MIN_OF(a->targets_done, q.targets_count); i++)
			take_target(o, &q.targets[i], a, i);
		o->drives_count = drives_compare(s->environment, &q.drives, &a->drives,
			written_to, o, o->drives);
	}
	free(a);
}

/* ---- all of it ---- */

static void *copy_of(struct result *r, const void *from, size_t count, size_t size)
{
	void *to = arena_array(&r->arena, count + 1, size);
	if (to && count)
		memcpy(to, from, count * size);
	return to;
}

static double percent(uint64_t now, uint64_t before, uint64_t whole)
{
	uint64_t part = count_grown(now, before);
	return part == FACT_UNKNOWN || !whole ? (double)NAN
					      : 100.0 * (double)part / (double)whole;
}

static void gather_machine(const struct observe *o, struct watch_run *to)
{
	const struct vital_counts *a = &o->first, *b = &o->before;
	uint64_t us = to->watched_ns / NS_PER_US;
	uint64_t ticks = b->cpu_ticks - a->cpu_ticks;

	to->steal_percent = percent(b->steal_ticks, a->steal_ticks, ticks);
	to->busy_percent = 100 - percent(b->idle_ticks, a->idle_ticks, ticks);
	to->pressure_cpu_percent = percent(b->pressure_us[VITAL_CPU], a->pressure_us[VITAL_CPU],
		us);
	to->pressure_io_percent = percent(b->pressure_us[VITAL_IO], a->pressure_us[VITAL_IO],
		us);
	to->pressure_memory_percent = percent(b->pressure_us[VITAL_MEMORY],
		a->pressure_us[VITAL_MEMORY], us);
	to->dirty_before_bytes = count_sum(a->dirty_bytes, a->writeback_bytes);
	to->dirty_after_bytes = count_sum(b->dirty_bytes, b->writeback_bytes);
	to->dirty_max_bytes = o->dirty_max;
	to->frequency_min_khz = o->frequency_min;
	to->frequency_max_khz = o->frequency_max ? o->frequency_max : FACT_UNKNOWN;
	to->heat_throttled = count_grown(b->throttled, a->throttled);
	to->group_throttled_us = count_grown(b->group_throttled_us, a->group_throttled_us);
	to->cpu_temperature_max_c = o->cpu_c;
	to->drive_temperature_max_c = o->drive_c;
}

/* What a file system writes for itself is nobody's: where jobs write and sync on one, the
 * devices' writes can't be divided.  Nor where it writes everything twice. */
static bool writes_divide(const struct supervisor *s, uint64_t our_written)
{
	const struct environment *e = s->environment;
	bool filesystem = false;

	for (uint32_t i = 0; i < e->stack.count; i++) {
		const char *type = e->stack.v[i].filesystem ? e->stack.v[i].filesystem->type
							    : NULL;
		filesystem |= type != NULL;
		if (type && (!strcmp(type, "btrfs") || !strcmp(type, "bcachefs") ||
				    !strcmp(type, "zfs")))
			return false;
	}
	if (!filesystem || !our_written)
		return true;
	for (uint32_t i = 0; i < s->plan->workers_count; i++) {
		const struct target_how *how = &s->plan->workers[i].files.how;
		if (s->shared.workers[i].syncs || how->sync || how->dsync)
			return false;
	}
	return true;
}

/* What the kernel counts of a child is known when it was waited for: not in an interim report,
 * nor of one that hangs. */
static bool all_counted(const struct supervisor *s)
{
	for (uint32_t i = 0; i < s->plan->workers_count; i++)
		if (s->workers[i].end == END_STUCK)
			return false;
	return s->observe_over;
}

static void gather_bytes(const struct supervisor *s, const struct observe *o,
	struct watch_run *to)
{
	struct vital_io own;
	uint64_t read = 0, written = 0, moved[2], in_flight;

	observe_moved(s, moved, &in_flight);
	to->moved_read_bytes = moved[0];
	to->moved_written_bytes = moved[1];
	if (o->own_known && all_counted(s) && vital_io(&sysroot_real, 0, &own) == 0) {
		to->storage_read_bytes = own.read_bytes - o->own_first.read_bytes;
		to->storage_written_bytes = own.written_bytes - o->own_first.written_bytes;
	}
	for (size_t i = 0; i < o->disks.count; i++) {
		struct disk_counters c;
		if (o->disks.v[i].slave || disk_read(&sysroot_real, o->disks.v[i].rdev, &c) < 0)
			continue;
		read += (c.sectors[0] - o->disks_first[i].sectors[0]) * SECTOR;
		written += (c.sectors[1] - o->disks_first[i].sectors[1]) * SECTOR;
	}
	if (!o->disks.count)
		return;
	to->device_read_bytes = read;
	to->device_written_bytes = written;
	if (to->storage_read_bytes == FACT_UNKNOWN)
		return;
	to->foreign_read_bytes = read - MIN_OF(read, to->storage_read_bytes);
	if (writes_divide(s, to->storage_written_bytes))
		to->foreign_written_bytes = written -
					    MIN_OF(written, to->storage_written_bytes);
}

static int gather_devices(const struct observe *o, struct result *r, struct watch *w)
{
	double ms = (double)w->run.watched_ns / 1e6;

	w->devices = arena_array(&r->arena, o->disks.count + 1, sizeof(*w->devices));
	if (!w->devices)
		return -ENOMEM;
	for (size_t i = 0; i < o->disks.count; i++) {
		const struct disk_counters *a = &o->disks_first[i];
		struct disk_counters b;
		if (disk_read(&sysroot_real, o->disks.v[i].rdev, &b) < 0)
			continue;
		struct watch_device *d = &w->devices[w->devices_count++];
		*d = (struct watch_device){
			.name = arena_text(&r->arena, o->disks.v[i].name),
			.read_bytes = (b.sectors[0] - a->sectors[0]) * SECTOR,
			.written_bytes = (b.sectors[1] - a->sectors[1]) * SECTOR,
			.reads = b.ios[0] - a->ios[0],
			.writes = b.ios[1] - a->ios[1],
			.busy_percent =
				ms > 0 ? MIN_OF(100.0 * (double)(b.busy_ms - a->busy_ms) / ms,
						 100.0)
				       : (double)NAN,
			.depth_mean = ms > 0 ? (double)(b.in_queue_ms - a->in_queue_ms) / ms
					     : (double)NAN,
		};
	}
	return 0;
}

/* One more worker of the job. */
static void job_add(struct watch_job *j, const struct observed *w, double *time_ns,
	double *wait_ns)
{
	double ns = (double)(w->last_ns - MIN_OF(w->last_ns, w->first_ns));

	j->workers++;
	j->in_flight_max = MAX_OF(j->in_flight_max, w->in_flight_max);
	if (ns > 0) {
		double cpu = 100.0 * (double)(w->last.run_ns - w->first.run_ns) / ns;
		cpu = MIN_OF(cpu, 100.0);
		j->cpu_max_percent = isnan(j->cpu_max_percent)
					     ? cpu
					     : MAX_OF(j->cpu_max_percent, cpu);
		*time_ns += ns;
		*wait_ns += (double)(w->last.wait_ns - w->first.wait_ns);
	}
	if (!w->io_known || w->moved_last < w->moved_first)
		return;
	bool none = j->moved_read_bytes == FACT_UNKNOWN;
	j->moved_read_bytes = (none ? 0 : j->moved_read_bytes) + w->moved_last - w->moved_first;
	j->storage_read_bytes = (none ? 0 : j->storage_read_bytes) + w->io_last.read_bytes -
				w->io_first.read_bytes;
}

/* Do both read the same bytes from the first to the last? */
static bool in_step(const struct plan_worker *a, const struct plan_worker *b)
{
	return a->wave == b->wave && b->pattern.use[DIR_READ] && !b->pattern.random &&
	       b->files.count && b->pattern.regions_count &&
	       a->files.targets[0] == b->files.targets[0] &&
	       a->pattern.regions[0].start == b->pattern.regions[0].start;
}

static uint64_t write_block(const struct size_spec *size)
{
	uint64_t least = size->min;
	for (uint32_t i = 0; i < size->splits_count; i++)
		least = i ? MIN_OF(least, (uint64_t)size->splits[i].bytes)
			  : size->splits[i].bytes;
	return least;
}

static void plan_facts(const struct plan *plan, const struct plan_row *pr, struct watch_job *j)
{
	const struct plan_worker *w = &plan->workers[pr->first_worker];
	const struct pattern_spec *p = &w->pattern;

	j->requests = j->random_read_bytes = j->in_step = 0;
	for (uint32_t i = 0; i < pr->workers; i++)
		j->requests += w[i].queue.depth;
	j->runtime_asked_ns = w->time.runtime_ns;
	j->write_block_bytes = p->use[DIR_WRITE] ? write_block(&p->size[DIR_WRITE]) : 0;
	if (!guard_opens_files(w))
		return;
	if (p->use[DIR_READ] && p->random)
		for (uint32_t i = 0; i < p->regions_count; i++)
			j->random_read_bytes += p->regions[i].bytes;
	if (!in_step(w, w))
		return;
	for (uint32_t i = 0; i < plan->workers_count; i++)
		j->in_step += guard_opens_files(&plan->workers[i]) &&
			      in_step(w, &plan->workers[i]);
}

static void gather_job(const struct supervisor *s, uint32_t row, struct watch_job *j)
{
	const struct observe *o = s->observe;
	const struct plan_row *pr = &s->plan->rows[row];
	const struct plan_worker *first = &s->plan->workers[pr->first_worker];
	double time_ns = 0, wait_ns = 0;

	facts_forget(&watch_job_table, j);
	j->name = first->name;
	j->buffered = guard_opens_files(first) && !first->queue.direct;
	j->workers = j->in_flight_max = 0;
	plan_facts(s->plan, pr, j);
	for (uint32_t i = 0; i < o->workers_count; i++)
		if (o->workers[i].seen && o->workers[i].worker >= pr->first_worker &&
			o->workers[i].worker < pr->first_worker + pr->workers)
			job_add(j, &o->workers[i], &time_ns, &wait_ns);
	if (time_ns > 0)
		j->cpu_wait_percent = MIN_OF(100.0 * wait_ns / time_ns, 100.0);
}

/* Threads have no counters of their own; alone they are all there is. */
static void only_job(const struct watch *w, const struct supervisor *s)
{
	struct watch_job *j = w->jobs;

	if (w->jobs_count != 1 || j->moved_read_bytes != FACT_UNKNOWN || !s->observe_over)
		return;
	j->moved_read_bytes = w->run.moved_read_bytes;
	j->storage_read_bytes = w->run.storage_read_bytes;
}

int observe_gather(const struct supervisor *s, struct result *r)
{
	const struct observe *o = s->observe;

	if (!o || !o->begun)
		return 0;
	struct watch *w = arena_alloc(&r->arena, sizeof(*w));
	if (!w)
		return -ENOMEM;
	facts_forget(&watch_run_table, &w->run);
	w->run.samples = o->samples;
	w->run.watched_ns = o->before_ns - o->first_ns;
	if (w->run.watched_ns)
		w->run.cost_percent = 100.0 * (double)o->cost_ns / (double)w->run.watched_ns;
	gather_machine(o, &w->run);
	if (o->kmsg == -EPERM || o->kmsg == -EACCES)
		w->run.kernel_not_read = arena_text(&r->arena, strerror(-o->kmsg));
	gather_bytes(s, o, &w->run);
	w->jobs_count = MIN_OF(s->plan->rows_count, (uint32_t)OBSERVE_WORKERS);
	w->jobs = arena_array(&r->arena, w->jobs_count + 1, sizeof(*w->jobs));
	w->targets = copy_of(r, o->targets, o->targets_count, sizeof(*o->targets));
	w->drives = copy_of(r, o->drives, o->drives_count, sizeof(*o->drives));
	w->seconds = copy_of(r, o->seconds, o->seconds_count, sizeof(*o->seconds));
	w->kernel = arena_array(&r->arena, WATCH_KERNEL_LINES, sizeof(*w->kernel));
	if (!w->jobs || !w->targets || !w->drives || !w->seconds || !w->kernel)
		return -ENOMEM;
	for (uint32_t i = 0; i < w->jobs_count; i++)
		gather_job(s, i, &w->jobs[i]);
	only_job(w, s);
	w->targets_count = o->targets_count;
	w->drives_count = o->drives_count;
	w->seconds_count = o->seconds_count;
	for (uint32_t i = 0; i < o->kernel_count; i++)
		if ((w->kernel[w->kernel_count] = arena_text(&r->arena, o->kernel[i])))
			w->kernel_count++;
	w->kernel_more = o->kernel_more;
	r->watch = w;
	return gather_devices(o, r, w);
}
