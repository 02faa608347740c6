/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What was seen of machine, devices and workers while they ran: looked at once a second by
 * the supervisor, and once more at the end.  docs/guide/watch.md has its JSON.
 *
 * Structs of facts with a table of rows each (base/fact.h); what isn't known is unknown.
 * All memory is in the arena of the result. */
#pragma once

#include <stdint.h>

#include "base/fact.h"

/* From the release of the first wave to the end of the last. */
struct watch_run {
	uint64_t samples;
	uint64_t watched_ns;
	double cost_percent; /* CPU time that the watching took, of one CPU           */
	/* shares of all CPUs' time */
	double busy_percent, steal_percent;
	/* share of time in which something waited for it */
	double pressure_cpu_percent, pressure_io_percent, pressure_memory_percent;
	uint64_t dirty_before_bytes, dirty_max_bytes, dirty_after_bytes; /* with writeback */
	uint64_t frequency_min_khz, frequency_max_khz;
	uint64_t heat_throttled;     /* times that a CPU was slowed down               */
	uint64_t group_throttled_us; /* that cpu.max held our control group             */
	uint64_t cpu_temperature_max_c, drive_temperature_max_c;
	/* bytes: that jobs asked for, ramps included; that the kernel brought from or to
	 * storage for weir's processes; that the devices moved; and the rest, others' */
	uint64_t moved_read_bytes, moved_written_bytes;
	uint64_t storage_read_bytes, storage_written_bytes;
	uint64_t device_read_bytes, device_written_bytes;
	uint64_t foreign_read_bytes, foreign_written_bytes;
	const char *kernel_not_read; /* why the kernel's log wasn't; NULL: it was, or nobody
					asked */
};

struct watch_device {
	const char *name;
	uint64_t read_bytes, written_bytes, reads, writes;
	double busy_percent;
	double depth_mean; /* requests in flight at the device                      */
};

/* Of a job's workers. */
struct watch_job {
	const char *name;
	uint64_t buffered;       /* flag: through the page cache                        */
	uint64_t workers;        /* that were looked at                                 */
	double cpu_max_percent;  /* of one CPU: the busiest worker                    */
	double cpu_wait_percent; /* of their time they were ready, but without a CPU  */
	uint64_t in_flight_max;  /* in all looks, of one worker                       */
	uint64_t moved_read_bytes, storage_read_bytes; /* of the same processes        */
	/* from its plan */
	uint64_t requests;          /* in flight at most, of all its workers           */
	uint64_t runtime_asked_ns;  /* 0: none                                        */
	uint64_t write_block_bytes; /* the smallest; 0: it doesn't write             */
	uint64_t random_read_bytes; /* size of the range; 0: it doesn't read at random */
	uint64_t in_step; /* workers that read the same range in order, at the same time */
};

/* A file or device after the run. */
struct watch_target {
	const char *path;
	uint64_t cached_bytes, dirty_bytes, writeback_bytes; /* in the page cache     */
	uint64_t read_bytes_range;     /* that jobs read: the range, not the traffic   */
	uint64_t read_unwritten_bytes; /* of that range: never written, or holes    */
};

/* A drive's own counters: after less before. */
struct watch_drive {
	const char *name;
	uint64_t host_read_bytes, host_written_bytes;
	uint64_t throttled; /* times that it slowed itself down                      */
	uint64_t hot_minutes;
	uint64_t media_errors, error_log_entries;
	uint64_t temperature_c; /* at the end                                     */
	uint64_t over_limit;    /* ATA: times that it was found too warm          */
	/* ATA: sectors that were moved, that can hardly be read, that can't; errors of the link
	 */
	uint64_t reallocated_sectors, pending_sectors, uncorrectable_sectors, link_errors;
	/* NAN where the steps of both counters are too coarse for what was written */
	uint64_t media_written_bytes;
	double write_amplification; /* that the media wrote for each byte of a host's  */
};

/* Means over one or more looks. */
struct watch_second {
	double t_s; /* of its end, since the first look                               */
	double steal_percent, busy_percent;
	double pressure_io_percent;
	uint64_t device_read_bytes, device_written_bytes;
	uint64_t moved_read_bytes, moved_written_bytes;
	uint64_t dirty_bytes;
	uint64_t frequency_khz;
	uint64_t cpu_temperature_c, drive_temperature_c;
	uint64_t in_flight; /* of all workers, at that moment                        */
};

#define WATCH_KERNEL_LINES 16
#define WATCH_SECONDS      512 /* more: neighbours merge */

/* All of it; lists are by the order in which things were found. */
struct watch {
	struct watch_run run;
	struct watch_device *devices;
	struct watch_job *jobs;
	struct watch_target *targets;
	struct watch_drive *drives;
	struct watch_second *seconds;
	const char **kernel; /* what the kernel said about these devices              */
	uint32_t devices_count, jobs_count, targets_count, drives_count, seconds_count,
		kernel_count, kernel_more;
};

extern const struct fact_table watch_run_table, watch_device_table, watch_job_table,
	watch_target_table, watch_drive_table, watch_second_table;

/* The lists by their keys in JSON. */
struct watch_list {
	const char *key;
	const struct fact_table *table;
	size_t size;          /* of an entry                                     */
	size_t offset, count; /* of the pointer and the uint32_t in struct watch */
};
#define WATCH_LISTS 5
extern const struct watch_list watch_lists[WATCH_LISTS];

/* The first entry of LIST in W, and how many there are; NULL: none. */
void *watch_list_of(const struct watch *w, const struct watch_list *list, uint32_t *ret_count);

/* Part of what a job read that came from the page cache, 0 to 1; < 0: not known. */
double watch_cache_share(const struct watch_job *job);

/* Part of what the devices moved that was others', 0 to 1; < 0: not known. */
double watch_foreign_share(const struct watch_run *run);
