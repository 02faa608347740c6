/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "report/figures.h"

#include "base/bits.h"
#include "base/json.h"
#include "result/result.h"

#include <string.h>

static bool give_whole(struct figure_value *ret, uint64_t v)
{
	*ret = (struct figure_value){.whole = v, .real = (double)v};
	return true;
}

static bool give_real(struct figure_value *ret, double v)
{
	uint64_t whole = v < 0x1p64 ? (uint64_t)MAX_OF(v, 0.0) : UINT64_MAX;

	*ret = (struct figure_value){.whole = whole, .real = v};
	return true;
}

/* ---- getters of a direction ---- */

static bool dir_count(const struct figure *f, const struct result_dir *d,
	struct figure_value *ret)
{
	uint64_t v;
	memcpy(&v, (const char *)d + f->offset, sizeof(v));
	return give_whole(ret, v);
}

/* Counts that exist on a schedule only. */
static bool dir_scheduled(const struct figure *f, const struct result_dir *d,
	struct figure_value *ret)
{
	return (d->due || d->asked_per_s > 0) && dir_count(f, d, ret);
}

/* Counts that an imported result may not have. */
static bool dir_ios(const struct figure *f, const struct result_dir *d,
	struct figure_value *ret)
{
	return (!d->told || d->told->ios) && dir_count(f, d, ret);
}

static bool dir_errors(const struct figure *f, const struct result_dir *d,
	struct figure_value *ret)
{
	return (!d->told || d->told->errors) && dir_count(f, d, ret);
}

static bool dir_iops(const struct figure *f, const struct result_dir *d,
	struct figure_value *ret)
{
	(void)f;
	return (d->runtime_ns || (d->told && !d->told->ios)) && result_iops(d) >= 0 &&
	       give_real(ret, result_iops(d));
}

static bool dir_bw(const struct figure *f, const struct result_dir *d, struct figure_value *ret)
{
	(void)f;
	return d->runtime_ns && result_bw(d) >= 0 && give_real(ret, result_bw(d));
}

static bool dir_asked_ios(const struct figure *f, const struct result_dir *d,
	struct figure_value *ret)
{
	(void)f;
	return d->asked_per_s > 0 && !d->asked_bytes && give_real(ret, d->asked_per_s);
}

static bool dir_asked_bytes(const struct figure *f, const struct result_dir *d,
	struct figure_value *ret)
{
	(void)f;
	return d->asked_per_s > 0 && d->asked_bytes && give_real(ret, d->asked_per_s);
}

static const struct latency *dir_latency(const struct figure *f, const struct result_dir *d)
{
	const struct latency *l;
	memcpy(&l, (const char *)d + f->offset, sizeof(l));
	return latency_any(l) ? l : NULL;
}

static bool dir_samples(const struct figure *f, const struct result_dir *d,
	struct figure_value *ret)
{
	const struct latency *l = dir_latency(f, d);
	return l && l->moments.count && give_whole(ret, l->moments.count);
}

static bool dir_min(const struct figure *f, const struct result_dir *d,
	struct figure_value *ret)
{
	const struct latency *l = dir_latency(f, d);
	return l && give_whole(ret, l->moments.min);
}

static bool dir_max(const struct figure *f, const struct result_dir *d,
	struct figure_value *ret)
{
	const struct latency *l = dir_latency(f, d);
	return l && give_whole(ret, l->moments.max);
}

static bool dir_mean(const struct figure *f, const struct result_dir *d,
	struct figure_value *ret)
{
	const struct latency *l = dir_latency(f, d);
	return l && latency_mean(l) >= 0 && give_real(ret, latency_mean(l));
}

static bool dir_stddev(const struct figure *f, const struct result_dir *d,
	struct figure_value *ret)
{
	const struct latency *l = dir_latency(f, d);
	return l && latency_stddev(l) >= 0 && give_real(ret, latency_stddev(l));
}

static bool dir_quantile(const struct figure *f, const struct result_dir *d,
	struct figure_value *ret)
{
	const struct latency *l = dir_latency(f, d);
	uint64_t ns;
	return l && latency_find(l, f->quantile, &ns) && give_whole(ret, ns);
}

/* ---- getters of a row ---- */

static bool row_count(const struct figure *f, const struct result_row *row,
	struct figure_value *ret)
{
	uint64_t v;
	memcpy(&v, (const char *)row + f->offset, sizeof(v));
	return give_whole(ret, v);
}

static bool row_small(const struct figure *f, const struct result_row *row,
	struct figure_value *ret)
{
	uint32_t v;
	memcpy(&v, (const char *)row + f->offset, sizeof(v));
	return (v || !row->told || row->told->native) && give_whole(ret, v);
}

/* Counts that mean something only when there is one. */
static bool row_some(const struct figure *f, const struct result_row *row,
	struct figure_value *ret)
{
	return row_count(f, row, ret) && ret->whole;
}

static bool row_logged(const struct figure *f, const struct result_row *row,
	struct figure_value *ret)
{
	return row->logged && row_count(f, row, ret);
}

/* Of an imported row: where the document has it. */
static bool row_window(const struct figure *f, const struct result_row *row,
	struct figure_value *ret)
{
	return row_count(f, row, ret) && (ret->whole || !row->told || row->told->native);
}

static bool row_switches(const struct figure *f, const struct result_row *row,
	struct figure_value *ret)
{
	return (!row->told || row->told->native) && row_count(f, row, ret);
}

static bool row_cpu(const struct figure *f, const struct result_row *row,
	struct figure_value *ret)
{
	double v;
	if (row->told && !row->told->cpu_ms)
		return false;
	memcpy(&v, (const char *)row + f->offset, sizeof(v));
	return give_real(ret, v);
}

static bool row_cpu_per_io(const struct figure *f, const struct result_row *row,
	struct figure_value *ret)
{
	double busy_ns = (row->cpu.user_ms + row->cpu.system_ms) * (double)NS_PER_MS;
	uint64_t ios = row->syncs;

	(void)f;
	if (row->told && !row->told->cpu_ms)
		return false;
	for (int dir = 0; dir < DIRS; dir++) {
		const struct result_dir *d = &row->dir[dir];
		if (d->told && !d->told->ios && d->bytes)
			return false;
		ios += d->ios;
	}
	return ios && busy_ns > 0 && give_real(ret, busy_ns / (double)ios);
}

/* ---- the rows ---- */

#define ROW_FIELD(name) .offset = offsetof(struct result_row, name)
#define DIR_FIELD(name) .offset = offsetof(struct result_dir, name)
#define COUNT_KEY(k, h) .key = (k), .kind = FIGURE_COUNT, .help = (h)
#define NS_KEY(k, h)    .key = (k), .kind = FIGURE_NS, .help = (h)
#define REAL_KEY(k, h)  .key = (k), .kind = FIGURE_REAL, .help = (h)

#define QUANTILE(name, field, tag, q)                                                          \
	{                                                                                      \
		NS_KEY(name "_" tag "_ns", name ": this share is not longer"),                 \
			.of_dir = dir_quantile, DIR_FIELD(field), .quantile = (q)              \
	}

#define LATENCY(name, field)                                                                   \
	{COUNT_KEY(name "_samples", name ": how many were timed"), .of_dir = dir_samples,      \
		DIR_FIELD(field)},                                                             \
		{NS_KEY(name "_min_ns", name ": shortest"), .of_dir = dir_min,                 \
			DIR_FIELD(field)},                                                     \
		{REAL_KEY(name "_mean_ns", name ": mean"), .of_dir = dir_mean,                 \
			DIR_FIELD(field)},                                                     \
		{REAL_KEY(name "_stddev_ns", name ": standard deviation"),                     \
			.of_dir = dir_stddev, DIR_FIELD(field)},                               \
		QUANTILE(name, field, "p50", 0.5), QUANTILE(name, field, "p90", 0.9),          \
		QUANTILE(name, field, "p99", 0.99), QUANTILE(name, field, "p99_9", 0.999),     \
		QUANTILE(name, field, "p99_99", 0.9999),                                       \
	{                                                                                      \
		NS_KEY(name "_max_ns", name ": longest"), .of_dir = dir_max, DIR_FIELD(field)  \
	}

const struct figure figures_dir[] = {
	{COUNT_KEY("ios", "completed in the window"), .of_dir = dir_ios, DIR_FIELD(ios)},
	{COUNT_KEY("bytes", "moved in the window"), .of_dir = dir_count, DIR_FIELD(bytes)},
	{REAL_KEY("ios_per_s", "ios over the window"), .of_dir = dir_iops},
	{REAL_KEY("bytes_per_s", "bytes over the window"), .of_dir = dir_bw},
	{COUNT_KEY("errors", "requests that failed"), .of_dir = dir_errors, DIR_FIELD(errors)},
	{NS_KEY("window_ns", "measured window"), .of_dir = dir_count, DIR_FIELD(runtime_ns)},
	LATENCY("lat", lat),
	LATENCY("clat", clat),
	LATENCY("slat", slat),
	{REAL_KEY("asked_ios_per_s", "the schedule"), .of_dir = dir_asked_ios},
	{REAL_KEY("asked_bytes_per_s", "the schedule"), .of_dir = dir_asked_bytes},
	{COUNT_KEY("due", "arrivals that fell due in the window"), .of_dir = dir_scheduled,
		DIR_FIELD(due)},
	{COUNT_KEY("late", "arrivals issued later than the quantum + 100 us"),
		.of_dir = dir_scheduled, DIR_FIELD(late)},
	{COUNT_KEY("missed", "arrivals that were due and never issued"),
		.of_dir = dir_scheduled, DIR_FIELD(missed)},
	LATENCY("response", response),
	LATENCY("lateness", lateness),
};
const size_t figures_dir_count = COUNT_OF(figures_dir);

const struct figure figures_row[] = {
	{COUNT_KEY("depth_asked", "iodepth"), .of_row = row_small, ROW_FIELD(depth_asked)},
	{COUNT_KEY("depth", "requests in flight at most"), .of_row = row_small,
		ROW_FIELD(depth)},
	{NS_KEY("window_ns", "measured window, of the longest member"), .of_row = row_window,
		ROW_FIELD(runtime_ns)},
	{REAL_KEY("cpu_per_io_ns", "user and system time of an I/O"), .of_row = row_cpu_per_io},
	{REAL_KEY("cpu_user_ms", "user time, all members"), .of_row = row_cpu,
		ROW_FIELD(cpu.user_ms)},
	{REAL_KEY("cpu_system_ms", "system time, all members"), .of_row = row_cpu,
		ROW_FIELD(cpu.system_ms)},
	{COUNT_KEY("switches_voluntary", "times it gave the CPU up"), .of_row = row_switches,
		ROW_FIELD(cpu.switches_voluntary)},
	{COUNT_KEY("switches_involuntary", "times the CPU was taken away"),
		.of_row = row_switches, ROW_FIELD(cpu.switches_involuntary)},
	{NS_KEY("generator_ns", "time outside the engine, all members"), .of_row = row_some,
		ROW_FIELD(generator_ns)},
	{NS_KEY("quantum_ns", "the pacing wakes at most once in so long"), .of_row = row_some,
		ROW_FIELD(quantum_ns)},
	{COUNT_KEY("memory_bytes", "memory that the plan counts for the workers"),
		.of_row = row_some, ROW_FIELD(memory_bytes)},
	{NS_KEY("end_sync_ns", "end_fsync and fsync_on_close took, longest member"),
		.of_row = row_some, ROW_FIELD(end_sync_ns)},
	{NS_KEY("last_sync_ns", "of that, after the window"), .of_row = row_some,
		ROW_FIELD(last_sync_ns)},
	{NS_KEY("stopped_ns", "time it was stopped or suspended"), .of_row = row_some,
		ROW_FIELD(stopped_ns)},
	{NS_KEY("log_wait_ns", "time that logs held it up, all members"), .of_row = row_logged,
		ROW_FIELD(log_wait_ns)},
	{COUNT_KEY("log_lost", "lines and records that are missing in logs"),
		.of_row = row_logged, ROW_FIELD(log_lost)},
};
const size_t figures_row_count = COUNT_OF(figures_row);

static const struct figure *find_in(const struct figure *list, size_t count, const char *key)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(list[i].key, key))
			return &list[i];
	return NULL;
}

const struct figure *figure_find(const char *key)
{
	const struct figure *f = find_in(figures_dir, figures_dir_count, key);
	return f ? f : find_in(figures_row, figures_row_count, key);
}

bool figure_get(const struct figure *f, const struct result_row *row, enum dir dir,
	struct figure_value *ret)
{
	return f->of_row ? f->of_row(f, row, ret) : f->of_dir(f, &row->dir[dir], ret);
}

static void figures_write(struct json *j, const struct figure *list, size_t count,
	const struct result_row *row, enum dir dir)
{
	for (size_t i = 0; i < count; i++) {
		struct figure_value v;
		if (!figure_get(&list[i], row, dir, &v))
			continue;
		if (list[i].kind == FIGURE_REAL)
			json_double(j, list[i].key, v.real);
		else
			json_uint(j, list[i].key, v.whole);
	}
}

void figures_write_row(struct json *j, const struct result_row *row)
{
	figures_write(j, figures_row, figures_row_count, row, DIR_READ);
}

void figures_write_dir(struct json *j, const struct result_row *row, enum dir dir)
{
	figures_write(j, figures_dir, figures_dir_count, row, dir);
}
