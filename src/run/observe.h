/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Looking at machine, devices and workers while they run: once a second, by the supervisor.
 * Workers take no part in it: what is told of them is read from /proc and from the counters
 * that they keep anyway.
 *
 * A look costs some 20 system calls, and one for each worker (the first OBSERVE_WORKERS).
 * What may wait for a device is asked after the run, in a process of its own (observe_after.c).
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "result/watch.h"
#include "run/observe_drives.h"
#include "sys/disk.h"
#include "sys/vital.h"

struct result;
struct supervisor;

#define OBSERVE_WORKERS 64
#define OBSERVE_TARGETS 16

/* Of one worker: the first and the last look. */
struct observed {
	uint32_t worker;
	bool seen, io_begun;
	bool io_known; /* it has ended, and both looks at its bytes were had  */
	uint64_t first_ns, last_ns;
	struct vital_task first, last;
	struct vital_io io_first, io_last;
	uint64_t moved_first, moved_last; /* bytes read                          */
	uint64_t in_flight_max;
};

/* All of it; one for a run, heap.  `first` is the look at the release of the first wave,
 * `before` the last one. */
struct observe {
	struct vital vital;
	struct vital_counts first, before;
	struct vital_io own_first;
	bool own_known, begun;
	struct disk_list disks;
	struct disk_counters *disks_first;
	uint64_t first_ns, before_ns, due_ns, drives_due_ns;
	uint64_t device_before[2], moved_before[2];
	uint64_t cost_ns, samples;
	uint64_t dirty_max, frequency_min, frequency_max, cpu_c, drive_c;
	uint64_t drive_c_last;
	struct observed workers[OBSERVE_WORKERS];
	uint32_t workers_count;
	struct watch_second seconds[WATCH_SECONDS];
	uint32_t seconds_count;
	uint32_t stride, pending; /* looks in an entry; in the last one so far      */
	int kmsg;
	char *kernel[WATCH_KERNEL_LINES];
	uint32_t kernel_count, kernel_more;
	/* asked after the run */
	struct watch_target targets[OBSERVE_TARGETS];
	struct watch_drive drives[DRIVES_ALL];
	uint32_t targets_count, drives_count;
};

/* Before the first wave.  NULL: out of memory, or nothing is to be looked at. */
struct observe *observe_begin(const struct supervisor *s);
void observe_free(struct observe *o);

/* A wave is ready and not released yet: short jobs are seen from their first byte. */
void observe_wave(struct supervisor *s);

/* Whenever the supervisor looks; LAST: the wave is over. */
void observe_look(struct supervisor *s, bool last);

/* A look joins the series; when that is full neighbours become one. O has a stride, first 1. */
void observe_put(struct observe *o, const struct watch_second *one);

/* Process PID has ended, and wasn't waited for yet. */
void observe_ended(struct supervisor *s, pid_t pid);

/* After the last wave, before the result is gathered. */
void observe_after(struct supervisor *s);

/* Bytes that workers have read and written since they began, and what they have in flight. */
void observe_moved(const struct supervisor *s, uint64_t ret[2], uint64_t *ret_in_flight);

/* What is known so far, into R. 0 or -ENOMEM. */
int observe_gather(const struct supervisor *s, struct result *r);
