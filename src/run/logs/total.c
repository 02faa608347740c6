/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "run/logs/total.h"

#include "base/bits.h"
#include "run/logs/file.h"
#include "run/logs/lines.h"
#include "run/shared.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TOTAL_WINDOW_NS (500 * NS_PER_MS)
#define TOTAL_REST_NS   (20 * NS_PER_MS)
#define TOTAL_SLICE_NS  (100 * NS_PER_MS) /* how soon an orphan notices */

char *log_total_path(const char *prefix, enum dir dir)
{
	static const char *const names[] = {"read", "write", "trim"};
	char *path;
	if (asprintf(&path, "%s-%s_bw.log", *prefix ? prefix : "agg", names[dir]) < 0)
		return NULL;
	return path;
}

static void total_put(void *ctx, const char *text, size_t len)
{
	log_file_put(ctx, text, len);
}

static uint64_t total_bytes(const struct shared *shared, uint32_t workers, enum dir dir)
{
	uint64_t bytes = 0;
	for (uint32_t i = 0; i < workers; i++)
		bytes += __atomic_load_n(&shared->workers[i].count[dir].live_bytes,
			__ATOMIC_RELAXED);
	return bytes;
}

static void total_line(struct log_file *f, enum dir dir, uint64_t index, uint64_t end_ns,
	uint64_t bytes)
{
	struct log_lines lines = {
		.style = {.window_ns = TOTAL_WINDOW_NS},
		.to[PLAN_LOG_BW] = {f, total_put},
		.next_window = index,
	};
	struct log_sum sum = {.bytes = bytes};

	log_lines_window(&lines, dir, index, end_ns, &sum);
	log_file_flush(f);
}

/* Wait until UNTIL_NS, or until all is over; true then. */
static bool total_wait(struct shared *shared, uint64_t until_ns, pid_t parent)
{
	for (;;) {
		if (__atomic_load_n(&shared->head->total_over, __ATOMIC_ACQUIRE) ||
			getppid() != parent)
			return true;
		uint64_t now = clock_kernel_ns();
		if (now >= until_ns)
			return false;
		log_bell_wait(&shared->head->total_bell,
			MIN_OF(until_ns - now, TOTAL_SLICE_NS));
	}
}

void log_total_main(struct shared *shared, uint32_t workers, const char *prefix, pid_t parent)
{
	struct log_file files[DIRS];
	char *paths[DIRS];
	uint64_t before[DIRS] = {0}, start = clock_kernel_ns();
	bool over = false;

	for (int d = 0; d < DIRS; d++) {
		paths[d] = log_total_path(prefix, (enum dir)d);
		log_file_open(&files[d], paths[d] ? paths[d] : "", false, true, 0);
	}
	for (uint64_t index = 0; !over; index++) {
		uint64_t due = start + (index + 1) * TOTAL_WINDOW_NS;
		over = total_wait(shared, due, parent);
		uint64_t end = over ? MIN_OF(clock_kernel_ns(), due) : due;
		uint64_t moved[DIRS], all = 0;
		for (int d = 0; d < DIRS; d++) {
			uint64_t bytes = total_bytes(shared, workers, (enum dir)d);
			moved[d] = bytes - MIN_OF(before[d], bytes);
			before[d] = bytes;
			all += moved[d];
		}
		if (over && !all && due - end > TOTAL_WINDOW_NS - TOTAL_REST_NS)
			break; /* the end itself took that long */
		for (int d = 0; d < DIRS; d++)
			total_line(&files[d], (enum dir)d, index, end - start, moved[d]);
	}
	for (int d = 0; d < DIRS; d++) {
		log_file_close(&files[d]);
		if (files[d].error)
			shared->head->total_error = files[d].error;
		free(paths[d]);
	}
}
