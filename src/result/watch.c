/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "result/watch.h"

#include "base/bits.h"

#include <string.h>

#define RUN_COUNT(member) COUNT_FACT(struct watch_run, member)
#define RUN_REAL(member)  REAL_FACT(struct watch_run, member)

static const struct fact run_rows[] = {
	RUN_COUNT(samples),
	RUN_COUNT(watched_ns),
	RUN_REAL(cost_percent),
	RUN_REAL(busy_percent),
	RUN_REAL(steal_percent),
	RUN_REAL(pressure_cpu_percent),
	RUN_REAL(pressure_io_percent),
	RUN_REAL(pressure_memory_percent),
	RUN_COUNT(dirty_before_bytes),
	RUN_COUNT(dirty_max_bytes),
	RUN_COUNT(dirty_after_bytes),
	RUN_COUNT(frequency_min_khz),
	RUN_COUNT(frequency_max_khz),
	RUN_COUNT(heat_throttled),
	RUN_COUNT(group_throttled_us),
	RUN_COUNT(cpu_temperature_max_c),
	RUN_COUNT(drive_temperature_max_c),
	RUN_COUNT(moved_read_bytes),
	RUN_COUNT(moved_written_bytes),
	RUN_COUNT(storage_read_bytes),
	RUN_COUNT(storage_written_bytes),
	RUN_COUNT(device_read_bytes),
	RUN_COUNT(device_written_bytes),
	RUN_COUNT(foreign_read_bytes),
	RUN_COUNT(foreign_written_bytes),
	TEXT_FACT(struct watch_run, kernel_not_read),
};

static const struct fact device_rows[] = {
	TEXT_FACT(struct watch_device, name),
	COUNT_FACT(struct watch_device, read_bytes),
	COUNT_FACT(struct watch_device, written_bytes),
	COUNT_FACT(struct watch_device, reads),
	COUNT_FACT(struct watch_device, writes),
	REAL_FACT(struct watch_device, busy_percent),
	REAL_FACT(struct watch_device, depth_mean),
};

static const struct fact job_rows[] = {
	TEXT_FACT(struct watch_job, name),
	FLAG_FACT(struct watch_job, buffered),
	COUNT_FACT(struct watch_job, workers),
	REAL_FACT(struct watch_job, cpu_max_percent),
	REAL_FACT(struct watch_job, cpu_wait_percent),
	COUNT_FACT(struct watch_job, in_flight_max),
	COUNT_FACT(struct watch_job, moved_read_bytes),
	COUNT_FACT(struct watch_job, storage_read_bytes),
	COUNT_FACT(struct watch_job, requests),
	COUNT_FACT(struct watch_job, runtime_asked_ns),
	COUNT_FACT(struct watch_job, write_block_bytes),
	COUNT_FACT(struct watch_job, random_read_bytes),
	COUNT_FACT(struct watch_job, in_step),
};

static const struct fact target_rows[] = {
	TEXT_FACT(struct watch_target, path),
	COUNT_FACT(struct watch_target, cached_bytes),
	COUNT_FACT(struct watch_target, dirty_bytes),
	COUNT_FACT(struct watch_target, writeback_bytes),
	COUNT_FACT(struct watch_target, read_bytes_range),
	COUNT_FACT(struct watch_target, read_unwritten_bytes),
};

static const struct fact drive_rows[] = {
	TEXT_FACT(struct watch_drive, name),
	COUNT_FACT(struct watch_drive, host_read_bytes),
	COUNT_FACT(struct watch_drive, host_written_bytes),
	COUNT_FACT(struct watch_drive, throttled),
	COUNT_FACT(struct watch_drive, hot_minutes),
	COUNT_FACT(struct watch_drive, media_errors),
	COUNT_FACT(struct watch_drive, error_log_entries),
	COUNT_FACT(struct watch_drive, temperature_c),
	COUNT_FACT(struct watch_drive, over_limit),
	COUNT_FACT(struct watch_drive, reallocated_sectors),
	COUNT_FACT(struct watch_drive, pending_sectors),
	COUNT_FACT(struct watch_drive, uncorrectable_sectors),
	COUNT_FACT(struct watch_drive, link_errors),
	COUNT_FACT(struct watch_drive, media_written_bytes),
	REAL_FACT(struct watch_drive, write_amplification),
};

static const struct fact second_rows[] = {
	REAL_FACT(struct watch_second, t_s),
	REAL_FACT(struct watch_second, steal_percent),
	REAL_FACT(struct watch_second, busy_percent),
	REAL_FACT(struct watch_second, pressure_io_percent),
	COUNT_FACT(struct watch_second, device_read_bytes),
	COUNT_FACT(struct watch_second, device_written_bytes),
	COUNT_FACT(struct watch_second, moved_read_bytes),
	COUNT_FACT(struct watch_second, moved_written_bytes),
	COUNT_FACT(struct watch_second, dirty_bytes),
	COUNT_FACT(struct watch_second, frequency_khz),
	COUNT_FACT(struct watch_second, cpu_temperature_c),
	COUNT_FACT(struct watch_second, drive_temperature_c),
	COUNT_FACT(struct watch_second, in_flight),
};

FACT_TABLE(watch_run_table, run_rows);
FACT_TABLE(watch_device_table, device_rows);
FACT_TABLE(watch_job_table, job_rows);
FACT_TABLE(watch_target_table, target_rows);
FACT_TABLE(watch_drive_table, drive_rows);
FACT_TABLE(watch_second_table, second_rows);

#define LIST(name, type)                                                                       \
	{                                                                                      \
#name, &watch_##type##_table, sizeof(struct watch_##type),                     \
			offsetof(struct watch, name), offsetof(struct watch, name##_count)     \
	}

const struct watch_list watch_lists[WATCH_LISTS] = {
	LIST(devices, device),
	LIST(jobs, job),
	LIST(targets, target),
	LIST(drives, drive),
	LIST(seconds, second),
};

void *watch_list_of(const struct watch *w, const struct watch_list *list, uint32_t *ret_count)
{
	void *v;
	memcpy(ret_count, (const char *)w + list->count, sizeof(*ret_count));
	memcpy(&v, (const char *)w + list->offset, sizeof(v));
	return v;
}

double watch_cache_share(const struct watch_job *job)
{
	uint64_t moved = job->moved_read_bytes, storage = job->storage_read_bytes;

	if (moved == FACT_UNKNOWN || storage == FACT_UNKNOWN || !moved || job->buffered != 1)
		return -1;
	return storage < moved ? 1 - (double)storage / (double)moved : 0;
}

double watch_foreign_share(const struct watch_run *run)
{
	uint64_t others = 0;
	double all = 0;

	if (run->device_read_bytes == FACT_UNKNOWN ||
		(run->foreign_read_bytes == FACT_UNKNOWN &&
			run->foreign_written_bytes == FACT_UNKNOWN))
		return -1;
	all = (double)run->device_read_bytes + (double)run->device_written_bytes;
	others += count_or_0(run->foreign_read_bytes);
	others += count_or_0(run->foreign_written_bytes);
	return all > 0 ? (double)others / all : 0;
}
