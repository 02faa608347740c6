/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "run/observe.h"

#include "base/bits.h"
#include "result/environment.h"
#include "run/prepare/disks.h"
#include "run/prepare/guard.h"
#include "run/supervisor.h"
#include "sys/kmsg.h"
#include "sys/sysroot.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define LOOK_NS   NS_PER_S
#define DRIVES_NS (10 * NS_PER_S) /* a drive's temperature is a command to it */
#define SECTOR    512u

static uint64_t own_cpu_ns(void)
{
	struct timespec ts;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
	return (uint64_t)ts.tv_sec * NS_PER_S + (uint64_t)ts.tv_nsec;
}

/* ---- begin and end ---- */

struct observe *observe_begin(const struct supervisor *s)
{
	if (!s->how->native || !s->environment)
		return NULL;
	struct observe *o = calloc(1, sizeof(*o));
	if (!o)
		return NULL;
	disks_find(s->plan, &o->disks);
	o->disks_first = calloc(o->disks.count + 1, sizeof(*o->disks_first));
	if (!o->disks_first) {
		disk_list_done(&o->disks);
		free(o);
		return NULL;
	}
	vital_find(&sysroot_real, &o->vital);
	o->kmsg = o->disks.count ? kmsg_open() : -ENOENT;
	o->stride = 1;
	o->frequency_min = o->cpu_c = o->drive_c = o->drive_c_last = FACT_UNKNOWN;
	return o;
}

void observe_free(struct observe *o)
{
	if (!o)
		return;
	if (o->kmsg >= 0)
		close(o->kmsg);
	for (uint32_t i = 0; i < o->kernel_count; i++)
		free(o->kernel[i]);
	disk_list_done(&o->disks);
	free(o->disks_first);
	free(o);
}

/* ---- devices and the machine ---- */

/* Slaves stand below what carries a target: their traffic is the same again. */
static void device_bytes(const struct observe *o, uint64_t ret[2])
{
	struct disk_counters c;

	ret[0] = ret[1] = 0;
	for (size_t i = 0; i < o->disks.count; i++) {
		if (o->disks.v[i].slave || disk_read(&sysroot_real, o->disks.v[i].rdev, &c) < 0)
			continue;
		ret[0] += c.sectors[0] * SECTOR;
		ret[1] += c.sectors[1] * SECTOR;
	}
}

void observe_moved(const struct supervisor *s, uint64_t ret[2], uint64_t *ret_in_flight)
{
	ret[0] = ret[1] = *ret_in_flight = 0;
	for (uint32_t i = 0; i < s->end; i++) {
		const struct shared_worker *sh = &s->shared.workers[i];
		for (int d = 0; d <= DIR_WRITE; d++)
			ret[d] += __atomic_load_n(&sh->count[d].live_bytes, __ATOMIC_RELAXED);
		if (!s->workers[i].ended)
			*ret_in_flight += __atomic_load_n(&sh->in_flight, __ATOMIC_RELAXED);
	}
}

static void begin(struct supervisor *s, struct observe *o, uint64_t now)
{
	uint64_t in_flight;

	o->begun = true;
	o->first_ns = o->before_ns = now;
	o->own_known = vital_io(&sysroot_real, 0, &o->own_first) == 0;
	for (size_t i = 0; i < o->disks.count; i++)
		disk_read(&sysroot_real, o->disks.v[i].rdev, &o->disks_first[i]);
	vital_look(&o->vital, true, &o->first);
	o->before = o->first;
	device_bytes(o, o->device_before);
	observe_moved(s, o->moved_before, &in_flight);
	o->drives_due_ns = now + DRIVES_NS;
}

static double share(uint64_t part, uint64_t before, uint64_t whole)
{
	if (part == FACT_UNKNOWN || before == FACT_UNKNOWN || part < before || !whole)
		return (double)NAN;
	return 100.0 * (double)(part - before) / (double)whole;
}

static void most(uint64_t *to, uint64_t value)
{
	if (value != FACT_UNKNOWN && (*to == FACT_UNKNOWN || value > *to))
		*to = value;
}

static void extremes(struct observe *o, const struct vital_counts *c)
{
	uint64_t dirty = count_sum(c->dirty_bytes, c->writeback_bytes);

	if (dirty != FACT_UNKNOWN)
		o->dirty_max = MAX_OF(o->dirty_max, dirty);
	o->frequency_min = MIN_OF(o->frequency_min, c->frequency_khz);
	if (c->frequency_khz != FACT_UNKNOWN)
		o->frequency_max = MAX_OF(o->frequency_max, c->frequency_khz);
	most(&o->cpu_c, c->cpu_c);
	most(&o->drive_c, c->drive_c);
	if (c->drive_c != FACT_UNKNOWN)
		o->drive_c_last = c->drive_c;
}

/* ---- the series ---- */

static double mean_of(double a, double b, uint32_t weight)
{
	return (a * weight + b) / (weight + 1);
}

/* B joins A, which already stands for WEIGHT looks. */
static void second_add(struct watch_second *a, const struct watch_second *b, uint32_t weight)
{
	a->t_s = b->t_s;
	a->steal_percent = mean_of(a->steal_percent, b->steal_percent, weight);
	a->busy_percent = mean_of(a->busy_percent, b->busy_percent, weight);
	a->pressure_io_percent = mean_of(a->pressure_io_percent, b->pressure_io_percent,
		weight);
	a->device_read_bytes += b->device_read_bytes;
	a->device_written_bytes += b->device_written_bytes;
	a->moved_read_bytes += b->moved_read_bytes;
	a->moved_written_bytes += b->moved_written_bytes;
	a->dirty_bytes = b->dirty_bytes;
	a->frequency_khz = MIN_OF(a->frequency_khz, b->frequency_khz);
	most(&a->cpu_temperature_c, b->cpu_temperature_c);
	most(&a->drive_temperature_c, b->drive_temperature_c);
	a->in_flight = MAX_OF(a->in_flight, b->in_flight);
}

void observe_put(struct observe *o, const struct watch_second *one)
{
	if (o->pending) {
		second_add(&o->seconds[o->seconds_count - 1], one, o->pending);
	} else {
		if (o->seconds_count == WATCH_SECONDS) {
			for (uint32_t i = 0; i < WATCH_SECONDS / 2; i++) {
				o->seconds[i] = o->seconds[2 * i];
				second_add(&o->seconds[i], &o->seconds[2 * i + 1], 1);
			}
			o->seconds_count = WATCH_SECONDS / 2;
			o->stride *= 2;
		}
		o->seconds[o->seconds_count++] = *one;
	}
	o->pending = (o->pending + 1) % o->stride;
}

static void sample(struct supervisor *s, struct observe *o, uint64_t now)
{
	struct vital_counts c;
	uint64_t device[2], moved[2], in_flight;
	bool drives = now >= o->drives_due_ns;
	uint64_t elapsed_us = (now - o->before_ns) / NS_PER_US;

	vital_look(&o->vital, drives, &c);
	o->drives_due_ns += drives ? DRIVES_NS : 0;
	extremes(o, &c);
	device_bytes(o, device);
	observe_moved(s, moved, &in_flight);
	uint64_t ticks = c.cpu_ticks - o->before.cpu_ticks;
	struct watch_second one = {
		.t_s = (double)(now - o->first_ns) / 1e9,
		.steal_percent = share(c.steal_ticks, o->before.steal_ticks, ticks),
		.busy_percent = 100 - share(c.idle_ticks, o->before.idle_ticks, ticks),
		.pressure_io_percent = share(c.pressure_us[VITAL_IO],
			o->before.pressure_us[VITAL_IO], elapsed_us),
		.device_read_bytes = device[0] - MIN_OF(device[0], o->device_before[0]),
		.device_written_bytes = device[1] - MIN_OF(device[1], o->device_before[1]),
		.moved_read_bytes = moved[0] - MIN_OF(moved[0], o->moved_before[0]),
		.moved_written_bytes = moved[1] - MIN_OF(moved[1], o->moved_before[1]),
		.dirty_bytes = count_sum(c.dirty_bytes, c.writeback_bytes),
		.frequency_khz = c.frequency_khz,
		.cpu_temperature_c = c.cpu_c,
		.drive_temperature_c = o->drive_c_last,
		.in_flight = in_flight,
	};
	observe_put(o, &one);
	o->before = c;
	o->before_ns = now;
	memcpy(o->device_before, device, sizeof(device));
	memcpy(o->moved_before, moved, sizeof(moved));
	o->samples++;
}

/* ---- workers ---- */

/* One more file of /proc for each worker: only where a page cache can have a part in it. */
static void look_io(const struct supervisor *s, struct observed *w, bool first)
{
	const struct shared_worker *sh = &s->shared.workers[w->worker];
	const struct plan_worker *pw = &s->plan->workers[w->worker];
	struct vital_io *to = first ? &w->io_first : &w->io_last;

	if (pw->thread || !guard_opens_files(pw) || pw->queue.direct ||
		(!first && !w->io_begun))
		return;
	*(first ? &w->io_begun : &w->io_known) = vital_io(&sysroot_real,
							 s->workers[w->worker].pid, to) == 0;
	*(first ? &w->moved_first
		: &w->moved_last) = __atomic_load_n(&sh->count[DIR_READ].live_bytes,
		__ATOMIC_RELAXED);
}

static void look_worker(const struct supervisor *s, struct observed *w, uint64_t now)
{
	const struct shared_worker *sh = &s->shared.workers[w->worker];
	pid_t tid = s->plan->workers[w->worker].thread ? sh->tid : 0;
	uint64_t in_flight = __atomic_load_n(&sh->in_flight, __ATOMIC_RELAXED);
	struct vital_task t;

	if (!s->workers[w->worker].pid ||
		vital_task(&sysroot_real, s->workers[w->worker].pid, tid, &t) < 0)
		return;
	w->in_flight_max = MAX_OF(w->in_flight_max, in_flight);
	w->last = t;
	w->last_ns = now;
	if (w->seen)
		return;
	w->seen = true;
	w->first = t;
	w->first_ns = now;
	look_io(s, w, true);
}

/* Those of the new wave. */
static void take_workers(const struct supervisor *s, struct observe *o)
{
	uint32_t known = o->workers_count ? o->workers[o->workers_count - 1].worker + 1 : 0;

	for (uint32_t i = MAX_OF(s->first, known);
		i < s->end && o->workers_count < OBSERVE_WORKERS; i++)
		if (s->workers[i].started && !s->workers[i].gone)
			o->workers[o->workers_count++] = (struct observed){.worker = i};
}

void observe_ended(struct supervisor *s, pid_t pid)
{
	struct observe *o = s->observe;
	uint64_t now = clock_now(&s->clock), cpu = own_cpu_ns();

	for (uint32_t i = 0; o && i < o->workers_count; i++) {
		struct observed *w = &o->workers[i];
		if (!w->seen || s->workers[w->worker].pid != pid)
			continue;
		look_worker(s, w,
			MIN_OF(now, s->shared.workers[w->worker].window_end_ns
					    ? s->shared.workers[w->worker].window_end_ns
					    : now));
		look_io(s, w, false);
	}
	if (o)
		o->cost_ns += own_cpu_ns() - cpu;
}

/* ---- the kernel's log ---- */

static bool about_us(const struct supervisor *s, const char *text)
{
	const struct environment *e = s->environment;

	for (uint32_t i = 0; e && i < e->stack.count; i++)
		if (strcmp(e->stack.v[i].kind, "filesystem") != 0 &&
			kmsg_names(text, e->stack.v[i].id))
			return true;
	return false;
}

static void look_kernel(const struct supervisor *s, struct observe *o)
{
	char text[256];

	while (o->kmsg >= 0 && kmsg_next(o->kmsg, text, sizeof(text))) {
		if (!about_us(s, text))
			continue;
		char *copy = o->kernel_count < WATCH_KERNEL_LINES ? strdup(text) : NULL;
		if (copy)
			o->kernel[o->kernel_count++] = copy;
		else
			o->kernel_more++;
	}
}

void observe_wave(struct supervisor *s)
{
	if (s->observe)
		s->observe->due_ns = 0;
	observe_look(s, false);
}

void observe_look(struct supervisor *s, bool last)
{
	struct observe *o = s->observe;
	uint64_t now;

	if (!o || ((now = clock_now(&s->clock)) < o->due_ns && !last && o->begun))
		return;
	uint64_t cpu = own_cpu_ns();
	if (!o->begun)
		begin(s, o, now);
	else if (now > o->before_ns + NS_PER_S / 20)
		sample(s, o, now);
	if (!last)
		take_workers(s, o);
	for (uint32_t i = 0; i < o->workers_count && !last; i++)
		if (o->workers[i].worker >= s->first && !s->workers[o->workers[i].worker].gone)
			look_worker(s, &o->workers[i], now);
	look_kernel(s, o);
	o->due_ns = now + LOOK_NS;
	o->cost_ns += own_cpu_ns() - cpu;
}
