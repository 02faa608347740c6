/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "run/prepare/disks.h"

#include "base/bits.h"
#include "base/log.h"
#include "plan/plan.h"
#include "run/prepare/guard.h"
#include "result/result.h"
#include "sys/disk.h"
#include "sys/sysroot.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

struct disks {
	struct disk_list list;
	struct disk_counters *first; /* one per entry of the list */
};

static size_t folder_length(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? (size_t)(slash - path) + 1 : 0;
}

/* A hundred thousand files of one folder are on one disk, so a file system that was seen
 * isn't asked again: that would read the table of mounts each time.  Numbers of btrfs,
 * overlayfs and the like (major 0) say so only of files in the same folder. */
static bool seen_before(const struct plan_target *t, const struct plan_target *last)
{
	if (!last || t->found.kind != last->found.kind)
		return false;
	if (t->found.kind == LOOK_BLOCK)
		return t->found.rdev == last->found.rdev;
	size_t len = folder_length(t->path);
	return t->found.dev == last->found.dev &&
	       (major(t->found.dev) || (len == folder_length(last->path) &&
					       memcmp(t->path, last->path, len) == 0));
}

void disks_find(const struct plan *plan, struct disk_list *list)
{
	const struct plan_target *last = NULL;
	for (uint32_t i = 0; i < plan->workers_count; i++) {
		const struct plan_worker *w = &plan->workers[i];
		for (uint32_t k = 0; guard_opens_files(w) && k < w->files.count; k++) {
			const struct plan_target *t = &plan->targets[w->files.targets[k]];
			bool seen = seen_before(t, last);
			last = t;
			if (!seen && disk_list_add(&sysroot_real, t->path, list) < 0)
				log_debug(LOG_RUN, "disks of %s: out of memory", t->path);
		}
	}
}

struct disks *disks_start(const struct plan *plan)
{
	struct disks *d = calloc(1, sizeof(*d));
	if (!d)
		return NULL;
	disks_find(plan, &d->list);
	d->first = calloc(d->list.count + 1, sizeof(*d->first));
	if (!d->first || !d->list.count) {
		disks_free(d);
		return NULL;
	}
	for (size_t i = 0; i < d->list.count; i++)
		disk_read(&sysroot_real, d->list.v[i].rdev, &d->first[i]);
	return d;
}

/* Counters are 32 bits wide on some machines and go back when a device is
 * replaced; then nothing is known. */
static uint64_t grown(uint64_t now, uint64_t before)
{
	return now > before ? now - before : 0;
}

static void difference(const struct disk_counters *now, const struct disk_counters *before,
	uint64_t elapsed_ms, struct result_disk_counters *ret)
{
	for (int i = 0; i < 2; i++) {
		ret->ios[i] = grown(now->ios[i], before->ios[i]);
		ret->sectors[i] = grown(now->sectors[i], before->sectors[i]);
		ret->merges[i] = grown(now->merges[i], before->merges[i]);
		ret->ticks_ms[i] = grown(now->ticks_ms[i], before->ticks_ms[i]);
	}
	ret->in_queue_ms = grown(now->in_queue_ms, before->in_queue_ms);
	uint64_t busy_ms = grown(now->busy_ms, before->busy_ms);
	if (elapsed_ms)
		ret->util_percent = MIN_OF(100.0 * (double)busy_ms / (double)elapsed_ms, 100.0);
}

/* The mean over the N entries that follow TOP. */
static void average(struct result_disk *top, uint32_t n)
{
	struct result_disk_counters *m = &top->mean;
	for (uint32_t k = 1; k <= n; k++) {
		const struct result_disk_counters *c = &top[k].own;
		for (int i = 0; i < 2; i++) {
			m->ios[i] += c->ios[i];
			m->sectors[i] += c->sectors[i];
			m->merges[i] += c->merges[i];
			m->ticks_ms[i] += c->ticks_ms[i];
		}
		m->in_queue_ms += c->in_queue_ms;
		top->util_max = MAX_OF(top->util_max, c->util_percent);
	}
	for (int i = 0; i < 2; i++) {
		m->ios[i] /= n;
		m->sectors[i] /= n;
		m->merges[i] /= n;
		m->ticks_ms[i] /= n;
	}
	m->in_queue_ms /= n;
	m->util_percent = top->util_max;
}

int disks_finish(struct disks *d, uint64_t elapsed_ms, struct result *r)
{
	size_t count = d->list.count;
	struct result_disk *out = arena_array(&r->arena, count, sizeof(*out));
	if (!out)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++) {
		const struct disk *from = &d->list.v[i];
		struct disk_counters now = d->first[i];
		disk_read(&sysroot_real, from->rdev, &now); /* gone: nothing is known */
		out[i].name = arena_text(&r->arena, from->name);
		if (!out[i].name)
			return -ENOMEM;
		out[i].slaves = from->slaves;
		out[i].is_slave = from->slave;
		difference(&now, &d->first[i], elapsed_ms, &out[i].own);
	}
	for (size_t i = 0; i < count; i++)
		if (out[i].slaves)
			average(&out[i], out[i].slaves);
	r->disks = out;
	r->disks_count = (uint32_t)count;
	return 0;
}

void disks_free(struct disks *d)
{
	if (!d)
		return;
	disk_list_done(&d->list);
	free(d->first);
	free(d);
}
